"""How far shapes reach from top to bottom, and the same shapes elsewhere or shortened. Nothing here is drawn."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from math import inf

from ._shapes import Circle, Code, Group, Image, Line, Path, Rect, Shape, Text, px
from ._styles import CODE_SIZE, STYLES

_ABOVE, _BELOW = 0.95, 0.28  # what letters take above and below their baseline, of their size
_COMMAND = re.compile("([MLACZ])([^MLACZ]*)")
_YS = {"M": (1,), "L": (1,), "A": (6,), "C": (1, 3, 5), "Z": ()}  # where an outline's numbers are y's
_TAKEN = {"M": 2, "L": 2, "A": 7, "C": 6, "Z": 1}

Span = tuple[float, float]  # top and bottom


def span(shape: Shape) -> Span:
    """Top and bottom of a shape, without the width of its lines. That of an empty group is inside out."""
    match shape:
        case Group():
            return span_of(shape.shapes)
        case Text():
            return _letters(shape.y, STYLES[shape.style].size)
        case Code():
            return _letters(shape.y, CODE_SIZE)
        case Rect() | Image():
            return shape.y, shape.y + shape.height
        case Line():
            return min(shape.y1, shape.y2), max(shape.y1, shape.y2)
        case Circle():
            return shape.y - shape.radius, shape.y + shape.radius
        case Path():
            top, bottom = _outline(shape.d)
            return shape.y + top, shape.y + bottom


def span_of(shapes: Iterable[Shape]) -> Span:
    """Top and bottom of several shapes together."""
    spans = [span(shape) for shape in shapes]
    return min((top for top, _ in spans), default=inf), max((bottom for _, bottom in spans), default=-inf)


def moved(shape: Shape, by: float) -> Shape:
    """The same shape `by` px further down."""
    match shape:
        case Group():
            return shape._replace(shapes=tuple(moved(each, by) for each in shape.shapes))
        case Line():
            return shape._replace(y1=shape.y1 + by, y2=shape.y2 + by)
        case _:
            return shape._replace(y=shape.y + by)


def stretched(shape: Rect | Line | Path, place: Callable[[float], float]) -> Shape:
    """The same shape with every y of it put where `place` says."""
    match shape:
        case Rect():
            top = place(shape.y)
            return shape._replace(y=top, height=place(shape.y + shape.height) - top)
        case Line():
            return shape._replace(y1=place(shape.y1), y2=place(shape.y2))
        case Path():
            return shape._replace(y=place(shape.y), d=" ".join(_placed(shape, place)))


def _letters(baseline: float, size: float) -> Span:
    return baseline - _ABOVE * size, baseline + _BELOW * size


@lru_cache(maxsize=4096)
def _outline(d: str) -> Span:
    ys = [numbers[place] for command, numbers in _commands(d) for place in _YS[command]]
    return min(ys, default=0.0), max(ys, default=0.0)


def _placed(path: Path, place: Callable[[float], float]) -> Iterator[str]:
    for command, numbers in _commands(path.d):
        for index in _YS[command]:
            numbers[index] = place(path.y + numbers[index]) - place(path.y)
        yield command + " ".join(px(number) for number in numbers)


def _commands(d: str) -> Iterator[tuple[str, list[float]]]:
    """Each command of an outline with the numbers of one point."""
    for command, told in _COMMAND.findall(d):
        numbers = [float(number) for number in told.replace(",", " ").split()]
        for start in range(0, max(len(numbers), 1), _TAKEN[command]):
            yield command, numbers[start : start + _TAKEN[command]]
