"""From a Trace to a Flow, in the order of this file. It takes any trace that can be loaded and never fails on one.

Exchanges, links, bands, what is shown, runs and notes are worked out by the modules beside this one, each over
the whole trace, so that numbers stay the same whatever is hidden, folded or left out.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import groupby

from flowgen.trace import Trace

from ._around import Around
from ._choose import chosen, steps_chosen
from ._draft import Draft, drafts, seq
from ._exchanges import latency, pair
from ._fold import Folded, folded
from ._lanes import facts, lanes, sides
from ._links import link
from ._model import Entry, Flow, Note, Run, Step
from ._notes import Level
from ._notes import notes as notes_of
from ._phases import Band, bands, failed_probe

_Rows = list[Draft | Folded]
_Noted = dict[int, tuple[Note, ...]]


def read(
    trace: Trace,
    *,
    notes: Level = "brief",
    fold: int = 2,
    full: bool = False,
    steps: str | None = None,
    only: Sequence[str] = (),
    hide: Sequence[str] = (),
    show: Sequence[str] = (),
    start_step: int = 1,
) -> Flow:
    """The story of a trace.

    `fold` is how many equals stand before the rest of them become a run (`full`: no runs at all). `steps` is a
    list of step numbers such as `1-3,5`; `only` are patterns of methods (`tools/*`); `hide` and `show` are words
    of `WORDS`. The first step has the number `start_step`. Raises UsageError for a word or a step that there is not.
    """
    made = drafts(trace)
    pair(made, any_direction="directions" in trace.missing)
    link(made)
    probe = failed_probe(made)
    found = bands(made, probe)
    step_of = _steps_of(made, found, start_step)
    asked_for = steps_chosen(steps, range(start_step, start_step + len(found)))
    kept = chosen(made, probe, trace.outcome, only=only, hide=hide, show=show)
    rows = [draft for draft in made if draft.at in kept and asked_for(step_of[draft.at])]
    cut = _cut(rows, step_of, None if full else max(fold, 0))
    stands = sides(trace)
    noted: _Noted = {}
    if notes != "none":
        noted = notes_of(Around(trace, made, step_of), _drawn(cut), notes, stands)
    return Flow(
        title=trace.title or None,
        lanes=lanes(trace, rows),
        steps=tuple(_steps(cut, dict(enumerate(found, start_step)), _Maker(made, step_of, noted))),
        facts=facts(trace, made, probe - kept),
        outcome=trace.outcome,
        sides=stands,
    )


def _steps_of(made: Sequence[Draft], found: Sequence[Band], first: int) -> list[int | None]:
    """The number of the step of each message."""
    opened = {band.start: number for number, band in enumerate(found, first)}
    numbers: list[int | None] = []
    now: int | None = None
    for draft in made:
        now = opened.get(draft.at, now)
        numbers.append(now)
    return numbers


def _cut(
    rows: Sequence[Draft], step_of: Sequence[int | None], fold: int | None
) -> list[tuple[int | None, _Rows]]:
    """The rows of each step that has any."""
    parts = groupby(rows, key=lambda draft: step_of[draft.at])
    return [
        (number, list(part) if fold is None else list(folded(list(part), fold))) for number, part in parts
    ]


def _drawn(cut: Sequence[tuple[int | None, _Rows]]) -> frozenset[int]:
    """The positions of what stands open: every message outside of runs, and the first of a run of messages."""
    rows = (row for _, rows in cut for row in rows)
    drawn = (row if isinstance(row, Draft) else row.drafts[0] for row in rows if _has_a_box(row))
    return frozenset(draft.at for draft in drawn)


def _has_a_box(row: Draft | Folded) -> bool:
    return isinstance(row, Draft) or row.kind == "repeat"


def _steps(cut: Sequence[tuple[int | None, _Rows]], found: Mapping[int, Band], maker: "_Maker") -> Iterator[Step]:
    for number, rows in cut:
        title = found[number].title if number is not None else None
        yield Step(number, title, tuple(maker.row(row) for row in rows))


class _Maker:
    """Makes entries of drafts, positions becoming `seq` numbers."""

    def __init__(self, made: Sequence[Draft], step_of: Sequence[int | None], noted: _Noted) -> None:
        self.made = made
        self.step_of = step_of
        self.noted = noted
        self.first_asked: dict[Hashable, int] = {}
        for draft in made:
            if draft.kind == "request" and draft.method:
                self.first_asked.setdefault((draft.between, draft.method), draft.at)

    def row(self, row: Draft | Folded) -> Entry | Run:
        if isinstance(row, Draft):
            return self.entry(row)
        return Run(row.kind, tuple(self.entry(draft) for draft in row.drafts))

    def entry(self, draft: Draft) -> Entry:
        made = self.made
        return Entry(
            message=draft.message,
            number=draft.number,
            method=draft.method,
            name=draft.name,
            request=seq(made, draft.request),
            answer=seq(made, draft.answer),
            state=draft.state,
            ended_by=seq(made, draft.ended_by),
            latency=latency(made[draft.request], draft) if draft.request is not None else None,
            same_as=draft.same_as,
            back_to=self.step_of[self.first_asked[draft.between, draft.method]] if draft.relists else None,
            retry_of=seq(made, draft.retry_of),
            notes=self.noted.get(draft.at, ()),
        )
