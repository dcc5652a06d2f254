"""A topology as a short description to start editing: what is read from it again is the same topology.

Whatever is usual is left out. Of the evidence only `inferred` is kept: what a person writes down is described.
Findings are not written: whoever edits the file is judged anew. Secrets are masked, homes are `~`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from flowgen.errors import ConfigError
from flowgen.trace import mask_shapes

from ._emit_hosts import hosts_of
from ._files import document
from ._model import Topology, Zone
from ._short import short
from ._short_flows import ARROW, Ends
from ._short_words import (
    MARK,
    Page,
    usual_id,
    usual_kind,
    usual_label,
    usual_lines,
    usual_name,
    usual_title,
    usual_tls,
    usual_transport,
)  # fmt: skip
from ._yaml_text import yaml_text

_HOMES = re.compile(r"(?i)(?<![^\s=:,'\"])(?:/home/|/Users/|[A-Za-z]:[\\/]+Users[\\/]+)[^/\\:\s]+")
_HALVES = re.compile(r"[\ud800-\udfff]")  # of characters, which JSON can hold and no file
_MARKS = ("seen", "change", "was")
_LONGEST = 120  # of a name in a key; YAML itself takes 1,024 characters

Part = dict[str, Any]


def emitted(topology: Topology, origin: str) -> str:
    """The short description in YAML; `origin` is what its head says it was made from."""
    cleaned = Topology.model_validate(_clean(topology.model_dump(exclude={"findings", "sources"})))
    value: Part = {MARK: "topology", **_unusual(cleaned, {"title": None, "revision": None}), **_more(cleaned)}
    hosts = hosts_of(cleaned, topology.reading)
    short_one = _refined(cleaned, value | hosts) if hosts else None
    return _head(origin) + yaml_text(short_one or value | _Tree(cleaned).value())


def normal(topology: Topology) -> dict[str, Any]:
    """What a description keeps of a topology, in an order of its own."""
    told = topology.model_dump(exclude={"findings", "sources", "format", "changes"})
    for key in ("zones", "nodes", "flows"):
        told[key] = [_plain(part) for part in told[key]]
    told["zones"].sort(key=lambda zone: str(zone["id"]))
    told["flows"].sort(key=str)
    return told


def _refined(topology: Topology, value: Part) -> Part | None:
    """A description by hosts with the data flows that it does not give as they are; None if that is not all."""
    read = _read(value)
    if read is None:
        return None
    known, ends = {str(flow) for flow in normal(read)["flows"]}, _ends(topology)
    rows = [_flow(flow, ends) for flow in topology.flows if str(_plain(flow.model_dump())) not in known]
    refined = value | ({"flows": rows} if rows else {})
    again = _read(refined) if rows else read
    return refined if again is not None and normal(again) == normal(topology) else None


def _plain(part: Part) -> Part:
    """A part without where it was seen, and without the marks of a comparison."""
    evidence = (part.get("evidence") or {}).get("kind")
    return {key: each for key, each in part.items() if key not in _MARKS} | {"evidence": evidence == "inferred"}


def _read(value: Part) -> Topology | None:
    try:
        return short(document("x.yaml", yaml_text(value).encode()).value, "x")
    except ConfigError:
        return None


def _ends(topology: Topology) -> Ends:
    zones, nodes = ([part.model_dump() for part in parts] for parts in (topology.zones, topology.nodes))
    return Ends(zones, nodes, Page("x"))


def _head(origin: str) -> str:
    name = "".join(sign for sign in mask_shapes(_HOMES.sub("~", origin)) if sign.isprintable())
    return f"""\
# Made by flowgen render --emit yaml from {name}.
# From here on it is yours: edit it, draw it (flowgen render), judge it (flowgen check); README.md has the words.
# Left out: values of secrets, where each thing was seen, and findings, which are judged anew.
"""


def _clean(value: Any) -> Any:
    """A document with no secret's shape and no user's name in a path, in whatever text of it."""
    if isinstance(value, str):
        return _HALVES.sub("\ufffd", mask_shapes(_HOMES.sub("~", value)))
    if isinstance(value, dict):
        return {key: _clean(each) for key, each in value.items()}
    return [_clean(each) for each in value] if isinstance(value, list) else value


def _more(part: Any) -> Part:
    return {"more": part.model_extra} if part.model_extra else {}


class _Tree:
    """Zones with what is in them, in the order of the nodes."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self.zones = {zone.id: zone for zone in topology.zones}
        self.inside: dict[str | None, list[Any]] = {zone: [] for zone in (None, *self.zones)}
        self.first: dict[str, int] = {}
        for at, node in enumerate(topology.nodes):
            self._note(node.zone, at)
            self.inside[node.zone].append((at, node))
        for at, zone in enumerate(topology.zones, len(topology.nodes)):
            self.inside[zone.parent].append((self.first.get(zone.id, at), zone))
        self.hosts = 0

    def _note(self, place: str | None, at: int) -> None:
        """The place of a zone is that of its first node."""
        while place is not None and place not in self.first:
            self.first[place] = at
            place = self.zones[place].parent

    def value(self) -> Part:
        """Zones and nodes, and below them the data flows."""
        told = self._in(None, ())
        ends = _ends(self.topology)
        rows = [_flow(flow, ends) for flow in self.topology.flows]
        return told | ({"flows": rows} if rows else {})

    def _in(self, place: str | None, around: tuple[str, ...]) -> Part:
        told: Part = {}
        clients = 0
        for _, part in sorted(self.inside[place], key=lambda each: each[0]):
            if isinstance(part, Zone):
                key, value = self._zone(part, told, around)
            else:
                key, value = _cheapest(part, told, lambda name, node=part, n=clients: _of_node(node, name, around, n))
                clients += part.kind == "client"
            told[key] = value
        return told

    def _zone(self, zone: Zone, told: Part, around: tuple[str, ...]) -> tuple[str, Any]:
        first = zone.kind == "host" and not self.hosts
        self.hosts += zone.kind == "host"
        key, value = _cheapest(zone, told, lambda name: _of_zone(zone, name, first))
        value = {} if value is None else {"note": value} if isinstance(value, str) else value
        inner = self._in(zone.id, (zone.kind, *around))
        return key, value | inner if value or inner else None


def _cheapest(part: Any, told: Part, attributes: Any) -> tuple[str, Any]:
    """The key with which the least has to be said, and what has to be said."""
    names = [part.id.removeprefix(f"{part.kind}:"), part.title, getattr(part, "name", None) or ""]
    free = [name for name in (*names, "") if _is_key(name) and _key(part.kind, name) not in told]
    number = 1
    while not free:
        number += 1
        free = [name for name in (f"no {number}",) if _key(part.kind, name) not in told]
    best = min(free, key=lambda name: len(attributes(name)))
    value = attributes(best)
    only = next(iter(value.values()), None) if len(value) == 1 else None
    if isinstance(part, Zone):
        return _key(part.kind, best), only if "note" in value and isinstance(only, str) else value or None
    line = only[0] if "lines" in value and isinstance(only, list) and len(only) == 1 else None
    return _key(part.kind, best), line if line is not None else value or None


def _is_key(name: str) -> bool:
    return name == name.strip() and name.isprintable() and len(name) <= _LONGEST


def _key(kind: str, name: str) -> str:
    return f"{kind} {name}" if name else kind


def _of_zone(zone: Zone, name: str, first: bool) -> Part:
    own = "host" if first else usual_id(zone.kind, name)
    usual: Part = {"id": own, "title": usual_title(zone.kind, name, 0), "note": None, "lines": []}
    return _unusual(zone, usual) | _more(zone)


def _of_node(node: Any, name: str, around: Sequence[str], clients: int) -> Part:
    usual = {
        "id": usual_id(node.kind, name), "title": usual_title(node.kind, name, clients),
        "name": usual_name(node.kind, name), "lines": usual_lines(node.kind),
        "transport": usual_transport(node.kind, around), "auth": None, "disabled": False, "badges": [], "scope": None,
    }  # fmt: skip
    return _unusual(node, usual) | _inferred(node) | _more(node)


def _unusual(part: Any, usual: Mapping[str, Any]) -> Part:
    return {key: getattr(part, key) for key in usual if getattr(part, key) != usual[key]}


def _inferred(part: Any) -> Part:
    return {"inferred": True} if part.evidence and part.evidence.kind == "inferred" else {}


def _flow(flow: Any, ends: Ends) -> Part | str:
    """A line, or a table where a line cannot say it."""
    source, target = ends.end(flow.source), ends.end(flow.target)
    told = _inferred(flow) | _more(flow)
    tls = usual_tls(flow.kind, target, "inferred" in told)
    told |= _unusual(flow, {"tls": tls, "same_token": None})
    own_kind = {"kind": flow.kind} if flow.kind != usual_kind(source, target) else {}
    own_label = {"label": flow.label} if flow.label != usual_label(flow.kind, target, flow.tls) else {}
    words = [ends.word_for(flow.source), ends.word_for(flow.target)]
    if not all(map(_is_end, words)):
        return {"from": words[0], "to": words[1], **own_kind, **own_label, **told}
    said = _said(flow, own_kind, own_label, told)
    return ARROW.join(words) if said is None and ": " not in "".join(words) else {ARROW.join(words): said}


def _is_end(word: str) -> bool:
    """Whether a data flow's line can be taken apart again."""
    return ARROW.strip() not in word and word == word.strip() and not word.endswith(":") and len(word) <= _LONGEST


def _said(flow: Any, own_kind: Part, own_label: Part, told: Part) -> Any:
    spoken = all(", " not in word for word in flow.label) and (flow.label or not own_label)
    if told or not spoken:
        return own_kind | own_label | told
    if own_label:
        return ", ".join([flow.kind, *flow.label])
    return flow.kind if own_kind else None


