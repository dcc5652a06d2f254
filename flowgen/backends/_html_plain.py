"""The messages of a page for a reader without scripts: headings, and a line for each message that opens its bytes."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flowgen.flow import Entry, Group, Remark, Row, Run
from flowgen.scene import Telling, clean


@dataclass(frozen=True, slots=True)
class Block:
    """A `step`, a `remark`, a `group` or a `message`. What stands in it is cleaned."""

    kind: str
    title: str
    number: str | None = None
    way: str = ""
    chips: str = ""
    payload: str = ""
    notes: Sequence[tuple[str, str]] = ()


def blocks(told: Telling) -> Iterator[Block]:
    """All there is to read, in order; folded messages too."""
    for step in told.flow.steps:
        if step.number is not None:
            yield Block("step", told.say(step.title), str(step.number))
        yield from _rows(told, step.rows)


def _rows(told: Telling, rows: Sequence[Row]) -> Iterator[Block]:
    for row in rows:
        match row:
            case Group(operator=operator, branches=branches):
                for branch in branches:
                    yield Block("group", f"{told.words(f'group.{operator}')} {told.say(branch.condition)}".rstrip())
                    yield from _rows(told, branch.rows)
            case Remark(text=text):
                yield Block("remark", told.say(text, 600))
            case Run(entries=entries):
                yield from (_message(told, entry) for entry in entries)
            case Entry():
                yield _message(told, row)


def _message(told: Telling, entry: Entry) -> Block:
    title = " ".join(filter(None, [told.word(entry), told.title(entry)]))
    chips = " · ".join(told.chips(entry))
    return Block("message", title, told.number(entry), _way(told, entry), chips, _payload(entry), told.notes(entry))


def _way(told: Telling, entry: Entry) -> str:
    message = entry.message
    if told.passes(entry):
        return f"{told.name(message.sender)} → {told.name(message.receiver)}"
    return told.name(told.process(entry) if message.kind == "process" else message.sender)


def _payload(entry: Entry) -> str:
    """HTTP head and body of a message."""
    message, http = entry.message, entry.message.http
    lines = []
    if http:
        lines = [str(http.status) if http.status is not None else f"{http.method or ''} {http.url or ''}".strip()]
        lines += [*(f"{name}: {value}" for name, value in http.headers), ""]
    if message.text is not None:
        lines.append(message.text)
    elif "body" in message.model_fields_set:
        lines.append(json.dumps(message.body, ensure_ascii=False, indent=2))
    return clean("\n".join(lines))
