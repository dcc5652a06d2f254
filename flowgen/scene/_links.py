"""Links from an answer that asked for more to the request sent again, with a mark where nothing else stands."""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from flowgen.flow import Entry

from ._rows import Placed, marks_of

Stretch = tuple[float, float]  # from y to y

_ABOVE_ARROW, _BELOW_ARROW = 24, 18  # what an arrow takes, with the word over it and the name under it
_HEAD = 26  # what the head of a frame takes


class Link(NamedTuple):
    """One link. `place` is its place beside others, `start` and `end` the y of answer and retry.

    `before` is the y of the retry before, where the same answer leads to several: from there on they are one line.
    `mark` is the y of its mark, as near to the middle of its own part as there is room; None where there is none.
    """

    entry: Entry
    place: int
    start: float
    end: float
    before: float | None
    mark: float | None


def links_of(
    placed: Sequence[Placed], places: Mapping[int, int], taken: Callable[[Placed], Stretch | None], half: float
) -> Iterator[Link]:
    """The links to requests sent again. `taken` tells what a row leaves no room for; a mark is `half` px high twice."""
    marks = marks_of(placed)
    entries = {entry.message.seq: entry for each in placed for entry in each.row.entries}
    blocks = [stretch for each in placed if (stretch := taken(each)) is not None] if places else []
    reached: dict[float, float] = {}
    for seq, place in places.items():
        entry = entries.get(seq)
        first = entries.get(entry.retry_of or 0) if entry else None
        if entry is None or first is None:  # one of them stands in a stretch that is folded
            continue
        asked = marks[first.message.seq]
        start, end = asked if first.answer is None else marks.get(first.answer, asked), marks[seq]
        top = reached.get(start, start)
        mark = _free((top + 12 + end) / 2, (top + 20 + half, end - 16 - half), blocks, half)
        if mark is not None:
            insort(blocks, (mark - half, mark + half))
        yield Link(entry, place, start, end, reached.get(start), mark)
        reached[start] = end


class Clear(NamedTuple):
    """A text over lanes that no link goes through, in order from top to bottom."""

    top: float
    bottom: float
    left: float
    right: float


def gaps_of(x: float, within: Stretch, texts: Sequence[Clear]) -> Iterator[Stretch]:
    """Where a line down at x makes room for texts."""
    first = bisect_left(texts, within[0], key=lambda text: text.top)
    for text in islice(texts, first, None):
        if text.bottom > within[1]:
            return
        if text.left <= x <= text.right:
            yield text.top, text.bottom


def what_reaches_into_lanes(each: Placed) -> Stretch | None:
    """Only what reaches into a lane: the upper end of a frame, the line between its branches, a pause."""
    if each.row.kind == "pause":
        return each.y, each.y + each.row.height
    return (each.y - 2, each.y + _HEAD) if each.row.kind in ("opens", "parts") else None


def all_but_boxes(each: Placed) -> Stretch | None:
    """What stands over lanes that have no boxes in them: arrows, heads of frames, bands, notes over lanes."""
    row = each.row
    if row.kind in ("opens", "parts", "closes"):
        return what_reaches_into_lanes(each)
    if row.mark is None or row.kind == "pairs":
        return each.y, each.y + row.height
    return each.mark - _ABOVE_ARROW, each.mark + _BELOW_ARROW


def _free(middle: float, within: Stretch, blocks: Sequence[Stretch], half: float) -> float | None:
    """The y nearest to the middle that has `half` px of room above and below."""
    gaps = [_above(middle, within, blocks, half), _below(middle, within, blocks, half)]
    return min((y for y in gaps if y is not None), key=lambda y: abs(y - middle), default=None)


def _above(y: float, within: Stretch, blocks: Sequence[Stretch], half: float) -> float | None:
    at = bisect_left(blocks, (y + half,)) - 1  # the last one that begins above the lower edge
    while y >= within[0]:
        if at < 0 or blocks[at][1] <= y - half:
            return y if y <= within[1] else None
        y, at = min(y, blocks[at][0] - half), at - 1
    return None


def _below(y: float, within: Stretch, blocks: Sequence[Stretch], half: float) -> float | None:
    at = max(0, bisect_left(blocks, (y - half,)) - 1)
    while y <= within[1]:
        if at >= len(blocks) or blocks[at][0] >= y + half:
            return y if y >= within[0] else None
        y, at = max(y, blocks[at][1] + half), at + 1
    return None
