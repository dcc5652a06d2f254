"""What a picture need not draw twice: results and `_meta` equal to those of an earlier box of the same picture.

A box may only point at one that is drawn: not at a message left out, nor at one inside a folded run.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from flowgen.flow import Entry, Flow

_SHORT = 60  # characters; a shorter `_meta` takes no more room than the remark


class Drawn(NamedTuple):
    """The boxes of a picture, in `steps`. `step_of` is number of a message -> number of its step (None without bands).

    `same_as` is number of a message whose box only points at another one -> number of that.
    `numbers` is `seq` -> number, `meta_as` is `seq` -> number of the first message drawn with an equal `_meta`.
    """

    step_of: Mapping[int, int | None]
    same_as: Mapping[int, int]
    numbers: Mapping[int, int]
    meta_as: Mapping[int, int]
    steps: frozenset[int | None]


def drawn(flow: Flow) -> Drawn:
    """Looks through all boxes of a flow, in order."""
    boxes = list(boxes_of(flow))
    step_of = {entry.number: step for step, entry in boxes if entry.number is not None}
    numbers = {entry.message.seq: number for _, entry in boxes if (number := entry.number) is not None}
    again = {
        entry.number: entry.same_as for _, entry in boxes if entry.number is not None and entry.same_as in step_of
    }
    whole = [entry for _, entry in boxes if entry.same_as not in step_of]  # the others only point at one of them
    return Drawn(step_of, again, numbers, _equal_meta(whole), frozenset(step.number for step in flow.steps))


def without_meta(body: Any, aside: str) -> Any:
    """The same body with a remark where its `_meta` stands."""
    member = _holder(body)
    if member is None:
        return body
    return {**body, member: {**body[member], "_meta": aside}}


def boxes_of(flow: Flow) -> Iterator[tuple[int | None, Entry]]:
    """The messages whose box a picture draws, each with the number of its step."""
    for step in flow.steps:
        for row in step.open_rows:
            if isinstance(row, Entry):
                yield step.number, row
            elif row.kind == "repeat":
                yield step.number, row.entries[0]


def _equal_meta(entries: list[Entry]) -> dict[int, int]:
    first: dict[tuple[str, str], int] = {}
    found: dict[int, int] = {}
    for entry in entries:
        text = _meta(entry)
        if text is None or entry.number is None:
            continue
        earlier = first.setdefault((entry.message.sender, text), entry.number)
        if earlier != entry.number:
            found[entry.message.seq] = earlier
    return found


def _meta(entry: Entry) -> str | None:
    """The `_meta` of a message in one line, if it is worth a remark; masked ones are never called equal."""
    body, message = entry.message.body, entry.message
    member = _holder(body)
    if member is None or any(f"/{member}/_meta" in pointer for pointer in message.redacted):
        return None
    text = json.dumps(body[member]["_meta"], sort_keys=True, default=str)
    return text if len(text) > _SHORT else None


def _holder(body: Any) -> str | None:
    """Where the `_meta` of a body stands: in `params` or in `result`."""
    for member in ("params", "result"):
        inner = body.get(member) if isinstance(body, dict) else None
        if isinstance(inner, dict) and isinstance(inner.get("_meta"), dict):
            return member
    return None
