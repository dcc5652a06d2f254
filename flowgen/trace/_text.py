"""The text of a file, decoded while it is read: UTF-8, or UTF-16 with its mark, as PowerShell's `>` writes it."""

import codecs
from collections.abc import Iterator
from typing import BinaryIO

from flowgen.errors import TraceError

from ._faults import HINT

_CHUNK = 1 << 20  # bytes read at once
_MARK = 3  # bytes that a mark has at most
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


class Text:
    """What a file holds, once from its beginning to its end: a line, the lines that are left, or all of it."""

    def __init__(self, file: BinaryIO, name: str, head: bytes = b"") -> None:
        self._chunks = _decoded(file, name, head)
        self._held = ""
        self._ended = False  # with the chunk that is held

    def line(self) -> str:
        """The next line without its newline; empty at the end, too."""
        parts = []
        while "\n" not in self._held and not self._ended:
            parts.append(self._held)
            self._held = self._next()
        line, _, self._held = self._held.partition("\n")
        return "".join([*parts, line])

    def lines(self) -> Iterator[str]:
        """What is left, line by line. The last one is what stands behind the last newline, if only nothing."""
        parts = []
        while True:
            line, *others = self._held.split("\n")
            parts.append(line)
            if others:
                yield "".join(parts)
                yield from others[:-1]
                parts = others[-1:]
            if self._ended:
                break
            self._held = self._next()
        yield "".join(parts)

    def _next(self) -> str:
        chunk = next(self._chunks, None)
        self._ended = chunk is None
        return chunk or ""


def _decoded(file: BinaryIO, name: str, head: bytes) -> Iterator[str]:
    """The text in pieces. Half a character at the end is what a cut leaves, and no fault."""
    chunk = head
    while len(chunk) <= _MARK and (more := file.read(_CHUNK)):
        chunk += more
    bom, encoding = next(((bom, code) for bom, code in _BOMS if chunk.startswith(bom)), (b"", "utf-8"))
    decoder = codecs.getincrementaldecoder(encoding)("strict" if encoding == "utf-8" else "surrogatepass")
    chunk, before = chunk[len(bom) :], len(bom)
    while chunk:
        begun = len(decoder.getstate()[0])  # bytes of a character that the last chunk ended in
        try:
            text = decoder.decode(chunk)
        except UnicodeDecodeError as problem:
            at = before - begun + problem.start
            raise TraceError(f"{name}: byte {at} is not {encoding.upper()}", HINT) from None
        yield text
        before += len(chunk)
        chunk = file.read(_CHUNK)
