"""A trace as bytes and as a file. Works on plain dicts, so that a recorder needs no pydantic to write."""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from flowgen.errors import TraceError

from ._json import write_readable

Document = dict[str, Any]


def document_bytes(document: Document) -> bytes:
    """One JSON document, a member a line and a message a line. Lone surrogates are written as escapes."""
    members = [write_readable(name) + b": " + _member(name, value) for name, value in document.items()]
    return b"{\n " + b",\n ".join(members) + b"\n}\n"


def lines(document: Document) -> Iterator[bytes]:
    """The same as JSON Lines: the header, a message a line, the outcome; each with its newline."""
    yield line({name: value for name, value in document.items() if name not in ("messages", "outcome")})
    for message in document.get("messages", ()):
        yield line(message)
    if "outcome" in document:
        yield line({"outcome": document["outcome"]})


def line(value: Any) -> bytes:
    """One line of JSON Lines."""
    return write_readable(value) + b"\n"


def save(document: Document, path: str) -> None:
    """Write to a file, readable by its owner only, whole or not at all; `-` is stdout; `.jsonl` is JSON Lines.

    Raises TraceError where the file cannot be written.
    """
    data = b"".join(lines(document)) if path.lower().endswith(".jsonl") else document_bytes(document)
    if path == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    keep((data,), path)


def keep(pieces: Iterable[bytes], path: str) -> None:
    """Write a file, readable by its owner only, whole or not at all. Raises TraceError where that fails."""
    try:
        _replace(Path(path), pieces)
    except OSError as problem:
        raise TraceError(
            f"{path}: cannot be written: {problem.strerror or problem}", "choose another place with -o FILE"
        ) from None


def _member(name: str, value: Any) -> bytes:
    if name != "messages" or not value:
        return write_readable(value)
    return b"[\n  " + b",\n  ".join(write_readable(message) for message in value) + b"\n ]"


def _replace(path: Path, pieces: Iterable[bytes]) -> None:
    if path.exists() and not path.is_file():  # a pipe or /dev/null is written to, not replaced
        with open(path, "wb") as file:
            file.writelines(pieces)
        return
    place = Path(os.path.realpath(path))  # a symbolic link stays one
    beside = place.with_name(f".{place.name}.{os.urandom(4).hex()}")
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.writelines(pieces)
        os.replace(beside, place)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
