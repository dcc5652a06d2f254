"""The ground that recordings are laid over: the nodes, zones and data flows of a topology, and what becomes of them."""

from itertools import count
from typing import Any

from ._model import DataFlow, Evidence, Node, Topology, Zone

_SHARED_ZONES = ("machine", "vendor", "idp", "private-network", "other-machine", "unknown")
_NOT_TOLD = ("sandbox", "host", "machine", "unknown")  # kinds of zones that are nobody else's


class Ground:
    """A topology that grows. `seen` is what the recordings show, `path` the recording that is being laid over."""

    def __init__(self, declared: Topology, seen: Topology) -> None:
        self.declared, self.seen = declared, seen
        self.nodes = {node.id: node for node in declared.nodes}
        self.zones = {zone.id: zone for zone in declared.zones}
        self.flows = list(declared.flows)
        self.homes: dict[str, str] = {}  # zones of the recordings -> ours
        self.path = ""

    def zone(self, name: str | None) -> str | None:
        """Our zone for one of the recordings: the same vendor is the same zone, a process or a sandbox is another."""
        theirs = {zone.id: zone for zone in self.seen.zones}
        if name is None or name not in theirs:
            return None
        if name in self.homes:
            return self.homes[name]
        zone = theirs[name]
        same = zone.kind in _SHARED_ZONES and name in self.zones
        self.homes[name] = name if same else _free(name, self.zones)
        if not same:
            told = {"id": self.homes[name], "parent": self.zone(zone.parent),
                    "seen": None if zone.kind in _NOT_TOLD else "undeclared"}  # fmt: skip
            self.zones[self.homes[name]] = Zone.model_validate({**zone.model_dump(), **told})
        return self.homes[name]

    def add(self, node: Node) -> str:
        """One more node, under an id that is free; the id."""
        name = _free(node.id, self.nodes)
        self.nodes[name] = node.model_copy(update={"id": name, "evidence": self.shown_by(node.evidence)})
        return name

    def change(self, name: str, **told: Any) -> None:
        """A node is told otherwise."""
        self.nodes[name] = self.nodes[name].model_copy(update=told)

    def replace(self, flow: DataFlow, **told: Any) -> None:
        """A data flow is told otherwise."""
        self.flows = [each.model_copy(update=told) if each is flow else each for each in self.flows]

    def shown_by(self, evidence: Evidence | None) -> Evidence | None:
        """What a message shows, with the recording that it is in."""
        if evidence is None or evidence.kind != "trace":
            return evidence
        return evidence.model_copy(update={"source": self.path})

    def seq(self, seq: int | None) -> Evidence:
        """What the message of this number shows."""
        return Evidence(kind="inferred") if seq is None else Evidence(kind="trace", where=str(seq), source=self.path)


def _free(name: str, taken: dict[str, Any]) -> str:
    return next(each for number in count(1) if (each := name if number == 1 else f"{name}#{number}") not in taken)
