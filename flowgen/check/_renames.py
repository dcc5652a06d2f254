"""Servers that only got another key: what starts or reaches them, in full, is as before, and nothing else is it."""

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from flowgen.topology import Facts, Node, Topology

if TYPE_CHECKING:
    from ._pairing import Side

Place = tuple[str | None, str]  # a host and a server's key there


def renamed(before: "Side", after: "Side") -> dict[Place, str]:
    """Keys of the older topology that have another name in the newer one."""
    olds, news = _entries(before), _entries(after)
    gone, come = olds.keys() - news.keys(), news.keys() - olds.keys()
    if not gone or not come:
        return {}
    told: dict[object, tuple[list[Place], list[Place]]] = defaultdict(lambda: ([], []))
    for at, (side, entries, places) in enumerate(((before, olds, gone), (after, news, come))):
        facts = facts_of(side.topology)
        for place in places:
            told[place[0], _said(entries[place], side, facts)][at].append(place)
    pairs = (both for both in told.values() if len(both[0]) == len(both[1]) == 1)
    return {old: new[1] for (old,), (new,) in pairs}


def _entries(side: "Side") -> dict[Place, Node]:
    found = {}
    for front in side.fronts():
        for host in {side.host(one) for one in side.speakers(front)} or {None}:
            found[host, front.name or front.title] = front
    return found


def _said(front: Node, side: "Side", facts: dict[str, Facts]) -> object:
    """What an entry says of its server; of a description what is shown."""
    behind = side.behind(front)
    shown = (front.kind, front.transport, front.auth, tuple(front.lines), tuple(behind.lines) if behind else ())
    known = facts.get(front.id)
    return shown, known.prints if known else id(front) if not front.lines else None


def facts_of(topology: Topology) -> dict[str, Facts]:
    """Of a config what its file says of each server; nothing of a document."""
    servers = topology.reading.servers if topology.reading else ()
    counts = Counter(drawn.front for drawn in servers)
    return {drawn.front: drawn.facts for drawn in servers if counts[drawn.front] == 1}
