"""Data flows at their places: straight lines with heads and labels, elbows only where a trunk forks.

Lines come first, then heads and labels, so that no line crosses words. What is drawn is told to the legend.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ._arch_changes import sign_at
from ._arch_columns import Columns
from ._arch_nodes import Box
from ._arch_rows import TOP, Placed, PlacedHost, PlacedRow
from ._arch_tracks import Put
from ._arch_ways import Way
from ._shapes import Line, Path, Rect, Shape, Text

_HEAD = "M{0} 0 L{1} -4.6 L{1} 4.6 Z"
_HEAD_LONG, _HEAD_GAP, _LINE_SHORT = 10, 1, 9
_RADIUS = 10  # of an elbow
_LINE, _FIRST = 14, 14.4  # from line to line of a label, and from its top to the first baseline
_PORT = 4  # from a port's y to the baseline of what is said there
_BESIDE_BAR = 18


class Wire(NamedTuple):
    """A straight data flow from x1 to x2 with the middle of its label."""

    way: Way
    x1: float
    x2: float
    y: float
    label: float

    def line(self) -> Iterator[Shape]:
        """The line between its heads."""
        headless = self.way.kind == "off"
        start = self.x1 + (_LINE_SHORT if self.way.both else 0)
        end = self.x2 - (0 if headless else _LINE_SHORT)
        yield Line(start, self.y, end, self.y, line_style(self.way))

    def ends(self) -> Iterator[Shape]:
        """Heads and label."""
        if self.way.kind != "off":
            yield head(self.x2, self.y, self.way, 1)
        if self.way.both:
            yield head(self.x1, self.y, self.way, -1)
        yield from label_at(self.label, self.y, self.way)


def line_style(way: Way) -> str:
    """The style of a line: that of its kind, fainter where it is only likely."""
    return f"arch.line.{way.kind}" + (".inferred" if way.inferred else "")


def head(x: float, y: float, way: Way, to: int) -> Shape:
    """A head that ends just before x; `to` is 1 for one that looks right."""
    outline = _HEAD.format(-_HEAD_GAP * to, -(_HEAD_GAP + _HEAD_LONG) * to)
    return Path(x, y, outline, f"arch.tip.{way.kind}")


def label_at(x: float, y: float, way: Way) -> Iterator[Shape]:
    """The words of a data flow on a card, their middle at (x, y)."""
    if not way.label:
        return
    style = f"arch.label.{way.kind}"
    top = y - way.height / 2
    yield Rect(
        x - way.width / 2, top, way.width, way.height, style + (".inferred" if way.inferred else ""), 6
    )
    for number, line in enumerate(way.label):
        yield Text(x, top + _FIRST + _LINE * number, line, f"{style}.text")
    yield from sign_at(x - way.width / 2 - 2, top - 2, way.change)


def wires(placed: Placed, places: Columns) -> list[Wire]:
    """Every data flow that is straight, from top to bottom."""
    return [wire for host in placed.hosts for row in host.rows for wire in _of_row(row, host, places)]


def _of_row(row: PlacedRow, host: PlacedHost, at: Columns) -> Iterator[Wire]:
    if row.row.near and row.local:
        start = at.client.right if row.client else at.host.right
        yield Wire(row.row.near, start, at.local.left, row.y, at.near)
    for line, y in zip(row.row.lines, row.ys, strict=True):
        start = at.local.right if line.leaves == "local" else at.client.right
        if line.way and (line.far or line.goes_on):
            yield Wire(line.way, start, at.far.left, y, at.far_label)
        if line.down:
            yield Wire(line.down, at.client.right, at.local.left, y, at.near)
        if line.own:
            yield Wire(line.own, at.far.right, at.api.left, y, at.own)
        if line.near:
            yield Wire(line.near, at.local.right, at.annex.left, y, at.beside)


def ports(nodes: Sequence[Put], left: float) -> Iterator[Shape]:
    """Who speaks to a server that several hosts share, at the lines that come from there."""
    for put in nodes:
        if len(put.ports) > 1 and not put.box.compact:
            told = [(y, said) for y, said in put.ports if said]
            yield from (Text(left + _BESIDE_BAR, y + _PORT, said, "arch.second") for y, said in told)


# Trunks


def calls(placed: Placed, at: Columns) -> tuple[list[Shape], list[Shape], set[str]]:
    """The tool calls of all hosts: lines, heads and labels, kinds for the legend."""
    lines: list[Shape] = []
    ends: list[Shape] = []
    kinds: set[str] = set()
    for host in placed.hosts:
        called = [(row.y, row.row.call, row.row.client) for row in host.rows if row.row.call and row.client]
        if not called or host.host.model is None:
            continue
        stops = [(y, way) for y, way, _ in called if way]
        lines += trunk(at.model.right, at.trunk, host.model, stops)
        for y, way in stops:
            wire = Wire(way, at.trunk + (_RADIUS if y != host.model else 0), at.client.left, y, at.call)
            lines += wire.line()
            ends += wire.ends()
            kinds.add(way.kind)
    return lines, ends, kinds


def approvals(placed: Placed, at: Columns, person: Box | None) -> tuple[float, list[Shape], list[Shape]]:
    """The y of the person, and the lines from there to every model."""
    hosts = [host for host in placed.hosts if host.host.model]
    asked = [(host.model, host.host.approval) for host in hosts if host.host.approval]
    if person is None:
        return 0.0, [], []
    middle = _middle([y for y, _ in asked] or [host.model for host in hosts], placed)
    stops = [(y, way) for y, way in asked if way]
    forked = len(stops) > 1
    lines = trunk(at.person.right, at.fork, middle, stops) if forked else []
    ends: list[Shape] = []
    for y, way in stops:
        start = (at.fork + (_RADIUS if y != middle else 0)) if forked else at.person.right
        wire = Wire(way, start, at.model.left, y, at.approval)
        lines += wire.line()
        ends += wire.ends()
    return middle, lines, ends


def _middle(ys: Sequence[float], placed: Placed) -> float:
    """In the middle of the models; beside one that stands nearly there, so that the line is straight."""
    if not ys:
        return TOP + 23
    middle = (ys[0] + ys[-1]) / 2
    return next((y for y in ys if abs(y - middle) < 2 * _RADIUS), middle)


def trunk(left: float, x: float, y: float, stops: Sequence[tuple[float, Way]]) -> list[Shape]:
    """From a node's right edge to a vertical line that forks to each stop. Dotted where nothing but dotted follows."""
    above = sorted((stop for stop in stops if stop[0] < y), key=lambda stop: stop[0])
    below = sorted((stop for stop in stops if stop[0] > y), key=lambda stop: -stop[0])
    straight = [way for at, way in stops if at == y]
    shapes: list[Shape] = []
    for side, way in ((above, -1), (below, 1)):
        if side:
            shapes += _branch(x, y, way, side)
    best = _best([way for _, way in stops])
    end = x if straight else x - _RADIUS
    shapes.append(Line(left, y, end, y, line_style(best)))
    return shapes


def _best(ways: Sequence[Way]) -> Way:
    return next((way for way in ways if way.kind != "off"), ways[0])


def _branch(x: float, y: float, way: int, stops: Sequence[tuple[float, Way]]) -> Iterator[Shape]:
    """One arm of a trunk, its farthest stop first."""
    on = [stop for stop in stops if stop[1].kind != "off"]
    farthest_on = on[0][0] if on else None
    first = Way(_best([way for _, way in stops]).kind, ())
    begin = y + way * _RADIUS
    yield Path(x, y, _elbow(-_RADIUS, 0, 0, way * _RADIUS, way > 0), line_style(first))
    end = stops[0][0] - way * _RADIUS
    if farthest_on is None:
        yield Line(x, begin, x, end, line_style(stops[0][1]))
    else:
        turn = farthest_on - way * _RADIUS
        yield Line(x, begin, x, turn, line_style(on[0][1]))
        if turn != end:
            yield Line(x, turn, x, end, line_style(stops[0][1]))
    for at, stop in stops:
        yield Path(x, at, _elbow(0, -way * _RADIUS, _RADIUS, 0, way < 0), line_style(stop))


def _elbow(x1: float, y1: float, x2: float, y2: float, clockwise: bool) -> str:
    return f"M{x1:g} {y1:g} A{_RADIUS} {_RADIUS} 0 0 {1 if clockwise else 0} {x2:g} {y2:g}"
