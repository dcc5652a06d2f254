"""The one style sheet of an SVG: only @media blocks, which browsers use and all other renderers skip.

Every selector starts at an ancestor, for office programs apply bare rules whatever the block says; no rule speaks of
the root itself, for a picture may stand inside of a page.
"""

from collections.abc import Iterable, Iterator, Mapping

from flowgen.scene import Theme

from ._fonts import Faces

_SANS = 'Inter,"Noto Sans","Segoe UI",system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif'
_CODE = (
    'ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,"Liberation Mono","PingFang SC",'
    '"Microsoft YaHei","Noto Sans Mono CJK SC",monospace'
)
# what pages call their mode: most of them, Material and Zensical, those that are made with Bootstrap
_DARK_PAGES = ('[data-theme="dark"]', '[data-md-color-scheme="slate"]', '[data-bs-theme="dark"]')
_LIGHT_PAGES = ('[data-theme="light"]', '[data-md-color-scheme="default"]', '[data-bs-theme="light"]')


def sheet(theme: Theme, used: set[str], inline: bool, faces: Faces) -> Iterator[str]:
    """The lines of it. `used` are the properties and colour roles of the picture, such as `fill req`."""
    yield "<style>"
    if theme.mode == "auto":
        yield from _block("(prefers-color-scheme: dark)", [f":root {_rule(name, theme.dark)}" for name in sorted(used)])
        yield from _switched(theme, used) if inline else ()
    yield from _block("screen", _fonts(faces))
    yield "</style>"


def class_of(prop: str, role: str) -> str:
    """The class of whatever has a colour role as its fill or stroke."""
    return ("fg-" if prop == "fill" else "fg-s-") + role.replace(".", "-")


def _block(condition: str, rules: Iterable[str]) -> Iterator[str]:
    yield f"@media {condition}{{"
    yield from rules
    yield "}"


def _switched(theme: Theme, used: set[str]) -> Iterator[str]:
    """A page's own switch between light and dark is followed, too."""
    switches = ((_DARK_PAGES, theme.dark), (_LIGHT_PAGES, theme.light))
    return _block("screen", [_each(pages, _rule(name, by)) for pages, by in switches for name in sorted(used)])


def _fonts(faces: Faces) -> Iterator[str]:
    """Faces that travel in the picture come first, then those that readers have."""
    yield from faces.rules
    yield f":root .fg-sans{{font-family:{','.join([*faces.sans, _SANS])}}}"
    yield f":root .fg-mono{{font-family:{','.join([*faces.mono, _CODE])}}}"


def _each(switches: tuple[str, ...], rule: str) -> str:
    selector, _, rest = rule.partition("{")
    return ",".join(f":root{switch} {selector},:root {switch} {selector}" for switch in switches) + "{" + rest


def _rule(name: str, colours: Mapping[str, str]) -> str:
    prop, role = name.split(" ")
    return f".{class_of(prop, role)}{{{prop}:{colours[role]}}}"
