"""HTTP exchanges, each in a thread of its own. Bytes go out and come back as they are; nothing here reads a message.

What happens arrives in the inbox, as from a process. No request is ever sent a second time: it may have had an effect.
Redirects are not followed here either; whoever asked decides.
"""

import threading
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, NamedTuple

import httpcore
import httpx

from flowgen.wire import header_of, header_pairs, media_type

from ._http_decoder import CHUNK, Decoder
from ._http_sockets import Grip, LetGo, Place, Sockets
from ._inbox import AHEAD, Clock, Event, Inbox
from ._session import Route

# proxies buffer less, and what we cannot decode we do not ask for
_ACCEPTED_CODINGS = "gzip, deflate"

Pairs = list[list[str]]


class Head(NamedTuple):
    """The head of an answer: status and header pairs as they came."""

    status: int
    headers: Pairs


class Broken(NamedTuple):
    """Why an exchange ended before its end. `connected`: a connection stood; `ours`: we let it go."""

    reason: str
    connected: bool
    ours: bool


class Exchange:
    """One request and what comes back. `number` is the exchange number of the trace; `headers` are sent as they are."""

    def __init__(self, number: int, method: str, url: str, headers: Pairs, content: bytes | None, place: Place) -> None:
        self.number = number
        self.method = method
        self.url = url
        self.headers = headers
        self.content = content
        self.place = place
        self.grip = Grip()

    def request(self, timeout: dict[str, float | None]) -> httpcore.Request:
        """What goes out."""
        headers = [(name.encode(), value.encode()) for name, value in self.headers]
        extensions = {"timeout": timeout}
        return httpcore.Request(
            self.method, self.place.url, headers=headers, content=self.content or b"", extensions=extensions
        )


class Exchanges:
    """Starts exchanges and ends them.

    Events: `connected`, `head` (exchange, Head), `body` (exchange, bytes), `body-end` (exchange, None or Broken),
    `broken` (exchange, Broken) when no head came, `due` (a function) when a time is over.
    `idle` is called in an exchange's thread when its request is on its way and nothing has come back yet.
    """

    def __init__(self, inbox: Inbox, now: Clock, route: Route) -> None:
        self._inbox = inbox
        self._now = now
        self._sockets = Sockets(route, lambda: self._tell("connected"), self._waits)
        self.idle: Callable[[], None] = lambda: None
        self._timeout: dict[str, float | None] = {"connect": route.connect_timeout}
        self._cookies = httpx.Cookies()
        self._places: dict[str, Place] = {}
        self._under_way: set[Exchange] = set()
        self._work: SimpleQueue[Exchange | None] = SimpleQueue()
        self._threads = 0  # one for each exchange that is under way at the same time

    def prepare(
        self, number: int, method: str, url: str, headers: Sequence[tuple[str, str]], content: bytes | None = None,
        cookies: bool = True,
    ) -> Exchange:  # fmt: skip
        """An exchange that is ready to start, its headers complete; `cookies` of earlier answers go along."""
        place = self._places.get(url) or self._places.setdefault(url, Place.of(url))
        cookie = self._cookie_for(url) if cookies and len(self._cookies) else ()
        length = (("Content-Length", str(len(content))),) if content is not None else ()
        own = [("Host", place.host), *headers, *_standing(headers), *cookie, *length]
        given = {name.lower() for name, _ in headers}
        pairs = [[name, value] for name, value in (own[1:] if "host" in given else own)]
        return Exchange(number, method, url, pairs, content, place)

    def _cookie_for(self, url: str) -> tuple[tuple[str, str], ...]:
        request = httpx.Request("GET", url)
        self._cookies.set_cookie_header(request)
        value = request.headers.get("cookie")
        return (("Cookie", value),) if value else ()

    def start(self, exchange: Exchange) -> None:
        """Sends it. What comes of it is told to the inbox."""
        self._under_way.add(exchange)
        if len(self._under_way) > self._threads:
            self._threads += 1
            threading.Thread(target=self._carry_out_all, daemon=True).start()
        self._work.put(exchange)

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        """Tells the inbox that `act` is due, after so many seconds."""
        timer = threading.Timer(seconds, self._tell, ("due", act))
        timer.daemon = True
        timer.start()

    def close(self) -> None:
        """Ends whatever is under way."""
        for exchange in list(self._under_way):
            exchange.grip.close()
        for _ in range(self._threads):
            self._work.put(None)
        self._threads = 0
        self._sockets.close()

    def _waits(self) -> None:
        with suppress(Exception):  # no fault of the exchange; what it left undone is done again, and raised, by others
            self.idle()

    def _tell(self, name: str, value: Any = None) -> None:
        self._inbox.put(Event(self._now(), name, value))

    def _carry_out_all(self) -> None:
        while (exchange := self._work.get()) is not None:
            self._carry_out(exchange)

    def _carry_out(self, exchange: Exchange) -> None:
        self._sockets.holding(exchange.grip)
        news = _News(exchange, self._inbox, self._now)
        begun = False
        try:
            response = self._sockets.send(exchange.request(self._timeout), exchange.place)
            begun = True
            try:
                self._read(exchange, response, news)
            finally:
                response.close()
            news.add("body-end", None)
        except Exception as error:  # whatever a server or the network does ends this exchange only
            news.add("body-end" if begun else "broken", self._broken(exchange, error))
        self._under_way.discard(exchange)
        with suppress(LetGo):
            exchange.grip.hold(None)
        news.tell()

    def _broken(self, exchange: Exchange, error: Exception) -> Broken:
        kind = type(error).__name__
        connected = not kind.startswith(("Connect", "Proxy", "Unsupported", "LocalProtocol"))
        said = str(error).strip() or {"ConnectTimeout": "no connection in time"}.get(kind, kind)
        proxy = None if connected else self._sockets.proxy_of(exchange.place)
        return Broken(f"{said}, by way of the proxy {proxy}" if proxy else said, connected, exchange.grip.let_go)

    def _read(self, exchange: Exchange, response: httpcore.Response, news: "_News") -> None:
        headers = header_pairs(response.headers)
        news.add("head", Head(response.status, headers))
        self._learn_cookies(exchange, response)
        decode = Decoder(header_of(headers, "content-encoding"))
        news.waits = media_type(headers) != "text/event-stream"
        if not news.waits:
            news.tell()
        try:
            for raw in response.iter_stream():
                for chunk in decode.feed(raw):
                    news.add_body(chunk)
        finally:
            news.add_body(decode.end())
        if decode.cut:
            raise zlib.error("the compressed body ends too early")

    def _learn_cookies(self, exchange: Exchange, response: httpcore.Response) -> None:
        if any(name.lower() == b"set-cookie" for name, _ in response.headers):
            answer = httpx.Response(response.status, headers=response.headers)
            answer.request = httpx.Request(exchange.method, exchange.url)
            with suppress(ValueError):
                self._cookies.extract_cookies(answer)


class _News:
    """What an exchange tells the inbox. Events of a stream are told at once; a body waits for its end as long as it
    is small, so that whoever thinks is woken once.
    """

    def __init__(self, exchange: Exchange, inbox: Inbox, now: Clock) -> None:
        self._exchange = exchange
        self._inbox = inbox
        self._now = now
        self._room: threading.Semaphore | None = None  # few answers need it: those of several pieces
        self._told: list[tuple[str, Any, Callable[[], None] | None]] = []
        self._body: list[bytes] = []
        self._size = 0
        self.waits = True

    def add(self, name: str, value: Any) -> None:
        """Something that is told with the next `tell`; nothing of the body comes after it."""
        self._end_body(None)
        self._told.append((name, value, None))

    def add_body(self, chunk: bytes) -> None:
        """A piece of the body; told now, or when there is more of it."""
        if chunk:
            self._body.append(chunk)
            self._size += len(chunk)
        if self._body and (self._size >= CHUNK or not self.waits):
            self.tell()

    def tell(self) -> None:
        """Tells what waits, in its order; waits itself while too much was told and not taken."""
        if self._body:
            self._end_body(self._taking_room())
        told, self._told = self._told, []
        for name, value, taken in told:
            self._inbox.put(Event(self._now(), name, (self._exchange, value), taken))

    def _end_body(self, taken: Callable[[], None] | None) -> None:
        if self._body:
            self._told.append(("body", b"".join(self._body), taken))
            self._body, self._size = [], 0

    def _taking_room(self) -> Callable[[], None]:
        self._room = self._room or threading.Semaphore(AHEAD)
        self._room.acquire()
        return self._room.release


def _standing(headers: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """What every request has that says nothing else: who asks, and which codings of a body we can read."""
    standing = [("Accept", "*/*"), ("Accept-Encoding", _ACCEPTED_CODINGS), ("User-Agent", user_agent())]
    given = {name.lower() for name, _ in headers}
    return [pair for pair in standing if pair[0].lower() not in given]


def user_agent() -> str:
    """Who we are to web servers."""
    from flowgen.version import __version__

    return f"flowgen/{__version__}"
