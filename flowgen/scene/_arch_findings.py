"""Findings on the nodes they are about: one number for each, in the order in which the list tells them.

A bridge and the server behind it share a name, so the kind of a finding tells which of them it is about. On a server
that several hosts speak to, what is said of one host's entry stands on that host's Client.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from ._arch_model import Host, Row
from ._arch_nodes import Mark
from ._arch_words import zone_name

if TYPE_CHECKING:
    from flowgen.topology import Finding, Topology

LISTED = 12  # findings that the list has room for
SEVERITIES = ("high", "medium", "low", "info")
_OF_ADDRESS = frozenset(["plain-http", "deprecated-sse", "loopback-without-token", "token-passthrough"])
_OF_ENTRY = frozenset(
    ["secret-in-file", "secret-in-url", "shared-credential", "auto-approved", "remote-on-stdio-host"]
)

Place = Literal["client", "local", "far"]
Spot = tuple[int, int, Place]  # host, row, node of the row


class Marks(NamedTuple):
    """The findings in their order, and the marks on nodes and on the frames of hosts (their numbers)."""

    findings: "tuple[Finding, ...]"
    nodes: dict[Spot, list[Mark]]
    frames: dict[int, list[Mark]]

    def on(self, host: int, row: int, place: Place) -> Sequence[Mark]:
        """The marks of a node, from left to right."""
        return sorted(self.nodes.get((host, row, place), ()), key=lambda mark: mark.number or LISTED + 1)


def marks_of(topology: "Topology", hosts: Sequence[Host]) -> Marks:
    """Every finding on its node; on its host's frame if it is about the file."""
    findings = tuple(sorted(topology.findings, key=lambda finding: SEVERITIES.index(finding.severity)))
    seeker = _Seeker(hosts)
    nodes: dict[Spot, list[Mark]] = defaultdict(list)
    frames: dict[int, list[Mark]] = defaultdict(list)
    for number, finding in enumerate(findings, 1):
        mark = Mark(number if number <= LISTED else 0, finding.severity)
        spot = seeker.spot(finding)
        if spot is None:
            frames[seeker.host(finding)].append(mark)
        elif mark.number or not any(other.number == 0 for other in nodes[spot]):
            nodes[spot].append(mark)
    return Marks(
        findings,
        dict(nodes),
        {host: [mark for mark in found if mark.number] for host, found in frames.items()},
    )


class _Seeker:
    def __init__(self, hosts: Sequence[Host]) -> None:
        self.hosts = hosts
        self.names: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self.nodes: dict[str, Spot] = {}
        for at, row_at, row in _rows(hosts):
            for name in dict.fromkeys(server.name or server.title for server in row.servers):
                self.names[name].append((at, row_at))
            for name, place in _nodes(row):
                self.nodes.setdefault(name, (at, row_at, place))
        self.first, self.common = leaders(hosts)

    def host(self, finding: "Finding") -> int:
        """The host that a finding is about; the first one, unless it is named."""
        return next((at for at, host in enumerate(self.hosts) if _is_called(host, finding.host)), 0)

    def spot(self, finding: "Finding") -> Spot | None:
        if finding.node in self.nodes:
            return self.nodes[finding.node]
        places = self.names.get(finding.server or "", [])
        named = [place for place in places if _is_called(self.hosts[place[0]], finding.host)]
        if not places:
            return None
        at, row_at = (named or places)[0]
        row = self.hosts[at].rows[row_at]
        place = self._place(row, finding, (at, row_at))
        return (*self.first.get((at, row_at), (at, row_at)), place) if place == "far" else (at, row_at, place)

    def _place(self, row: Row, finding: "Finding", at: tuple[int, int]) -> Place:
        of_entry = finding.code in _OF_ENTRY and at in self.common
        if row.client and (of_entry or (not row.local and not row.far)):
            return "client"
        if row.local and row.far and row.far.node.kind in ("server", "gateway"):
            return "far" if finding.code in _OF_ADDRESS else "local"
        return "local" if row.local else "far"


def _nodes(row: Row) -> Iterator[tuple[str, Place]]:
    """The nodes of a row that marks may stand on."""
    if row.client:
        yield row.client.node.id, "client"
    if row.local:
        yield row.local.node.id, "local"
    if row.far:
        yield row.far.node.id, "far"


def _is_called(host: Host, name: str | None) -> bool:
    return (
        name is not None
        and host.zone is not None
        and name in (zone_name(host.zone), host.zone.title, host.zone.id)
    )


def _rows(hosts: Sequence[Host]) -> Iterator[tuple[int, int, Row]]:
    for at, host in enumerate(hosts):
        for row_at, row in enumerate(host.rows):
            yield at, row_at, row


def leaders(hosts: Sequence[Host]) -> tuple[dict[tuple[int, int], tuple[int, int]], set[tuple[int, int]]]:
    """For rows whose far node goes on from a row above that row; and all rows whose node has several of them."""
    led: dict[tuple[int, int], tuple[int, int]] = {}
    leads: dict[str, tuple[int, int]] = {}
    common: set[tuple[int, int]] = set()
    for at, row_at, row in _rows(hosts):
        if row.far is None:
            continue
        name, lead = row.far.node.id, leads.get(row.far.node.id)
        if lead is None or row.far.again is not None:
            leads[name] = at, row_at
        else:
            led[(at, row_at)] = lead
        if lead is not None:
            common |= {lead, (at, row_at)}
    return led, common
