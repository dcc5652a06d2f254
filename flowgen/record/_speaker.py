"""What goes out: messages get their id, are kept, and only then handed to the transport.

So a request stands before its answer whatever the scheduler does, and behind everything that came in before it.
"""

from collections.abc import Callable
from typing import Any, Protocol

from flowgen import protocol

from ._inbox import Clock
from ._intake import Intake
from ._pairs import Asked, Json, Pairs
from ._recorder import Recorder, Sides

_NEVER_CANCELLED = ("initialize", "server/discover")
_REASONS = {"timeout": "no answer in time", "plan": "not needed any more", "interrupt": "interrupted by the user"}


class Letter:
    """A message on its way. `fields` are what the transport adds to it in the trace.

    `lasting`: the transport tells when the server has taken it, and until then the script says nothing else.
    """

    lasting = False

    def __init__(self, kind: str, body: Json, revision: str | None, fields: Json) -> None:
        self.kind = kind
        self.body = body
        self.revision = revision
        self.fields = fields
        self.message: Json = {}  # as it is kept
        self.asked: Asked | None = None
        self.first = self  # the one that is sent again in this one


class Channel(Protocol):
    """Where messages go."""

    def prepared(self, kind: str, body: Json, revision: str | None) -> Letter:
        """A message that is ready to go."""

    def send(self, letter: Letter) -> None:
        """Sends it; never waits."""

    def withdraw(self, asked: Asked) -> bool:
        """Ends a request by the transport's own means; False where it has none."""


class Speaker:
    """Says things to the server, and notes what only our side knows."""

    def __init__(
        self, channel: Channel, recorder: Recorder, pairs: Pairs, intake: Intake, now: Clock, sides: Sides | None = None
    ) -> None:
        self._channel = channel
        self._recorder = recorder
        self._pairs = pairs
        self._intake = intake
        self._now = now
        self._sides = sides or Sides()
        self._last_id = 0
        self.watch: Callable[[Json], None] = lambda message: None

    def request(self, method: str, params: Json | None, revision: str | None, progress: bool = False) -> Asked:
        """Asks something; the progress token, if one is wanted, is the request's id."""
        self._last_id += 1
        if progress:
            meta = {**((params or {}).get("_meta") or {}), "progressToken": self._last_id}
            params = {**(params or {}), "_meta": meta}
        body = {"jsonrpc": "2.0", "id": self._last_id, "method": method, **_with(params)}
        letter = self._kept("request", body, revision)
        letter.asked = self._pairs.asked(letter.message, body, revision)
        self._channel.send(letter)
        return letter.asked

    def notify(self, method: str, params: Json | None, revision: str | None) -> Letter:
        """Tells something that needs no answer."""
        letter = self._kept("notification", {"jsonrpc": "2.0", "method": method, **_with(params)}, revision)
        self._pairs.told(letter.message, letter.body)
        self._channel.send(letter)
        return letter

    def answer(self, id_: Any, decision: "protocol.Decision", revision: str | None) -> None:
        """Answers a request of the server."""
        if isinstance(decision, protocol.Result):
            kind, outcome = "response", {"result": decision.value}
        else:
            kind, outcome = "error", {"error": {"code": decision.code, "message": decision.message}}
        letter = self._kept(kind, {"jsonrpc": "2.0", "id": id_, **outcome}, revision)
        self._pairs.answered(letter.message, letter.body)
        self._channel.send(letter)

    def repeat(self, letter: Letter) -> Letter:
        """Sends the same message again, under the same id: the transport was told that nothing came of it."""
        again = self._kept(letter.kind, letter.body, letter.revision)
        again.asked, again.first = letter.asked, letter.first
        if again.asked is not None:
            self._pairs.repeated(again.asked, again.message)
        self._channel.send(again)
        return again

    def note(self, note: protocol.Note) -> int:
        """Keeps what only our side knows; gives the number of the message."""
        body = {"event": note.event, "data": note.data}
        return int(self._seen({"kind": "note", "body": body}, note.sender, note.receiver)["seq"])

    def process(self, event: str, sender: str = "client", at: float | None = None, **more: Any) -> Json:
        """Keeps what happened to the process, now or then; gives the kept message."""
        part = {"kind": "process", "body": {"event": event, **more}}
        return self._seen(part, sender, "server" if sender == "client" else "client", at, transport="stdio")

    def plain(self, part: Json, sender: str, receiver: str, **more: Any) -> Json:
        """Keeps what our side does without JSON-RPC, such as a GET; gives the kept message."""
        return self._seen(part, sender, receiver, **more)

    def take_back(self, asked: Asked, why: str) -> None:
        """Gives a request up and tells the server, except for the two that open a session: those never."""
        if asked.method in _NEVER_CANCELLED:
            return
        self._pairs.give_up(asked, timed_out=False)
        about: Json = {"about": asked.seq, "why": why}
        if self._channel.withdraw(asked):
            self.note(protocol.Note("cancelled", {**about, "by": "stream-closed"}))
            return
        self.note(protocol.Note("cancelled", {**about, "by": "notification"}))
        params = {"requestId": asked.id, "reason": _REASONS[why]}
        self.notify("notifications/cancelled", params, asked.revision)

    def _kept(self, kind: str, body: Json, revision: str | None) -> Letter:
        letter = self._channel.prepared(kind, body, revision)
        part = {"kind": kind, "body": body}
        letter.message = self._seen(part, "client", "server", **letter.fields, revision=revision)
        return letter

    def _seen(self, part: Json, sender: str, receiver: str, at: float | None = None, **more: Any) -> Json:
        self._intake.gather()
        sender, receiver = self._own(sender), self._own(receiver)
        message = self._recorder.seen(part, self._now() if at is None else at, sender, receiver, **more)
        self.watch(message)
        return message

    def _own(self, participant: str) -> str:
        """The id of this session's client and server; people and browsers are the same for all."""
        return {"client": self._sides.client, "server": self._sides.server}.get(participant, participant)


def _with(params: Json | None) -> Json:
    return {} if params is None else {"params": params}
