"""The legend of an architecture picture: a swatch of every kind of line and frame in it, and of no other."""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ._arch_both import both, both_of
from ._arch_changes import DONE, sign_at
from ._arch_edges import Wire, head, line_style
from ._arch_styles import LINES, ZONES
from ._arch_ways import Way
from ._arch_zones import Frame
from ._shapes import Line, Rect, Shape, Text
from ._text import width
from ._words import Words

_SWATCH, _AFTER, _OVERHEAD = 38, 8, 64
_HIGH = 15  # of a frame's swatch
_KEYS = {"unknown": "unknown-line"}  # a frame is called `unknown`, too
_OFF = {
    frozenset([True]): "arch.legend.off", frozenset([False]): "arch.legend.off-far",
    frozenset([True, False]): "arch.legend.off-both", frozenset(): "arch.legend.off-both",
}  # fmt: skip
_NONE = re.compile(r"placeholder|占位符")  # words that stand in a token's place
_OWN = re.compile(r"(?i)\bown\b|自己|自有")
_PITCH = 24  # from line to line
ABOVE, UNDER = (
    30,
    34,
)  # px: from the picture to the first line's middle, from the last one's to the canvas' edge


class _Item(NamedTuple):
    style: str
    name: str
    frame: bool

    @property
    def wide(self) -> float:
        return width(self.name, 11.5) + _OVERHEAD

    def at(self, x: float, y: float) -> Iterator[Shape]:
        if self.style in DONE:
            yield from sign_at(x + _SWATCH / 2, y, self.style)
        elif self.frame:
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
        self, lines: Iterable[str], wires: Sequence[Wire], frames: Sequence[Frame], how: Words, wide: float,
        changes: Sequence[str] = (),
    ):  # fmt: skip
        zones = {frame.zone.kind for frame in frames} if [*lines, *wires] else set()
        ways = [*(Way(kind, ()) for kind in lines), *(wire.way for wire in wires)]
        edges = [_Item(kind, name, False) for kind, name in line_names(ways, how)]
        framed = [_Item(kind, name, True) for kind, name in zone_names(zones, how)]
        framed += [_Item(done, both_of(f"arch.legend.{done}", how), False) for done in changes]
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


def line_names(ways: Iterable[Way], how: Words) -> Iterator[tuple[str, str]]:
    """The kinds of lines that a legend explains, with what they are called: what holds for every line of the kind.

    An approval says by itself what it is.
    """
    of_kind: dict[str, list[Way]] = {}
    for way in ways:
        of_kind.setdefault(way.kind, []).append(way)
    for kind in LINES:
        if kind in of_kind and kind != "approval":
            yield kind, both(partial(_name, kind, of_kind[kind]), how)


def _name(kind: str, ways: Sequence[Way], how: Words) -> str:
    if kind == "http":
        name = how(f"arch.legend.{_encrypted(ways)}")
        return how("arch.legend.bearer", line=name) if all(map(_sends_bearer, ways)) else name
    if kind == "off":
        return how(_OFF[frozenset(way.near for way in ways if way.label)])
    if kind == "own" and not all(_is_own(way, how) for way in ways):
        return how("arch.legend.upstream")
    return how(f"arch.legend.{_KEYS.get(kind, kind)}")


def _encrypted(ways: Sequence[Way]) -> str:
    """What is known of the encryption of all lines of HTTP; one that stays on its machine may do without."""
    found = {"near" if way.near and way.tls is False else way.tls for way in ways}
    known: dict[str | bool | None, str] = {True: "https", "near": "http-near", None: "unknown-line"}
    if len(found) == 1:
        return known.get(found.pop(), "http")
    return "http-both" if found == {True, "near"} else "http"


def _sends_bearer(way: Way) -> bool:
    return any("Bearer" in line and _NONE.search(line) is None for line in way.label)


def _is_own(way: Way, how: Words) -> bool:
    """Whether the words on a line to what lies upstream say that the token is the server's own."""
    own = how("arch.text.server-s-own-token")
    return any(line == own or _OWN.search(line) for line in way.label)


def zone_names(kinds: Container[str], how: Words) -> Iterator[tuple[str, str]]:
    """The kinds of frames that a legend explains, with what they are called. A host's title says what it is."""
    for kind in ZONES:
        if kind in kinds and kind != "host":
            yield kind, both_of(f"arch.legend.{kind}", how)


def _wrapped(items: Sequence[_Item], wide: float) -> Iterator[list[_Item]]:
    row: list[_Item] = []
    for item in items:
        if row and sum(each.wide for each in row) + item.wide - 18 > wide:
            yield row
            row = []
        row.append(item)
    if row:
        yield row
