"""Stands between a client and a server that speak over HTTP: each connection of the client has one of its own to the
server, and what goes over them passes at once, in both directions.

Heads pass unchanged but for the host and what RFC 9110 7.6 takes away. A server that cannot be reached is a 502 with
one line, as of any gateway; a connection that breaks is broken off on the other side, too.
"""

import asyncio
import json
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from ._pairs import Json
from ._tap_endpoint import Endpoint
from ._tap_heads import Body, Head, NotHttp, answer_body, head_in, passed_on, request_body

CHUNK = 65536
_CONNECT_SECONDS = 30.0
_LEAVE_SECONDS = 2.0
_HEAR_SECONDS = 2.0  # for the rest of a request to a server that is not there


class Upstream(NamedTuple):
    """Where requests go. `origin` is `https://host:port` as an address has it, `name` what a Host field says."""

    origin: str
    host: str
    port: int
    name: str
    context: ssl.SSLContext | None

    def reason(self, problem: Exception) -> str:
        """Why there is no connection."""
        said = str(getattr(problem, "strerror", None) or problem or "it took too long")
        more = "; --cacert FILE names who vouches for the server" if "certificate" in said.lower() else ""
        return f"no connection to {self.origin}: {' '.join(said.split())}{more}"


class Gone(Exception):
    """The client has hung up."""


class Side:
    """One end of a connection. What was read too far is kept."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer
        _at_once(writer.get_extra_info("socket"))
        self.rest = b""

    async def take(self) -> bytes:
        """Some bytes; none at the end."""
        if self.rest:
            data, self.rest = self.rest, b""
            return data
        try:
            return await self._reader.read(CHUNK)
        except OSError:
            return b""

    async def head(self) -> Head | None:
        """The next head; None where the connection ends before one is whole. Raises NotHttp."""
        data = self.rest
        while (found := head_in(data)) is None:
            self.rest = b""
            more = await self.take()
            if not more:
                return None
            data += more
            self.rest = data  # nothing is lost when nobody waits any more
        head, length = found
        self.rest = data[length:]
        return head

    async def ends(self) -> None:
        """Comes back when the other end hangs up, or else says something that nobody asked for."""
        while not self.rest and (data := await self.take()):
            self.rest = data

    def put(self, data: bytes) -> None:
        """Sends bytes; whoever sends many waits for `room` afterwards."""
        self.writer.write(data)

    async def room(self) -> None:
        """Waits while too many bytes are on their way."""
        await self.writer.drain()

    async def close(self) -> None:
        """Hangs up, and waits a moment for the other end to see it."""
        with suppress(OSError, RuntimeError, TimeoutError):
            self.writer.close()
            await asyncio.wait_for(self.writer.wait_closed(), _LEAVE_SECONDS)


class Exchange(NamedTuple):
    """One request and its answer: `put` hands over what passes of it (an event, its fields, bytes)."""

    client: Side
    server: Side
    head: Head
    put: Callable[..., None]


class HttpTap:
    """Carries out the exchanges of all connections. `put` hands over what passed; `refuses` says why a request must
    not go on, or None.
    """

    def __init__(
        self, upstream: Upstream, put: Callable[[Json, bytes], None], refuses: Callable[[Head], str | None]
    ) -> None:
        self._upstream = upstream
        self._put = put
        self._refuses = refuses
        self._number = 0
        self.open = 0  # requests that wait for their answer; a stream that somebody listens to is none

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one connection of a client until either side hangs up."""
        client = Side(reader, writer)
        sides = [client]
        try:
            while (head := await self._next(sides)) is not None and await self._exchange(sides, head):
                pass
        except NotHttp as why:
            await self._say(client, 400, f"{why}")
        except (OSError, Gone, asyncio.CancelledError):  # cancelled only when the tap itself ends
            pass
        finally:
            await asyncio.gather(*(side.close() for side in sides), return_exceptions=True)

    async def _next(self, sides: list[Side]) -> Head | None:
        """The next request; None where the client, or an idle server, hangs up."""
        coming = asyncio.ensure_future(sides[0].head())
        leaving = [asyncio.ensure_future(server.ends()) for server in sides[1:]]
        try:
            await asyncio.wait([coming, *leaving], return_when=asyncio.FIRST_COMPLETED)
            return await coming if coming.done() else None
        finally:
            await _let_go([coming, *leaving])

    async def _exchange(self, sides: list[Side], head: Head) -> bool:
        """Carries out one exchange; whether the connections may be used again."""
        client, body = sides[0], request_body(head)
        self._number += 1
        number = self._number

        def put(event: str, data: bytes = b"", **fields: Any) -> None:
            self._put({"n": number, "event": event, **fields}, data)

        sent = passed_on(head, self._upstream.name)
        put("asked", method=sent.words[0], url=self._upstream.origin + sent.words[1], headers=sent.pairs)
        if (why := self._refuses(head)) is not None:
            return await self._answer_ourselves(client, put, 403, why)
        try:
            server = sides[1] if len(sides) > 1 else await self._connect()
        except (OSError, TimeoutError) as problem:
            await _hear_out(client, head, body, put)
            return await self._answer_ourselves(client, put, 502, self._upstream.reason(problem))
        sides[1:] = [server]
        server.put(sent.bytes())
        waits = int(sent.words[0] == "POST")
        self.open += waits
        try:
            return await self._both_ways(Exchange(client, server, head, put), body)
        finally:
            self.open -= waits

    async def _connect(self) -> Side:
        to = self._upstream
        name = to.host if to.context is not None else None
        opening = asyncio.open_connection(to.host, to.port, ssl=to.context, server_hostname=name)
        return Side(*await asyncio.wait_for(opening, _CONNECT_SECONDS))

    async def _both_ways(self, exchange: Exchange, body: Body) -> bool:
        """The rest of the request and the answer at the same time; a client that hangs up ends both."""
        sending = asyncio.ensure_future(_send(exchange, body))
        answering = asyncio.ensure_future(self._answer(exchange))
        try:
            await asyncio.wait([sending, answering], return_when=asyncio.FIRST_COMPLETED)
            if not answering.done() and sending.exception() is None and sending.result():
                exchange.put("gone")
                raise Gone
            return await answering and body.done
        except (OSError, NotHttp) as problem:
            exchange.put("broken", reason=str(problem), connected=True)
            return False
        finally:
            await _let_go([sending, answering])

    async def _answer(self, exchange: Exchange) -> bool:
        """Passes the answer on; whether the connections may be used again."""
        client, server, asked, put = exchange
        method = asked.words[0]
        while (head := await server.head()) is not None and head.status < 200:
            client.put(head.bytes())
        if head is None:
            put("broken", reason="the server hung up", connected=True)
            return False
        client.put(passed_on(head).bytes())
        put("head", status=head.status, headers=head.pairs)
        body = answer_body(head, method)
        endpoint = Endpoint(asked, head, self._upstream.origin)
        while not body.done:
            data = await server.take()
            if not data:
                break
            length, content = body.feed(data)
            server.rest = data[length:]
            client.put(endpoint.passed(data[:length], content))
            for piece in content:
                put("body", piece)
            await client.room()
        whole = body.done or body.ends_with_the_connection
        client.put(endpoint.end(whole))
        put("body-end", **({} if whole else {"broken": "the server hung up"}))
        return body.done and head.stays and asked.stays

    async def _answer_ourselves(self, client: Side, put: Callable[..., None], status: int, why: str) -> bool:
        put("broken", reason=why, connected=False, status=status)
        await self._say(client, status, why)
        return False

    async def _say(self, client: Side, status: int, why: str) -> None:
        phrase = {400: "Bad Request", 403: "Forbidden", 502: "Bad Gateway"}[status]
        text = f"flowgen tap: {why}\n".encode()
        head = f"HTTP/1.1 {status} {phrase}\r\nContent-Type: text/plain; charset=utf-8\r\n"
        with suppress(OSError):
            client.put(f"{head}Content-Length: {len(text)}\r\nConnection: close\r\n\r\n".encode() + text)
            await client.room()


async def _send(exchange: Exchange, body: Body) -> bool:
    """Passes the body of a request on; comes back with True when the client has hung up behind it."""
    client, server, _, put = exchange
    while not body.done:
        data = await client.take()
        if not data:
            return True
        length, content = body.feed(data)
        client.rest = data[length:]
        server.put(data[:length])
        for piece in content:
            put("asked-body", piece)
        if not body.done:
            await server.room()
    put("asked-end")  # before anybody else can run: the answer comes after it
    await client.ends()
    return not client.rest


def _at_once(end: Any) -> None:
    """Nothing waits for what may come after it; for sockets that it accepts asyncio does not see to that."""
    with suppress(OSError, AttributeError):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


async def _hear_out(client: Side, head: Head, body: Body, put: Callable[..., None]) -> None:
    """Takes the body of a request that goes nowhere: what was asked is written down all the same."""
    if head.value("expect") is None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_HEAR_SECONDS):
                while not body.done and (data := await client.take()):
                    length, content = body.feed(data)
                    client.rest = data[length:]
                    for piece in content:
                        put("asked-body", piece)
    put("asked-end")


async def _let_go(tasks: list["asyncio.Future[Any]"]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def item(told: Json, data: bytes) -> bytes:
    """What passed, for whoever writes it down."""
    return json.dumps(told).encode() + b"\n" + data
