"""Data flows of a free-form graph as they are drawn: lines with round elbows, heads, and a card on the way."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import copysign, hypot

from ._arch_edges import label_at, line_style
from ._arch_ways import Way
from ._free_columns import Area
from ._free_tracks import Point
from ._shapes import Line, Path, Shape, px

_RADIUS = 10.0  # of an elbow, at most
_SHORT = 9.0  # px that a line ends before the tip of its head
_LONG, _HALF, _GAP = 10.0, 4.6, 1.0  # of a head: length, half of its width, what it keeps from its end


@dataclass(frozen=True, slots=True)
class Run:
    """A data flow at its place: from its source to its card, and on to its target."""

    way: Way
    first: tuple[Point, ...]
    last: tuple[Point, ...]
    card: Area

    def moved(self, x: float, y: float) -> "Run":
        """The same elsewhere."""
        first, last = (tuple((a + x, b + y) for a, b in points) for points in (self.first, self.last))
        return Run(self.way, first, last, self.card.moved(x, y))

    def boxes(self) -> Iterator[Area]:
        """What its straight pieces take."""
        for points in (self.first, self.last):
            for (x1, y1), (x2, y2) in pairwise(points):
                yield Area(min(x1, x2) - 1, min(y1, y2) - 1, max(x1, x2) + 1, max(y1, y2) + 1)

    def lines(self) -> Iterator[Shape]:
        """Both parts of the line."""
        style = line_style(self.way)
        yield from _bent(_shortened(self.first[::-1], self.way.both)[::-1], style)
        yield from _bent(_shortened(self.last, self.way.kind != "off"), style)

    def ends(self) -> Iterator[Shape]:
        """Heads and card."""
        if self.way.kind != "off":
            yield _head(self.last, self.way)
        if self.way.both:
            yield _head(self.first[::-1], self.way)
        yield from label_at((self.card.left + self.card.right) / 2, self.card.middle, self.way)


def cut(points: Sequence[Point], frame: Area) -> tuple[Point, ...] | None:
    """A line from outside of a frame up to its edge; None for one that begins inside."""
    if _inside(points[0], frame):
        return None
    for at, (one, other) in enumerate(pairwise(points)):
        if _inside(other, frame):
            return (*points[: at + 1], _edge(one, other, frame))
    return None


def _inside(point: Point, frame: Area) -> bool:
    return frame.left < point[0] < frame.right and frame.top < point[1] < frame.bottom


def _edge(one: Point, other: Point, frame: Area) -> Point:
    """Where the way from one point, outside, to another one, inside, meets the frame."""
    if one[1] == other[1]:
        return (frame.left if one[0] < other[0] else frame.right), one[1]
    return one[0], (frame.top if one[1] < other[1] else frame.bottom)


def _shortened(points: Sequence[Point], headed: bool) -> Sequence[Point]:
    """The line without the room of its head."""
    if not headed:
        return points
    (x1, y1), (x2, y2) = points[-2:]
    long = hypot(x2 - x1, y2 - y1) or 1.0
    by = min(_SHORT, long)
    return [*points[:-1], (x2 - (x2 - x1) / long * by, y2 - (y2 - y1) / long * by)]


def _bent(points: Sequence[Point], style: str) -> Iterator[Shape]:
    """Straight lines with elbows between."""
    start = points[0]
    for at in range(1, len(points) - 1):
        (x0, y0), (x, y), (x2, y2) = points[at - 1 : at + 2]
        radius = min(_RADIUS, (abs(x - x0) + abs(y - y0)) / 2, (abs(x2 - x) + abs(y2 - y)) / 2)
        begin, end = _toward((x, y), (x0, y0), radius), _toward((x, y), (x2, y2), radius)
        yield Line(*start, *begin, style)
        yield _elbow((x, y), begin, end, radius, style)
        start = end
    yield Line(*start, *points[-1], style)


def _toward(point: Point, other: Point, by: float) -> Point:
    (x, y), (x2, y2) = point, other
    return x + (copysign(by, x2 - x) if x2 != x else 0), y + (copysign(by, y2 - y) if y2 != y else 0)


def _elbow(at: Point, begin: Point, end: Point, radius: float, style: str) -> Path:
    x1, y1, x2, y2 = begin[0] - at[0], begin[1] - at[1], end[0] - at[0], end[1] - at[1]
    clockwise = x1 * y2 - y1 * x2 < 0
    arc = f"A{px(radius)} {px(radius)} 0 0 {1 if clockwise else 0} {px(x2)} {px(y2)}"
    return Path(*at, f"M{px(x1)} {px(y1)} {arc}", style)


def _head(points: Sequence[Point], way: Way) -> Shape:
    """A head at the end of a line, looking the way that it goes."""
    (x1, y1), (x, y) = points[-2:]
    long = hypot(x - x1, y - y1) or 1.0
    along, across = (x - x1) / long, (y - y1) / long
    back = _GAP + _LONG
    corners = (
        (-along * _GAP, -across * _GAP),
        (-along * back - across * _HALF, -across * back + along * _HALF),
        (-along * back + across * _HALF, -across * back - along * _HALF),
    )
    outline = " L".join(f"{px(right)} {px(down)}" for right, down in corners)
    return Path(x, y, f"M{outline} Z", f"arch.tip.{way.kind}")
