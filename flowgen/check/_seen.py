"""What a recording says of the topology that it was laid over: who was not declared, and who was not seen."""

from collections.abc import Iterator

from flowgen.topology import Finding, Node, Topology

from ._rules import rules

_SERVERS = ("server", "bridge", "gateway")
_CODES = {"undeclared": "undeclared-server", "never": "never-seen", "unclear": "unclear-match"}


def of_recordings(topology: Topology) -> Iterator[Finding]:
    """Findings about how recordings and files agree; none where no recording was laid over anything."""
    yield from (_finding(_code(node), node, node.title) for node in topology.nodes if _code(node))
    marked = {node.zone for node in topology.nodes if node.seen == "undeclared"}
    for zone in topology.zones:
        first = next((node for node in topology.nodes if node.zone == zone.id), None)
        if zone.seen == "undeclared" and zone.id not in marked and first:
            yield _finding("undeclared-host", first, zone.title)


def _code(node: Node) -> str:
    if node.kind not in _SERVERS or node.seen is None:
        return ""
    return "disabled-but-seen" if node.seen == "seen" and node.disabled else _CODES.get(node.seen, "")


def _finding(code: str, node: Node, about: str) -> Finding:
    rule = rules()[code]
    known = node.evidence
    seq = known.where if known and known.kind == "trace" else None
    return Finding(
        code=code, severity=rule.severity, message=rule.sentences["message"].replace("{about}", about),
        server=node.name, where=f"#m-{seq}" if seq else known.where if known else None, advice=rule.advice,
        source=rule.source, node=node.id,
    )  # fmt: skip
