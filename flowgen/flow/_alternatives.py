"""Recordings of one session that went differently: what they have in common once, then an `alt` frame.

The common part is drawn as the first recording has it; where another one has other contents, a remark says so. The
rest of each is a branch, and no branch holds anything that its recording has not.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, groupby, takewhile
from typing import Any

from flowgen.trace import Trace, identities

from ._alike import alike, content
from ._choose import nothing_left, steps_chosen
from ._model import Branch, Entry, Facts, Flow, Group, Remark, Row, Run, Say, Step
from ._recordings import Over, Recording, cast, recordings, whole
from ._renumbered import Places

_NAMED = 5  # numbers that a remark lists
_NOTHING_MORE = Say("nothing more here", "到此为止")

_Rows = list[tuple[Step, Row]]  # each with the step that it stands in


@dataclass(frozen=True, slots=True)
class _Side:
    """One recording, its rows being in their places: those in common with the others, and the rest."""

    recording: Recording
    common: _Rows
    rest: _Rows


def alternatives(traces: Sequence[Trace], names: Sequence[str], *, steps: str | None = None, **reading: Any) -> Flow:
    """One frame with a branch for each recording, after their common beginning; `reading` as for `read`."""
    who = identities(traces, loosely=True)
    found = recordings(traces, who.ids, names, False, reading)
    sides = list(_sides(found))
    lanes = cast(found, who, (row for side in sides for _, row in (*side.common, *side.rest)))
    first = reading.get("start_step", 1)
    made = _steps(sides, (lanes[0].id, lanes[-1].id), first)
    numbered = sum(step.number is not None for step in made)
    wanted = steps_chosen(steps, range(first, first + numbered))
    kept = [step for step in made if wanted(step.number)]
    if steps and not kept:
        raise nothing_left(steps, reading.get("only", ()), (step.number for step in made))
    flow = whole(found, lanes, kept, numbered)
    return replace(flow, facts=_facts(flow, sides))


def _facts(flow: Flow, sides: Sequence[_Side]) -> Facts:
    """The sums, what is drawn once for several recordings counted once."""
    again = [entry for side in sides[1:] for entry in _entries(side.common)]
    states = Counter(entry.state for entry in again)
    facts = flow.facts
    return replace(
        facts,
        messages=facts.messages - sum(entry.number is not None for entry in again),
        unanswered=facts.unanswered - states["unanswered"],
        cancelled=facts.cancelled - states["cancelled"],
    )


def _sides(found: Sequence[Recording]) -> Iterator[_Side]:
    """Numbers count on through the branches; what is in common has those of the first recording."""
    rows = [[(step, row) for step in each.flow.steps for row in step.rows] for each in found]
    common = _common(found, rows)
    taken = 0
    for each, own in zip(found, rows, strict=True):
        places, taken = _places(each, own[:common], rows[0][:common], taken)
        placed = [(step, places.row(row)) for step, row in own]
        yield _Side(each, placed[:common], placed[common:])


def _common(found: Sequence[Recording], rows: Sequence[_Rows]) -> int:
    """How many rows are alike in all recordings, from the first on."""
    keys = [[alike(row, each.ids) for _, row in own] for each, own in zip(found, rows, strict=True)]
    return sum(1 for _ in takewhile(lambda same: len(set(same)) == 1, zip(*keys, strict=False)))


def _places(each: Recording, own: _Rows, first: _Rows, taken: int) -> tuple[Places, int]:
    """Where the rows of a recording stand, `taken` numbers being given; and how many are given then."""
    steps = {mine.number: its.number for (mine, _), (its, _) in zip(own, first, strict=True)}
    twins = list(zip(_entries(own), _entries(first), strict=True))
    numbers = {mine.number: its.number for mine, its in twins if mine.number and its.number}
    seqs = {mine.message.seq: its.message.seq for mine, its in twins}
    after = taken + each.flow.facts.messages - (len(numbers) if taken else 0)
    if taken:
        others = (number for number in range(1, each.flow.facts.messages + 1) if number not in numbers)
        numbers |= dict(zip(others, count(taken + 1), strict=False))
    places = each.places(
        lambda number: numbers.get(number, number), steps.get, lambda seq: seqs.get(seq, seq + each.seqs)
    )
    return places, after


def _steps(sides: Sequence[_Side], over: Over, first: int) -> list[Step]:
    """The common steps; the frame stands in the last of them, or in the one that everybody goes on with."""
    made = [Step(step.number, step.title, tuple(rows)) for step, rows in _by_step(sides[0].common)]
    inside = made.pop() if made and _goes_on(sides) else _next(sides, first + len(made))
    rows = (*inside.rows, *_frame(sides, inside.title, over))
    return [*made, replace(inside, rows=rows)] if rows else made


def _by_step(rows: _Rows) -> Iterator[tuple[Step, list[Row]]]:
    for _, part in groupby(rows, key=lambda pair: pair[0].number):
        pairs = list(part)
        yield pairs[0][0], [row for _, row in pairs]


def _goes_on(sides: Sequence[_Side]) -> bool:
    """Whether the last common step is not over in one of them, or nothing else comes."""
    nexts = [(side.common[-1][0].number, side.rest[0][0].number) for side in sides if side.rest]
    return not nexts or any(last == following for last, following in nexts)


def _next(sides: Sequence[_Side], number: int) -> Step:
    """The step that all of them go on with; none under no band where they do different things."""
    titles = {side.rest[0][0].title for side in sides if side.rest}
    title = titles.pop() if len(titles) == 1 else None
    return Step(number if title else None, title, ())


def _frame(sides: Sequence[_Side], band: Say | None, over: Over) -> Iterator[Row]:
    """What is different above, and the frame; nothing if nothing is."""
    if others := list(filter(None, (_otherwise(side, sides[0]) for side in sides[1:]))):
        first = sides[0].recording.name
        yield Remark(over, _sentences([Say(f"Above as in {first}.", f"以上取自 {first}。"), *others]))
    if any(side.rest for side in sides):
        names = (Say(side.recording.name, side.recording.name) for side in sides)
        branches = (Branch(name, tuple(_rows(side, band, over))) for name, side in zip(names, sides, strict=True))
        yield Group("alt", tuple(branches))


def _rows(side: _Side, band: Say | None, over: Over) -> Iterator[Row]:
    """The rows of a branch; no bands stand in a frame, so remarks tell where a step begins."""
    for step, row in side.rest:
        if step.title is not None and step.title != band:
            band = step.title
            yield Remark(over, band)
        yield row
    if not side.rest:
        yield Remark(over, _NOTHING_MORE)


def _otherwise(side: _Side, first: _Side) -> Say | None:
    """Which of the common messages have other contents in a recording than in the first one."""
    pairs = zip(_entries(side.common), _entries(first.common), strict=True)
    numbers = [str(its.number) for mine, its in pairs if its.number and content(mine.message) != content(its.message)]
    if not numbers:
        return None
    told = [*numbers[:_NAMED], "…"] if len(numbers) > _NAMED else numbers
    name = side.recording.name
    return Say(f"In {name} the contents of {', '.join(told)} differ.", f"{name} 中 {'、'.join(told)} 的内容不同。")


def _sentences(each: Sequence[Say]) -> Say:
    return Say(" ".join(say.en for say in each), "".join(say.zh for say in each))


def _entries(rows: _Rows) -> Iterator[Entry]:
    for each in Step(None, None, tuple(row for _, row in rows)).open_rows:
        yield from each.entries if isinstance(each, Run) else (each,)
