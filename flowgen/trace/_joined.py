"""Several recordings as one, by the time that things happened: `recorded_at` of each and `at` of its messages.

Within a recording the order stays as it was seen. Everybody keeps apart: ids of participants and numbers of HTTP
exchanges that another recording has too become others.
"""

import heapq
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ._identities import Ids, distinct_ids
from ._model import Message, Outcome, Participant, ServerEnd, Trace


class _Timed(NamedTuple):
    at: float
    recording: int
    message: Message


class Joined(NamedTuple):
    """One trace, and for each recording under which ids its participants stand there."""

    trace: Trace
    ids: tuple[Ids, ...]


def began(trace: Trace) -> float | None:
    """When a recording began, in seconds since 1970; None where it does not say."""
    try:
        time = datetime.fromisoformat(trace.recorded_at or "")
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def overlapping(traces: Sequence[Trace]) -> bool:
    """Whether recordings went on at the same time, each with another one. False where one does not say when."""
    spans = [(start, start + _length(trace)) for trace in traces if (start := began(trace)) is not None]
    if len(spans) < len(traces) or any("times" in trace.missing for trace in traces):
        return False
    spans.sort()
    end = spans[0][1]
    for start, its_end in spans[1:]:
        if start > end:
            return False
        end = max(end, its_end)
    return True


def joined(traces: Sequence[Trace], names: Sequence[str]) -> Joined:
    """The recordings as one trace; times count from the start of the earliest. Those without a start begin with it."""
    starts = [began(trace) for trace in traces]
    first = min((start for start in starts if start is not None), default=0.0)
    shifts = [0.0 if start is None else start - first for start in starts]
    ids = distinct_ids(traces)
    timed = list(heapq.merge(*map(_timed, traces, shifts, range(len(traces))), key=lambda row: row.at))
    at_first = traces[shifts.index(0.0)]
    trace = Trace(
        recorded_at=at_first.recorded_at,
        recorder=at_first.recorder,
        title=one_title(traces),
        missing=list(dict.fromkeys(what for trace in traces for what in trace.missing)),
        participants=[_as(who, own) for trace, own in zip(traces, ids, strict=True) for who in trace.participants],
        messages=list(_renumbered(timed, traces, shifts, ids)),
        outcome=one_outcome(traces, names, ids),
    )
    return Joined(trace, ids)


def one_title(traces: Sequence[Trace]) -> str | None:
    """The title that all of them have."""
    titles = {trace.title for trace in traces}
    return titles.pop() if len(titles) == 1 else None


def one_outcome(traces: Sequence[Trace], names: Sequence[str], ids: Sequence[Ids]) -> Outcome:
    """How they ended: complete only if all are, else as the first that is not; all of these are named."""
    incomplete = [trace.outcome for trace in traces if not trace.outcome.complete]
    ends = [end for trace, name, own in zip(traces, names, ids, strict=True) for end in _ends(trace, name, own)]
    return incomplete[0].model_copy(update={"servers": ends}) if incomplete else traces[0].outcome


def _ends(trace: Trace, name: str, own: Ids) -> Iterator[ServerEnd]:
    """What of a recording did not run to its end, under the recording's name."""
    outcome = trace.outcome
    if outcome.complete:
        return
    for end in outcome.servers:
        yield end.model_copy(update={"id": own.get(end.id, end.id), "name": f"{name}, {end.name}"})
    if not outcome.servers:
        server = next((who.id for who in trace.participants if who.role == "server"), "server")
        told = outcome.model_dump(include={"reason", "exit_code", "signal"})
        yield ServerEnd(id=own.get(server, server), name=name, **told)


def _length(trace: Trace) -> float:
    return max((message.at for message in trace.messages if message.at is not None), default=0.0)


def _timed(trace: Trace, shift: float, recording: int) -> Iterator[_Timed]:
    """The messages with times that never go back; one without a time is as late as the one before it."""
    now: float | None = None
    for message in trace.messages:
        at = message.at if message.at is not None else now or 0.0
        now = at if now is None else max(now, at)
        yield _Timed(now + shift, recording, message)


def _renumbered(
    timed: list[_Timed], traces: Sequence[Trace], shifts: list[float], ids: tuple[Ids, ...]
) -> Iterator[Message]:
    seqs = {(row.recording, row.message.seq): seq for seq, row in enumerate(timed, 1)}
    exchanges = list(_above(traces))
    for seq, (_, recording, message) in enumerate(timed, 1):
        own = ids[recording]
        change: dict[str, Any] = {"seq": seq, "sender": own[message.sender], "receiver": own[message.receiver]}
        if message.at is not None:
            change["at"] = round(message.at + shifts[recording], 6)
        if message.exchange is not None:
            change["exchange"] = message.exchange + exchanges[recording]
        if (about := _about(message)) is not None:
            body = message.body
            change["body"] = body | {"data": body["data"] | {"about": seqs.get((recording, about), about)}}
        yield message.model_copy(update=change)


def _above(traces: Sequence[Trace]) -> Iterator[int]:
    """For each recording what its exchanges' numbers grow by, to be above those before it."""
    above = 0
    for trace in traces:
        yield above
        above += max((message.exchange for message in trace.messages if message.exchange is not None), default=0)


def _about(message: Message) -> int | None:
    """The `seq` that a note of the recorder speaks of."""
    data = message.body.get("data") if message.kind == "note" and isinstance(message.body, dict) else None
    about = data.get("about") if isinstance(data, dict) else None
    return about if isinstance(about, int) and not isinstance(about, bool) else None


def _as(who: Participant, own: Ids) -> Participant:
    return who.model_copy(update={"id": own[who.id]})
