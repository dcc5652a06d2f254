"""Which message answers which: by direction, id and HTTP exchange, never by id alone (JSON-RPC 2.0; MCP Base Protocol).

An id is compared with its JSON type first and loosely after that (`"1"` or `1.0` for `1`), so that the answer of
a server that changes types still finds its request. What fits nothing stays alone; nothing here ever raises.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ._draft import LISTEN, Draft, Id
from ._duration import span

_ACCEPTED = 202  # says that the message arrived, not what came of it
_LONGEST_ID = 20  # digits of a text that may stand for a number


def pair(made: list[Draft], any_direction: bool = False) -> None:
    """Ties answers and cancellations to their requests and says what became of each request.

    `any_direction` is for recordings whose source could not tell who sent what.
    """
    for draft in made:
        draft.id = _strict(draft.body.get("id")) if isinstance(draft.body, dict) else None
        draft.loose_id = _loose(draft.id)
    book = _Book(made, any_direction)
    for draft in made:
        if draft.kind == "request" or _is_asking_half(draft):
            book.asked(draft)
        elif draft.kind in ("response", "error"):
            book.answered(draft)
        elif draft.kind == "http" or (draft.kind == "noise" and draft.status is not None):
            book.answered_by_http(draft)
        elif draft.method == "notifications/cancelled":
            book.cancelled(draft)
        else:
            book.sent(draft)
    ends = _process_ends(made)
    for draft in made:
        _settle(draft, made, ends)


def latency(request: Draft, answer: Draft) -> float | None:
    """Seconds between the two; None where the source knew no times, or none that can be."""
    return span(request.message.at, answer.message.at)


class _Book:
    """The requests that wait, and the last one answered under each id."""

    def __init__(self, made: list[Draft], any_direction: bool) -> None:
        self.made = made
        self.any_direction = any_direction
        self.waiting: defaultdict[Any, list[Draft]] = defaultdict(list)
        self.done: dict[Any, Draft] = {}
        self.exchanges: defaultdict[int, list[Draft]] = defaultdict(list)

    def asked(self, draft: Draft) -> None:
        self.sent(draft)
        if draft.kind == "request" and draft.loose_id:
            self.waiting[self._key(draft.message.sender, draft.message.receiver, draft.loose_id)].append(draft)

    def sent(self, draft: Draft) -> None:
        """Keeps what an HTTP answer may belong to: whatever was sent in its exchange."""
        if draft.message.exchange is not None:
            self.exchanges[draft.message.exchange].append(draft)

    def answered(self, draft: Draft) -> None:
        self.sent(draft)
        request = self._in_exchange(draft) or self._by_id(draft, self._asker(draft)) or self._just_asked(draft)
        if request:
            self._tie(request, draft)

    def answered_by_http(self, draft: Draft) -> None:
        """An HTTP status alone answers every request of its exchange; the head of a stream only says it opened."""
        asked = [other for other in self._of_exchange(draft) if other.kind != "response"]
        if draft.message.transport == "sse":
            draft.method, draft.name = (asked[0].method, asked[0].name) if asked else (None, None)
            return  # an event without a message answers nothing
        for request in asked if draft.event is None and draft.status != _ACCEPTED else _halves(asked):
            if request.answer is None:
                self._tie(request, draft)
        others = asked or self._of_exchange(draft)
        draft.request = others[0].at if others else None
        draft.method, draft.name = (others[0].method, others[0].name) if others else (None, None)
        if draft.event == "stream-closed":
            self._closed(draft)

    def cancelled(self, draft: Draft) -> None:
        """By who asked; of a subscription also by who is asked."""
        self.sent(draft)
        sender, receiver = draft.message.sender, draft.message.receiver
        id_ = _loose(_strict(draft.params.get("requestId")))
        own = self.waiting.get(self._key(sender, receiver, id_), [])
        theirs = self.waiting.get(self._key(receiver, sender, id_), [])
        request = _first_waiting([*own, *(other for other in theirs if other.method == LISTEN)])
        if request and request.state != "cancelled":
            request.state, request.ended_by = "cancelled", draft.at

    def _closed(self, draft: Draft) -> None:
        """A stream that the client closes cancels its request, whoever is written down as the sender of that."""
        by_client = draft.body.get("by") == "client"
        for request in self.exchanges[draft.message.exchange] if draft.message.exchange is not None else ():
            if request.kind == "request" or _is_asking_half(request):
                request.stream_end = draft.at
            if request.kind == "request" and request.answer is None and request.ended_by is None:
                request.ended_by = draft.at
                request.state = "cancelled" if by_client else None
            elif _is_asking_half(request) and not by_client:
                request.ended_by = draft.at

    def _tie(self, request: Draft, answer: Draft) -> None:
        answer.request, answer.method, answer.name = request.at, request.method, request.name
        if request.answer is None:
            request.answer = answer.at
            self._rest(request)

    def _rest(self, request: Draft) -> None:
        """The request waits no longer; a second answer under its id is a duplicate of this one."""
        if request.loose_id:
            key = self._key(request.message.sender, request.message.receiver, request.loose_id)
            self.done[key] = request
            if request in (waiting := self.waiting.get(key, [])):
                waiting.remove(request)

    def _in_exchange(self, answer: Draft) -> Draft | None:
        """The request of the same HTTP exchange: with the same id, or the only link there is when it has none."""
        asked = [other for other in self._of_exchange(answer) if other.kind == "request"]
        open_ = [other for other in asked if other.answer is None]
        if answer.id is None:
            return next(iter(open_ or asked), None)
        return (_best(open_, answer) or _best(asked, answer)) if asked else None

    def _by_id(self, answer: Draft, asker: tuple[str, str]) -> Draft | None:
        if answer.id is None:
            return None
        key = self._key(*asker, answer.loose_id)
        waiting, done = self.waiting.get(key, []), self.done.get(key)
        second = done is not None and "duplicate-response" in answer.message.codes  # whoever recorded it knew
        return done if second else _best(waiting, answer) or done

    def _just_asked(self, answer: Draft) -> Draft | None:
        """For an HTTP answer without an id, where exchanges were not recorded: the request directly before it."""
        before = self.made[answer.at - 1] if answer.at else None
        if answer.status is None or answer.message.exchange is not None or answer.id is not None:
            return None
        ends = (answer.message.receiver, answer.message.sender)
        fits = before and before.kind == "request" and (before.message.sender, before.message.receiver) == ends
        return before if fits else None

    def _of_exchange(self, answer: Draft) -> list[Draft]:
        sender = answer.message.sender
        sent = self.exchanges.get(answer.message.exchange, []) if answer.message.exchange is not None else []
        return [other for other in sent if self.any_direction or other.message.sender != sender]

    def _asker(self, answer: Draft) -> tuple[str, str]:
        return answer.message.receiver, answer.message.sender

    def _key(self, asker: str, asked: str, id_: Id | None) -> Any:
        return id_ if self.any_direction else (asker, asked, id_)


def _best(requests: Sequence[Draft], answer: Draft) -> Draft | None:
    """The one with the very id of an answer, else with one that differs in type only."""
    exact = [request for request in requests if request.id == answer.id]
    return _first_waiting(exact or [request for request in requests if request.loose_id == answer.loose_id])


def _first_waiting(requests: Iterable[Draft]) -> Draft | None:
    """The oldest that nobody cancelled, else the oldest."""
    oldest = None
    for request in requests:
        if request.state != "cancelled":
            return request
        oldest = oldest or request
    return oldest


def _strict(value: Any) -> Id | None:
    """An id with its JSON type; True is not 1. None for what can be no id."""
    match value:
        case bool():
            return "bool", value
        case int() | float():
            return type(value).__name__, value
        case str():
            return "text", value
    return None


def _loose(id_: Id | None) -> Id | None:
    """The id without its type: `"1"`, `1` and `1.0` are the same."""
    match id_:
        case ("int" | "float", number):
            return "number", number
        case ("text", text) if len(text) <= _LONGEST_ID and text.isascii() and text.isdigit():
            return "number", int(text)
    return id_


def _is_asking_half(draft: Draft) -> bool:
    http = draft.message.http if draft.kind == "http" else None
    return bool(http and http.method and http.status is None) and draft.event is None


def _halves(asked: Iterable[Draft]) -> Iterator[Draft]:
    return (draft for draft in asked if draft.kind == "http")


def _process_ends(made: list[Draft]) -> dict[str, int]:
    """Where the process of a participant ended; its messages stand between it and who started it."""
    gone = [draft for draft in made if draft.kind == "process" and draft.event == "exited"]
    return {id_: draft.at for draft in gone for id_ in (draft.message.sender, draft.message.receiver)}


def _settle(draft: Draft, made: Sequence[Draft], ends: dict[str, int]) -> None:
    if (draft.kind != "request" and not _is_asking_half(draft)) or draft.state == "cancelled":
        return
    if draft.answer is not None:
        streams = draft.kind == "http" and made[draft.answer].event == "stream-opened" and draft.ended_by is None
        draft.state, draft.ended_by = "open" if streams else "answered", None
        return
    draft.state = "open" if draft.method == LISTEN and draft.ended_by is None else "unanswered"
    end = ends.get(draft.message.receiver)
    if draft.ended_by is None and end is not None and end > draft.at:
        draft.ended_by = end
