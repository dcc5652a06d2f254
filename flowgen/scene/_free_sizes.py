"""A topology measured as a graph: nodes, a card for every data flow on its way, titles of frames. Nothing has a place.

Every node stands in its own zone and every card in the innermost zone around both of its ends. A data flow that
begins or ends at a zone has an anchor in it, which takes room and is not drawn where the line ends at the frame.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._arch_findings import LISTED, SEVERITIES, Marks
from ._arch_nodes import MARK, Box, Mark, box_of
from ._arch_ways import Way, way_of
from ._arch_words import zone_lines, zone_note, zone_title
from ._free_graph import Cluster, Edge, Graph, Vertex
from ._text import width
from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import DataFlow, Finding, Node, Topology, Zone

_MACHINES = frozenset(["machine", "other-machine"])
_AFAR = frozenset(["vendor", "idp", "private-network", "other-machine", "unknown"])
_PORT = 15  # px of a node's side for each line that ends there
_ANCHOR = 12
_TAB, _OUTLINE, _SIGN = 9, 5, 9  # px that what tells of a change stands out
_TITLE, _NOTE, _BASE = 20, 15, 4  # px of a frame's head: its title, its note, more of a machine
_BESIDE_TITLE = 16  # px of the frame left and right of it, more than a layout leaves there
TITLE_MOST = 340  # px by which a title makes its frame wider
_HEAVY = frozenset(["stdio", "http", "sse", "socket", "ssh", "tool-call", "approval"])


@dataclass(frozen=True, slots=True)
class Tie:
    """A data flow between two parts by their indices; `label` is that of its card."""

    way: Way
    source: int
    target: int
    label: int


@dataclass(frozen=True, slots=True)
class Part:
    """What takes room: a node with its box, a card of a data flow, or the anchor of one in a zone."""

    zone: int | None
    wide: float
    high: float
    box: Box | None = None
    anchor: bool = False
    out: float = 0.0  # px that something stands out of it

    @property
    def vertex(self) -> Vertex:
        """The room that it takes, with what stands out of it."""
        if self.box is None:
            return Vertex(self.wide + 2 * self.out, self.high + 2 * self.out, self.zone)
        above = max(self.box.stack, MARK if self.box.marks else 0, _TAB if self.box.change else 0)
        beside = max(self.box.stack, _OUTLINE if self.box.change else 0)
        return Vertex(self.wide + 2 * beside, self.high + 2 * above, self.zone)


@dataclass(frozen=True, slots=True)
class Measured:
    """All parts of a picture: nodes in the order of the document, then cards and anchors. `undrawn` lead nowhere."""

    zones: "tuple[Zone, ...]"
    parents: tuple[int | None, ...]
    parts: tuple[Part, ...]
    ties: tuple[Tie, ...]
    marks: Marks
    zone_marks: dict[int, list[Mark]]
    undrawn: "tuple[DataFlow, ...]"

    def around(self, zone: int | None) -> list[int]:
        """A zone and those around it, the innermost first."""
        return _upwards(zone, self.parents)

    def graph(self, how: Words) -> Graph:
        """What is to be laid out."""
        vertices = tuple(part.vertex for part in self.parts)
        clusters = tuple(_head(zone, self.parents[at], how) for at, zone in enumerate(self.zones))
        edges: list[Edge] = []
        for tie in self.ties:
            weight = 10 if tie.way.kind not in ("oauth", "own") else 2
            edges += [Edge(tie.source, tie.label, weight), Edge(tie.label, tie.target, weight)]
        return Graph(vertices, clusters, tuple(edges))


def measured(topology: "Topology", how: Words) -> Measured:
    """The parts of a topology, in one language."""
    return _Measuring(topology, how).measured()


def head_size(zone: "Zone", how: Words) -> tuple[float, float]:
    """What a frame's title and note take."""
    notes = [line for line in (zone_note(zone, how), *zone_lines(zone, how)) if line]
    wide = max([width(zone_title(zone, how), 13, 700), *(width(note, 10.5) for note in notes)]) + 6
    high = _TITLE + _NOTE * len(notes) + (_BASE if zone.kind == "machine" else 0)
    return wide, high


def _head(zone: "Zone", parent: int | None, how: Words) -> Cluster:
    wide, high = head_size(zone, how)
    return Cluster(min(wide, TITLE_MOST) + _BESIDE_TITLE, high, parent)


def _upwards(zone: int | None, parents: Sequence[int | None]) -> list[int]:
    found: list[int] = []
    while zone is not None:
        found.append(zone)
        zone = parents[zone]
    return found


def _parents(zones: "Sequence[Zone]", ids: dict[str, int]) -> tuple[int | None, ...]:
    """The zone around each; none where that would close a ring."""
    parents: list[int | None] = [None] * len(zones)
    for at, zone in enumerate(zones):
        around = ids.get(zone.parent or "")
        if around is not None and at not in _upwards(around, parents):
            parents[at] = around
    return tuple(parents)


class _Measuring:
    def __init__(self, topology: "Topology", how: Words) -> None:
        self.topology, self.how = topology, how
        self.zones = tuple({zone.id: zone for zone in reversed(topology.zones)}.values())[::-1]
        self.nodes = tuple({node.id: node for node in reversed(topology.nodes)}.values())[::-1]
        self.zone_at = {zone.id: at for at, zone in enumerate(self.zones)}
        self.node_at = {node.id: at for at, node in enumerate(self.nodes)}
        self.parents = _parents(self.zones, self.zone_at)
        self.parts: list[Part] = []

    def measured(self) -> Measured:
        known = [flow for flow in self.topology.flows if self._ends(flow)]
        marks, on_nodes, on_zones = self._marks()
        ports = self._ports(known)
        self.parts = [self._node(node, on_nodes[at], ports[node.id]) for at, node in enumerate(self.nodes)]
        ties = tuple(self._tie(flow) for flow in known)
        self.parts += [Part(at, _ANCHOR, _ANCHOR) for at in self._empty()]
        undrawn = tuple(flow for flow in self.topology.flows if not self._ends(flow))
        return Measured(self.zones, self.parents, tuple(self.parts), ties, marks, on_zones, undrawn)

    def _empty(self) -> list[int]:
        """The zones in which nothing stands: a frame needs something to stand around."""
        full = {at for part in self.parts for at in _upwards(part.zone, self.parents)}
        inner = [at for at in range(len(self.zones)) if at not in self.parents]
        return [at for at in inner if at not in full]

    def _ends(self, flow: "DataFlow") -> bool:
        return all(end in self.node_at or end in self.zone_at for end in (flow.source, flow.target))

    def _ports(self, flows: "Sequence[DataFlow]") -> dict[str, int]:
        """For every node how many lines end at the fuller one of its sides."""
        out, into = Counter(flow.source for flow in flows), Counter(flow.target for flow in flows)
        return {node.id: max(out[node.id], into[node.id]) for node in self.nodes}

    # Nodes

    def _node(self, node: "Node", marks: Sequence[Mark], ports: int) -> Part:
        zone = self.zone_at.get(node.zone or "")
        lines = node.lines or ([self.how("arch.text.approves-calls")] if node.kind == "person" else [])
        box = box_of(node, self._kind(node, zone), self.how, lines=lines, marks=marks)
        return Part(zone, box.width, max(box.height, _PORT * ports + 4), box)

    def _kind(self, node: "Node", zone: int | None) -> str:
        if node.kind != "server":
            return node.kind
        kinds = [self.zones[at].kind for at in _upwards(zone, self.parents)]
        first = next((kind for kind in kinds if kind in _AFAR or kind == "machine"), "machine")
        return "server" if first == "machine" else "remote"

    # Data flows

    def _tie(self, flow: "DataFlow") -> Tie:
        zones = self._zone(flow.source), self._zone(flow.target)
        way = self._way(flow, *zones)
        inner = _upwards(zones[1], self.parents)
        both = next((at for at in _upwards(zones[0], self.parents) if at in inner), None)
        source, target = self._end(flow.source), self._end(flow.target)
        self.parts.append(Part(both, way.width, way.height, out=_SIGN if way.change else 0))
        return Tie(way, source, target, len(self.parts) - 1)

    def _way(self, flow: "DataFlow", source: int | None, target: int | None) -> Way:
        ends = [self.nodes[self.node_at[end]] for end in (flow.source, flow.target) if end in self.node_at]
        zone = self.zones[target] if target is not None else None
        here, there = self._machine(source), self._machine(target)
        return way_of(
            flow, self.how, zone, local=here is not None and here == there, off=any(node.disabled for node in ends)
        )

    def _zone(self, end: str) -> int | None:
        if end in self.node_at:
            return self.zone_at.get(self.nodes[self.node_at[end]].zone or "")
        return self.zone_at[end]

    def _machine(self, zone: int | None) -> int | None:
        """The machine that a zone is on."""
        around = _upwards(zone, self.parents)
        return next((at for at in around if self.zones[at].kind in _MACHINES), None)

    def _end(self, end: str) -> int:
        if end in self.node_at:
            return self.node_at[end]
        self.parts.append(Part(self.zone_at[end], _ANCHOR, _ANCHOR, anchor=True))
        return len(self.parts) - 1

    # Findings

    def _marks(self) -> tuple[Marks, dict[int, list[Mark]], dict[int, list[Mark]]]:
        """The findings in their order, and their marks on nodes and on zones."""
        findings = tuple(sorted(self.topology.findings, key=lambda finding: SEVERITIES.index(finding.severity)))
        nodes: dict[int, list[Mark]] = defaultdict(list)
        zones: dict[int, list[Mark]] = defaultdict(list)
        for number, finding in enumerate(findings, 1):
            mark = Mark(number if number <= LISTED else 0, finding.severity)
            at = next(self._about(finding), None)
            host = next(self._hosts(finding), None)
            if at is not None and (mark.number or not any(other.number == 0 for other in nodes[at])):
                nodes[at].append(mark)
            elif at is None and host is not None and mark.number:
                zones[host].append(mark)
        return Marks(findings, {}, {}), nodes, zones

    def _about(self, finding: "Finding") -> Iterator[int]:
        """The nodes that a finding may be about, the likeliest first."""
        if finding.node in self.node_at:
            yield self.node_at[finding.node]
        named = [at for at, node in enumerate(self.nodes) if finding.server and node.name == finding.server]
        yield from (at for at in named if self.nodes[at].kind in ("server", "bridge", "gateway"))
        yield from named

    def _hosts(self, finding: "Finding") -> Iterator[int]:
        """The zones of hosts that a finding about a file may stand on."""
        hosts = [at for at, zone in enumerate(self.zones) if zone.kind == "host"]
        yield from (at for at in hosts if finding.host in (self.zones[at].id, self.zones[at].title))
        yield from hosts
