"""Columns while rows are put into them: how far down each is full, and which frames are open around the last nodes."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ._arch_nodes import Box

if TYPE_CHECKING:
    from flowgen.topology import Zone

NOTE_LINE = 14  # px from line to line of what is said under a frame's title
_UNDER_FRAME = 4  # px more that a passing line keeps from a frame
_OVER = 10  # px that it keeps from what comes below


class Head(NamedTuple):
    """What stands between a frame's upper edge and its first node."""

    high: float = 0.0
    note: str = ""


class Spot(NamedTuple):
    """A node that is to be put: its frame with the head of that, and the px that it reaches over its middle."""

    box: Box
    zone: "Zone | None"
    up: float
    head: Head


@dataclass(slots=True)
class Put:
    """A node at its place in a column; `ports` are the y's of the lines that come to it, with what is said there."""

    box: Box
    top: float
    bottom: float
    ports: list[tuple[float, str]] = field(default_factory=list)


@dataclass(slots=True)
class Run:
    """A frame around nodes of one zone. `wide` tells that it spans the column beside its own, too."""

    zone: "Zone"
    top: float
    bottom: float
    note: str = ""
    wide: bool = False
    lines: tuple[str, ...] = ()


class Track:
    """The nodes and frames of one column, from top to bottom: `gap` px between them, `closing` from the last node of a
    frame to its lower edge.
    """

    def __init__(self, floor: float, gap: float, closing: float) -> None:
        self.floor = floor
        self.gap = gap
        self.closing = closing
        self.open: Run | None = None
        self.runs: list[Run] = []
        self.nodes: list[Put] = []

    def holds(self, zone: "Zone | None") -> bool:
        """Whether a zone's frame is open."""
        return self.open is not None and zone is not None and self.open.zone.id == zone.id

    @property
    def free(self) -> float:
        """Where the next frame may begin."""
        return self.floor + self.closing if self.open else self.floor

    def least(self, spot: Spot) -> float:
        """The least y of a node."""
        if self.holds(spot.zone):
            return self.floor + spot.up
        return self.free + (spot.head.high if spot.zone else 0) + spot.up

    def put(self, spot: Spot, y: float, up: float) -> Put:
        """A node with its middle at y, its frame opened if need be: `up` px and the head above."""
        if not self.holds(spot.zone):
            self.close()
        if spot.zone is not None and self.open is None:
            self.open = Run(spot.zone, y - up - spot.head.high, y, spot.head.note)
            self.runs.append(self.open)
        placed = Put(spot.box, y - spot.up, y + spot.up)
        self.nodes.append(placed)
        self.reach(placed.bottom + spot.box.stack)
        return placed

    def reach(self, bottom: float) -> None:
        """What stands in the column goes down to there."""
        self.floor = max(self.floor, bottom + self.gap)
        if self.open:
            self.open.bottom = max(self.open.bottom, bottom + self.closing)

    def close(self) -> None:
        """Nothing more comes into the open frame."""
        self.floor = self.free
        self.open = None

    def passed(self, y: float) -> None:
        """A line passes at y; whatever comes next stands below it."""
        self.close()
        self.floor = max(self.floor, y + _OVER)


class Pair:
    """A column and the one right of it: servers and what they speak to. A frame may span both, or stand in one."""

    def __init__(self, floor: float, gap: float, closing: float) -> None:
        self.main = Track(floor, gap, closing)
        self.side = Track(floor, gap, closing)
        self.within = 0.0  # where the last node beside the open frame's own ends

    @property
    def tracks(self) -> tuple[Track, Track]:
        """Both columns."""
        return self.main, self.side

    def least(self, main: Spot | None, side: Spot | None) -> float:
        """The least y of a line with these nodes."""
        if side is None or not self._shared(main, side):
            return max(self.main.least(main) if main else 0.0, self.side.least(side) if side else 0.0)
        if main is None or self.main.holds(main.zone):
            beside = self.within + self.main.gap + side.up
            return max(beside, self.main.least(main)) if main else beside
        up = main.head.high + max(main.up, side.up)
        return max(self.main.free, self.side.free) + up

    def put(self, main: Spot | None, side: Spot | None, y: float) -> tuple[Put | None, Put | None]:
        """The nodes of a line with their middle at y."""
        shared = side is not None and self._shared(main, side)
        up = max(main.up if main else 0.0, side.up if side and shared else 0.0)
        left = self.main.put(main, y, up) if main else None
        right = None
        if side is not None:
            right = self._put_within(side, y) if shared else self.side.put(side, y, side.up)
        self._settle()
        return left, right

    def _settle(self) -> None:
        """Nothing comes beside a frame that spans both columns."""
        if self.main.open and self.main.open.wide:
            self.side.floor = max(self.side.floor, self.main.open.bottom + self.side.gap)

    def _put_within(self, side: Spot, y: float) -> Put:
        """A node beside those of the open frame, which spans both columns now."""
        self.side.close()
        placed = Put(side.box, y - side.up, y + side.up)
        self.side.nodes.append(placed)
        self.main.reach(placed.bottom)
        self.within = placed.bottom
        assert self.main.open is not None
        self.main.open.wide = True
        return placed

    def _shared(self, main: Spot | None, side: Spot) -> bool:
        if side.zone is None:
            return False
        return main.zone is not None and main.zone.id == side.zone.id if main else self.main.holds(side.zone)

    def reach(self, bottom: float) -> None:
        """The last node of the left column goes on down to there."""
        if self.main.nodes:
            self.main.nodes[-1].bottom = max(self.main.nodes[-1].bottom, bottom)
            self.main.reach(bottom)
        self._settle()

    @property
    def passing(self) -> float:
        """The least y of a line that passes all nodes and frames."""
        return max(self.main.free, self.side.free) + _UNDER_FRAME

    def passed(self, y: float) -> None:
        """A line passes at y."""
        self.main.passed(y)
        self.side.passed(y)

    def close(self) -> None:
        """No frame stays open."""
        self.main.close()
        self.side.close()

    def begin(self, floor: float) -> None:
        """Nothing more above this y."""
        self.close()
        self.main.floor = max(self.main.floor, floor)
        self.side.floor = max(self.side.floor, floor)

    @property
    def bottom(self) -> float:
        """Where the next thing below both columns may begin."""
        return max(self.main.free, self.side.free)
