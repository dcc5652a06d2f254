"""Recordings from files and bytes, whatever wrote them."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from flowgen.errors import TraceError

from ._selected import Selected

if TYPE_CHECKING:
    from flowgen.foreign import Reading as ForeignReading
    from flowgen.trace import Reading, Trace


def load(
    source: str | Path | bytes | BinaryIO,
    name: str | None = None,
    *,
    fold: int | None = None,
    source_format: str | None = None,
    server: str | None = None,
) -> "Trace":
    """Read a recording from a file's path, an open file or bytes: ours in either layout, or another tool's.

    `name` is what errors call it. With `fold` a long recording is abridged while it is read, for a picture that shows
    so many equals before it folds: then lines of any length of file need not fit into memory. `source_format` is a
    name of `foreign.FORMATS` or `flowgen`, where the content does not tell. `server` takes the messages of one of
    several servers. Raises TraceError when it is none, UsageError for a format or a server that there is not.
    """
    if isinstance(source, bytes):
        return _read(BytesIO(source), name or "trace", fold, source_format, server)
    if not isinstance(source, str | Path):
        return _read(source, name or "trace", fold, source_format, server)
    try:
        with open(source, "rb") as file:
            return _read(file, name or str(source), fold, source_format, server)
    except OSError as problem:
        raise TraceError(f"{source}: {problem.strerror or problem}", "give the path of a trace file") from None


def reading_of(file: BinaryIO, name: str, source_format: str | None = None) -> "Reading | ForeignReading":
    """A recording on its way, ours or another tool's. Raises as `load`."""
    from flowgen import foreign
    from flowgen.trace import Reading

    head = file.read(foreign.HEAD)
    form = foreign.told(head, source_format)
    return Reading(file, name, head) if form is None else foreign.Reading(form, file, name, head)


def _read(
    file: BinaryIO, name: str, fold: int | None, source_format: str | None, server: str | None
) -> "Trace":
    reading = reading_of(file, name, source_format)
    found = reading if server is None else Selected(reading, server, name)
    if fold is None:
        return found.finished([message for batch in found.batches() for message in batch])
    from flowgen.flow import abridged

    return found.finished(abridged(found.batches(), fold, "directions" in reading.missing))
