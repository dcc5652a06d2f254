"""Lines of a free-form graph: level through columns, upright in channels, never through a part or a title.

A line is a net: from the right side of one part to the left side of another. It is worked out by its ys alone, one in
each column that it crosses; tracks in the channels come after that, when it is known how many lines turn in each.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ._free_columns import Area, Columns

_BEND = 40.0  # what two elbows cost, in px of way
_FOREIGN, _TITLE = 300.0, 1e6  # what it costs to pass a zone that is of neither end, and a title
_APART = 13.0  # px between lines that end at the same side
_INSET_NODE, _INSET_LABEL = 10.0, 6.0


@dataclass(slots=True)
class Net:
    """A line from part `left` to part `right`; `ys` are those of its ends and, between them, of the columns it crosses.

    `home` are the frames around either end. `backwards` tells that what flows in it comes from the right.
    """

    left: int
    right: int
    home: frozenset[int]
    backwards: bool = False
    ys: list[float] = field(default_factory=list)


def ported(nets: Sequence[Net], areas: Sequence[Area], labels: frozenset[int]) -> None:
    """Gives every net the ys of its ends: level with the other end where there is room for that."""
    sides: dict[tuple[int, bool], list[Net]] = defaultdict(list)
    for net in nets:
        net.ys = [areas[net.left].middle, areas[net.right].middle]
        sides[net.left, True].append(net)
        sides[net.right, False].append(net)
    for (part, leaves), ending in sides.items():
        ending.sort(key=lambda net: areas[net.right if leaves else net.left].middle)
        wanted = [areas[net.right if leaves else net.left].middle for net in ending]
        inset = _INSET_LABEL if part in labels else _INSET_NODE
        if len(ending) == 1 and part in labels:
            wanted = [areas[part].middle]
        for net, y in zip(ending, _spread(wanted, areas[part], inset), strict=True):
            net.ys[0 if leaves else 1] = float(round(y))


def _spread(wanted: Sequence[float], area: Area, inset: float) -> list[float]:
    """The ys that are wanted, moved inside of a side and apart from each other."""
    inset = min(inset, (area.bottom - area.top) / 2)
    top, bottom = area.top + inset, area.bottom - inset
    apart = min(_APART, (bottom - top) / max(1, len(wanted) - 1))
    ys: list[float] = []
    for y in wanted:
        ys.append(max(min(max(y, top), bottom), ys[-1] + apart if ys else top))
    limit = bottom
    for at in reversed(range(len(ys))):
        ys[at] = min(ys[at], limit)
        limit = ys[at] - apart
    return ys


def routed(nets: Iterable[Net], columns: Columns) -> None:
    """Gives every net its ys, short ones first."""
    router = _Router(columns)
    for net in sorted(nets, key=lambda net: columns.home[net.right] - columns.home[net.left]):
        net.ys = router.way(net)
        for at, y in enumerate(net.ys[1:-1], columns.home[net.left] + 1):
            columns.used[at].append(y)


class _Router:
    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.titles = [self._titles(channel.gap) for channel in columns.channels]
        self.frames = [self._frames(channel.gap) for channel in columns.channels]

    def _titles(self, gap: tuple[float, float]) -> list[Area]:
        """The titles that stand in a channel."""
        return [title for title in self.columns.titles if title.left < gap[1] and title.right > gap[0]]

    def _frames(self, gap: tuple[float, float]) -> list[tuple[int, Area]]:
        """The frames that go through a channel."""
        found = enumerate(self.columns.floor.frames)
        return [(at, frame) for at, frame in found if frame.left < gap[1] and frame.right > gap[0]]

    def way(self, net: Net) -> list[float]:
        """The cheapest ys from end to end, column by column."""
        begin, end = self.columns.home[net.left], self.columns.home[net.right]
        if begin >= end:
            return net.ys
        best: dict[float, tuple[float, list[float]]] = {net.ys[0]: (0.0, [net.ys[0]])}
        for at in range(begin + 1, end):
            wanted = dict.fromkeys([*net.ys, *best])
            here = {y: self._foreign(at, y, net) for y in self.columns.crossings(at, wanted)}
            best = {y: self._onward(best, at - 1, y, cost, net) for y, cost in here.items()}
        return self._onward(best, end - 1, net.ys[1], 0.0, net)[1]

    def _onward(
        self, best: dict[float, tuple[float, list[float]]], channel: int, y: float, cost: float, net: Net
    ) -> tuple[float, list[float]]:
        """The cheapest way to a y behind a channel."""
        ways = ((so_far + self._upright(channel, before, y, net), before) for before, (so_far, _) in best.items())
        least, before = min(ways, key=lambda way: way[0])
        return least + cost, [*best[before][1], y]

    def _foreign(self, column: int, y: float, net: Net) -> float:
        return _FOREIGN * sum(frame not in net.home for frame in self.columns.inside(column, y))

    def _upright(self, channel: int, y: float, other: float, net: Net) -> float:
        """What it costs to go from one y to another in a channel."""
        if abs(y - other) < 0.5:
            return 0.0
        top, bottom = min(y, other), max(y, other)
        cost = _BEND + bottom - top
        cost += _TITLE * sum(area.top < bottom and area.bottom > top for area in self.titles[channel])
        passed = (at for at, frame in self.frames[channel] if frame.top < bottom and frame.bottom > top)
        return cost + _FOREIGN * sum(at not in net.home for at in passed)
