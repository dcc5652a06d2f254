"""What stands beside what in a picture of two sessions: bands and messages of both, in order, gaps filled from both.

Stretches that are the same on both sides fold into one cell that counts them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING

from ._duo import two
from ._frame import entries_of

if TYPE_CHECKING:
    from flowgen.flow import Comparison, Entry, Flow, Match, Step

_KEPT = 2  # rows that stand at either end of a folded stretch
_LEAST = 4  # rows that are worth folding


@dataclass(frozen=True, slots=True)
class Told:
    """A message, and the step that it opens if it is the first one of it; `elsewhere`: the other session has it too."""

    entry: "Entry"
    opens: "Step | None"
    elsewhere: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """One height of the picture: a message of the old session, one of the new, or both; or `folded` of them alike.

    `match` is what the two are to each other where they are one.
    """

    old: Told | None
    new: Told | None
    match: "Match | None" = None
    folded: int = 0


def cells(told: "Comparison", full: bool) -> list[Cell]:
    """All cells from top to bottom; nothing folds where the picture is to be `full`."""
    known = {id(match.old): match for match in told.matches if match.old}
    both = {id(entry) for match in told.matches if match.old and match.new for entry in (match.old, match.new)}
    found = list(_aligned(list(_told(told.old, both)), list(_told(told.new, both)), told.beside, known))
    return found if full else list(_folded(found))


def left_out(told: "Comparison") -> int:
    """How many messages the picture lacks, for they are with others than the two whose lanes are drawn."""
    return sum(each is None for flow in (told.old, told.new) for each in _told(flow, set()))


def _told(flow: "Flow", both: set[int]) -> Iterator[Told | None]:
    """The messages of a session in the order in which they were compared; None for those with others than the two."""
    lanes = {who.id for who in two(flow)}
    for step in flow.steps:
        opening = step if step.number is not None else None
        for row in step.open_rows:
            for entry in entries_of(row):
                if {entry.message.sender, entry.message.receiver} <= lanes:
                    yield Told(entry, opening, id(entry) in both)
                    opening = None
                else:
                    yield None


def _aligned(
    old: Sequence[Told | None], new: Sequence[Told | None], pairs: Iterable[tuple[int, int]], known: "dict[int, Match]"
) -> Iterator[Cell]:
    at, other = 0, 0
    for before, after in (*pairs, (len(old), len(new))):
        for left, right in zip_longest(filter(None, old[at:before]), filter(None, new[other:after])):
            yield Cell(left, right)
        if before < len(old) and ((left := old[before]) and (right := new[after])):
            yield Cell(left, right, known.get(id(left.entry)))
        at, other = before + 1, after + 1


def _folded(found: Sequence[Cell]) -> Iterator[Cell]:
    for alike, group in groupby(found, key=_is_same):
        run = list(group)
        if not alike or len(run) < 2 * _KEPT + _LEAST:
            yield from run
            continue
        yield from run[:_KEPT]
        yield Cell(None, None, folded=len(run) - 2 * _KEPT)
        yield from run[-_KEPT:]


def _is_same(cell: Cell) -> bool:
    return cell.match is not None and cell.match.state == "same" and not cell.match.moved
