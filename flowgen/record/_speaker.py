"""What goes out: messages get their id, are kept, and only then handed to the transport.

So a request stands before its answer whatever the scheduler does, and behind everything that came in before it.
"""

from collections.abc import Callable
from typing import Any, Protocol

from flowgen import protocol
from flowgen.wire import frame

from ._intake import Intake
from ._pairs import Asked, Json, Pairs
from ._recorder import Recorder
from ._stdio import Clock

_NEVER_CANCELLED = ("initialize", "server/discover")
_REASONS = {"timeout": "no answer in time", "plan": "not needed any more", "interrupt": "interrupted by the user"}


class Channel(Protocol):
    """Where the bytes of a message go."""

    def send(self, data: bytes) -> None:
        """Queues bytes; never waits."""


class Speaker:
    """Says things to the server, and notes what only our side knows."""

    def __init__(self, channel: Channel, recorder: Recorder, pairs: Pairs, intake: Intake, now: Clock) -> None:
        self._channel = channel
        self._recorder = recorder
        self._pairs = pairs
        self._intake = intake
        self._now = now
        self._last_id = 0
        self.watch: Callable[[Json], None] = lambda message: None

    def request(self, method: str, params: Json | None, revision: str | None, progress: bool = False) -> Asked:
        """Asks something; the progress token, if one is wanted, is the request's id."""
        self._last_id += 1
        if progress:
            meta = {**((params or {}).get("_meta") or {}), "progressToken": self._last_id}
            params = {**(params or {}), "_meta": meta}
        body = {"jsonrpc": "2.0", "id": self._last_id, "method": method, **_with(params)}
        message = self._keep("request", body, revision)
        asked = self._pairs.asked(message, body, revision)
        self._channel.send(frame(body))
        return asked

    def notify(self, method: str, params: Json | None, revision: str | None) -> None:
        """Tells something that needs no answer."""
        body = {"jsonrpc": "2.0", "method": method, **_with(params)}
        self._pairs.told(self._keep("notification", body, revision), body)
        self._channel.send(frame(body))

    def answer(self, id_: Any, decision: "protocol.Decision", revision: str | None) -> None:
        """Answers a request of the server."""
        if isinstance(decision, protocol.Result):
            kind, outcome = "response", {"result": decision.value}
        else:
            kind, outcome = "error", {"error": {"code": decision.code, "message": decision.message}}
        body = {"jsonrpc": "2.0", "id": id_, **outcome}
        self._pairs.answered(self._keep(kind, body, revision), body)
        self._channel.send(frame(body))

    def note(self, note: protocol.Note) -> int:
        """Keeps what only our side knows; gives the number of the message."""
        body = {"event": note.event, "data": note.data}
        return int(self._seen({"kind": "note", "body": body}, note.sender, note.receiver)["seq"])

    def process(self, event: str, sender: str = "client", at: float | None = None, **more: Any) -> Json:
        """Keeps what happened to the process, now or then; gives the kept message."""
        part = {"kind": "process", "body": {"event": event, **more}}
        return self._seen(part, sender, "server" if sender == "client" else "client", at, transport="stdio")

    def take_back(self, asked: Asked, why: str) -> None:
        """Gives a request up and tells the server, except for the two that open a session: those never."""
        if asked.method in _NEVER_CANCELLED:
            return
        self._pairs.give_up(asked, timed_out=False)
        self.note(protocol.Note("cancelled", {"about": asked.seq, "why": why, "by": "notification"}))
        params = {"requestId": asked.id, "reason": _REASONS[why]}
        self.notify("notifications/cancelled", params, asked.revision)

    def _keep(self, kind: str, body: Json, revision: str | None) -> Json:
        return self._seen({"kind": kind, "body": body}, "client", "server", transport="stdio", revision=revision)

    def _seen(self, part: Json, sender: str, receiver: str, at: float | None = None, **more: Any) -> Json:
        self._intake.gather()
        message = self._recorder.seen(part, self._now() if at is None else at, sender, receiver, **more)
        self.watch(message)
        return message


def _with(params: Json | None) -> Json:
    return {} if params is None else {"params": params}
