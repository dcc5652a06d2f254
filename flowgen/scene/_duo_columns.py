"""Where things stand across a picture of two lanes. All numbers are px; `shift` makes room for a time column."""

from typing import Literal, NamedTuple

Side = Literal["client", "server"]

MARGIN = 40
TIME_COLUMN = 64  # room left of the lanes for the times
NOTE_INSET = 12  # from a lane's outer edge to its notes


class Columns(NamedTuple):
    """The x of every column; the client's lane stands left, the server's right.

    `lane_width` is that of a lane, `card` that of a JSON box, `padding` stands between a lifeline and a box,
    `note_width` is that of the notes in a lane.
    """

    shift: float = 0
    lane_width: float = 252
    card: float = 640
    padding: float = 28
    note_width: float = 218

    @property
    def gutter(self) -> float:
        """From lifeline to lifeline."""
        return self.card + 2 * self.padding

    @property
    def width(self) -> float:
        """The whole canvas."""
        return 2 * (MARGIN + self.lane_width) + self.gutter + self.shift

    @property
    def box(self) -> float:
        """Left edge of boxes, bands and labels."""
        return MARGIN + self.lane_width + self.padding + self.shift

    @property
    def box_end(self) -> float:
        """Right edge of the same."""
        return self.box + self.card

    def lane(self, side: Side) -> float:
        """Left edge of a lane."""
        return MARGIN + self.shift + (0 if side == "client" else self.lane_width + self.gutter)

    def life(self, side: Side) -> float:
        """A lifeline: the lane's inner edge."""
        return MARGIN + self.shift + self.lane_width + (0 if side == "client" else self.gutter)

    def out(self, side: Side) -> int:
        """Which way leads from a lifeline away from the gutter: -1 is left."""
        return -1 if side == "client" else 1

    def note(self, side: Side) -> float:
        """Left edge of the notes in a lane: an inset from its outer edge."""
        inset = NOTE_INSET if side == "client" else self.lane_width - NOTE_INSET - self.note_width
        return self.lane(side) + inset


def columns(shift: float, slides: bool) -> Columns:
    """Those of a picture; on slides all is narrower, so that letters are larger on a screen of the same width."""
    return Columns(shift, 190, 470, 20, 156) if slides else Columns(shift)


def other(side: Side) -> Side:
    """The side across."""
    return "server" if side == "client" else "client"
