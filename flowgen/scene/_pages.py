"""Cuts a picture into pages. Each repeats its title, the lane headers and the band of the step that goes on.

A page shows a stretch of the whole picture, so rows are the very shapes of it; what runs through (lanes, lifelines,
bars, frames) is shortened to the page and tucked in under its head and foot. No text is ever cut in half.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from flowgen.errors import UsageError

from ._extent import Span, moved, span, stretched
from ._shapes import Code, Cuts, Group, Image, Line, Path, Rect, Scene, Shape, Text, flat, groups
from ._sheets import FOOT, TITLE, Sheet, above, sheets
from ._text import shorten, width
from ._words import Lang, Words, words

_MARGIN = 40
_TUCK = 24  # how far what runs through reaches under head and foot
_CORNER = 12  # of the headers, where a lane's tint shows
_WHOLE = 30  # px; what is not higher is never cut
_SLACK = 2  # px that a shape may reach over a seam
_AFTER_LANES = 12  # from the end of the rows to where the lanes end, on a page as high as its rows
_LEAST = 120  # px of rows that a page has to have room for
_NEAR = 400  # px within which a line of text or an image ends


@dataclass(frozen=True, slots=True)
class Paging:
    """How to cut: pages at most `height` px high; `filled` ones all have that height, others that of their rows.

    With `by_step` every step begins a page, as on slides.
    """

    height: float
    filled: bool = False
    by_step: bool = False


def pages(scene: Scene, paging: Paging, lang: Lang = "en") -> list[Scene]:
    """The pages of a picture, first to last; one where it has room on it.

    Raises UsageError for pages that leave no room for rows.
    """
    cuts = scene.cuts
    if cuts is None:
        return [_single(scene, paging)]
    _roomy(scene, cuts, paging)
    tail = scene.height - cuts.bottom
    plan = sheets(cuts, paging.height, tail, paging.by_step, _Gaps(scene).below)
    if len(plan) == 1:
        return [_single(scene, paging)]
    book = _Book(scene, cuts, paging, plan, words(lang))
    return [book.page(number) for number in range(len(plan))]


def alone(page: Scene) -> Scene:
    """A page for a file of its own: without links that lead to other pages."""
    anchors = {group.anchor for group in groups(page.shapes)}
    return replace(page, shapes=tuple(_linked(shape, anchors) for shape in page.shapes))


def _linked(shape: Shape, anchors: Set[str | None]) -> Shape:
    if not isinstance(shape, Group):
        return shape
    link = shape.link if shape.link in anchors else None
    return replace(shape, link=link, shapes=tuple(_linked(each, anchors) for each in shape.shapes))


def _single(scene: Scene, paging: Paging) -> Scene:
    """A picture of one page."""
    if not paging.filled or scene.height >= paging.height:
        return scene
    canvas = Rect(0, 0, scene.width, paging.height, "canvas")
    return replace(scene, height=paging.height, shapes=(canvas, *scene.shapes))


def _roomy(scene: Scene, cuts: Cuts, paging: Paging) -> None:
    heads = [cuts.first, *(above(cuts, part) for part in cuts.parts)]
    least = max(heads) + max(FOOT + _LEAST, scene.height - cuts.bottom)
    if paging.height < least and paging.height < scene.height:
        raise UsageError(
            f"pages of {scene.width:.0f} × {paging.height:.0f} px have no room for messages under their heads",
            f"give a --page-height of {least:.0f} at least, or a --page-size that is higher for its width",
        )


class _Gaps:
    """Where lines of text leave a gap."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.texts: list[Span] = []

    def below(self, least: float, limit: float) -> float:
        """The lowest y up to `limit` that crosses no text, `limit` itself if there is none under `least`."""
        y = limit
        while crossed := [top for top, bottom in self.near(y) if top < y < bottom]:
            y = min(crossed)
        return y if y > least + _WHOLE else limit

    def near(self, y: float) -> Sequence[Span]:
        if not self.texts:
            told = (shape for shape in flat(self.scene.shapes) if isinstance(shape, Text | Code | Image))
            self.texts = sorted(map(span, told))
        return self.texts[bisect_left(self.texts, (y - _NEAR, 0)) : bisect_left(self.texts, (y, 0))]


class _Book:
    """All pages of a picture; its shapes are looked at once and given to the pages that they stand on."""

    def __init__(self, scene: Scene, cuts: Cuts, paging: Paging, plan: Sequence[Sheet], said: Words) -> None:
        self.scene = scene
        self.cuts = cuts
        self.paging = paging
        self.plan = plan
        self.words = said
        self.starts = [sheet.start for sheet in plan]
        self.header = [shape for shape in self.upper(scene.shapes) if self.is_header(span(shape))]
        self.bodies = self.spread(scene.shapes)

    def upper(self, shapes: Sequence[Shape]) -> Iterable[Shape]:
        return flat(tuple(shape for shape in shapes if span(shape)[0] < self.cuts.neck))

    def is_header(self, reach: Span) -> bool:
        """Whether a shape stands on every page; a lifeline only begins where headers end."""
        top, bottom = reach
        return self.cuts.header - _SLACK <= top < self.cuts.neck - _SLACK and bottom <= self.cuts.neck + _SLACK

    def spread(self, shapes: Iterable[Shape]) -> dict[int, list[Shape]]:
        """Page -> the shapes on it, in drawing order; those that pass over its edges are shortened."""
        bodies: dict[int, list[Shape]] = defaultdict(list)
        for shape in shapes:
            for number, part in self.parts(shape):
                bodies[number].append(part)
        return bodies

    def parts(self, shape: Shape) -> Iterator[tuple[int, Shape]]:
        reach = span(shape)
        if reach[0] > reach[1]:  # nothing is in it
            return
        first, last = self.numbers(shape, reach)
        if first == last:
            yield first, shape
            return
        match shape:
            case Group():
                yield from ((n, replace(shape, shapes=tuple(part))) for n, part in self.spread(shape.shapes).items())
            case Rect() | Line() | Path():
                yield from ((n, self.cut(shape, reach, n)) for n in range(first, last + 1))
            case _:
                yield self.on(sum(reach) / 2), shape

    def numbers(self, shape: Shape, reach: Span) -> tuple[int, int]:
        """The first and the last page that a shape stands on. A lifeline's pieces hang together at a seam."""
        top, bottom = reach
        if bottom - top <= _WHOLE:
            middle = self.on((top + bottom) / 2)
            return middle, middle
        slack = -_SLACK if isinstance(shape, Line) else _SLACK
        return self.on(top + slack), self.on(bottom - slack)

    def on(self, y: float) -> int:
        return max(0, bisect_right(self.starts, y) - 1)

    def cut(self, shape: Rect | Line | Path, reach: Span, number: int) -> Shape:
        """What of a shape stands on a page: a piece of a torn row ends at the tear, all else under head and foot."""
        sheet = self.plan[number]
        corner = (shape.radius if isinstance(shape, Rect) else 0) + _SLACK
        upper = sheet.start - corner if _holds(sheet.torn_before, reach) else self.neck(number) - _TUCK
        lower = sheet.end + corner if _holds(sheet.torn_after, reach) else self.foot(number) + _TUCK

        def place(y: float) -> float:
            if y < sheet.start and number:
                return y + self.shift(number) if y <= self.cuts.neck else upper
            return lower if y > sheet.end and number < len(self.plan) - 1 else y

        return stretched(shape, place)

    def shift(self, number: int) -> float:
        """How far down lane headers stand on a page."""
        sheet = self.plan[number]
        return sheet.start - (sheet.part.high if sheet.part else 0) - self.cuts.first if number else 0

    def neck(self, number: int) -> float:
        """Where the lane headers of a page end."""
        return self.cuts.neck + self.shift(number)

    def top(self, number: int) -> float:
        return self.cuts.header + self.shift(number) - TITLE if number else 0

    def bottom(self, number: int) -> float:
        if self.paging.filled:
            return self.top(number) + self.paging.height
        last = number == len(self.plan) - 1
        return self.scene.height if last else self.plan[number].end + FOOT

    def foot(self, number: int) -> float:
        """Where the lanes of a page end that goes on."""
        return self.bottom(number) - FOOT + _AFTER_LANES

    def page(self, number: int) -> Scene:
        top, bottom = self.top(number), self.bottom(number)
        body = [shape for shape in self.bodies[number] if not _is_canvas(shape)]
        shapes = [Rect(0, top, self.scene.width, bottom - top, "canvas"), *body, *self.head(number), *self.end(number)]
        told = f"{self.count(number)}. {self.scene.desc}"
        title = f"{self.scene.title} · {self.count(number)}"
        return Scene(self.scene.width, bottom - top, title, told, tuple(shapes), top)

    def count(self, number: int) -> str:
        return self.words("page.of", n=number + 1, of=len(self.plan))

    def head(self, number: int) -> Iterator[Shape]:
        """The title, the lane headers and the band, over what is tucked in under them."""
        if not number:
            return
        sheet, top = self.plan[number], self.top(number)
        yield Rect(0, top, self.scene.width, self.neck(number) - _CORNER - top, "canvas")
        yield from self.title(self.scene.title, self.count(number), top + 36)
        if sheet.start < sheet.end:
            yield from (moved(shape, self.shift(number)) for shape in self.header)
        if sheet.part:
            yield from (moved(shape, sheet.start - sheet.part.high) for shape in sheet.part.again)

    def title(self, whole: str, count: str, y: float) -> Iterator[Shape]:
        """The title in the middle, the page at the right."""
        wide = self.scene.width
        shown = shorten(whole, 18, wide - 2 * (_MARGIN + width(count, 13) + 24), 700)
        yield Text(wide / 2, y, shown, "page.title", None if shown == whole else whole)
        yield Text(wide - _MARGIN, y, count, "page.count")

    def end(self, number: int) -> Iterator[Shape]:
        """The foot: where it goes on."""
        if number == len(self.plan) - 1:
            return
        foot, bottom = self.foot(number), self.bottom(number)
        yield Rect(0, foot, self.scene.width, bottom - foot, "canvas")
        key = "page.torn" if self.plan[number].torn_after else "page.next"
        told = [*([] if number else [self.count(number)]), self.words(key, n=number + 2)]
        yield Text(self.scene.width / 2, foot + 24, "   ·   ".join(told), "page.foot")


def _holds(torn: Span | None, reach: Span) -> bool:
    return torn is not None and torn[0] - _SLACK <= reach[0] and reach[1] <= torn[1] + _SLACK


def _is_canvas(shape: Shape) -> bool:
    return isinstance(shape, Rect) and shape.style == "canvas"
