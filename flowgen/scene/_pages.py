"""Cuts a picture into pages, between rows; no text is ever cut in half.

A page shows a stretch of the whole picture, so its rows are the very shapes of it.
"""

from bisect import bisect_left
from collections.abc import Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from flowgen.errors import UsageError

from ._book import FOOT, TITLE, Book
from ._extent import Span, span
from ._shapes import Code, Cuts, Group, Image, Rect, Scene, Shape, Text, flat, groups
from ._sheets import Room, sheets
from ._slides import SLIDE_FOOT, Deck, slide_head
from ._words import Lang, words

_LEAST = 120  # px of rows that a page has to have room for
_LINE = 30  # px of a torn row that stand on a page at least
_NEAR = 400  # px within which a line of text or an image ends


class Paging(NamedTuple):
    """How to cut: pages at most `height` px high; `filled` ones all have that height, others that of their rows.

    `slides` are filled, begin with one for the title, and then with every step.
    """

    height: float
    filled: bool = False
    slides: bool = False


def pages(scene: Scene, paging: Paging, lang: Lang = "en") -> list[Scene]:
    """The pages of a picture, first to last; one where it has room on it, unless slides were asked for.

    Raises UsageError for pages that leave no room for rows.
    """
    cuts = scene.cuts
    if cuts is None or (scene.height <= paging.height and not paging.slides):
        return [_single(scene, paging)]
    room = _room(scene, cuts, paging)
    _roomy(scene, cuts, room)
    plan = sheets(cuts, room, _Gaps(scene).below)
    book = (Deck if paging.slides else Book)(scene, cuts, room, plan, words(lang), paging.filled)
    return book.pages()


def alone(page: Scene) -> Scene:
    """A page for a file of its own: without links that lead to other pages."""
    anchors = {group.anchor for group in groups(page.shapes)}
    return replace(page, shapes=tuple(_linked(shape, anchors) for shape in page.shapes))


def _linked(shape: Shape, anchors: Set[str | None]) -> Shape:
    if not isinstance(shape, Group):
        return shape
    link = shape.link if shape.link in anchors else None
    return shape._replace(link=link, shapes=tuple(_linked(each, anchors) for each in shape.shapes))


def _single(scene: Scene, paging: Paging) -> Scene:
    """A picture of one page."""
    if not paging.filled or scene.height >= paging.height:
        return scene
    canvas = Rect(0, 0, scene.width, paging.height, "canvas")
    return replace(scene, height=paging.height, shapes=(canvas, *scene.shapes))


def _room(scene: Scene, cuts: Cuts, paging: Paging) -> Room:
    """What stands around the rows."""
    if paging.slides:
        head = slide_head(cuts)
        return Room(paging.height, head, head, SLIDE_FOOT, SLIDE_FOOT, True)
    return Room(paging.height, cuts.first, TITLE + cuts.first - cuts.header, FOOT, scene.height - cuts.bottom)


def _roomy(scene: Scene, cuts: Cuts, room: Room) -> None:
    heads = [room.first, *(room.above(part) for part in cuts.parts)]
    least = max(heads) + max(room.foot + _LEAST, room.tail)
    if room.height < least:
        raise UsageError(
            f"pages of {scene.width:.0f} × {room.height:.0f} px have no room for messages under their heads",
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
        return y if y > least + _LINE else limit

    def near(self, y: float) -> Sequence[Span]:
        if not self.texts:
            told = (shape for shape in flat(self.scene.shapes) if isinstance(shape, Text | Code | Image))
            self.texts = sorted(map(span, told))
        return self.texts[bisect_left(self.texts, (y - _NEAR, 0)) : bisect_left(self.texts, (y, 0))]
