"""A builder of traces for tests: messages in, a Trace out."""

import json
from pathlib import Path
from typing import Any

from flowgen import api
from flowgen.trace import Trace

SAMPLES = Path(__file__).parent.parent / "samples"
SVG = "{http://www.w3.org/2000/svg}"

Message = dict[str, Any]


def trace_of(*messages: Message, title: str | None = None, **header: Any) -> Trace:
    """A trace of messages given without seq and time: one every 10 ms, client and server."""
    rows = [{"seq": seq, "at": seq / 100, "transport": "stdio", **row} for seq, row in enumerate(messages, 1)]
    document = {
        "format": "flowgen.trace/1",
        "recorded_at": "2026-11-30T10:00:00.000Z",
        "recorder": "test",
        "command": ["server"],
        "participants": [
            {"id": "client", "role": "client", "title": "test-client 1.0"},
            {"id": "server", "role": "server", "title": "test-server 2.0"},
        ],
        "messages": rows,
        "outcome": {"complete": True, "reason": "done", "exit_code": 0},
        **({"title": title} if title else {}),
        **header,
    }
    return api.load(json.dumps(document).encode())


def asks(method: str, id: Any = 1, **params: Any) -> Message:
    """A request of the client."""
    body = {"jsonrpc": "2.0", "id": id, "method": method, **({"params": params} if params else {})}
    return {"sender": "client", "receiver": "server", "kind": "request", "body": body}


def answers(id: Any = 1, **result: Any) -> Message:
    """The server's answer."""
    body = {"jsonrpc": "2.0", "id": id, "result": result}
    return {"sender": "server", "receiver": "client", "kind": "response", "body": body}


def refuses(id: Any = 1, code: Any = -32601, message: str = "Method not found") -> Message:
    """The server's error."""
    body = {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}
    return {"sender": "server", "receiver": "client", "kind": "error", "body": body}


def tells(method: str, sender: str = "server", **params: Any) -> Message:
    """A notification."""
    receiver = "client" if sender == "server" else "server"
    body = {"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})}
    return {"sender": sender, "receiver": receiver, "kind": "notification", "body": body}


def text_message(kind: str, text: str, *codes: str) -> Message:
    """A line of stderr, or noise."""
    problems = [{"code": code, "message": code} for code in codes]
    return {"sender": "server", "receiver": "client", "kind": kind, "text": text, "problems": problems}
