"""Lines of a free-form graph: level through columns, upright in channels, never through a part or a title.

A line is a net: from the right side of one part to the left side of another. It is worked out by its ys alone, one in
each column that it crosses; tracks in the channels come after that, when it is known how many lines turn in each.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from ._free_columns import Area, Columns

_BEND = 40.0  # what two elbows cost, in px of way
_FOREIGN, _TITLE = 300.0, 1e6  # what it costs to pass a zone that is of neither end, and a title
_APART, _LEAVING = 13.0, 10.0  # px between lines that end at the same side, and between those that leave it
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
        apart = _LEAVING if leaves and part not in labels else _APART
        for net, y in zip(ending, _spread(wanted, areas[part], inset, apart), strict=True):
            net.ys[0 if leaves else 1] = float(round(y))


def _spread(wanted: Sequence[float], area: Area, inset: float, apart: float) -> list[float]:
    """The ys that are wanted, moved inside of a side and apart from each other."""
    inset = min(inset, (area.bottom - area.top) / 2)
    top, bottom = area.top + inset, area.bottom - inset
    apart = min(apart, (bottom - top) / max(1, len(wanted) - 1))
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
        floor = columns.floor
        self.titles = [_in(channel.gap, columns.titles) for channel in columns.channels]
        self.frames = [_in(channel.gap, floor.frames) for channel in columns.channels]
        self.beside = [_in(span, floor.frames) for span in columns.spans]

    def way(self, net: Net) -> list[float]:
        """The cheapest ys from end to end, column by column."""
        begin, end = self.columns.home[net.left], self.columns.home[net.right]
        if begin >= end:
            return net.ys
        costs, steps = {net.ys[0]: 0.0}, []
        for at in range(begin + 1, end + 1):
            wanted = dict.fromkeys([*net.ys, *costs])
            here = [net.ys[1]] if at == end else self.columns.crossings(at, wanted)
            costs, before = self._onward(costs, at - 1, here, net)
            costs = {y: cost + (self._foreign(at, y, net) if at < end else 0) for y, cost in costs.items()}
            steps.append(before)
        ys = [net.ys[1]]
        for before in reversed(steps):
            ys.append(before[ys[-1]])
        return ys[::-1]

    def _onward(
        self, costs: dict[float, float], channel: int, here: Sequence[float], net: Net
    ) -> tuple[dict[float, float], dict[float, float]]:
        """What it costs to come to each y behind a channel, and from which y before it."""
        far = self._depths(channel, net)
        known = sorted((far(y), cost, y) for y, cost in costs.items())
        down = list(accumulate(((cost - depth, y) for depth, cost, y in known), min))
        up = list(accumulate(((cost + depth, y) for depth, cost, y in reversed(known)), min))[::-1]
        found, before = {}, {}
        for y in here:
            depth = far(y)
            at = bisect_right(known, depth, key=lambda each: each[0])
            ways = [(costs[y], y)] if y in costs else []
            ways += [(down[at - 1][0] + depth + _BEND, down[at - 1][1])] if at else []
            ways += [(up[at][0] - depth + _BEND, up[at][1])] if at < len(known) else []
            found[y], before[y] = min(ways)
        return found, before

    def _depths(self, channel: int, net: Net) -> Callable[[float], float]:
        """How far down a y is in a channel, by what it costs to get there: edges of what is to be kept off are far."""
        foreign = [(frame, _FOREIGN) for at, frame in self.frames[channel].items() if at not in net.home]
        walls = [*foreign, *((title, _TITLE) for title in self.titles[channel].values())]
        edges = sorted((y, cost / 2) for area, cost in walls for y in (area.top, area.bottom))
        sums = [0.0, *accumulate(cost for _, cost in edges)]
        ys = [y for y, _ in edges]
        return lambda y: y + sums[bisect_right(ys, y)]

    def _foreign(self, column: int, y: float, net: Net) -> float:
        """What it costs to cross a column in zones of neither end."""
        frames = self.beside[column].items()
        return _FOREIGN * sum(frame.top < y < frame.bottom and at not in net.home for at, frame in frames)


def _in(span: tuple[float, float], areas: Sequence[Area]) -> dict[int, Area]:
    """Those of some areas that reach into a span of x."""
    return {at: area for at, area in enumerate(areas) if area.left < span[1] and area.right > span[0]}
