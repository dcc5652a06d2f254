"""Repeats of one shape, folded into runs.

The first `fold` of a row of equals stand as they are, the others become one run: whole exchanges (`pairs`) or
single messages (`repeat`). Progress and stderr fold to one run at once. It takes two to make a run. What failed
is never inside one, nor what a picture has to show: a question back, a retry, a cancellation, a list asked again.
After a failure of its own kind a run goes on without standing open anew.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal, TypeVar

from ._draft import Draft
from ._json import one_line
from ._phases import leads, stretches

T = TypeVar("T")
Shape = Hashable  # None: never folded

_LEAST = 2
_STAND_OUT = ("cancelled", "open")


@dataclass(frozen=True, slots=True)
class Folded:
    """The drafts of one run."""

    kind: Literal["repeat", "pairs"]
    drafts: list[Draft]


def folded(made: Sequence[Draft], fold: int) -> Iterator[Draft | Folded]:
    """The rows of one step; `made` are its shown messages in order."""
    for draft in made:
        draft.shape = _shape(draft)
    singles: list[Draft] = []
    for units in _runs(list(_units(made)), _shape_of_exchange, lambda unit: fold, _opener):
        messages = [draft for unit in units for draft in unit]
        if len(units) == 1:
            singles += messages
            continue
        yield from _repeats(singles, fold)
        yield Folded("pairs", messages)
        singles = []
    yield from _repeats(singles, fold)


def _repeats(made: list[Draft], fold: int) -> Iterator[Draft | Folded]:
    for run in _runs(made, attrgetter("shape"), lambda draft: 0 if _folds_at_once(draft) else fold, _no_kin):
        yield Folded("repeat", run) if len(run) > 1 else run[0]


def _runs(
    items: Iterable[T],
    shape: Callable[[T], Shape],
    limit: Callable[[T], int],
    kin: Callable[[T], Shape],
) -> Iterator[list[T]]:
    """Items one by one, those of a run together. `kin` tells of which kind one is that stands out by its failure."""
    now: Shape = None
    family: Shape = None
    count = 0
    held: list[T] = []
    for item in items:
        mine = shape(item)
        if mine is None or mine != now:
            yield from _released(held)
            held = []
        if mine is None:
            now = now if kin(item) == family else None
            yield [item]
            continue
        count = count + 1 if mine == now else 1
        now, family = mine, kin(item)
        if count > limit(item):
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
    """Exchanges with the notes that lead to them and the stderr that follows them; else single messages."""
    unit: list[Draft] = []
    leading: list[Draft] = []
    for stretch in stretches(made):
        if len(unit) > 1 and not leading and stretch[0].kind == "stderr":
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
    """The shapes of its messages; how often one comes in a row (progress) does not count, nor what stderr says."""
    shapes: list[Shape] = []
    for draft in unit:
        mine = draft.shape
        if mine is None:
            return None
        if draft.kind != "stderr" and (not shapes or shapes[-1] != mine):
            shapes.append(mine)
    return tuple(shapes) if len(shapes) > 1 else None


def _opener(unit: list[Draft]) -> Shape:
    return next((draft.shape for draft in unit if draft.kind == "request"), None)


def _no_kin(draft: Draft) -> Shape:
    return None


def _shape(draft: Draft) -> Shape:
    """What stays when id and argument values are taken away; None for what never folds."""
    if draft.failed or draft.state in _STAND_OUT or draft.retry_of is not None or draft.relists:
        return None
    if draft.kind == "process" or (draft.result or {}).get("resultType") == "input_required":
        return None
    message, http = draft.message, draft.message.http
    arguments = draft.params.get("arguments")
    return (
        (draft.kind, message.sender, message.receiver, draft.method, draft.name, draft.event, draft.state),
        tuple(message.codes) if message.problems else (),
        frozenset(draft.params),
        frozenset(arguments) if isinstance(arguments, dict) else None,
        one_line(draft.params.get("progressToken")) if draft.method == "notifications/progress" else None,
        one_line(draft.data.get("name")) if draft.kind == "note" else None,
        (http.method, http.url, http.status) if http and draft.kind == "http" else None,
    )


def _folds_at_once(draft: Draft) -> bool:
    return draft.kind == "stderr" or draft.method == "notifications/progress"
