"""The narrow lanes of the ledger: who gets one, who shares the last one, what stands in its header."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from flowgen.flow import Entry, Flow
from flowgen.trace import Participant

from ._clean import clean_line
from ._words import Words

MOST = 6  # lanes that can be told apart beside each other
SHARED = "…"  # the id of the lane that the others share


class Lane(NamedTuple):
    """One lane. `role` chooses its colours, `icon` its picture; `second` is the real thing seen.

    `short` is its name where there is little room.
    """

    id: str
    role: str
    icon: str
    name: str
    second: str
    short: str = ""


def lanes_of(flow: Flow, words: Words) -> tuple[tuple[Lane, ...], Mapping[str, str]]:
    """The lanes from left to right, and the names of those who share the last one, by id."""
    kept, folded = _parted(flow)
    alike = Counter(who.role for who in flow.lanes)
    lanes = tuple(_lane(who, words, alike[who.role] > 1) for who in kept)
    if not folded:
        return lanes, {}
    names = {who.id: _real(who) for who in folded}
    shared = Lane(SHARED, "browser", "others", words("lane.others", n=len(folded)), ", ".join(names.values()))
    return (*lanes, shared), names


def all_lanes(flow: Flow, words: Words) -> tuple[Lane, ...]:
    """A lane for everybody, however many they are."""
    alike = Counter(who.role for who in flow.lanes)
    return tuple(_lane(who, words, alike[who.role] > 1) for who in flow.lanes)


def _parted(flow: Flow) -> tuple[Sequence[Participant], Sequence[Participant]]:
    """Who has a lane, and who is folded: those with the fewest messages, where there are too many."""
    if len(flow.lanes) <= MOST:
        return flow.lanes, ()
    said = Counter(name for entry in _entries(flow) for name in (entry.message.sender, entry.message.receiver))
    busiest = sorted(flow.lanes, key=lambda who: -said[who.id])[: MOST - 1]
    kept = [who for who in flow.lanes if who in busiest]
    return kept, [who for who in flow.lanes if who not in busiest]


def _entries(flow: Flow) -> Iterable[Entry]:
    for step in flow.steps:
        for row in step.open_rows:
            yield from (row,) if isinstance(row, Entry) else row.entries


def _lane(who: Participant, words: Words, alike: bool) -> Lane:
    """Two servers have the same name over them: their ids tell them apart."""
    own = f"{who.id}: {who.title}" if alike and who.title else who.id if alike else who.title or ""
    beside = words.second(f"lane.{who.role}")
    second = " ".join(filter(None, [beside, clean_line(own, 200)]))
    name, short = words(f"lane.{who.role}"), words.short(f"lane.{who.role}")
    return Lane(who.id, who.role, who.role, name, second, short)


def _real(who: Participant) -> str:
    return clean_line(who.title or who.id, 60)
