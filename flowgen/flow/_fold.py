"""Repeats of one shape, folded into runs.

The first `fold` of a row of equals stand as they are, the others become one run: whole exchanges (`pairs`) or
single messages (`repeat`). Progress and stderr fold to one run at once, and neither part exchanges that are alike. It
takes two to make a run. What failed folds only with its equals, and what a picture has to show never does: a question
back, a retry, a cancellation, a list that changed. After a failure of its own kind a run goes on without standing
open anew.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal, TypeVar

from ._draft import Draft
from ._json import one_line
from ._loops import POLLS
from ._phases import leads, stretches
from ._progress import METHOD as PROGRESS
from ._tasks import status_of

T = TypeVar("T")
Shape = Hashable  # None: never folded

_LEAST = 2
_STAND_OUT = ("cancelled", "open", "closed")


@dataclass(frozen=True, slots=True)
class Folded:
    """The drafts of one run."""

    kind: Literal["repeat", "pairs"]
    drafts: list[Draft]


def find_shapes(made: Sequence[Draft]) -> None:
    """Fills `shape`: what stays when id and argument values are taken away; None for what never folds."""
    for draft in made:
        draft.shape = None if stands_out(draft) else _shape(draft)


def folded(made: Sequence[Draft], fold: int) -> Iterator[Draft | Folded]:
    """The rows of neighbouring messages in order; their shapes are known."""
    singles: list[Draft] = []
    for units in _runs(list(_units(made)), _shape_of_exchange, lambda unit: fold, _opener):
        messages = [draft for unit in units for draft in unit]
        if len(units) == 1:
            singles += messages
            continue
        yield from repeats(singles, fold)
        yield Folded("pairs", messages)
        singles = []
    yield from repeats(singles, fold)


def repeats(made: Sequence[Draft], fold: int) -> Iterator[Draft | Folded]:
    """Single messages of one shape, each kind of them folded; a long line of progress or stderr at once."""
    shape = attrgetter("shape")
    for run in _runs(made, shape, lambda draft: 0 if _folds_at_once(draft) else fold, shape):
        yield Folded("repeat", run) if len(run) > 1 else run[0]


def one_run(drafts: list[Draft]) -> Folded:
    """All of them as one run: `repeat` if they are messages of one shape."""
    asked = any(draft.state for draft in drafts)
    return Folded("pairs" if asked or len({draft.shape for draft in drafts}) > 1 else "repeat", drafts)


def _runs(
    items: Iterable[T],
    shape: Callable[[T], Shape],
    limit: Callable[[T], int],
    kin: Callable[[T], Shape],
) -> Iterator[list[T]]:
    """Items one by one, those of a run together. `kin` tells of which kind one is, whatever became of it: while it
    stays the same, shapes that were there before go on where they were.
    """
    now: Shape = None
    family: Shape = None
    counts: Counter[Shape] = Counter()
    held: list[T] = []
    for item in items:
        mine, kind = shape(item), kin(item)
        if mine is None or mine != now:
            yield from _released(held)
            held = []
        if kind is not None and kind != family:
            counts.clear()
        now, family = mine, kind if kind is not None else family
        counts[mine] += 1
        if mine is not None and counts[mine] > limit(item):
            held.append(item)
        else:
            yield [item]
    yield from _released(held)


def _released(held: list[T]) -> Iterator[list[T]]:
    if len(held) >= _LEAST:
        yield held
    else:
        yield from ([item] for item in held)


def _units(made: Sequence[Draft]) -> Iterator[list[Draft]]:
    """Exchanges with the notes that lead to them and the chatter that follows them; else single messages."""
    unit: list[Draft] = []
    leading: list[Draft] = []
    for stretch in stretches(made):
        if len(unit) > 1 and not leading and chatters(stretch[0]):
            unit += stretch
        elif leads(stretch[0]):
            leading += stretch
        else:
            if unit:
                yield unit
            unit, leading = leading + stretch, []
    for rest in (unit, leading):
        if rest:
            yield rest


def _shape_of_exchange(unit: list[Draft]) -> Shape:
    """The shapes of its messages without the chatter; how often one comes in a row does not count."""
    shapes: list[Shape] = []
    for draft in unit:
        mine = draft.shape
        if mine is None:
            return None
        if not chatters(draft) and (not shapes or shapes[-1] != mine):
            shapes.append(mine)
    return tuple(shapes) if len(shapes) > 1 else None


def _opener(unit: list[Draft]) -> Shape:
    return next((draft.shape for draft in unit if draft.kind == "request"), None)


def _shape(draft: Draft) -> Shape:
    message, http = draft.message, draft.message.http
    arguments = draft.params.get("arguments")
    return (
        (draft.kind, message.sender, message.receiver, draft.method, draft.name, draft.event, draft.state),
        tuple(message.codes) if message.problems else (),
        frozenset(draft.params) if draft.method != PROGRESS else None,  # its total and words come and go
        frozenset(arguments) if isinstance(arguments, dict) else None,
        one_line(draft.params.get("progressToken")) if draft.method == PROGRESS else None,
        one_line(draft.data.get("name")) if draft.kind == "note" else None,
        (http.method, http.url, http.status) if http and draft.kind == "http" else None,
        outcome(draft) if draft.request is not None or draft.failed else None,
    )


def stands_out(draft: Draft) -> bool:
    """What a picture has to show: a question back, a retry, a cancellation, a list that changed, a process's end."""
    result = draft.result or {}
    return (
        draft.kept
        or draft.state in _STAND_OUT
        or draft.retry_of is not None
        or draft.relists
        or draft.kind == "process"
        or result.get("resultType") == "input_required"  # MCP MRTR pattern
        or (draft.change is not None and draft.change.differs)
    )


def outcome(draft: Draft) -> Shape:
    """What became of a request, without the contents: how it failed, how a task stands, whether a list ends."""
    if draft.failed:
        code = draft.error.get("code")
        return draft.kind, draft.status, code if isinstance(code, int | str) else None
    result = draft.result or {}
    if draft.method in POLLS:
        return "poll", status_of(result)
    kind = result.get("resultType")
    return result.get("nextCursor") is not None, kind if isinstance(kind, str) else "task" in result


def chatters(draft: Draft) -> bool:
    """What goes on beside the exchanges: stderr, progress, and pauses of our own."""
    return _folds_at_once(draft) or (draft.kind == "note" and draft.event == "waited")


def _folds_at_once(draft: Draft) -> bool:
    return draft.kind == "stderr" or draft.method == PROGRESS
