"""Notes in the picture with three to six lanes: cards under the box, headings left, explanations right of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from flowgen.flow import Note

from ._clean import clean
from ._look import LedgerLook
from ._shapes import Rect, Shape, Text
from ._text import wrap, wrap_columns

_LINE = 17
_INSET = 16
_TERM = 168  # width of the column of headings, its gap included
_TERM_COLUMNS = 21  # 12 px monospace in that column
_FIRST = 19.5  # from the card's top to its first baseline
_SLACK = 6  # px for fonts a little wider than the table


@dataclass(frozen=True, slots=True)
class NoteCard:
    """The notes of one side: lines as (x offset, line number, text, style)."""

    lines: tuple[tuple[float, int, str, str], ...]
    role: str
    width: float

    @property
    def height(self) -> float:
        """Its height."""
        return _LINE * (max(line[1] for line in self.lines) + 1) + 13

    def at(self, x: float, y: float) -> Iterable[Shape]:
        """The card with its upper left corner at (x, y)."""
        yield Rect(x, y, self.width, self.height, f"lane.{self.role}", 8)
        for offset, number, text, style in self.lines:
            yield Text(x + _INSET + offset, y + _FIRST + number * _LINE, text, style)


def note_cards(notes: Sequence[Note], look: LedgerLook) -> list[NoteCard]:
    """A card for each side that has notes, the client's first."""
    cards = []
    for side in ("client", "server"):
        mine = [note for note in notes if note.side == side]
        if mine:
            cards.append(NoteCard(tuple(_lines(mine, look)), side, look.card))
    return cards


def _lines(notes: Sequence[Note], look: LedgerLook) -> Iterable[tuple[float, int, str, str]]:
    number = 0
    for term, same in groupby(notes, key=lambda note: look.explain(note.term)):
        group = list(same)
        style = f"note.{'req' if group[0].side == 'client' else 'res'}{'.code' if group[0].code else ''}"
        heads = _heads(term, group[0].code)
        texts = [line for note in group for line in _texts(look.explain(note.text), look.card)]
        yield from ((0.0, number + at, text, style) for at, text in enumerate(heads))
        yield from ((_TERM, number + at, text, "note.text") for at, text in enumerate(texts))
        number += max(len(heads), len(texts))


def _heads(term: str, code: bool) -> list[str]:
    if code:
        return wrap_columns(clean(term), _TERM_COLUMNS)
    return wrap(clean(term), 12, _TERM - 12 - _SLACK, 700)


def _texts(text: str, wide: float) -> list[str]:
    return wrap(clean(text), 12, wide - 2 * _INSET - _TERM - _SLACK)
