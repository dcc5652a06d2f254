"""One exchange and what has come back of it so far. Nothing is kept and nothing decided here."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Literal
from urllib.parse import urljoin

from flowgen.wire import EventReader, header_of, media_type

from ._http import Broken, Exchange, Head
from ._pairs import Json
from ._speaker import Letter

_TAIL = 4096  # bytes of the end of a body that is too large

Purpose = Literal["message", "stream", "farewell", "document"]


class Round:
    """One exchange and what has come back of it. `letter`: the message that it carries, or whose answer it owes."""

    def __init__(self, exchange: Exchange, purpose: Purpose, message: Json, letter: Letter | None = None) -> None:
        self.exchange = exchange
        self.purpose = purpose
        self.message = message  # the request as it is kept; then what answered it
        self.letter = letter
        self.between: tuple[str, str] | None = None  # who asks whom, when it is not our client the MCP server
        self.limit: int | None = None  # bytes of the body that are of use
        self.head: Head | None = None
        self.events: EventReader | None = None
        self.pieces: list[bytes] = []
        self.held = self.size = 0
        self.tail = b""
        self.last_id: str | None = None
        self.retry: int | None = None
        self.fruitful = False  # an event came
        self.over = False  # we closed it: what still comes is not told
        self.headed: Callable[[], None] = lambda: None
        self.ended: Callable[[Broken | None, float], None] = lambda broken, at: None

    @property
    def status(self) -> int:
        """The status, 0 where none came."""
        return self.head.status if self.head else 0

    @property
    def good(self) -> bool:
        """Whether the status is one of success."""
        return 200 <= self.status < 300

    @property
    def media(self) -> str | None:
        """What the answer says that its body is."""
        return media_type(self.head.headers) if self.head else None

    @property
    def asks(self) -> bool:
        """Whether it carries a request that still waits for its answer."""
        asked = self.letter.asked if self.letter else None
        return asked is not None and (asked.state == "open" or asked.stays_open)

    @property
    def body(self) -> bytes:
        """What is held of the body."""
        return b"".join(self.pieces)

    @property
    def fields(self) -> Json:
        """What the answer's message has of HTTP."""
        head = self.head or Head(0, [])
        return {
            "transport": "http", "exchange": self.exchange.number,
            "http": {"status": head.status, "headers": head.headers},
        }  # fmt: skip

    def hold(self, chunk: bytes, limit: int) -> None:
        """Keeps a piece of the body, as far as the limit allows."""
        if self.held < limit:
            self.pieces.append(chunk[: limit - self.held])
            self.held += len(self.pieces[-1])
        self.size += len(chunk)
        if self.size > self.held:
            self.tail = (self.tail + chunk)[-_TAIL:]


def redirect_of(answer: Round) -> str | None:
    """Where a 3xx leads."""
    location = header_of(answer.head.headers, "location") if answer.head and 300 <= answer.status < 400 else None
    return joined(answer.exchange.url, location) if location else None


def joined(base: str, place: str) -> str:
    """An address beside another; the place itself where that makes none."""
    try:
        return urljoin(base, place)
    except ValueError:
        return place


def phrase(status: int) -> str:
    """The words of a status."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
