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

Asked = tuple[str, Key, str]  # who asked, under which id, in which scope: what ids are told apart by


class Open(NamedTuple):
    """A request that waits for its answer; `exchange` is that of HTTP."""

    seq: int
    method: str
    revision: str | None
    exchange: int | None


class TapPairs:
    """The requests of both sides. A message is marked before it is written; `later` is for those that were."""

    def __init__(self) -> None:
        self.revision: str | None = None  # agreed on, or told last
        self.later: dict[int, list[Json]] = {}
        self._open: OrderedDict[Asked, Open] = OrderedDict()
        self._scopes: dict[tuple[str, Key], dict[str, None]] = {}  # of what is open
        self._exchanges: dict[int, list[Asked]] = {}
        self._answered: OrderedDict[Asked, None] = OrderedDict()
        self._early: list[int] | None = []
        self._handshake = False
        self._listens: dict[Key, int] = {}

    def take(self, message: Json, body: Json, scope: str = "") -> None:
        """Takes a message with JSON-RPC in it. `body` is unmasked; the same id in another `scope` is another one."""
        if message["kind"] in ("request", "notification"):
            self._asked_or_told(message, body, scope)
        else:
            self._answers(message, body, scope)

    def refuse(self, exchange: int) -> None:
        """An HTTP status was the answer to what this exchange asked."""
        for asked in list(self._exchanges.get(exchange, ())):
            self._close(asked)

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

    def _asked_or_told(self, message: Json, body: Json, scope: str) -> None:
        method = body.get("method")
        if message["sender"] == "client":
            self._learn_revision(body.get("params"), method)
        elif self._early is not None and method not in _ALLOWED_EARLY and len(self._early) < _EARLY:
            self._early.append(message["seq"])
        if self.revision is not None:
            message["revision"] = self.revision
        if message["kind"] == "request":
            self._keep(message, body, str(method), scope)
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

    def _keep(self, message: Json, body: Json, method: str, scope: str) -> None:
        asked = (message["sender"], id_key(body.get("id")), scope)
        before = self._open.get(asked)
        if before is not None:
            mark(message, "duplicate-id")
            self._mark_later(before.seq, "unanswered")
            self._close(asked)
        exchange = message.get("exchange")
        self._open[asked] = Open(message["seq"], method, self.revision, exchange)
        self._scopes.setdefault(asked[:2], {})[scope] = None
        if exchange is not None:
            self._exchanges.setdefault(exchange, []).append(asked)
        self._answered.pop(asked, None)
        if method == "subscriptions/listen" and len(self._listens) < _LATER:
            self._listens[loose_key(body.get("id"))] = message["seq"]
        if len(self._open) > _OPEN:
            self._close(next(iter(self._open)))

    def _answers(self, message: Json, body: Json, scope: str) -> None:
        asker = "client" if message["sender"] == "server" else "server"
        if body.get("id") is None:
            asked = next(iter(self._exchanges.get(message.get("exchange", -1), ())), None)
        else:
            asked = self._asked_with(message, asker, body["id"], scope)
        if asked is None:
            return
        request = self._close(asked)
        self._answered[asked] = None
        if len(self._answered) > _ANSWERED:
            self._answered.popitem(last=False)
        self._settle(message, request, body.get("result"))

    def _asked_with(self, message: Json, asker: str, id_: Any, scope: str) -> Asked | None:
        """The open request with this id: in the same scope, else anywhere (HTTP+SSE answers on another stream)."""
        keys = _keys(id_)
        asked = next((each for key in keys if (each := (asker, key, scope)) in self._open), None)
        if asked is None and scope:
            asked = next(((asker, key, other) for key in keys for other in self._scopes.get((asker, key), ())), None)
        known = asked or next((each for key in keys if (each := (asker, key, scope)) in self._answered), None)
        if known is not None and known[1] != keys[0]:
            mark(message, "id-type-changed")
        if asked is None:
            mark(message, "unknown-id" if known is None else "duplicate-response")
        return asked

    def _close(self, asked: Asked) -> Open:
        request = self._open.pop(asked)
        scopes = self._scopes[asked[:2]]
        del scopes[asked[2]]
        if not scopes:
            del self._scopes[asked[:2]]
        if request.exchange is not None:
            left = self._exchanges[request.exchange]
            left.remove(asked)
            if not left:
                del self._exchanges[request.exchange]
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
