"""The rows of one step: messages, runs of what repeats, frames of loops.

Neighbours that are alike fold first; what is still too long to read is thinned, step by step harder.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ._draft import Draft
from ._fold import Folded, find_shapes, folded, one_run, outcome, repeats
from ._loops import Frame, Loop, framed
from ._thin import LEVELS, thinned


@dataclass(frozen=True, slots=True)
class Framed:
    """A frame with the rows inside of it."""

    frame: Frame
    rows: tuple[Draft | Folded, ...]


Row = Draft | Folded | Framed


def rows_of(made: Sequence[Draft], inside: Mapping[int, Loop], fold: int | None) -> list[Row]:
    """The rows of a step; `made` are its shown messages in order, `inside` the loops that they belong to.

    `fold` is how many equals stand before the rest of them fold; None: nothing folds.
    """
    rows = _rows_of(made, inside, fold)
    return list(_with_runs(rows)) if any(draft.others for draft in made) else rows


def _rows_of(made: Sequence[Draft], inside: Mapping[int, Loop], fold: int | None) -> list[Row]:
    whole = list(framed(made, inside))
    if fold is None:
        return [Framed(one, tuple(one.drafts)) if isinstance(one, Frame) else one for one in whole]
    find_shapes(made)
    rows = _alike(whole, fold)
    for level in LEVELS:
        if _size(rows) <= level.most + 2 * fold:
            break
        rows = [_row(one, fold) for one in thinned(whole, fold, level)]
    return rows


def last_of(row: Row) -> Draft:
    """The last message of a row."""
    match row:
        case Framed(rows=rows):
            return last_of(rows[-1])
        case Folded(drafts=drafts):
            return drafts[-1]
        case Draft():
            return row


def _with_runs(rows: Iterable[Row]) -> Iterator[Row]:
    """The same rows; what stands in for others is a run by itself, where it is in none."""
    for stands_in, part in groupby(rows, key=lambda row: isinstance(row, Draft) and row.others is not None):
        if stands_in:
            yield one_run([row for row in part if isinstance(row, Draft)])
        else:
            yield from part


def _alike(whole: Iterable[Draft | Frame], fold: int) -> list[Row]:
    rows: list[Row] = []
    singles: list[Draft] = []
    for one in whole:
        if isinstance(one, Draft):
            singles.append(one)
        else:
            rows += folded(singles, fold)
            rows.append(_row(one, fold))
            singles = []
    return [*rows, *folded(singles, fold)]


def _row(one: Draft | Folded | Frame, fold: int) -> Row:
    return Framed(one, tuple(_rounds(one, fold))) if isinstance(one, Frame) else one


def _rounds(frame: Frame, fold: int) -> Iterator[Draft | Folded]:
    """The first rounds as they are, then the rest of them folded, and what ended the loop."""
    stand = max(fold - 1, 1)
    ends = _outcome(frame, -1) != _outcome(frame, 0)
    last = len(frame.parts) - (1 if ends else 0)
    for part in frame.parts[:stand]:
        yield from repeats(part, fold)
    yield from folded([draft for part in frame.parts[stand:last] for draft in part], 0)
    for part in frame.parts[max(stand, last) :]:
        yield from repeats(part, fold)


def _outcome(frame: Frame, place: int) -> object:
    """What became of one round."""
    answer = frame.rounds[place].answer
    return outcome(answer) if answer else None


def _size(rows: Iterable[Row]) -> int:
    """How many rows these are, what a message stands in for counted as if it was there."""
    inner = (one for row in rows for one in (row.rows if isinstance(row, Framed) else (row,)))
    return sum(one.count if isinstance(one, Draft) else 1 for one in inner)
