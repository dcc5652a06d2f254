"""A picture as slides: one for the title, with the steps and the legend, and then at least one for every step.

A step's band stands with the lane headers, so that as much as possible is left for the messages.
"""

from collections.abc import Iterator, Sequence

from ._book import CORNER, MARGIN, SLACK, Book
from ._extent import Span, moved, span
from ._shapes import Circle, Cuts, Group, Part, Rect, Scene, Shape, Text
from ._text import shorten, width

SLIDE_FOOT = 32  # from the end of the rows, which is that of the lanes, to the lower edge of a slide
_EDGE = 16  # from the upper edge to what stands first
_AFTER_HEAD = 18  # from the headers to the first row
_TITLE_DOWN = 24  # how much lower the heading stands than on the picture
_LINE = 34  # from one step to the next in their list
_INDENT = 24  # of the list
_DISC = 12
_DOT = "   ·   "


def slide_head(cuts: Cuts) -> float:
    """What stands above the rows of a slide."""
    return _EDGE + max(0, -cuts.beside) + cuts.neck - cuts.header + _AFTER_HEAD


class Deck(Book):
    """All slides of a picture."""

    def pages(self) -> list[Scene]:
        """The slide of the title, then the others."""
        return [self.opening(), *(self.page(number) for number in range(len(self.plan)))]

    def is_left_out(self, shape: Shape, reach: Span, number: int) -> bool:
        """Canvas, heading and legend; and a band that opens a slide, for it stands in its head."""
        following = self.plan[number + 1].start if number + 1 < len(self.plan) else self.cuts.bottom
        before = reach[1] <= self.starts[0] + SLACK
        between = self.plan[number].end - SLACK <= reach[0] and reach[1] <= following + SLACK < self.cuts.bottom
        return before or between or reach[0] >= self.cuts.bottom or super().is_left_out(shape, reach, number)

    def is_whole(self, reach: Span) -> bool:
        """Lanes begin above the first slide's rows."""
        return reach[0] >= self.starts[0] - SLACK

    def is_natural(self, number: int) -> bool:
        """No slide has the head of the picture."""
        return False

    def shift(self, number: int) -> float:
        """How far down lane headers stand on a slide."""
        return self.plan[number].start - _AFTER_HEAD - self.cuts.neck

    def top(self, number: int) -> float:
        """The upper edge of a slide."""
        return self.plan[number].start - slide_head(self.cuts)

    def bottom(self, number: int) -> float:
        """The lower edge of a slide."""
        return self.top(number) + self.room.height

    def foot(self, number: int) -> float:
        """Where the lanes of a slide end."""
        return self.bottom(number) - SLIDE_FOOT

    def count(self, number: int) -> str:
        """`page 2 of 4`; the first one is that of the title."""
        return self.words("page.of", n=number + 2, of=len(self.plan) + 1)

    def head(self, number: int) -> Iterator[Shape]:
        """The lane headers and the band, over what is tucked in under them."""
        sheet, top, shift = self.plan[number], self.top(number), self.shift(number)
        yield Rect(0, top, self.scene.width, self.neck(number) - CORNER - top, "canvas")
        yield from (moved(shape, shift) for shape in self.header)
        if sheet.part:
            band = sheet.part.band if sheet.begins else sheet.part.again
            yield from (moved(shape, self.cuts.header + shift + self.cuts.beside) for shape in band)

    def end(self, number: int) -> Iterator[Shape]:
        """The foot: the title, which slide this is, where it goes on."""
        foot, wide = self.foot(number), self.scene.width
        yield Rect(0, foot, wide, self.bottom(number) - foot, "canvas")
        goes_on = number + 1 < len(self.plan) and not self.plan[number + 1].begins
        beside = _DOT + _DOT.join([self.count(number), *([self.onward(number)] if goes_on else [])])
        title = shorten(self.scene.title, 12.5, wide - 2 * MARGIN - width(beside, 12.5))
        yield Text(wide / 2, foot + 21, title + beside, "page.foot")

    def onward(self, number: int) -> str:
        """Where a slide goes on."""
        key = "page.torn" if self.plan[number].torn_after else "page.next"
        return self.words(key, n=number + 3)

    def opening(self) -> Scene:
        """The slide of the title: heading, steps, legend."""
        wide, high = self.scene.width, self.room.height
        heading = [shape for shape in self.scene.shapes if span(shape)[1] <= self.cuts.header]
        legend = [shape for shape in self.scene.shapes if span(shape)[0] >= self.cuts.bottom]
        ends = self.cuts.header + _TITLE_DOWN, high - self.scene.height + self.cuts.bottom
        shapes = [
            Rect(0, 0, wide, high, "canvas"),
            *(moved(shape, _TITLE_DOWN) for shape in heading),
            *_contents([part for part in self.cuts.parts if part.band], wide, ends),
            *(moved(shape, high - self.scene.height) for shape in legend),
        ]
        count = self.words("page.of", n=1, of=len(self.plan) + 1)
        return Scene(wide, high, f"{self.scene.title} · {count}", f"{count}. {self.scene.desc}", tuple(shapes))


def _contents(parts: Sequence[Part], wide: float, ends: Span) -> Iterator[Shape]:
    """The steps in one column or two between two y's, each leading to its slide; those without room are left out."""
    high = max(1, int((ends[1] - ends[0]) / _LINE))
    columns = 1 if len(parts) <= high else 2
    room = (wide - 2 * MARGIN) / 2 - 2 * _INDENT
    top = (ends[0] + ends[1] - min(high, len(parts)) * _LINE) / 2
    for place, part in enumerate(parts[: columns * high]):
        x = wide / 4 + _INDENT if columns == 1 else MARGIN + _INDENT + place // high * wide / 2
        y = top + (place % high + 0.5) * _LINE
        if place == 2 * high - 1 and len(parts) > 2 * high:
            yield Text(x + 2 * _DISC, y + 5.5, "…", "page.step")
        else:
            yield _entry(part, x, y, room)


def _entry(part: Part, x: float, y: float, room: float) -> Group:
    number = (part.anchor or "").removeprefix("step-")
    shown = shorten(part.name, 16, room, 700)
    shapes = (
        Circle(x, y, _DISC, "band.disc"),
        Text(x, y + 4.5, number, "band.digits.many"),
        Text(x + 2 * _DISC, y + 5.5, shown, "page.step", None if shown == part.name else part.name),
    )
    return Group(shapes, link=part.anchor)
