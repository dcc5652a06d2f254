"""The document of draw.io: cells with a style, a parent and a place, as XML that is not compressed.

Labels are HTML there, and a label stands in an attribute: a text is escaped for the one by `told`, and the whole label
for the other when the cell is written. Places are px; those of a cell in another one count from its corner.
"""

from collections.abc import Iterable, Sequence
from html import escape

LAYER = "1"  # the parent of whatever stands in nothing else

Style = dict[str, object]
Point = tuple[float, float]


def told(text: str, style: str = "", *, bold: bool = False) -> str:
    """A text as HTML in which nothing acts, in a CSS style of ours."""
    safe = escape(text)
    styled = f'<span style="{style}">{safe}</span>' if style else safe
    return f"<b>{styled}</b>" if bold else styled


def vertex(name: str, label: str, style: Style, at: Sequence[float], parent: str = LAYER) -> str:
    """A cell at a place (x, y, width, height)."""
    x, y, wide, high = map(_px, at)
    place = f'<mxGeometry x="{x}" y="{y}" width="{wide}" height="{high}" as="geometry"/>'
    return f'<mxCell id="{name}" {_told(label, style)} vertex="1" parent="{parent}">{place}</mxCell>'


def edge(
    name: str, label: str, style: Style, ends: tuple[str, str], middle: float, turns: Sequence[Point] = ()
) -> str:
    """A line from one cell to another. `middle` is where its label stands: -1 at its beginning, 1 at its end."""
    points = "".join(f'<mxPoint x="{_px(x)}" y="{_px(y)}"/>' for x, y in turns)
    inside = f'<Array as="points">{points}</Array>' if points else ""
    place = f'<mxGeometry x="{_px(middle)}" relative="1" as="geometry">{inside}</mxGeometry>'
    cell = f'edge="1" parent="{LAYER}" source="{ends[0]}" target="{ends[1]}"'
    return f'<mxCell id="{name}" {_told(label, style)} {cell}>{place}</mxCell>'


def document(cells: Iterable[str], title: str, made: str, size: tuple[float, float], ground: str) -> str:
    """The file with one page, ending in a newline; editors tell it by its first letters."""
    wide, high = map(_px, size)
    model = f'grid="0" page="0" pageWidth="{wide}" pageHeight="{high}" math="0" shadow="0" background="{ground}"'
    head = [f'<mxfile host="flowgen" agent="{escape(made)}">', f'<diagram id="architecture" name="{escape(title)}">',
            f"<mxGraphModel {model}>", "<root>", '<mxCell id="0"/>', f'<mxCell id="{LAYER}" parent="0"/>']  # fmt: skip
    return "\n".join([*head, *cells, "</root>", "</mxGraphModel>", "</diagram>", "</mxfile>"]) + "\n"


def _told(label: str, style: Style) -> str:
    known = "".join(f"{key}={value};" for key, value in {"html": 1, **style}.items() if value is not None)
    return f'value="{escape(label)}" style="{known}"'


def _px(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
