"""Systems that no host's file holds: one of a company, made by hand, and those that hypothesis makes up."""

from typing import Any, get_args

from hypothesis import strategies as st

from flowgen.topology import Topology
from flowgen.topology._model import DataFlowKind, NodeKind, Severity, ZoneKind
from tests.scene.arch_strategies import BADGES, LABELS, LINES, WORDS

CHANGES = st.sampled_from([None, None, None, "added", "removed", "changed"])


@st.composite
def systems(draw: st.DrawFn) -> Topology:
    """Zones in zones, nodes in any of them or in none, data flows between anything."""
    zones = [_zone(draw, number) for number in range(draw(st.integers(0, 5)))]
    places = st.sampled_from([None, *(zone["id"] for zone in zones)])
    nodes = [_node(draw, number, places) for number in range(draw(st.integers(1, 9)))]
    ends = st.sampled_from([each["id"] for each in (*nodes, *nodes, *zones)])
    flows = draw(st.lists(st.fixed_dictionaries({
        "source": ends, "target": ends, "kind": st.sampled_from(get_args(DataFlowKind)), "label": LABELS,
        "tls": st.sampled_from([True, False, None]),
        "evidence": st.sampled_from([None, {"kind": "inferred"}]), "change": CHANGES,
    }), max_size=12))  # fmt: skip
    findings = draw(st.lists(st.fixed_dictionaries({
        "code": WORDS, "severity": st.sampled_from(get_args(Severity)), "message": WORDS,
        "server": st.sampled_from([f"s{number}" for number in range(len(nodes))]),
    }), max_size=4))  # fmt: skip
    return Topology.model_validate({"zones": zones, "nodes": nodes, "flows": flows, "findings": findings})


def _zone(draw: st.DrawFn, number: int) -> dict[str, Any]:
    parent = draw(st.sampled_from([None, *(f"z{before}" for before in range(number))]))
    note = draw(st.sampled_from([None, "what the boundary means", "a long note about it " * 5]))
    kind = draw(st.sampled_from(get_args(ZoneKind)))
    told = {"id": f"z{number}", "kind": kind, "title": draw(WORDS), "parent": parent, "note": note}
    return told | {"change": draw(CHANGES)}


def _node(draw: st.DrawFn, number: int, places: st.SearchStrategy[str | None]) -> dict[str, Any]:
    kind = st.sampled_from([*get_args(NodeKind), "server", "server"])
    return {
        "id": f"n{number}", "kind": draw(kind), "title": draw(WORDS), "zone": draw(places), "name": f"s{number}",
        "lines": draw(st.lists(LINES, max_size=2)), "badges": draw(BADGES), "disabled": draw(st.integers(0, 9)) == 9,
        "change": draw(CHANGES),
    }  # fmt: skip


def company() -> Topology:
    """Two hosts, one gateway with four servers, an identity provider, two upstream services, a network in another."""
    zones = [
        _in("laptop", "machine", "Developer laptop (OS user)"), _in("ide", "host", "my-ide", "laptop"),
        _in("corp", "private-network", "acme.internal"),
        _in("agents", "private-network", "agents.acme.internal", "corp"),
        _in("bot", "host", "support-bot", "agents"), _in("idp", "idp", "login.acme.example"),
        _in("tracker", "vendor", "tracker.example"), _in("maps", "vendor", "maps.example"),
    ]  # fmt: skip
    nodes = [
        _at("dev", "person", "Developer", None), _at("agent", "person", "Support agent", None, "approves refunds"),
        _at("m1", "model", "Model", "ide"), _at("c1", "client", "Client 1", "ide", "stdio"),
        _at("c2", "client", "Client 2", "ide", "Streamable HTTP"), _at("m2", "model", "Model", "bot"),
        _at("c3", "client", "Client", "bot", "Streamable HTTP"),
        _at("files", "server", "files", "laptop", "npx files-mcp"),
        _at("gate", "gateway", "tool-gateway", "corp", "gateway.acme.internal"),
        _at("crm", "server", "crm", "agents", "crm-mcp:3.1"), _at("orders", "server", "orders", "agents"),
        _at("search", "server", "search", "agents"), _at("geo", "server", "geo", "corp", "geo-mcp"),
        _at("auth", "auth", "Authorization server", "idp", "login.acme.example"),
        _at("store", "store", "Order store", "agents"), _at("tapi", "api", "Tracker API", "tracker"),
        _at("mapi", "api", "Maps API", "maps"),
    ]  # fmt: skip
    flows = [
        _to("dev", "m1", "approval"), _to("agent", "m2", "approval"), _to("m1", "c1", "tool-call", "read_file"),
        _to("m1", "c2", "tool-call", "create_issue"), _to("m2", "c3", "tool-call", "find_order"),
        _to("c1", "files", "stdio"), _to("c2", "gate", "http", "POST /mcp", "Bearer ••••"),
        _to("c3", "gate", "http", "POST /mcp", "Bearer ••••"), _to("c2", "auth", "oauth", "OAuth 2.1 + PKCE"),
        _to("gate", "auth", "oauth", "token exchange"), _to("gate", "crm", "http", "POST /crm"),
        _to("gate", "orders", "http", "POST /orders"), _to("gate", "search", "http", "POST /search"),
        _to("gate", "geo", "http", "POST /geo"), _to("crm", "tapi", "own-token"),
        _to("orders", "store", "own-token", "password by reference"), _to("geo", "mapi", "own-token", "API key"),
        _to("orders", "crm", "http", "POST /mcp"), _to("search", "agents", "http", "reads all of it"),
        _to("tapi", "search", "http", "webhook"), _to("dev", "maps", "http", "signs up"),
    ]  # fmt: skip
    findings = [
        {"code": "unpinned-package", "severity": "medium", "server": "geo", "message": "package not pinned"},
        {"code": "plain-http", "severity": "high", "server": "search", "message": "plain HTTP", "node": "search"},
    ]
    told = {"title": "Agents at Acme", "zones": zones, "nodes": nodes, "flows": flows, "findings": findings}
    return Topology.model_validate(told)


def _in(zone: str, kind: str, title: str, parent: str | None = None) -> dict[str, Any]:
    return {"id": zone, "kind": kind, "title": title, "parent": parent}


def _at(node: str, kind: str, title: str, zone: str | None, *lines: str) -> dict[str, Any]:
    return {"id": node, "kind": kind, "title": title, "zone": zone, "lines": [*lines], "name": node}


def _to(source: str, target: str, kind: str, *label: str) -> dict[str, Any]:
    return {"source": source, "target": target, "kind": kind, "label": [*label], "tls": True}
