"""One message while its Entry is being worked out, and how to read what any message may lack.

Links between drafts are positions in the trace's list, for `seq` numbers of foreign recordings may repeat.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from flowgen.trace import Message, Trace

from ._model import ListChange, State

LISTEN = "subscriptions/listen"
_STREAM_EVENTS = frozenset({"stream-opened", "stream-closed"})
_NUMBERED = frozenset({"request", "response", "error", "notification"})


@dataclass(slots=True, eq=False)
class Draft:
    """A message, its place among the others, and what is known of it so far."""

    message: Message
    at: int
    kind: str
    body: Any
    params: dict[str, Any]
    method: str | None = None
    name: str | None = None
    number: int | None = None
    request: int | None = None
    answer: int | None = None
    state: State | None = None
    ended_by: int | None = None
    stream_end: int | None = None
    retry_of: int | None = None
    same_as: int | None = None
    relists: bool = False
    about: int | None = None
    change: ListChange | None = None
    overlaps: bool = False
    shape: Hashable = None

    def text(self, name: str) -> str | None:
        """A parameter, if it is a text."""
        value = self.params.get(name)
        return value if isinstance(value, str) else None

    @property
    def between(self) -> frozenset[str]:
        """The two that speak with each other."""
        return frozenset((self.message.sender, self.message.receiver))

    @property
    def event(self) -> str | None:
        """The code of a note, the event of a process or a stream."""
        if self.kind == "http":
            return stream_event(self.message)
        return _member(self.body, "event", str) if self.kind in ("note", "process") else None

    @property
    def data(self) -> dict[str, Any]:
        """What a note's code comes with."""
        return _member(self.body, "data", dict) or {}

    @property
    def result(self) -> dict[str, Any] | None:
        """The result of a response, if it is an object."""
        return _member(self.body, "result", dict) if self.kind == "response" else None

    @property
    def error(self) -> dict[str, Any]:
        """The error of an error response."""
        return (_member(self.body, "error", dict) or {}) if self.kind == "error" else {}

    @property
    def status(self) -> int | None:
        """The HTTP status that came with the message."""
        return self.message.http.status if self.message.http else None

    @property
    def failed(self) -> bool:
        """An error response, an HTTP error, or a tool that reports failure."""
        return self.kind == "error" or (self.status or 0) >= 400 or (self.result or {}).get("isError") is True


def drafts(trace: Trace) -> list[Draft]:
    """A draft for every message, with its own method, name and number."""
    made = [_draft(message, at) for at, message in enumerate(trace.messages)]
    numbered = (draft for draft in made if _is_numbered(draft))
    for number, draft in enumerate(numbered, 1):
        draft.number = number
    return made


def stream_event(message: Message) -> str | None:
    """What befell a stream; None for a half of an exchange, whose body may have an `event` of its own."""
    event = _member(message.body, "event", str) if message.kind == "http" else None
    return event if event in _STREAM_EVENTS else None


def seq(made: Sequence[Draft], at: int | None) -> int | None:
    """The `seq` of the message at a position."""
    return None if at is None else made[at].message.seq


def _draft(message: Message, at: int) -> Draft:
    body = message.body if message.body is not None else message.head
    if message.kind not in ("request", "notification"):
        return Draft(message, at, message.kind, body, {})
    params = _member(body, "params", dict) or {}
    return Draft(message, at, message.kind, body, params, _member(body, "method", str), _name(params))


def _name(params: dict[str, Any]) -> str | None:
    """The tool, prompt or URI; of a completion that of its reference."""
    ref = params.get("ref")
    for place in (params, ref if isinstance(ref, dict) else {}):
        for key in ("name", "uri"):
            if isinstance(place.get(key), str):
                return str(place[key])
    return None


def _is_numbered(draft: Draft) -> bool:
    """What is drawn as an arrow between two lanes; a plan's step says only why the next one comes."""
    if draft.kind == "note":
        return draft.message.sender != draft.message.receiver and draft.event != "plan-step"
    return draft.kind in _NUMBERED or (draft.kind == "http" and draft.event is None)


def _member(value: Any, name: str, form: type) -> Any:
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, form) else None
