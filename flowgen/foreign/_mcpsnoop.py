"""Recordings of mcpsnoop: one line a message, with the server's label, the session, and over HTTP the connection."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ._lines import Line, objects
from ._making import Making
from ._parts import Row, logged, of_text, of_value, problem, stderr

_EXITED = re.compile(r"process exited with code (-?\d{1,9})")
_TRANSPORTS = {"stdio": "stdio", "sse": "sse", "http": "http", "streamable-http": "http"}


def read(found: Iterable[Line], making: Making) -> Iterator[Row]:
    """The messages, stderr, and what befell the process or the connection."""
    reader = _Reader(making)
    for number, row in objects(iter(found), making.name):
        if row is None:
            making.cut = True
        elif row.get("direction") not in ("c2s", "s2c", "stderr", "meta"):
            raise making.lacks(number, "direction", "c2s, s2c, stderr or meta")
        else:
            yield from reader.row(row)


class _Reader:
    """Remembers which connections there were: each has a client of its own."""

    def __init__(self, making: Making) -> None:
        self.making = making
        self.links: dict[str | None, dict[Any, str | None]] = {}

    def row(self, row: Row) -> Iterator[Row]:
        """The messages of a line."""
        client, server = self._ends(row)
        ends = (client, server) if row["direction"] == "c2s" else (server, client)
        at, transport = self.making.at(row.get("ts")), _TRANSPORTS.get(str(row.get("transport")))
        if transport in ("http", "sse") and "heads" not in self.making.missing:
            self.making.missing.append("heads")
        for part in self._parts(row):
            if part["kind"] == "note":
                yield self.making.seen(part, at, client, client)
            else:
                yield self.making.seen(part, at, *ends, transport=transport, http=_http(row))

    def _ends(self, row: Row) -> tuple[str, str]:
        label = row["server_label"] if isinstance(row.get("server_label"), str) else None
        links = self.links.setdefault(label, {})
        key = (str(row.get("session_id")), str(row.get("conn_id")))
        if row["direction"] in ("stderr", "meta") and key not in links:
            return self.making.pair(label)  # of the process, not of a connection to it
        return self.making.pair(label, links.setdefault(key, str(len(links) + 1) if links else None))

    def _parts(self, row: Row) -> list[Row]:
        text = row["text"] if isinstance(row.get("text"), str) else ""
        if row["direction"] == "stderr":
            return [stderr(text.encode("utf-8", "surrogatepass"))]
        if row["direction"] == "meta":
            return [self._event(text)]
        parts = of_value(row["raw"]) if row.get("raw") is not None else of_text(text)
        for part in parts:
            part["problems"] += [problem("batch", "Came in an array with others.")] if row.get("batch") is True else []
            part["problems"] += [problem("truncated")] if row.get("truncated") is True else []
        return parts

    def _event(self, text: str) -> Row:
        exited = _EXITED.fullmatch(text)
        if not exited:
            return logged("info", text)
        self.making.exit = {"exit_code": int(exited[1])}
        return {"kind": "process", "body": {"event": "exited", "exit_code": int(exited[1])}}


def _http(row: Row) -> Row | None:
    status = row.get("status")
    known = row["direction"] == "s2c" and isinstance(status, int) and not isinstance(status, bool)
    return {"status": status, "headers": []} if known else None
