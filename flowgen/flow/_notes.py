"""Explanations beside messages, from `annotations.json`: each where it is true, once, at the first message it fits.

The language of that file is described in its own `fields`; it is read when the first note is asked for, and
compiled once. A note whose place or value is missing is not drawn.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from ._around import Around, Spot
from ._conditions import Condition, as_list, condition
from ._draft import Draft
from ._fill import Language, Values, filled
from ._model import Note, Say, Side
from ._places import Found, Place, place

Level = Literal["none", "brief", "full"]

_MOST_VALUES = 6  # of one note with `each`; after them `…`
_WEB = frozenset({"http", "sse"})

# Either side may send these; their notes stand with whoever did.
_BOTH_SEND = frozenset({
    "ping", "notifications/cancelled", "notifications/progress", "notifications/tasks/status",
    "tasks/get", "tasks/result", "tasks/list", "tasks/cancel",
})  # fmt: skip
_HEAD_PLACES = ("header:", "query:", "form:")


@dataclass(frozen=True, slots=True)
class Spec:
    """One note of the file, compiled."""

    id: str
    level: str
    once: bool
    each: bool
    side: Side
    eras: frozenset[str] | None
    transport: str
    kinds: frozenset[str] | None
    methods: frozenset[str] | None
    path: str
    place: Place
    when: Condition | None
    others: Mapping[str, Place]
    term: Mapping[Language, str]
    code: bool
    text: Mapping[Language, str]


def notes(
    around: Around, shown: frozenset[int], level: Level, sides: Mapping[str, Side]
) -> dict[int, tuple[Note, ...]]:
    """The notes of the shown messages, by position."""
    found: dict[int, tuple[Note, ...]] = {}
    pending: dict[tuple[str, str | None], list[Spec]] = {}
    fired: set[str] = set()
    for draft in around.made:
        if draft.at in shown:
            key = draft.kind, draft.method
            specs = pending[key] if key in pending else pending.setdefault(key, _for(level, *key))
            mine = _notes_of(Spot(draft, around), specs, fired, sides) if specs else ()
            if mine:
                found[draft.at] = mine
                pending = {
                    key: [one for one in specs if one.id not in fired] for key, specs in pending.items()
                }
        around.pass_by(draft)
    return found


def _notes_of(
    spot: Spot, specs: Sequence[Spec], fired: set[str], sides: Mapping[str, Side]
) -> tuple[Note, ...]:
    made: list[Note] = []
    for spec in specs:
        if spec.id in fired or not _applies(spec, spot):
            continue
        mine = list(_drawn(spec, spot, _side(spec, spot.draft, sides)))
        made += mine
        if mine and spec.once:
            fired.add(spec.id)
    return tuple(made)


def _applies(spec: Spec, spot: Spot) -> bool:
    transport = spot.draft.message.transport
    if (
        spec.transport != "any"
        and spec.transport != transport
        and not (spec.transport == "http" and transport in _WEB)
    ):
        return False
    return spec.eras is None or _era_fits(spec.eras, spot)


def _era_fits(eras: frozenset[str], spot: Spot) -> bool:
    at = spot.draft.at
    return spot.around.era(at) in eras or spot.around.revisions[at] in eras


def _drawn(spec: Spec, spot: Spot, side: Side) -> Iterator[Note]:
    """The note at the first value that fits, or with `each` at every one."""
    fitting = (found for found in spec.place(spot) if spec.when is None or spec.when(spot, found))
    drawn = (note for found in fitting if (note := _note(spec, spot, found, side)))
    yield from islice(drawn, _MOST_VALUES if spec.each else 1)
    if spec.each and (first := next(drawn, None)):
        rest = 1 + sum(1 for _ in drawn)
        yield replace(first, term=Say("…", "…"), code=False, text=Say(f"{rest} more", f"另有 {rest} 个"))


def _note(spec: Spec, spot: Spot, found: Found, side: Side) -> Note | None:
    term = _say(spec.term, spec, spot, found)
    text = _say(spec.text, spec, spot, found) if term else None
    return Note(spec.id, side, term, spec.code, text, found.path) if term and text else None


def _say(texts: Mapping[Language, str], spec: Spec, spot: Spot, found: Found) -> Say | None:
    en = filled(texts["en"], Values(spot, found, spec.others, "en"))
    zh = filled(texts["zh"], Values(spot, found, spec.others, "zh"))
    return Say(en, zh) if en is not None and zh is not None else None


def _side(spec: Spec, draft: Draft, sides: Mapping[str, Side]) -> Side:
    """As the note says; on a message that either side may send, the sender's."""
    free = spec.methods is None and spec.kinds is not None and not spec.path.startswith(_HEAD_PLACES)
    if free or draft.method in _BOTH_SEND:
        return sides.get(draft.message.sender, spec.side)
    return spec.side


@lru_cache(maxsize=1024)  # methods are the other side's words
def _for(level: Level, kind: str, method: str | None) -> list[Spec]:
    """The notes of a level for a kind and method, in file order."""
    return [
        spec
        for spec in specs()
        if level in (spec.level, "full")
        and (spec.kinds is None or kind in spec.kinds)
        and (spec.methods is None or method in spec.methods)
    ]


@cache
def specs() -> tuple[Spec, ...]:
    """The notes of the swim lane, in file order."""
    data = json.loads(Path(__file__).with_name("annotations.json").read_text("utf-8"))
    return tuple(_spec(note) for note in data["notes"] if note.get("view", "flow") == "flow")


def _spec(note: Mapping[str, Any]) -> Spec:
    term, eras = note["term"], as_list(note["era"])
    return Spec(
        id=note["id"],
        level=note["level"],
        once=note["once"],
        each=note.get("each", False),
        side=note["side"],
        eras=None if eras in (None, ["all"]) else frozenset(eras or ()),
        transport=note["transport"],
        kinds=_set(note["kind"]),
        methods=_set(note["method"]),
        path=note["path"],
        place=place(note["path"]),
        when=condition(note["when"], note["path"]),
        others={name: place(there) for name, there in note.get("with", {}).items()},
        term={"en": term, "zh": term} if isinstance(term, str) else term,
        code=isinstance(term, str),
        text={"en": note["en"], "zh": note["zh"]},
    )


def _set(value: Any) -> frozenset[str] | None:
    several = as_list(value)
    return None if several is None else frozenset(several)
