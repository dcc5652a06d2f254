"""Where each page of a picture begins and ends: between rows, and only where nothing else is possible inside of one.

A page begins at a seam. A row that no page can hold is torn between two lines of its text.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from math import inf
from typing import NamedTuple

from ._extent import Span
from ._shapes import Cuts, Part

_WORTH = 160  # px of a row that is torn anyway: less of it does not begin on a page
_BORDER = 12  # px that a torn box goes on below its last line
_REST = 100  # px of a torn row that are left for the next page at least: three lines of text, and what ends a row

Gap = Callable[[float, float], float]  # the y between two lines of text, at most the second number, above the first


class Room(NamedTuple):
    """What a page of `height` px has beside rows: `first` above those of the first page, `further` above others,
    `foot` below them, `tail` below the very last one.

    On `slides` every step begins a page, and its band takes no room: it stands beside or above the headers.
    """

    height: float
    first: float
    further: float
    foot: float
    tail: float
    slides: bool = False

    def above(self, part: Part | None) -> float:
        """What stands above the rows of a further page that goes on with a step."""
        return self.further + (part.high if part and not self.slides else 0)


class Sheet(NamedTuple):
    """The rows of one page, from `start` to `end`. `part` is the step of its first row, which `begins` there or not.

    `torn` is the row that the page begins or ends in, if it does.
    """

    start: float
    end: float
    part: Part | None = None
    begins: bool = True
    torn_before: Span | None = None
    torn_after: Span | None = None

    @property
    def lanes_end(self) -> float:
        """Where the lanes end on a page that is no higher than its rows."""
        return self.end + (_BORDER if self.torn_after else 0)

    @property
    def again(self) -> Part | None:
        """The step that goes on here."""
        return None if self.begins else self.part


def sheets(cuts: Cuts, room: Room, gap: Gap) -> list[Sheet]:
    """All pages of a picture, first to last."""
    return list(_Cutter(cuts, room, gap).sheets())


class _Cutter:
    """Takes as many rows for each page as it holds."""

    def __init__(self, cuts: Cuts, room: Room, gap: Gap) -> None:
        self.cuts = cuts
        self.room = room
        self.gap = gap
        self.seams = [seam for part in cuts.parts for seam in part.seams]
        self.tops = [part.top for part in cuts.parts]
        steps = [part for part in cuts.parts if room.slides and part.band and part.top in part.seams]
        self.bands = {part.top: part.high for part in steps}

    def sheets(self) -> Iterator[Sheet]:
        start, before = self.begun(self.cuts.first), None
        while True:
            end, after = self.end(start)
            part = self.part(start)
            yield Sheet(start, end, part, part is None or self.begins(part, start), before, after)
            if end == self.cuts.bottom and self.ends_with(start):
                return
            start, before = self.begun(end), after

    def begun(self, y: float) -> float:
        """Where the rows of a page begin: those of a step on slides below its band."""
        return y + self.bands.get(y, 0)

    def part(self, start: float) -> Part | None:
        """The step that a row belongs to."""
        place = bisect_right(self.tops, start) - 1
        return None if place < 0 or start >= self.cuts.bottom else self.cuts.parts[place]

    def begins(self, part: Part, start: float) -> bool:
        return start == self.begun(part.top)

    def lower_edge(self, start: float) -> float:
        """Where the page ends whose rows begin at `start`."""
        part = self.part(start)
        again = None if part is None or self.begins(part, start) else part
        over = self.room.first if start <= self.cuts.first else self.room.above(again)
        return start + self.room.height - over

    def ends_with(self, start: float) -> bool:
        """Whether all that is left has room on one page, the tail too."""
        following_step = any(top > start for top in self.bands)
        return not following_step and self.cuts.bottom + self.room.tail <= self.lower_edge(start)

    def end(self, start: float) -> tuple[float, Span | None]:
        """Where a page ends, and the row that is torn there."""
        if self.ends_with(start):
            return self.cuts.bottom, None
        step = min((top for top in self.bands if top > start), default=inf)
        limit = min(self.lower_edge(start) - self.room.foot, step)
        best = max(self.fitting(start, limit), default=None)
        base = start if best is None else best
        following = self.after(base)
        if best is None and following <= limit:  # only the legend has no room
            return following, None
        if best is None or (limit < step and self.is_torn(base, following, limit)):
            return self.gap(base, min(limit - _BORDER, following - _REST)), (self.before(base), following)
        return best, None

    def fitting(self, start: float, limit: float) -> list[float]:
        """The seams that a page could end at."""
        return self.seams[bisect_right(self.seams, start) : bisect_right(self.seams, limit)]

    def before(self, y: float) -> float:
        """The last seam, or where the rows begin."""
        place = bisect_right(self.seams, y)
        return self.seams[place - 1] if place else self.cuts.first

    def after(self, y: float) -> float:
        """The next seam, or where the rows end."""
        place = bisect_right(self.seams, y)
        return self.seams[place] if place < len(self.seams) else self.cuts.bottom

    def is_torn(self, top: float, bottom: float, limit: float) -> bool:
        """Whether a row has to be torn anyway, and enough of it has room here to begin with it."""
        return limit - top >= _WORTH and bottom > self.lower_edge(top) - self.room.foot
