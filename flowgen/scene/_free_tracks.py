"""Tracks in the channels of a free-form graph: where lines turn, so that they cross seldom and never lie on each other.

A channel is made as wide as its tracks need; everything right of it moves.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ._free_columns import NARROW, Channel, Columns, shifted
from ._free_route import Net
from ._free_sizes import TITLE_MOST

_PITCH = 9.0  # px from track to track, at least
_ROOMY = 14.0  # and at most
_HEAD, _FRAME = 17.0, 13.0  # px that a track keeps from a part, where a head may stand, and from a frame's side
_LEAST = 24.0  # px of a gap where no line turns
_BESIDE_TITLE = 30.0  # px of a frame left and right of its title
_CLEAR = 40.0  # px between two lines on one track: nearer ones look like one
_SAME = 5.0  # px within which two ys are one line

Point = tuple[float, float]


@dataclass(slots=True)
class _Turn:
    """Where a net goes from one y to another in a channel."""

    net: int
    left: float
    right: float
    track: int = 0

    @property
    def span(self) -> tuple[float, float]:
        return min(self.left, self.right), max(self.left, self.right)

    def meets(self, other: "_Turn") -> bool:
        one, two = self.span, other.span
        return one[0] - _CLEAR < two[1] and two[0] - _CLEAR < one[1]


class Tracks:
    """The turns of all nets. `stretch` is the room that is put in or taken out: (x, px), from left to right."""

    def __init__(self, nets: Sequence[Net], columns: Columns) -> None:
        self.columns = columns
        self.turns: list[dict[int, _Turn]] = [{} for _ in columns.channels]
        for number, net in enumerate(nets):
            pairs = pairwise(net.ys)
            for channel, (left, right) in enumerate(pairs, columns.home[net.left]):
                if abs(left - right) >= 0.5:
                    self.turns[channel][number] = _Turn(number, left, right)
        for turns in self.turns:
            _ordered(list(turns.values()))
        self.counts = [max((turn.track for turn in turns.values()), default=-1) + 1 for turns in self.turns]
        self.stretch = [*self._stretched()]

    def _stretched(self) -> Iterator[tuple[float, float]]:
        """What every gap is too narrow for what is in it, or too wide; frames stay as wide as their titles."""
        frames = self.columns.floor.frames
        wide = [frame.right - frame.left for frame in frames]
        for channel, count in zip(self.columns.channels, self.counts, strict=True):
            for gap in channel.gaps:
                needed = _needed(channel, count) if gap == channel.gap else NARROW
                inside = [at for at, frame in enumerate(frames) if frame.left <= gap[0] and gap[1] <= frame.right]
                least = max((self._least(at) - wide[at] for at in inside), default=-gap[1])
                more = needed - (gap[1] - gap[0])
                more = more if gap == channel.gap else min(0.0, more)
                by = max(more, min(least, 0.0))
                for at in inside:
                    wide[at] += by
                yield gap[1], by

    def _least(self, frame: int) -> float:
        """How wide a frame has to stay for its title."""
        title = self.columns.floor.titles[frame]
        return min(title.right - title.left, TITLE_MOST) + _BESIDE_TITLE

    def points(self, number: int, net: Net, ends: tuple[float, float]) -> list[Point]:
        """The corners of a net from its left end to its right one, whose xs are given, in the stretched picture."""
        found = [(ends[0], net.ys[0])]
        for channel in range(self.columns.home[net.left], self.columns.home[net.right]):
            turn = self.turns[channel].get(number)
            if turn:
                x = self._x(channel, turn.track)
                found += [(x, turn.left), (x, turn.right)]
        return [*found, (ends[1], net.ys[-1])]

    def _x(self, at: int, track: int) -> float:
        channel, count = self.columns.channels[at], self.counts[at]
        before, after = _margins(channel)
        left, right = (shifted(x, self.stretch) for x in channel.gap)
        room = right - left - before - after
        pitch = min(_ROOMY, room / (count - 1)) if count > 1 else 0.0
        start = left + before + (room - pitch * (count - 1)) / 2
        return round(start + pitch * track, 1)


def _needed(channel: Channel, count: int) -> float:
    """The least width of a channel's gap for its tracks."""
    return max(sum(_margins(channel)) + _PITCH * max(0, count - 1), _LEAST)


def _margins(channel: Channel) -> tuple[float, float]:
    left, right = channel.gap
    return _HEAD if left == channel.left else _FRAME, _HEAD if right == channel.right else _FRAME


def _ordered(turns: list[_Turn]) -> None:
    """Gives turns their tracks, from the left: each right of those that it meets and that are to be left of it."""
    before = {id(turn): [other for other in turns if other is not turn and _is_left(other, turn)] for turn in turns}
    waiting, placed = sorted(turns, key=lambda turn: turn.span), list[_Turn]()
    while waiting:
        open_ = {id(turn) for turn in waiting}
        turn = min(waiting, key=lambda turn: sum(id(other) in open_ for other in before[id(turn)]))
        waiting.remove(turn)
        turn.track = max((other.track + 1 for other in placed if other.meets(turn)), default=0)
        placed.append(turn)


def _is_left(one: _Turn, other: _Turn) -> bool:
    """Whether the first of two turns belongs left of the second: else one lies on the other, or they cross oftener."""
    if not one.meets(other):
        return False
    return _cost(one, other) < _cost(other, one)


def _cost(one: _Turn, other: _Turn) -> int:
    """What is crossed, or lain on, where the first stands left of the second."""
    crossed = _within(other.left, one) + _within(one.right, other)
    return crossed + (10 if abs(one.right - other.left) < _SAME else 0)


def _within(y: float, turn: _Turn) -> bool:
    return turn.span[0] - 0.5 < y < turn.span[1] + 0.5
