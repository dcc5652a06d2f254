"""Protocol exports of the MCP Inspector: a list of entries, the answer inside the entry of its request.

Who sent an entry may be missing; then only methods tell it that the protocol gives to one side.
"""

from collections.abc import Iterator
from typing import Any

from ._making import Making
from ._methods import sender_of
from ._parts import Row, of_value, problem

_MILLI = 1000


def read(document: Any, making: Making) -> Iterator[Row]:
    """The messages in the order of their times; an answer came as long after its request as the entry says."""
    if not isinstance(document, list):
        raise making.no("the file", "a list of entries")
    making.missing.append("stderr")
    rows = [row for at, entry in enumerate(document) for row in _entry(at, entry, making)]
    known = [row["at"] for row in rows if "at" in row]
    late = max(known, default=0.0)
    yield from sorted(rows, key=lambda row: row.get("at", late))


def _entry(at: int, entry: Any, making: Making) -> Iterator[Row]:
    if not isinstance(entry, dict) or "message" not in entry:
        raise making.no(f"{at}.message", "a JSON-RPC message")
    time = making.at(entry.get("timestamp"))
    ends = _ends(entry, making)
    asked = [making.seen(part, time, *ends) for part in of_value(entry["message"])]
    if isinstance(entry.get("clientError"), str) and asked:
        asked[-1]["problems"].append(problem("client-error", f"The client says: {entry['clientError']}"))
    yield from asked
    if entry.get("response") is not None:
        later = _later(time, entry.get("duration"))
        yield from (making.seen(part, later, *reversed(ends)) for part in of_value(entry["response"]))


def _ends(entry: Row, making: Making) -> tuple[str, str]:
    client, server = making.pair()
    origin = entry.get("origin")
    if origin not in ("client", "server"):
        message = entry["message"] if isinstance(entry["message"], dict) else {}
        origin = sender_of(message.get("method"))
        if origin is None and "directions" not in making.missing:
            making.missing.append("directions")
    return (server, client) if origin == "server" else (client, server)


def _later(time: float | None, millis: Any) -> float | None:
    known = time is not None and isinstance(millis, int | float) and not isinstance(millis, bool)
    return round(time + millis / _MILLI, 6) if known and time is not None else None
