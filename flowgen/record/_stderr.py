"""stderr as lines of text: free words of the server, kept as they are."""

import base64
from typing import Any

KEPT = 64 << 10  # bytes kept of a line longer than the limit


class StderrLines:
    """Cuts stderr into parts of kind `stderr`, one a line, without the line end."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pieces: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> list[dict[str, Any]]:
        """The lines that this chunk completed."""
        *whole, rest = chunk.split(b"\n")
        parts = []
        for piece in whole:
            self._add(piece)
            parts.append(self._part())
        self._add(rest)
        return parts

    def end(self) -> list[dict[str, Any]]:
        """What was written without a line end."""
        return [self._part()] if self._size else []

    def _add(self, piece: bytes) -> None:
        if self._size <= max(self._limit, KEPT):
            self._pieces.append(piece)
        self._size += len(piece)

    def _part(self) -> dict[str, Any]:
        data, size = b"".join(self._pieces), self._size
        self._pieces, self._size = [], 0
        if size <= self._limit:
            return _as_text(data.removesuffix(b"\r"))
        return {**_as_text(_cut(data)), "size": size}


def _cut(data: bytes) -> bytes:
    """The first bytes, without the half of a character at their end."""
    front = data[:KEPT]
    for cut in range(4):
        whole = front[: len(front) - cut]
        if _as_text(whole)["problems"] == []:
            return whole
    return front


def _as_text(data: bytes) -> dict[str, Any]:
    try:
        return {"kind": "stderr", "text": data.decode(), "problems": []}
    except UnicodeDecodeError:
        text = base64.b64encode(data).decode()
        problem = {"code": "invalid-utf8", "message": "The bytes are not UTF-8."}
        return {"kind": "stderr", "text": text, "encoding": "base64", "problems": [problem]}
