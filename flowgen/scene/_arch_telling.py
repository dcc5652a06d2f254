"""A topology told without a picture: its zones inside each other, its nodes and its data flows in words.

Everything given out is cleaned and in the language asked for. A document may be wrong: zones that stand in each
other in a ring, ids that are used twice and ends that nobody named are told all the same, each once.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from ._arch_blocks import sentence_of
from ._arch_both import both, both_of
from ._arch_findings import SEVERITIES
from ._arch_heading import heading_of
from ._arch_legend import line_names, zone_names
from ._arch_said import advice, said
from ._arch_ways import Way, way_of
from ._arch_words import where, zone_told
from ._clean import clean, clean_line
from ._options import Options
from ._words import Words, words

if TYPE_CHECKING:
    from flowgen.topology import DataFlow, Evidence, Finding, Node, Topology, Zone

_LONG = 200  # characters of a text
_DEEPEST = 12  # zones inside each other; those further in stand beside each other


@dataclass(slots=True)
class Area:
    """A zone with what stands in it; `zone` is None for what stands in none."""

    zone: "Zone | None"
    nodes: list[int] = field(default_factory=list)
    inside: "list[Area]" = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Crossing:
    """A data flow and the indices of the nodes at its ends."""

    flow: "DataFlow"
    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Survey:
    """What there is to say of a topology. `nodes` are its own and those that only a data flow names; of one that names
    a zone it stands in that.
    """

    topology: "Topology"
    how: Words
    heading: str
    nodes: "tuple[Node, ...]"
    outside: Area
    crossings: tuple[Crossing, ...]
    domains: tuple["Zone | None", ...]
    approvers: tuple[tuple[int, ...], ...]

    def zone(self, zone: "Zone | None") -> str:
        """What a zone is called, with the word for its kind; of none, that it is outside of all."""
        if zone is None:
            return self.how("arch.outside")
        return _line(zone_told(zone, self.how)) or zone.kind

    def note(self, zone: "Zone") -> str:
        """What its boundary means and what else is to be known of it, if the document says so."""
        parts = filter(None, (zone.note, *zone.lines))
        return _line(self.how("arch.parts").join(both(partial(said, part), self.how) for part in parts))

    def title(self, node: int) -> str:
        """What a node is called, never empty."""
        return _line(both(partial(said, self.nodes[node].title), self.how)) or _line(self.nodes[node].id) or "…"

    def lines(self, node: int) -> list[str]:
        """What is said of a node: its lines, its badges, and that it is inferred."""
        told = self.nodes[node]
        badges = [_line(said(badge, self.how)) for badge in told.badges]
        badges += [self.how("arch.inferred")] if _inferred(told.evidence) else []
        texts = [_line(said(line, self.how)) for line in told.lines]
        return [text for text in (*texts, " · ".join(filter(None, badges))) if text]

    def label(self, crossing: Crossing) -> list[str]:
        """What stands on a data flow: transport first, token second; that it is inferred, where it is."""
        way = self._way(crossing)
        if way.kind == "off" or not any(map(_line, crossing.flow.label)):
            return list(way.label)
        told = [_line(both(partial(said, line), self.how)) for line in crossing.flow.label]
        known = not way.inferred or any(self.how("arch.inferred") in line for line in told)
        return [line for line in told if line] + ([] if known else [both_of("arch.inferred", self.how)])

    def kind(self, crossing: Crossing) -> str:
        """How the picture draws a data flow: its line has the style `arch.line.KIND`."""
        return self._way(crossing).kind

    def _way(self, crossing: Crossing) -> Way:
        source, target = self.domains[crossing.source], self.domains[crossing.target]
        off = self.nodes[crossing.target].disabled
        return way_of(crossing.flow, self.how, target, local=target is source, off=off)

    def legend(self) -> list[tuple[str, str]]:
        """The styles of the lines and frames that occur and need a word, with that word."""
        lines = line_names(map(self._way, self.crossings), self.how)
        zones = zone_names({zone.kind for zone in self.topology.zones}, self.how)
        return [*((f"arch.line.{kind}", name) for kind, name in lines),
                *((f"arch.zone.{kind}", name) for kind, name in zones)]  # fmt: skip

    @property
    def findings(self) -> "list[Finding]":
        """What was found, the gravest first."""
        return sorted(self.topology.findings, key=lambda each: SEVERITIES.index(each.severity))

    def evidence(self, evidence: "Evidence | None") -> str:
        """How something is known."""
        told = where(evidence, self.how)
        return told or (self.how("arch.text.described") if evidence and evidence.kind == "described" else "")

    def unencrypted(self, crossing: Crossing) -> bool:
        """Whether a data flow goes to another machine and the document says that nothing encrypts it."""
        return crossing.flow.tls is False and self.crosses(crossing)

    def sentence(self, finding: "Finding") -> str:
        """A finding with the server that it is about and its place."""
        text = both(partial(sentence_of, finding), self.how)
        server = _line(finding.server or "")
        named = not server or text.lower().startswith(f"{server.lower()}:")
        whole = text if named else self.how("arch.finding.of", server=server, text=text)
        return whole + (self.how("arch.finding.host", host=_line(finding.where)) if finding.where else "")

    def advice(self, finding: "Finding") -> str:
        """What mends a finding."""
        return clean(advice(finding, self.how) or "")

    def crosses(self, crossing: Crossing) -> bool:
        """Whether a data flow goes from one trust domain to another; people approve from outside of all."""
        other = self.domains[crossing.source] is not self.domains[crossing.target]
        return other and crossing.flow.kind != "approval"


def survey(topology: "Topology", options: Options) -> Survey:
    """A topology told without a picture."""
    how = words(options.lang)
    nodes = _nodes(topology)
    ids = _first([node.id for node in nodes])
    crossings = tuple(Crossing(flow, ids[flow.source], ids[flow.target]) for flow in topology.flows)
    outside, domains = _areas(topology.zones, nodes)
    approvers = _approvers(nodes, crossings)
    return Survey(topology, how, heading_of(topology, options, how), nodes, outside, crossings, domains, approvers)


def _line(text: str) -> str:
    return clean_line(text, _LONG)


def _inferred(evidence: "Evidence | None") -> bool:
    return evidence is not None and evidence.kind == "inferred"


def _first(names: Sequence[str]) -> dict[str, int]:
    """Name -> the place where it stands first."""
    return {name: at for at, name in reversed(list(enumerate(names)))}


def _nodes(topology: "Topology") -> "tuple[Node, ...]":
    from flowgen.topology import Node

    known = {node.id for node in topology.nodes}
    zones = {zone.id: zone for zone in reversed(topology.zones)}
    ends = dict.fromkeys(end for flow in topology.flows for end in (flow.source, flow.target))
    new = [(end, zones.get(end)) for end in ends if end not in known]
    titles = {end: zone.title if zone else end for end, zone in new}
    named = (Node(id=end, kind="api", title=titles[end], zone=end if zone else None) for end, zone in new)
    return (*topology.nodes, *named)


def _areas(zones: "Sequence[Zone]", nodes: "Sequence[Node]") -> "tuple[Area, tuple[Zone | None, ...]]":
    """What stands outside of all zones, with all zones inside; and the trust domain of every node."""
    outside, areas = Area(None), [Area(zone) for zone in zones]
    ids = _first([zone.id for zone in zones])
    domain: dict[int, Zone | None] = {}
    for at, parent, around in _downwards(zones, ids):
        (outside if around is None else areas[around]).inside.append(areas[at])
        kind = zones[at].kind
        domain[at] = domain[parent] if kind == "host" and parent is not None else zones[at]
    for number, node in enumerate(nodes):
        (areas[ids[node.zone]] if node.zone in ids else outside).nodes.append(number)
    return outside, tuple(domain[ids[node.zone]] if node.zone in ids else None for node in nodes)


def _downwards(zones: "Sequence[Zone]", ids: dict[str, int]) -> list[tuple[int, int | None, int | None]]:
    """Every zone once, outer ones first, with its parent and with the zone that it is shown in."""
    children: dict[int | None, list[int]] = defaultdict(list)
    for at, zone in enumerate(zones):
        children[ids.get(zone.parent) if zone.parent is not None else None].append(at)
    found: list[tuple[int, int | None, int | None]] = []
    seen: set[int] = set()
    for root in (*children[None], *range(len(zones))):  # those of a ring have no root: the first of them is one
        waiting = [(root, None, None, 0)] if root not in seen else []
        for at, parent, around, depth in waiting:
            if at in seen:
                continue
            seen.add(at)
            found.append((at, parent, around))
            inner = (around, depth) if depth >= _DEEPEST else (at, depth + 1)
            waiting.extend((child, at, *inner) for child in children[at])
    return found


def _approvers(nodes: "Sequence[Node]", crossings: Sequence[Crossing]) -> tuple[tuple[int, ...], ...]:
    """For every node the people from whom an approval leads to it."""
    onward: dict[int, list[int]] = defaultdict(list)
    asked: dict[int, list[int]] = defaultdict(list)
    for each in crossings:
        if each.flow.kind != "approval":
            onward[each.source].append(each.target)
        elif each.flow.label != ["prompt"]:  # nobody is asked
            asked[each.source].append(each.target)
    found: list[list[int]] = [[] for _ in nodes]
    for person, targets in asked.items():
        reached, waiting = set(targets), list(targets)
        for at in waiting:
            found[at].append(person)
            fresh = [to for to in dict.fromkeys(onward[at]) if to not in reached]
            reached.update(fresh)
            waiting.extend(fresh)
    return tuple(map(tuple, found))
