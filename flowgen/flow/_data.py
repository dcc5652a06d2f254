"""A Flow as plain data, for `-f json` and for templates; `flowgen schema flow` is its JSON Schema.

`{"format": "flowgen.flow/1", "title", "lanes": [participant], "sides": {id: side}, "steps": [{"number",
"title": {"en", "zh"}, "rows": [row]}], "facts": {…}, "outcome": {…}}`. A row is one of
- an entry: `{"message": the message as in the trace, "label": {"en", "zh"}, and the fields of Entry that have a
  value}`; progress also has `"progress": [{"progress", "total", "message"}]`, and what stands in for messages that were
  left out of a long recording `"others"`, their number;
- a run: `{"run": "repeat" | "pairs", "count", "label", "latency": {"median", "max"} in seconds, "progress",
  "entries": [entry]}`;
- a group: `{"group": "loop" | "alt" | …, "branches": [{"condition": {"en", "zh"} or null, "rows": [row]}]}`;
- a remark: `{"remark": {"en", "zh"}, "over": [first lane, last lane]}`.
"""

from dataclasses import asdict, fields
from typing import Any

from ._labels import label
from ._model import Branch, Entry, Flow, Group, Remark, Row, Run, Say, Step
from ._progress import progress_series

FORMAT = "flowgen.flow/1"
_OTHERWISE = ("message", "change", "overlaps", "notes", "others")
_LINKS = tuple(field.name for field in fields(Entry) if field.name not in _OTHERWISE)


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
        "outcome": flow.outcome.model_dump(exclude_defaults=True),
    }


def _step(step: Step) -> dict[str, Any]:
    return {"number": step.number, "title": _said(step.title), "rows": [_row(row) for row in step.rows]}


def _row(row: Row) -> dict[str, Any]:
    match row:
        case Group(operator=operator, branches=branches):
            return {"group": operator, "branches": [_branch(branch) for branch in branches]}
        case Remark(over=over, text=text):
            return {"remark": _said(text), "over": list(over)}
        case Run():
            return _run(row)
        case Entry():
            return _entry(row)


def _branch(branch: Branch) -> dict[str, Any]:
    return {"condition": _said(branch.condition), "rows": [_row(row) for row in branch.rows]}


def _run(run: Run) -> dict[str, Any]:
    from statistics import median

    known = {"run": run.kind, "count": run.count, "label": asdict(label(run))}
    if times := run.latencies:
        known["latency"] = {"median": round(median(times), 6), "max": max(times)}
    return known | _series(run) | {"entries": [_entry(entry) for entry in run.entries]}


def _entry(entry: Entry) -> dict[str, Any]:
    known = {name: value for name in _LINKS if (value := getattr(entry, name)) is not None}
    if entry.change:
        known["change"] = {key: list(v) if isinstance(v, tuple) else v for key, v in asdict(entry.change).items()}
    if entry.overlaps:
        known["overlaps"] = True
    if entry.others:
        known["others"] = entry.others.count
    notes = {"notes": [asdict(note) for note in entry.notes]} if entry.notes else {}
    words = {"label": asdict(label(entry))} | _series(entry)
    return known | words | {"message": entry.message.model_dump(exclude_unset=True)} | notes


def _series(row: Entry | Run) -> dict[str, Any]:
    values = progress_series(row)
    return {"progress": [asdict(value) for value in values]} if values else {}


def _said(said: Say | None) -> dict[str, str] | None:
    return asdict(said) if said else None
