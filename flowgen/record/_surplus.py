"""What free words may cost: so many lines are kept each by itself; of a flood beyond that the bytes are counted.

One message stands for all that is counted, with the first of it as text; the very last lines, which tell how it
ended, are kept by themselves again.
"""

from collections import deque
from collections.abc import Callable
from typing import Any

from ._pairs import Json, mark

LINES = 20_000  # of one stream, and at most so many bytes of them
BYTES = 16 << 20
LAST = 20
_KEPT = 64 << 10  # of a line that stands for others, or is one of the last


class Surplus:
    """The lines of one stream that are no messages."""

    def __init__(self, keep: Callable[[Json, float], Json]) -> None:
        self._keep = keep
        self._lines = self._bytes = 0
        self._last: deque[tuple[Json, float]] = deque()
        self._message: Json = {}
        self._more = 0

    def take(self, part: Json, at: float) -> None:
        """Keeps a line as long as that is affordable; beyond, it is held as one of the last."""
        if self._lines < LINES and self._bytes < BYTES:
            self._lines += 1
            self._bytes += _size(part)
            self._keep(part, at)
            return
        self._last.append((_cut(part), at))
        if len(self._last) > LAST:
            self._count(*self._last.popleft())

    def end(self) -> None:
        """Nothing more will come."""
        while self._last:
            self._keep(*self._last.popleft())
        if self._more:
            sentence = f"More than is kept line by line: {self._more} lines from here on are only counted in size."
            mark(self._message, "too-large", sentence)
            self._more = 0

    def _count(self, part: Json, at: float) -> None:
        if not self._message:
            self._message = self._keep({**part, "problems": list(part["problems"]), "size": 0}, at)
        self._message["size"] += _size(part)
        self._more += 1


def _size(part: Json) -> int:
    """Bytes, with the newline."""
    if "size" in part:
        return int(part["size"])
    text = part["text"]
    return 1 + (len(text) // 4 * 3 - text[-2:].count("=") if "encoding" in part else len(text.encode()))


def _cut(part: Json) -> dict[str, Any]:
    if len(part["text"]) <= _KEPT:
        return part
    return {**part, "text": part["text"][:_KEPT], "size": _size(part)}
