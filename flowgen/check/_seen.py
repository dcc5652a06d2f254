"""What a recording says of the topology that it was laid over: who was not declared, and who was not seen."""

from collections.abc import Iterator

from flowgen.topology import Evidence, Finding, Node, Topology, Zone

from ._rules import rules

_SERVERS = ("server", "bridge", "gateway")
_CODES = {"undeclared": "undeclared-server", "never": "never-seen", "unclear": "unclear-match",
          "otherwise": "not-as-declared"}  # fmt: skip


def of_recordings(topology: Topology) -> Iterator[Finding]:
    """Findings about how recordings and files agree; none where no recording was laid over anything."""
    yield from (_finding(_code(node), node, node.evidence) for node in topology.nodes if _code(node))
    marked = {node.zone for node in topology.nodes if node.seen == "undeclared"}
    for zone in topology.zones:
        if zone.seen == "undeclared" and zone.id not in marked:
            yield from _contacted(zone, topology)


def _contacted(zone: Zone, topology: Topology) -> Iterator[Finding]:
    """Sits on the first node that spoke to anything in there."""
    inside = {node.id for node in topology.nodes if node.zone == zone.id}
    nodes = {node.id: node for node in topology.nodes}
    flow = next((each for each in topology.flows if each.target in inside and each.source in nodes), None)
    if flow:
        yield _finding("undeclared-host", nodes[flow.source], flow.evidence, zone.title)


def anchor(known: Evidence | None) -> str | None:
    """Where the message that shows something stands: `trace.json#m-7`, or `#m-7` of a recording alone."""
    if known is None or known.kind != "trace" or known.where is None:
        return None
    return f"{known.source or ''}#m-{known.where}"


def _code(node: Node) -> str:
    if node.kind not in _SERVERS or node.seen is None:
        return ""
    return "disabled-but-seen" if node.seen in ("seen", "otherwise") and node.disabled else _CODES.get(node.seen, "")


def _finding(code: str, node: Node, known: Evidence | None, about: str = "") -> Finding:
    rule = rules()[code]
    return Finding(
        code=code, severity=rule.severity, message=rule.sentences["message"].replace("{about}", about),
        server=node.name or node.title, where=anchor(known) or (known.where if known else None),
        advice=rule.advice, source=rule.source, node=node.id,
    )  # fmt: skip
