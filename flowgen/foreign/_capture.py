"""The line format of wire captures: one JSON object a line, `ts`, `direction`, `transport`, `raw`, over HTTP also
`exchange`, `start_line`, `headers`, `kind`, `sse`. What a line does not tell is not made up.
"""

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

from flowgen.wire import EventReader, LineReader, read_message

from ._http import body_parts, event_parts, pairs_of
from ._lines import Line, objects
from ._making import Making
from ._parts import Row, noise

_BOM = b"\xef\xbb\xbf"
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


def read(found: Iterable[Line], making: Making) -> Iterator[Row]:
    """The messages of a capture."""
    reader = _Reader(making)
    for number, row in objects(iter(found), making.name):
        if row is None:
            making.cut = True
        elif not isinstance(row.get("direction"), str):
            raise making.lacks(number, "direction", "client->server, server->client, server-stderr or meta")
        else:
            yield from reader.read({name: value for name, value in row.items() if _is_form(name, value)})


def _is_form(name: str, value: Any) -> bool:
    """Whether a member has the form that the format gives it; others are as good as absent."""
    form = _FORMS.get(name)
    return form is None or (isinstance(value, form) and not isinstance(value, bool))


class _Reader:
    """Turns rows into messages; remembers whose host is whose, and streams that are under way."""

    def __init__(self, making: Making) -> None:
        self.making = making
        self.peers: dict[Any, str] = {}  # exchange -> participant
        self.own: str | None = None  # host of the MCP server
        self.others: dict[str, str] = {}  # host -> participant
        self.streams: dict[Any, EventReader] = {}
        self.lines: dict[str, LineReader] = {}
        self.numbered = 0  # exchanges that the source gave no numbers
        self.asked: list[int] = []  # those of them without an answer

    def read(self, row: Row) -> Iterator[Row]:
        """The messages of one row."""
        if "exchange" not in row and isinstance(row.get("start_line"), str):
            row |= self._exchange(row["start_line"])
        ends = self._ends(row)
        at = self.making.since(row["ts"]) if "ts" in row else None
        for part in self._parts(row):
            yield self.making.seen(part, at, *ends)

    def _exchange(self, start_line: str) -> Row:
        """The exchange of a half that has no number: of an answer the one request that waits, if it is one."""
        if not start_line.startswith("HTTP/"):
            self.numbered += 1
            self.asked.append(self.numbered)
            return {"exchange": self.numbered}
        return {"exchange": self.asked.pop()} if len(self.asked) == 1 else {}

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
        """The MCP server, which the first host is, or whoever else was spoken with: others issue tokens."""
        self.own = self.own or host or None
        if not host or host == self.own:
            return self.making.enter("server", "server", self.own)
        name = self.others.setdefault(host, "auth" if not self.others else f"auth{len(self.others) + 1}")
        return self.making.enter(name, "auth", host)

    def _parts(self, row: Row) -> Iterator[Row]:
        match row["direction"]:
            case "meta":
                yield from self._meta(row)
            case "server-stderr":
                yield {"kind": "stderr", "transport": "stdio", "text": str(row.get("raw") or "")}
            case _ if row.get("transport") == "stdio":
                yield from ({**part, "transport": "stdio"} for part in self._line_of_stdio(row))
            case _:
                yield from self._http(row)

    def _line_of_stdio(self, row: Row) -> list[Row]:
        """A mark can only stand at the beginning of a direction: behind other lines no JSON parser takes it."""
        begun = row["direction"] in self.lines
        reader = self.lines.setdefault(row["direction"], LineReader())
        if begun and _bytes(row).startswith(_BOM):
            return [*reader.feed(b"\n"), noise(_bytes(row), "not-json", "bom")]
        return reader.feed(_bytes(row) + b"\n")

    def _meta(self, row: Row) -> Iterator[Row]:
        """What befell the process or a stream."""
        event = row.get("event")
        body: Row = dict(_EVENTS.get(str(event), {}))
        if event == "spawn":
            body = {"event": "started", "argv": [str(part) for part in row.get("command") or ["?"]]}
        elif event in _ENDS:
            self.making.exit = _how(row.get("returncode"))
            body = {"event": "exited", **self.making.exit}
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
                fields = _fields(row.get("sse") or {})
                parts = read_message(_bytes(row)) or [{"kind": "http"}]
                sse = {"sse": fields} if fields else {}
                yield from ({**base, **part, "transport": "sse", **sse} for part in parts)
            case "sse-line":
                stream = self.streams.setdefault(row.get("exchange"), EventReader())
                for event in stream.feed(_bytes(row) + b"\n"):
                    yield from ({**base, **part, "transport": "sse"} for part in event_parts(event))
            case "http-response-head":
                opened = {"event": "stream-opened", "by": "server"}
                yield {**base, "kind": "http", "http": _half(row), "body": opened}
            case _:
                yield from ({**base, **part, "http": _half(row)} for part in body_parts(_bytes(row)))


def _fields(sse: Row) -> Row:
    """The fields of an event that have the form they should."""
    texts = {name: sse[name] for name in ("id", "event", "comment") if isinstance(sse.get(name), str)}
    return {**texts, "retry": sse["retry"]} if type(sse.get("retry")) is int else texts


def _half(row: Row) -> Row:
    """Method and address of a request, or the status of an answer, with the head as it was."""
    headers = pairs_of(row.get("headers"))
    first, _, rest = str(row.get("start_line") or "").partition(" ")
    if first.startswith("HTTP/"):
        code = rest.split(" ", 1)[0]
        return {"status": int(code) if code.isdecimal() and len(code) == 3 else 0, "headers": headers}
    target = rest.rsplit(" HTTP/", 1)[0]
    host = _host(row)
    return {"method": first, "url": f"http://{host}{target}" if target.startswith("/") else target, "headers": headers}


def _host(row: Row) -> str:
    target = str(row.get("start_line") or "").partition(" ")[2].rsplit(" HTTP/", 1)[0]
    try:
        named = urlsplit(target).netloc
    except ValueError:
        named = ""
    fields = [value for name, value in pairs_of(row.get("headers")) if name.lower() == "host"]
    return named or (fields[0] if fields else "")


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
