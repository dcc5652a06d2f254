"""Spans of OpenTelemetry as OTLP/JSON, one document or one a line, with the semantic conventions of MCP.

A span is a request with its answer, or a notification; the span of a server below that of its client is the same one.
What a message held stands there only where somebody opted in, so most bodies are what the attributes tell of them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from ._lines import Line, objects, value_of, whole
from ._making import Making
from ._methods import sender_of
from ._otlp_bodies import ANSWER_SEQ, METHOD, answer_of, has_answer, request_of
from ._parts import Row

SEQ, SENDER = "flowgen.seq", "flowgen.sender"  # of our own writer
_CLIENT, _SERVER = 3, 2  # SpanKind
_KINDS = {"SPAN_KIND_CLIENT": _CLIENT, "SPAN_KIND_SERVER": _SERVER}
_NANO = 1e9
_BETWEEN = 32  # spans of HTTP, gateways and libraries that may stand between two of MCP


@dataclass(frozen=True, slots=True)
class Span:
    """A span; `service` is what sent it in, `below` the one that served it. Times are seconds since 1970."""

    trace: str
    id: str
    parent: str
    kind: int
    start: float | None
    end: float | None
    service: str | None
    status: Row
    attributes: Row
    below: str | None = None

    @property
    def is_mcp(self) -> bool:
        """Whether it tells of a message."""
        return isinstance(self.attributes.get(METHOD), str)


def read(found: Iterable[Line], making: Making) -> Iterator[Row]:
    """The messages in the order of the times: requests at the start of their span, answers at its end."""
    making.missing += ["stderr", "heads"]
    spans = [span for document in _documents(iter(found), making) for span in _spans(document)]
    merged = list(_merged(spans))
    reader = _Reader(merged, making)
    told = [pair for span in merged for pair in reader.messages(span)]
    told.sort(key=lambda pair: pair[0])
    partial = [row.pop("partial", "body" not in row) for _, row in told]
    if any(partial):
        making.missing.insert(0, "bodies")
    yield from (row for _, row in told)


def _documents(found: Iterator[Line], making: Making) -> Iterator[Row]:
    """Each line where the first is a document of its own, else all of them as one."""
    first = next(found, Line(1, b"", True))
    try:
        value_of(first.data.decode("utf-8", "surrogateescape"))
    except ValueError:
        document = whole(chain([first], found), making.name)
        yield document if isinstance(document, dict) else {}
        return
    for _, row in objects(chain([first], found), making.name):
        making.cut |= row is None
        yield row or {}


def _spans(document: Row) -> Iterator[Span]:
    for resource in _list(document, "resourceSpans", "resource_spans"):
        service = _attributes(_member(resource, "resource")).get("service.name")
        for scope in _list(resource, "scopeSpans", "scope_spans"):
            for span in _list(scope, "spans"):
                yield _span(span, service if isinstance(service, str) else None)


def _span(span: Row, service: str | None) -> Span:
    kind = span.get("kind")
    return Span(
        str(span.get("traceId")), str(span.get("spanId")), str(span.get("parentSpanId") or ""),
        _KINDS.get(str(kind), kind if isinstance(kind, int) else 0),
        _seconds(span.get("startTimeUnixNano")), _seconds(span.get("endTimeUnixNano")),
        service, _member(span, "status"), _attributes(span),
    )  # fmt: skip


def _merged(spans: list[Span]) -> Iterator[Span]:
    """The spans of messages, each message once: a server's goes into its client's, if that is above it, and steps of
    handling a message are none.
    """
    known = {(span.trace, span.id): span for span in spans}
    below: dict[int, Span] = {}
    for span in spans:
        above = _client_above(span, known) if span.is_mcp and span.kind == _SERVER else None
        if above is not None and id(above) not in below:
            below[id(above)] = span
    gone = {id(span) for span in below.values()}
    for span in spans:
        if span.is_mcp and id(span) not in gone and not _is_inner(span, known):
            yield _joined(span, below.get(id(span)))


def _is_inner(span: Span, known: dict[tuple[str, str], Span]) -> bool:
    return span.kind not in (_CLIENT, _SERVER) and _above(span, known) is not None


def _client_above(span: Span, known: dict[tuple[str, str], Span]) -> Span | None:
    """The span of the client that sent what this server got."""
    above = _above(span, known)
    return above if above is not None and above.kind == _CLIENT else None


def _above(span: Span, known: dict[tuple[str, str], Span]) -> Span | None:
    """The next span of MCP above, if it is of the same method; spans of HTTP may stand between them."""
    above: Span | None = span
    for _ in range(_BETWEEN):
        above = known.get((above.trace, above.parent)) if above is not None else None
        if above is not None and above.is_mcp:
            return above if above.attributes[METHOD] == span.attributes[METHOD] and above is not span else None
    return None


def _joined(span: Span, server: Span | None) -> Span:
    if server is None:
        return span
    failed = server.status if server.status.get("code") else span.status
    told = {**server.attributes, **span.attributes}
    return replace(span, attributes=told, status=failed, end=span.end or server.end, below=server.service)


class _Reader:
    """Knows which services have which address, and tells sessions apart: ids are unique in each only."""

    def __init__(self, spans: list[Span], making: Making) -> None:
        self.making = making
        self.addresses = {span.below: _address(span) for span in spans}
        self.sessions: dict[str | None, dict[str, str | None]] = {}
        for start in sorted(span.start for span in spans if span.start is not None)[:1]:
            making.since(start)

    def messages(self, span: Span) -> Iterator[tuple[tuple[float, float], Row]]:
        """A request and its answer, or a notification, each with what it is ordered by."""
        client, server = self._pair(span)
        sender = span.attributes.get(SENDER) or sender_of(span.attributes[METHOD])
        ends = (server, client) if sender == "server" else (client, server)
        more: Row = {"transport": _transport(span), "revision": _text(span, "mcp.protocol.version")}
        seen = self.making.seen
        yield _order(span, SEQ, span.start), seen(request_of(span.attributes), self._at(span.start), *ends, **more)
        if span.end and has_answer(span.attributes):
            answer = answer_of(span.attributes, span.status)
            yield _order(span, ANSWER_SEQ, span.end), seen(answer, self._at(span.end), *reversed(ends), **more)

    def _at(self, time: float | None) -> float | None:
        return None if time is None else self.making.since(time)

    def _pair(self, span: Span) -> tuple[str, str]:
        """Client and server. An id of a session may be a secret, so sessions are numbered."""
        label = _server_of(span, self.addresses)
        sessions = self.sessions.setdefault(label, {})
        session = _text(span, "mcp.session.id")
        number = sessions.setdefault(session, str(len(sessions) + 1) if sessions else None) if session else None
        return self.making.pair(label, number)


def _order(span: Span, number: str, time: float | None) -> tuple[float, float]:
    """By the number that a writer of ours left, else by the time."""
    seq = span.attributes.get(number)
    return (float(seq), 0.0) if isinstance(seq, int) and not isinstance(seq, bool) else (0.0, time or 0.0)


def _server_of(span: Span, addresses: dict[str | None, str | None]) -> str | None:
    """A server's address, which its clients may tell of its service, else the name of the service that serves."""
    serving = _SERVER if sender_of(span.attributes[METHOD]) != "server" else _CLIENT
    service = span.below or (span.service if span.kind == serving else None)
    return _address(span) or (addresses.get(service) if service else None) or service


def _address(span: Span) -> str | None:
    address, port = _text(span, "server.address"), span.attributes.get("server.port")
    return f"{address}:{port}" if address is not None and isinstance(port, int) else address


def _transport(span: Span) -> str | None:
    name = {"pipe": "stdio", "tcp": "http", "quic": "http"}.get(str(span.attributes.get("network.transport")))
    return name or ("http" if span.attributes.get("network.protocol.name") == "http" else None)


def _text(span: Span, name: str) -> str | None:
    value = span.attributes.get(name)
    return value if isinstance(value, str) else None


def _attributes(holder: Row) -> Row:
    rows = [row for row in _list(holder, "attributes") if isinstance(row.get("key"), str)]
    return {row["key"]: _value(_member(row, "value")) for row in rows}


def _value(value: Row) -> Any:
    """An AnyValue as JSON."""
    match value:
        case {"intValue": str(digits)} if digits.removeprefix("-").isdecimal() and len(digits) < 20:
            return int(digits)
        case {"arrayValue": {"values": list(values)}}:
            return [_value(each) for each in values if isinstance(each, dict)]
        case {"kvlistValue": dict(members)}:
            return _attributes({"attributes": members.get("values")})
    return next(iter(value.values()), None)


def _seconds(nanos: Any) -> float | None:
    if isinstance(nanos, str) and nanos.isdecimal() and nanos.isascii() and len(nanos) <= 20:
        nanos = int(nanos)
    known = isinstance(nanos, int | float) and not isinstance(nanos, bool) and 0 < nanos < 1e20
    return nanos / _NANO if known else None


def _list(holder: Row, *names: str) -> list[Row]:
    """The objects of a list under one of its names."""
    found: list[Any] = next((holder[name] for name in names if isinstance(holder.get(name), list)), [])
    return [each for each in found if isinstance(each, dict)]


def _member(holder: Row, name: str) -> Row:
    value = holder.get(name)
    return value if isinstance(value, dict) else {}
