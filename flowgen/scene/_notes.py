"""The cards in a lane: explanations of a message, and what happened inside one participant."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from flowgen.flow import Note

from ._clean import clean
from ._duo_columns import NOTE, Side
from ._look import Look
from ._parts import pill
from ._shapes import Rect, Shape, Text
from ._text import wrap, wrap_columns

_PADDING = 12
_TEXT_WIDTH = NOTE - 2 * _PADDING - 4  # the last px are for fonts a little wider than the table
_CODE_COLUMNS = 26  # 12 px monospace in the same width
_LINE = 17
_AFTER_TERM = 4
_BETWEEN = 7
_FIRST = 13  # from a line's top to its baseline


@dataclass(frozen=True, slots=True)
class Card:
    """A measured card: lines as (offset of the baseline, text, style)."""

    height: float
    lines: tuple[tuple[float, str, str], ...]
    frame: str

    def at(self, x: float, y: float) -> Iterable[Shape]:
        """The card with its upper left corner at (x, y)."""
        yield Rect(x, y, NOTE, self.height, self.frame, 8)
        for offset, text, style in self.lines:
            yield Text(x + _PADDING, y + offset, text, style)


def note_card(notes: Sequence[Note], side: Side, look: Look) -> Card | None:
    """The notes of one side of a message on one card; None where there are none."""
    lines: list[tuple[float, str, str]] = []
    y = float(_PADDING)
    term = None
    for note in notes:
        if note.side != side:
            continue
        if look.explain(note.term) != term:
            term = look.explain(note.term)
            y += _BETWEEN if lines else 0
            y = _write(lines, y, _term_lines(term, note.code), _term_style(side, note.code)) + _AFTER_TERM
        y = _write(lines, y, wrap(clean(look.explain(note.text)), 12, _TEXT_WIDTH), "note.text")
    return Card(y + _PADDING - 2, tuple(lines), f"lane.{side}.note") if lines else None


def _write(lines: list[tuple[float, str, str]], y: float, texts: Iterable[str], style: str) -> float:
    for text in texts:
        lines.append((y + _FIRST, text, style))
        y += _LINE
    return y


def _term_lines(term: str, code: bool) -> list[str]:
    if code:
        return wrap_columns(clean(term), _CODE_COLUMNS)
    return wrap(clean(term), 12, _TEXT_WIDTH, 700)


def _term_style(side: Side, code: bool) -> str:
    return f"note.{'req' if side == 'client' else 'res'}{'.code' if code else ''}"


@dataclass(frozen=True, slots=True)
class LocalCard:
    """A dashed card with a pill: what one participant did by itself."""

    word: str
    lines: tuple[str, ...]

    @property
    def height(self) -> float:
        """Its height."""
        return _LINE * len(self.lines) + 34

    def at(self, x: float, y: float) -> Iterator[Shape]:
        """The card with its upper left corner at (x, y)."""
        yield Rect(x, y, NOTE, self.height, "local", 8)
        yield from pill(x + 10, y + 8, self.word, "loc")
        for number, line in enumerate(self.lines):
            yield Text(x + 10, y + 43 + number * _LINE, line, "note.text")
