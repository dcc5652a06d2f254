"""Protocol exports of the MCP Inspector: a list of entries, the answer inside the entry of its request.

Who sent an entry may be missing; then only methods tell it that the protocol gives to one side.
"""

from collections.abc import Iterator
from typing import Any

from ._making import Making, stamp_of
from ._methods import sender_of
from ._parts import Row, of_value, problem

_MILLI = 1000


def read(document: Any, making: Making) -> Iterator[Row]:
    """The messages in the order of their times; an answer came as long after its request as the entry says."""
    if not isinstance(document, list):
        raise making.no("the file", "a list of entries")
    making.missing.append("stderr")
    stamps = [stamp_of(entry.get("timestamp")) for entry in document if isinstance(entry, dict)]
    for start in sorted(stamp for stamp in stamps if stamp is not None)[:1]:  # the list may begin with the newest
        making.since(start)
    reader = _Reader(making)
    rows = [row for at, entry in enumerate(document) for row in reader.entry(at, entry)]
    known = [row["at"] for row in rows if "at" in row]
    late = max(known, default=0.0)
    yield from sorted(rows, key=lambda row: row.get("at", late))


class _Reader:
    """Remembers who asked for progress: the other side tells of it."""

    def __init__(self, making: Making) -> None:
        self.making = making
        self.tokens: dict[str, str] = {}

    def entry(self, at: int, entry: Any) -> Iterator[Row]:
        """The messages of an entry."""
        if not isinstance(entry, dict) or "message" not in entry:
            raise self.making.no(f"{at}.message", "a JSON-RPC message")
        time = self.making.at(entry.get("timestamp"))
        ends = self._ends(entry)
        asked = [self.making.seen(part, time, *ends) for part in of_value(entry["message"])]
        if isinstance(entry.get("clientError"), str) and asked:
            asked[-1]["problems"].append(problem("client-error", f"The client says: {entry['clientError']}"))
        yield from asked
        if entry.get("response") is not None:
            later = _later(time, entry.get("duration"))
            yield from (self.making.seen(part, later, *reversed(ends)) for part in of_value(entry["response"]))

    def _ends(self, entry: Row) -> tuple[str, str]:
        client, server = self.making.pair()
        message: Row = entry["message"] if isinstance(entry["message"], dict) else {}
        origin = entry.get("origin")
        if origin not in ("client", "server"):
            origin = sender_of(message.get("method")) or self._of_progress(message)
        if origin is None and "directions" not in self.making.missing:
            self.making.missing.append("directions")
        token = _token(message, "_meta", "progressToken")
        if token is not None:
            self.tokens[token] = "server" if origin != "server" else "client"
        return (server, client) if origin == "server" else (client, server)

    def _of_progress(self, message: Row) -> str | None:
        return self.tokens.get(_token(message, "progressToken") or "")


def _token(message: Row, *way: str) -> str | None:
    value: Any = message.get("params")
    for name in way:
        value = value.get(name) if isinstance(value, dict) else None
    return None if value is None else repr(value)


def _later(time: float | None, millis: Any) -> float | None:
    known = time is not None and isinstance(millis, int | float) and not isinstance(millis, bool)
    return round(time + millis / _MILLI, 6) if known and time is not None else None
