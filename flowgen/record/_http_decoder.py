"""Compressed bodies: gzip and deflate in whatever pieces they come, without ever losing a byte of what is none."""

import zlib
from collections.abc import Iterator
from typing import Any

CHUNK = 65536


class Decoder:
    """Takes gzip and deflate away. What is not in the coding that it claims is given as it came."""

    def __init__(self, coding: str | None) -> None:
        self._coding = (coding or "").strip().lower()
        self._decoding = self._coding in ("gzip", "x-gzip", "deflate")
        self._inflate: Any = None
        self._begun = False  # content has come out
        self._before = b""  # what went in before that

    @property
    def cut(self) -> bool:
        """Whether the coding has begun and its end is missing."""
        return self._begun and self._decoding

    def feed(self, raw: bytes) -> Iterator[bytes]:
        """The content of some bytes, in pieces."""
        if self._decoding and self._inflate is None:
            raw, self._before = self._before + raw, b""
            if len(raw) < 2:
                self._before = raw
                return
            self._inflate = _inflater(self._coding, raw)
            self._decoding = self._inflate is not None
        if self._decoding:
            yield from self._inflated(raw)
        elif raw:
            yield raw

    def end(self) -> bytes:
        """What was held back until it was clear what it is."""
        return b"" if self._begun else self._before

    def _inflated(self, raw: bytes) -> Iterator[bytes]:
        self._before += b"" if self._begun else raw
        while True:
            try:
                piece: bytes = self._inflate.decompress(raw, CHUNK)
            except zlib.error:
                self._decoding = False
                yield raw if self._begun else self.end()
                return
            if piece:
                self._begun, self._before = True, b""
                yield piece
            raw = self._inflate.unconsumed_tail
            if self._inflate.eof:
                self._decoding, self._begun = False, True
                yield from filter(None, [self._inflate.unused_data])
                return
            if not raw and len(piece) < CHUNK:
                return


def _inflater(coding: str, start: bytes) -> Any:
    """A decoder by what the body begins with; None where it is no compression. Some servers leave zlib's frame out."""
    if start.startswith(b"\x1f\x8b"):
        return zlib.decompressobj(31)
    if start[0] & 0x0F == 8 and int.from_bytes(start[:2], "big") % 31 == 0:
        return zlib.decompressobj(15)
    return zlib.decompressobj(-15) if coding == "deflate" else None
