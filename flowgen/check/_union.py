"""Two topologies as one: the newer one, and in their places the nodes, zones and data flows that only the older has.

Every part says what became of it (`change`), and what stood there before (`was`), so that a picture only draws it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from flowgen.topology import ChangeKind, DataFlow, Node, Topology, Zone

from ._pairing import SERVERS, Pairs, Side

_NUMBERED = re.compile(r"Client \d+")


def united(before: Side, after: Side, pairs: Pairs, marked: Set[str]) -> Topology:
    """The one topology; `marked` are nodes of the newer one that changed in what they do not show.

    Its findings are left out, for those that came or went are changes.
    """
    return _Union(before, after, pairs, marked).topology()


class _Union:
    def __init__(self, before: Side, after: Side, pairs: Pairs, marked: Set[str]) -> None:
        self.before, self.after, self.pairs, self.marked = before, after, pairs, marked
        self.back = {new: old for old, new in pairs.nodes.items()}
        self.zone_of = _renamed(before.zones, after.zones, pairs.zones)
        self.node_of = _renamed(before.nodes, after.nodes, pairs.nodes)

    def topology(self) -> Topology:
        nodes = _renumbered(self._nodes())
        known = {node.id for node in nodes}
        zones = self._zones({node.zone for node in nodes})
        ends = known | {zone.id for zone in zones}
        flows = [flow for flow in self._flows() if {flow.source, flow.target} <= ends]
        old, new = self.before.topology, self.after.topology
        title = old.title if old.title == new.title else f"{old.title or '…'} → {new.title or '…'}"
        return Topology(title=title, revision=new.revision, sources=new.sources, zones=zones, nodes=nodes, flows=flows)

    # Nodes

    def _nodes(self) -> list[Node]:
        gone = {self.node_of[node.id]: self._gone(node) for node in self.before.topology.nodes if self._is_gone(node)}
        fresh = {node.id: self._node(node) for node in self.after.topology.nodes}
        order = _merged([self.node_of[node.id] for node in self.before.topology.nodes if self._is_kept(node, gone)],
                        list(fresh))  # fmt: skip
        return [gone[name] if name in gone else fresh[name] for name in order]

    def _is_kept(self, node: Node, gone: Mapping[str, Node]) -> bool:
        return node.id in self.pairs.nodes or self.node_of[node.id] in gone

    def _is_gone(self, node: Node) -> bool:
        """What stood behind a bridge that is none any more is told where the bridge stood."""
        sources = [flow.source for flow in self.before.into[node.id]]
        fronts = [name for name in sources if self.before.nodes.get(name) and self.before.nodes[name].kind == "bridge"]
        replaced = node.kind in SERVERS and any(name in self.pairs.nodes for name in fronts)
        return node.id not in self.pairs.nodes and not replaced

    def _gone(self, node: Node) -> Node:
        zone = self.zone_of.get(node.zone or "", node.zone)
        return node.model_copy(update={"id": self.node_of[node.id], "zone": zone, "change": "removed"})

    def _node(self, node: Node) -> Node:
        if node.id not in self.back:
            return node.model_copy(update={"change": "added"})
        old = self.before.nodes[self.back[node.id]]
        if node.kind in ("client", "model"):
            return node
        known = _facts(old, self.zone_of.get(old.zone or "", old.zone))
        same = known == _facts(node, node.zone) and node.id not in self.marked
        told: dict[str, Any] = {} if same else {"change": "changed"}
        was = {"was": old.lines} if old.lines != node.lines and told else {}
        return node.model_copy(update={**told, **was})

    # Zones and data flows

    def _zones(self, used: set[str | None]) -> list[Zone]:
        known = set(self.pairs.zones.values())
        fresh = {zone.id: zone if zone.id in known else zone.model_copy(update={"change": "added"})
                 for zone in self.after.topology.zones}  # fmt: skip
        gone = {}
        for zone in self.before.topology.zones:
            name = self.zone_of[zone.id]
            if zone.id not in self.pairs.zones:
                parent = self.zone_of.get(zone.parent or "", zone.parent)
                gone[name] = zone.model_copy(update={"id": name, "parent": parent, "change": "removed"})
        order = _merged([self.zone_of[zone.id] for zone in self.before.topology.zones], list(fresh))
        needed = used | {zone.parent for zone in (*fresh.values(), *gone.values())} | fresh.keys()
        return [gone[name] if name in gone else fresh[name] for name in order if name in needed]

    def _flows(self) -> list[DataFlow]:
        found = []
        for old, new in self.pairs.flows:
            if new is None and old is not None:
                if self._is_asked(old):
                    continue
                ends = {"source": self._end(old.source), "target": self._end(old.target)}
                found.append(old.model_copy(update={**ends, "change": "removed"}))
            elif new is not None:
                found.append(_flow(old, new))
        return found

    def _is_asked(self, flow: DataFlow) -> bool:
        """Whether it leads to an authorization server that is still asked, by another node of its server."""
        return flow.kind == "oauth" and flow.target in self.pairs.nodes

    def _end(self, name: str) -> str:
        return self.node_of.get(name) or self.zone_of.get(name) or name


def _facts(node: Node, zone: str | None) -> tuple[Any, ...]:
    """What of a node makes a difference; a bridge's title is its program's name."""
    return node.kind, node.title, node.lines, node.transport, node.auth, node.disabled, zone


def _flow(old: DataFlow | None, new: DataFlow) -> DataFlow:
    if old is None:
        return new.model_copy(update={"change": "added"})
    if (old.kind, old.label, old.tls) == (new.kind, new.label, new.tls):
        return new
    change: ChangeKind = "changed"
    return new.model_copy(update={"change": change, "was": old.label})


def _renamed(old: Iterable[str], new: Iterable[str], paired: Mapping[str, str]) -> dict[str, str]:
    """Ids of the older one as they are in both: what is gone keeps its own, unless the newer one has it."""
    taken, found = set(new), dict(paired)
    for name in old:
        if name not in found:
            free = name
            while free in taken:
                free += "#was"
            taken.add(free)
            found[name] = free
    return found


def _merged(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """The newer order, and what only the older one has behind what stood before it there."""
    found, known = list(new), set(new)
    before: str | None = None
    for name in old:
        if name not in known:
            found.insert(found.index(before) + 1 if before is not None else 0, name)
            known.add(name)
        before = name
    return found


def _renumbered(nodes: Sequence[Node]) -> list[Node]:
    """Clients are counted host by host, those that are gone too."""
    counts: dict[str | None, int] = {}
    found = []
    for node in nodes:
        if node.kind == "client" and _NUMBERED.fullmatch(node.title):
            counts[node.zone] = counts.get(node.zone, 0) + 1
            node = node.model_copy(update={"title": f"Client {counts[node.zone]}"})
        found.append(node)
    return found
