"""The messages of one stdio direction, from chunks of bytes: whatever the chunks, the same parts come out."""

from ._head import TAIL
from ._read import MAX_MESSAGE, Part, has, mark, spoken, unkept
from ._split import Split


class _Line:
    """A line in the making. Beyond the limit its bytes are counted and only the last ones kept."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.clear()

    def clear(self) -> None:
        self.size, self.tail = 0, b""
        self._pieces: list[bytes] = []

    def add(self, piece: bytes) -> None:
        if self.size <= self._limit:
            self._pieces.append(piece)
        else:
            self.tail = (self.tail + piece[-TAIL:])[-TAIL:]
        self.size += len(piece)

    @property
    def whole(self) -> bool:
        return self.size <= self._limit

    @property
    def front(self) -> bytes:
        return b"".join(self._pieces)


class LineReader:
    """Reads what one side writes to a pipe.

    Parts are dicts as `read_message` gives them. A line longer than `max_message` bytes costs no more memory
    than that.
    """

    def __init__(self, max_message: int = MAX_MESSAGE) -> None:
        self._line = _Line(max_message)
        self._split = Split(max_message)
        self._crlf = "unseen"

    @property
    def idle(self) -> bool:
        """Whether nothing is held back: the next line does not depend on what came before it."""
        return not self._line.size and not self._split.holds

    def feed(self, chunk: bytes) -> list[Part]:
        """The parts that this chunk completed."""
        *whole, rest = chunk.split(b"\n")
        parts = []
        for piece in whole:
            if piece or self._line.size or self._split.holds:  # empty lines are passed over, fast
                self._line.add(piece)
                parts += self._ended()
        self._line.add(rest)
        return parts

    def end(self) -> list[Part]:
        """The stream is over: what was still open, marked `unterminated` or `truncated`."""
        parts = self._ended(cut=True) if self._line.size else []
        if parts and spoken(parts[-1:]) and not has(parts[-1], "truncated"):
            mark(parts[-1], "unterminated")
        return parts + self._split.end()

    def _ended(self, cut: bool = False) -> list[Part]:
        line, front = self._line, self._line.front
        tail = (front[-TAIL:] + line.tail)[-TAIL:]
        if line.whole:
            parts = self._split.line(front, cut)
        else:
            codes = ["too-large", "truncated"] if cut and not tail.rstrip().endswith(b"}") else ["too-large"]
            parts = [*self._split.release(), unkept(front, line.size, tail, *codes)]
        self._note_crlf(tail.endswith(b"\r") and line.size > 1, parts)
        line.clear()
        return parts

    def _note_crlf(self, here: bool, parts: list[Part]) -> None:
        """The first CR LF is told on the first part that comes out with or after it."""
        if here and self._crlf == "unseen":
            self._crlf = "seen"
        if parts and self._crlf == "seen":
            self._crlf = "told"
            mark(parts[0], "crlf")
