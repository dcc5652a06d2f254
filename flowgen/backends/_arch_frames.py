"""The frames of a laid out architecture, inside of each other: which is around what, found by zone and by place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flowgen.scene import NodePlace, ZonePlace

if TYPE_CHECKING:
    from flowgen.topology import Zone

_NEARLY = 0.01  # px


@dataclass(frozen=True, slots=True)
class Frame:
    """A container: its name in the file, its place on the page, and the one around it."""

    name: str
    x: float
    y: float
    wide: float
    high: float
    parent: "Frame | None" = None

    def holds(self, place: "Place") -> bool:
        """Whether a place is inside of it."""
        across = self.x - _NEARLY <= place.x and place.x + place.wide <= self.x + self.wide + _NEARLY
        down = self.y - _NEARLY <= place.y and place.y + place.high <= self.y + self.high + _NEARLY
        return across and down

    @property
    def chain(self) -> "Iterator[Frame]":
        """It and all frames around it, inner ones first."""
        frame: Frame | None = self
        while frame:
            yield frame
            frame = frame.parent


Place = Frame | NodePlace | ZonePlace


class Frames:
    """The frames of a layout in its order, outer ones first."""

    def __init__(self, places: Sequence[ZonePlace], zones: "Sequence[Zone]") -> None:
        self.parents = {zone.id: zone.parent for zone in zones}
        self.found: list[Frame] = []
        self.by_zone: dict[str, list[Frame]] = {}
        for number, each in enumerate(places):
            parent = self.around(each, self.parents.get(each.zone.id))
            self.found.append(Frame(f"z{number}", each.x, each.y, each.wide, each.high, parent))
            self.by_zone.setdefault(each.zone.id, []).append(self.found[-1])

    def around(self, place: Place, zone: str | None) -> Frame | None:
        """The innermost frame around a place that stands in a zone, or in one around that."""
        for _ in range(len(self.parents)):  # a document may hold a ring
            if zone is None:
                return None
            frame = next((frame for frame in self.by_zone.get(zone, ()) if frame.holds(place)), None)
            if frame:
                return frame
            zone = self.parents.get(zone)
        return None

    def gap(self, one: NodePlace, other: NodePlace, frames: "tuple[Frame | None, Frame | None]") -> float:
        """The middle, from left to right, between the frames that a line leaves and those that it comes to."""
        out, into = ([*frame.chain] if frame else [] for frame in frames)
        left = max([one.x + one.wide, *(frame.x + frame.wide for frame in out if frame not in into)])
        right = min([other.x, *(frame.x for frame in into if frame not in out)])
        return (left + right) / 2
