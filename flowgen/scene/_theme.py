"""Themes: which colour each role has, light and dark. Read from TOML; nothing here knows where a role is used.

A theme file names the roles that it changes; the rest stays as in `themes/default.toml`.
Tables: `[colours]`, `[json]`, `[lane.ROLE]`, whose values are `[light, dark]` as `#rrggbb`; and `[lines] weight`,
how many times as thick as usual lines are. A lifeline has the colour of its lane's header unless it is named.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from flowgen.errors import ThemeError

from ._found import theme_file

Mode = Literal["auto", "light", "dark"]
MODES: tuple[Mode, ...] = ("auto", "light", "dark")
DEFAULT = "default"
_FORMER = {"flowgen": DEFAULT, "contrast": "high-contrast"}  # names of earlier versions
_DEEPEST = 4  # tables inside each other; no role has more
_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_WEIGHTS = (0.5, 3.0)


@dataclass(frozen=True, slots=True)
class Theme:
    """Colour role -> `#rrggbb`, once for light and once for dark; `mode` says which of them a file shows.

    `weight` is how many times as thick as usual lines are.
    """

    mode: Mode
    light: Mapping[str, str]
    dark: Mapping[str, str]
    weight: float = 1.0

    def static(self) -> "Theme":
        """The theme for a file that cannot follow its reader: light, unless dark was asked for."""
        return self if self.mode == "dark" else replace(self, mode="light")

    def __reduce__(self) -> tuple[Any, ...]:
        return Theme, (self.mode, dict(self.light), dict(self.dark), self.weight)  # a proxy is not for other processes


def theme_names() -> list[str]:
    """The themes that ship with flowgen, the default first."""
    folder = theme_file(f"{DEFAULT}.toml").parent
    return [DEFAULT, *sorted(path.stem for path in folder.glob("*.toml") if path.stem != DEFAULT)]


def theme_text(name: str) -> str:
    """The file of a shipped theme; its first line says what it is for."""
    return theme_file(f"{_FORMER.get(name, name)}.toml").read_text("utf-8")


def theme(name: str = "auto") -> Theme:
    """The theme called `auto`, `light`, `dark`, `NAME` or `FILE`; the last two may end in `:light` or `:dark`.

    Raises ThemeError when there is no such theme, or the file is none.
    """
    wanted, mode = _wanted(name)
    found = replace(_default(), mode=mode)
    return found if wanted == DEFAULT else _laid_over(found, _path(wanted))


def _wanted(name: str) -> tuple[str, Mode]:
    """The name of a theme and the mode asked for: `print:light`; a mode alone is the default theme's."""
    for mode in MODES:
        if name == mode:
            return DEFAULT, mode
        if name.endswith(f":{mode}"):
            bare = name.removesuffix(f":{mode}")
            return _FORMER.get(bare, bare), mode
    return _FORMER.get(name, name), "auto"


@cache
def _default() -> Theme:
    light: dict[str, str] = {}
    dark: dict[str, str] = {}
    for role, pair in _roles(_table(theme_file(f"{DEFAULT}.toml"))):
        if role != "lines.weight":
            light[role], dark[role] = pair
    return Theme("auto", MappingProxyType(light), MappingProxyType(dark))


def _laid_over(under: Theme, path: Path) -> Theme:
    named = dict(_roles(_table(path)))
    weight = _weight(named.pop("lines.weight", under.weight), path)
    light, dark = dict(under.light), dict(under.dark)
    for role, pair in named.items():
        light[role], dark[role] = _pair(role, pair, under, path)
    for role in [role for role in named if role.endswith(".header")]:
        life = role.replace(".header", ".life")
        if life not in named:
            light[life], dark[life] = named[role]
    return Theme(under.mode, MappingProxyType(light), MappingProxyType(dark), weight)


def _pair(role: str, pair: Any, known: Theme, path: Path) -> tuple[str, str]:
    if role not in known.light:
        raise ThemeError(f"{path}: no colour role {role[:60]!r}", _nearest(role[:60], known.light))
    if not _is_pair(pair):
        expected = f"{path}: {role}: expected [light, dark] as #rrggbb, found {pair!r}"
        raise ThemeError(expected[:300], f'such as {role.rpartition(".")[2]} = ["#1d4ed8", "#6cb2ff"]')
    return pair[0], pair[1]


def _is_pair(value: Any) -> bool:
    whole = isinstance(value, list) and len(value) == 2
    return whole and all(isinstance(colour, str) and _HEX.fullmatch(colour) for colour in value)


def _weight(value: Any, path: Path) -> float:
    least, most = _WEIGHTS
    if isinstance(value, (int, float)) and not isinstance(value, bool) and least <= value <= most:
        return float(value)
    expected = f"{path}: lines.weight: expected a number from {least:g} to {most:g}, found {value!r}"
    raise ThemeError(expected[:300], "such as weight = 1.3")


def _nearest(role: str, known: Mapping[str, str]) -> str:
    """The role that was meant: first whether its table is one, then its name among those of the table."""
    import difflib

    table, _, name = role.rpartition(".")
    tables = {each.rpartition(".")[0] or "colours" for each in known} | {"lines"}
    if table and table not in tables:
        close = difflib.get_close_matches(table, tables, 1)
        return f"did you mean the table [{close[0]}]?" if close else _ROLES
    beside = {each.rpartition(".")[2]: each for each in known if each.rpartition(".")[0] == table}
    close = difflib.get_close_matches(name, [*beside, *(["weight"] if table == "lines" else [])], 1)
    return f"did you mean {beside.get(close[0], close[0])!r}?" if close else _ROLES


_ROLES = "the roles are those of themes/default.toml: flowgen themes show default"


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
        raise ThemeError(f"{path}: not a theme: {problem}", "themes are TOML; see themes/default.toml") from None
