"""What was added, removed or changed between two topologies, as it is drawn: a sign, a word and a colour, never colour
alone. Nodes and frames have an outline around their own and a tab at the lower edge, lines a sign at their label.
"""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ._shapes import Circle, Rect, Shape, Text
from ._styles import STYLES, Style, letters
from ._text import width
from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import Topology

DONE = ("added", "removed", "changed")
_SIGNS = {"added": "+", "removed": "−", "changed": "~"}
_TONES = {"added": "ok", "removed": "bad", "changed": "warn"}  # badges of these tones are drawn in the same colours
_DASHES = {"added": None, "removed": "3 3", "changed": "9 3"}
_AROUND = 3  # px between an outline and what it is drawn around
_HIGH, _INSET, _PADDING = 16, 12, 16  # of a tab
_DISC = 7  # radius of the sign at a label
ROOM = 10  # px at the foot of a node for its tab


def _styles(done: str) -> dict[str, Style]:
    role = f"arch.badge.{_TONES[done]}"
    text = letters(f"{role}.text", 10, bold=True)._replace(anchor="middle")
    return {
        f"arch.change.{done}": Style(fill=f"{role}.fill", stroke=f"{role}.text", stroke_width=1),
        f"arch.change.{done}.text": text,
        f"arch.change.{done}.around": Style(stroke=f"{role}.text", stroke_width=1.6, dash=_DASHES[done]),
        f"arch.change.{done}.word": letters(f"{role}.text", 10, bold=True),
    }


for _each in DONE:
    STYLES |= _styles(_each)


def tab_of(change: str | None, how: Words) -> str:
    """The sign and the word of a tab; empty where nothing changed."""
    return f"{_SIGNS[change]} {how(f'arch.change.{change}')}" if change else ""


def tab_width(tab: str) -> float:
    """What a tab needs of the edge that it stands on, the tab of a frame around it, which ends there too, beside it."""
    return _INSET + 2 * (width(tab, 10, 700) + _PADDING) + 4 if tab else 0.0


def outlined(x: float, y: float, wide: float, high: float, radius: float, change: str | None) -> Iterator[Shape]:
    """The outline around a node or a frame."""
    if change:
        more = 2 * _AROUND
        style = f"arch.change.{change}.around"
        yield Rect(x - _AROUND, y - _AROUND, wide + more, high + more, style, radius + _AROUND)


def tab_at(x: float, bottom: float, tab: str, change: str | None, from_right: bool = False) -> Iterator[Shape]:
    """A tab on a lower edge, from its left end or up to its right one."""
    if not change:
        return
    wide = width(tab, 10, 700) + _PADDING
    left = x - _INSET - wide if from_right else x + _INSET
    yield Rect(left, bottom - _HIGH / 2, wide, _HIGH, f"arch.change.{change}", _HIGH / 2)
    yield Text(left + wide / 2, bottom + 3.6, tab, f"arch.change.{change}.text")


def sign_at(x: float, y: float, change: str | None) -> Iterator[Shape]:
    """The sign of a data flow with its middle at (x, y)."""
    if change:
        yield Circle(x, y, _DISC, f"arch.change.{change}")
        yield Text(x, y + 3.6, _SIGNS[change], f"arch.change.{change}.text")


def changes_in(topology: "Topology") -> list[str]:
    """The kinds of changes that are drawn or listed, for the legend."""
    parts = (topology.nodes, topology.zones, topology.flows, topology.changes or ())
    found = {each.change for part in parts for each in part}
    return [done for done in DONE if done in found]


def changes_told(topology: "Topology", how: Words) -> list[str]:
    """How many changes of each kind there are, for the line under the title."""
    counts: Counter[str] = Counter(change.change for change in topology.changes or ())
    told = [how(f"arch.changes.{done}", n=counts[done]) for done in DONE if counts[done]]
    return told or [how("arch.changes.none")]
