"""The pill that stands for a long run of exchanges: its words in as many lines as they need, parted at their dots."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ._shapes import Rect, Shape, Text
from ._text import shorten, width

_WIDE = 592  # px of a line at most: a box's less the round ends
_HIGH, _LINE = 28, 16
_PAD = 32
_DOT = " · "
_MOST = 4  # lines


class RunPill(NamedTuple):
    """A pill that is measured; `whole` is its text where a line of it had to be cut."""

    lines: tuple[str, ...]
    whole: str | None

    @property
    def height(self) -> float:
        """In px; that of one line is 28."""
        return _HIGH + _LINE * (len(self.lines) - 1)

    def at(self, x: float, y: float, centred: bool = False) -> Iterator[Shape]:
        """The pill with its left end or its middle at x."""
        wide = max(width(line, 12, 700) for line in self.lines) + _PAD
        left = x - wide / 2 if centred else x
        yield Rect(left, y, wide, self.height, "run", 14)
        for place, line in enumerate(self.lines):
            yield Text(left + wide / 2, y + 18.5 + place * _LINE, line, "run.text", self.whole if place == 0 else None)


def run_pill(text: str, room: float = _WIDE) -> RunPill:
    """The words of a run, its parts together on a line as long as they fit `room` px."""
    lines = list(_lines(text.split(_DOT), room))
    shown = tuple(shorten(line, 12, room, 700, "middle") for line in lines[:_MOST])
    return RunPill(shown, None if [*shown] == lines else text)


def _lines(parts: Iterable[str], room: float) -> Iterator[str]:
    line = ""
    for part in parts:
        longer = f"{line}{_DOT}{part}" if line else part
        if line and width(longer, 12, 700) > room:
            yield line
            longer = part
        line = longer
    yield line
