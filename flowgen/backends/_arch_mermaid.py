"""A topology as a Mermaid flowchart: a subgraph for each zone, for Markdown that draws it.

Texts of strangers are written as in the sequence diagram (what would act is an entity), and stand in quotes, so that
nothing of them is a keyword, a bracket or a list of Markdown.
"""

import re
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from flowgen.scene import Area, Crossing, Options, Survey, survey, wrap_columns

from ._mermaid import LONGEST, text_of

if TYPE_CHECKING:
    from flowgen.topology import Topology

_EDGES = 500  # lines that Mermaid draws unless it is told otherwise (maxEdges)
_LABEL = 44  # columns of a line of text
_MADE = "%% Made by flowgen; make it anew with: flowgen render FILE -f mermaid"
_SHAPES = {"person": ("([", "])"), "model": ("(", ")"), "client": ("(", ")"), "gateway": ("[[", "]]"),
           "store": ("[(", ")]"), "auth": ("{{", "}}")}  # fmt: skip
_ARROWS = {"stdio": "<-->", "socket": "<-->", "ssh": "<==>", "http": "==>", "sse": "==>", "oauth": "-.->"}

# In quotes: their end, signs of Markdown, shapes and icons; at the beginning of a line, lists and numbers.
_ACTING = re.compile(r'["*_\[\]{}()|@!]|^[-+.\d]')
_MARKERS = re.compile("(?<=\ufb02)(?=\xb0)|(?<=\xb6)(?=\xdf)")  # of entities, while Mermaid works; drawn as entities
_APART = "\u2060"  # a word joiner, which nobody sees


def flowchart(topology: "Topology", options: Options) -> str:
    """The diagram, ending in a newline."""
    told = survey(topology, options)
    text = "\n".join(_lines(told)) + "\n"
    if len(text) > LONGEST or len(told.crossings) > _EDGES:
        size = f"{len(text):,} characters and {len(told.crossings):,} lines"
        most = f"Mermaid draws {LONGEST:,} and {_EDGES:,} unless maxTextSize and maxEdges are raised"
        warnings.warn(f"the diagram has {size}, {most}", stacklevel=2)
    return text


def _lines(told: Survey) -> Iterator[str]:
    yield from ("---", "config:", "  flowchart:", "    wrappingWidth: 360", "---")
    yield _MADE
    yield "flowchart LR"
    zones = iter(range(1, len(told.topology.zones) + 1))
    yield from _area(told, told.outside, zones)
    yield f"title[{_text([told.heading])}]"
    yield "style title fill:none,stroke:none"
    for each in told.crossings:
        yield _edge(told, each)


def _area(told: Survey, area: Area, zones: Iterator[int]) -> Iterator[str]:
    zone = area.zone
    if zone is not None:
        yield f"subgraph z{next(zones)}[{_text([told.zone(zone)])}]"
    for node in area.nodes:
        opening, closing = _SHAPES.get(told.nodes[node].kind, ("[", "]"))
        yield f"n{node}{opening}{_text([told.title(node), *told.lines(node)])}{closing}"
    for inner in area.inside:
        yield from _area(told, inner, zones)
    if zone is not None:
        yield "end"


def _edge(told: Survey, each: Crossing) -> str:
    arrow = "-.->" if told.nodes[each.target].disabled else _ARROWS.get(each.flow.kind, "-->")
    label = told.label(each)
    return f"n{each.source} {arrow}{f'|{_text(label)}|' if label else ''} n{each.target}"


def _text(lines: Sequence[str]) -> str:
    """Lines in quotes."""
    return '"' + "<br/>".join(_safe(part) for line in lines for part in wrap_columns(line, _LABEL)) + '"'


def _safe(text: str) -> str:
    """What the sequence diagram writes for a sign, and the signs of a flowchart beside them."""
    apart = text_of(_MARKERS.sub(_APART, text))
    return _ACTING.sub(_code, apart)


def _code(found: re.Match[str]) -> str:
    return f"#{ord(found[0])};"
