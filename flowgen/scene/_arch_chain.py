"""A topology document as rows: person, model, Client, local server, remote server, upstream. Nothing has a place yet.

An MCP host is a narrow graph, so one row for each Client holds all of it. What the chain has no place for is not
lost: a node gets a row of its own, a data flow is named in `undrawn`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ._arch_model import SERVERS, Chain, Host, Leaves, Line, Row, Stop

if TYPE_CHECKING:
    from flowgen.topology import DataFlow, Node, Topology, Zone

_PEOPLE = frozenset(["person", "model", "client"])  # what stands left of servers
_DEEPEST = 32  # zones inside each other; a document may hold a ring of them


def chain(topology: "Topology") -> Chain:
    """The document as rows, in its own order."""
    return _Reader(topology).read()


class _Reader:
    def __init__(self, topology: "Topology") -> None:
        self.topology = topology
        self.nodes = {node.id: node for node in topology.nodes}
        self.zones = {zone.id: zone for zone in topology.zones}
        self.out: dict[str, list[DataFlow]] = defaultdict(list)
        self.between: dict[tuple[str, str], list[DataFlow]] = defaultdict(list)
        self.into: dict[str, list[DataFlow]] = defaultdict(list)
        for flow in topology.flows:
            self.out[flow.source].append(flow)
            self.between[flow.source, flow.target].append(flow)
            self.into[flow.target].append(flow)
        self.paths: dict[str | None, list[Zone]] = {}
        self.wide = {node.zone for node, other in self._ends() if node.zone and node.zone == other.zone}
        self.drawn: set[int] = set()
        self.placed: set[str] = set()
        self.outside: list[str] = []  # nodes that stand outside of their zone

    def read(self) -> Chain:
        person = next((node for node in self.nodes.values() if node.kind == "person"), None)
        if person:
            self.placed.add(person.id)
        hosts = [self._host(zone, person) for zone in self._host_zones()]
        hosts = self._with_rest(hosts)
        undrawn = tuple(flow for flow in self.topology.flows if id(flow) not in self.drawn)
        whole = not undrawn and not self.outside and self._is_usual() and self._is_flat()
        return Chain(person, tuple(hosts), undrawn, whole)

    def _ends(self) -> "Iterator[tuple[Node, Node]]":
        """Servers with what they speak to."""
        for flow in self.topology.flows:
            node, other = self.nodes.get(flow.source), self.nodes.get(flow.target)
            if node and other and node.kind in SERVERS and other.kind not in _PEOPLE:
                yield node, other

    # Zones

    def path(self, zone: str | None) -> "list[Zone]":
        """A zone and those around it, the innermost first."""
        if zone not in self.paths:
            self.paths[zone] = list(self._outwards(zone))
        return self.paths[zone]

    def _outwards(self, zone: str | None) -> "Iterator[Zone]":
        for _ in range(_DEEPEST):
            if zone not in self.zones:
                return
            yield self.zones[zone]
            zone = self.zones[zone].parent

    def base(self, zone: str | None) -> "Zone | None":
        """The outermost zone around a zone; a host is a process and none."""
        return next((found for found in reversed(self.path(zone)) if found.kind != "host"), None)

    def host_of(self, node: "Node") -> "Zone | None":
        return next((zone for zone in self.path(node.zone) if zone.kind == "host"), None)

    def is_local(self, node: "Node", base: "Zone | None") -> bool:
        return base is not None and self.base(node.zone) is base

    def frame(self, node: "Node", base: "Zone | None" = None) -> "Zone | None":
        """The frame around a node of a column: its own zone, unless that is the machine itself or a host."""
        zone = self.zones.get(node.zone or "")
        return None if zone is None or zone is base or (base and zone.kind == "host") else zone

    def _is_usual(self) -> bool:
        """Whether people stand where rows have a place for them: one person, in every host one model."""
        kinds = Counter(
            (node.kind, node.zone if node.kind == "model" else "") for node in self.nodes.values()
        )
        nodes = self.nodes.values()
        homeless = any(node.kind in ("model", "client") and self.host_of(node) is None for node in nodes)
        homeless |= any(node.kind == "person" and node.zone for node in nodes)
        unique = len(self.nodes) == len(self.topology.nodes) and len(self.zones) == len(self.topology.zones)
        return (
            unique
            and not homeless
            and all(count == 1 for (kind, _), count in kinds.items() if kind in ("person", "model"))
        )

    def _is_flat(self) -> bool:
        """Whether no node stands deeper than a row can show."""
        return all(
            len(self._around(node)) <= (2 if self._in_base(node) else 1) for node in self.nodes.values()
        )

    def _around(self, node: "Node") -> "list[Zone]":
        return [zone for zone in self.path(node.zone) if zone.kind != "host" or node.kind not in _PEOPLE]

    def _in_base(self, node: "Node") -> bool:
        found = self.base(node.zone)
        return found is not None and found.kind in ("machine", "other-machine")

    # Hosts

    def _host_zones(self) -> "list[Zone | None]":
        zones: list[Zone | None] = [zone for zone in self.zones.values() if zone.kind == "host"]
        homeless = [
            node for node in self.nodes.values() if node.kind == "client" and self.host_of(node) is None
        ]
        return [*zones, *([None] if homeless or (not zones and self._has_model()) else [])]

    def _has_model(self) -> bool:
        return any(node.kind == "model" for node in self.nodes.values())

    def _host(self, zone: "Zone | None", person: "Node | None") -> Host:
        own = [node for node in self.nodes.values() if self.host_of(node) is zone]
        base = self.base(zone.id) if zone else self._usual_base(own)
        model = next((node for node in own if node.kind == "model"), None)
        stop = self._model(model, person) if model else None
        rows = [self._row(node, model, base) for node in own if node.kind == "client"]
        rows += [self._builtin(flow, base) for flow in self._built_in(model)]
        order = {name: place for place, name in enumerate(self.nodes)}
        rows.sort(key=lambda row: order[self._leader(row)])
        return Host(zone, base, stop, tuple(rows))

    def _leader(self, row: Row) -> str:
        """The node by whose place in the document a row is sorted: its server, as in the file."""
        stop = row.local or row.far or row.client
        assert stop is not None
        return stop.node.id

    def _usual_base(self, nodes: "list[Node]") -> "Zone | None":
        found = [self.base(node.zone) for node in nodes]
        machines = [zone for zone in (*found, *self.zones.values()) if zone and zone.kind == "machine"]
        return machines[0] if machines else None

    def _model(self, model: "Node", person: "Node | None") -> Stop:
        self.placed.add(model.id)
        return Stop(model, self._taken(person.id, model.id) if person else None)

    def _taken(self, source: str, target: str) -> "DataFlow | None":
        """The first data flow between two nodes that is not drawn yet; now it is."""
        flow = next((flow for flow in self.between[source, target] if id(flow) not in self.drawn), None)
        if flow is not None:
            self.drawn.add(id(flow))
        return flow

    # Rows

    def _row(self, client: "Node", model: "Node | None", base: "Zone | None") -> Row:
        self.placed.add(client.id)
        call = self._taken(model.id, client.id) if model else None
        main = next((flow for flow in self.out[client.id] if self._kind(flow.target) in SERVERS), None)
        target = self.nodes[main.target] if main else None
        if target and target.transport == "builtin":
            self.drawn.add(id(main))
            self.placed.add(target.id)
            return Row(Stop(target, call), None, self._lines(target, "client", base))
        stop = Stop(client, call)
        if main and target and self.is_local(target, base):
            local = self._local(target, main, base)
            return Row(
                stop,
                local,
                (*self._lines(target, "local", base), *self._lines(client, "client", base, False)),
            )
        return Row(stop, None, self._lines(client, "client", base))

    def _kind(self, name: str) -> str:
        return self.nodes[name].kind if name in self.nodes else ""

    def _local(self, node: "Node", flow: "DataFlow | None", base: "Zone | None") -> Stop:
        self.placed.add(node.id)
        if flow:
            self.drawn.add(id(flow))
        zone = self.zones.get(node.zone or "")
        if zone and zone.kind == "host":
            self.outside.append(node.id)
        return Stop(node, flow, self.frame(node, base))

    def _built_in(self, model: "Node | None") -> "list[DataFlow]":
        if model is None:
            return []
        return [
            flow
            for flow in self.out[model.id]
            if self._kind(flow.target) in SERVERS and id(flow) not in self.drawn
        ]

    def _builtin(self, flow: "DataFlow", base: "Zone | None") -> Row:
        node = self.nodes[flow.target]
        self.drawn.add(id(flow))
        self.placed.add(node.id)
        if self.host_of(node) is None:
            self.outside.append(node.id)
        return Row(Stop(node, flow), None, self._lines(node, "client", base))

    def _lines(
        self, node: "Node", leaves: Leaves, base: "Zone | None", alone: bool = True
    ) -> tuple[Line, ...]:
        """The lines that leave a node; where it is `alone` in its row and there are none, one for it to stand on."""
        lines: list[Line] = []
        for flow in sorted(self.out[node.id], key=lambda flow: self._kind(flow.target) == "auth"):
            target = self.nodes.get(flow.target)
            if target is None or target.kind in _PEOPLE or id(flow) in self.drawn:
                continue
            if not self.is_local(target, base):
                lines += self._far(target, flow, leaves)
            elif leaves == "client" and target.kind == "auth":
                lines.append(Line(leaves, below=self._local(target, flow, base)))
            elif target.id not in self.placed and leaves == "local":
                lines.append(Line(leaves, annex=self._local(target, flow, base)))
        return tuple(lines) if lines or not alone else (Line(leaves),)

    def _far(self, node: "Node", flow: "DataFlow", leaves: Leaves) -> Iterator[Line]:
        known = node.id in self.placed
        self.placed.add(node.id)
        self.drawn.add(id(flow))
        apis = [] if known or node.kind == "auth" else [*self._apis(node)]
        yield Line(leaves, Stop(node, flow, self.frame(node)), apis[0] if apis else None)
        yield from (Line("far", api=stop) for stop in apis[1:])

    def _apis(self, node: "Node") -> "Iterator[Stop]":
        """What a remote server speaks to: nodes of its own zone; those of others where its zone has none."""
        flows = [flow for flow in self.out[node.id] if self._kind(flow.target) not in ("", *_PEOPLE)]
        own = [flow for flow in flows if self.nodes[flow.target].zone == node.zone]
        for flow in own if node.zone in self.wide else flows:
            target = self.nodes[flow.target]
            if id(flow) not in self.drawn and target.id not in self.placed and target is not node:
                self.placed.add(target.id)
                self.drawn.add(id(flow))
                yield Stop(target, flow, self.frame(target))

    # What is left

    def _with_rest(self, hosts: list[Host]) -> list[Host]:
        """Nodes without a chain get rows: in a host of the same machine, in a far zone, or on a machine alone."""
        rows: dict[int, list[Row]] = defaultdict(list)
        bases = [host.base for host in hosts]
        for node in (*self._rest(True), *self._rest(False)):
            if node.id in self.placed:
                continue
            base = self.base(node.zone)
            if base and base not in bases and base.kind == "machine":
                hosts, bases = [*hosts, Host(None, base, None, ())], [*bases, base]
            at = bases.index(base) if base and base in bases else len(bases) - 1
            if at < 0:
                hosts, bases, at = [Host(None, None, None, ())], [None], 0
            rows[at].append(self._alone(node, bases[at]))
        return [
            Host(host.zone, host.base, host.model, (*host.rows, *rows[at])) for at, host in enumerate(hosts)
        ]

    def _rest(self, first: bool) -> "list[Node]":
        """The nodes that are not placed: servers in front that nobody leads to, then all others."""
        left = [node for node in self.nodes.values() if node.id not in self.placed]
        return [node for node in left if first == (node.kind in SERVERS and not self._led_to(node))]

    def _led_to(self, node: "Node") -> bool:
        return any(self._kind(flow.source) in SERVERS for flow in self.into[node.id])

    def _alone(self, node: "Node", base: "Zone | None") -> Row:
        if self.is_local(node, base):
            local = self._local(node, None, base)
            return Row(None, local, self._lines(node, "local", base))
        self.placed.add(node.id)
        apis = [*self._apis(node)] if node.kind in SERVERS else []
        first = Line("client", Stop(node, None, self.frame(node)), apis[0] if apis else None)
        return Row(None, None, (first, *(Line("far", api=stop) for stop in apis[1:])))
