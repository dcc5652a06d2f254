"""What is said on one HTTP exchange, in order and kept: a client that lost a stream takes it up where it was.

`Answering` writes it out: as JSON when the answer is the first thing there is to say, else as server-sent events.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, NamedTuple

from ._messages import Message, line_of
from ._way import Answer, Way

Asgi = Callable[..., Any]

EVENTS = "text/event-stream"
_PING = ": ping\n\n"  # a comment: nothing is said, but the connection is used


class Event(NamedTuple):
    """One server-sent event. `breaks`: the connection ends behind it, though more may follow later."""

    text: str
    message: Any = None
    breaks: bool = False


class Stream:
    """The events of one exchange. With a number they have ids, so that they can be asked for again."""

    def __init__(self, number: int | None = None) -> None:
        self.number = number
        self.events: list[Event] = []
        self.over = False
        self.seen = 0  # events that somebody has read
        self.silent = 0  # events at the beginning that hold no message
        self.way = Way(self.send, self.answer, self.cut)
        self._reader: object = None
        self._news = asyncio.Event()

    # What the server says

    def prime(self) -> None:
        """Begin with an event that has only an id, so that the client can come back before anything was said."""
        self._add(Event(f"id: {self.number}-0\ndata:\n\n"))
        self.silent = 1

    def send(self, message: Answer) -> None:
        """One message more; nothing once the answer is there, for then nobody reads any more."""
        if not self.over:
            id = "" if self.number is None else f"id: {self.number}-{len(self.events)}\n"
            self._add(Event(f"event: message\n{id}data: {line_of(message).decode()}\n", message))

    def answer(self, answer: Answer) -> None:
        """The last message, or None if there will be none."""
        if answer is not None:
            self.send(answer)
        self.over = True
        self._news.set()

    def cut(self, seconds: float) -> None:
        """The connection breaks off, if the client can come back; it may after so many seconds."""
        if self.number is not None:
            self._add(Event(f"retry: {round(seconds * 1000)}\n\n", breaks=True))

    def end(self) -> None:
        """Nothing more will be said."""
        self.answer(None)

    # Who reads it

    async def first(self, patience: float) -> Event | None:
        """The first message; None if there is none for so many seconds, or none at all."""
        while len(self.events) == self.silent and not self.over:
            if not await self._woken(patience):
                break
        return self.events[self.silent] if len(self.events) > self.silent else None

    async def read(self, place: int, patience: float, since: int = 0) -> AsyncIterator[str]:
        """The events from this place on, until the answer; a comment whenever nothing comes for so many seconds.

        Who reads anew takes the stream over from whoever still does. Breaks before `since` are history.
        """
        mine = self._reader = object()
        self._news.set()
        while self._reader is mine:
            for number, event in enumerate(self.events[place:], place):
                if self._reader is not mine:
                    return
                place = number + 1
                self.seen = max(self.seen, place)
                if not event.breaks or number >= since:
                    yield event.text
                if event.breaks and number >= since:
                    return
            if self.over and place == len(self.events):
                return
            if place == len(self.events) and not await self._woken(patience):
                yield _PING

    def after(self, id: str) -> int | None:
        """The place behind the event with this id; None if there is no such event."""
        number, _, place = id.partition("-")
        known = number == str(self.number) and place.isdecimal() and int(place) < len(self.events)
        return int(place) + 1 if known else None

    def _add(self, event: Event) -> None:
        self.events.append(event)
        self._news.set()

    async def _woken(self, patience: float) -> bool:
        self._news.clear()
        try:
            async with asyncio.timeout(patience):
                await self._news.wait()
        except TimeoutError:
            return False
        return True


class Answering:
    """The HTTP answer to a POST, as an ASGI application. `ended` is called when it is out or the client is gone."""

    def __init__(
        self,
        stream: Stream,
        patience: float,
        ended: Callable[[], None],
        status: Callable[[Any], int],
        headers: Mapping[str, str],
        streamed: bool,
    ) -> None:
        self.stream = stream
        self.patience = patience
        self.ended = ended
        self.status = status
        self.headers = headers
        self.streamed = streamed

    async def __call__(self, scope: Message, receive: Asgi, send: Asgi) -> None:
        """Write until the answer is out or the client is gone."""
        try:
            await whichever_ends(self._write(send), gone(receive))
        finally:
            self.ended()

    async def _write(self, send: Asgi) -> None:
        first = await self.stream.first(self.patience)
        if first and self.stream.over and len(self.stream.events) == self.stream.silent + 1:
            status = self.status(first.message)
            if status != 200 or not self.streamed:
                return await self._json(send, status, first.message)
        return await write_events(send, self.stream.read(0, self.patience), self.headers)

    async def _json(self, send: Asgi, status: int, message: Any) -> None:
        body = line_of(message).rstrip(b"\n")
        head = {"content-type": "application/json", "content-length": str(len(body)), **self.headers}
        await send({"type": "http.response.start", "status": status, "headers": pairs(head)})
        await send({"type": "http.response.body", "body": body})


async def write_events(send: Asgi, events: AsyncIterator[str], headers: Mapping[str, str]) -> None:
    """Write events out as they come. The headers keep caches and proxies from holding them back."""
    head = {"content-type": EVENTS, "cache-control": "no-cache, no-transform", "x-accel-buffering": "no", **headers}
    await send({"type": "http.response.start", "status": 200, "headers": pairs(head)})
    async for text in events:
        await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def whichever_ends(*jobs: Any) -> None:
    """Run jobs until one of them ends; what it raises is raised here."""
    tasks = [asyncio.ensure_future(job) for job in jobs]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


async def gone(receive: Asgi) -> None:
    """Wait until the client has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


def pairs(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    """Headers as ASGI wants them."""
    return [(name.encode("ascii"), value.encode("latin-1")) for name, value in headers.items()]
