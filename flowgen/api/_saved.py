"""Recordings written to files, as `flowgen record` writes them."""

from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from ._kinds import recorded, writable

if TYPE_CHECKING:
    from flowgen.trace import Trace


def save(trace: "Trace", out: str | Path | BinaryIO) -> None:
    """Write a recording to a file, or to an open one: one JSON document, or JSON Lines where the name ends in `.jsonl`.

    The file is readable by its owner only, for a recording may hold what is private, and is written whole or not at
    all. Raises TraceError where it cannot be.

    >>> trace = flowgen.load("trace.json")
    >>> flowgen.save(trace, "copy.jsonl")
    >>> flowgen.load("copy.jsonl") == trace
    True
    """
    from flowgen.trace import document_bytes, save

    recorded(trace)
    writable(out)
    document = trace.model_dump(exclude_unset=True) | {"format": trace.format}
    if isinstance(out, str | Path):
        save(document, str(out))
    else:
        out.write(document_bytes(document))
