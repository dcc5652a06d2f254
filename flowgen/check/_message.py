"""One message as rules look at it: what it says, who said it, in which revision, and what it belongs to.

Whatever a server sent, every part has the type that it is said to have; what is of another type is empty.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flowgen.flow import Draft, Side, State
from flowgen.trace import MASK, Message
from flowgen.wire import Key, header_of, id_key

from ._book import Era

Json = dict[str, Any]

PREFIX = "io.modelcontextprotocol/"
VERSION, CAPABILITIES = f"{PREFIX}protocolVersion", f"{PREFIX}clientCapabilities"
LISTEN = "subscriptions/listen"
JSON_RPC = frozenset({"request", "response", "error", "notification"})


@dataclass(slots=True, eq=False)
class Seen:
    """A message, and its links to others: positions have become messages.

    `at` is its position in the recording, `number` that of pictures. `method` and `name` of an answer are those of its
    request. `part` counts the sessions that one after the other took place between the same two.
    """

    message: Message
    at: int
    number: int | None
    side: Side
    kind: str
    method: str | None
    name: str | None
    params: Json
    result: Json | None
    error: Json
    event: str | None
    state: State | None
    revision: str | None = None
    era: Era | None = None
    part: int = 0
    request: "Seen | None" = None
    answer: "Seen | None" = None
    about: "Seen | None" = None
    ended_by: "Seen | None" = None
    stream_end: "Seen | None" = None
    retry_of: "Seen | None" = None

    @property
    def body(self) -> Json:
        """The JSON-RPC message; empty where it was not kept."""
        return obj(self.message.body)

    @property
    def whole(self) -> bool:
        """Whether everything that it says is known, so that it can be judged."""
        return self.kind in JSON_RPC and isinstance(self.message.body, dict)

    @property
    def id(self) -> Any:
        """The id as it was sent."""
        return self.body.get("id")

    @property
    def key(self) -> Key:
        """The id with its JSON type."""
        return id_key(self.id)

    @property
    def meta(self) -> Json:
        """The `_meta` of params, or of a result."""
        return obj((self.result if self.kind == "response" and self.result else self.params).get("_meta"))

    @property
    def code(self) -> int | None:
        """The code of an error, if it is a whole number."""
        return whole_number(self.error.get("code"))

    @property
    def exchange(self) -> int | None:
        """The number of its HTTP exchange."""
        return self.message.exchange

    @property
    def status(self) -> int | None:
        """The HTTP status that it came with."""
        return self.message.http.status if self.message.http else None

    @property
    def answered(self) -> bool:
        """Of a request: whether a result came, or a JSON-RPC error."""
        return self.answer is not None and self.answer.kind in ("response", "error")

    def header(self, name: str) -> str | None:
        """An HTTP header that came with it, whatever its case."""
        return header_of(self.message.http.headers, name) if self.message.http else None

    def has(self, *codes: str) -> bool:
        """Whether the recorder noticed one of these problems."""
        return not set(codes).isdisjoint(self.message.codes)

    def masked(self, pointer: str) -> bool:
        """Whether something at or under a JSON Pointer into the message was masked."""
        return any(f"{each}/".startswith(f"{pointer}/") for each in self.message.redacted)


def of_draft(draft: Draft, side: Side) -> Seen:
    """The message of a draft, its links still open."""
    return Seen(
        message=draft.message, at=draft.at, number=draft.number, side=side, kind=draft.kind, method=draft.method,
        name=draft.name, params=draft.params, result=draft.result, error=draft.error, event=draft.event,
        state=draft.state,
    )  # fmt: skip


def obj(value: Any) -> Json:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def objects(value: Any) -> Iterator[Json]:
    """The objects of a list."""
    return (each for each in items(value) if isinstance(each, dict))


def text(value: Any) -> str | None:
    """The value if it is a text that was not masked."""
    return value if isinstance(value, str) and MASK not in value else None


def whole_number(value: Any) -> int | None:
    """The value if it is a whole number; True is not 1."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
