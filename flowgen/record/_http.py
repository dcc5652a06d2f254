"""HTTP exchanges, each in a thread of its own. Bytes go out and come back as they are; nothing here reads a message.

What happens arrives in the inbox, as from a process. No request is ever sent a second time: it may have had an effect.
Redirects are not followed here either; whoever asked decides.
"""

import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import httpx

from flowgen.wire import header_of, header_pairs

from ._http_sockets import Grip, LetGo, Sockets
from ._inbox import AHEAD, Clock, Event, Inbox
from ._session import Route

CHUNK = 65536
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
    """One request and what comes back. `number` is the exchange number of the trace."""

    def __init__(self, number: int, request: httpx.Request) -> None:
        self.number = number
        self.request = request
        self.grip = Grip()

    @property
    def method(self) -> str:
        """The HTTP method."""
        return self.request.method

    @property
    def url(self) -> str:
        """The address."""
        return str(self.request.url)

    @property
    def headers(self) -> Pairs:
        """The headers as they are sent."""
        return header_pairs(self.request.headers.raw)


class Exchanges:
    """Starts exchanges and ends them.

    Events: `connected`, `head` (exchange, Head), `body` (exchange, bytes), `body-end` (exchange, None or Broken),
    `broken` (exchange, Broken) when no head came, `due` (a function) when a time is over.
    """

    def __init__(self, inbox: Inbox, now: Clock, route: Route) -> None:
        self._inbox = inbox
        self._now = now
        self._sockets = Sockets(route, lambda: self._tell("connected"))
        self._timeout = httpx.Timeout(None, connect=route.connect_timeout).as_dict()
        self._cookies = httpx.Cookies()
        self._under_way: set[Exchange] = set()

    def prepare(
        self, number: int, method: str, url: str, headers: Sequence[tuple[str, str]], content: bytes | None = None,
        cookies: bool = True,
    ) -> Exchange:  # fmt: skip
        """An exchange that is ready to start, its headers complete; `cookies` of earlier answers go along."""
        pairs = [(name.encode(), value.encode()) for name, value in [*headers, *_standing(headers)]]
        request = httpx.Request(method, url, headers=pairs, content=content, extensions={"timeout": self._timeout})
        if cookies:
            self._cookies.set_cookie_header(request)
        return Exchange(number, request)

    def start(self, exchange: Exchange) -> None:
        """Sends it. What comes of it is told to the inbox."""
        self._under_way.add(exchange)
        threading.Thread(target=self._carry_out, args=(exchange,), daemon=True).start()

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        """Tells the inbox that `act` is due, after so many seconds."""
        timer = threading.Timer(seconds, self._tell, ("due", act))
        timer.daemon = True
        timer.start()

    def close(self) -> None:
        """Ends whatever is under way."""
        for exchange in list(self._under_way):
            exchange.grip.close()
        self._sockets.close()

    def _tell(self, name: str, value: Any = None) -> None:
        self._inbox.put(Event(self._now(), name, value))

    def _carry_out(self, exchange: Exchange) -> None:
        self._sockets.holding(exchange.grip)
        begun = False
        try:
            response = self._sockets.handle_request(exchange.request)
            begun = True
            try:
                self._read(exchange, response)
            finally:
                response.close()
            self._tell("body-end", (exchange, None))
        except Exception as error:  # whatever a server or the network does ends this exchange only
            self._tell("body-end" if begun else "broken", (exchange, _broken(exchange, error)))
        finally:
            self._under_way.discard(exchange)
            with suppress(LetGo):
                exchange.grip.hold(None)

    def _read(self, exchange: Exchange, response: httpx.Response) -> None:
        headers = header_pairs(response.headers.raw)
        self._tell("head", (exchange, Head(response.status_code, headers)))
        self._learn_cookies(exchange, response)
        room = threading.Semaphore(AHEAD)
        decode = Decoder(header_of(headers, "content-encoding"))
        try:
            for raw in response.iter_raw():
                for chunk in decode.feed(raw):
                    room.acquire()
                    self._inbox.put(Event(self._now(), "body", (exchange, chunk), room.release))
        finally:
            if rest := decode.end():
                self._tell("body", (exchange, rest))
        if decode.cut:
            raise zlib.error("the compressed body ends too early")

    def _learn_cookies(self, exchange: Exchange, response: httpx.Response) -> None:
        if "set-cookie" in response.headers:
            response.request = exchange.request
            with suppress(ValueError):
                self._cookies.extract_cookies(response)


def _standing(headers: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """What every request has that says nothing else: who asks, and which codings of a body we can read."""
    standing = [("Accept", "*/*"), ("Accept-Encoding", _ACCEPTED_CODINGS), ("User-Agent", user_agent())]
    given = {name.lower() for name, _ in headers}
    return [pair for pair in standing if pair[0].lower() not in given]


def _broken(exchange: Exchange, error: Exception) -> Broken:
    ours = exchange.grip.let_go
    kind = type(error).__name__
    connected = not kind.startswith(("Connect", "Proxy", "Unsupported")) and kind not in ("LocalProtocolError",)
    said = str(error).strip() or {"ConnectTimeout": "no connection in time"}.get(kind, kind)
    return Broken(said, connected, ours)


def user_agent() -> str:
    """Who we are to web servers."""
    from flowgen.version import __version__

    return f"flowgen/{__version__}"


class Decoder:
    """Takes gzip and deflate away. What is not in the coding that it claims is given as it came."""

    def __init__(self, coding: str | None) -> None:
        self._coding = (coding or "").strip().lower()
        self._decoding = self._coding in ("gzip", "x-gzip", "deflate")
        self._inflate: Any = None
        self._begun = False  # content has come out
        self._before = b""  # what went in before that

    @property
    def cut(self) -> bool:
        """Whether the coding has begun and its end is missing."""
        return self._begun and self._decoding

    def feed(self, raw: bytes) -> Iterator[bytes]:
        """The content of some bytes, in pieces."""
        if self._decoding and self._inflate is None:
            raw, self._before = self._before + raw, b""
            if len(raw) < 2:
                self._before = raw
                return
            self._inflate = _inflater(self._coding, raw)
            self._decoding = self._inflate is not None
        if self._decoding:
            yield from self._inflated(raw)
        elif raw:
            yield raw

    def end(self) -> bytes:
        """What was held back until it was clear what it is."""
        return b"" if self._begun else self._before

    def _inflated(self, raw: bytes) -> Iterator[bytes]:
        self._before += b"" if self._begun else raw
        while True:
            try:
                piece: bytes = self._inflate.decompress(raw, CHUNK)
            except zlib.error:
                self._decoding = False
                yield raw if self._begun else self.end()
                return
            if piece:
                self._begun, self._before = True, b""
                yield piece
            raw = self._inflate.unconsumed_tail
            if self._inflate.eof:
                self._decoding, self._begun = False, True
                yield from filter(None, [self._inflate.unused_data])
                return
            if not raw and len(piece) < CHUNK:
                return


def _inflater(coding: str, start: bytes) -> Any:
    """A decoder by what the body begins with; None where it is no compression. Some servers leave zlib's frame out."""
    if start.startswith(b"\x1f\x8b"):
        return zlib.decompressobj(31)
    if start[0] & 0x0F == 8 and int.from_bytes(start[:2], "big") % 31 == 0:
        return zlib.decompressobj(15)
    return zlib.decompressobj(-15) if coding == "deflate" else None
