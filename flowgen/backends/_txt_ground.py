"""What stands behind every line of a text picture: lifelines and the edges of frames, and where they stand.

Signs of the ground take one column each, so that it can be cut at any column; what is written over it is measured
as a terminal does.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from flowgen.scene import is_narrow

from ._txt_glyphs import Glyphs, Piece

Written = tuple[int, str, str]  # column, style, text


@dataclass(frozen=True, slots=True)
class Columns:
    """Where things stand. `life` is lane -> column of its lifeline, in order; texts have the columns from `left` to
    `right`, which is `between` the two lifelines or beside all of them. `inset` is what frames take at each side.
    """

    wide: int
    life: Mapping[str, int]
    left: int
    right: int
    between: bool
    edge: int
    inset: int

    @property
    def room(self) -> int:
        """Columns of a text."""
        return self.right - self.left


class Ground:
    """The ground as it is now; it changes from row to row."""

    def __init__(self, columns: Columns, glyphs: Glyphs) -> None:
        self.columns = columns
        self.glyphs = glyphs
        self.ended: set[str] = set()
        self.waits: dict[int, str] = {}
        self.waited = False
        self.depth = 0
        self._known: dict[tuple[int, int], list[Piece]] = {}
        self._signs: list[tuple[int, str, str]] | None = None

    def changed(self) -> None:
        """To be told after every change."""
        self._signs = None
        self._known = {}

    def line(self, written: Iterable[Written]) -> Iterator[Piece]:
        """A line of the ground with texts written over it, in order of their columns."""
        at = 0
        for column, style, text in written:
            yield from self._between(at, column)
            yield style, text
            at = column + cells(text)
        yield from self._between(at, self.columns.wide)

    def _between(self, start: int, end: int) -> Sequence[Piece]:
        if (start, end) not in self._known:
            self._known[start, end] = list(self._cut(start, end))
        return self._known[start, end]

    def _cut(self, start: int, end: int) -> Iterator[Piece]:
        at = start
        for column, style, sign in self._all():
            if at <= column < end:
                yield "", " " * (column - at)
                yield style, sign
                at = column + 1
        yield "", " " * max(0, end - at)

    def _all(self) -> list[tuple[int, str, str]]:
        if self._signs is None:
            self._signs = sorted([*self._edges(), *self._lives()])
        return self._signs

    def _edges(self) -> Iterator[tuple[int, str, str]]:
        for depth in range(min(self.depth, self.columns.inset // 2)):
            yield self.columns.edge + 2 * depth, "frame", self.glyphs.frame.down
            yield self.columns.wide - 1 - 2 * depth, "frame", self.glyphs.frame.down

    def _lives(self) -> Iterator[tuple[int, str, str]]:
        waiting = set(self.waits.values())
        for lane, column in self.columns.life.items():
            if lane not in self.ended:
                yield column, "life", self.glyphs.wait if lane in waiting else self.glyphs.life


def cells(text: str) -> int:
    """The columns that a terminal gives a text."""
    if is_narrow(text):
        return len(text)
    from wcwidth import wcswidth

    wide: int = wcswidth(text)
    return wide if wide >= 0 else len(text)
