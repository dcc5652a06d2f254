"""From recordings to a Topology: what was seen, each thing with the seq of the message that shows it.

A person and a model are in every host; where the recording shows none they are inferred. Nothing else is: an
authorization server or an upstream API is there only if it was spoken to.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from flowgen.trace import Trace

from ._address import Address, address
from ._build import Drawn, File, build, file_of, zone_of
from ._document import Word
from ._facts import Facts, facts_of
from ._fields import Given
from ._hosts import Host
from ._maps import Found
from ._model import DataFlow, Evidence, Node, Topology, Zone
from ._seen import Seen, Session, named, session
from ._zones import Place

_INFERRED = Evidence(kind="inferred")
_NAMED = 2  # tools on an edge, a line each
_OAUTH = "OAuth 2.1 + PKCE"


@dataclass(frozen=True, slots=True)
class Met:
    """A server of a recording, and the nodes that stand for it in the topology of the recording."""

    server: Seen
    session: Session
    drawn: Drawn


def from_traces(traces: Sequence[tuple[str, Trace]], *, show_paths: bool = False) -> Topology:
    """The topology of recordings, as (name, trace); several stand one below the other. Findings are not judged here.

    User names in paths become `~` unless `show_paths`.
    """
    return met_in(traces, show_paths=show_paths)[0]


def met_in(traces: Sequence[tuple[str, Trace]], *, show_paths: bool = False) -> tuple[Topology, tuple[Met, ...]]:
    """The same topology, and the servers in it with all that was seen of them."""
    told = [(name, trace, session(trace)) for name, trace in traces]
    built = build([_file(name, seen, show_paths) for name, _, seen in told])
    seen_by_front = {}
    servers = [(seen, each) for _, _, seen in told for each in seen.servers]
    drawn_of = built.reading.servers if built.reading else ()
    for drawn, (seen, server) in zip(drawn_of, servers, strict=True):
        seen_by_front[drawn.client or drawn.front] = seen_by_front[drawn.front] = (seen, server)
    found = _Told(built, seen_by_front, [seen for _, _, seen in told]).topology([trace for _, trace, _ in told])
    return found, tuple(Met(server, seen, drawn) for drawn, (seen, server) in zip(drawn_of, servers, strict=True))


def _file(name: str, seen: Session, show_paths: bool) -> File:
    host = Host(_unversioned(seen.client) if seen.client else None, ())
    return file_of(name, host, Found(), [_facts(server, host) for server in seen.servers], show_paths=show_paths)


def _facts(server: Seen, host: Host) -> Facts:
    """What an entry of a config file would tell, as far as the messages tell it."""
    kind = server.transport
    remote = kind != "stdio"
    given = Given(None, server.first, type=kind, url=(server.url or Word("", server.first)) if remote else None,
                  words=[] if remote else [Word(text, server.first) for text in server.argv])  # fmt: skip
    found = facts_of(given, host, Found())
    assert found is not None  # it has a program, an address or the type stdio
    if not given.words and not remote:
        found = found._replace(launched="")
    name = _unversioned(server.title) if server.title else found.program or server.id
    found = found._replace(name=name, role="gateway" if server.role == "gateway" else found.role)
    if server.issuer and server.issuer.url:
        issuer = address(server.issuer.url.text, server.issuer.first)
        return found._replace(auth="oauth", oauth=server.first, issuer=issuer._replace(shown=_origin(issuer)))
    return found


def _origin(to: Address) -> str:
    """An issuer without the path of the first thing that was asked of it."""
    return to.shown.partition("/")[0].partition("?")[0]


class _Told:
    """The topology of `build`, told as what was seen instead of what a file says."""

    def __init__(self, built: Topology, seen: dict[str, tuple[Session, Seen]], sessions: list[Session]) -> None:
        self.built, self.seen, self.sessions = built, seen, sessions
        self.zones = {zone.id: zone for zone in built.zones}
        self.issued = {flow.target: self.seen.get(flow.source) for flow in built.flows if flow.kind == "oauth"}
        self.dropped = {node.id for node in built.nodes if node.kind == "auth" and _is_inferred(node.evidence)}

    def topology(self, traces: Sequence[Trace]) -> Topology:
        nodes = [self._node(node) for node in self.built.nodes if node.id not in self.dropped]
        flows = [self._flow(flow) for flow in self.built.flows if flow.target not in self.dropped]
        for front, (_, server) in self.seen.items():
            if front.startswith("client:"):
                continue
            for number, other in enumerate(server.upstream):
                node = self._upstream(f"{other.role}:{other.id}#{front}.{number}", other)
                nodes.append(node)
                flows.append(_to_upstream(front, node, other, server))
        revisions = {seen.revision for seen in self.sessions}
        return Topology(
            title=" + ".join(named(trace.title) for trace in traces if trace.title) or self.built.title,
            revision=revisions.pop() if len(revisions) == 1 else None, sources=self.built.sources,
            zones=[_zone(zone) for zone in self.zones.values()], nodes=nodes, flows=flows,
        )  # fmt: skip

    def _node(self, node: Node) -> Node:
        if node.kind in ("person", "model"):
            seqs = (seen.person if node.kind == "person" else seen.model for seen in self.sessions)
            return node.model_copy(update={"evidence": _evidence(next(filter(None, seqs), None))})
        badges = [badge for badge in node.badges if badge != "secret in file"]  # a recording is no such file
        told: dict[str, object] = {"evidence": _of_trace(node.evidence), "badges": badges}
        if node.kind == "gateway":
            told["lines"] = [line.replace("in this file", "in this recording") for line in node.lines]
        seen, issued = self.seen.get(node.id), self.issued.get(node.id)
        if node.kind == "client":
            told["lines"] = [line for line in node.lines if line != "OAuth if asked"]
        elif seen and node.kind in ("server", "gateway"):
            told |= {"title": seen[1].title or node.title}
            told |= _guarded(node, badges) if seen[1].token or seen[1].refused else {}
        elif node.kind == "server":  # behind a bridge, where nothing was seen
            told |= {"auth": None if node.auth == "none" else node.auth}
        elif issued and issued[1].issuer:
            told["evidence"] = _evidence(issued[1].issuer.first)
        return node.model_copy(update=told)

    def _flow(self, flow: DataFlow) -> DataFlow:
        seen = self.seen.get(flow.target) or self.seen.get(flow.source)
        if flow.kind == "approval":
            seqs = (each.approved for each in self.sessions)
            return flow.model_copy(update={"evidence": _evidence(next(filter(None, seqs), None))})
        if seen and flow.kind == "tool-call":
            return flow.model_copy(update=_called(seen[1], flow))
        if seen and flow.kind == "oauth":
            return flow.model_copy(update=_authorized(*seen))
        told: dict[str, object] = {"evidence": _of_trace(flow.evidence)}
        if flow.kind in ("http", "sse"):
            near = seen and flow.source.startswith("client:")
            told["label"] = [*flow.label[:1], seen[1].token or "no token"] if seen and near else flow.label[:1]
        return flow.model_copy(update=told)

    def _upstream(self, wanted: str, other: Seen) -> Node:
        to = address(other.url.text, other.first) if other.url else None
        zone = zone_of(to.place if to else Place("unknown"), None)
        self.zones.setdefault(zone.id, zone)
        return Node(
            id=wanted, kind="api" if other.role == "api" else "server", title=other.title or other.id, zone=zone.id,
            name=None if other.role == "api" else other.title or other.id, lines=[to.shown] if to else [],
            transport=None if other.role == "api" else other.transport, evidence=_evidence(other.first),
        )  # fmt: skip


def _guarded(node: Node, badges: list[str]) -> dict[str, object]:
    """Of a server that asks for a token, or is sent one: where the token comes from is not to be seen."""
    left = [badge for badge in badges if badge != "no auth"]
    return {"auth": None if node.auth == "none" else node.auth, "badges": left}


def _to_upstream(front: str, node: Node, other: Seen, server: Seen) -> DataFlow:
    to = address(other.url.text, other.first) if other.url else None
    api, kind = node.kind == "api", "own-token"
    same = bool(other.marks & server.marks) if other.marks and server.marks else None
    label = ["server's own token", "no passthrough"] if same is False else [other.token or "no token"]
    return DataFlow.model_validate({
        "source": front, "target": node.id, "kind": kind if api else other.transport, "label": label,
        "tls": to.tls if to else None, "same_token": same, "evidence": _evidence(other.first),
    })  # fmt: skip


def _called(server: Seen, flow: DataFlow) -> dict[str, object]:
    """The tools that were really called; of a server without a call its name, and that is inferred."""
    if not server.tools:
        return {"evidence": _INFERRED}
    return {"label": tools_label(list(server.tools)), "evidence": _evidence(min(server.tools.values()))}


def tools_label(names: Sequence[str]) -> list[str]:
    """The first tools, and how many more there are."""
    label = list(names[:_NAMED])
    if len(names) > _NAMED:
        label[-1] += f" +{len(names) - _NAMED}"
    return label


def _authorized(seen: Session, server: Seen) -> dict[str, object]:
    to = address(server.issuer.url.text, 0) if server.issuer and server.issuer.url else None
    when = ["only without a valid token"] if server.refused is not None else []
    since = server.refused if when or server.issuer is None else server.issuer.first
    return {"label": [_OAUTH if seen.pkce else "OAuth", *when], "tls": to.tls if to else None,
            "evidence": _evidence(since)}  # fmt: skip


def _zone(zone: Zone) -> Zone:
    return zone.model_copy(update={"title": "address not recorded"}) if zone.kind == "unknown" else zone


def _evidence(seq: int | None) -> Evidence:
    return _INFERRED if seq is None else Evidence(kind="trace", where=str(seq))


def _of_trace(evidence: Evidence | None) -> Evidence | None:
    """`path:line` of `build`, whose line is a seq here."""
    if evidence is None or evidence.kind != "file":
        return evidence
    return Evidence(kind="trace", where=(evidence.where or "").rpartition(":")[2])


def _is_inferred(evidence: Evidence | None) -> bool:
    return evidence is not None and evidence.kind == "inferred"


def _unversioned(title: str) -> str:
    """The name without the version that stands behind it: `tracker 2.1.0`."""
    name, _, version = title.rpartition(" ")
    return name if name and version.lstrip("v")[:1].isdigit() else title
