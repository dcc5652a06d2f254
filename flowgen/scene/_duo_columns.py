"""Where things stand across a picture of two lanes. All numbers are px; `shift` makes room for a time column."""

from dataclasses import dataclass
from typing import Literal

Side = Literal["client", "server"]

MARGIN = 40
TIME_COLUMN = 64  # room left of the lanes for the times
LANE = 252
GUTTER = 696  # lifeline to lifeline
PADDING = 28  # between a lifeline and the JSON box
BOX = GUTTER - 2 * PADDING
NOTE = 218
NOTE_INSET = 12  # from a lane's outer edge to its notes


@dataclass(frozen=True, slots=True)
class Columns:
    """The x of every column; the client's lane stands left, the server's right."""

    shift: float = 0

    @property
    def width(self) -> float:
        """The whole canvas."""
        return 2 * (MARGIN + LANE) + GUTTER + self.shift

    @property
    def box(self) -> float:
        """Left edge of boxes, bands and labels."""
        return MARGIN + LANE + PADDING + self.shift

    @property
    def box_end(self) -> float:
        """Right edge of the same."""
        return self.box + BOX

    def lane(self, side: Side) -> float:
        """Left edge of a lane."""
        return MARGIN + self.shift + (0 if side == "client" else LANE + GUTTER)

    def life(self, side: Side) -> float:
        """A lifeline: the lane's inner edge."""
        return MARGIN + self.shift + LANE + (0 if side == "client" else GUTTER)

    def out(self, side: Side) -> int:
        """Which way leads from a lifeline away from the gutter: -1 is left."""
        return -1 if side == "client" else 1

    def note(self, side: Side) -> float:
        """Left edge of the notes in a lane: an inset from its outer edge."""
        inset = NOTE_INSET if side == "client" else LANE - NOTE_INSET - NOTE
        return self.lane(side) + inset


def other(side: Side) -> Side:
    """The side across."""
    return "server" if side == "client" else "client"
