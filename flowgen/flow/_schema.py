"""The JSON Schema of `flowgen.flow/1`: the parts of a trace as they stand there, the rest from this table."""

from typing import Any

from flowgen import trace

_Json = dict[str, Any]

_TEXT: _Json = {"type": "string"}
_WHOLE: _Json = {"type": "integer"}
_NUMBER: _Json = {"type": "number"}
_SAY: _Json = {"$ref": "#/$defs/Say"}
_ROWS: _Json = {"type": "array", "items": {"$ref": "#/$defs/Row"}}
_NAMES: _Json = {"type": "array", "items": _TEXT}


def _object(about: str, required: _Json, optional: _Json | None = None) -> _Json:
    """An object; what else a later revision puts into it is allowed."""
    members = required | (optional or {})
    return {"type": "object", "description": about, "required": list(required), "properties": members}


def _list(item: _Json) -> _Json:
    return {"type": "array", "items": item}


def _or_null(kind: _Json) -> _Json:
    return {"anyOf": [kind, {"type": "null"}]}


_PROGRESS = _object("One notification of progress.", {
    "progress": _NUMBER, "total": _or_null(_NUMBER), "message": _or_null(_TEXT),
})  # fmt: skip
_CHANGE = _object("What became of a list since it was answered as message number `since`.", {
    "since": _WHOLE, "added": _NAMES, "removed": _NAMES, "changed": _NAMES, "same": _WHOLE,
})  # fmt: skip
_NOTE = _object("An explanation hung on a message.", {
    "id": _TEXT, "side": {"enum": ["client", "server"]}, "term": _SAY, "code": {"type": "boolean"}, "text": _SAY,
    "path": _TEXT,
})  # fmt: skip
_ENTRY = _object("A message and what it means among the others; links are `seq` numbers.", {
    "label": _SAY, "message": {"$ref": "#/$defs/Message"},
}, {
    "number": _WHOLE, "method": _TEXT, "name": _TEXT, "request": _WHOLE, "answer": _WHOLE,
    "state": {"enum": ["answered", "unanswered", "open", "closed", "cancelled"]}, "ended_by": _WHOLE,
    "stream_end": _WHOLE, "latency": _NUMBER, "same_as": _WHOLE,
    "back_to": _WHOLE, "retry_of": _WHOLE, "about": _WHOLE, "change": _CHANGE,
    "overlaps": {"const": True}, "others": _WHOLE, "progress": _list(_PROGRESS), "notes": _list(_NOTE),
})  # fmt: skip
_RUN = _object("Neighbours that were folded.", {
    "run": {"enum": ["repeat", "pairs"]}, "count": _WHOLE, "label": _SAY, "entries": _list({"$ref": "#/$defs/Entry"}),
}, {
    "latency": _object("Seconds of the answers in it.", {"median": _NUMBER, "max": _NUMBER}),
    "progress": _list(_PROGRESS),
})  # fmt: skip
_GROUP = _object("A frame around rows.", {
    "group": {"enum": ["loop", "alt", "opt", "par"]},
    "branches": _list(_object("Rows under one condition.", {"condition": _or_null(_SAY), "rows": _ROWS})),
})  # fmt: skip
_REMARK = _object("A fact about several participants.", {
    "remark": _SAY, "over": {"type": "array", "items": _TEXT, "minItems": 2, "maxItems": 2},
})  # fmt: skip
_STEP = _object("A numbered phase; number and title are null for messages under no band.", {
    "number": _or_null(_WHOLE), "title": _or_null(_SAY), "rows": _ROWS,
})  # fmt: skip
_FACTS = _object("Counts over the whole recording.", {
    "transports": _NAMES, "revisions": _NAMES, "messages": _WHOLE, "unanswered": _WHOLE, "cancelled": _WHOLE,
    "steps": _WHOLE,
})  # fmt: skip
_PARTS = {
    "Say": _object("One sentence in both languages.", {"en": _TEXT, "zh": _TEXT}),
    "Entry": _ENTRY, "Run": _RUN, "Group": _GROUP, "Remark": _REMARK,
    "Row": {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in ("Entry", "Run", "Group", "Remark")]},
}  # fmt: skip


def schema() -> dict[str, Any]:
    """The JSON Schema of the document that `as_data` gives."""
    borrowed = trace.schema()["$defs"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Flow",
        **_object("The story of a recording: steps, exchanges, repeats, notes.", {
            "format": {"const": "flowgen.flow/1"}, "title": _or_null(_TEXT),
            "lanes": _list({"$ref": "#/$defs/Participant"}),
            "sides": {"type": "object", "additionalProperties": {"enum": ["client", "server"]}},
            "steps": _list(_STEP), "facts": _FACTS, "outcome": {"$ref": "#/$defs/Outcome"},
        }),
        "$defs": borrowed | _PARTS,
    }  # fmt: skip
