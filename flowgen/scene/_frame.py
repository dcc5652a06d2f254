"""What stands around the rows of both lane pictures: heading, subtitle, times, pauses, and what is said of it all."""

from collections.abc import Callable, Iterator, Sequence

from flowgen.flow import Entry, Flow, Run, Step
from flowgen.trace import Outcome, Participant, ServerEnd

from ._bars import Bar
from ._clean import clean_line
from ._headline import kind_of
from ._look import Look, clock
from ._rows import Placed
from ._shapes import Group, Rect, Shape, Text, flat
from ._text import shorten

MARGIN = 40
_TIMES = MARGIN + 50  # where the times end
_LONGEST = 12  # columns of a time that has the room left of the lanes
_REVISIONS = 3  # that a subtitle names
_ARROW_KINDS = frozenset(["request", "response", "error", "notification", "noise", "http"])


def frame(heading: str, flow: Flow, how: Look, wide: float) -> Iterator[Shape]:
    """Heading and subtitle, centred on the canvas."""
    shown = shorten(heading, 27, wide - 2 * MARGIN, 700)
    yield Text(wide / 2, 70, shown, "title", None if shown == heading else heading)
    told = "   ·   ".join(_subtitle(flow, how))
    brief = shorten(told, 13.5, wide - 2 * MARGIN)
    yield Text(wide / 2, 98, brief, "subtitle", None if brief == told else told)


def _subtitle(flow: Flow, how: Look) -> Iterator[str]:
    """What kind of session this was: facts of the trace only."""
    facts = flow.facts
    yield "JSON-RPC 2.0"
    if facts.transports:
        yield " / ".join(how.words(f"transport.{name}") for name in facts.transports)
    if facts.revisions:
        named = [clean_line(revision, 24) for revision in facts.revisions[:_REVISIONS]]
        named += ["…"] if len(facts.revisions) > _REVISIONS else []
        yield how.words("subtitle.protocol", revision=", ".join(named))
    yield how.words("subtitle.messages", n=facts.messages, shown=_shown(flow))
    counts = [("subtitle.unanswered", facts.unanswered), ("subtitle.cancelled", facts.cancelled)]
    odd = [how.words(key, n=count) for key, count in counts if count]
    if odd:
        yield ", ".join(odd)


def _shown(flow: Flow) -> str | None:
    """How many of the messages the picture shows, folded ones too; None where it is all of them."""
    rows = (row for step in flow.steps for row in step.open_rows)
    count = sum(entry.number is not None for row in rows for entry in entries_of(row))
    return str(count) if count != flow.facts.messages else None


def description(flow: Flow, who: Sequence[Participant], how: Look) -> str:
    """What the picture shows, for who cannot see it."""
    steps = sum(1 for step in flow.steps if step.number is not None)
    names = [how.words(f"lane.{each.role}") for each in who]
    left = ", ".join(names[:-1])
    count, shown = flow.facts.messages, _shown(flow)
    text = how.words("desc", steps=steps, messages=count, shown=shown, left=left, right=names[-1])
    titles = [f"{step.number}. {how.say(step.title)}" for step in flow.steps if step.number and step.title]
    return clean_line(f"{text} {'; '.join(titles)}".strip(), 2000)


def step_group(step: Step, shapes: Sequence[Shape], how: Look) -> Group:
    """The shapes of a step, with an anchor and a label."""
    if step.number is None:
        return Group(tuple(shapes))
    title = how.say(step.title) if step.title else ""
    label = clean_line(how.words("step", n=step.number, title=title), 200)
    return Group(tuple(shapes), anchor=f"step-{step.number}", label=label)


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
