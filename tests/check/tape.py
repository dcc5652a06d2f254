"""A committed recording that can be cut and spliced: for tests that break one rule in a session that keeps them all."""

import json
from copy import deepcopy
from typing import Any

from flowgen import api
from flowgen.trace import Trace
from flowgen.wire import routing_headers
from tests.traces import SAMPLES

Json = dict[str, Any]

PLACES = {
    "seed": "seed.json",
    "sdk-handshake": "sdk-handshake.json",
    "sdk-stateless": "sdk-stateless.json",
    "everything": "everything.json",
    "http": "http-2026-07-28/trace.json",
    "oauth": "oauth/trace.json",
    "version-refused": "book/version-negotiation/trace-refused.json",
    "cancelled": "book/cancel-race/trace-stopped.json",
    "http-listen": "book/http-listen/trace-closed-by-the-server.json",
}


class Tape:
    """The document of a sample, its messages found by what they say. New messages come 1 ms after those before them."""

    def __init__(self, name: str) -> None:
        self.document: Json = json.loads((SAMPLES / PLACES.get(name, f"book/{name}/trace.json")).read_bytes())
        self.messages: list[Json] = self.document["messages"]
        self.first = next(each for each in self.messages if each["kind"] == "request")

    @property
    def meta(self) -> Json:
        """What the client says of itself with each request of the stateless era."""
        return deepcopy(self.first["body"].get("params", {}).get("_meta", {}))

    # what is there

    def request(self, method: str, n: int = 0) -> Json:
        """The n-th request with a method."""
        return [each for each in self.messages if each["kind"] == "request" and each["body"]["method"] == method][n]

    def answer(self, method: str, n: int = 0) -> Json:
        """The answer to it."""
        request = self.request(method, n)
        later = self.messages[self.messages.index(request) :]
        answers = (each for each in later if each["kind"] in ("response", "error"))
        return next(each for each in answers if each["sender"] != request["sender"]
                    and each["body"]["id"] == request["body"]["id"])  # fmt: skip

    def told(self, method: str, n: int = 0) -> Json:
        """The n-th notification with a method."""
        told = (each for each in self.messages if each["kind"] == "notification")
        return [each for each in told if each["body"]["method"] == method][n]

    def params(self, method: str, n: int = 0) -> Json:
        """The params of a request or a notification."""
        found = self.told(method, n) if method.startswith("notifications/") else self.request(method, n)
        params: Json = found["body"].setdefault("params", {})
        return params

    def result(self, method: str, n: int = 0) -> Json:
        """The result of a request."""
        result: Json = self.answer(method, n)["body"]["result"]
        return result

    def process(self, event: str) -> Json:
        """What befell the process."""
        return next(each for each in self.messages if each["kind"] == "process" and each["body"]["event"] == event)

    @property
    def last(self) -> Json:
        """The last message of JSON-RPC."""
        return [each for each in self.messages if each["kind"] in ("request", "response", "error", "notification")][-1]

    # cutting and splicing

    def drop(self, *messages: Json) -> None:
        """Leaves messages out."""
        for message in messages:
            self.messages.remove(message)

    def after(self, message: Json, *more: Json, seconds: float = 0.001) -> None:
        """Puts messages behind another one."""
        place = self.messages.index(message) + 1
        for count, each in enumerate(more, 1):
            each["at"] = message["at"] + count * seconds
        self.messages[place:place] = more

    def before(self, message: Json, *more: Json) -> None:
        """Puts messages before another one."""
        place = self.messages.index(message)
        for each in more:
            each["at"] = message["at"]
        self.messages[place:place] = more

    def ask(self, method: str, id: Any, side: str = "client", **params: Any) -> Json:
        """A new request; of the client with what it says of itself."""
        meta = {"_meta": self.meta} if self.meta and side == "client" else {}
        body = {"jsonrpc": "2.0", "id": id, "method": method, "params": {**params, **meta}}
        return self._message("request", side, body)

    def tell(self, method: str, side: str = "server", **params: Any) -> Json:
        """A new notification."""
        return self._message("notification", side, {"jsonrpc": "2.0", "method": method, "params": params})

    def reply(self, request: Json, **result: Any) -> Json:
        """A new answer."""
        return self._answer(request, "response", {"result": result})

    def fail(self, request: Json, code: int, message: str = "no", **data: Any) -> Json:
        """A new error as the answer."""
        error = {"code": code, "message": message, **({"data": data} if data else {})}
        return self._answer(request, "error", {"error": error})

    def turn_into_error(self, answer: Json, code: int, message: str = "no", **data: Any) -> None:
        """Makes an error of an answer."""
        answer["kind"] = "error"
        answer["body"].pop("result", None)
        answer["body"]["error"] = {"code": code, "message": message, **({"data": data} if data else {})}

    def trace(self) -> Trace:
        """The recording as it stands now."""
        for seq, message in enumerate(self.messages, 1):
            message["seq"] = seq
        return api.load(json.dumps(self.document).encode())

    def _answer(self, request: Json, kind: str, body: Json) -> Json:
        side = "server" if request["sender"] == "client" else "client"
        answer = self._message(kind, side, {"jsonrpc": "2.0", "id": request["body"].get("id"), **body})
        return {**answer, **({"exchange": request["exchange"], "http": _OK} if "exchange" in request else {})}

    def _message(self, kind: str, side: str, body: Json) -> Json:
        revision = self.first.get("revision") if self.meta else self.last.get("revision")
        message = {"sender": side, "receiver": "server" if side == "client" else "client", "kind": kind, "body": body,
                   "transport": self.first["transport"], "revision": revision, "problems": []}  # fmt: skip
        if side == "client" and kind == "request" and "http" in self.first:
            exchange = 1 + max(each.get("exchange") or 0 for each in self.messages)
            message |= {"exchange": exchange, "http": _headed(self.last_head, body)}
        return message

    @property
    def last_head(self) -> Json:
        """The head of the last POST."""
        heads = [each["http"] for each in self.messages if (each.get("http") or {}).get("method") == "POST"]
        head: Json = heads[-1]
        return head


def _headed(head: Json, body: Json) -> Json:
    """The head of a POST with what it repeats of another body."""
    kept = [pair for pair in head["headers"] if not pair[0].lower().startswith(("mcp-method", "mcp-name", "mcp-param"))]
    routed = [list(pair) for pair in routing_headers(body, {})] if len(kept) < len(head["headers"]) else []
    return {**head, "headers": [*kept, *routed]}


_OK = {"status": 200, "headers": [["Content-Type", "application/json"]]}
