"""Whose wait for an answer gets a bar, and how far out it stands: found by the order of rows, before any has a place.

A second request that waits at the same lifeline stands one place further out, and so do its arrow and its answer's:
which belongs to which can be seen.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from math import inf
from operator import itemgetter
from typing import NamedTuple

from flowgen.flow import Entry, Flow, Group, Remark, Row, Run, Step

OUT = 8  # px from one place to the next
_PLACES = 3  # beside each other; what comes on top shares the last one

Numbered = Sequence[tuple[int, Entry]]  # rows, by the first message of each


class Waits(NamedTuple):
    """`places` is `seq` of a request and of its answer -> place of its bar, 0 on the lifeline itself.

    Requests without a bar are not in it. `ends` is `seq` of a request -> those of its answers where branches of a
    frame answer it each in its way. `links` is `seq` of a request sent again -> place of the link to it.
    """

    places: Mapping[int, int]
    ends: Mapping[int, Sequence[int]]
    links: Mapping[int, int]

    def out_at_sender(self, entry: Entry) -> int:
        """How many px out a message starts: an answer does at the bar of its request."""
        return OUT * self.places.get(entry.message.seq, 0) if entry.state is None else 0

    def out_at_receiver(self, entry: Entry) -> int:
        """How many px out a message ends: a request does at its own bar."""
        return OUT * self.places.get(entry.message.seq, 0) if entry.state is not None else 0


NO_WAITS = Waits({}, {}, {})


def waits(flow: Flow, states: Collection[str], life_of: Callable[[str], Hashable]) -> Waits:
    """The bars of requests in one of `states`, and of all whose waits overlap; `life_of` names the lifeline."""
    cards, branches = _cards(flow)
    at = _Rows({entry.message.seq: number for number, entries in enumerate(cards) for entry in entries}, branches)
    drawn = [(number, entries[0]) for number, entries in enumerate(cards)]
    waiting = [(number, entry) for number, entry in drawn if entry.state in states or entry.overlaps]
    answers = _answers(flow)
    places = dict(_places(waiting, answers, at, life_of))
    return Waits(places, answers, dict(_links(drawn, at)))


class _Rows(dict[int, int]):
    """`seq` of a message -> the number of its row. `branches`: where each row's branch begins, and the row after it."""

    def __init__(self, rows: Mapping[int, int], branches: Sequence[tuple[int, float]]) -> None:
        super().__init__(rows)
        self.branches = branches
        self.order = sorted(rows)

    def at_or_after(self, seq: int | None) -> float:
        """The row of a message, or of the next one that is drawn; none at all where there is no message."""
        following = bisect_left(self.order, inf if seq is None else seq)
        return self[self.order[following]] if following < len(self.order) else inf


def _cards(flow: Flow) -> tuple[list[tuple[Entry, ...]], list[tuple[int, float]]]:
    """The messages of each row; the first row of the outermost branch and the row after the innermost one it is in.

    A frame with one branch parts nothing.
    """
    cards: list[tuple[Entry, ...]] = []
    branches: list[tuple[int, float]] = []

    def walk(rows: Sequence[Row]) -> None:
        for row in rows:
            if isinstance(row, Group):
                for branch in row.branches:
                    first = len(cards)
                    walk(branch.rows)
                    if len(row.branches) > 1:
                        branches[first:] = [(first, min(limit, len(cards))) for _, limit in branches[first:]]
            elif not isinstance(row, Remark):
                cards.append(_card(row))
                branches.append((0, inf))

    for step in flow.steps:
        walk(step.rows)
    return cards, branches


def _answers(flow: Flow) -> dict[int, list[int]]:
    """`seq` of a request -> its answers, where it has one in several branches of a frame."""
    found: dict[int, list[int]] = {}
    for step in flow.steps:
        for group in (row for row in step.rows if isinstance(row, Group) and len(row.branches) > 1):
            for seq, answers in _by_branch(group).items():
                if len(answers) > 1:
                    found.setdefault(seq, []).extend(answers)
    return found


def _by_branch(group: Group) -> dict[int, list[int]]:
    """`seq` of a request -> the first answer to it in each branch."""
    found: dict[int, list[int]] = {}
    for branch in group.branches:
        first: dict[int, int] = {}
        for row in Step(None, None, branch.rows).open_rows:
            for entry in _card(row):
                if entry.request is not None:
                    first.setdefault(entry.request, entry.message.seq)
        for seq, answer in first.items():
            found.setdefault(seq, []).append(answer)
    return found


def _card(row: Entry | Run) -> tuple[Entry, ...]:
    return (row,) if isinstance(row, Entry) else row.entries


def _places(
    waiting: Numbered, answers: Mapping[int, list[int]], at: _Rows, life_of: Callable[[str], Hashable]
) -> Iterator[tuple[int, int]]:
    taken: dict[Hashable, list[float]] = {}
    anew: list[tuple[int, int, list[float], int]] = []  # from where to where a wait goes on in a further branch
    for number, entry in waiting:
        while anew and anew[0][0] <= number:
            _, until, places, place = anew.pop(0)
            places[place] = max(places[place], until)
        found = answers.get(entry.message.seq) or ([] if entry.answer is None else [entry.answer])
        end, life = _end(number, entry, found, at), life_of(entry.message.receiver)
        if end is None or life == life_of(entry.message.sender):
            continue
        place = _free(taken.setdefault(life, []), number, end)
        yield from ((seq, place) for seq in (entry.message.seq, *found))
        further = [at[answer] for answer in found[1:]]
        anew += [(at.branches[row][0], row, taken[life], place) for row in further]
        if further:
            anew.sort(key=itemgetter(0))


def _end(number: int, entry: Entry, answers: Sequence[int], at: _Rows) -> float | None:
    """The row that ends a wait; None where its answer is not drawn."""
    if entry.state == "answered":
        return at.get(answers[0]) if answers else None
    return min(at.at_or_after(entry.ended_by), at.branches[number][1])


def _free(taken: list[float], start: float, end: float) -> int:
    """The first place that is free from `start` on."""
    for place, until in enumerate(taken):
        if until <= start:
            taken[place] = end
            return place
    if len(taken) < _PLACES:
        taken.append(end)
    else:
        taken[-1] = max(taken[-1], end)
    return len(taken) - 1


def _links(drawn: Numbered, at: _Rows) -> Iterator[tuple[int, int]]:
    """Those that begin at the same answer share a place: they are one line with several ends."""
    links = list(_link_ends(drawn, at))
    last = {start: number for start, number, _ in links}
    taken: dict[str, list[float]] = {}
    places: dict[int, int] = {}
    for start, _, again in links:
        if start not in places:
            places[start] = _free(taken.setdefault(again.message.sender, []), start, last[start])
        yield again.message.seq, places[start]


def _link_ends(drawn: Numbered, at: _Rows) -> Iterator[tuple[int, int, Entry]]:
    """The row of an answer that asked for more, that of a request sent again because of it, and this request."""
    entries = {entry.message.seq: entry for _, entry in drawn}
    for number, entry in drawn:
        first = entries.get(entry.retry_of) if entry.retry_of is not None else None
        start = None if first is None else at.get(first.message.seq if first.answer is None else first.answer)
        if start is not None and start < number:
            yield start, number, entry
