"""Themes: which colour each role has, light and dark. Read from TOML; nothing here knows where a role is used.

A theme file names the roles that it changes; the rest stays as in `themes/flowgen.toml`.
Tables: `[colours]`, `[json]`, `[lane.ROLE]`; every value is `[light, dark]` as `#rrggbb`.
"""

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from flowgen.errors import ThemeError

from ._found import theme_file

Mode = Literal["auto", "light", "dark"]
MODES: tuple[Mode, ...] = ("auto", "light", "dark")
_DEEPEST = 4  # tables inside each other; no role has more
_HEX = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True)
class Theme:
    """Colour role -> `#rrggbb`, once for light and once for dark; `mode` says which of them a file shows."""

    mode: Mode
    light: Mapping[str, str]
    dark: Mapping[str, str]

    def static(self) -> "Theme":
        """The theme for a file that cannot follow its reader: light, unless dark was asked for."""
        return self if self.mode == "dark" else Theme("light", self.light, self.dark)


def theme_names() -> list[str]:
    """The themes that ship with flowgen, the default first, and the modes that `--theme` takes beside them."""
    folder = theme_file("flowgen.toml").parent
    others = sorted(path.stem for path in folder.glob("*.toml") if path.stem != "flowgen")
    return ["flowgen", *others]


def theme(name: str = "auto") -> Theme:
    """The theme called `auto`, `light`, `dark`, `NAME` or `FILE`; the last two may end in `:light` or `:dark`.

    Raises ThemeError when there is no such theme, or the file is none.
    """
    wanted, mode = _wanted(name)
    light, dark = dict(_default()[0]), dict(_default()[1])
    if wanted != "flowgen":
        _lay_over(light, dark, _path(wanted))
    return Theme(mode, MappingProxyType(light), MappingProxyType(dark))


def _wanted(name: str) -> tuple[str, Mode]:
    """The name of a theme and the mode asked for: `contrast:dark`; a mode alone is the default theme's."""
    for mode in MODES:
        if name == mode:
            return "flowgen", mode
        if name.endswith(f":{mode}"):
            return name.removesuffix(f":{mode}"), mode
    return name, "auto"


@cache
def _default() -> tuple[Mapping[str, str], Mapping[str, str]]:
    light: dict[str, str] = {}
    dark: dict[str, str] = {}
    for role, pair in _roles(_table(theme_file("flowgen.toml"))):
        light[role], dark[role] = pair
    return MappingProxyType(light), MappingProxyType(dark)


def _lay_over(light: dict[str, str], dark: dict[str, str], path: Path) -> None:
    for role, pair in _roles(_table(path)):
        if role not in light:
            raise ThemeError(f"{path}: no colour role {role[:60]!r}", _nearest(role[:60], light))
        if not _is_pair(pair):
            expected = f"{path}: {role}: expected [light, dark] as #rrggbb, found {pair!r}"
            raise ThemeError(expected[:300], f'such as {role.rpartition(".")[2]} = ["#1d4ed8", "#6cb2ff"]')
        light[role], dark[role] = pair


def _is_pair(value: Any) -> bool:
    whole = isinstance(value, list) and len(value) == 2
    return whole and all(isinstance(colour, str) and _HEX.fullmatch(colour) for colour in value)


def _nearest(role: str, known: Mapping[str, str]) -> str:
    close = difflib.get_close_matches(role, known, 1)
    return f"did you mean {close[0]!r}?" if close else "the roles are those of themes/flowgen.toml"


def _roles(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """`[lane.client] tint` is the role `lane.client.tint`; what stands in `[colours]` has no prefix."""
    for name, value in table.items():
        role = f"{prefix}{name}"
        if isinstance(value, dict) and role.count(".") < _DEEPEST:
            yield from _roles(value, "" if role == "colours" else f"{role}.")
        else:
            yield role, value


def _path(name: str) -> Path:
    if name in theme_names():
        return theme_file(f"{name}.toml")
    if Path(name).suffix == ".toml":
        return Path(name)
    known = ", ".join([*MODES, *theme_names()])
    raise ThemeError(f"no theme {name!r}", f"known: {known}; or the path of a .toml file")


def _table(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as problem:
        raise ThemeError(f"{path}: {problem.strerror or problem}", "give the path of a theme file") from None
    except (ValueError, RecursionError) as problem:
        raise ThemeError(f"{path}: not a theme: {problem}", "themes are TOML; see themes/flowgen.toml") from None
