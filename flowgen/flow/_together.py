"""Several recordings in one picture, merged by the time that things happened or one below the other.

Message numbers and steps count on over the whole picture, whatever of it is shown.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from flowgen.trace import Ids, Trace, identities, joined

from ._choose import nothing_left, steps_chosen
from ._model import Flow, Remark, Say, Step
from ._read import read
from ._recordings import Over, Recording, cast, recordings, whole
from ._renumbered import Places
from ._titles import picture_title


def by_time(traces: Sequence[Trace], names: Sequence[str], **reading: Any) -> Flow:
    """Recordings of one time, such as two that listened in at two places; `reading` as for `read`."""
    one, who = joined(traces, names), identities(traces)
    flow = read(one.trace, **reading)
    places = Places(_renamed(one.ids, who.ids), _same, _same, _same)
    steps = [replace(step, rows=tuple(map(places.row, step.rows))) for step in flow.steps]
    everybody = {each.id: each for each in who.participants}
    lanes = {places.id(each.id): each for each in flow.lanes}
    return replace(
        flow,
        lanes=tuple(everybody.get(id_) or each.model_copy(update={"id": id_}) for id_, each in lanes.items()),
        steps=tuple(steps),
        sides={places.id(id_): side for id_, side in flow.sides.items()},
    )


def stacked(traces: Sequence[Trace], names: Sequence[str], *, steps: str | None = None, **reading: Any) -> Flow:
    """Recordings one below the other, each under its name; `reading` as for `read`."""
    who = identities(traces)
    found = recordings(traces, who.ids, names, True, reading)
    count = sum(each.flow.facts.steps for each in found)
    first = reading.get("start_step", 1)
    wanted = steps_chosen(steps, range(first, first + count))
    kept = [[step for step in own if wanted(step.number)] for own in _counted_on(found)]
    if steps and not any(kept):
        raise nothing_left(steps, reading.get("only", ()), (step.number for own in _counted_on(found) for step in own))
    lanes = cast(found, who, (row for own in kept for step in own for row in step.rows))
    over = lanes[0].id, lanes[-1].id
    everything = not steps and not reading.get("only")
    shown = [(number, own) for number, own in enumerate(kept, 1) if own or everything]
    return whole(found, lanes, (step for n, own in shown for step in (_heading(found, n, over), *own)), count)


def _counted_on(found: Sequence[Recording]) -> Iterator[list[Step]]:
    """The steps of each recording, its messages counted on."""
    before = 0
    for each in found:
        places = each.places(lambda number, before=before: number + before, _same)  # type: ignore[misc]
        yield [replace(step, rows=tuple(map(places.row, step.rows))) for step in each.flow.steps]
        before += each.flow.facts.messages


def _heading(found: Sequence[Recording], number: int, over: Over) -> Step:
    """Which recording begins here."""
    each, count = found[number - 1], len(found)
    title = picture_title(each.flow.title) if each.flow.title else Say("", "")
    en, zh = (f"{each.name} · {told}" if told else each.name for told in (title.en, title.zh))
    text = Say(f"Recording {number} of {count}: {en}", f"录制 {number}/{count}：{zh}")
    return Step(None, None, (Remark(over, text),))


def _renamed(from_ids: Sequence[Ids], to_ids: Sequence[Ids]) -> dict[str, str]:
    return {old[own]: new[own] for old, new in zip(from_ids, to_ids, strict=True) for own in old}


def _same(number: int) -> int:
    return number
