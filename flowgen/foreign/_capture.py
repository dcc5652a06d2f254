"""The line format of wire captures: one JSON object a line, `ts`, `direction`, `transport`, `raw`, over HTTP also
`exchange`, `start_line`, `headers`, `kind`, `sse`. What a line does not tell is not made up.

A capture may hold tokens; they are masked here, so that a trace never holds them.
"""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from flowgen.trace import Mask
from flowgen.wire import EventReader, LineReader, id_key, read_message

Row = dict[str, Any]

_EVENTS = {
    "client closed stdin": {"event": "stdin-closed"}, "close stdin": {"event": "stdin-closed"},
    "server closed stdout": {"event": "stdout-closed"}, "stdout EOF": {"event": "stdout-closed"},
}  # fmt: skip
_ENDS = ("server exit", "exit")
_BY_CLIENT = ("spawn", "client closed stdin", "close stdin", "client closed the connection during the stream")
_FORMS: dict[str, Any] = {
    "ts": (int, float), "raw": str, "exchange": int, "start_line": str, "headers": list, "sse": dict,
    "event": str, "returncode": int, "command": list,
}  # fmt: skip


def document(data: bytes) -> Row:
    """The trace document of a capture. Lines that are no JSON objects are passed over: a cut capture still loads."""
    rows = list(_rows(data))
    reader = _Reader(rows)
    messages = [message for row in rows for message in reader.read(row)]
    _mark(messages)
    mask = Mask()
    for message in messages:
        mask.message(message)  # a secret that is named later stands masked in what came before, too
    numbered = ({"seq": seq, **message} for seq, message in enumerate(messages, 1))
    return {
        "format": "flowgen.trace/1",
        "recorder": "wire capture",
        "participants": reader.participants(),
        "messages": [mask.message(message) for message in numbered],
        "outcome": {**_outcome(data), **reader.ended},
    }


def _outcome(data: bytes) -> Row:
    """A capture that ends inside a line was cut; nothing else in it tells whether it is whole."""
    try:
        json.loads(data.rstrip().rsplit(b"\n", 1)[-1])
    except ValueError:
        return {"complete": False, "reason": "cut"}
    return {"complete": True, "reason": "done"}


def _mark(messages: list[Row]) -> None:
    """The problems that show only beside other messages: an error's status, an answer that nobody asked for."""
    asked: set[Any] = set()
    for message in messages:
        body: Any = message.get("body") or message.get("head")
        key = id_key(body.get("id")) if isinstance(body, dict) else None
        if (message.get("http") or {}).get("status", 0) >= 400:
            _add(message, "http-error", "Came with a status of 400 or above.")
        if message["kind"] == "request":
            asked.add((message["sender"], key))
        elif message["kind"] in ("response", "error") and (message["receiver"], key) not in asked:
            _add(message, "unknown-id", "No request of the other side has this id.")


def _add(message: Row, code: str, said: str) -> None:
    message["problems"] = [*message.get("problems", []), {"code": code, "message": said}]


def _rows(data: bytes) -> Iterator[Row]:
    for line in data.decode("utf-8-sig", "replace").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and isinstance(row.get("direction"), str):
            yield {name: value for name, value in row.items() if _is_form(name, value)}


def _is_form(name: str, value: Any) -> bool:
    """Whether a member has the form that the format gives it; others are as good as absent."""
    form = _FORMS.get(name)
    return form is None or (isinstance(value, form) and not isinstance(value, bool))


class _Reader:
    """Turns rows into messages; remembers whose host is whose, and streams that are under way."""

    def __init__(self, rows: list[Row]) -> None:
        times = [row["ts"] for row in rows if isinstance(row.get("ts"), (int, float))]
        self.start = min(times, default=0.0)
        self.peers: dict[Any, str] = {}  # exchange -> participant
        self.own: str | None = None  # host of the MCP server
        self.others: dict[str, str] = {}  # host -> participant
        self.streams: dict[Any, EventReader] = {}
        self.lines: dict[str, LineReader] = {}
        self.ended: Row = {}

    def participants(self) -> list[Row]:
        """The client, the MCP server, and whoever else was spoken with: hosts of their own issue tokens."""
        server = {"id": "server", "role": "server", **({"title": self.own} if self.own else {})}
        others = [{"id": id_, "role": "auth", "title": host} for host, id_ in self.others.items()]
        return [{"id": "client", "role": "client"}, *others, server]

    def read(self, row: Row) -> Iterator[Row]:
        """The messages of one row."""
        sender, receiver = self._ends(row)
        base: Row = {"sender": sender, "receiver": receiver}
        if isinstance(row.get("ts"), (int, float)):
            base["at"] = round(row["ts"] - self.start, 6)
        for part in self._parts(row):
            yield {**base, **part}

    def _ends(self, row: Row) -> tuple[str, str]:
        peer = self._peer(row)
        to_server = row["direction"] == "client->server" or row.get("event") in _BY_CLIENT
        return ("client", peer) if to_server else (peer, "client")

    def _peer(self, row: Row) -> str:
        exchange = row.get("exchange")
        if row["direction"] == "client->server" and isinstance(row.get("start_line"), str):
            self.peers[exchange] = self._by_host(_host(row))
        return self.peers.get(exchange, "server")

    def _by_host(self, host: str) -> str:
        self.own = self.own or host or None
        if not host or host == self.own:
            return "server"
        return self.others.setdefault(host, "auth" if not self.others else f"auth{len(self.others) + 1}")

    def _parts(self, row: Row) -> Iterator[Row]:
        match row["direction"]:
            case "meta":
                yield from self._meta(row)
            case "server-stderr":
                yield {"kind": "stderr", "transport": "stdio", "text": str(row.get("raw") or "")}
            case _ if row.get("transport") == "stdio":
                lines = self.lines.setdefault(row["direction"], LineReader())
                yield from ({**part, "transport": "stdio"} for part in lines.feed(_bytes(row) + b"\n"))
            case _:
                yield from self._http(row)

    def _meta(self, row: Row) -> Iterator[Row]:
        """What befell the process or a stream."""
        event = row.get("event")
        body: Row = dict(_EVENTS.get(str(event), {}))
        if event == "spawn":
            body = {"event": "started", "argv": [str(part) for part in row.get("command") or ["?"]]}
        elif event in _ENDS:
            body = {"event": "exited", **_how(row.get("returncode"))}
            self.ended = _how(row.get("returncode"))
        if body:
            yield {"kind": "process", "transport": "stdio", "body": body}
        elif row.get("exchange") is not None:
            by = "client" if str(event).startswith("client") else "server"
            yield {"kind": "http", "transport": "http", "exchange": row["exchange"],
                   "body": {"event": "stream-closed", "by": by}}  # fmt: skip

    def _http(self, row: Row) -> Iterator[Row]:
        base: Row = {"transport": "http", "exchange": row.get("exchange")}
        match row.get("kind"):
            case "sse-event":
                yield from self._event(base, _bytes(row), _fields(row.get("sse") or {}))
            case "sse-line":
                yield from self._line(base, row)
            case "http-response-head":
                yield {**base, "kind": "http", "http": _half(row), "body": {"event": "stream-opened", "by": "server"}}
            case _:
                yield from _body(base, row)

    def _line(self, base: Row, row: Row) -> Iterator[Row]:
        stream = self.streams.setdefault(row.get("exchange"), EventReader())
        for event in stream.feed(_bytes(row) + b"\n"):
            yield from self._event(base, event.data or b"", dict(event.fields))

    def _event(self, base: Row, data: bytes, fields: Row) -> Iterator[Row]:
        """An event of a stream; one without data is a message all the same."""
        more = {**base, "transport": "sse", **({"sse": fields} if fields else {})}
        parts = read_message(data)
        yield from ({**part, **more} for part in parts)
        if not parts:
            yield {**more, "kind": "http"}


def _body(base: Row, row: Row) -> Iterator[Row]:
    """One half of an exchange: JSON-RPC, or what else the body is, or none."""
    base = {**base, "http": _half(row)}
    parts = read_message(_bytes(row))
    if parts and not all(part["kind"] == "noise" for part in parts):
        yield from ({**part, **base} for part in parts)
        return
    if len(parts) == 1 and "body" in parts[0]:
        yield {**base, "kind": "http", "body": parts[0]["body"]}
    elif row.get("raw"):
        yield {**base, "kind": "http", "text": str(row["raw"])}
    else:
        yield {**base, "kind": "http"}


def _fields(sse: Row) -> Row:
    """The fields of an event that have the form they should."""
    texts = {name: sse[name] for name in ("id", "event", "comment") if isinstance(sse.get(name), str)}
    return {**texts, "retry": sse["retry"]} if type(sse.get("retry")) is int else texts


def _half(row: Row) -> Row:
    """Method and address of a request, or the status of an answer, with the head as it was."""
    headers = [[str(part) for part in pair] for pair in row.get("headers") or [] if _is_pair(pair)]
    first, _, rest = str(row.get("start_line") or "").partition(" ")
    if first.startswith("HTTP/"):
        code = rest.split(" ", 1)[0]
        return {"status": int(code) if code.isdigit() else 0, "headers": headers}
    target = rest.rsplit(" HTTP/", 1)[0]
    host = _host(row)
    return {"method": first, "url": f"http://{host}{target}" if target.startswith("/") else target, "headers": headers}


def _host(row: Row) -> str:
    target = str(row.get("start_line") or "").partition(" ")[2].rsplit(" HTTP/", 1)[0]
    try:
        named = urlsplit(target).netloc
    except ValueError:
        named = ""
    pairs = [pair for pair in row.get("headers") or [] if _is_pair(pair)]
    fields = [str(value) for name, value in pairs if str(name).lower() == "host"]
    return named or (fields[0] if fields else "")


def _is_pair(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2


def _how(code: Any) -> Row:
    """How a process ended: its code, or the signal that a negative one stands for (subprocess, Python)."""
    if not isinstance(code, int) or isinstance(code, bool):
        return {}
    if code >= 0:
        return {"exit_code": code}
    import signal

    try:
        return {"signal": signal.Signals(-code).name}
    except ValueError:
        return {"exit_code": code}


def _bytes(row: Row) -> bytes:
    raw = row.get("raw")
    return raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else b""
