"""Server-sent events: bytes in as they come, whole events out, with everything that stood in them. Nothing raised.

Source: HTML Living Standard, server-sent events. A browser passes over comments, events without data and what was
not finished; whoever records does not.
"""

from dataclasses import dataclass

from ._head import TAIL
from ._read import KEPT, MAX_MESSAGE

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event. `data` is None where no data line stood; `comment` has its lines joined by newlines.

    `size` counts the bytes of data. Where `cut`, only the first of them are in `data` and the last in `tail`.
    `whole` is False for what the stream ended in.
    """

    data: bytes | None = None
    id: str | None = None
    event: str | None = None
    retry: int | None = None
    comment: str | None = None
    size: int = 0
    tail: bytes = b""
    whole: bool = True

    @property
    def cut(self) -> bool:
        """Whether not all of the data was kept."""
        return self.data is not None and self.size > len(self.data)

    @property
    def fields(self) -> dict[str, str | int]:
        """`id`, `event`, `retry`, `comment`, as far as they stood there."""
        named = {"id": self.id, "event": self.event, "retry": self.retry, "comment": self.comment}
        return {name: value for name, value in named.items() if value is not None}


class EventReader:
    """Cuts the body of a `text/event-stream` into events. Lines end with LF, CR LF or CR.

    An event with more than `max_data` bytes of data costs no more memory than that.
    """

    def __init__(self, max_data: int = MAX_MESSAGE) -> None:
        self._limit = max_data
        self._start = b""
        self._started = False
        self._after_cr = False
        self._line = _Kept(max_data)
        self._draft = _Draft(max_data)

    def feed(self, chunk: bytes) -> list[ServerEvent]:
        """The events that this chunk completed."""
        if not self._started:
            chunk = self._without_bom(chunk)
        if self._after_cr and chunk:
            chunk, self._after_cr = chunk.removeprefix(b"\n"), False
        self._after_cr = self._after_cr or chunk.endswith(b"\r")
        *lines, rest = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        events = []
        for piece in lines:
            self._line.add(piece)
            events += self._ended()
        self._line.add(rest)
        return events

    def end(self) -> list[ServerEvent]:
        """The stream is over: what it ended in, marked as not whole."""
        if not self._started:
            self._started = True
            self._line.add(self._start)
        if self._line.size:
            self._draft.take(self._line)
            self._line = _Kept(self._limit)
        return self._told(whole=False)

    def _without_bom(self, chunk: bytes) -> bytes:
        """Waits until it is clear whether a byte order mark stands at the beginning."""
        self._start += chunk
        if len(self._start) < len(_BOM) and _BOM.startswith(self._start):
            return b""
        self._started = True
        return self._start.removeprefix(_BOM)

    def _ended(self) -> list[ServerEvent]:
        if self._line.size:
            self._draft.take(self._line)
            self._line = _Kept(self._limit)
            return []
        return self._told(whole=True)

    def _told(self, whole: bool) -> list[ServerEvent]:
        draft, self._draft = self._draft, _Draft(self._limit) if self._draft.filled else self._draft
        return [draft.event(whole)] if draft.filled else []


class _Draft:
    """An event in the making."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._data: _Kept | None = None
        self._comments: list[bytes] = []
        self._room = KEPT
        self._kind: str | None = None
        self._id: str | None = None
        self._retry: int | None = None
        self.filled = False

    def take(self, line: "_Kept") -> None:
        """Takes a line that is not empty."""
        front, self.filled = line.front, True
        name, colon, value = front.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._add_data(value, line.size - len(front), line.tail)
        elif colon and not name:
            self._comments += [value[: self._room]] if self._room else []
            self._room = max(0, self._room - len(value) - 1)
        else:
            self._set(name, value[:KEPT].decode("utf-8", "replace"))

    def event(self, whole: bool) -> ServerEvent:
        """The event as far as it came."""
        data = self._data or _Kept(0)
        comment = b"\n".join(self._comments).decode("utf-8", "replace") if self._comments else None
        return ServerEvent(
            None if self._data is None else data.front, self._id, self._kind, self._retry, comment,
            data.size, data.last if data.cut else b"", whole,
        )  # fmt: skip

    def _add_data(self, value: bytes, more: int, tail: bytes) -> None:
        if self._data is None:
            self._data = _Kept(self._limit)
        else:
            self._data.add(b"\n")
        self._data.add(value, more, tail)

    def _set(self, name: bytes, text: str) -> None:
        if name == b"event":
            self._kind = text
        elif name == b"id" and "\0" not in text:
            self._id = text
        elif name == b"retry" and text.isascii() and text.isdigit() and len(text) <= 18:
            self._retry = int(text)


class _Kept:
    """Bytes in the making: the first of them up to a limit, the number of all, and the last ones."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pieces: list[bytes] = []
        self._held = 0
        self.size = 0
        self.tail = b""

    def add(self, piece: bytes, more: int = 0, tail: bytes = b"") -> None:
        """Adds a piece; `more` bytes stood behind it that were not kept, `tail` are the last of them."""
        room = self._limit - self._held if self.size == self._held else 0
        if room and piece:
            self._pieces.append(piece[:room])
            self._held += min(room, len(piece))
        self.size += len(piece) + more
        if self.cut:
            self.tail = (self.tail + piece[room:][-TAIL:] + tail)[-TAIL:]

    @property
    def cut(self) -> bool:
        return self.size > self._held

    @property
    def front(self) -> bytes:
        return b"".join(self._pieces)

    @property
    def last(self) -> bytes:
        """The last bytes, whether they were kept or not."""
        return (self.front[-TAIL:] + self.tail)[-TAIL:]
