"""Recordings from files and bytes, whatever wrote them."""

from pathlib import Path
from typing import TYPE_CHECKING

from flowgen.errors import TraceError

if TYPE_CHECKING:
    from flowgen.trace import Trace


def load(source: str | Path | bytes, name: str | None = None) -> "Trace":
    """Read a recording from a file's path or its bytes: ours in either layout, or a wire capture.

    `name` is what errors call it. Raises TraceError when it is none.
    """
    if isinstance(source, bytes):
        return _read(source, name or "trace")
    try:
        data = Path(source).read_bytes()
    except OSError as problem:
        raise TraceError(f"{source}: {problem.strerror or problem}", "give the path of a trace file") from None
    return _read(data, name or str(source))


def _read(data: bytes, name: str) -> "Trace":
    from flowgen import foreign
    from flowgen.trace import document_bytes
    from flowgen.trace import load as read

    imported = foreign.document(data)
    return read(data if imported is None else document_bytes(imported), name)
