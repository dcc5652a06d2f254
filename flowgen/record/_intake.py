"""What comes in: events of the transport become kept messages, in the order seen, and wait there to be acted on.

Keeping is done before anything reacts, so a trace shows the order of the wire, not that of our reactions.
"""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty
from typing import Any, NamedTuple

from flowgen.protocol import REVISIONS
from flowgen.wire import LineReader

from ._pairs import Asked, Json, Pairs
from ._recorder import Recorder
from ._stderr import StderrLines
from ._stdio import Clock, Event, Inbox

HEAP = 100  # messages that may wait to be acted on
# Python acts on a signal only between two waits, unless the main thread itself gets it: any thread may
_LONGEST_WAIT = 0.25
_SERVER_INFO = "io.modelcontextprotocol/serverInfo"


class Arrival(NamedTuple):
    """A message of the server that waits to be acted on. `asked` is the request that it answers."""

    at: float
    message: Json
    body: Json
    asked: Asked | None

    @property
    def seq(self) -> int:
        """The number of the message."""
        return int(self.message["seq"])


class Intake:
    """Takes events from the inbox. `fresh` are messages to act on, `replies` what persons and models said."""

    def __init__(self, inbox: Inbox, now: Clock, recorder: Recorder, pairs: Pairs, max_message: int) -> None:
        self._inbox = inbox
        self._now = now
        self._recorder = recorder
        self._pairs = pairs
        self._stdout = LineReader(max_message)
        self._stderr = StderrLines(max_message)
        self.watch: Callable[[Json], None] = lambda message: None
        self.revision: str | None = None
        self.fresh: deque[Arrival] = deque()
        self.replies: deque[Any] = deque()
        self.interrupts = 0
        self.life: float | None = None  # first byte on stdout or stderr
        self.exited: tuple[float, int] | None = None
        self.stdout_ended: float | None = None
        self.stderr_ended = False
        self.stdin_closed = False
        self.write_failed: float | None = None
        self.reached = 0.0  # what happened until then has been taken

    @property
    def drained(self) -> bool:
        """Nothing more can come: the process is gone, and so is everybody who held its pipes."""
        return self.exited is not None and self.stdout_ended is not None and self.stderr_ended

    def gather(self, wait: float | None = 0.0) -> None:
        """Takes what is there; with nothing there, waits up to so many seconds (None: long) for the first event.

        With a heap to act on already, it is left where it is: nobody talks faster than we can act.
        """
        count = self._inbox.qsize()
        if count == 0 and wait != 0.0:
            with suppress(Empty):
                self._take(self._inbox.get(timeout=min(wait or _LONGEST_WAIT, _LONGEST_WAIT)))
        for _ in range(count):
            if len(self.fresh) >= HEAP:
                return
            self._take(self._inbox.get())
        if self._inbox.empty():
            self.reached = self._now()

    def flush(self) -> None:
        """Nobody will read on: what was still open of a line is kept as it is."""
        if self.stdout_ended is None:
            self._keep(self._stdout.end(), self._now())
        if not self.stderr_ended:
            self._keep(self._stderr.end(), self._now())

    def _take(self, event: Event) -> None:
        self.reached = event.at
        if event.taken is not None:
            event.taken()
        match event.name:
            case "stdout" | "stderr":
                self.life = event.at if self.life is None else self.life
                reader = self._stdout if event.name == "stdout" else self._stderr
                self._keep(reader.feed(event.value), event.at)
            case "stdout-end":
                self.stdout_ended = event.at
                self._keep(self._stdout.end(), event.at)
            case "stderr-end":
                self.stderr_ended = True
                self._keep(self._stderr.end(), event.at)
            case "exited":
                self.exited = (event.at, event.value)
            case "stdin-closed":
                self.stdin_closed = True
                self._process(event.at, "stdin-closed")
            case "write-failed":
                self.write_failed = event.at
            case "interrupt":
                self.interrupts += 1
            case "reply":
                self.replies.append(event.value)

    def _process(self, at: float, event: str) -> None:
        part = {"kind": "process", "body": {"event": event}}
        self.watch(self._recorder.seen(part, at, "client", "server", transport="stdio"))

    def _keep(self, parts: list[Json], at: float) -> None:
        for part in parts:
            body = part.get("body") or part.get("head") or {}
            self._keep_one(part, body, at)

    def _keep_one(self, part: Json, body: Json, at: float) -> None:
        """`body` is the message as it came; what is kept has its secrets masked."""
        kind, asked = part["kind"], None
        revision = self._revision_of(kind, body)
        message = self._recorder.seen(part, at, "server", "client", transport="stdio", revision=revision)
        if kind == "request":
            self._pairs.asked(message, body, revision)
        elif kind == "notification":
            self._pairs.told(message, body)
        elif kind in ("response", "error"):
            asked = self._pairs.answered(message, body)
            self._learn_name(body.get("result"))
        if kind not in ("noise", "stderr"):
            self.fresh.append(Arrival(at, message, body, asked))
        self.watch(message)

    def _revision_of(self, kind: str, body: Json) -> str | None:
        """An answer is of its request's revision, but for the one that settles it."""
        if kind in ("request", "notification"):
            return self.revision
        asked = self._pairs.find("client", body["id"]) if body.get("id") is not None else None
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
            self._recorder.name("server", f"{info['name']} {version}" if isinstance(version, str) else info["name"])
