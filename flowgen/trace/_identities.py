"""Which participants of several recordings are the same one. Ids cannot tell: every recording has a `client`.

The same role and the same title are the same participant, and who gave no name is known by how it was started. A
client speaks with one server (MCP Architecture), so another server has another client. Two participants of one
recording are never the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ._model import Participant, Trace

Ids = Mapping[str, str]  # a recording's own ids -> ids among all recordings

_STARTED = frozenset({"client", "server", "gateway"})  # known by the command or the address, if not by name


class Identities(NamedTuple):
    """For each recording its ids -> ids among all of them, and everybody who is known under these."""

    ids: tuple[Ids, ...]
    participants: tuple[Participant, ...]


@dataclass(slots=True)
class _Identity:
    id: str
    role: str
    titles: dict[str, None]
    source: object
    peers: set[str] = field(default_factory=set)

    @property
    def participant(self) -> Participant:
        return Participant.model_validate({"id": self.id, "role": self.role, "title": " / ".join(self.titles) or None})


def distinct_ids(traces: Sequence[Trace]) -> tuple[Ids, ...]:
    """Ids under which nobody of one recording is taken for somebody of another; the first keep their own."""
    taken: set[str] = set()
    return tuple({own: _free(own, taken) for own in _everybody(trace)} for trace in traces)


def identities(traces: Sequence[Trace], loosely: bool = False) -> Identities:
    """Who is who. `loosely`: the same role is enough, as in two recordings of the same session."""
    known: list[_Identity] = []
    taken: set[str] = set()
    found = []
    for trace in traces:
        ids: dict[str, str] = {}
        talks = _talks(trace)
        for who in sorted(trace.participants, key=lambda who: who.role == "client"):
            peers = {ids[other] for other in talks.get(who.id, ()) if other in ids}
            others = [one for one in known if one.id not in ids.values()]
            one = _same(others, who, trace, peers, loosely)
            if one is None:
                one = _Identity(_free(who.id, taken), who.role, {}, _source(trace))
                known.append(one)
            one.titles |= {who.title: None} if who.title else {}
            one.peers |= peers
            ids[who.id] = one.id
        found.append({own: ids[own] if own in ids else _free(own, taken) for own in _everybody(trace)})
    return Identities(tuple(found), tuple(one.participant for one in known))


def _same(
    known: list[_Identity], who: Participant, trace: Trace, peers: set[str], loosely: bool
) -> _Identity | None:
    """The one that a participant is; by its name before all else."""
    alike = [one for one in known if one.role == who.role]
    named = [one for one in alike if _alike(one, who, trace)]
    if who.role == "client":
        named = [one for one in named if not peers or not one.peers or peers & one.peers]
    return next(iter(named or (alike if loosely else ())), None)


def _alike(one: _Identity, who: Participant, trace: Trace) -> bool:
    if one.titles and who.title:
        return who.title in one.titles
    return who.role not in _STARTED or one.source == _source(trace)


def _source(trace: Trace) -> object:
    """How the server was started or reached; nothing else is like a recording that does not say it."""
    return trace.command or trace.url or object()


def _talks(trace: Trace) -> dict[str, set[str]]:
    """With whom everybody speaks."""
    talks: dict[str, set[str]] = {}
    for message in trace.messages:
        talks.setdefault(message.sender, set()).add(message.receiver)
        talks.setdefault(message.receiver, set()).add(message.sender)
    return talks


def _everybody(trace: Trace) -> Iterator[str]:
    """The ids of a recording once each, those of strangers too."""
    seen = dict.fromkeys(who.id for who in trace.participants)
    for message in trace.messages:
        seen |= {message.sender: None, message.receiver: None}
    yield from seen


def _free(id_: str, taken: set[str]) -> str:
    """The id, with a number behind it where somebody has it already."""
    name, number = id_, 1
    while name in taken:
        number += 1
        name = f"{id_}-{number}"
    taken.add(name)
    return name
