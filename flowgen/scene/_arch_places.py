"""An architecture laid out, as values: where its nodes and frames stand, for formats that draw them themselves."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ._arch_nodes import Box
from ._arch_tracks import Put
from ._arch_words import zone_title
from ._arch_zones import Frame
from ._shapes import Shape
from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import Zone


class NodePlace(NamedTuple):
    """A measured node with its upper left corner at (x, y), in px. `box.node` is its id in the document."""

    box: Box
    x: float
    y: float
    wide: float
    high: float

    def shapes(self) -> Shape:
        """What is drawn of it."""
        return self.box.at(self.x, self.y, self.wide, self.high)


class ZonePlace(NamedTuple):
    """A frame with its upper left corner at (x, y), in px, and what stands in that corner. A zone may have several."""

    zone: "Zone"
    title: str
    note: str
    x: float
    y: float
    wide: float
    high: float


class Route(NamedTuple):
    """The way of a data flow's line: its corners from end to end, and the middle of its label, in px."""

    points: tuple[tuple[float, float], ...]
    label: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Layout:
    """A picture's size in px, its nodes, and its frames, outer ones first. Rows draw some nodes more than once.

    `routes` are those of the document's data flows, by their places in it, where lines cannot go straight.
    """

    wide: float
    high: float
    nodes: tuple[NodePlace, ...]
    zones: tuple[ZonePlace, ...]
    routes: "Mapping[int, Route]" = field(default_factory=dict)


def in_column(nodes: Iterable[Put], left: float, wide: float) -> Iterator[NodePlace]:
    """The nodes of a column."""
    for put in nodes:
        yield NodePlace(put.box, left, put.top, wide, put.bottom - put.top)


def of_frame(frame: Frame, how: Words) -> ZonePlace:
    """A frame as a value."""
    wide, high = frame.right - frame.left, frame.bottom - frame.top
    return ZonePlace(frame.zone, zone_title(frame.zone, how), frame.note, frame.left, frame.top, wide, high)
