"""The lines of a free-form graph: for every data flow one to its card and one from there on, at their places."""

from ._free_columns import Area, Columns, Floor
from ._free_level import levelled
from ._free_lines import Run, cut
from ._free_route import Net, routed
from ._free_sizes import Measured, Tie
from ._free_tracks import Point, Tracks


class Wiring:
    """All lines at their places. `floor` is the one that was given, wider where lines need room."""

    def __init__(self, parts: Measured, floor: Floor) -> None:
        self.parts = parts
        self.nets: list[Net] = []
        for tie in parts.ties:
            home = self._home(tie)
            self.nets += [_net(tie.source, tie.label, home, floor), _net(tie.label, tie.target, home, floor)]
        floor = levelled(floor, self.nets, [tie.label for tie in parts.ties])
        columns = Columns(floor)
        routed(self.nets, columns)
        self.tracks = Tracks(self.nets, columns)
        self.floor = floor.stretched(self.tracks.stretch)

    def _home(self, tie: Tie) -> frozenset[int]:
        """The frames around either end."""
        zones = (self.parts.parts[end].zone for end in (tie.source, tie.target))
        return frozenset(at for zone in zones for at in self.parts.around(zone))

    def runs(self) -> list[Run]:
        """The data flows in the order of the document."""
        return [self._run(at, tie) for at, tie in enumerate(self.parts.ties)]

    def _run(self, at: int, tie: Tie) -> Run:
        first, last = self._points(2 * at), self._points(2 * at + 1)
        first = self._cut(first[::-1], tie.source)[::-1]
        return Run(tie.way, first, self._cut(last, tie.target), self.floor.parts[tie.label])

    def _cut(self, points: tuple[Point, ...], end: int) -> tuple[Point, ...]:
        """A line to a zone ends at its frame."""
        part = self.parts.parts[end]
        if not part.anchor or part.zone is None:
            return points
        return cut(points, self.floor.frames[part.zone]) or points

    def _points(self, number: int) -> tuple[Point, ...]:
        """The corners of a line, the way that things flow."""
        net, areas = self.nets[number], self.floor.parts
        points = tuple(self.tracks.points(number, net, (areas[net.left].right, areas[net.right].left)))
        return points[::-1] if net.backwards else points


def _net(source: int, target: int, home: frozenset[int], floor: Floor) -> Net:
    backwards = floor.parts[target].right <= floor.parts[source].left
    return Net(target, source, home, True) if backwards else Net(source, target, home)


def reach(areas: "tuple[Area, ...]", runs: "list[Run]") -> Area:
    """What everything takes."""
    points = [point for run in runs for point in (*run.first, *run.last)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Area(
        min([*(area.left for area in areas), *xs], default=0),
        min([*(area.top for area in areas), *ys], default=0),
        max([*(area.right for area in areas), *xs], default=0),
        max([*(area.bottom for area in areas), *ys], default=0),
    )
