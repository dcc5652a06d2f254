"""The short form of a topology, as a person writes it in YAML, TOML or JSON.

A key is a kind and a name (`vendor tracker.example`, `server files`), zones hold zones and nodes, data flows are lines
such as `client files -> server files: stdio`, and `host my-ide` with `servers` stands for a whole chain. The text is as
untrusted as a config: every error names file and line, and what looks like a secret is not shown.
"""

from typing import Any

from ._build import Reading
from ._described import check
from ._model import Topology
from ._short_flows import Ends, flow_of
from ._short_hosts import Chains, Hosted, chains
from ._short_words import (
    MARK,
    OF_NODES,
    OF_ZONES,
    ZONES,
    Page,
    cut,
    evidenced,
    line_of,
    parted,
    usual_id,
    usual_lines,
    usual_name,
    usual_title,
    usual_transport,
)  # fmt: skip

_OF_DOCUMENT = (MARK, "format", "title", "revision", "sources", "findings", "flows", "more")
_OF_SOURCES = ("path", "host", "zone", "reads", "keys")
_OF_FINDINGS = ("code", "severity", "message", "server", "host", "where", "advice", "source", "node")
_DEEPEST = 40


def is_short(value: Any) -> bool:
    """Whether a file's value is a short description: it says `flowgen: topology`, or speaks in its words."""
    if not isinstance(value, dict):
        return False
    if MARK in value:
        return isinstance(value[MARK], str) and value[MARK].startswith("topol")
    told = str(value.get("format", "")).startswith("flowgen.topology/")
    return told and any(parted(key) is not None for key in value)


def short(value: Any, name: str) -> Topology:
    """The topology of a short description; `name` is what errors call the file. Raises ConfigError."""
    return _Reader(value, Page(name)).topology()


class _Reader:
    """Collects zones and nodes as they stand, then the data flows, whose ends may stand anywhere."""

    def __init__(self, value: Any, page: Page) -> None:
        self.value, self.page = value, page
        self.zones: list[dict[str, Any]] = []
        self.nodes: list[dict[str, Any]] = []
        self.hosted: list[Hosted] = []
        self.places: dict[str, int] = {}  # of every id, the line on which it stands

    def topology(self) -> Topology:
        value, page = self.value, self.page
        page.values(value, 1, _OF_DOCUMENT, lambda key: parted(key) is not None)
        if value.get(MARK, "topology") not in ("topology", "topology/1"):
            raise page.unknown(line_of(value, MARK, 1), str(value[MARK]), ["topology"], "form")
        for key, child in value.items():
            if parted(key):
                self._thing(key, child, line_of(value, key, 1), ())
        made = chains(self.hosted, page)
        whole = self._document(made)
        found = Topology.model_validate(whole)
        check(found, page.name)
        return found.made_from(Reading(made.files, made.drawn)) if made.drawn else found

    def _document(self, made: Chains) -> dict[str, Any]:
        zones, nodes = _merged(made.zones, self.zones), _merged(made.nodes, self.nodes)
        ends = Ends(zones, nodes, self.page)
        flows = _refined(made.flows, self._flows(ends))
        told = {key: self.page.value(key, self.value[key], line_of(self.value, key, 1))
                for key in ("title", "revision") if key in self.value}  # fmt: skip
        more = self.page.value("more", self.value.get("more"), line_of(self.value, "more", 1)) or {}
        sources = self._tables("sources", _OF_SOURCES) or made.sources(self.page.name, zones)
        return {**more, **told, "sources": sources, "zones": zones, "nodes": nodes, "flows": flows,
                "findings": self._tables("findings", _OF_FINDINGS)}  # fmt: skip

    def _tables(self, key: str, known: tuple[str, ...]) -> list[dict[str, Any]]:
        """A list of objects of the full document, as they are there."""
        rows, line = self.value.get(key) or [], line_of(self.value, key, 1)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise self.page.fault(line, f"{key}: expected a list of tables", f"each with {', '.join(known[:3])}")
        told = [self.page.values(row, line, known, lambda key: False) for row in rows]
        needed = {"findings": ("code", "severity", "message"), "sources": ("path",)}[key]
        if lacking := next((word for row in told for word in needed if word not in row), None):
            raise self.page.fault(line, f"{key}: one has no {lacking}", f"each needs {', '.join(needed)}")
        return [{word: each for word, each in row.items() if each is not None} for row in told]

    def _flows(self, ends: Ends) -> list[dict[str, Any]]:
        rows, line = self.value.get("flows") or [], line_of(self.value, "flows", 1)
        if not isinstance(rows, list):
            raise self.page.fault(line, "flows: expected a list", "such as - client files -> server files: stdio")
        lines = getattr(rows, "lines", [line] * len(rows))
        return [flow_of(row, at, ends, self.page) for row, at in zip(rows, lines, strict=True)]

    # Zones and nodes

    def _thing(self, key: str, value: Any, line: int, around: tuple[dict[str, Any], ...]) -> None:
        kind, name = parted(key) or ("", "")
        if len(around) > _DEEPEST:
            raise self.page.fault(line, "zones nested too deeply", f"at most {_DEEPEST} inside each other")
        if kind in ZONES:
            self._zone(kind, name, value, line, around)
        else:
            self._node(kind, name, value, line, around)

    def _zone(self, kind: str, name: str, value: Any, line: int, around: tuple[dict[str, Any], ...]) -> None:
        body = {"note": value} if isinstance(value, str) else value or {}
        if not isinstance(body, dict):
            raise self.page.fault(line, f"{kind} {name}: expected what is in it", "such as server files: a command")
        known = (*OF_ZONES, "servers") if kind == "host" else OF_ZONES
        told = self.page.values(body, line, known, lambda key: parted(key) is not None)
        servers, more = told.pop("servers", None), told.pop("more", None) or {}
        parent = around[0]["id"] if around else None
        usual = "host" if kind == "host" and not self._has_host() else usual_id(kind, name)
        zone = {**more, "kind": kind, "id": usual, "title": usual_title(kind, name, 0), "parent": parent} | told
        self._enter(zone["id"], f"{kind} {name}", line)
        if "servers" in body:
            self.hosted.append(Hosted(zone, servers, line_of(body, "servers", line), bool(around)))
        else:
            self.zones.append(zone)
        for key, child in body.items():
            if parted(key):
                self._thing(key, child, line_of(body, key, line), (zone, *around))

    def _node(self, kind: str, name: str, value: Any, line: int, around: tuple[dict[str, Any], ...]) -> None:
        body = {"lines": value} if isinstance(value, str) else value or {}
        if not isinstance(body, dict):
            raise self.page.fault(line, f"{kind} {name}: expected a text or a table", "such as {lines: …}")
        told = self.page.values(body, line, OF_NODES, lambda key: False)
        zone = around[0] if around else None
        clients = sum(node["kind"] == "client" and node["zone"] == (zone and zone["id"]) for node in self.nodes)
        kinds = [each["kind"] for each in around]
        node = {
            **(told.pop("more", None) or {}), "kind": kind, "id": usual_id(kind, name),
            "title": usual_title(kind, name, clients), "name": usual_name(kind, name), "lines": usual_lines(kind),
            "zone": zone and zone["id"], "transport": usual_transport(kind, kinds),
        }  # fmt: skip
        node |= evidenced(told, self.page.name, line)
        self._enter(node["id"], f"{kind} {name}", line)
        self.nodes.append(node)

    def _has_host(self) -> bool:
        return bool(self.hosted) or any(zone["kind"] == "host" for zone in self.zones)

    def _enter(self, id_: str, what: str, line: int) -> None:
        if id_ in self.places:
            before = self.places[id_]
            raise self.page.fault(line, f"{cut(what)!r} stands in line {before} already", "give one of them an id: …")
        self.places[id_] = line


def _refined(made: list[dict[str, Any]], told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The data flows of chains, and those that are told; one of a chain that is told, too, has what is told."""
    own = {_way(flow): flow for flow in told}
    chains = {_way(flow): own.get(_way(flow), flow) for flow in made}
    return [*chains.values(), *(flow for flow in told if _way(flow) not in chains)]


def _way(flow: dict[str, Any]) -> tuple[str, str, str]:
    return flow["source"], flow["target"], flow["kind"]


def _merged(made: list[dict[str, Any]], told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What chains hold, and what is told; of a thing that is both, what is told counts."""
    both = {each["id"]: each for each in told}
    known = [both.pop(each["id"], each) for each in made]
    return [*known, *both.values()]
