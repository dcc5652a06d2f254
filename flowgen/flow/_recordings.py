"""Several recordings, each read by itself, and what the picture of all of them needs to know of each."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from flowgen.trace import Identities, Ids, Participant, Trace, one_outcome, one_title

from ._again import told_once
from ._choose import WORDS, NothingFits
from ._lanes import standing
from ._model import Entry, Facts, Flow, Group, Row, Run, Step
from ._read import read
from ._renumbered import Places

Over = tuple[str, str]  # the first and the last lane that a remark spans


@dataclass(frozen=True, slots=True)
class Recording:
    """One of several: its flow read by itself, what it is called, and the ids that all share.

    `seqs` and `exchanges` are what those numbers grow by, to be unlike those of the recordings before it.
    """

    flow: Flow
    trace: Trace
    name: str
    ids: Ids
    seqs: int
    exchanges: int

    def places(
        self,
        number: Callable[[int], int],
        step: Callable[[int], int | None],
        seq: Callable[[int], int] | None = None,
    ) -> Places:
        """Where its rows stand in the whole picture, `seq` growing unless it is told otherwise."""
        return Places(self.ids, seq or (lambda own: own + self.seqs), number, step, self.exchanges)


def recordings(
    traces: Sequence[Trace], ids: Sequence[Ids], names: Sequence[str], counting: bool, reading: dict[str, Any]
) -> list[Recording]:
    """Each recording read by itself. `counting`: steps count on where those of the last one ended.

    Raises what `read` raises; NothingFits only where nothing fits in any of them.
    """
    found: list[Recording] = []
    nothing: list[NothingFits] = []
    step, seqs, exchanges = reading.get("start_step", 1), 0, 0
    for trace, own, name in zip(traces, ids, names, strict=True):
        flow = _read(trace, nothing, reading | {"start_step": step})
        first, last, exchange = _span(trace)
        shift = seqs + 1 - first if found else 0
        found.append(Recording(flow, trace, name, own, shift, exchanges))
        step += flow.facts.steps if counting else 0
        seqs, exchanges = last + shift, exchanges + exchange
    if len(nothing) == len(traces):
        raise nothing[0]
    return found


def cast(found: Sequence[Recording], who: Identities, rows: Iterable[Row]) -> tuple[Participant, ...]:
    """The lanes for what is shown: whoever has one in a recording and speaks in the rows."""
    known = {each.id: each for each in who.participants}
    own = [each.model_copy(update={"id": one.ids.get(each.id, each.id)}) for one in found for each in one.flow.lanes]
    everybody = known | {each.id: each for each in own if each.id not in known}
    return standing(list(everybody.values()), {each.id for each in own} & set(_speaking(rows)))


def whole(found: Sequence[Recording], lanes: tuple[Participant, ...], steps: Iterable[Step], count: int) -> Flow:
    """The flow of all of them, with so many numbered steps."""
    traces = [each.trace for each in found]
    sides = {each.ids.get(id_, id_): side for each in found for id_, side in each.flow.sides.items()}
    facts = _sum([each.flow.facts for each in found], count)
    outcome = one_outcome(traces, [each.name for each in found], [each.ids for each in found])
    return Flow(one_title(traces) or None, lanes, tuple(told_once(steps)), facts, outcome, sides)


def _sum(each: Sequence[Facts], steps: int) -> Facts:
    return Facts(
        transports=tuple(dict.fromkeys(name for facts in each for name in facts.transports)),
        revisions=tuple(dict.fromkeys(name for facts in each for name in facts.revisions)),
        messages=sum(facts.messages for facts in each),
        unanswered=sum(facts.unanswered for facts in each),
        cancelled=sum(facts.cancelled for facts in each),
        steps=steps,
    )


def _read(trace: Trace, nothing: list[NothingFits], reading: dict[str, Any]) -> Flow:
    """Its flow; one that has nothing of what is asked for still counts its messages and steps."""
    try:
        return read(trace, **reading)
    except NothingFits as problem:
        nothing.append(problem)
        return read(trace, **reading | {"only": (), "hide": tuple(WORDS), "show": ()})


def _span(trace: Trace) -> tuple[int, int, int]:
    """The least and the greatest `seq`, and the greatest number of an HTTP exchange."""
    seqs = [message.seq for message in trace.messages] or [1]
    exchanges = [message.exchange for message in trace.messages if message.exchange is not None]
    return min(seqs), max(seqs), max(exchanges, default=0)


def _speaking(rows: Iterable[Row]) -> Iterator[str]:
    """Who sends or receives in the rows."""
    for row in rows:
        match row:
            case Entry(message=message):
                yield from (message.sender, message.receiver)
            case Run(entries=entries):
                yield from _speaking(entries)
            case Group(branches=branches):
                yield from _speaking(inner for branch in branches for inner in branch.rows)
