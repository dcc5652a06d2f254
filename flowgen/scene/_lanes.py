"""The two lanes behind the rows: tinted columns, headers, lifelines, links from an answer to a retry."""

from collections.abc import Iterable, Sequence

from flowgen.trace import Participant

from ._bars import process_ends
from ._clean import clean_line
from ._duo_columns import LANE, Side
from ._icons import icon
from ._look import DuoLook
from ._rows import Placed, break_mark, marks_of
from ._shapes import Line, Path, Rect, Shape, Text
from ._text import shorten, width

HEADER_TOP = 126
HEADER = 60
_NAME = LANE - 66 - 10  # px for the name of a lane, right of its icon
_SKIPPED = 40  # how much of a lifeline a folded run takes
_SHORTEST_LINK = 40


def lane(who: Participant, side: Side, bottom: float, look: DuoLook) -> Iterable[Shape]:
    """The tinted column of a participant with its header."""
    x = look.columns.lane(side)
    name = look.words(f"lane.{who.role}")
    second = " ".join(filter(None, [look.words.second(f"lane.{who.role}"), clean_line(who.title or "", 200)]))
    yield Rect(x, HEADER_TOP, LANE, bottom - HEADER_TOP, f"lane.{who.role}", 12)
    yield Rect(x, HEADER_TOP, LANE, HEADER, f"lane.{who.role}.header", 12)
    yield from icon(who.role, x + 22, HEADER_TOP + 17)
    style = "lane.name" if width(name, 17, 700) <= _NAME else "lane.name.long"
    yield Text(x + 66, HEADER_TOP + (28 if second else 36), name, style)
    if not second:
        return
    shown = shorten(second, 13, _NAME, where="middle")
    yield Text(x + 66, HEADER_TOP + 47, shown, "lane.second", None if shown == second else second)


def lifeline(role: str, side: Side, bottom: float, placed: Sequence[Placed], look: DuoLook) -> Iterable[Shape]:
    """The line of a participant: dashed over folded runs, ended where its process ended."""
    x, y = look.columns.life(side), float(HEADER_TOP + HEADER)
    last = max([end for who, end in process_ends(placed).items() if look.side(who) == side], default=bottom)
    for each in placed:
        if each.row.kind == "pairs" and each.y < last:
            yield Line(x, y, x, each.y, f"lane.{role}.life")
            yield Line(x, each.y, x, each.y + _SKIPPED, f"lane.{role}.life.skipped")
            y = each.y + _SKIPPED
    yield Line(x, y, x, last, f"lane.{role}.life")


def retries(placed: Sequence[Placed], look: DuoLook) -> Iterable[Shape]:
    """A dotted link from the answer that asked for more to the request that was sent again, left of the lifeline."""
    marks = marks_of(placed)
    entries = {entry.message.seq: entry for each in placed for entry in each.row.entries}
    for seq, entry in entries.items():
        first = entries.get(entry.retry_of) if entry.retry_of is not None else None
        start = marks.get(first.answer if first and first.answer is not None else entry.retry_of or 0)
        if start is None or marks[seq] - start < _SHORTEST_LINK or look.side(entry.message.sender) != "client":
            continue
        x, high = look.columns.life("client") - 7, round(marks[seq] - 8 - start - 12, 2)
        yield Path(x, start + 12, f"M0 0 L-7 0 L-7 {high:g} L-2 {high:g}", "retry")
        yield Path(x, marks[seq] - 8, "M-4 -4 L0 0 L-4 4", "retry.tip")


def breaks(placed: Sequence[Placed], look: DuoLook) -> Iterable[Shape]:
    """A slanted gap in every lifeline at every pause."""
    for each in placed:
        if each.row.kind == "pause":
            yield from break_mark(look.columns.life("client"), each.y + 9)
            yield from break_mark(look.columns.life("server"), each.y + 9)
