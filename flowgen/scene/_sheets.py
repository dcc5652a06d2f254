"""Where each page of a picture begins and ends: between rows, and only where nothing else is possible inside of one.

A page begins at a seam. A row that no page can hold is torn between two lines of its text.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf

from ._extent import Span
from ._shapes import Cuts, Part

TITLE = 58  # from the top of a further page to its lane headers
FOOT = 56  # from the last row of a page to its lower edge
_WORTH = 160  # px of a row that is torn anyway: less of it does not begin on a page
_REST = 100  # px of a torn row that are left for the next page at least: three lines of text, and what ends a row

Gap = Callable[[float, float], float]  # the y between two lines of text, at most the second number, above the first


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of one page, from `start` to `end`. `part` is the step it goes on with, None where one begins.

    `torn` is the stretch without a seam that the page begins or ends in, if it does.
    """

    start: float
    end: float
    part: Part | None = None
    torn_before: Span | None = None
    torn_after: Span | None = None


def above(cuts: Cuts, part: Part | None) -> float:
    """What stands above the rows of a further page, in px."""
    return TITLE + cuts.first - cuts.header + (part.high if part else 0)


def sheets(cuts: Cuts, height: float, tail: float, by_step: bool, gap: Gap) -> list[Sheet]:
    """All pages of at most `height` px. `tail` is what stands below the rows of the last one.

    With `by_step` every step begins a page.
    """
    return list(_Cutter(cuts, height, tail, by_step, gap).sheets())


class _Cutter:
    """Takes as many rows for each page as it holds."""

    def __init__(self, cuts: Cuts, height: float, tail: float, by_step: bool, gap: Gap) -> None:
        self.cuts = cuts
        self.height = height
        self.tail = tail
        self.gap = gap
        self.seams = [seam for part in cuts.parts for seam in part.seams]
        self.tops = [part.top for part in cuts.parts]
        self.steps = [part.top for part in cuts.parts if by_step and part.again and part.top in part.seams]

    def sheets(self) -> Iterator[Sheet]:
        start, before = self.cuts.first, None
        while True:
            end, after = self.end(start)
            yield Sheet(start, end, self.part(start), before, after)
            if end == self.cuts.bottom and self.ends_with(start):
                return
            start, before = end, after

    def part(self, start: float) -> Part | None:
        """The step that a page goes on with."""
        place = bisect_right(self.tops, start) - 1
        begins = place < 0 or self.tops[place] == start or start >= self.cuts.bottom
        return None if begins else self.cuts.parts[place]

    def lower_edge(self, start: float) -> float:
        """Where the page ends whose rows begin at `start`."""
        over = self.cuts.first if start <= self.cuts.first else above(self.cuts, self.part(start))
        return start + self.height - over

    def ends_with(self, start: float) -> bool:
        """Whether all that is left has room on one page, the tail too."""
        following_step = any(top > start for top in self.steps)
        return not following_step and self.cuts.bottom + self.tail <= self.lower_edge(start)

    def end(self, start: float) -> tuple[float, Span | None]:
        """Where a page ends, and the row that is torn there."""
        if self.ends_with(start):
            return self.cuts.bottom, None
        step = min((top for top in self.steps if top > start), default=inf)
        limit = min(self.lower_edge(start) - FOOT, step)
        best = max(self.fitting(start, limit), default=None)
        base = start if best is None else best
        following = self.after(base)
        if best is None and following <= limit:  # only the legend has no room
            return following, None
        if best is None or (limit < step and self.is_torn(base, following, limit)):
            return self.gap(base, min(limit, following - _REST)), (self.before(base), following)
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
        return limit - top >= _WORTH and bottom > self.lower_edge(top) - FOOT
