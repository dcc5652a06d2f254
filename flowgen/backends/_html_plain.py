"""The messages of a page for a reader without scripts: headings, and a line for each message that opens its bytes."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from flowgen.flow import Entry, Group, Remark, Row, Run
from flowgen.scene import Telling, clean
from flowgen.trace import Mask

from ._html_flow import masked


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
    mask = Mask()
    for step in told.flow.steps:
        if step.number is not None:
            yield Block("step", told.say(step.title), str(step.number))
        yield from _rows(told, step.rows, mask)


def _rows(told: Telling, rows: Sequence[Row], mask: Mask) -> Iterator[Block]:
    for row in rows:
        match row:
            case Group(operator=operator, branches=branches):
                for branch in branches:
                    yield Block("group", f"{told.words(f'group.{operator}')} {told.say(branch.condition)}".rstrip())
                    yield from _rows(told, branch.rows, mask)
            case Remark(text=text):
                yield Block("remark", told.say(text, 600))
            case Run(entries=entries):
                yield from (_message(told, entry, mask) for entry in entries)
            case Entry():
                yield _message(told, row, mask)


def _message(told: Telling, entry: Entry, mask: Mask) -> Block:
    title = " ".join(filter(None, [told.word(entry), told.title(entry)]))
    chips = " · ".join(told.chips(entry))
    payload = _payload(masked(entry.message, mask))
    return Block("message", title, told.number(entry), _way(told, entry), chips, payload, told.notes(entry))


def _way(told: Telling, entry: Entry) -> str:
    message = entry.message
    if told.passes(entry):
        return f"{told.name(message.sender)} → {told.name(message.receiver)}"
    return told.name(told.process(entry) if message.kind == "process" else message.sender)


def _payload(message: dict[str, Any]) -> str:
    """HTTP head and body of a message."""
    http, lines = message.get("http"), []
    if http:
        status = http.get("status")
        lines = [str(status) if status is not None else f"{http.get('method', '')} {http.get('url', '')}".strip()]
        lines += [*(f"{name}: {value}" for name, value in http.get("headers", ())), ""]
    if "text" in message:
        lines.append(message["text"])
    elif "body" in message:
        lines.append(json.dumps(message["body"], ensure_ascii=False, indent=2))
    return clean("\n".join(lines))
