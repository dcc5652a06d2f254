"""A topology for Graphviz: a cluster for each zone, to be laid out and worked on further.

Every text of a stranger is a string in quotes. Two signs act in there: a quote, and a backslash, which begins escapes
such as `\\N`, `\\G` and `\\l`; both are written so that they are drawn as they are.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from flowgen.scene import Area, Crossing, Options, Survey, survey, wrap_columns

if TYPE_CHECKING:
    from flowgen.topology import Topology

_LABEL = 44  # columns of a line of text
_MADE = "// Made by flowgen; make it anew with: flowgen render FILE -f dot"
_OPENING = (
    'rankdir="LR" newrank="true" compound="true" labelloc="t" charset="UTF-8" fontname="sans-serif"',
    'node [shape="box" style="rounded,filled" fillcolor="#ffffff" color="#334155" fontname="sans-serif" fontsize="12"]',
    'edge [color="#475569" fontname="sans-serif" fontsize="10"]',
)
_SHAPES = {"person": "oval", "gateway": "box3d", "store": "cylinder", "auth": "hexagon"}
# the colours of the picture in light
_ZONES = {"machine": ("#15803d", "#f0fdf4"), "host": ("#7c8ba1", "#ffffff"), "sandbox": ("#c2640a", "#fffbeb"),
          "vendor": ("#2563eb", "#eff6ff"), "idp": ("#7c3aed", "#f5f3ff"), "private-network": ("#db2777", "#fdf2f8"),
          "other-machine": ("#0891b2", "#ecfeff"), "unknown": ("#64748b", "#f8fafc")}  # fmt: skip
_LINES = {"stdio": 'color="#15803d" dir="both"', "socket": 'color="#15803d" dir="both" style="dashed"',
          "ssh": 'color="#c2640a" dir="both"', "http": 'color="#2563eb"', "sse": 'color="#2563eb"',
          "oauth": 'color="#7c3aed" style="dashed"', "own-token": 'color="#0891b2"'}  # fmt: skip
_PLAIN = 'color="#dc2626"'  # nothing is encrypted
_OFF = 'style="dotted" dir="none"'


def dot(topology: "Topology", options: Options) -> str:
    """The graph, ending in a newline."""
    return "\n".join(_lines(survey(topology, options))) + "\n"


def _lines(told: Survey) -> Iterator[str]:
    yield _MADE
    yield "digraph architecture {"
    yield from _OPENING
    yield f"label={_text([told.heading])}"
    yield from _area(told, told.outside, iter(range(len(told.topology.zones) + 1)))
    for each in told.crossings:
        yield f'"n{each.source}" -> "n{each.target}" [label={_text(told.label(each))} {_look(told, each)}]'
    yield "}"


def _area(told: Survey, area: Area, zones: Iterator[int]) -> Iterator[str]:
    zone, number = area.zone, next(zones)
    if zone is not None:
        stroke, fill = _ZONES[zone.kind]
        yield f'subgraph "cluster_{number}" {{'
        style = "rounded" if zone.kind == "host" else "rounded,dashed"
        yield f'label={_text([told.zone(zone)])} style="{style},filled" color="{stroke}" fillcolor="{fill}"'
    yield from (_node(told, node) for node in area.nodes)
    for inner in area.inside:
        yield from _area(told, inner, zones)
    if zone is not None:
        if not area.nodes and not area.inside:
            yield f'"z{number}" [style="invis" label=""]'  # else nothing is drawn of it
        yield "}"


def _node(told: Survey, node: int) -> str:
    known = told.nodes[node]
    text = _text([told.title(node), *told.lines(node)])
    faint = known.disabled or (known.evidence is not None and known.evidence.kind == "inferred")
    style = ' style="rounded,filled,dashed"' if faint else ""
    return f'"n{node}" [label={text} shape="{_SHAPES.get(known.kind, "box")}"{style}]'


def _look(told: Survey, each: Crossing) -> str:
    if told.nodes[each.target].disabled:
        return _OFF
    if told.unencrypted(each):
        return _PLAIN
    return _LINES.get(each.flow.kind, "")


def _text(lines: Sequence[str]) -> str:
    """Lines in quotes. Letters of HTML entities, which Graphviz would replace, stay letters."""
    parts = [part for line in lines for part in wrap_columns(line, _LABEL)]
    return '"' + "\\n".join(map(_safe, parts)) + '"'


def _safe(text: str) -> str:
    return text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
