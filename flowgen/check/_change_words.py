"""The words of changes: what servers, zones, data flows and credentials are called, without a value of a secret."""

from flowgen.topology import DataFlow, Facts, Finding, Node, Zone

from ._pairing import Side

FOREIGN = ("vendor", "idp", "private-network", "other-machine", "unknown")

AUTH = {None: "not known", "none": "no token in the file", "literal": "secret in the file",
         "reference": "secret by reference", "placeholder": "placeholder", "oauth": "OAuth declared"}  # fmt: skip

KINDS = {"literal": "in the file", "reference": "by reference", "placeholder": "placeholder"}

_ZONES = {"host": "host", "sandbox": "sandbox", "vendor": "vendor", "idp": "identity provider",
          "private-network": "private network", "other-machine": "other machine"}  # fmt: skip


def start_of(node: Node, side: Side) -> str:
    """How a server is started or where it is, as it is shown."""
    behind = side.behind(node)
    own = node.lines[0] if node.lines else node.title
    return f"{own}, a bridge to {behind.lines[0]}" if behind and behind.lines else own


def is_remote(node: Node) -> bool:
    """Whether a client reaches it by an address, without a program of its own."""
    return node.transport in ("http", "sse") and node.kind != "bridge"


def titled(zone: Zone) -> str:
    """A zone with the word for its kind."""
    word = _ZONES.get(zone.kind, "")
    named = zone.title.lower().startswith((f"{word} ", f"{word}:"))
    return zone.title if not word or named else f"{word} {zone.title}"


def inside(zone: Zone | None) -> str:
    """Where a zone lies."""
    return f"inside {titled(zone)}" if zone else "inside none"


def crosses(flow: DataFlow, side: Side) -> bool:
    """Whether a data flow goes to somebody else, or comes from there."""
    ends = [side.nodes[end].zone if end in side.nodes else end for end in (flow.source, flow.target)]
    inside = [side.zones[end].kind if end in side.zones else None for end in ends]
    return ends[0] != ends[1] and any(kind in FOREIGN for kind in inside)


def way(flow: DataFlow, side: Side) -> str:
    """Both ends of a data flow."""
    return " → ".join(_end(end, side) for end in (flow.source, flow.target))


def _end(name: str, side: Side) -> str:
    """What a node is called; of clients, which are only counted, whose they are."""
    node = side.nodes.get(name)
    if node is None:
        return name
    return f"client of {node.name}" if node.kind == "client" and node.name else node.title


def named(flow: DataFlow, side: Side) -> str:
    """The server that a data flow belongs to; its ends where it belongs to none."""
    ends = (side.nodes.get(flow.target), side.nodes.get(flow.source))
    return next((node.name for node in ends if node and node.name), None) or way(flow, side)


def tls_word(flow: DataFlow) -> str:
    """Whether a data flow is encrypted."""
    return {True: "yes", False: "no", None: "not known"}[flow.tls]


def sentence(finding: Finding) -> str:
    """A finding in a line, without its server."""
    return f"{finding.severity} {finding.code}: {finding.message}"


def credentials(facts: Facts) -> list[str]:
    """Names and kinds, never values."""
    return sorted(f"{each.name} ({KINDS[each.kind]})" for each in facts.credentials)


def bare(name: str) -> str:
    """The name of a variable or a header, of a fingerprint's name."""
    return name.partition(" ")[2]


def told_of(one: Facts, two: Facts) -> set[str]:
    """Names of credentials that came, went or became another kind."""
    kinds = [{(each.name, each.kind) for each in facts.credentials} for facts in (one, two)]
    return {name for name, _ in kinds[0] ^ kinds[1]}
