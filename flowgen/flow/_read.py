"""From a Trace to a Flow, in the order of this file. It takes any trace that can be loaded and never fails on one.

Exchanges, links, bands, what is shown, runs and notes are worked out by the modules beside this one, each over
the whole trace, so that numbers stay the same whatever is hidden, folded or left out.
"""

from collections import deque
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from itertools import groupby

from flowgen.trace import Outcome, Trace

from ._about import close_subscriptions, find_requests
from ._around import Around
from ._changes import find_changes
from ._choose import chosen, nothing_left, steps_chosen
from ._draft import Draft, drafts, seq
from ._exchanges import latency, pair
from ._fold import Folded
from ._lanes import facts, lanes, sides
from ._links import link
from ._loop_words import condition
from ._loops import Loop, loops
from ._model import Branch, Entry, Flow, Group, Note, Row, Run, Step
from ._notes import Level
from ._notes import notes as notes_of
from ._overlaps import find_overlaps
from ._phases import Band, bands, failed_probe
from ._remarks import Placed, is_said, remarks
from ._rows import Framed, last_of, rows_of
from ._rows import Row as Cell
from ._tasks import find_calls

_Cut = list[tuple[int | None, list[Cell]]]
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
    keep: Collection[int] = (),
) -> Flow:
    """The story of a trace.

    `fold` is how many equals stand before the rest of them become a run (`full`: no runs at all). `steps` is a
    list of step numbers such as `1-3,5`; `only` are patterns of methods (`tools/*`); `hide` and `show` are words
    of `WORDS`. The first step has the number `start_step`. Messages whose `seq` is in `keep` do not fold. Raises
    UsageError for a word or a step that there is not, and where `steps` and `only` leave nothing.
    """
    made = _worked_out(trace, full, keep)
    outcome, start_step = _of_the_whole(trace, start_step)
    probe = failed_probe(made)
    found = bands(made, probe)
    step_of = _steps_of(made, found, start_step)
    asked_for = steps_chosen(steps, range(start_step, start_step + len(found)))
    kept = chosen(made, probe, outcome, only=only, hide=hide, show=show)
    rows = [draft for draft in made if draft.at in kept and asked_for(step_of[draft.at])]
    if not rows and (only or steps):
        raise nothing_left(steps, only, (step_of[at] for at in kept))
    stands, who = sides(trace), lanes(trace, rows)
    said = deque(remarks(trace, made, rows, who, probe))
    rows = [draft for draft in rows if not is_said(draft)] or rows
    cut = _cut(rows, step_of, loops(made), None if full else max(fold, 0))
    noted: _Noted = {}
    if notes != "none":
        noted = notes_of(Around(trace, made, step_of), _drawn(cut), notes, stands)
    return Flow(
        title=trace.title or None,
        lanes=who,
        steps=tuple(_steps(cut, dict(enumerate(found, start_step)), _Maker(made, step_of, noted), said)),
        facts=facts(trace, made, probe - kept, len(found)),
        outcome=outcome,
        sides=stands,
    )


def linked(trace: Trace) -> Sequence[Draft]:
    """Every message, in order, with what it is to the others; links are positions. For judging, not for drawing."""
    return _worked_out(trace, full=True)


def _worked_out(trace: Trace, full: bool, keep: Collection[int] = ()) -> list[Draft]:
    """The messages with what each is to the others."""
    made = drafts(trace.messages)
    for draft in made if keep else ():
        draft.kept = draft.message.seq in keep
    pair(made, any_direction="directions" in trace.missing)
    link(made)
    find_requests(made)
    close_subscriptions(made)
    find_calls(made)
    find_overlaps(made)
    if not full:
        find_changes(made)
    if trace.excerpt is not None:
        _open_at_the_edge(made)
    return made


def _open_at_the_edge(made: Sequence[Draft]) -> None:
    """In an excerpt no answer means nothing, unless whoever saw the whole says that none came."""
    for draft in made:
        if draft.state == "unanswered" and not {"unanswered", "timed-out"} & set(draft.message.codes):
            draft.state = "open"


def _of_the_whole(trace: Trace, start_step: int) -> tuple[Outcome, int]:
    """How the session ended, and the number of the first step: an excerpt tells both of the whole recording."""
    if trace.excerpt is None:
        return trace.outcome, start_step
    return trace.excerpt.outcome, trace.excerpt.first_step if start_step == 1 else start_step


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
    rows: Sequence[Draft], step_of: Sequence[int | None], inside: Mapping[int, Loop], fold: int | None
) -> _Cut:
    """The rows of each step that has any."""
    parts = groupby(rows, key=lambda draft: step_of[draft.at])
    return [(number, rows_of(list(part), inside, fold)) for number, part in parts]


def _drawn(cut: _Cut) -> frozenset[int]:
    """The positions of what stands open: every message outside of runs, and the first of a run of messages."""
    return frozenset(at for _, cells in cut for cell in cells for at in _boxes(cell))


def _boxes(cell: Cell) -> Iterator[int]:
    match cell:
        case Framed(rows=rows):
            yield from (at for inner in rows for at in _boxes(inner))
        case Folded(kind="repeat", drafts=drafts):
            yield drafts[0].at
        case Draft():
            yield cell.at


def _steps(
    cut: _Cut, found: Mapping[int, Band], maker: "_Maker", said: deque[Placed]
) -> Iterator[Step]:
    """The steps with their rows, each remark before the row of the message that it belongs to."""
    for number, cells in cut:
        title = found[number].title if number is not None else None
        rows: list[Row] = []
        for cell in cells:
            while said and said[0][0] <= last_of(cell).at:
                rows.append(said.popleft()[1])
            rows.append(maker.row(cell))
        last = cells is cut[-1][1]
        while said and (last or maker.step_of[said[0][0] :][:1] == [number]):  # one may stand after all messages
            rows.append(said.popleft()[1])
        yield Step(number, title, tuple(rows))


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

    def row(self, cell: Cell) -> Row:
        match cell:
            case Framed(frame=frame, rows=rows):
                return Group("loop", (Branch(condition(frame), tuple(self.row(inner) for inner in rows)),))
            case Folded(kind=kind, drafts=drafts):
                return Run(kind, tuple(self.entry(draft) for draft in drafts))
            case Draft():
                return self.entry(cell)

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
            stream_end=seq(made, draft.stream_end),
            latency=latency(made[draft.request], draft) if draft.request is not None else None,
            same_as=draft.same_as,
            back_to=self.step_of[self.first_asked[draft.between, draft.method]] if draft.relists else None,
            retry_of=seq(made, draft.retry_of),
            change=draft.change,
            overlaps=draft.overlaps,
            about=seq(made, draft.about),
            others=draft.others,
            notes=self.noted.get(draft.at, ()),
        )
