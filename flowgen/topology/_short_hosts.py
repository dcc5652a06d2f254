"""`host my-ide` with `servers`: the chain of a host, read and placed as a config file's servers are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._address import address
from ._build import Drawn, File, build, zone_of
from ._hosts import Host
from ._labels import DECLARED
from ._maps import Found
from ._model import Topology
from ._short_servers import Server, is_remote, server_of, with_scheme
from ._short_words import Page, line_of

_OF_OAUTH = ("url", "title", "lines", "label")
_OF_UPSTREAM = ("title", "url", "lines", "label", "tls", "same_token")
OAUTH = ["OAuth 2.1 + PKCE", "only without a valid token"]
UPSTREAM = ["server's own token", "no passthrough"]
_NAMED = 2  # tools on a line


@dataclass(frozen=True, slots=True)
class Hosted:
    """A host zone with `servers`; `nested` says that the zone around it is told."""

    zone: dict[str, Any]
    servers: Any
    line: int
    nested: bool


@dataclass(slots=True)
class Chains:
    """What the hosts of a description stand for, and the facts that their servers are judged by."""

    zones: list[dict[str, Any]] = field(default_factory=list)
    nodes: list[dict[str, Any]] = field(default_factory=list)
    flows: list[dict[str, Any]] = field(default_factory=list)
    files: tuple[File, ...] = ()
    drawn: tuple[Drawn, ...] = ()

    def sources(self, name: str, zones: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The description itself, once for every host."""
        hosts = [zone for zone in zones if zone["kind"] == "host"]
        return [{"path": name, "host": zone["title"], "zone": zone["id"]} for zone in hosts] or [{"path": name}]


def chains(hosted: Sequence[Hosted], page: Page) -> Chains:
    """The chains of all hosts; a remote server that two of them reach is one node. Raises ConfigError."""
    if not hosted:
        return Chains()
    servers = [list(_servers(host, page)) for host in hosted]
    told = [
        File(page.name, Host(str(host.zone["title"]), ()), Found(), tuple(each.facts for each in row))
        for host, row in zip(hosted, servers, strict=True)
    ]
    return _Maker(hosted, [each for row in servers for each in row], build(told), page).made()


def _servers(host: Hosted, page: Page) -> Iterator[Server]:
    if host.servers is not None and not isinstance(host.servers, dict):
        raise page.fault(host.line, "servers: expected names with what each is", "such as files: uvx files@1.2.0")
    for name, value in (host.servers or {}).items():
        yield server_of(name, value, line_of(host.servers, name, host.line), page)


class _Maker:
    """The topology of `build`, told as a description, with what the entries say beside it."""

    def __init__(self, hosted: Sequence[Hosted], servers: Sequence[Server], built: Topology, page: Page) -> None:
        self.hosted, self.servers, self.page = hosted, servers, page
        self.zones = {zone.id: zone.model_dump(exclude_none=True) for zone in built.zones}
        self.nodes = {node.id: node.model_dump() for node in built.nodes}
        self.flows = [flow.model_dump() for flow in built.flows]
        self.files, self.drawn = (built.reading.files, built.reading.servers) if built.reading else ((), ())
        self.own = [source.zone for source in built.sources]

    def made(self) -> Chains:
        for drawn, server in zip(self.drawn, self.servers, strict=True):
            self._server(drawn, server)
        for at, host in enumerate(self.hosted):
            self._move(host, self.own[at] or "", [drawn for drawn in self.drawn if drawn.file is self.files[at]])
        used = {node["zone"] for node in self.nodes.values()} | {zone.get("parent") for zone in self.zones.values()}
        if "machine" not in used:
            self.zones.pop("machine", None)
        parts = [*self.nodes.values(), *self.flows]
        for part in parts:
            part["evidence"] = _described(part["evidence"], f"{self.page.name}:{self.hosted[0].line}")
        return Chains([*self.zones.values()], [*self.nodes.values()], self.flows, self.files, self.drawn)

    def _server(self, drawn: Drawn, server: Server) -> None:
        plain = server.plain
        self.nodes[drawn.front] |= {key: plain[key] for key in ("title", "lines", "badges", "auth") if key in plain}
        for flow in self.flows:
            if "label" in plain and flow["source"] == drawn.client and flow["target"] == drawn.front:
                flow["label"] = plain["label"]
            if "tools" in plain and flow["kind"] == "tool-call" and flow["target"] == (drawn.client or drawn.front):
                flow["label"] = _tools(plain["tools"])
        if "oauth" in server.wide:
            self._oauth(drawn, *server.wide["oauth"])
        for kind in ("api", "store"):
            if kind in server.wide:
                self._upstreams(kind, drawn, *server.wide[kind])

    def _oauth(self, drawn: Drawn, value: Any, line: int) -> None:
        source = drawn.front if drawn.behind else drawn.client
        flow = next((each for each in self.flows if each["kind"] == "oauth" and each["source"] == source), None)
        if flow is None:
            return
        if not value:
            self._unsuppose(flow, drawn.client)
            return
        told = self.page.values(value, line, _OF_OAUTH, lambda key: True) if isinstance(value, dict) else {}
        flow["label"] = told.get("label", OAUTH)
        flow["tls"] = drawn.facts.issuer.tls if drawn.facts.issuer else flow["tls"]
        for each in self.flows:
            if each["target"] == drawn.front and each["label"][1:] == [DECLARED]:
                each["label"] = [each["label"][0], "Bearer"]
        self.nodes[flow["target"]] |= {key: told[key] for key in ("title", "lines") if key in told}

    def _unsuppose(self, flow: dict[str, Any], client: str | None) -> None:
        """Whoever describes the system knows that there is no authorization server."""
        self.flows.remove(flow)
        del self.nodes[flow["target"]]
        if client:
            lines = self.nodes[client]["lines"]
            self.nodes[client]["lines"] = [each for each in lines if each != "OAuth if asked"]

    def _upstreams(self, kind: str, drawn: Drawn, value: Any, line: int) -> None:
        server = drawn.behind or drawn.front
        for number, each in enumerate(value if isinstance(value, list) else [value], 1):
            name = f"{kind}:{drawn.facts.name}" + (f"#{number}" if number > 1 else "")
            self._upstream(kind, name, server, self._told(kind, each, line), line)

    def _told(self, kind: str, value: Any, line: int) -> dict[str, Any]:
        """A title, an address, or a table with both."""
        if isinstance(value, dict):
            return self.page.values(value, line, _OF_UPSTREAM, lambda key: False)
        text = self.page.raw(kind, value, line)
        return {"url": text} if is_remote(text) else {"title": self.page.text(kind, value, line)}

    def _upstream(self, kind: str, name: str, server: str, told: dict[str, Any], line: int) -> None:
        to = address(with_scheme(told["url"]), line) if told.get("url") else None
        zone = zone_of(to.place, None).model_dump(exclude_none=True) if to else {"id": self.nodes[server]["zone"]}
        if to:
            self.zones.setdefault(zone["id"], zone)
        lines = [to.shown] if to and told.get("title") else ["upstream"] if kind == "api" else []
        evidence = {"kind": "file", "where": f"{self.page.name}:{line}"}
        self.nodes[name] = {
            "id": name, "kind": kind, "title": told.get("title") or (to.shown if to else kind), "zone": zone["id"],
            "lines": told.get("lines", lines), "evidence": evidence,
        }  # fmt: skip
        self.flows.append({
            "source": server, "target": name, "kind": "own-token", "label": told.get("label", UPSTREAM),
            "tls": told.get("tls", to.tls if to else None), "same_token": told.get("same_token", False),
            "evidence": evidence,
        })  # fmt: skip

    def _move(self, host: Hosted, made: str, drawn: Sequence[Drawn]) -> None:
        """The host's zone as it is told, and what runs beside it into the zone around it."""
        own, around = host.zone["id"], host.zone["parent"] if host.nested else "machine"
        self.zones = {
            (own if key == made else key): (host.zone | {"parent": around} if key == made else zone)
            for key, zone in self.zones.items()
        }
        for node in self.nodes.values():
            node["zone"] = own if node["zone"] == made else node["zone"]
        for node in self._beside(drawn) if host.nested else ():
            if node["zone"] == "machine":
                node["zone"] = around
            elif node["zone"] != own and self.zones[node["zone"]].get("parent") == "machine":
                self.zones[node["zone"]]["parent"] = around

    def _beside(self, drawn: Sequence[Drawn]) -> Iterator[dict[str, Any]]:
        """What a host's servers are, and what they and their clients speak to."""
        own = {name for each in drawn for name in (each.client, each.front, each.behind) if name}
        reached = {flow["target"] for flow in self.flows if flow["source"] in own}
        return (self.nodes[name] for name in sorted(own | reached))


def _tools(names: list[str]) -> list[str]:
    label = names[:_NAMED]
    if len(names) > _NAMED:
        label[-1] += f" +{len(names) - _NAMED}"
    return label


def _described(evidence: dict[str, Any] | None, place: str) -> dict[str, Any]:
    if evidence is None:
        return {"kind": "described", "where": place}
    return {**evidence, "kind": "described"} if evidence["kind"] == "file" else evidence
