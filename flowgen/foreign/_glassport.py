"""Recordings of glassport: a header, one line a frame, counts at the end. A line that its parser did not take stands
there as text, and may hold a message all the same.
"""

from collections.abc import Iterable, Iterator

from ._lines import Line, objects
from ._making import Making
from ._parts import Row, of_text, of_value

_TRANSPORTS = ("stdio", "http", "sse")


def read(found: Iterable[Line], making: Making) -> Iterator[Row]:
    """The messages, and what was none."""
    making.missing.append("stderr")
    transport = None
    client, server = making.pair()
    for number, row in objects(iter(found), making.name):
        if row is None:
            making.cut = True
        elif row.get("type") == "glassport.header":
            making.at(row.get("started_at"))
            transport = row.get("transport") if row.get("transport") in _TRANSPORTS else None
            making.missing += ["heads"] if transport in ("http", "sse") else []
        elif row.get("dir") in ("c2s", "s2c"):
            ends = (client, server) if row["dir"] == "c2s" else (server, client)
            at = making.at(row.get("ts"))
            yield from (making.seen(part, at, *ends, transport=transport) for part in _parts(row))
        elif not isinstance(row.get("type"), str):
            raise making.lacks(number, "dir", "c2s or s2c")


def _parts(row: Row) -> list[Row]:
    if row.get("frame") is not None:
        return of_value(row["frame"])
    return of_text(row["raw"]) if isinstance(row.get("raw"), str) else []
