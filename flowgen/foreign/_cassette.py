"""Recordings of mcp-cassette: one document with the messages as values, times in milliseconds since its start."""

from collections.abc import Iterator
from typing import Any

from ._making import Making, stamp_of
from ._parts import Row, of_value

_MILLI = 1000


def read(document: Any, making: Making) -> Iterator[Row]:
    """The messages, and what was none."""
    if not isinstance(document, dict) or not isinstance(document.get("messages"), list):
        raise making.no("messages", "a list")
    making.missing.append("stderr")
    start, over = stamp_of(document.get("recorded_at")), document.get("transport")
    making.at(document.get("recorded_at"))
    if over != "stdio":
        making.missing.append("heads")
    making.url = document["server_url"] if isinstance(document.get("server_url"), str) else None
    ends = making.pair()
    for at, row in enumerate(document["messages"]):
        if not isinstance(row, dict) or row.get("sender") not in ("client", "server"):
            raise making.no(f"messages.{at}.sender", "client or server")
        yield from _messages(row, _at(row.get("t_offset_ms"), start, making), ends, over, making)


def _messages(row: Row, at: float | None, ends: tuple[str, str], over: Any, making: Making) -> Iterator[Row]:
    client, server = ends
    sides = (client, server) if row["sender"] == "client" else (server, client)
    exchange = row.get("exchange")
    number = exchange if isinstance(exchange, int) and not isinstance(exchange, bool) else None
    transport = "stdio" if over == "stdio" else "http" if over is not None else None
    for part in of_value(row.get("payload")):
        yield making.seen(part, at, *sides, transport=transport, exchange=number)


def _at(millis: Any, start: float | None, making: Making) -> float | None:
    if isinstance(millis, bool) or not isinstance(millis, int | float):
        return None
    return round(millis / _MILLI, 6) if start is None else making.since(start + millis / _MILLI)
