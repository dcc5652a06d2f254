"""What stands around the rows of both lane pictures: times, pauses, how the session ended, what a legend explains."""

from collections.abc import Callable, Iterator, Sequence

from flowgen.flow import Entry, Flow, Run
from flowgen.trace import Outcome, ServerEnd

from ._bars import Bar
from ._bodies import shows_change
from ._clean import clean_line
from ._groups import edges
from ._headline import kind_of
from ._look import Look, clock
from ._rows import Placed
from ._series import is_series
from ._shapes import Rect, Shape, Text, flat
from ._text import MONO

MARGIN = 40
_TIMES = MARGIN + 50  # where the times end
_LONGEST = 12  # columns of a time that has the room left of the lanes
_COLUMN = 11 * MONO
_AWAY = 4  # px from a frame's line to a time inside of it
_ARROW_KINDS = frozenset(["request", "response", "error", "notification", "noise", "http"])
_HTTP_KINDS = ("res", "req", "err")  # a legend has one sample for all of them
_DRAWN = {"opens": "group", "pairs": "run", "pause": "pause"}  # kinds of rows that a legend explains


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
            yield Text(_TIMES, each.mark + 4, _clock(times, _columns(each.level)), "time")


def _columns(level: int) -> int:
    """How many columns a time may take; inside of frames those right of the innermost one's line."""
    return int((_TIMES - edges(0, level - 1)[0] - _AWAY) / _COLUMN) if level else _LONGEST


def _clock(times: Sequence[float], most: int) -> str:
    """A time, or the range of several, in `most` columns if it can be."""
    first, last = times[0], times[-1]
    ranges = [(f"{first:.{digits}f}", f"{last:.{digits}f}") for digits in (1, 2, 3, 0)]
    told = [f"{start}–{end}" for start, end in ranges if start != end] if len(times) > 1 else []
    more = "…" if len(times) > 1 and first != last else ""
    told += [clock(first) + more, f"{first:.0f}{more}", f"{first:.0e}{more}"]
    return next((text for text in told if len(text) <= most), told[-1])


def kinds_of(placed: Sequence[Placed], bars: Sequence[Bar], how: Look) -> set[str]:
    """What a legend has to explain: the colour roles of the arrows that occur, `http.` with the first one of those
    without JSON-RPC, `user`, `stream`, `wait`, and what else is drawn: `group`, `change`, `series`, `run`, `pause`,
    `retry`.
    """
    rows = [each.row for each in placed]
    messages = [row.entries[0].message for row in rows if row.kind == "message"]
    kinds = {str(kind_of(message)) for message in messages if message.kind in _ARROW_KINDS}
    thin = {str(kind_of(message)) for message in messages if message.kind == "http"}
    kinds |= {f"http.{kind}" for kind in [kind for kind in _HTTP_KINDS if kind in thin][:1]}
    kinds |= {"user" for message in messages if message.kind == "note"}
    kinds |= {"stream" for message in messages if message.transport == "sse" and message.exchange is not None}
    kinds |= {_DRAWN[row.kind] for row in rows if row.kind in _DRAWN}
    kinds |= {"series" for row in rows if row.kind == "message" and is_series(row.entries)}
    kinds |= {"change" for row in rows if row.kind == "message" and shows_change(row.entries[0], how)}
    kinds |= {"breach" for row in rows for entry in row.entries if entry.message.seq in how.breaches}
    kinds |= {"wait" for _ in bars} | {"retry" for _ in how.waits.links}
    return kinds


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
