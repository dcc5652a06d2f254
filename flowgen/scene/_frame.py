"""What stands around the rows of both lane pictures: times, pauses, how the session ended, what a legend explains."""

from collections.abc import Callable, Iterator, Sequence

from flowgen.flow import Entry, Flow, Run
from flowgen.trace import Outcome, ServerEnd

from ._bars import Bar
from ._clean import clean_line
from ._headline import kind_of
from ._look import Look, clock
from ._rows import Placed
from ._shapes import Rect, Shape, Text, flat

MARGIN = 40
_TIMES = MARGIN + 50  # where the times end
_LONGEST = 12  # columns of a time that has the room left of the lanes
_ARROW_KINDS = frozenset(["request", "response", "error", "notification", "noise", "http"])


def entries_of(row: Entry | Run) -> tuple[Entry, ...]:
    """The messages of a row."""
    return (row,) if isinstance(row, Entry) else row.entries


def pauses(how: Look) -> Callable[[Entry | Run], list[float]]:
    """Asked for each row in turn: the seconds that nothing happened before it, if they are worth a break.

    Where messages are left out something happened, and no break is drawn.
    """
    last: list[float] = []
    counted: list[int] = []

    def before(row: Entry | Run) -> list[float]:
        times = [entry.message.at for entry in entries_of(row) if entry.message.at is not None]
        numbers = [entry.number for entry in entries_of(row) if entry.number is not None]
        whole = not (numbers and counted) or numbers[0] == counted[-1] + 1
        gap = times[0] - last[0] if times and last and whole else 0.0
        last[:], counted[:] = times[-1:] or last, numbers[-1:] or counted
        return [gap] if how.options.times != "none" and gap >= how.options.gap else []

    return before


def times_column(placed: Sequence[Placed], how: Look, headers_end: float) -> Iterator[Shape]:
    """The column of times at the left; folded rows have a range."""
    if how.options.times != "clock":
        return
    yield Text(_TIMES, headers_end - 8, how.words("time"), "time")
    for each in placed:
        times = [entry.message.at for entry in each.row.entries if entry.message.at is not None]
        if times and each.row.mark is not None:
            yield Text(_TIMES, each.mark + 4, _clock(times), "time")


def _clock(times: Sequence[float]) -> str:
    first, last = times[0], times[-1]
    if len(times) == 1 or first == last:
        return clock(first)
    ranges = [(f"{first:.{digits}f}", f"{last:.{digits}f}") for digits in (1, 2, 3, 0)]
    fitting = [f"{start}–{end}" for start, end in ranges if start != end and len(start) + len(end) < _LONGEST]
    return fitting[0] if fitting else f"{clock(first)}…"


def kinds_of(placed: Sequence[Placed], bars: Sequence[Bar]) -> set[str]:
    """What a legend has to explain: the colour roles of the arrows that occur, `http`, `user`, `stream`, `wait`."""
    messages = [each.row.entries[0].message for each in placed if each.row.kind == "message"]
    kinds = {str(kind_of(message)) for message in messages if message.kind in _ARROW_KINDS}
    kinds |= {"http" for message in messages if message.kind == "http"}
    kinds |= {"user" for message in messages if message.kind == "note"}
    kinds |= {"stream" for message in messages if message.transport == "sse" and message.exchange is not None}
    return kinds | ({"wait"} if bars else set())


def outcome_text(flow: Flow, how: Look) -> str | None:
    """How the session ended, if it did not run to its end; nothing where the whole of it is not shown."""
    outcome = flow.outcome
    rows = [row for step in flow.steps for row in step.open_rows]
    shown = [entry.number for row in rows for entry in entries_of(row) if entry.number is not None]
    if outcome.complete or max(shown, default=0) < flow.facts.messages:
        return None
    each = [f"{clean_line(one.name, 40)}: {_ending(one, how)}" for one in outcome.servers] or [_ending(outcome, how)]
    return clean_line(" · ".join(each), 300)


def _ending(end: Outcome | ServerEnd, how: Look) -> str:
    ended = end.signal or ("" if end.exit_code is None else str(end.exit_code))
    return how.words(f"outcome.{end.reason}", ended=clean_line(ended, 24))


def marked(groups: Sequence[Shape]) -> bool:
    """Whether a key field is underlaid anywhere."""
    return any(isinstance(shape, Rect) and shape.style == "mark" for shape in flat(tuple(groups)))
