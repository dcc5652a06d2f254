"""From the facts of servers to the document: zones, the chain person, model, client, server, and what flows.

Several files stand one below the other: each host has its model and its clients, and a remote server that two of
them reach is one node.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from . import _labels as say
from ._address import Address
from ._facts import Facts
from ._hosts import Host
from ._maps import Found
from ._model import Auth, DataFlow, DataFlowKind, Evidence, Node, Source, Topology, Transport, Zone
from ._shown import shown_path
from ._zones import Place, place_of

MACHINE = Zone(id="machine", kind="machine", title="Developer machine")
_KINDS: dict[Transport, DataFlowKind] = {
    "stdio": "stdio", "http": "http", "sse": "sse", "socket": "socket", "builtin": "stdio",
}  # fmt: skip
_INFERRED = Evidence(kind="inferred")


class File(NamedTuple):
    """A file as it was read: its path as shown, its host, the servers in its order."""

    path: str
    host: Host
    found: Found
    servers: tuple[Facts, ...]

    @property
    def offers(self) -> bool:
        """Whether it offers servers to any host, so that there is no chain."""
        return self.host.form != "settings"


class Drawn(NamedTuple):
    """A server and the nodes that stand for it; `behind` is the one behind a bridge."""

    facts: Facts
    file: File
    front: str
    behind: str | None
    client: str | None


class Reading(NamedTuple):
    """What a topology was made from."""

    files: tuple[File, ...]
    servers: tuple[Drawn, ...]


def build(files: Sequence[File]) -> Topology:
    """The topology of one or several files; its findings are left to a judge."""
    return _Builder(files).topology()


class _Builder:
    def __init__(self, files: Sequence[File]) -> None:
        self.files = tuple(files)
        self.zones: dict[str, Zone] = {}
        self.nodes: dict[str, Node] = {}
        self.flows: list[DataFlow] = []
        self.drawn: list[Drawn] = []
        self.shared: dict[str, tuple[str, int]] = {}  # where an address leads -> its node, and the file that named it
        self.reached: dict[str, set[int]] = {}
        self.counts: dict[str, int] = {}  # how often an id was wanted

    def topology(self) -> Topology:
        sources = [self._file(number, file) for number, file in enumerate(self.files)]
        for node, hosts in self.reached.items():
            if len(hosts) > 1:
                self._say_shared(node, len(hosts))
        if within := list(self._within()):
            self.zones["machine"] = self.zones["machine"].model_copy(update={"lines": within})
        return Topology(
            title=" + ".join(dict.fromkeys(file.path for file in self.files)), sources=sources,
            zones=list(self.zones.values()), nodes=list(self.nodes.values()), flows=self.flows,
        ).made_from(Reading(self.files, tuple(self.drawn)))  # fmt: skip

    def _file(self, number: int, file: File) -> Source:
        zone = None if file.offers and file.servers else self._host(number, file)
        model = self._model(zone) if zone else None
        for count, facts in enumerate(file.servers, 1):
            self._server(number, file, facts, zone, model, count)
        found = file.found
        return Source(path=file.path, host=file.host.title, zone=zone, reads=found.reads, keys=list(found.keys))

    def _host(self, number: int, file: File) -> str:
        self._zone(MACHINE)
        title = file.host.title or "Host"
        zone = self._unique(self.zones, f"host:{title}" if len(self.files) > 1 else "host")
        note = file.path if len(self.files) > 1 else None
        self.zones[zone] = Zone(id=zone, kind="host", title=title, parent="machine", note=note)
        return zone

    def _asks(self) -> bool:
        """Whether any host asks before calls."""
        return not all(file.found.unasked for file in self.files)

    def _model(self, zone: str) -> str:
        if "person" not in self.nodes:
            lines = ["approves calls" if self._asks() else "is not asked"]
            self._node(Node(id="person", kind="person", title="Developer", lines=lines))
        model = self._unique(self.nodes, "model")
        self._node(Node(id=model, kind="model", title="Model", zone=zone))
        self.flows.append(DataFlow(source="person", target=model, kind="approval",
                                   label=["prompt", "approval"] if self._asks() else ["prompt"]))  # fmt: skip
        return model

    def _server(self, number: int, file: File, facts: Facts, zone: str | None, model: str | None, count: int) -> None:
        evidence = Evidence(kind="file", where=f"{file.path}:{facts.line}")
        front = self._front(number, facts, zone, evidence)
        client = None
        if model and zone and facts.transport != "builtin":
            client = self._client(facts, zone, model, front, count, evidence)
        elif model:
            self._flow(model, front, "tool-call", [facts.name or "server"], None, evidence)
        behind = self._behind(facts, front, evidence) if facts.role == "bridge" and facts.address else None
        self._authorization(facts, front if behind else client, behind or front, evidence)
        self.drawn.append(Drawn(facts, file, front, behind, client))

    def _front(self, number: int, facts: Facts, zone: str | None, evidence: Evidence) -> str:
        """What the client speaks to; an address that another file has named is one node."""
        known = self.shared.get(facts.same or "") if facts.role == "server" else None
        if known and known[1] != number:
            self.reached[known[0]].add(number)
            return known[0]
        node = self._unique(self.nodes, f"{facts.role}:{facts.name or 'server'}")
        title = facts.program if facts.role == "bridge" else facts.name or facts.program or "server"
        self._node(Node(
            id=node, kind=facts.role, title=title, name=facts.name, zone=self._place(facts.place, zone, facts.grants),
            lines=say.lines(facts) if facts.role != "bridge" else [facts.launched], transport=facts.transport,
            auth=facts.auth, disabled=facts.disabled, badges=say.badges(facts), scope=facts.scope, evidence=evidence,
        ))  # fmt: skip
        if facts.same and facts.role == "server":
            self.shared[facts.same] = (node, number)
            self.reached[node] = {number}
        return node

    def _client(self, facts: Facts, zone: str, model: str, front: str, count: int, evidence: Evidence) -> str:
        client = self._unique(self.nodes, f"client:{facts.name or 'server'}")
        lines = [say.TRANSPORTS[facts.transport]]
        if facts.role != "bridge" and facts.address:
            lines += ["OAuth client"] if facts.auth == "oauth" else ["OAuth if asked"] if _may_ask(facts) else []
        self._node(Node(
            id=client, kind="client", title=f"Client {count}", name=facts.name, zone=zone, lines=lines,
            disabled=facts.disabled, scope=facts.scope, evidence=evidence,
        ))  # fmt: skip
        self._flow(model, client, "tool-call", [facts.name or "server"], None, evidence)
        tls = facts.address.tls if facts.address and facts.role == "server" else None
        self._flow(client, front, _kind(facts), say.flow_label(facts), tls, evidence)
        return client

    def _behind(self, facts: Facts, front: str, evidence: Evidence) -> str:
        to, transport = facts.address or _nowhere(facts), facts.behind or "http"
        node = self._unique(self.nodes, f"server:{facts.name or 'server'}")
        self._node(Node(
            id=node, kind="server", title=facts.name or to.shown, name=facts.name, zone=self._place(to.place, None),
            lines=[say.full(to)], transport=transport, auth=facts.auth, disabled=facts.disabled, scope=facts.scope,
            badges=say.behind_badges(facts), evidence=evidence,
        ))  # fmt: skip
        self._flow(front, node, _KINDS[transport], say.remote_label(facts, to, transport), to.tls, evidence)
        return node

    def _authorization(self, facts: Facts, source: str | None, server: str, evidence: Evidence) -> None:
        """A row for the authorization server: a fact where the file declares OAuth, else what the client may meet."""
        declared = facts.auth == "oauth" and facts.address is not None
        if source is None or not (declared or _may_ask(facts)):
            return
        node = self._unique(self.nodes, f"auth:{facts.name or 'server'}")
        lines = [facts.issuer.shown] if facts.issuer and facts.issuer.host else ["found at run time"]
        told = evidence if declared else _INFERRED
        self._node(Node(
            id=node, kind="auth", title="Authorization server", zone=self._issuer(facts, server), lines=lines,
            disabled=facts.disabled, evidence=told,
        ))  # fmt: skip
        label = "OAuth 2.1 + PKCE" if declared else "OAuth (inferred)"
        self._flow(source, node, "oauth", [label], True if declared else None, told)

    def _issuer(self, facts: Facts, server: str) -> str | None:
        """The vendor's own zone, unless the file names an issuer elsewhere."""
        own = self.nodes[server].zone
        if not facts.issuer or not facts.issuer.host:
            return own
        place = place_of(facts.issuer.host)
        if place.kind == "unknown" or self._place(place, None, add=False) == own:
            return own
        if place.kind != "vendor":
            return self._place(place, None)
        zone = f"idp:{place.name}"
        self._zone(Zone(id=zone, kind="idp", title=place.name))
        return zone

    def _place(self, place: Place, host: str | None, grants: Sequence[str] = (), add: bool = True) -> str:
        zone = zone_of(place, host)
        if grants:
            zone = zone.model_copy(update={"note": "; ".join(grants)})
        if not add:
            return zone.id
        if place.kind == "sandbox":
            zone = zone.model_copy(update={"id": self._unique(self.zones, zone.id)})
        if zone.parent == "machine":
            self._zone(MACHINE)
        self._zone(zone)
        return zone.id

    def _zone(self, zone: Zone) -> None:
        self.zones.setdefault(zone.id, zone)

    def _node(self, node: Node) -> None:
        self.nodes[node.id] = node

    def _flow(
        self, source: str, target: str, kind: DataFlowKind, label: list[str], tls: bool | None, evidence: Evidence
    ) -> None:
        flow = DataFlow(source=source, target=target, kind=kind, label=label, tls=tls, evidence=evidence)
        self.flows.append(flow)

    def _within(self) -> Iterator[str]:
        """What of the machine is one of its own guests: a WSL distribution, a dev container."""
        inside: dict[str, list[str]] = {}
        for drawn in self.drawn:
            where = _guest(drawn)
            if where and drawn.facts.name:
                inside.setdefault(where, []).append(drawn.facts.name)
        yield from (f"in {where}: {', '.join(names)}" for where, names in inside.items() if "machine" in self.zones)

    def _say_shared(self, node: str, count: int) -> None:
        words = {2: "two", 3: "three", 4: "four", 5: "five"}
        old = self.nodes[node]
        lines = [*old.lines, f"one server, {words.get(count, count)} hosts"]
        self.nodes[node] = old.model_copy(update={"lines": lines})

    def _unique(self, known: dict[str, Zone] | dict[str, Node], wanted: str) -> str:
        """The id itself, or `id#2`, `id#3` … where it is taken."""
        name = wanted
        while name in known:
            self.counts[wanted] = self.counts.get(wanted, 1) + 1
            name = f"{wanted}#{self.counts[wanted]}"
        return name


def zone_of(place: Place, host: str | None) -> Zone:
    if place.kind == "machine":
        return MACHINE
    if place.kind == "host":
        return Zone(id=host or "host", kind="host", title="Host", parent="machine")
    if place.kind == "sandbox":
        return Zone(id=f"sandbox:{place.name}", kind="sandbox", title=place.name, parent="machine")
    if place.kind == "unknown":
        return Zone(id="unknown", kind="unknown", title="address is a variable")
    # the host as it is written stays in the id; its user is no part of a title
    title = place.name.rpartition("@")[2] if place.kind == "other-machine" else place.name
    return Zone(id=f"{place.kind}:{place.name}", kind=place.kind, title=title)


def _guest(drawn: Drawn) -> str | None:
    """The part of the machine in which a program runs, if the file tells one."""
    facts = drawn.facts
    if facts.place.kind not in ("machine", "sandbox") or facts.transport != "stdio":
        return None
    if facts.distribution is not None:
        return f"WSL ({facts.distribution})" if facts.distribution else "WSL"
    return drawn.file.host.note


def _kind(facts: Facts) -> DataFlowKind:
    if facts.transport == "stdio" and facts.place.kind == "other-machine":
        return "ssh"
    return _KINDS[facts.transport]


def _may_ask(facts: Facts) -> bool:
    """Whether a server may answer 401 and lead to an authorization server: a vendor's, over TLS, without a token."""
    transport: Transport | None = facts.behind if facts.role == "bridge" else facts.transport
    to, none = facts.address, "none"
    quiet: Auth = facts.auth
    return bool(to and to.place.kind == "vendor" and to.tls and transport == "http" and quiet == none)


def _nowhere(facts: Facts) -> Address:
    return Address("", None, "", "", Place("unknown"), facts.line)


def file_of(name: str, host: Host, found: Found, servers: Sequence[Facts], *, show_paths: bool) -> File:
    """A file with its path as it may be shown: the home of its owner as `~`, unless paths are to be shown."""
    return File(name if show_paths else shown_path(name), host, found, tuple(servers))
