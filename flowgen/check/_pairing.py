"""What of two topologies is the same: by host and server key, never by lines or by an id's number.

A server is known by the host that reaches it and its key there; what hangs on it (its client, the server behind a
bridge, its authorization server) by that server. Everything else is known by kind, zone and title, at last by its id.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flowgen.topology import DataFlow, Node, Topology

from ._renames import renamed

SERVERS = ("server", "bridge", "gateway")
_OWN = ("sandbox", "host", "machine")  # kinds of zones whose ids are counted: known by what stands in them
_WIRE = ("stdio", "http", "sse", "socket", "ssh")

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Ids of the older topology with those of the newer; every data flow of either, alone or with its other half."""

    nodes: dict[str, str]
    zones: dict[str, str]
    flows: tuple[tuple[DataFlow | None, DataFlow | None], ...]


class Side:
    """One topology, looked up: its nodes, its zones, the hosts' names, what stands behind a bridge."""

    def __init__(self, topology: Topology, alone: bool) -> None:
        self.topology = topology
        self.nodes = {node.id: node for node in topology.nodes}
        self.zones = {zone.id: zone for zone in topology.zones}
        self.into: dict[str, list[DataFlow]] = defaultdict(list)
        self.out: dict[str, list[DataFlow]] = defaultdict(list)
        for flow in topology.flows:
            self.into[flow.target].append(flow)
            self.out[flow.source].append(flow)
        self.called: dict[tuple[str | None, str], str] = {}  # keys that have another name on the other side
        self.hosts = {zone.id: "" if alone else zone.title for zone in topology.zones if zone.kind == "host"}

    def has(self, name: str) -> bool:
        """Whether there is such a node or zone; a wrong document may name others."""
        return name in self.nodes or name in self.zones

    def host(self, node: Node) -> str | None:
        """The name of the host that a node stands in; empty where there is one host on both sides."""
        zone, depth = node.zone, 0
        while zone is not None and zone not in self.hosts and depth < len(self.zones):
            zone, depth = self.zones[zone].parent if zone in self.zones else None, depth + 1
        return self.hosts.get(zone) if zone else None

    def behind(self, front: Node) -> Node | None:
        """The server behind a bridge."""
        targets = (self.nodes.get(flow.target) for flow in self.out[front.id]) if front.kind == "bridge" else ()
        return next((node for node in targets if node and node.kind in SERVERS), None)

    def speakers(self, node: Node) -> Iterator[Node]:
        """Clients and models from which something leads to a node."""
        sources = (self.nodes.get(flow.source) for flow in self.into[node.id])
        return (one for one in sources if one and one.kind in ("client", "model"))

    def fronts(self) -> Iterator[Node]:
        """The servers that hosts reach or files offer, without those behind bridges."""
        inner = {behind.id for node in self.topology.nodes if (behind := self.behind(node))}
        return (node for node in self.topology.nodes if node.kind in SERVERS and node.id not in inner)

    def entries(self, front: Node) -> list[Key]:
        """What a server is known by: a key for each host that reaches it."""
        hosts = [(self.host(one), one.scope) for one in self.speakers(front)] or [(None, front.scope)]
        return [(host, self.key(front, host), scope) for host, scope in dict.fromkeys(hosts)]

    def key(self, node: Node, host: str | None) -> str:
        """The key of a server, or of what hangs on it, at a host."""
        name = node.name or node.title
        return self.called.get((host, name), name)

    def keys(self) -> dict[str, list[Key]]:
        """For every node what it is known by, the best first."""
        found: dict[str, list[Key]] = {}
        for front in self.fronts():
            entries = self.entries(front)
            found[front.id] = [("front", *entry) for entry in entries]
            if behind := self.behind(front):
                found[behind.id] = [("behind", *entry) for entry in entries]
        for node in self.topology.nodes:
            if node.id not in found:
                found[node.id] = [self._key(node)]
        return found

    def _key(self, node: Node) -> Key:
        host = self.host(node)
        if node.kind in ("person", "model"):
            return node.kind, host
        if node.kind == "client":
            return "client", host, self.key(node, host), node.scope
        if node.kind == "auth":
            asking = [self.nodes[flow.source] for flow in self.into[node.id] if flow.source in self.nodes]
            names = [(self.host(one), self.key(one, self.host(one))) for one in asking[:1]]
            return "auth", *names
        return node.kind, node.zone, node.title


def paired(old: Topology, new: Topology) -> tuple[Side, Side, Pairs]:
    """Both topologies, looked up, and what of them is the same."""
    alone = all(sum(zone.kind == "host" for zone in each.zones) <= 1 for each in (old, new))
    before, after = (Side(_unmarked(each), alone) for each in (old, new))
    before.called = renamed(before, after)
    nodes = _nodes(before, after)
    zones = _zones(before, after, nodes)
    return before, after, Pairs(nodes, zones, tuple(_flows(before, after, {**zones, **nodes})))


def _unmarked(topology: Topology) -> Topology:
    """Without the marks of an earlier comparison."""
    clean = {"change": None, "was": None}
    parts = {
        "nodes": [each.model_copy(update=clean) if each.change else each for each in topology.nodes],
        "flows": [each.model_copy(update=clean) if each.change else each for each in topology.flows],
        "zones": [each.model_copy(update={"change": None}) if each.change else each for each in topology.zones],
    }
    return topology.model_copy(update=parts)


def _nodes(before: Side, after: Side) -> dict[str, str]:
    found: dict[str, str] = {}
    taken: set[str] = set()
    waiting: dict[Key, list[str]] = defaultdict(list)
    for name, keys in after.keys().items():
        for key in keys:
            waiting[key].append(name)
    for name, keys in before.keys().items():
        free = (each for key in keys for each in waiting[key] if each not in taken)
        if (match := next(free, None)) is not None:
            found[name] = match
            taken.add(match)
    left = after.nodes.keys() - taken
    for node in before.topology.nodes:  # a description may call a thing otherwise and keep its id
        if node.id not in found and node.id in left and after.nodes[node.id].kind == node.kind:
            found[node.id] = node.id
    return found


def _zones(before: Side, after: Side, nodes: Mapping[str, str]) -> dict[str, str]:
    """Zones of somebody else by their ids, those of our own by what stands in them, else by their names."""
    found = {zone.id: zone.id for zone in before.topology.zones if _is_same(zone.id, before, after)}
    taken = set(found)
    for name, other in nodes.items():
        one, two = before.nodes[name].zone, after.nodes[other].zone
        if one not in before.zones or two not in after.zones or one in found or two in taken:
            continue
        if before.zones[one].kind == after.zones[two].kind and before.zones[one].kind in _OWN:
            found[one] = two
            taken.add(two)
    for zone in before.topology.zones:
        alike = (each.id for each in after.topology.zones if (each.kind, each.title) == (zone.kind, zone.title))
        if zone.id not in found and (match := next((each for each in alike if each not in taken), None)):
            found[zone.id] = match
            taken.add(match)
    return found


def _is_same(name: str, before: Side, after: Side) -> bool:
    one, two = before.zones[name], after.zones.get(name)
    return two is not None and two.kind == one.kind and one.kind not in ("sandbox", "host")


def _flows(
    before: Side, after: Side, ends: Mapping[str, str]
) -> Iterator[tuple[DataFlow | None, DataFlow | None]]:
    """Data flows between the same ends, which may be zones."""
    waiting: dict[Key, list[DataFlow]] = defaultdict(list)
    for flow in before.topology.flows:
        both = [ends.get(end, None if before.has(end) else end) for end in (flow.source, flow.target)]
        waiting[(id(flow),) if None in both else (*both, _group(flow))].append(flow)
    for flow in after.topology.flows:
        known = waiting[flow.source, flow.target, _group(flow)]
        yield (known.pop(0) if known else None), flow
    yield from ((flow, None) for rest in waiting.values() for flow in rest)


def _group(flow: DataFlow) -> str:
    return "wire" if flow.kind in _WIRE else flow.kind
