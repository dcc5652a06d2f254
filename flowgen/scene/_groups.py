"""The frames around groups of rows: loop, alt, opt and par, inside each other too.

A frame is three kinds of rows among the others: one that opens it, one before each further branch, one that
closes it. Its outline is drawn from where these came to stand; nothing else of a picture knows of frames.
"""

from collections.abc import Iterable, Iterator, Sequence

from flowgen.flow import Branch, Group

from ._clean import clean_line
from ._look import Look
from ._rows import Placed, Row
from ._shapes import Line, Path, Rect, Shape, Text
from ._text import shorten, width

_OUT = 26  # from the canvas' edge to the outermost frame
_STEP = 8  # a frame inside another one steps in so far
_DEEPEST = 6  # frames that step in; what is deeper stands on the same line
_TAB, _CUT = 22, 8  # height of the tab, its cut corner
_OPENING = 36  # from a frame's top to its first row
_PART = 28  # from the end of a branch to the first row of the next one
_LINE_UP = 2  # the line between branches stands so far above the end of the branch before
_AFTER, _AFTER_INNER = 18, 12  # from the end of its last row to the next row, outside and inside another frame
_CHIP_AWAY, _CHIP_INSET = 8, 16
_WIDEST = 560  # px of a condition
_WIDER = 1.04  # the widest of the usual fonts against the table
_LONGEST = 400  # characters of a condition
_PARTS = {"alt": "else", "par": "and"}


def edges(wide: float, level: int) -> tuple[float, float]:
    """Left and right of a frame on a canvas `wide` px; level 0 is the outermost.

    Left a frame steps in each time; right only once, for a third line would stand on the edge of the boxes.
    """
    return _OUT + _STEP * min(level, _DEEPEST), wide - _OUT - _STEP * min(level, 1)


def opening_row(group: Group, level: int, look: Look, wide: float) -> Row:
    """The upper end of a frame: its operator in a tab, the first branch's condition beside it."""

    def draw(y: float) -> Iterable[Shape]:
        return _head(group.operator, group.branches[0], y, edges(wide, level), look)

    return Row(_OPENING, draw, kind="opens", across=True)


def part_row(group: Group, branch: Branch, level: int, look: Look, wide: float) -> Row:
    """The line between two branches, with the condition of the one that begins."""

    def draw(y: float) -> Iterable[Shape]:
        left, right = edges(wide, level)
        yield Line(left, y - _LINE_UP, right, y - _LINE_UP, "group.part")
        yield from _head(_PARTS.get(group.operator, group.operator), branch, y - _LINE_UP, (left, right), look)

    return Row(_PART, draw, kind="parts", across=True)


def closing_row(level: int, lift: float) -> Row:
    """The lower end of a frame, `lift` px above the end of its last row."""
    after = _AFTER_INNER if level else _AFTER
    return Row(after, lambda y: (), kind="closes", across=True, lift=lift)


def outlines(placed: Sequence[Placed], wide: float) -> Iterator[Shape]:
    """The dashed outline of every frame."""
    tops: list[float] = []
    for each in placed:
        if each.row.kind == "opens":
            tops.append(each.y)
        elif each.row.kind == "closes":
            top = tops.pop()
            left, right = edges(wide, len(tops))
            yield Rect(left, top, right - left, each.y - each.row.lift - top, "group", 10)


def _head(operator: str, branch: Branch, y: float, ends: tuple[float, float], look: Look) -> Iterable[Shape]:
    """A tab with one corner cut, and the condition's chip."""
    left, right = ends
    word = look.words(f"group.{operator}")
    wide = round(width(word, 11, 700) + 22, 2)
    outline = f"M0 {_TAB} L0 10 A10 10 0 0 1 10 0 L{wide:g} 0 L{wide:g} {_TAB - _CUT} L{wide - _CUT:g} {_TAB} Z"
    yield Path(left, y, outline, "group.tab")
    yield Text(left + wide / 2, y + 15.5, word, "group.operator")
    if branch.condition is not None:
        whole = clean_line("  ".join(filter(None, [look.say(branch.condition), look.also(branch.condition)])), _LONGEST)
        yield from _chip(left + wide + _CHIP_AWAY, y + 3, right - _CHIP_INSET, whole)


def _chip(x: float, y: float, right: float, whole: str) -> Iterable[Shape]:
    """The condition in a frame of its own: bare letters would run over lanes and lifelines."""
    room = (right - x - _CHIP_INSET) / _WIDER
    shown = shorten(whole, 12, min(room, _WIDEST), 700)
    wide = width(shown, 12, 700) * _WIDER + _CHIP_INSET
    yield Rect(x, y, wide, 20, "chip", 5)
    yield Text(x + wide / 2, y + 14, shown, "group.condition", None if shown == whole else whole)
