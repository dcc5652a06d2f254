"""The pages of a picture: each repeats its title, the lane headers and the band of the step that goes on.

What runs through (lanes, lifelines, bars, frames) is shortened to the page and tucked in under its head and foot.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import inf

from ._extent import Span, moved, span, stretched
from ._shapes import Cuts, Group, Line, Path, Rect, Scene, Shape, Text, flat
from ._sheets import Room, Sheet
from ._text import shorten, width
from ._words import Words

TITLE = 58  # from the top of a further page to its lane headers
FOOT = 44  # from the end of the rows, which is that of the lanes, to the lower edge of a page
MARGIN = 40
SLACK = 2  # px that a shape may reach over a seam
CORNER = 12  # of the headers, where a lane's tint shows
_TUCK = 24  # how far what runs through reaches under head and foot
_WHOLE = 30  # px; what is not higher is never cut
_EDGE = 16  # px of a torn box that are its edge, and hold no line of text

Passed = dict[Shape, range]  # a shape without its length -> the pages that some like it pass over


class Book:
    """All pages of a picture; its shapes are looked at once and given to the pages that they stand on."""

    def __init__(
        self, scene: Scene, cuts: Cuts, room: Room, plan: Sequence[Sheet], said: Words, filled: bool
    ) -> None:
        self.scene = scene
        self.cuts = cuts
        self.room = room
        self.plan = plan
        self.words = said
        self.filled = filled
        self.starts = [sheet.start for sheet in plan]
        self.header = [shape for shape in self.upper() if self.is_header(span(shape))]
        self.bodies = self.spread(scene.shapes)

    def pages(self) -> list[Scene]:
        """All of them, first to last."""
        return [self.page(number) for number in range(len(self.plan))]

    def upper(self) -> Iterable[Shape]:
        return flat(tuple(shape for shape in self.scene.shapes if span(shape)[0] < self.cuts.neck))

    def is_header(self, reach: Span) -> bool:
        """Whether a shape stands on every page; a lifeline only begins where headers end."""
        top, bottom = reach
        return self.cuts.header - SLACK <= top < self.cuts.neck - SLACK and bottom <= self.cuts.neck + SLACK

    def spread(self, shapes: Iterable[Shape]) -> dict[int, list[Shape]]:
        """Page -> the shapes on it, in drawing order; those that pass over its edges are shortened."""
        bodies: dict[int, list[Shape]] = defaultdict(list)
        passed: Passed = {}
        for shape in shapes:
            for number, part in self.parts(shape, passed):
                bodies[number].append(part)
        return bodies

    def parts(self, shape: Shape, passed: Passed) -> Iterator[tuple[int, Shape]]:
        reach = span(shape)
        first, last = self.numbers(shape, reach)
        if reach[0] > reach[1] or self.is_left_out(shape, reach, first):
            return
        if first == last and self.is_whole(reach):
            yield first, shape
            return
        match shape:
            case Group():
                for number, part in self.spread(shape.shapes).items():
                    yield number, shape._replace(shapes=tuple(part))
            case Rect() | Line() | Path():
                for number in (first, *_anew(shape, reach, range(first + 1, last), passed), *{last} - {first}):
                    if not self.is_sliver(shape, reach, number):
                        yield number, self.cut(shape, reach, number)
            case _:
                yield self.on(sum(reach) / 2), shape

    def is_left_out(self, shape: Shape, reach: Span, number: int) -> bool:
        """Whether a shape stands on no page: each has a canvas of its own."""
        return isinstance(shape, Rect) and shape.style == "canvas"

    def is_whole(self, reach: Span) -> bool:
        """Whether what stands on one page only stands there as it is."""
        return True

    def numbers(self, shape: Shape, reach: Span) -> tuple[int, int]:
        """The first and the last page that a shape stands on. A lifeline's pieces hang together at a seam."""
        top, bottom = reach
        if bottom - top <= _WHOLE:
            middle = self.on((top + bottom) / 2)
            return middle, middle
        slack = -SLACK if isinstance(shape, Line) else SLACK
        return self.on(top + slack), self.on(bottom - slack)

    def on(self, y: float) -> int:
        """The page that shows a y of the picture."""
        return max(0, bisect_right(self.starts, y) - 1)

    def cut(self, shape: Rect | Line | Path, reach: Span, number: int) -> Shape:
        """What of a shape stands on a page: a piece of a torn row ends at the tear, all else under head and foot."""
        sheet = self.plan[number]
        corner = (shape.radius if isinstance(shape, Rect) else 0) + SLACK
        upper = sheet.start - corner if _holds(sheet.torn_before, reach) else self.neck(number) - _TUCK
        lower = sheet.end + corner if _holds(sheet.torn_after, reach) else self.foot(number) + _TUCK

        def place(y: float) -> float:
            if y < sheet.start and not self.is_natural(number):
                return y + self.shift(number) if y <= self.cuts.neck else upper
            return lower if y > sheet.end and number < len(self.plan) - 1 else y

        return stretched(shape, place)

    def is_sliver(self, shape: Shape, reach: Span, number: int) -> bool:
        """Whether nothing of a torn box stands on a page but its edge: no line of text has room there."""
        sheet = self.plan[number]
        begun = sheet.end - reach[0] if _holds(sheet.torn_after, reach) else inf
        ended = reach[1] - sheet.start if _holds(sheet.torn_before, reach) else inf
        return isinstance(shape, Rect) and min(begun, ended) < _EDGE < (reach[1] - reach[0]) / 4

    def is_natural(self, number: int) -> bool:
        """Whether the head of a page is the picture's own."""
        return number == 0

    def shift(self, number: int) -> float:
        """How far down lane headers stand on a page."""
        again = self.plan[number].again
        return self.plan[number].start - (again.high if again else 0) - self.cuts.first if number else 0

    def neck(self, number: int) -> float:
        """Where the lane headers of a page end."""
        return self.cuts.neck + self.shift(number)

    def top(self, number: int) -> float:
        """The upper edge of a page."""
        return self.cuts.header + self.shift(number) - TITLE if number else 0

    def bottom(self, number: int) -> float:
        """The lower edge of a page."""
        if self.filled:
            return self.top(number) + self.room.height
        return self.scene.height if number == len(self.plan) - 1 else self.plan[number].lanes_end + FOOT

    def foot(self, number: int) -> float:
        """Where the lanes of a page end that goes on."""
        return self.bottom(number) - FOOT

    def page(self, number: int) -> Scene:
        """One page, its rows between what stands over and under them."""
        return self.made(number, [*self.bodies[number], *self.head(number), *self.end(number)])

    def made(self, number: int, shapes: Sequence[Shape]) -> Scene:
        """A page of these shapes."""
        top, bottom = self.top(number), self.bottom(number)
        count = self.count(number)
        canvas = Rect(0, top, self.scene.width, bottom - top, "canvas")
        title, told = f"{self.scene.title} · {count}", f"{count}. {self.scene.desc}"
        return Scene(self.scene.width, bottom - top, title, told, (canvas, *shapes), top)

    def count(self, number: int) -> str:
        """`page 2 of 4`."""
        return self.words("page.of", n=number + 1, of=len(self.plan))

    def head(self, number: int) -> Iterator[Shape]:
        """The title, the lane headers and the band, over what is tucked in under them."""
        if not number:
            return
        sheet, top = self.plan[number], self.top(number)
        yield Rect(0, top, self.scene.width, self.neck(number) - CORNER - top, "canvas")
        yield from self.title(self.scene.title, self.count(number), top + 36)
        if sheet.start < sheet.end:
            yield from (moved(shape, self.shift(number)) for shape in self.header)
        if sheet.again:
            yield from (moved(shape, sheet.start - sheet.again.high) for shape in sheet.again.again)

    def title(self, whole: str, count: str, y: float) -> Iterator[Shape]:
        """The title in the middle, the page at the right."""
        wide = self.scene.width
        shown = shorten(whole, 18, wide - 2 * (MARGIN + width(count, 13) + 24), 700)
        yield Text(wide / 2, y, shown, "page.title", None if shown == whole else whole)
        yield Text(wide - MARGIN, y, count, "page.count")

    def end(self, number: int) -> Iterator[Shape]:
        """The foot: where it goes on."""
        if number == len(self.plan) - 1:
            return
        foot, bottom = self.foot(number), self.bottom(number)
        yield Rect(0, foot, self.scene.width, bottom - foot, "canvas")
        told = [*([] if number else [self.count(number)]), self.onward(number)]
        yield Text(self.scene.width / 2, foot + 24, "   ·   ".join(told), "page.foot")

    def onward(self, number: int) -> str:
        """Where a page goes on."""
        key = "page.torn" if self.plan[number].torn_after else "page.next"
        return self.words(key, n=number + 2)


def _anew(shape: Rect | Line | Path, reach: Span, over: range, passed: Passed) -> range:
    """The pages passed over that show nothing of the kind yet: a thousand bars in one place look like one there."""
    if not over:
        return over
    top, bottom = reach
    alike = stretched(shape, lambda y: 0 if y == top else 1 if y == bottom else y)
    before = passed.get(alike, over[:0])
    if over.start < before.start or before.stop < over.start:
        passed[alike] = over
        return over
    passed[alike] = range(before.start, max(before.stop, over.stop))
    return range(max(before.stop, over.start), over.stop)


def _holds(torn: Span | None, reach: Span) -> bool:
    return torn is not None and torn[0] - SLACK <= reach[0] and reach[1] <= torn[1] + SLACK
