"""One message while its Entry is being worked out, and how to read what any message may lack.

Links between drafts are positions in the trace's list, for `seq` numbers of foreign recordings may repeat.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from flowgen.trace import Message, Others, StandIn

from ._model import ListChange, State

Id = tuple[str, Any]  # of a request: its JSON type, and what it is

LISTEN = "subscriptions/listen"
_STREAM_EVENTS = frozenset({"stream-opened", "stream-closed"})
_NUMBERED = frozenset({"request", "response", "error", "notification"})


@dataclass(slots=True, eq=False)
class Draft:
    """A message, its place among the others, and what is known of it so far.

    `params` are those of a request or notification, `result` is that of a response if it is an object, `event` the
    code of a note or what befell a process or a stream, `status` the HTTP status that came along. `failed`: an error
    response, an HTTP error, or a tool that reports failure. `kept`: it is to be seen, and never folds.
    """

    message: Message
    at: int
    kind: str
    body: Any
    params: dict[str, Any]
    result: dict[str, Any] | None
    event: str | None
    status: int | None
    failed: bool
    method: str | None = None
    name: str | None = None
    number: int | None = None
    id: Id | None = None
    loose_id: Id | None = None
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
    others: Others | None = None
    skipped: int = 0
    kept: bool = False

    @property
    def count(self) -> int:
        """How many it stands for, itself too."""
        return 1 + self.others.count if self.others else 1

    def text(self, name: str) -> str | None:
        """A parameter, if it is a text."""
        value = self.params.get(name)
        return value if isinstance(value, str) else None

    @property
    def between(self) -> frozenset[str]:
        """The two that speak with each other."""
        return frozenset((self.message.sender, self.message.receiver))

    @property
    def data(self) -> dict[str, Any]:
        """What a note's code comes with."""
        return _member(self.body, "data", dict) or {}

    @property
    def error(self) -> dict[str, Any]:
        """The error of an error response."""
        return (_member(self.body, "error", dict) or {}) if self.kind == "error" else {}


def drafts(messages: Iterable[Message]) -> list[Draft]:
    """A draft for every message, with its own method, name and number."""
    made = [_draft(message, at) for at, message in enumerate(messages)]
    number = 0
    for draft in made:
        if isinstance(draft.message, StandIn):
            draft.others, draft.skipped = draft.message.others, draft.message.skipped
        elif draft.message.left_out:
            draft.skipped = draft.message.left_out
        number += draft.skipped
        if _is_numbered(draft):
            number += 1
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
    kind, body = message.kind, message.body if message.body is not None else message.head
    status = message.http.status if message.http else None
    bad = (status or 0) >= 400
    match kind:
        case "request" | "notification":
            params = _member(body, "params", dict) or {}
            method = _member(body, "method", str)
            return Draft(message, at, kind, body, params, None, None, status, bad, method, _name(params))
        case "response":
            result = _member(body, "result", dict)
            bad = bad or (result is not None and result.get("isError") is True)
            return Draft(message, at, kind, body, {}, result, None, status, bad)
        case "http":
            return Draft(message, at, kind, body, {}, None, stream_event(message), status, bad)
        case "note" | "process":
            return Draft(message, at, kind, body, {}, None, _member(body, "event", str), status, bad)
    return Draft(message, at, kind, body, {}, None, None, status, bad or kind == "error")


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
