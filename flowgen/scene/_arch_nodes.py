"""The nodes of an architecture picture, measured before they have a place: title, lines, badges, finding marks."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from ._arch_badges import Badge, badges_of, badges_width, draw_badges
from ._arch_both import both
from ._arch_changes import ROOM, outlined, sign_at, tab_at, tab_of, tab_width
from ._arch_said import said
from ._arch_words import mono_width, second_of, title_of, where
from ._clean import clean_line
from ._shapes import Circle, Group, Line, Rect, Shape, Text
from ._text import width
from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import Node

HIGH, LOW, COMPACT = 46, 34, 30  # px: with a second line, without, and one of many
_LINE = 16  # from line to line
_BADGES_BELOW = 20
_CENTRED = frozenset(["person", "model", "client"])
_BARRED = frozenset(["server", "remote", "bridge", "gateway"])
_OWN_WORDS = frozenset(
    ["person", "model", "auth"]
)  # their titles are flowgen's, those of others stand in files
_LEAST = {"client": 112.0, "model": 92.0}
_LEFT, _PADDING = 18, 14
_BEFORE_BADGES = 10
_ROOMY = 250  # title and badges may stand on one line of this width
_STACK = (10, 5)  # px that the outlines behind a gateway stand out
MARK = 9  # radius of a finding's disc
_MARK_STEP, _MARK_INSET = 20, 8

Look = Literal["", "inferred", "off"]


class Mark(NamedTuple):
    """A finding on a node; number 0 is one that the list has no room for."""

    number: int
    severity: str


class Box(NamedTuple):
    """A measured node. `kind` names its style, `tip` is what is said of it to who asks, `node` its id."""

    kind: str
    title: str
    lines: tuple[str, ...]
    badges: tuple[Badge, ...]
    marks: tuple[Mark, ...]
    look: Look
    tip: str
    label: str
    compact: bool = False
    node: str = ""
    change: str | None = None
    tab: str = ""

    @property
    def centred(self) -> bool:
        """Whether its text stands in the middle."""
        return self.kind in _CENTRED

    @property
    def below(self) -> bool:
        """Whether its badges stand on a line of their own."""
        second = max(map(mono_width, self.lines), default=0.0)
        return bool(self.badges) and not self.compact and self._first > max(_ROOMY, second)

    @property
    def _first(self) -> float:
        badges = badges_width(self.badges)
        return width(self.title, 14, 700) + (_BEFORE_BADGES + badges if badges else 0)

    @property
    def width(self) -> float:
        """Its natural width; a column may make it wider."""
        title = width(self.title, 14, 700)
        first = max(title, badges_width(self.badges)) if self.below else self._first
        second = max(map(mono_width, self.lines), default=0.0)
        left = _PADDING if self.centred else _LEFT
        wide = left + max(first, second) + _PADDING
        least = max(self.marks_width, 0.0 if self.compact else tab_width(self.tab), _LEAST.get(self.kind, 0.0))
        beside = (title if self.below else first) + self._beside_marks
        return max(wide, left + beside, least)

    @property
    def _beside_marks(self) -> float:
        """What marks take of the first line, for they reach down to it."""
        return self.marks_width + 4 if len(self.marks) > 1 else 0

    @property
    def marks_width(self) -> float:
        """What its marks take of its upper edge, from the right."""
        return marks_width(len(self.marks))

    @property
    def height(self) -> float:
        """Its natural height."""
        if self.compact:
            return COMPACT
        high = LOW + (HIGH - LOW + _LINE * (len(self.lines) - 1) if self.lines else 0)
        return high + (_BADGES_BELOW if self.below else 0) + (8 if self.kind == "store" else 0) + self._foot

    @property
    def stack(self) -> float:
        """What stands out below and right of it."""
        return _STACK[0] if self.kind == "gateway" else 0

    def at(self, x: float, y: float, wide: float, high: float) -> Group:
        """The node as a group, its upper left corner at (x, y)."""
        shapes = (
            *outlined(x, y, wide, high, self._radius(high), self.change),
            *self._outline(x, y, wide, high),
            *self._text(x, y + (high - self._foot) / 2, wide),
            *self._marks(x + wide, y),
            *(sign_at(x, y + high, self.change) if self.compact else tab_at(x, y + high, self.tab, self.change)),
        )
        return Group(shapes, label=self.label, tip=self.tip or None)

    def _outline(self, x: float, y: float, wide: float, high: float) -> Iterable[Shape]:
        radius = self._radius(high)
        if self.kind == "gateway":
            yield from (Rect(x + by, y + by, wide, high, "arch.gateway.behind", radius) for by in _STACK)
        yield Rect(x, y, wide, high, self._style, radius)
        if self.kind in _BARRED:
            style = "arch.off.bar" if self.look == "off" else f"arch.{self.kind}.bar"
            yield Rect(x, y + 9, 4, high - 18, style, 2)
        if self.kind == "store":
            yield from (Line(x, at, x + wide, at, "arch.store.line") for at in (y + 8, y + high - 8))

    @property
    def _foot(self) -> float:
        """What its tab needs below the text; one of many has a sign at its corner instead."""
        return ROOM if self.change and not self.compact else 0

    def _radius(self, high: float) -> float:
        return high / 2 if self.kind == "person" else 9

    @property
    def _style(self) -> str:
        return "arch.off" if self.look == "off" else f"arch.{self.kind}" + (".inferred" if self.look else "")

    def _text(self, x: float, middle: float, wide: float) -> Iterator[Shape]:
        lines = () if self.compact else self.lines
        baseline = middle + 5 - _LINE / 2 * len(lines) - (_BADGES_BELOW / 2 if self.below else 0)
        start, end = (x + wide / 2, ".middle") if self.centred else (x + _LEFT, "")
        yield Text(start, baseline, self.title, f"arch.title{'.off' if self.look == 'off' else ''}{end}")
        for line in lines:
            baseline += _LINE
            yield Text(start, baseline, line, f"arch.second{end}")
        if self.below:
            yield from draw_badges(self.badges, start, baseline + 8)
        elif self.badges:
            after = start + width(self.title, 14, 700) + _BEFORE_BADGES
            yield from draw_badges(self.badges, after, baseline - 12 - (_LINE * len(lines)))

    def _marks(self, right: float, y: float) -> Iterator[Shape]:
        for place, mark in enumerate(reversed(self.marks)):
            x = right - _MARK_INSET - _MARK_STEP * place
            yield from mark_at(x, y, mark)


def marks_width(count: int) -> float:
    """What so many marks take, from the right edge that they end at."""
    return _MARK_INSET + _MARK_STEP * (count - 1) + MARK + 2 if count else 0.0


def mark_at(x: float, y: float, mark: Mark) -> Iterator[Shape]:
    """The disc of a finding with its middle at (x, y)."""
    disc = Circle(x, y, MARK if mark.number else 5, f"arch.mark.{mark.severity}")
    if not mark.number:
        yield disc
        return
    yield Group(
        (disc, Text(x, y + 3.8, str(mark.number), "arch.mark.number")), anchor=f"finding-{mark.number}"
    )


def marks_side_by_side(right: float, y: float, marks: Sequence[Mark]) -> Iterator[Shape]:
    """The marks of a frame inside its right corner."""
    for place, mark in enumerate(reversed(marks)):
        yield from mark_at(right - _MARK_INSET - MARK - _MARK_STEP * place, y + MARK + 2, mark)


def box_of(
    node: "Node", kind: str, how: Words, *, title: str | None = None, lines: Sequence[str] | None = None,
    marks: Sequence[Mark] = (), compact: bool = False,
) -> Box:  # fmt: skip
    """A node measured. `title` and `lines` stand there instead of its own."""
    shown = title if title is not None else node.title or node.name or node.id
    shown = both(partial(said, shown), how) if kind in _OWN_WORDS else shown
    below = [line for line in (node.lines if lines is None else lines) if line]
    below += [how("arch.was", text=said(line, how)) for line in (node.was or ())[:1]]
    told = tuple(filter(None, (second_of(line, how) for line in below)))
    badges = badges_of(node, kind, how, 1 if compact else 3) if kind not in _CENTRED else ()
    look: Look = "off" if node.disabled else "inferred" if _is_inferred(node) else ""
    whole = [clean_line(text, 200) for text in (shown, *(said(line, how) for line in below))]
    tip = "\n".join(filter(None, [*whole, where(node.evidence, how)]))
    label = ", ".join(filter(None, [*whole, *(badge.text for badge in badges)]))
    tab = tab_of(node.change, how)
    label = ", ".join(filter(None, [tab, label]))
    title = title_of(shown, how)
    return Box(kind, title, told, badges, tuple(marks), look, tip, label, compact, node.id, node.change, tab)


def _is_inferred(node: "Node") -> bool:
    return node.evidence is not None and node.evidence.kind == "inferred"
