"""Which answer belongs to which request, in a session that may last for months: only what is open is remembered.

What is known when a message is written is marked on it; what is known later is told at the end, by the message's
number. Of answered requests the last ones are known.
"""

import re
from collections import OrderedDict
from typing import Any, NamedTuple

from flowgen.wire import Key, id_key, loose_key

from ._pairs import SENTENCES, Json, mark

_OPEN = 50_000  # requests without an answer
_ANSWERED = 20_000
_LATER = 10_000  # messages about which something is told at the end
_EARLY = 1000
_VERSION = "io.modelcontextprotocol/protocolVersion"
_ALLOWED_EARLY = ("ping", "notifications/message")
_INITIALIZED = "notifications/initialized"
_NUMBER = re.compile("-?[0-9]{1,18}")
_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"

Both = tuple[str, Key]  # who asked, and under which id


class Open(NamedTuple):
    """A request that waits for its answer."""

    seq: int
    method: str
    revision: str | None


class TapPairs:
    """The requests of both sides. A message is marked before it is written; `later` is for those that were."""

    def __init__(self) -> None:
        self.revision: str | None = None  # agreed on, or told last
        self.later: dict[int, list[Json]] = {}
        self._open: OrderedDict[Both, Open] = OrderedDict()
        self._answered: OrderedDict[Both, None] = OrderedDict()
        self._early: list[int] | None = []
        self._handshake = False
        self._listens: dict[Key, int] = {}

    def take(self, message: Json, body: Json) -> Open | None:
        """Takes a message with JSON-RPC in it, and gives the request that it answers. `body` is unmasked."""
        kind = message["kind"]
        if kind == "request" or kind == "notification":
            self._asked_or_told(message, body, kind)
            return None
        return self._answers(message, body)

    def finish(self) -> dict[str, list[Json]]:
        """What is known now that the session is over: problems by the number of the message."""
        for request in self._open.values():
            if request.method != "subscriptions/listen":
                self._mark_later(request.seq, "unanswered")
        for seq in self._listens.values():
            self._mark_later(seq, "not-acknowledged")
        if self._handshake:
            self._mark_early()
        return {str(seq): problems for seq, problems in sorted(self.later.items())}

    def _asked_or_told(self, message: Json, body: Json, kind: str) -> None:
        method = body.get("method")
        if message["sender"] == "client":
            self._learn_revision(body.get("params"), method)
        elif self._early is not None and method not in _ALLOWED_EARLY and len(self._early) < _EARLY:
            self._early.append(message["seq"])
        if self.revision is not None:
            message["revision"] = self.revision
        if kind == "request":
            self._keep(message, body, str(method))
        elif method == _INITIALIZED and message["sender"] == "client":
            self._mark_early()
        elif method == _ACKNOWLEDGED:
            self._listens.pop(loose_key(_subscription(body)), None)

    def _learn_revision(self, params: Any, method: Any) -> None:
        """The stateless era tells it with every request; in the other the handshake does."""
        if not isinstance(params, dict):
            return
        meta = params.get("_meta")
        told = meta.get(_VERSION) if isinstance(meta, dict) else None
        if isinstance(told, str):
            self.revision, self._early = told, None
        elif method == "initialize":
            self._handshake = True
            told = params.get("protocolVersion")
            self.revision = told if isinstance(told, str) else None

    def _keep(self, message: Json, body: Json, method: str) -> None:
        both = (message["sender"], id_key(body.get("id")))
        before = self._open.get(both)
        if before is not None:
            mark(message, "duplicate-id")
            self._mark_later(before.seq, "unanswered")
        self._open[both] = Open(message["seq"], method, self.revision)
        self._answered.pop(both, None)
        if method == "subscriptions/listen":
            self._listens[loose_key(body.get("id"))] = message["seq"]
        if len(self._open) > _OPEN:
            self._open.popitem(last=False)

    def _answers(self, message: Json, body: Json) -> Open | None:
        asker = "client" if message["sender"] == "server" else "server"
        keys = [(asker, key) for key in _keys(body.get("id"))]
        both = next((both for both in keys if both in self._open), None)
        known = both or next((both for both in keys if both in self._answered), None)
        if known is not None and known != keys[0]:
            mark(message, "id-type-changed")
        if both is None:
            mark(message, "unknown-id" if known is None else "duplicate-response")
            return None
        request = self._open.pop(both)
        self._answered[both] = None
        if len(self._answered) > _ANSWERED:
            self._answered.popitem(last=False)
        self._settle(message, request, body.get("result"))
        return request

    def _settle(self, message: Json, request: Open, result: Any) -> None:
        """An answer is of its request's revision, but for the one that settles it."""
        revision = request.revision
        if request.method == "initialize" and isinstance(result, dict):
            agreed = result.get("protocolVersion")
            if isinstance(agreed, str):
                self.revision = revision = agreed
        if revision is not None:
            message["revision"] = revision

    def _mark_early(self) -> None:
        for seq in self._early or ():
            self._mark_later(seq, "before-initialized")
        self._early = None

    def _mark_later(self, seq: int, code: str) -> None:
        if len(self.later) < _LATER or seq in self.later:
            self.later.setdefault(seq, []).append({"code": code, "message": SENTENCES[code]})


def _subscription(body: Json) -> Any:
    params = body.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta.get("io.modelcontextprotocol/subscriptionId") if isinstance(meta, dict) else None


def _keys(id_: Any) -> list[Key]:
    """The id as it is, and what it would be with another JSON type."""
    own = id_key(id_)
    kind, text = loose_key(id_)
    if kind != "loose" or not isinstance(text, str) or not _NUMBER.fullmatch(text):
        return [own]
    number = int(text)
    return [own, *(key for key in (("int", number), ("str", text), ("float", float(number))) if key != own)]
