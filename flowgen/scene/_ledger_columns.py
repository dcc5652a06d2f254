"""Where things stand across a picture of three to six lanes. All numbers are px; `shift` makes room for times.

Lanes are narrow columns on the left; every message has a card in the message column right of them.
"""

from typing import NamedTuple

MARGIN = 40
TIME_COLUMN = 64
_CARD, _SLIDE_CARD = 600, 470  # width of the message column, and on slides
_TO_CARDS = 36  # from the last lane to the message column
_LANE_GAP = 8
_WIDE, _NARROW = 176, 152  # lifeline to lifeline, up to four lanes and from five on
_SLIDE_WIDE, _SLIDE_NARROW = 146, 128  # and on slides
_MANY = 5


class LedgerColumns(NamedTuple):
    """The x of every column. `lanes` are ids of participants, left to right; `others` share the last lane.

    On `slides` all is narrower, so that letters are larger on a screen of the same width.
    """

    lanes: tuple[str, ...]
    others: frozenset[str] = frozenset()
    shift: float = 0
    slides: bool = False

    @property
    def pitch(self) -> float:
        """From one lifeline to the next."""
        wide, narrow = (_SLIDE_WIDE, _SLIDE_NARROW) if self.slides else (_WIDE, _NARROW)
        return narrow if len(self.lanes) >= _MANY else wide

    @property
    def card(self) -> float:
        """Width of the message column."""
        return _SLIDE_CARD if self.slides else _CARD

    @property
    def lane_width(self) -> float:
        """Of one lane's rectangle."""
        return self.pitch - _LANE_GAP

    @property
    def left(self) -> float:
        """Where the first lane begins."""
        return MARGIN + self.shift

    @property
    def lanes_end(self) -> float:
        """Where the last lane ends."""
        return self.left + self.pitch * len(self.lanes) - _LANE_GAP

    @property
    def box(self) -> float:
        """Left edge of the message column."""
        return self.lanes_end + _TO_CARDS

    @property
    def box_end(self) -> float:
        """Right edge of the message column."""
        return self.box + self.card

    @property
    def width(self) -> float:
        """The whole canvas."""
        return self.box_end + MARGIN

    def place(self, participant: str) -> int:
        """Which lane a participant has, counted from 0; the first one for a stranger."""
        if participant in self.others:
            return len(self.lanes) - 1
        return self.lanes.index(participant) if participant in self.lanes else 0

    def lane(self, place: int) -> float:
        """Left edge of a lane."""
        return self.left + self.pitch * place

    def life(self, participant: str) -> float:
        """A participant's lifeline."""
        return self.lane(self.place(participant)) + self.lane_width / 2
