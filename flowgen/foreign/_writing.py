"""What every writer needs: bytes of messages, times of day, names of servers, and a count of what is left out."""

import base64
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from flowgen.wire import write_json

from ._parts import Row

RPC = ("request", "response", "error", "notification")
# what a person calls so many messages of a kind
_WORDS = {
    "stderr": "of stderr", "noise": "without JSON-RPC", "process": "about the process", "note": "of the recorder",
    "http": "over HTTP without JSON-RPC",
}  # fmt: skip


class Written(NamedTuple):
    """A file of another tool's format, and what of the trace it cannot hold, in words."""

    data: bytes
    lost: list[str]


class Lost:
    """Counts what a format cannot hold."""

    def __init__(self) -> None:
        self._messages: Counter[str] = Counter()
        self._others: dict[str, None] = {}

    def message(self, message: Row, what: str | None = None) -> None:
        """A message is left out: for its kind, or because of what it is."""
        kind = str(message["kind"])
        self._messages[what or _WORDS.get(kind, kind)] += 1

    def detail(self, what: str) -> None:
        """Something of messages that are kept."""
        self._others[what] = None

    def told(self) -> list[str]:
        """All of it, in words."""
        counted = [f"{n} message{'s' * (n > 1)} {what}" for what, n in self._messages.items()]
        return [*counted, *self._others]


def details(document: Row, lost: Lost) -> None:
    """What no other format holds of a trace beside its messages."""
    if document.get("title"):
        lost.detail("the title")
    if any(message.get("step") for message in document["messages"]):
        lost.detail("titles of steps")
    if document["messages"] and not any("at" in message for message in document["messages"]):
        lost.detail("the order beyond their lines")


def bytes_of(message: Row) -> bytes:
    """What came: the bytes that were kept, the text, or the body written compactly."""
    for name, encoding in (("raw", "raw_encoding"), ("text", "encoding")):
        if isinstance(message.get(name), str):
            return _decoded(message[name], message.get(encoding))
    return write_json(message["body"]) if message.get("body") is not None else b""


def text_of(message: Row) -> str:
    """The same as text; what is not UTF-8 stands there as U+FFFD."""
    return bytes_of(message).decode("utf-8", "replace")


class Clock:
    """Times of a trace as times of day; None where it does not tell when it began."""

    def __init__(self, document: Row) -> None:
        try:
            self._start: datetime | None = datetime.fromisoformat(document.get("recorded_at") or "")
        except ValueError:
            self._start = None

    def text(self, message: Row) -> str | None:
        """As ISO 8601, in the zone of the recording if it has one."""
        time = self._time(message)
        return None if time is None else time.isoformat(timespec="microseconds").replace("+00:00", "Z")

    def nanos(self, message: Row) -> int | None:
        """In nanoseconds since 1970; a time without a zone is taken as it stands."""
        time = self._time(message)
        if time is None:
            return None
        aware = time if time.tzinfo else time.replace(tzinfo=UTC)
        return round((aware - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(microseconds=1)) * 1000

    def _time(self, message: Row) -> datetime | None:
        at = message.get("at")
        try:
            return None if at is None or self._start is None else self._start + timedelta(seconds=at)
        except OverflowError:
            return None


def servers_of(document: Row) -> dict[str, str]:
    """What each server is called: as its id says, else by the name that it gave of itself."""
    people = [who for who in document["participants"] if who["role"] in ("server", "gateway")]
    return {who["id"]: _called(who) for who in people}


def _called(who: Row) -> str:
    plain = who["id"].removeprefix("server-")
    named = (who.get("title") or "").rpartition(" ")[0] or who.get("title")
    return plain if plain != who["id"] else named or plain


def method_of(message: Row) -> Any:
    """The method of a request or notification."""
    body = message.get("body")
    return body.get("method") if isinstance(body, dict) else None


def _decoded(text: str, encoding: str | None) -> bytes:
    if encoding != "base64":
        return text.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(text)
    except ValueError:
        return text.encode("utf-8", "surrogatepass")
