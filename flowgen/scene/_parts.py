"""The parts that lane pictures are made of: arrow, pill, chip, box, icon. Each is measured before it has a place.

Functions give shapes at the place asked for; those that others must make room for say their width first.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from ._images import Thumbnail, strip, strip_height
from ._json_fill import JsonLine
from ._shapes import Code, Group, Line, Path, Rect, Shape, Text
from ._styles import CODE_SIZE
from ._text import MONO, columns, has_cjk, width

LINE = 19  # from one line of JSON to the next
ADVANCE = MONO * CODE_SIZE
CHIP_HEIGHT = 20
CHIP_GAP = 6
_BOX_INSET = 16
_AFTER_RULE = 8  # what the rule between an HTTP head and a body takes

Tip = Literal["filled", "hollow", "open", "cross"]

# How far the line ends before the tip's point, so that it never shows through.
_LINE_SHORT = {"filled": 11, "hollow": 13, "open": 1, "cross": 12}
_TIP_GAP = 3  # between the tip's point and the lifeline
_NOISE_GAP = 24  # noise reaches nobody as a message: it ends before the lifeline


def arrow(x1: float, x2: float, y: float, kind: str, tip: Tip, line: str = "") -> Iterable[Shape]:
    """An arrow from one lifeline to another. `line` is "", "dashed" or "dotted"."""
    way = 1 if x2 > x1 else -1
    point = x2 - way * (_NOISE_GAP if tip == "cross" else _TIP_GAP)
    style = f"line.{kind}.{line}" if line else f"line.{kind}"
    yield Line(x1, y, point - way * _LINE_SHORT[tip], y, style)
    yield _tip(point, y, way, kind, tip)


def _tip(x: float, y: float, way: int, kind: str, tip: Tip) -> Shape:
    match tip:
        case "filled":
            return Path(x, y, f"M0 0 L{-14 * way} -7 L{-14 * way} 7 Z", f"tip.{kind}")
        case "hollow":
            return Path(x, y, f"M{-1.5 * way} 0 L{-13 * way} -6 L{-13 * way} 6 Z", f"tip.{kind}.hollow")
        case "open":
            return Path(x, y, f"M{-11 * way} -7 L0 0 L{-11 * way} 7", f"tip.{kind}.open")
        case "cross":
            return cross(x - 4.5 * way, y, f"cross.{kind}")


def cross(x: float, y: float, style: str) -> Path:
    """A × of 9 px."""
    return Path(x, y, "M-4.5 -4.5 L4.5 4.5 M4.5 -4.5 L-4.5 4.5", style)


def pill_width(text: str) -> float:
    """Width of a kind pill."""
    return width(text, 10, 700) + 18


def pill(x: float, y: float, text: str, kind: str) -> Iterable[Shape]:
    """A kind pill with its upper left corner at (x, y)."""
    wide = pill_width(text)
    yield Rect(x, y, wide, 20, f"pill.{kind}", 10)
    yield Text(x + wide / 2, y + 14, text, f"pill.{kind}.text")


class Chip(NamedTuple):
    """A small frame with a fact in it: an id, a time, a problem."""

    text: str
    style: str = "chip"

    @property
    def width(self) -> float:
        """Its width: letters are monospace, so counting is measuring; beside Chinese they may be of another font."""
        counted = columns(self.text) * 11 * MONO
        return (max(counted, width(self.text, 11)) if has_cjk(self.text) else counted) + 14


def chips_width(chips: Sequence[Chip]) -> float:
    """Width of a row of chips with the gaps between them."""
    return sum(chip.width for chip in chips) + CHIP_GAP * max(0, len(chips) - 1)


def chip_row(right: float, y: float, chips: Sequence[Chip]) -> Iterable[Shape]:
    """Chips side by side, the last one ending at `right`."""
    x = right - chips_width(chips)
    for chip in chips:
        yield Rect(x, y, chip.width, CHIP_HEIGHT, chip.style, 5)
        letters = "chip.text" if chip.style == "chip.none" else f"{chip.style}.text"
        yield Text(x + chip.width / 2, y + 14, chip.text, letters)
        x += chip.width + CHIP_GAP


class Box(NamedTuple):
    """A box of JSON or text lines. `bar` is the kind's colour on the sender's side, None for no bar."""

    lines: tuple[JsonLine, ...]
    width: float
    bar: str | None
    bar_right: bool = False
    style: str = "box"
    behind: int = 0
    head: tuple[JsonLine, ...] = ()  # of an HTTP message, above the lines
    images: tuple[Thumbnail, ...] = ()  # that the message carries, below the lines
    link: str | None = None  # where the lines lead, if they only point at another message

    @property
    def height(self) -> float:
        """Height with the outlines that stand behind it; 0 for a box with nothing in it."""
        return self._high + 3 * self.behind if self.head or self.lines else 0

    @property
    def _high(self) -> float:
        lines = (len(self.head) + len(self.lines)) * LINE + 20 + (_AFTER_RULE if self._parted else 0)
        return lines + strip_height(self.images, self.width - 2 * _BOX_INSET)

    @property
    def _parted(self) -> bool:
        return bool(self.head and self.lines)

    def at(self, x: float, y: float) -> Iterable[Shape]:
        """The box with its upper left corner at (x, y)."""
        for step in range(self.behind, 0, -1):
            yield Rect(x + 3 * step, y + 3 * step, self.width, self._high, "box.behind", 8)
        yield Rect(x, y, self.width, self._high, self.style, 8)
        if self.bar:
            yield Rect(x + self.width - 3.5 if self.bar_right else x, y + 8, 3.5, self._high - 16, self.bar, 1.75)
        yield from code(self.head, x + _BOX_INSET, y + 24)
        top = y + len(self.head) * LINE
        if self._parted:
            rule = top + 10 + _AFTER_RULE / 2
            yield Line(x + _BOX_INSET, rule, x + self.width - _BOX_INSET, rule, "box.rule")
            top += _AFTER_RULE
        lines = code(self.lines, x + _BOX_INSET, top + 24)
        yield from lines if self.link is None else [Group(tuple(lines), link=self.link)]
        under = top + 10 + len(self.lines) * LINE
        yield from strip(self.images, x + _BOX_INSET, under, self.width - 2 * _BOX_INSET)


def code(lines: Sequence[JsonLine], x: float, baseline: float) -> Iterable[Shape]:
    """Lines of code below each other: first what lies under key fields, then the letters."""
    for number, line in enumerate(lines):
        for column, wide in line.marks:
            y = baseline + number * LINE - 13.5
            yield Rect(x + column * ADVANCE - 3, y, wide * ADVANCE + 6, 18, "mark", 4)
    for number, line in enumerate(lines):
        if line.tokens:
            yield Code(x, baseline + number * LINE, line.tokens)


def loop_pill(x: float, y: float, text: str, link: str | None) -> Group:
    """A rounded frame with a circular arrow before its text; links to where it leads back to."""
    wide = width(text, 12.5, 700) + 33 + 15
    ring = "M4.18 -3.08 A5.2 5.2 0 1 0 5.2 0"
    shapes = (
        Rect(x, y, wide, 26, "loop", 13),
        Path(x + 20, y + 13, ring, "loop.icon"),
        Path(x + 20, y + 13, "M1.2 -3.4 L6.6 -6.4 L6.4 -0.6 Z", "loop.icon.tip"),
        Text(x + 33, y + 17.5, text, "loop.text"),
    )
    return Group(shapes, link=link)
