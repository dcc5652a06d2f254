"""A Flow as plain data, for `-f json` and for templates.

`{"format": "flowgen.flow/1", "title", "lanes": [participant], "sides": {id: side}, "steps": [{"number",
"title": {"en", "zh"}, "rows": [row]}], "facts": {…}, "outcome": {…}}`. A row is an entry, `{"message": the
message as in the trace, "label": {"en", "zh"}, and the fields of Entry that have a value}`, or a run,
`{"run": "repeat" | "pairs", "count", "label", "entries": [entry]}`.
"""

from dataclasses import asdict, fields
from typing import Any

from ._labels import label
from ._model import Entry, Flow, Run, Step

FORMAT = "flowgen.flow/1"
_LINKS = tuple(field.name for field in fields(Entry) if field.name not in ("message", "notes"))


def as_data(flow: Flow) -> dict[str, Any]:
    """The document; every value is JSON."""
    facts = asdict(flow.facts).items()
    return {
        "format": FORMAT,
        "title": flow.title,
        "lanes": [who.model_dump(exclude_none=True) for who in flow.lanes],
        "sides": dict(flow.sides),
        "steps": [_step(step) for step in flow.steps],
        "facts": {name: list(value) if isinstance(value, tuple) else value for name, value in facts},
        "outcome": flow.outcome.model_dump(exclude_none=True),
    }


def _step(step: Step) -> dict[str, Any]:
    title = asdict(step.title) if step.title else None
    return {"number": step.number, "title": title, "rows": [_row(row) for row in step.rows]}


def _row(row: Entry | Run) -> dict[str, Any]:
    words = {"label": asdict(label(row))}
    if isinstance(row, Run):
        entries = [_row(entry) for entry in row.entries]
        return {"run": row.kind, "count": row.count, **words, "entries": entries}
    known = {name: value for name in _LINKS if (value := getattr(row, name)) is not None}
    notes = {"notes": [asdict(note) for note in row.notes]} if row.notes else {}
    return known | words | {"message": row.message.model_dump(exclude_unset=True)} | notes
