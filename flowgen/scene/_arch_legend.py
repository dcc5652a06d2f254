"""The legend of an architecture picture: a swatch of every kind of line and frame in it, and of no other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ._arch_edges import Wire, head, line_style
from ._arch_styles import LINES, ZONES
from ._arch_ways import Way
from ._arch_zones import Frame
from ._shapes import Line, Rect, Shape, Text
from ._text import width
from ._words import Words

_SWATCH, _AFTER, _OVERHEAD = 38, 8, 64
_HIGH = 15  # of a frame's swatch
_PITCH = 24  # from line to line
ABOVE, UNDER = (
    30,
    34,
)  # px: from the picture to the first line's middle, from the last one's to the canvas' edge


@dataclass(frozen=True, slots=True)
class _Item:
    style: str
    name: str
    frame: bool

    @property
    def wide(self) -> float:
        return width(self.name, 11.5) + _OVERHEAD

    def at(self, x: float, y: float) -> Iterator[Shape]:
        if self.frame:
            yield Rect(x, y - _HIGH / 2, _SWATCH, _HIGH, f"arch.zone.{self.style}", 4)
        else:
            way = Way(self.style, ())
            end = x + _SWATCH - (0 if self.style == "off" else 9)
            yield Line(x, y, end, y, line_style(way))
            yield from [] if self.style == "off" else [head(x + _SWATCH, y, way, 1)]
        yield Text(x + _SWATCH + _AFTER, y + 4, self.name, "arch.legend")


class Legend:
    """A measured legend, in lines that fit the picture's width."""

    def __init__(
        self, lines: Iterable[str], wires: Sequence[Wire], frames: Sequence[Frame], how: Words, wide: float
    ):
        self.how = how
        kinds = {*lines, *(wire.way.kind for wire in wires)}
        zones = {frame.zone.kind for frame in frames} if kinds else set()
        edges = [
            _Item(kind, self._line(kind, wires), False)
            for kind in LINES
            if kind in kinds and kind != "approval"
        ]
        framed = [
            _Item(kind, how(f"arch.legend.{kind}"), True)
            for kind in ZONES
            if kind in zones and kind != "host"
        ]
        together = sum(item.wide for item in (*edges, *framed)) - (_OVERHEAD - _SWATCH - _AFTER)
        parts = [[*edges, *framed]] if together <= wide else [edges, framed]
        self.rows = [row for part in parts for row in _wrapped(part, wide)]

    @property
    def height(self) -> float:
        """From the picture's end to the canvas' edge."""
        return ABOVE + _PITCH * (len(self.rows) - 1) + UNDER if self.rows else UNDER - 2

    def at(self, x: float, y: float) -> Iterator[Shape]:
        """The legend below a picture that ends at y."""
        for number, row in enumerate(self.rows):
            left = x
            for item in row:
                yield from item.at(left, y + ABOVE + _PITCH * number)
                left += item.wide

    def _line(self, kind: str, wires: Sequence[Wire]) -> str:
        """The name of a kind of line; of HTTP what holds for all of its lines."""
        if kind != "http":
            return self.how("arch.legend.unknown-line" if kind == "unknown" else f"arch.legend.{kind}")
        labels = [" ".join(wire.way.label) for wire in wires if wire.way.kind == "http"]
        bearer = all("Bearer" in label for label in labels)
        return self.how("arch.legend.bearer" if bearer else "arch.legend.http")


def _wrapped(items: Sequence[_Item], wide: float) -> Iterator[list[_Item]]:
    row: list[_Item] = []
    for item in items:
        if row and sum(each.wide for each in row) + item.wide - 18 > wide:
            yield row
            row = []
        row.append(item)
    if row:
        yield row
