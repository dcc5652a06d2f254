"""A trace as HAR 1.2: an entry for each exchange over HTTP. What went over no exchange has no place there.

Number and time of each message in an entry stand in a member of our own, as HAR allows (`_flowgen`).
"""

from typing import Any

from flowgen.errors import TraceError
from flowgen.trace import document_bytes
from flowgen.version import __version__
from flowgen.wire import header_of

from ._har import ORDER
from ._parts import Row
from ._writing import RPC, Clock, Lost, Written, bytes_of, details

_EPOCH = "1970-01-01T00:00:00.000Z"  # a member that HAR demands
_STREAM = "text/event-stream"
_FIELDS = ("event", "id", "retry")


def write(document: Row) -> Written:
    """The document. Raises TraceError for a trace without an exchange."""
    lost, clock = Lost(), Clock(document)
    details(document, lost)
    exchanges: dict[int, list[Row]] = {}
    for message in document["messages"]:
        if message.get("exchange") is None:
            lost.message(message, "outside of HTTP" if message["kind"] in RPC else None)
        else:
            exchanges.setdefault(message["exchange"], []).append(message)
    if not exchanges:
        hint = "--to mcpsnoop and --to otlp take sessions over stdio"
        raise TraceError("a HAR holds exchanges over HTTP, and there are none in this recording", hint)
    entries = [_entry(messages, clock, lost) for messages in exchanges.values()]
    creator = {"name": "flowgen", "version": __version__}
    return Written(document_bytes({"log": {"version": "1.2", "creator": creator, "entries": entries}}), lost.told())


def _entry(messages: list[Row], clock: Clock, lost: Lost) -> Row:
    asker = messages[0]["sender"]
    asked = [message for message in messages if message["sender"] == asker and _is_request(message)]
    answered = [message for message in messages if message not in asked]
    start = clock.text(messages[0])
    if start is None:
        lost.detail("when it was")
    response, order = _response(answered)
    took = _between(messages[0], messages[-1])
    waited = _between(messages[0], answered[0]) if answered else 0.0
    return {
        "startedDateTime": start or _EPOCH, "time": took, "request": _request(asked), "response": response,
        "cache": {}, "timings": {"send": 0, "wait": waited, "receive": max(took - waited, 0.0)},
        ORDER: [_row(message, messages[0]) for message in (*asked, *order)],
    }  # fmt: skip


def _request(asked: list[Row]) -> Row:
    half = asked[0].get("http") or {} if asked else {}
    data = _body(asked)
    headers = half.get("headers", [])
    posted = {"mimeType": header_of(headers, "content-type") or "", "text": data.decode("utf-8", "replace")}
    return {
        "method": half.get("method") or "POST", "url": half.get("url") or "", **_common(headers, data),
        "queryString": [], **({"postData": posted} if data else {}),
    }  # fmt: skip


def _response(answered: list[Row]) -> tuple[Row, list[Row | None]]:
    """The response, and its messages as a reader will find them: None where it finds one that was not there."""
    half: Row = next((message["http"] for message in answered if (message.get("http") or {}).get("status")), {})
    headers = half.get("headers", [])
    streamed = any(message.get("transport") == "sse" or _event(message) for message in answered)
    data = b"".join(map(_sse, answered)) if streamed else _body(answered)
    mime = _STREAM if streamed else header_of(headers, "content-type") or ""
    content = {"size": len(data), "mimeType": mime, "text": data.decode("utf-8", "replace")}
    response = {
        "status": half.get("status") or 0, "statusText": "", **_common(headers, data), "content": content,
        "redirectURL": header_of(headers, "location") or "",
    }  # fmt: skip
    if not streamed:
        return response, [*answered]
    opened, closed = (next((m for m in answered if _event(m) == f"stream-{e}"), None) for e in ("opened", "closed"))
    return response, [opened, *(m for m in answered if not _event(m)), closed]


def _sse(message: Row) -> bytes:
    """An event of a stream as it is sent (HTML Living Standard)."""
    if _event(message):
        return b""
    fields = message.get("sse") or {}
    lines = [f": {part}" for part in str(fields.get("comment") or "").split("\n") if part]
    lines += [f"{name}: {fields[name]}" for name in _FIELDS if fields.get(name) is not None]
    lines += [f"data: {part}" for part in bytes_of(message).decode("utf-8", "replace").split("\n") if part]
    return ("\n".join(lines) + "\n\n").encode("utf-8", "replace")


def _body(messages: list[Row]) -> bytes:
    """One body; messages that came in an array go into one again."""
    parts = [bytes_of(message) for message in messages]
    batch = any(problem["code"] == "batch" for message in messages for problem in message.get("problems", ()))
    return b"[" + b",".join(parts) + b"]" if batch or len(parts) > 1 else b"".join(parts)


def _row(message: Row | None, first: Row) -> Row:
    """Number of a message, and seconds since its entry began."""
    if message is None:
        return {}
    at, start = message.get("at"), first.get("at")
    by = message["body"].get("by") if _event(message) else None
    return {
        "seq": message["seq"], **({} if at is None or start is None else {"at": round((at - start) * 1000, 3)}),
        **({"by": by} if isinstance(by, str) else {}),
    }  # fmt: skip


def _between(first: Row, last: Row) -> float:
    """Milliseconds."""
    known = first.get("at") is not None and last.get("at") is not None
    return max(round((last["at"] - first["at"]) * 1000, 3), 0.0) if known else 0.0


def _common(headers: list[Any], data: bytes) -> Row:
    pairs = [{"name": name, "value": value} for name, value in headers]
    return {"httpVersion": "HTTP/1.1", "cookies": [], "headers": pairs, "headersSize": -1, "bodySize": len(data)}


def _is_request(message: Row) -> bool:
    return not _event(message) and not (message.get("http") or {}).get("status")


def _event(message: Row) -> str | None:
    """What befell a stream."""
    body = message.get("body")
    event = body.get("event") if message["kind"] == "http" and isinstance(body, dict) else None
    return event if event in ("stream-opened", "stream-closed") else None
