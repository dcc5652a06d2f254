"""What comes in: events of the transport become kept messages, in the order seen, and wait there to be acted on.

Keeping is done before anything reacts, so a trace shows the order of the wire, not that of our reactions.
"""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty
from typing import Any, NamedTuple, Protocol

from flowgen.protocol import REVISIONS, Failed

from ._inbox import Clock, Event, Inbox
from ._pairs import Asked, Json, Pairs
from ._recorder import Recorder, Sides

HEAP = 100  # messages that may wait to be acted on
# Python acts on a signal only between two waits, unless the main thread itself gets it: any thread may
_LONGEST_WAIT = 0.25
_LAG = 0.5  # what came may wait so long for us before the clock counts all the same
_SERVER_INFO = "io.modelcontextprotocol/serverInfo"


class Arrival(NamedTuple):
    """A message of the server that waits to be acted on. `asked` is the request that it answers.

    `failed`: it is the transport's word that no answer comes. `letter`: what it says was taken by the server.
    """

    at: float
    message: Json
    body: Json
    asked: Asked | None = None
    failed: Failed | None = None
    letter: Any = None

    @property
    def seq(self) -> int:
        """The number of the message."""
        return int(self.message["seq"])


class Source(Protocol):
    """A transport's own events, made into messages."""

    def take(self, event: Event) -> None:
        """Takes one event."""


class Intake:
    """Takes events from the inbox. `fresh` are messages to act on, `replies` what persons and models said."""

    source: Source

    def __init__(self, inbox: Inbox, now: Clock, recorder: Recorder, pairs: Pairs, sides: Sides | None = None) -> None:
        self._inbox = inbox
        self._now = now
        self._recorder = recorder
        self._pairs = pairs
        self._sides = sides or Sides()
        self.watch: Callable[[Json], None] = lambda message: None
        self.revision: str | None = None
        self.fresh: deque[Arrival] = deque()
        self.replies: deque[Any] = deque()
        self._held: dict[Any, tuple[float, Arrival]] = {}
        self.interrupts = 0
        self.life: float | None = None  # the first sign of it: a byte, a connection
        self.reached = 0.0  # what happened until then has been taken

    def gather(self, wait: float | None = 0.0) -> None:
        """Takes what is there; with nothing there, waits up to so many seconds (None: long) for the first event.

        With a heap to act on already, it is left where it is: nobody talks faster than we can act.
        """
        count = self._inbox.qsize()
        if count == 0 and wait != 0.0:
            with suppress(Empty):
                self._take(self._inbox.get(timeout=min(wait or _LONGEST_WAIT, _LONGEST_WAIT)))
            count = self._inbox.qsize()  # what came together is taken together
        for _ in range(count):
            if len(self.fresh) >= HEAP:
                break
            self._take(self._inbox.get())
        now = self._now()
        self.reached = now if self._inbox.empty() else max(self.reached, now - _LAG)
        for key in [key for key, (until, _) in self._held.items() if until <= self.reached]:
            self.release(key)

    @property
    def due(self) -> float | None:
        """When something that is held back is to be acted on."""
        return min((until for until, _ in self._held.values()), default=None)

    def hold(self, key: Any, until: float) -> None:
        """Holds back what came last, so that what belongs to it can come before we react: not longer than that."""
        self._held[key] = (until, self.fresh.pop())

    def release(self, key: Any) -> None:
        """Whatever was held back under this key is to be acted on."""
        if key in self._held:
            self.fresh.append(self._held.pop(key)[1])

    def lives(self, at: float) -> None:
        """A sign of life was seen."""
        self.life = at if self.life is None else self.life

    def keep(self, part: Json, at: float, asked: Asked | None = None, **more: Any) -> Json:
        """Keeps one part of what the server sent, and lets it be acted on; gives the kept message.

        `asked`: the request that it answers when its id does not tell.
        """
        body = part.get("body") if isinstance(part.get("body"), dict) else part.get("head")
        return self._keep(part, body or {}, at, asked, more)

    def keep_plain(self, part: Json, at: float, between: tuple[str, str] | None = None, **more: Any) -> Json:
        """Keeps what was sent back to us and is nothing to act on: an HTTP status, an event of a stream.

        `between`: who asked and who answered, when it is not this client and its server.
        """
        asker, answerer = between or self._sides
        return self._seen(part, at, answerer, asker, more)

    def keep_own(self, part: Json, at: float, between: tuple[str, str] | None = None, **more: Any) -> Json:
        """Keeps what our side did meanwhile."""
        asker, answerer = between or self._sides
        return self._seen(part, at, asker, answerer, more)

    def _seen(self, part: Json, at: float, sender: str, receiver: str, more: Json) -> Json:
        message = self._recorder.seen(part, at, sender, receiver, **more)
        self.watch(message)
        return message

    def _take(self, event: Event) -> None:
        self.reached = event.at
        if event.taken is not None:
            event.taken()
        match event.name:
            case "interrupt":
                self.interrupts += 1
            case "reply":
                self.replies.append(event.value)
            case _:
                self.source.take(event)

    def _keep(self, part: Json, body: Json, at: float, asked: Asked | None, more: Json) -> Json:
        """`body` is the message as it came; what is kept has its secrets masked."""
        kind = part["kind"]
        revision = self._revision_of(kind, body, asked)
        message = self._recorder.seen(part, at, self._sides.server, self._sides.client, **more, revision=revision)
        answered = None
        if kind == "request":
            self._pairs.asked(message, body, revision)
        elif kind == "notification":
            self._pairs.told(message, body)
        elif kind in ("response", "error"):
            answered = self._pairs.answered(message, body, asked)
            self._learn_name(body.get("result"))
        if kind not in ("noise", "stderr"):
            self.fresh.append(Arrival(at, message, body, answered))
        self.watch(message)
        return message

    def _revision_of(self, kind: str, body: Json, asked: Asked | None) -> str | None:
        """An answer is of its request's revision, but for the one that settles it."""
        if kind in ("request", "notification"):
            return self.revision
        if body.get("id") is not None:
            asked = self._pairs.find(self._sides.client, body["id"])
        if asked is None or kind not in ("response", "error"):
            return None
        result = body.get("result")
        agreed = result.get("protocolVersion") if asked.method == "initialize" and isinstance(result, dict) else None
        return agreed if agreed in REVISIONS else asked.revision

    def _learn_name(self, result: Any) -> None:
        """A server names itself in the result of initialize, or in the `_meta` of any result (2026-07-28)."""
        if not isinstance(result, dict):
            return
        meta = result.get("_meta")
        info = result.get("serverInfo") or (meta.get(_SERVER_INFO) if isinstance(meta, dict) else None)
        if isinstance(info, dict) and isinstance(info.get("name"), str):
            version = info.get("version")
            title = f"{info['name']} {version}" if isinstance(version, str) and version else info["name"]
            self._recorder.name(self._sides.server, title)
