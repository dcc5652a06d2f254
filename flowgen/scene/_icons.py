"""The icons of the roles, drawn as outlines in a field of 30 × 26 px: a glyph would need a font that has it."""

import re
from collections.abc import Iterable

from ._shapes import Circle, Path, Shape

WIDTH, HEIGHT = 30, 26

_FRAME = "M4 1 L26 1 A3 3 0 0 1 29 4 L29 {0} A3 3 0 0 1 26 {1} L4 {1} A3 3 0 0 1 1 {0} L1 4 A3 3 0 0 1 4 1 Z"
_WINDOW = _FRAME.format(22, 25)

# role -> outline, and the dots that are filled
_ICONS: dict[str, tuple[str, tuple[tuple[float, float], ...]]] = {
    "client": (f"{_FRAME.format(17, 20)} M15 20 L15 25.5 M9.5 25.5 L20.5 25.5", ()),
    "server": (
        "M4 0 L26 0 A3 3 0 0 1 29 3 L29 8.5 A3 3 0 0 1 26 11.5 L4 11.5 A3 3 0 0 1 1 8.5 L1 3 A3 3 0 0 1 4 0 Z "
        "M4 14.5 L26 14.5 A3 3 0 0 1 29 17.5 L29 23 A3 3 0 0 1 26 26 L4 26 A3 3 0 0 1 1 23 L1 17.5 "
        "A3 3 0 0 1 4 14.5 Z M13.5 5.75 L23 5.75 M13.5 20.25 L23 20.25",
        ((7.5, 5.75), (7.5, 20.25)),
    ),
    "gateway": ("M15 0 L27 6.5 L27 19.5 L15 26 L3 19.5 L3 6.5 Z M9 13 L20 13 M16 9 L20.5 13 L16 17", ()),
    "person": (
        "M20 7 A5 5 0 0 1 10 7 A5 5 0 0 1 20 7 Z M5 26 L5 23 A7 7 0 0 1 12 16 L18 16 A7 7 0 0 1 25 23 L25 26",
        (),
    ),
    "browser": (f"{_WINDOW} M1 8 L29 8", ((5.5, 4.6), (9.5, 4.6))),
    "host": (f"{_WINDOW} M10 1 L10 25 M14 8 L25 8 M14 13 L25 13", ()),
    "model": (
        "M8 4 L22 4 A3 3 0 0 1 25 7 L25 19 A3 3 0 0 1 22 22 L8 22 A3 3 0 0 1 5 19 L5 7 A3 3 0 0 1 8 4 Z "
        "M11 4 L11 0 M19 4 L19 0 M11 26 L11 22 M19 26 L19 22 M5 9 L1 9 M5 17 L1 17 M29 9 L25 9 M29 17 L25 17 "
        "M12 10 L18 10 L18 16 L12 16 Z",
        (),
    ),
    "auth": ("M15 0 L26 4 L26 12 A14 14 0 0 1 15 26 A14 14 0 0 1 4 12 L4 4 Z M10 12.5 L14 16.5 L20.5 9", ()),
    "api": (
        "M10 0 L10 7 M20 0 L20 7 M6 7 L24 7 L24 12 A9 9 0 0 1 15 21 A9 9 0 0 1 6 12 Z M15 21 L15 26",
        (),
    ),
    "others": ("M0 0", ((7.0, 13.0), (15.0, 13.0), (23.0, 13.0))),
}
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_FLAGS = re.compile(r"(A[\d.]+ [\d.]+) 0 0 1")  # the flags of an arc are no lengths


def icon(role: str, x: float, y: float, scale: float = 1.0) -> Iterable[Shape]:
    """The icon of a role with its upper left corner at (x, y)."""
    outline, dots = _ICONS.get(role, _ICONS["others"])
    yield Path(x, y, outline if scale == 1 else _scaled(outline, scale), "lane.icon")
    for dot_x, dot_y in dots:
        yield Circle(x + dot_x * scale, y + dot_y * scale, 1.6 * scale, "lane.icon.dot")


def _scaled(outline: str, scale: float) -> str:
    """The same outline smaller; strokes keep their width."""
    parts = _FLAGS.sub(r"\1 F", outline)
    smaller = _NUMBER.sub(lambda found: f"{float(found[0]) * scale:.2f}".rstrip("0").rstrip("."), parts)
    return smaller.replace("F", "0 0 1")
