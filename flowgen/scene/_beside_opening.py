"""The block below two sessions: what they say of themselves differently, from what to what, a line each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flowgen.flow import MISSING

from ._beside_rows import value_line
from ._clean import clean_line
from ._look import Look
from ._shapes import Rect, Shape, Text
from ._text import shorten_columns
from ._words import Words

if TYPE_CHECKING:
    from flowgen.flow import Difference

_HEAD, _LINE, _FOOT = 34, 18, 12  # px
_MOST = 16  # lines
_COLUMN = 7.6  # px of a monospace column, with what a wider font takes
_PAD = 16
_PATH, _VALUE = 56, 60  # columns


@dataclass(frozen=True, slots=True)
class OpeningBlock:
    """A measured block; `lines` are place, what was there, what is there now."""

    title: str
    lines: tuple[tuple[str, str, str], ...]
    more: str | None
    left: float
    wide: float

    @property
    def height(self) -> float:
        """In px."""
        return _HEAD + _LINE * (len(self.lines) + (self.more is not None)) + _FOOT

    def at(self, y: float) -> Iterator[Shape]:
        """The block with its top at y."""
        x = self.left + _PAD
        yield Rect(self.left, y, self.wide, self.height, "box", 10)
        yield Text(x, y + 23, self.title, "legend.name")
        for number, (path, was, now) in enumerate(self.lines):
            line = y + _HEAD + _LINE * number + 12
            yield Text(x, line, path, "code")
            yield Text(x + _PATH * _COLUMN, line, was, "beside.removed.text")
            yield Text(x + (_PATH + _VALUE) * _COLUMN, line, now, "beside.added.text")
        if self.more:
            yield Text(x, y + _HEAD + _LINE * len(self.lines) + 12, self.more, "beside.more")


def opening_block(told: "Sequence[Difference]", how: Look, left: float, right: float) -> OpeningBlock | None:
    """The block of what differs; None where nothing does."""
    if not told:
        return None
    shown = told if len(told) <= _MOST else told[: _MOST - 1]
    more = how.words("beside.more", n=len(told) - len(shown)) if len(shown) < len(told) else None
    lines = tuple(_row(each, how.words, right - left) for each in shown)
    return OpeningBlock(how.words("beside.opening"), lines, more, left, right - left)


def _row(each: "Difference", words: Words, wide: float) -> tuple[str, str, str]:
    last = int((wide - 2 * _PAD) / _COLUMN) - _PATH - _VALUE
    path = clean_line(each.path.removeprefix("/"), 200)
    return (
        shorten_columns(path, _PATH - 2, "middle"),
        shorten_columns(f"− {_value(each.was, words)}", _VALUE - 2),
        shorten_columns(f"+ {_value(each.now, words)}", last),
    )


def _value(value: Any, words: Words) -> str:
    return words("beside.none") if value is MISSING else value_line(value)
