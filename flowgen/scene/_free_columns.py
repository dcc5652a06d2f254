"""The columns of a laid out graph, the channels between them, and where a line may cross a column.

A layout from left to right puts parts into columns that share no x; channels hold no part, so lines turn there.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

_ROOM_PART, _ROOM_TITLE, _ROOM_EDGE = 4, 4, 5  # px that a line keeps at least from parts, titles, and frames' edges
_MORE = 4  # px that it keeps more where it may choose
_STEP = 9  # px from one line to the next that crosses a column
_FAR = 1e6
NARROW = 16.0  # px that a gap keeps at least


class Area(NamedTuple):
    """A rectangle by its edges."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> float:
        """Its y."""
        return (self.top + self.bottom) / 2

    def moved(self, x: float, y: float) -> "Area":
        """The same elsewhere."""
        return Area(self.left + x, self.top + y, self.right + x, self.bottom + y)


def meet(one: Area, other: Area) -> bool:
    """Whether two areas lie on each other."""
    return one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom


@dataclass(frozen=True, slots=True)
class Floor:
    """Everything at its place: parts, frames with the room of their titles."""

    parts: tuple[Area, ...]
    frames: tuple[Area, ...]
    titles: tuple[Area, ...]

    def moved(self, x: float, y: float) -> "Floor":
        """The same elsewhere."""
        told = ([area.moved(x, y) for area in areas] for areas in (self.parts, self.frames, self.titles))
        return Floor(*map(tuple, told))

    def stretched(self, at: Sequence[tuple[float, float]]) -> "Floor":
        """The same with room put in: (x, px), from left to right. Titles keep their size."""

        def wide(area: Area) -> Area:
            return area._replace(left=shifted(area.left, at), right=shifted(area.right, at))

        titles = [area.moved(shifted(area.left, at) - area.left, 0) for area in self.titles]
        return replace(
            self, parts=tuple(map(wide, self.parts)), frames=tuple(map(wide, self.frames)), titles=tuple(titles)
        )


def shifted(x: float, at: Sequence[tuple[float, float]]) -> float:
    """Where an x comes to stand."""
    return x + sum(by for place, by in at if x >= place)


@dataclass(frozen=True, slots=True)
class Channel:
    """What lies between two columns: gaps between parts and the sides of frames; lines turn in `gap`, one of them."""

    gaps: tuple[tuple[float, float], ...]
    gap: tuple[float, float]

    @property
    def left(self) -> float:
        """Where the column left of it ends."""
        return self.gaps[0][0]

    @property
    def right(self) -> float:
        """Where the column right of it begins."""
        return self.gaps[-1][1]


class Columns:
    """The columns of a floor from left to right. `home` is the column of every part, `channels` are those between.

    `titles` are those of the floor, as far as they may reach.
    """

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.spans = _merged((part.left, part.right) for part in floor.parts)
        starts = [left for left, _ in self.spans]
        self.home = [bisect_right(starts, part.left + 0.01) - 1 for part in floor.parts]
        ends = pairwise(self.spans)
        self.channels = [self._channel(one[1], other[0]) for one, other in ends]
        self.titles = [self._reach(title) for title in floor.titles]
        self.free = [tuple(self._free(at)) for at in range(len(self.spans))]
        self.used: list[list[float]] = [[] for _ in self.spans]

    def _channel(self, left: float, right: float) -> Channel:
        sides = [x for frame in self.floor.frames for x in (frame.left, frame.right) if left < x < right]
        stops = sorted({left, right, *sides})
        gaps = tuple(pairwise(stops))
        return Channel(gaps, min(gaps, key=lambda gap: (self._around(gap), gap[0] - gap[1])))

    def _reach(self, title: Area) -> Area:
        """A title with all that may come to stand under it when gaps become narrower."""
        gaps = (gap for channel in self.channels for gap in channel.gaps if gap[1] > title.left)
        right = title.right
        for left, end in gaps:
            if left >= right:
                break
            right += max(0.0, end - max(left, title.left) - NARROW)
        return title._replace(right=right)

    def _around(self, gap: tuple[float, float]) -> int:
        """How many frames a gap lies in: lines in it are to pass no zone that is not theirs."""
        return sum(frame.left < gap[1] and frame.right > gap[0] for frame in self.floor.frames)

    def _free(self, at: int) -> Iterator[tuple[float, float]]:
        """The spans of y that nothing stands in."""
        top = -_FAR
        for begin, end in _merged(self._taken(at)):
            if begin > top:
                yield top, begin
            top = end
        yield top, _FAR

    def _taken(self, at: int) -> Iterator[tuple[float, float]]:
        for part, home in zip(self.floor.parts, self.home, strict=True):
            if home == at:
                yield part.top - _ROOM_PART, part.bottom + _ROOM_PART
        left = self.channels[at - 1].gap[1] if at else -_FAR
        right = self.channels[at].gap[0] if at < len(self.channels) else _FAR
        for title in self.titles:
            if title.left < right and title.right > left:
                yield title.top - _ROOM_TITLE, title.bottom + _ROOM_TITLE
        for frame in self.floor.frames:
            if frame.left < right and frame.right > left:
                yield from ((y - _ROOM_EDGE, y + _ROOM_EDGE) for y in (frame.top, frame.bottom))

    def crossings(self, at: int, wanted: Iterable[float]) -> list[float]:
        """Where a line may cross a column: near what is wanted, and at the ends of what is free."""
        found: list[float] = []
        for top, bottom in self.free[at]:
            inside = [min(max(y, top), bottom) for y in wanted]
            more = min(_MORE, (bottom - top) / 2)
            ends = [y for y in (top + more, bottom - more) if abs(y) < _FAR / 2]
            for y in dict.fromkeys([*inside, *ends]):
                found += self._beside(at, y, top, bottom)
        return found

    def _beside(self, at: int, y: float, top: float, bottom: float) -> Iterator[float]:
        """The y itself, or the nearest ones that no line has yet."""
        for way in (1, -1):
            place = y
            while top <= place <= bottom:
                if all(abs(place - other) >= _STEP - 1 for other in self.used[at]):
                    yield place
                    break
                place += way * _STEP


def _merged(spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    for begin, end in sorted(spans):
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((begin, end))
    return found
