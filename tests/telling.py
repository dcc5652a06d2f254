"""A recording as the lines of a table: who said what to whom, without what differs from one recording to the next."""

import re
from collections.abc import Iterator
from typing import Any

from flowgen.trace import Message, Trace

LEFT_OUT = ("plan-step", "event without data")  # who began a step stands in the plan; primers of streams say nothing


def told(trace: Trace, processes: bool) -> Iterator[str]:
    """`client > server request tools/call`, one line for each message; `processes` with their start and end."""
    for message in trace.messages:
        if (processes or message.kind != "process") and _what(message) not in LEFT_OUT:
            yield f"{_who(message.sender)} > {_who(message.receiver)} {message.kind} {_what(message)}".rstrip()


def _who(participant: str) -> str:
    return "auth" if participant.startswith("auth") else participant


def _what(message: Message) -> str:
    body: Any = message.body if isinstance(message.body, dict) else {}
    match message.kind:
        case "request" | "notification":
            return str(body["method"])
        case "response":
            result = body["result"] if isinstance(body["result"], dict) else {}
            return " ".join(filter(None, (result.get("resultType", "result"), result.get("status"))))
        case "error":
            return str(body["error"]["code"])
        case "note" | "process":
            return str(body["event"])
    return _of_http(message, body)


def _of_http(message: Message, body: Any) -> str:
    http = message.http
    if isinstance(body, dict) and "event" in body:
        return str(body["event"])
    if http is None or (http.method is None and http.status is None):
        return "event without data"
    path = re.sub(r"^https?://[^/]*|\?.*", "", http.url or "")
    return f"{http.method} {path}" if http.method else str(http.status)
