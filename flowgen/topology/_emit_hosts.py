"""Hosts of a topology as `host NAME` with `servers`, as far as that can say what the topology holds.

Nobody is to trust it blindly: the emitter reads what comes from here again and compares.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from flowgen.errors import ConfigError

from ._build import MACHINE, Reading
from ._document import Document
from ._files import document
from ._model import DataFlow, Node, Topology, Zone
from ._short import short
from ._short_hosts import OAUTH, UPSTREAM
from ._short_words import MARK
from ._yaml_text import yaml_text

Part = dict[str, Any]

_WORDS = (("auth",), ("title", "lines", "badges"))  # of the auth the badges depend
_RUN_TIME = "found at run time"


def hosts_of(topology: Topology, reading: Reading | None) -> Part:
    """What may stand for the topology, or nothing; what an entry says beside its line is found by trying."""
    writer = _Writer(topology, reading)
    told = writer.hosts()
    try:
        return writer.corrected(told) if told else {}
    except ConfigError:
        return {}  # a name or a line that no entry can hold


class _Writer:
    def __init__(self, topology: Topology, reading: Reading | None) -> None:
        self.topology = topology
        self.nodes = {node.id: node for node in topology.nodes}
        self.zones = {zone.id: zone for zone in topology.zones}
        self.out: dict[str, list[DataFlow]] = defaultdict(list)
        for flow in topology.flows:
            self.out[flow.source].append(flow)
        self.named: dict[str | None, list[Node]] = defaultdict(list)
        for node in topology.nodes:
            self.named[node.name].append(node)
        self.facts = {drawn.front: drawn.facts for drawn in reading.servers} if reading else {}

    def hosts(self) -> Part:
        """`host NAME: {servers: …}` for every host zone; nothing if a host is not such a chain."""
        found: Part = {}
        for zone in self.topology.zones:
            if zone.kind == "host":
                key = f"host {zone.title}"
                servers = self._servers(zone)
                if servers is None or key in found or not _is_key(zone.title):
                    return {}
                usual = "host" if not found else f"host:{zone.title}"
                own = {"id": zone.id} if zone.id != usual else {}
                told = own | ({"note": zone.note} if zone.note else {}) | {"servers": servers}
                found[key] = told | self._supposed("model", zone.id)
        return self._supposed("person", None) | found | self._machine() if found else {}

    def _supposed(self, kind: str, zone: str | None) -> Part:
        """A person or a model that is only inferred."""
        nodes = (node for node in self.nodes.values() if node.kind == kind and node.zone == zone)
        supposed = any(node.evidence and node.evidence.kind == "inferred" for node in nodes)
        return {kind: {"inferred": True}} if supposed else {}

    def _machine(self) -> Part:
        """The developer's machine, where more is told of it than that it is there."""
        zone = next((zone for zone in self.topology.zones if zone.id == "machine"), MACHINE)
        words = ("title", "note", "lines")
        told = {word: getattr(zone, word) for word in words if getattr(zone, word) != getattr(MACHINE, word)}
        return {"machine": told} if told else {}

    def corrected(self, told: Part) -> Part:
        """With what differs in the topology that is read from it: first kinds of credentials, then words and badges."""
        for words in _WORDS:
            read = short(_read(told).value, "x")
            nodes = {node.id: node for node in read.nodes}
            flows = {(flow.source, flow.target): flow for flow in read.flows}
            for entry, front, client in self._entries(told):
                if front.id in nodes:
                    entry |= _different(front, nodes[front.id], words)
                    if words is _WORDS[-1]:
                        entry |= self._labelled(client, front, flows) | self._asked(client, front, read)
        for host in told.values():
            if "servers" in host:
                host["servers"] = {name: _shortest(entry) for name, entry in host["servers"].items()}
        return told

    def _entries(self, told: Part) -> Iterator[tuple[Part, Node, Node | None]]:
        """Every entry with the node that its client speaks to, and the client."""
        for host in told.values():
            for name, entry in host.get("servers", {}).items():
                front, client = self._front(name)
                if front:
                    yield entry, front, client

    # One entry

    def _servers(self, zone: Zone) -> Part | None:
        model = next((node for node in self.nodes.values() if node.kind == "model" and node.zone == zone.id), None)
        found: Part = {}
        for flow in self.topology.flows if model else ():
            if flow.source == model.id and flow.kind == "tool-call":  # type: ignore[union-attr]
                node = self.nodes.get(flow.target)
                entry = self._entry(node, flow) if node else None
                if node is None or entry is None or node.name is None or not _is_key(node.name) or node.name in found:
                    return None
                found[node.name] = entry
        return found

    def _entry(self, node: Node, call: DataFlow) -> Part | None:
        tools = {"tools": call.label} if call.label != [node.name] else {}
        if node.kind != "client":
            return {"type": "builtin", **tools}
        way = next((flow for flow in self.out[node.id] if flow.kind != "oauth"), None)
        front = self.nodes.get(way.target) if way else None
        if way is None or front is None or not front.lines:
            return None
        entry = {**self._started(front, way), **tools, **self._oauth(node, front), **self._upstreams(front)}
        zone = self.zones.get(front.zone or "")
        boxed = zone is not None and zone.kind == "sandbox" and zone.title == "declared in the file"
        return entry | ({"sandboxEnabled": True} if boxed else {}) | ({"disabled": True} if front.disabled else {})

    def _started(self, front: Node, way: DataFlow) -> Part:
        """How it is started or where it is, by what is shown of it."""
        line = front.lines[0]
        facts = self.facts.get(front.id)
        if way.kind in ("http", "sse"):
            kind = {"type": way.kind} if (way.kind == "sse") != line.rstrip("/").endswith("/sse") else {}
            return {"url": _url(line, way.tls), **kind}
        if way.kind == "socket":
            return {"url": f"unix:{line}" if line.startswith("/") else line}
        if front.kind == "bridge":
            behind = next((flow for flow in self.out[front.id] if flow.kind in ("http", "sse")), None)
            far = self.nodes.get(behind.target) if behind else None
            return {"run": f"{line} {_url(far.lines[0], behind.tls)}" if far and behind and far.lines else line}
        return {"run": facts.launched if facts and facts.launched else line}

    def _oauth(self, client: Node, front: Node) -> Part:
        source = front if front.kind == "bridge" else client
        flow = next((flow for flow in self.out[source.id] if flow.kind == "oauth"), None)
        node = self.nodes.get(flow.target) if flow else None
        if flow is None or node is None or (node.evidence and node.evidence.kind == "inferred"):
            return {}
        where: Part = {"url": _url(node.lines[0], flow.tls)} if node.lines and node.lines != [_RUN_TIME] else {}
        return {"oauth": {**where, "label": flow.label, "lines": node.lines, "title": node.title}}

    def _upstreams(self, front: Node) -> Part:
        """APIs and stores behind the server that stand beside it."""
        behind = (self.nodes.get(flow.target) for flow in self.out[front.id] if front.kind == "bridge")
        server = next((node for node in behind if node and node.kind == "server"), front)
        found: dict[str, list[Any]] = {}
        for flow in self.out[server.id]:
            node = self.nodes.get(flow.target)
            if flow.kind == "own-token" and node and node.kind in ("api", "store") and node.zone == server.zone:
                found.setdefault(node.kind, []).append(_upstream(node, flow))
        return {kind: told[0] if len(told) == 1 else told for kind, told in found.items()}

    # What differs

    def _front(self, name: str) -> tuple[Node | None, Node | None]:
        for client in (node for node in self.named[name] if node.kind == "client"):
            way = next((flow for flow in self.out[client.id] if flow.kind != "oauth"), None)
            if way:
                return self.nodes.get(way.target), client
        return next(iter(self.named[name]), None), None

    def _labelled(self, client: Node | None, front: Node, flows: dict[tuple[str, str], DataFlow]) -> Part:
        own = next((flow for flow in self.out[client.id] if flow.target == front.id), None) if client else None
        read = flows.get((client.id, front.id)) if client else None
        return {"label": own.label} if own and read and own.label != read.label else {}

    def _asked(self, client: Node | None, front: Node, read: Topology) -> Part:
        """`oauth: false` where an authorization server would be supposed and none is."""
        source = front.id if front.kind == "bridge" else client.id if client else ""
        supposed = any(flow.kind == "oauth" and flow.source == source for flow in read.flows)
        return {"oauth": False} if supposed and not any(flow.kind == "oauth" for flow in self.out[source]) else {}


def _different(node: Node, read: Node, words: Sequence[str]) -> Part:
    return {word: getattr(node, word) for word in words if getattr(node, word) != getattr(read, word)}


def _shortest(entry: Part) -> Any:
    """A text, where an address or a command line is all."""
    oauth = entry.get("oauth")
    if isinstance(oauth, dict):
        usual = oauth.get("label") == OAUTH
        plain = usual and oauth.get("title") == "Authorization server"
        url = oauth.get("url", "")
        if plain and (oauth["lines"] == [url.partition("://")[2]] or not url):
            entry = entry | {"oauth": url.removeprefix("https://") or True}
    return next(iter(entry.values())) if len(entry) == 1 and not {"type"} & {*entry} else entry


def _upstream(node: Node, flow: DataFlow) -> Any:
    """Its title, and what is not usual; an address stands in its line."""
    usual = ["upstream"] if node.kind == "api" else []
    told: Part = {"lines": node.lines} if node.lines != usual else {}
    told |= {"label": flow.label} if flow.label != UPSTREAM else {}
    told |= {"tls": flow.tls} if flow.tls is not None else {}
    told |= {"same_token": flow.same_token} if flow.same_token is not False else {}
    return {"title": node.title, **told} if told else node.title


def _url(line: str, tls: bool | None) -> str:
    """The address that a line shows: `full` leaves the scheme out where it says nothing new."""
    if "://" in line or tls is None:
        return line
    return f"https://{line}" if tls else f"http://{line}"


def _is_key(text: str) -> bool:
    return bool(text) and text == text.strip() and text.isprintable() and len(text) <= 120


def _read(hosts: Part) -> Document:
    return document("x.yaml", yaml_text({MARK: "topology", **hosts}).encode())
