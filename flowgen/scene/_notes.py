"""The cards in a lane: explanations of a message, and what happened inside one participant."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from flowgen.flow import Note

from ._clean import clean
from ._duo_columns import Side
from ._look import Look
from ._parts import pill
from ._shapes import Rect, Shape, Text
from ._text import MONO, wrap, wrap_columns

_PADDING = 12
_INSET = 2 * _PADDING + 4  # from a card's width to that of its text; the last px are for fonts that are a little wider
_ADVANCE = MONO * 12
_LINE = 17
_AFTER_TERM = 4
_BETWEEN = 7
_FIRST = 13  # from a line's top to its baseline


class Card(NamedTuple):
    """A measured card: lines as (offset of the baseline, text, style)."""

    width: float
    height: float
    lines: tuple[tuple[float, str, str], ...]
    frame: str

    def at(self, x: float, y: float) -> Iterable[Shape]:
        """The card with its upper left corner at (x, y)."""
        yield Rect(x, y, self.width, self.height, self.frame, 8)
        for offset, text, style in self.lines:
            yield Text(x + _PADDING, y + offset, text, style)


def note_card(notes: Sequence[Note], side: Side, look: Look, wide: float) -> Card | None:
    """The notes of one side of a message on one card `wide` px; None where there are none."""
    lines: list[tuple[float, str, str]] = []
    y, room = float(_PADDING), wide - _INSET
    term = None
    for note in notes:
        if note.side != side:
            continue
        if look.explain(note.term) != term:
            term = look.explain(note.term)
            y += _BETWEEN if lines else 0
            y = _write(lines, y, _term_lines(term, note.code, room), _term_style(side, note.code)) + _AFTER_TERM
        y = _write(lines, y, wrap(clean(look.explain(note.text)), 12, room), "note.text")
    return Card(wide, y + _PADDING - 2, tuple(lines), f"lane.{side}.note") if lines else None


def _write(lines: list[tuple[float, str, str]], y: float, texts: Iterable[str], style: str) -> float:
    for text in texts:
        lines.append((y + _FIRST, text, style))
        y += _LINE
    return y


def _term_lines(term: str, code: bool, room: float) -> list[str]:
    if code:
        return wrap_columns(clean(term), int(room / _ADVANCE))
    return wrap(clean(term), 12, room, 700)


def _term_style(side: Side, code: bool) -> str:
    return f"note.{'req' if side == 'client' else 'res'}{'.code' if code else ''}"


class LocalCard(NamedTuple):
    """A dashed card with a pill: what one participant did by itself."""

    word: str
    lines: tuple[str, ...]
    width: float

    @property
    def height(self) -> float:
        """Its height."""
        return _LINE * len(self.lines) + 34

    def at(self, x: float, y: float) -> Iterator[Shape]:
        """The card with its upper left corner at (x, y)."""
        yield Rect(x, y, self.width, self.height, "local", 8)
        yield from pill(x + 10, y + 8, self.word, "loc")
        for number, line in enumerate(self.lines):
            yield Text(x + 10, y + 43 + number * _LINE, line, "note.text")
