"""Recordings from files and bytes, whatever wrote them."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from flowgen.errors import TraceError

if TYPE_CHECKING:
    from flowgen.trace import Trace


def load(source: str | Path | bytes | BinaryIO, name: str | None = None, *, fold: int | None = None) -> "Trace":
    """Read a recording from a file's path, an open file or bytes: ours in either layout, or a wire capture.

    `name` is what errors call it. With `fold` a long recording is abridged while it is read, for a picture that shows
    so many equals before it folds: then JSON Lines of any length need not fit into memory. Raises TraceError when it
    is none.
    """
    if isinstance(source, bytes):
        return _read(BytesIO(source), name or "trace", fold)
    if not isinstance(source, str | Path):
        return _read(source, name or "trace", fold)
    try:
        with open(source, "rb") as file:
            return _read(file, name or str(source), fold)
    except OSError as problem:
        raise TraceError(f"{source}: {problem.strerror or problem}", "give the path of a trace file") from None


def _read(file: BinaryIO, name: str, fold: int | None) -> "Trace":
    from flowgen import foreign
    from flowgen.trace import Reading, document_bytes

    head = file.read(foreign.HEAD)
    if foreign.fits(head):
        document = foreign.document(head + file.read()) or {}
        file, head = BytesIO(document_bytes(document)), b""
    reading = Reading(file, name, head)
    if fold is None:
        return reading.finished([message for batch in reading.batches() for message in batch])
    from flowgen.flow import abridged

    return reading.finished(abridged(reading.batches(), fold, "directions" in reading.missing))
