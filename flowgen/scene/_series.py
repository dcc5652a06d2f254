"""Progress as a small series: a track with a tick for every value, the first and the last one in numbers.

It stands where the box of a message stands, and says how many notifications it is for by the outlines behind it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from flowgen.flow import Entry, Progress, progress_series

from ._clean import clean_line
from ._shapes import Circle, Line, Rect, Shape, Text
from ._text import shorten, width

_INSET = 16
_GAP = 12  # between a number and the track
_TRACK, _WORDS = 22, 45  # y of the track and of the words' baseline
_HIGH, _HIGH_WITH_WORDS = 42, 60
_TICK = 5  # half of a tick's height
_CLOSEST = 2  # px from one tick to the next; closer values share one
_BEHIND = 2  # outlines
_LARGE = 10**15  # whole numbers from here on are no progress that anybody reads
_MOST = 400  # characters of the words


class SeriesBox(NamedTuple):
    """A measured series. `ticks` are shares of the track, `words` those of the last notification that had any."""

    width: float
    ticks: tuple[float, ...]
    first: str
    last: str
    words: str
    bar: str
    bar_right: bool

    @property
    def height(self) -> float:
        """Height with the outlines that stand behind it."""
        return self._high + 3 * _BEHIND

    @property
    def _high(self) -> float:
        return _HIGH_WITH_WORDS if self.words else _HIGH

    def at(self, x: float, y: float) -> Iterable[Shape]:
        """The box with its upper left corner at (x, y)."""
        for step in range(_BEHIND, 0, -1):
            yield Rect(x + 3 * step, y + 3 * step, self.width, self._high, "box.behind", 8)
        yield Rect(x, y, self.width, self._high, "box", 8)
        bar = x + self.width - 3.5 if self.bar_right else x
        yield Rect(bar, y + 8, 3.5, self._high - 16, self.bar, 1.75)
        yield from self._track(x + _INSET, x + self.width - _INSET, y + _TRACK)
        if self.words:
            shown = shorten(self.words, 12, self.width - 2 * _INSET)
            yield Text(x + _INSET, y + _WORDS, shown, "note.text", None if shown == self.words else self.words)

    def _track(self, left: float, right: float, y: float) -> Iterable[Shape]:
        yield Text(left, y + 4.5, self.first, "series.number")
        yield Text(right, y + 4.5, self.last, "series.number.end")
        left, right = left + width(self.first, 12, 700) + _GAP, right - width(self.last, 12, 700) - _GAP
        yield Line(left, y, right, y, "series.track")
        places = [round(left + share * (right - left), 2) for share in self.ticks]
        yield Line(places[0], y, max(places), y, "series.done")
        yield from (Line(x, y - _TICK, x, y + _TICK, "series.tick") for x in _apart(places))
        yield Circle(places[-1], y, 4, "bar.ntf")


def is_series(entries: Sequence[Entry]) -> bool:
    """Whether these share a box that is a series: several notifications of progress with values in them."""
    return len(entries) > 1 and len(_values(entries)) > 1


def series_box(entries: Sequence[Entry], wide: float, bar: str, bar_right: bool) -> SeriesBox | None:
    """The box of several notifications of progress; None for anything else."""
    if not is_series(entries):
        return None
    values = _values(entries)
    said = next((value.message for value in reversed(values) if value.message), "")
    last = values[-1]
    end = f"{_number(last.progress)} / {_number(last.total)}" if last.total is not None else _number(last.progress)
    ticks = tuple(_shares(values))
    return SeriesBox(wide, ticks, _number(values[0].progress), end, clean_line(said, _MOST), bar, bar_right)


def _values(entries: Iterable[Entry]) -> list[Progress]:
    return [value for entry in entries for value in progress_series(entry)]


def _shares(values: Sequence[Progress]) -> Iterator[float]:
    """How far along the track each value stands: from the lowest to the total where one was said, else the highest."""
    numbers = [float(value.progress) for value in values]
    totals = [float(value.total) for value in values if value.total is not None]
    low, high = min(numbers), max(*numbers, *totals[-1:])
    reach = high / 2 - low / 2  # halves: the whole reach of two huge numbers is more than a float holds
    return ((number / 2 - low / 2) / reach if reach else 0.0 for number in numbers)


def _apart(places: Iterable[float]) -> Iterator[float]:
    last: float | None = None
    for place in sorted(set(places)):
        if last is None or place - last >= _CLOSEST:
            yield place
            last = place


def _number(value: float) -> str:
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < _LARGE else f"{float(value):.3g}"
    return f"{value:g}" if abs(value) < 1_000_000 else f"{value:.3g}"
