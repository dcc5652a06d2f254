"""The bars of requests that wait for their answer: on the receiver's lifeline, beside each other where they meet."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from flowgen.flow import Entry

from ._links import Stretch
from ._parts import cross
from ._rows import Placed, break_mark, marks_of
from ._shapes import Line, Path, Rect, Shape, px
from ._waits import OUT, Waits

_WIDE = 10
_STREAM, _STREAM_AWAY = 3, 11  # width of a stream's bar, and how far left of the lifeline it begins
_HALF = 9  # of a break mark's width
_OVER = ("answered", "closed", "cancelled")
_FADING = 24  # the dashed end of a bar whose answer never came
_CLEAR = 8  # from the end of a bar to the line below its branch
_BELOW_LINE = 2  # from the line above a branch to a bar that goes on there


LaneOf = Callable[[str], tuple[float, str, int]]  # a participant's lifeline, its role, which way is out (1: right)


class Bar(NamedTuple):
    """One request's wait, from its arrow to what ended it. `x` is the bar's middle.

    `anew`: it goes on in a further branch, having begun before the frame.
    """

    x: float
    start: float
    end: float
    state: str
    role: str
    anew: bool = False

    def shapes(self) -> Iterator[Shape]:
        """Closed where answered, closed or cancelled, open below where still open, fading where no answer came."""
        high = round(self.end - self.start, 2)
        left, style = self.x - _WIDE / 2, f"lane.{self.role}.wait"
        if self.anew:
            yield Path(left, self.start, f"M0 0 L0 {px(high)} L{_WIDE} {px(high)} L{_WIDE} 0", style)
            return
        if self.state in _OVER:
            yield Rect(left, self.start, _WIDE, high, style, 3)
            return
        solid = high if self.state == "open" else max(0.0, round(high - _FADING, 2))
        yield Path(left, self.start, f"M0 {px(solid)} L0 0 L{_WIDE} 0 L{_WIDE} {px(solid)}", style)
        if solid < high:
            for x in (left, left + _WIDE):
                yield Line(x, self.start + solid, x, self.end, f"{style}.fading")


def bars_of(placed: Sequence[Placed], bottom: float, waits: Waits, lane_of: LaneOf) -> list[Bar]:
    """The bars of all requests that have one, each at its place."""
    marks, died, branches = _Marks(marks_of(placed)), _process_ends(placed), _branches(placed, bottom)
    rows = list(zip(placed, branches, strict=True))
    tops = {entry.message.seq: top for each, (top, _) in rows for entry in each.row.entries}
    bars: list[Bar] = []
    for each, (_, limit) in rows:
        for entry in each.row.entries[:1] if each.row.kind == "message" else ():
            place = waits.places.get(entry.message.seq)
            if place is None or entry.state is None:
                continue
            life, role, way = lane_of(entry.message.receiver)
            answers = waits.ends.get(entry.message.seq, ())
            ends = (y for y in died.get(entry.message.receiver, ()) if y > each.mark)
            end = _end(entry, answers[0] if answers else entry.answer, marks, min(next(ends, limit), limit), limit)
            x = life + way * OUT * place
            if end is not None and end > each.mark:
                bars.append(Bar(x, each.mark, end, str(entry.state), role))
            bars += [Bar(x, tops[seq], marks[seq], "answered", role, anew=True) for seq in answers[1:]]
    return sorted(bars, key=lambda bar: bar.start)


def _branches(placed: Sequence[Placed], bottom: float) -> list[Stretch]:
    """Where the branch of each row begins, and how far down a bar may reach: each is a recording of its own."""
    tops, ends, begun = [0.0] * len(placed), [bottom] * len(placed), list[tuple[int, bool]]()
    for number, each in enumerate(placed):
        if each.row.kind in ("parts", "closes"):
            first, further = begun.pop()
            if further or each.row.kind == "parts":
                until = each.y - each.row.lift - _CLEAR
                ends[first:number] = [min(end, until) for end in ends[first:number]]
            if further:
                tops[first:number] = [placed[first].y + _BELOW_LINE] * (number - first)
        if each.row.kind in ("opens", "parts"):
            begun.append((number, each.row.kind == "parts"))
    return list(zip(tops, ends, strict=True))


def stream_bars(placed: Sequence[Placed], bottom: float, lane_of: LaneOf) -> Iterator[Shape]:
    """A thin bar beside the server's lifeline for every stream of events, from its request to its end."""
    marks = _Marks(marks_of(placed))
    first: dict[int, tuple[float, float, Entry]] = {}
    last: dict[int, int] = {}
    for each, (_, limit) in zip(placed, _branches(placed, bottom), strict=True):
        for entry in each.row.entries if each.row.kind == "message" else ():
            exchange = entry.message.exchange
            if exchange is None:
                continue
            first.setdefault(exchange, (each.mark, limit, entry))
            if entry.message.transport == "sse":
                last[exchange] = entry.message.seq
    for exchange, event in last.items():
        start, limit, entry = first[exchange]
        life, role, _ = lane_of(_server_of(entry))
        end = min(_stream_end(entry, event, marks, limit), limit)
        if end > start:
            yield Rect(life - _STREAM_AWAY, start, _STREAM, end - start, f"lane.{role}.stream", 1.5)


def _stream_end(entry: Entry, event: int, marks: "_Marks", limit: float) -> float:
    """Where a stream ends whose last event is drawn: there, or where it was closed if it stayed open for longer."""
    if entry.stream_end is None:
        return limit if entry.state == "open" else marks[event]
    if entry.answer == event and marks.before(entry.stream_end) == event:
        return marks[event]  # the answer was the end of it, whatever comes next
    closed = marks.at_or_after(entry.stream_end)
    return limit if closed is None else closed


def _server_of(entry: Entry) -> str:
    """Who answers a stream's request: its receiver, or the sender where only events are drawn."""
    message = entry.message
    return message.receiver if message.kind in ("request", "http") else message.sender


def bar_shapes(bars: Iterable[Bar]) -> Iterator[Shape]:
    """All bars, to be drawn under arrows."""
    for bar in bars:
        yield from bar.shapes()


def cancel_marks(bars: Iterable[Bar], bottom: float) -> Iterator[Shape]:
    """The × at the end of each cancelled request, above all lines."""
    for bar in bars:
        if bar.state == "cancelled" and bar.end < bottom:
            yield cross(bar.x, bar.end, "cancel")


def break_marks(
    placed: Sequence[Placed], bars: Sequence[Bar], lives: Sequence[tuple[float, int]]
) -> Iterator[Shape]:
    """At every pause a slanted gap in every lifeline and the bars at it; `lives` are (x, which way is out)."""
    left_to_come, open_bars = list(reversed(bars)), list[Bar]()
    for each in placed:
        if each.row.kind != "pause":
            continue
        while left_to_come and left_to_come[-1].start <= each.y:
            open_bars.append(left_to_come.pop())
        open_bars = [bar for bar in open_bars if bar.end > each.y]
        for x, out in lives:
            furthest = max([abs(bar.x - x) for bar in open_bars if abs(bar.x - x) <= 2 * OUT], default=0)
            sides = (_HALF + furthest, _HALF) if out < 0 else (_HALF, _HALF + furthest)
            yield from break_mark(x, each.y + 9, *sides)


def process_ends(placed: Sequence[Placed]) -> dict[str, float]:
    """Participant -> where its process ended for good, if the picture shows it."""
    return {who: ends[-1] for who, ends in _process_ends(placed).items()}


def _process_ends(placed: Sequence[Placed]) -> dict[str, list[float]]:
    """Participant -> where its process ended, in each branch of a frame anew."""
    found: dict[str, list[float]] = {}
    for each in placed:
        if each.row.ends is not None:
            found.setdefault(each.row.ends, []).append(each.mark)
    return found


class _Marks(dict[int, float]):
    """`seq` of a message -> the y of its arrow."""

    def __init__(self, marks: Mapping[int, float]) -> None:
        super().__init__(marks)
        self.order = sorted(marks)

    def before(self, seq: int) -> int:
        """The `seq` of the last message that is drawn before this one."""
        return self.order[bisect_left(self.order, seq) - 1]

    def at_or_after(self, seq: int) -> float | None:
        """The y of a message, or where it would stand: at the next one that is drawn."""
        following = bisect_left(self.order, seq)
        return self[self.order[following]] if following < len(self.order) else None


def _end(entry: Entry, answer: int | None, marks: _Marks, given_up: float, limit: float) -> float | None:
    """Where a bar ends, at `limit` at the latest; None where its answer is not drawn.

    `given_up` is where it ends if nothing came: where its process or its branch ends.
    """
    if entry.state == "answered":
        return marks.get(answer) if answer is not None else None
    if entry.state in ("cancelled", "closed") and entry.ended_by is not None:
        ended = marks.at_or_after(entry.ended_by)
        return limit if ended is None else min(ended, limit)
    return given_up
