"""Sessions of mcpdump: a header with the command, then one line a message with its text as it was sent."""

from collections.abc import Iterable, Iterator
from pathlib import PurePath

from ._lines import Line, objects
from ._making import Making, stamp_of
from ._parts import Row, of_text

_MILLI = 1000


def read(found: Iterable[Line], making: Making) -> Iterator[Row]:
    """The messages, and what was none; `method` is only the tool's label for them."""
    making.missing.append("stderr")
    start, ends = None, making.pair()
    for number, row in objects(iter(found), making.name):
        if row is None:
            making.cut = True
        elif "format" in row:
            start, ends = stamp_of(row.get("at")), _begun(row, making)
        elif isinstance(row.get("line"), str):
            at = _at(row.get("atMs"), start, making)
            client, server = ends
            sides = (client, server) if row.get("direction") == "to_server" else (server, client)
            yield from (making.seen(part, at, *sides, transport="stdio") for part in of_text(row["line"]))
        else:
            raise making.lacks(number, "line", "a text")


def _begun(row: Row, making: Making) -> tuple[str, str]:
    """Who speaks: the server is called as the file or program that its command names last."""
    making.at(row.get("at"))
    argv = row.get("argv")
    if not isinstance(argv, list) or not argv or not all(isinstance(part, str) for part in argv):
        return making.pair()
    making.command = argv
    files = [part for part in argv if not part.startswith("-") and "=" not in part]
    return making.pair(PurePath((files or argv)[-1]).name or None)


def _at(millis: object, start: float | None, making: Making) -> float | None:
    if isinstance(millis, bool) or not isinstance(millis, int | float):
        return None
    return round(millis / _MILLI, 6) if start is None else making.since(start + millis / _MILLI)
