"""The bars of requests that wait for their answer: on the receiver's lifeline, beside each other where they meet."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from flowgen.flow import Entry

from ._parts import cross
from ._rows import Placed, marks_of
from ._shapes import Line, Path, Rect, Shape

_WIDE = 10
_STEP = 8  # a second open request of the same receiver stands so far right of the first
_MOST_BESIDE = 2  # bars that fit beside the first one
_STREAM, _STREAM_AWAY = 3, 11  # width of a stream's bar, and how far left of the lifeline it begins
_FADING = 24  # the dashed end of a bar whose answer never came


@dataclass(frozen=True, slots=True)
class Bar:
    """One request's wait, from its arrow to what ended it. `x` is the bar's middle."""

    x: float
    start: float
    end: float
    state: str
    role: str

    def shapes(self) -> Iterator[Shape]:
        """Closed where answered or cancelled, open below where still open, fading where no answer came."""
        high = round(self.end - self.start, 2)
        left, style = self.x - _WIDE / 2, f"lane.{self.role}.wait"
        if self.state in ("answered", "cancelled"):
            yield Rect(left, self.start, _WIDE, high, style, 3)
            return
        solid = high if self.state == "open" else max(0.0, round(high - _FADING, 2))
        yield Path(left, self.start, f"M0 {solid:g} L0 0 L{_WIDE} 0 L{_WIDE} {solid:g}", style)
        if solid < high:
            for x in (left, left + _WIDE):
                yield Line(x, self.start + solid, x, self.end, f"{style}.fading")


def bars_of(
    placed: Sequence[Placed],
    bottom: float,
    states: Sequence[str],
    lane_of: Callable[[str], tuple[float, str]],
) -> list[Bar]:
    """The bars of all requests in one of `states`. `lane_of` gives the lifeline and the role of a participant."""
    marks, ends = _Marks(marks_of(placed)), process_ends(placed)
    taken: dict[float, list[float]] = {}
    bars: list[Bar] = []
    for each in placed:
        for entry in each.row.entries[:1] if each.row.kind == "message" else ():
            if entry.state not in states:
                continue
            life, role = lane_of(entry.message.receiver)
            end = _end(entry, marks, ends.get(entry.message.receiver), bottom)
            if end is not None and end > each.mark:
                slot = _slot(taken.setdefault(life, []), each.mark, end)
                bars.append(Bar(life + _STEP * slot, each.mark, end, str(entry.state), role))
    return bars


def stream_bars(
    placed: Sequence[Placed], bottom: float, lane_of: Callable[[str], tuple[float, str]]
) -> Iterator[Shape]:
    """A thin bar beside the server's lifeline for every stream of events, from its request to its last event."""
    first: dict[int, tuple[float, Entry]] = {}
    last: dict[int, float] = {}
    for each in placed:
        for entry in each.row.entries if each.row.kind == "message" else ():
            exchange = entry.message.exchange
            if exchange is None:
                continue
            first.setdefault(exchange, (each.mark, entry))
            if entry.message.transport == "sse":
                last[exchange] = each.mark
    for exchange, end in last.items():
        start, entry = first[exchange]
        life, role = lane_of(_server_of(entry))
        end = bottom if entry.state == "open" else end
        if end > start:
            yield Rect(life - _STREAM_AWAY, start, _STREAM, end - start, f"lane.{role}.stream", 1.5)


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


def process_ends(placed: Sequence[Placed]) -> dict[str, float]:
    """Participant -> where its process ended for good, if the picture shows it."""
    return {each.row.ends: each.mark for each in placed if each.row.ends is not None}


class _Marks(dict[int, float]):
    """`seq` of a message -> the y of its arrow."""

    def at_or_after(self, seq: int) -> float | None:
        """The y of a message, or where it would stand: at the next one that is drawn."""
        following = seq if seq in self else min((other for other in self if other > seq), default=None)
        return self[following] if following is not None else None


def _end(entry: Entry, marks: _Marks, process_end: float | None, bottom: float) -> float | None:
    """Where a bar ends; None where its answer is not drawn."""
    start = marks[entry.message.seq]
    if entry.state == "answered":
        return marks.get(entry.answer) if entry.answer is not None else None
    if entry.state == "cancelled" and entry.ended_by is not None:
        given_up = marks.at_or_after(entry.ended_by)
        return given_up if given_up is not None else bottom
    return process_end if process_end is not None and process_end > start else bottom


def _slot(taken: list[float], start: float, end: float) -> int:
    """The first place beside the lifeline that is free from `start` on."""
    for slot, until in enumerate(taken):
        if until <= start:
            taken[slot] = end
            return slot
    if len(taken) <= _MOST_BESIDE:
        taken.append(end)
    return len(taken) - 1
