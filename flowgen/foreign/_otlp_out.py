"""A trace as spans of OpenTelemetry (OTLP/JSON): each request with its answer, each notification, as their server's
spans. The conventions of MCP have no place for most bodies; ours stand whole in attributes of our own.
"""

import hashlib
from typing import Any

from flowgen.trace import document_bytes, write_json
from flowgen.version import __version__
from flowgen.wire import loose_key

from ._otlp import SENDER, SEQ
from ._otlp_bodies import ANSWER, ANSWER_SEQ, BODY, ID, METHOD
from ._parts import Row
from ._writing import RPC, Clock, Lost, Written, details, method_of, servers_of

_SERVER, _ERROR = 2, 2  # SpanKind, StatusCode
_TRANSPORTS = {"stdio": "pipe", "http": "tcp", "sse": "tcp"}
_NAMES = {
    "tools/call": ("name", "gen_ai.tool.name"), "prompts/get": ("name", "gen_ai.prompt.name"),
    "resources/read": ("uri", "mcp.resource.uri"),
}  # fmt: skip


def write(document: Row) -> Written:
    """The document, a resource for each server."""
    lost, servers = Lost(), servers_of(document)
    details(document, lost)
    spans: dict[str, list[Row]] = {server: [] for server in servers}
    open_ = _Open()
    making = _Making(document, Clock(document))
    for message in document["messages"]:
        server = next((end for end in (message["sender"], message["receiver"]) if end in servers), None)
        if message["kind"] not in RPC or server is None:
            lost.message(message)
        elif message["kind"] in ("request", "notification"):
            if method_of(message) is None:
                lost.message(message, "not kept whole")
                continue
            spans[server].append(making.begun(message, server))
            open_.begin(message, spans[server][-1])
        elif (span := open_.end(message)) is None:
            lost.message(message, "without a request")
        else:
            making.answered(span, message)
        if message.get("http", {}).get("headers"):
            lost.detail("HTTP heads")
    resources = [_resource(servers[server], several) for server, several in spans.items() if several]
    return Written(document_bytes({"resourceSpans": resources}), lost.told())


class _Open:
    """The spans of requests that have no answer yet."""

    def __init__(self) -> None:
        self._by_id: dict[Any, Row] = {}
        self._by_exchange: dict[Any, Row] = {}

    def begin(self, message: Row, span: Row) -> None:
        """A request was sent; a notification is none."""
        if message["kind"] == "request":
            self._by_id[_key(message, message["sender"])] = span
            self._by_exchange[message.get("exchange")] = span

    def end(self, message: Row) -> Row | None:
        """The span that an answer belongs to; one without an id has the request of its HTTP exchange."""
        if _body(message).get("id") is not None or message.get("exchange") is None:
            return self._by_id.pop(_key(message, message["receiver"]), None)
        return self._by_exchange.pop(message["exchange"], None)


class _Making:
    """Makes spans; ids of spans follow from the numbers of messages, so that the same trace gives the same file."""

    def __init__(self, document: Row, clock: Clock) -> None:
        self.clock = clock
        self.seed = str(document.get("recorded_at"))

    def begun(self, message: Row, server: str) -> Row:
        """The span of a request or notification."""
        body, start = message["body"], self.clock.nanos(message) or 0
        sent_by = "server" if message["sender"] == server else "client"
        about = _about(body)
        attributes = {
            METHOD: body["method"], **({ID: _text(body.get("id"))} if message["kind"] == "request" else {}),
            **_known("mcp.protocol.version", message.get("revision")), **about,
            **_known("network.transport", _TRANSPORTS.get(message.get("transport") or "")),
            SENDER: sent_by, SEQ: message["seq"], BODY: write_json(body).decode("utf-8", "replace"),
        }  # fmt: skip
        return {
            "traceId": self._digits(server, 32), "spanId": self._digits(str(message["seq"]), 16),
            "name": " ".join([body["method"], *map(str, about.values())][:2]), "kind": _SERVER,
            "startTimeUnixNano": str(start), "endTimeUnixNano": str(start),
            "attributes": [_attribute(name, value) for name, value in attributes.items()], "status": {"code": 0},
        }  # fmt: skip

    def answered(self, span: Row, message: Row) -> None:
        """The answer goes into the span of its request."""
        body = _body(message)
        span["endTimeUnixNano"] = str(self.clock.nanos(message) or 0)
        error: Row | None = body["error"] if isinstance(body.get("error"), dict) else None
        result: Row = body["result"] if isinstance(body.get("result"), dict) else {}
        whole = {ANSWER: write_json(body).decode("utf-8", "replace")} if "body" in message else {}
        more: Row = {ANSWER_SEQ: message["seq"], **whole}
        if error is not None:
            more |= {"rpc.response.status_code": _text(error.get("code")), "error.type": _text(error.get("code"))}
        elif result.get("isError") is True:
            more |= {"error.type": "tool_error"}
        if "error.type" in more:
            span["status"] = {"code": _ERROR, **_known("message", (error or {}).get("message"))}
        span["attributes"] += [_attribute(name, value) for name, value in more.items()]

    def _digits(self, of: str, count: int) -> str:
        return hashlib.sha256(f"{self.seed}\0{of}".encode("utf-8", "replace")).hexdigest()[:count]


def _resource(name: str, spans: list[Row]) -> Row:
    scope = {"scope": {"name": "flowgen", "version": __version__}, "spans": spans}
    return {"resource": {"attributes": [_attribute("service.name", name)]}, "scopeSpans": [scope]}


def _about(body: Row) -> Row:
    """The tool, prompt or address that a request names."""
    member, attribute = _NAMES.get(body["method"], ("", ""))
    params = body.get("params")
    value = params.get(member) if isinstance(params, dict) else None
    return {attribute: value} if isinstance(value, str) else {}


def _key(message: Row, asker: str) -> Any:
    return asker, *sorted((message["sender"], message["receiver"])), loose_key(_body(message).get("id"))


def _body(message: Row) -> Row:
    """A message, or what is known of one that was not kept."""
    body = message.get("body") if isinstance(message.get("body"), dict) else message.get("head")
    return body or {}


def _attribute(name: str, value: Any) -> Row:
    if isinstance(value, int):
        return {"key": name, "value": {"intValue": str(value)}}
    return {"key": name, "value": {"stringValue": value}}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else write_json(value).decode()


def _known(name: str, value: Any) -> Row:
    return {name: value} if isinstance(value, str) else {}
