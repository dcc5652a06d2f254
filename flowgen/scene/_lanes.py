"""The two lanes behind the rows: tinted columns, headers, lifelines, and the bars of requests that wait."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from flowgen.flow import Entry
from flowgen.trace import Participant

from ._clean import clean_line
from ._duo_columns import LANE, Columns, Side
from ._duo_rows import Row, break_mark
from ._look import Look
from ._parts import cross, icon
from ._shapes import Line, Path, Rect, Shape, Text
from ._text import shorten, width

HEADER_TOP = 126
HEADER = 60
_NAME = LANE - 66 - 10  # px for the name of a lane, right of its icon
_FADING = 24  # the dashed end of a bar whose answer never came
_SKIPPED = 40  # how much of a lifeline a folded run takes
_SHORTEST_LINK = 40
_BAR = 10
_BAR_STEP = 8
_MOST_BESIDE = 2  # bars that fit beside the first one


@dataclass(frozen=True, slots=True)
class Placed:
    """A row at its place."""

    row: Row
    y: float

    @property
    def mark(self) -> float:
        """The y of its arrow or mark."""
        return self.y + (self.row.mark or 0)


def lane(who: Participant, side: Side, bottom: float, look: Look) -> Iterable[Shape]:
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


def lifeline(role: str, side: Side, bottom: float, placed: Sequence[Placed], columns: Columns) -> Iterable[Shape]:
    """The line of a participant: dashed over folded runs, ended where its process ended."""
    x, y = columns.life(side), float(HEADER_TOP + HEADER)
    end = process_end(placed) if side == "server" else None
    last = bottom if end is None else end
    for each in placed:
        if each.row.kind == "pairs" and each.y < last:
            yield Line(x, y, x, each.y, f"lane.{role}.life")
            yield Line(x, each.y, x, each.y + _SKIPPED, f"lane.{role}.life.skipped")
            y = each.y + _SKIPPED
    yield Line(x, y, x, last, f"lane.{role}.life")


def process_end(placed: Sequence[Placed]) -> float | None:
    """Where the server's process ended for good, if the picture shows it."""
    ends = [each.mark for each in placed if each.row.kind == "exit"]
    return ends[-1] if ends else None


def waiting_bars(roles: dict[Side, str], placed: Sequence[Placed], bottom: float, look: Look) -> Iterable[Shape]:
    """A bar on the receiver's lifeline for every request that is unanswered, open or cancelled."""
    marks = {entry.message.seq: each.mark for each in placed for entry in each.row.entries}
    taken: dict[Side, list[float]] = {"client": [], "server": []}
    for each in placed:
        for entry in each.row.entries[:1]:
            if entry.state not in ("unanswered", "open", "cancelled"):
                continue
            side = look.side(entry.message.receiver)
            end = _bar_end(entry, side, marks, placed, bottom)
            slot = _slot(taken[side], each.mark, end)
            x = look.columns.life(side) - _BAR / 2 + _BAR_STEP * slot
            yield from _bar(x, each.mark, end, entry, roles[side])


def _bar_end(
    entry: Entry, side: Side, marks: dict[int, float], placed: Sequence[Placed], bottom: float
) -> float:
    if entry.state == "cancelled" and entry.ended_by in marks:
        return marks[entry.ended_by]
    end = process_end(placed) if side == "server" else None
    start = marks.get(entry.message.seq, 0.0)
    return end if end is not None and end > start else bottom


def _slot(taken: list[float], start: float, end: float) -> int:
    """The first place beside the lifeline that is free from `start` on."""
    for slot, until in enumerate(taken):
        if until <= start:
            taken[slot] = end
            return slot
    if len(taken) <= _MOST_BESIDE:
        taken.append(end)
    return len(taken) - 1


def _bar(x: float, start: float, end: float, entry: Entry, role: str) -> Iterator[Shape]:
    """Closed with a × where cancelled, open below where still open, fading where no answer came."""
    high = round(end - start, 2)
    style = f"lane.{role}.wait"
    if entry.state == "cancelled":
        yield Rect(x, start, _BAR, high, style, 3)
        return
    solid = high if entry.state == "open" else max(0.0, round(high - _FADING, 2))
    yield Path(x, start, f"M0 {solid:g} L0 0 L{_BAR} 0 L{_BAR} {solid:g}", style)
    if solid < high:
        yield Line(x, start + solid, x, end, f"{style}.fading")
        yield Line(x + _BAR, start + solid, x + _BAR, end, f"{style}.fading")


def retries(placed: Sequence[Placed], look: Look) -> Iterable[Shape]:
    """A dotted link from the answer that asked for more to the request that was sent again, left of the lifeline."""
    marks = {entry.message.seq: each.mark for each in placed for entry in each.row.entries}
    entries = {entry.message.seq: entry for each in placed for entry in each.row.entries}
    for seq, entry in entries.items():
        first = entries.get(entry.retry_of) if entry.retry_of is not None else None
        start = marks.get(first.answer if first and first.answer is not None else entry.retry_of or 0)
        if start is None or marks[seq] - start < _SHORTEST_LINK or look.side(entry.message.sender) != "client":
            continue
        x, high = look.columns.life("client") - 7, round(marks[seq] - 8 - start - 12, 2)
        yield Path(x, start + 12, f"M0 0 L-7 0 L-7 {high:g} L-2 {high:g}", "retry")
        yield Path(x, marks[seq] - 8, "M-4 -4 L0 0 L-4 4", "retry.tip")


def overlays(placed: Sequence[Placed], look: Look) -> Iterable[Shape]:
    """What lies above all lines: breaks at pauses, the × of cancelled requests."""
    marks = {entry.message.seq: each.mark for each in placed for entry in each.row.entries}
    for each in placed:
        if each.row.kind == "pause":
            yield from break_mark(look.columns.life("client"), each.y + 9)
            yield from break_mark(look.columns.life("server"), each.y + 9)
        for entry in each.row.entries[:1]:
            if entry.state == "cancelled" and entry.ended_by in marks:
                yield cross(look.columns.life(look.side(entry.message.receiver)), marks[entry.ended_by], "cancel")
