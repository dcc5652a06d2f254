"""A topology as C4 text for PlantUML: a boundary for each zone, to be drawn and worked on further.

The words are those of C4-PlantUML, which PlantUML itself brings along: nothing is fetched. Texts of strangers stand in
quotes in one line and are written as in the sequence diagram, so that nothing of them acts.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from flowgen.scene import Area, Crossing, Options, Survey, paint, survey, wrap_columns

from ._plantuml import headline_of, text_of

if TYPE_CHECKING:
    from flowgen.topology import Topology

_LABEL, _NOTE = 44, 84  # columns of a line of text
_WHOLE = 1000  # columns of what C4 itself sets in small letters: they would end with the line
_LISTED = 40  # findings that a note has room for
_MADE = "' Made by flowgen; make it anew with: flowgen render FILE -f plantuml"
_ELEMENTS = {"person": "Person", "api": "System_Ext", "store": "ContainerDb"}
_STYLED = {"person": "person", "container": "server", "external_system": "api"}  # C4's name, and ours of the style
_BOTH = frozenset(["stdio", "socket", "ssh"])  # both ends speak whenever they like
_QUOTES = re.compile(r'["\u201c\u201d\u00ab\u00bb]')  # that may end an argument


def arch_plantuml(topology: "Topology", options: Options) -> str:
    """The diagram, ending in a newline."""
    return "\n".join(_lines(survey(topology, options))) + "\n"


def _lines(told: Survey) -> Iterator[str]:
    yield from ("@startuml", _MADE, "!include <C4/C4_Container>", "LAYOUT_LEFT_RIGHT()", "HIDE_STEREOTYPE()",
                "skinparam noteTextAlignment left")  # fmt: skip
    yield f"title {headline_of(told.heading)}"
    yield from _styles(told)
    yield from _area(told, told.outside, iter(range(1, len(told.topology.zones) + 1)))
    yield from (_relation(told, each) for each in told.crossings)
    yield from _findings(told)
    yield from _legend(told)
    yield "@enduml"


def _styles(told: Survey) -> Iterator[str]:
    """What elements, boundaries and relations look like, as far as they occur."""
    letters = paint("arch.title").fill
    for name, kind in _STYLED.items():
        look = paint(f"arch.{kind}")
        colours = f'$bgColor="{look.fill}", $fontColor="{letters}", $borderColor="{look.stroke}"'
        yield f'UpdateElementStyle("{name}", {colours})'
    yield f'AddElementTag("faint", $borderColor="{paint("arch.off").stroke}", $borderStyle=DashedLine())'
    for kind in sorted({zone.kind for zone in told.topology.zones}):
        yield _boundary_tag(kind)
    for kind in sorted({told.kind(each) for each in told.crossings}):
        yield _relation_tag(kind)


def _boundary_tag(kind: str) -> str:
    look, title = paint(f"arch.zone.{kind}"), paint(f"arch.zone.{kind}.title").fill
    return (
        f'AddBoundaryTag("{kind}", $bgColor="{look.fill}", $fontColor="{title}", $borderColor="{look.stroke}", '
        f'$borderStyle={"DashedLine()" if look.dash else "SolidLine()"})'
    )


def _relation_tag(kind: str) -> str:
    look, text = paint(f"arch.line.{kind}"), paint(f"arch.label.{kind}.text").fill
    dashes = "DottedLine()" if kind == "off" else "DashedLine()" if look.dash else "SolidLine()"
    return f'AddRelTag("{kind}", $textColor="{text}", $lineColor="{look.stroke}", $lineStyle={dashes})'


def _area(told: Survey, area: Area, zones: Iterator[int]) -> Iterator[str]:
    zone = area.zone
    if zone is not None:
        title, note = _text([told.zone(zone)]), _text([told.note(zone)], _WHOLE)
        yield f'Boundary(z{next(zones)}, {title}, {note}, $tags="{zone.kind}") {{'
    yield from (_element(told, node) for node in area.nodes)
    for inner in area.inside:
        yield from _area(told, inner, zones)
    if zone is not None:
        yield "}"


def _element(told: Survey, node: int) -> str:
    known = told.nodes[node]
    written = _ELEMENTS.get(known.kind, "Container")
    given = [f"n{node}", _text([told.title(node)]), _text(told.lines(node))]
    if written.startswith("Container"):
        given.insert(2, '""')  # the technology stands among the lines
    if known.disabled or (known.evidence is not None and known.evidence.kind == "inferred"):
        given.append('$tags="faint"')
    return f"{written}({', '.join(given)})"


def _relation(told: Survey, each: Crossing) -> str:
    kind = told.kind(each)
    written = "BiRel" if kind in _BOTH else "Rel"
    return f'{written}(n{each.source}, n{each.target}, {_text(told.label(each))}, $tags="{kind}")'


def _findings(told: Survey) -> Iterator[str]:
    found = told.findings
    if not found:
        return
    lines = [told.how("arch.table.findings")]
    lines += [f"{told.how(f'arch.severity.{each.severity}')}: {told.sentence(each)}" for each in found[:_LISTED]]
    lines += [told.how("arch.undrawn.more", n=len(found) - _LISTED)] if len(found) > _LISTED else []
    yield f"note {_text(lines, _NOTE)} as findings"


def _legend(told: Survey) -> Iterator[str]:
    rows = told.legend()
    if rows:
        letters = paint("arch.title").fill
        yield "legend right"
        for style, name in rows:
            yield f"|{_swatch(style)}| <color:{letters}>{text_of(name)} |"
        yield "endlegend"


def _swatch(style: str) -> str:
    """A cell of the legend: full of a line's colour, or dashed as a frame is."""
    look = paint(style)
    return f"<{look.fill}><color:{look.stroke}> - - - " if look.fill else f"<{look.stroke}>     "


def _text(lines: Sequence[str], wide: int = _LABEL) -> str:
    """Lines in quotes, as an argument."""
    parts = [part for line in lines for part in wrap_columns(line, wide)]
    return '"' + "\\n".join(_QUOTES.sub(_code, text_of(part)) for part in parts if part) + '"'


def _code(found: re.Match[str]) -> str:
    return f"<U+{ord(found[0]):04X}>"
