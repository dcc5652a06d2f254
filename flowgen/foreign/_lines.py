"""The lines of a file, one at a time: UTF-8 with whatever bytes it holds, or UTF-16 with its mark, as PowerShell's
`>` writes it. Of a JSON object on each line, the objects.
"""

import codecs
from collections.abc import Iterator
from json import JSONDecodeError
from typing import Any, BinaryIO, NamedTuple

from flowgen.errors import TraceError
from flowgen.trace import TooDeep, parse_at

_CHUNK = 1 << 20  # bytes read at once
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_LEAST = 4  # bytes that tell of a mark
_CUT = "the last line was cut off; take it away, or give the whole file"
_MEND = "mend or take away the line, or say with --from which format it is"


class Line(NamedTuple):
    """A line without its end. `whole`: it had one."""

    number: int
    data: bytes
    whole: bool


def lines(file: BinaryIO, head: bytes = b"") -> Iterator[Line]:
    """The lines of a file of which `head` was read already; nothing that only ends the last one."""
    number, parts = 1, list[bytes]()
    for chunk in _chunks(file, head):
        first, *others = chunk.split(b"\n")
        parts.append(first)
        for other in others:
            yield Line(number, b"".join(parts).removesuffix(b"\r"), True)
            number, parts = number + 1, [other]
    if any(parts):
        yield Line(number, b"".join(parts), False)


def plain(head: bytes) -> bytes:
    """The first bytes of a file as UTF-8 without a mark."""
    encoding = _UTF16.get(head[:2])
    if encoding is None:
        return head.removeprefix(codecs.BOM_UTF8)
    return head[2:].decode(encoding, "replace").encode("utf-8", "replace")


def objects(found: Iterator[Line], name: str) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """The object of each line with its number; None for a last line that was cut off inside.

    Raises TraceError for a line that is none.
    """
    for line in found:
        text = line.data.decode("utf-8", "surrogateescape")
        if not text.strip():
            continue
        try:
            yield line.number, _object(text)
        except JSONDecodeError as problem:
            if not line.whole:
                yield line.number, None
                return
            raise _no(name, line.number, f"column {problem.colno}: no JSON ({problem.msg})") from None
        except ValueError as problem:
            raise _no(name, line.number, str(problem)) from None


def value_of(text: str) -> Any:
    """The JSON value of a text. Raises JSONDecodeError, or ValueError for what nests too deep."""
    start = len(text) - len(text.lstrip())
    value, end = parse_at(text, start)
    if text[end:].strip():
        raise JSONDecodeError("Extra data", text, end)
    return value


def whole(found: Iterator[Line], name: str) -> Any:
    """The JSON value that all the lines are together. Raises TraceError."""
    data = b"\n".join(line.data for line in found)
    try:
        return value_of(data.decode("utf-8", "replace"))
    except TooDeep as problem:
        raise TraceError(f"{name}: {problem}", _MEND) from None
    except JSONDecodeError as problem:
        at_end = problem.pos >= len(data.rstrip())
        hint = "the file ends too early: record it again, or ask for the whole of it" if at_end else _MEND
        where = f"line {problem.lineno}, column {problem.colno}"
        raise TraceError(f"{name}: {where}: no JSON ({problem.msg})", hint) from None


def _object(text: str) -> dict[str, Any]:
    value = value_of(text)
    if not isinstance(value, dict):
        raise ValueError("expected an object")
    return value


def _no(name: str, number: int, what: str) -> TraceError:
    return TraceError(f"{name}: line {number}: {what}", _MEND)


def _chunks(file: BinaryIO, head: bytes) -> Iterator[bytes]:
    """The bytes as UTF-8, without a mark; other bytes stay as they are."""
    while len(head) < _LEAST and (more := file.read(_CHUNK)):
        head += more
    encoding = _UTF16.get(head[:2])
    if encoding is None:
        yield head.removeprefix(codecs.BOM_UTF8)
        while chunk := file.read(_CHUNK):
            yield chunk
        return
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    chunk = head[2:]
    while chunk:
        yield decoder.decode(chunk).encode("utf-8", "replace")
        chunk = file.read(_CHUNK)
