"""What comes back over HTTP becomes messages: bodies, events of streams, statuses without any JSON-RPC.

Everything is kept and its oddities are marked. Whether an exchange that is over has brought what was wanted is
for its `ended` to decide.
"""

from collections.abc import Callable, Iterator
from typing import Any

from flowgen.wire import (
    EventReader,
    ServerEvent,
    read_document,
    read_json,
    read_message,
    unkept,
    unkept_document,
)

from ._http import Broken, Exchange, Head
from ._http_dress import wears_session
from ._http_round import Round, phrase, redirect_of
from ._inbox import Event
from ._intake import Intake
from ._pairs import Asked, Json, mark

END_SECONDS = 0.05  # for the end of a stream after its answer
_OK, _ACCEPTED = 200, 202

class Answers:
    """Takes the events of exchanges. `denies` says of an answer that it is none, whatever stands in it.

    `endpoint` is told where HTTP+SSE (2024-11-05) wants its requests; `secret` hears of it before it is kept.
    `hide` takes secrets out of the words of a problem.
    """

    def __init__(self, intake: Intake, max_message: int) -> None:
        self._intake = intake
        self._limit = max_message
        self.rounds: dict[Exchange, Round] = {}
        self.denies: Callable[[Round, list[Json]], bool] = lambda answer, parts: False
        self.endpoint: Callable[[Round, str, float], None] = lambda answer, text, at: None
        self.secret: Callable[[str], None] = lambda address: None
        self.hide: Callable[[str], str] = lambda text: text
        self.replies_elsewhere = False  # in HTTP+SSE answers come on the stream alone
        intake.source = self

    def take(self, event: Event) -> None:
        """Takes one event."""
        if event.name == "connected":
            self._intake.lives(event.at)
        elif event.name == "due":
            event.value()
        else:
            exchange, value = event.value
            taken = self.rounds.get(exchange)
            if isinstance(value, Broken):  # the words of a library may hold what the server sent
                value = value._replace(reason=self.hide(value.reason))
            if taken is not None and not taken.over:
                self._of_round(event.name, taken, value, event.at)

    def _of_round(self, name: str, answer: Round, value: Any, at: float) -> None:
        match name:
            case "head":
                self._headed(answer, value, at)
            case "body":
                self._body(answer, value, at)
            case "body-end":
                self._closed(answer, value, at)
                self._forget(answer, value, at)
            case "broken":
                self._unanswered(answer, value, at)
                self._forget(answer, value, at)

    def _forget(self, answer: Round, broken: Broken | None, at: float) -> None:
        self.rounds.pop(answer.exchange, None)
        answer.over = True
        self._intake.release(answer)
        answer.ended(broken, at)

    # streams

    def _headed(self, answer: Round, head: Head, at: float) -> None:
        self._intake.lives(at)
        answer.head = head
        if answer.good and answer.media == "text/event-stream" and answer.purpose in ("message", "stream"):
            answer.events = EventReader(self._limit)
            part = {"kind": "http", "body": {"event": "stream-opened", "by": "server"}}
            answer.message = self._plain(answer, part, at)
            answer.headed()

    def _body(self, answer: Round, chunk: bytes, at: float) -> None:
        if answer.events is None:
            answer.hold(chunk, min(self._limit, answer.limit or self._limit))
            return
        for event in answer.events.feed(chunk):
            self._event(answer, event, at)

    def _event(self, answer: Round, event: ServerEvent, at: float) -> None:
        answer.last_id = answer.last_id if event.id is None else event.id
        answer.retry = answer.retry if event.retry is None else event.retry
        answer.fruitful |= event.data is not None
        endpoint = event.data.decode("utf-8", "replace") if event.event == "endpoint" and event.data else None
        if endpoint is not None:
            self.secret(endpoint)
        more: Json = {"transport": "sse", "exchange": answer.exchange.number, "sse": event.fields or None}
        for part in self._parts_of(event):
            if part["kind"] == "http":
                self._intake.keep_plain(part, at, answer.between, **more, revision=answer.message.get("revision"))
            else:
                self._heard(answer, part, at, more)
        if endpoint is not None:
            self.endpoint(answer, endpoint, at)

    def _heard(self, answer: Round, part: Json, at: float, more: Json) -> None:
        """A message on a stream. After the answer the stream should end; we go on when it did, or soon."""
        asked = _asked_by(answer)
        answer.message = self._intake.keep(part, at, asked, **more)
        if asked is not None and asked.state == "answered":
            self._intake.hold(answer, at + END_SECONDS)

    def _parts_of(self, event: ServerEvent) -> list[Json]:
        """Events of another name than `message` are no messages, unless there is JSON-RPC in them."""
        data = event.data or b""
        parts = [unkept(data, event.size, event.tail, "too-large")] if event.cut else read_message(data, self._limit)
        named = event.event not in (None, "", "message")
        if not parts or (named and all(part["kind"] == "noise" for part in parts)):
            parts = [read_document(data, self._limit)]
        return parts if event.whole else [_unfinished(part) for part in parts]

    # the end of an exchange

    def _closed(self, answer: Round, broken: Broken | None, at: float) -> None:
        if answer.events is None:
            self._concluded(answer, broken, at)
            return
        for event in answer.events.end():
            self._event(answer, event, at)
        part: Json = {"kind": "http", "body": {"event": "stream-closed", "by": "server"}}
        message = self._plain(answer, part, at, head=False)
        if broken is not None:
            mark(message, "truncated", f"The stream was cut: {broken.reason}.")
        answer.message = message

    def _unanswered(self, answer: Round, broken: Broken, at: float) -> None:
        """No head came."""
        if not broken.connected:
            mark(answer.message, "no-connection", f"No connection: {broken.reason}.")
            return
        part: Json = {"kind": "http", "body": {"event": "stream-closed", "by": "server"}}
        answer.message = self._plain(answer, part, at, head=False)
        mark(answer.message, "stream-closed", f"The connection ended without an answer: {broken.reason}.")

    def _concluded(self, answer: Round, broken: Broken | None, at: float) -> None:
        """A body is complete, or ended early."""
        parts = self._messages_in(answer)
        problems = list(self._problems(answer, bool(parts), broken))
        denied = self.denies(answer, parts)
        parts = parts or [self._document(answer)]
        for number, part in enumerate(parts):
            for code, sentence in problems:
                mark(part, code, sentence)
            if part["kind"] == "http" or denied:
                answer.message = self._plain(answer, part, at, head=number == 0)
            else:
                answer.message = self._answered(answer, part, at, head=number == 0)

    def _messages_in(self, answer: Round) -> list[Json]:
        """The parts of a body that holds JSON-RPC; empty for any other."""
        if answer.purpose == "document" or not answer.held:
            return []
        if answer.size > answer.held:
            parts = [unkept(answer.body, answer.size, answer.tail, "too-large")]
        else:
            parts = read_message(answer.body, self._limit)
        return parts if any(part["kind"] != "noise" for part in parts) else []

    def _document(self, answer: Round) -> Json:
        if answer.size > answer.held:
            return unkept_document(answer.body, answer.size)
        return read_document(answer.body, self._limit)

    def _answered(self, answer: Round, part: Json, at: float, head: bool) -> Json:
        return self._intake.keep(part, at, _asked_by(answer), **_fields(answer, head))

    def _plain(self, answer: Round, part: Json, at: float, head: bool = True) -> Json:
        revision = answer.letter.revision if answer.letter else answer.message.get("revision")
        return self._intake.keep_plain(part, at, answer.between, **_fields(answer, head), revision=revision)

    def _problems(self, answer: Round, spoken: bool, broken: Broken | None) -> Iterator[tuple[str, str]]:
        """What is wrong with a body that is no stream, as codes with sentences."""
        status, media = answer.status, answer.media
        if broken is not None:
            yield "truncated", f"The body was cut: {broken.reason}."
        if redirect_of(answer) is not None and answer.between is None:  # a browser is sent back so, which is no problem
            yield "redirected", "The server sends us to another address."
        if status >= 400:
            yield "http-error", f"Status {status} {phrase(status)}".rstrip() + "."
        if status == 404 and wears_session(answer.exchange.headers):
            yield "session-lost", "The server does not know this session any more."
        if answer.good:
            yield from self._problems_of_success(answer, spoken)
        if (spoken and media != "application/json") or (not spoken and _lies(media, answer)):
            yield "wrong-content-type", f"The body is not what its content type says ({media or 'none'})."

    def _problems_of_success(self, answer: Round, spoken: bool) -> Iterator[tuple[str, str]]:
        status, letter = answer.status, answer.letter
        if self.replies_elsewhere or answer.purpose in ("document", "farewell"):
            return
        if letter is not None and letter.kind != "request":
            if status != _ACCEPTED:
                yield "wrong-status", f"Status {status}, where 202 says that a message was taken."
            if answer.size:
                yield "response-to-notification", "What needs no answer got a body."
        elif status != _OK and not spoken:
            yield "wrong-status", f"Status {status}, where 200 brings an answer."
        elif not spoken:
            yield "wrong-content-type", f"No JSON-RPC in the body, which says that it is {answer.media or 'nothing'}."


def _unfinished(part: Json) -> Json:
    """What a stream ended in. A message may be whole all the same; anything else was cut."""
    if part["kind"] in ("noise", "http"):
        part["problems"] = [problem for problem in part["problems"] if problem["code"] != "not-json"]
        mark(part, "truncated", "The stream ended within this event.")
    else:
        mark(part, "unterminated", "The stream ended before the empty line that ends an event.")
    return part


def _fields(answer: Round, head: bool) -> Json:
    fields = answer.fields
    return fields if head else {name: value for name, value in fields.items() if name != "http"}


def _lies(media: str | None, answer: Round) -> bool:
    """Whether a body says that it is JSON and is none."""
    if media != "application/json" or not answer.size or answer.size > answer.held:
        return False
    try:
        read_json(answer.body)
    except ValueError:
        return True
    return False


def _asked_by(answer: Round) -> Asked | None:
    """The request that an answer without an id belongs to."""
    return answer.letter.asked if answer.letter is not None and answer.asks else None
