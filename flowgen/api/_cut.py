"""A doc-sized part of a recording, which says that it is one: numbers and titles stay those of the whole."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from flowgen.errors import UsageError

from ._kinds import fitting, recorded

if TYPE_CHECKING:
    from flowgen.flow import Flow
    from flowgen.trace import Message, Trace


class _Place(NamedTuple):
    """Where messages stand: position of each numbered one, position and title of each step's first one."""

    numbers: dict[int, int]
    steps: dict[int, tuple[int, str]]


def cut(trace: "Trace", *, steps: str | None = None, messages: str | None = None) -> "Trace":
    """The messages of some steps (`2-3`), of some numbers (`5-9`), or of both, with all that stands between them.

    A picture of it has the numbers and the titles that it has in the whole. Raises UsageError for a step or a message
    that there is not, and where nothing is asked for.

    >>> part = flowgen.cut(flowgen.load("trace.json"), messages="4-5")
    >>> part.excerpt.first, part.excerpt.last, part.outcome.reason
    (4, 5, 'cut')
    """
    fitting(steps=steps, messages=messages)
    recorded(trace)
    if steps is None and messages is None:
        raise UsageError("nothing says which part", "give --steps 2-3 or --messages 5-9")
    places = _places(trace)
    span = range(len(trace.messages))
    if steps is not None:
        span = _both(span, _of_steps(steps, places.steps, len(trace.messages)))
    if messages is not None:
        span = _both(span, _of_messages(messages, places.numbers))
    inside = [number for number, at in places.numbers.items() if at in span]
    if not inside:
        asked = " ".join([*([f"--steps {steps}"] if steps else []), *([f"--messages {messages}"] if messages else [])])
        raise UsageError(f"{asked}: no message is in both", "leave one of them out")
    part = _part(trace, span, inside, places)
    return part if _titles(part) == _wanted(places, span) else _marked(part, places, span)


def _places(trace: "Trace") -> _Place:
    from flowgen.flow import Entry

    positions = {message.seq: at for at, message in enumerate(trace.messages)}
    numbers: dict[int, int] = {}
    firsts: dict[int, tuple[int, str]] = {}
    for step in _whole(trace).steps:
        entries = [row for row in step.open_rows if isinstance(row, Entry)]
        numbers |= {entry.number: positions[entry.message.seq] for entry in entries if entry.number is not None}
        if step.number is not None and step.title is not None and entries:
            firsts[step.number] = positions[entries[0].message.seq], step.title.en
    return _Place(numbers, firsts)


def _whole(trace: "Trace") -> "Flow":
    """The flow with every message in it."""
    from flowgen.flow import WORDS, read

    return read(trace, notes="none", full=True, show=tuple(WORDS))


def _of_steps(asked: str, steps: dict[int, tuple[int, str]], end: int) -> range:
    """The positions of steps; the first step begins with the recording."""
    first, last = _range(asked, "--steps", list(steps), "steps")
    start = 0 if first == min(steps) else steps[first][0]
    return range(start, steps[last + 1][0] if last + 1 in steps else end)


def _of_messages(asked: str, numbers: dict[int, int]) -> range:
    first, last = _range(asked, "--messages", list(numbers), "messages")
    return range(numbers[first], numbers[last] + 1)


def _range(asked: str, option: str, known: Sequence[int], what: str) -> tuple[int, int]:
    """First and last of a range such as 2-3, 2, 2- or -3."""
    start, dash, end = asked.strip().partition("-")
    if not known:
        raise UsageError(f"{option} {asked}: the recording has no {what}", "choose by the other option")
    first = int(start) if start.isdecimal() and start.isascii() else min(known) if dash and not start else None
    last = int(end) if end.isdecimal() and end.isascii() else max(known) if dash and not end else None
    last = first if not dash else last
    if first is None or last is None or first > last:
        raise UsageError(f"{option} {asked}: expected one range", f"an excerpt is one piece, such as {option} 2-3")
    for number in (first, last):
        if number not in known:
            raise UsageError(f"{option} {asked}: there is no {number}", f"{what} run from {min(known)} to {max(known)}")
    return first, last


def _both(one: range, other: range) -> range:
    return range(max(one.start, other.start), min(one.stop, other.stop))


def _part(trace: "Trace", span: range, inside: Sequence[int], places: _Place) -> "Trace":
    from flowgen.trace import Excerpt, Outcome

    whole = trace.excerpt
    of = whole.of if whole else max(places.numbers)
    begun = [number for number, (at, _) in places.steps.items() if at <= span.start]
    excerpt = Excerpt(
        first=min(inside), last=max(inside), of=of, first_step=max(begun, default=min(places.steps, default=1)),
        outcome=whole.outcome if whole else trace.outcome,
    )  # fmt: skip
    first, *others = trace.messages[span.start : span.stop]
    messages = [first.model_copy(update={"left_out": min(inside) - 1}), *others]
    outcome = Outcome(complete=False, reason="cut")
    return trace.model_copy(update={"excerpt": excerpt, "messages": messages, "outcome": outcome})


def _titles(trace: "Trace") -> list[tuple[int, str]]:
    return [(number, title) for number, (_, title) in _places(trace).steps.items()]


def _wanted(places: _Place, span: range) -> list[tuple[int, str]]:
    """The steps of the whole that have a message in the part."""
    starts = sorted((at, number, title) for number, (at, title) in places.steps.items())
    ends = [*(at for at, _, _ in starts[1:]), span.stop]
    return [(number, title) for (at, number, title), end in zip(starts, ends, strict=True)
            if at < span.stop and end > span.start]  # fmt: skip


def _marked(part: "Trace", places: _Place, span: range) -> "Trace":
    """The part with marks where the steps of the whole begin: by itself it would be cut into others."""
    from flowgen.trace import StepMark

    marks = {max(places.steps[number][0], span.start) - span.start: title for number, title in _wanted(places, span)}
    messages: list[Message] = [
        message.model_copy(update={"step": StepMark(title=marks[at]) if at in marks else None})
        for at, message in enumerate(part.messages)
    ]
    return part.model_copy(update={"messages": messages})
