"""HTTP/1.1 as a tap passes it on: heads byte by byte but for what must change, bodies told apart but not touched.

Source: RFC 9110 7.6 (what an intermediary forwards), RFC 9112 6 (where a body ends). Pure functions of bytes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_HEAD = 1 << 18  # bytes; more is no head
_END = re.compile(rb"\r?\n\r?\n")
_SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\n]*)?\r?\n")
_FROM_PROXY = re.compile(rb"^([A-Z]+) [A-Za-z]+://[^/ ]*/?")  # a whole address as target (RFC 9112 3.2.2)
_OWN = ("keep-alive", "close")  # connection options that hold on our connections as on theirs
_FOR_ONE_CONNECTION = (b"proxy-connection", b"te", b"upgrade", b"proxy-authorization", b"proxy-authenticate")


class NotHttp(ValueError):
    """Bytes that are no head of HTTP/1: says why."""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a request or an answer: its first line, and its field lines as they came."""

    first: bytes
    fields: tuple[bytes, ...]

    @property
    def words(self) -> list[str]:
        """The three parts of the first line: method, target, version; or version, status, phrase."""
        return [word.decode("latin-1") for word in self.first.split(b" ", 2)]

    @property
    def status(self) -> int:
        """The status of an answer."""
        return int(self.words[1])

    @property
    def pairs(self) -> list[list[str]]:
        """Names and values in order, case and repeats kept."""
        parted = (line.partition(b":") for line in self.fields)
        return [[_text(name), _text(value.strip())] for name, _, value in parted]

    def value(self, name: str) -> str | None:
        """All values under a name, joined as RFC 9110 5.3 says; None where there are none."""
        found = [value for own, value in self.pairs if own.lower() == name]
        return ", ".join(found) if found else None

    @property
    def stays(self) -> bool:
        """Whether the connection may be used again afterwards."""
        options = _options(self.value("connection"))
        if b"HTTP/1.0" in self.first:
            return "keep-alive" in options
        return "close" not in options

    def bytes(self) -> bytes:
        """As it goes over the wire."""
        return b"\r\n".join([self.first, *self.fields, b"", b""])


def head_in(data: bytes) -> tuple[Head, int] | None:
    """The head at the beginning of some bytes and its length; None while it is not whole. Raises NotHttp."""
    skipped = len(data) - len(data.lstrip(b"\r\n"))
    end = _END.search(data, skipped)
    if end is None:
        if len(data) > MAX_HEAD:
            raise NotHttp("the head is too long")
        return None
    lines = re.split(rb"\r?\n", data[skipped : end.start()])
    fields: list[bytes] = []
    for line in lines[1:]:
        if line[:1] in (b" ", b"\t") and fields:  # a folded line (RFC 9112 5.2)
            fields[-1] += b" " + line.strip()
        elif b":" in line:
            fields.append(line)
        else:
            raise NotHttp("a field without a colon")
    head = Head(lines[0], tuple(fields))
    if len(head.words) < 2 or not (head.words[0].startswith("HTTP/1.") or " HTTP/1." in lines[0].decode("latin-1")):
        raise NotHttp("this is no HTTP/1.1")
    if head.words[0].startswith("HTTP/1.") and not head.words[1].isdecimal():
        raise NotHttp("the status is no number")
    return head, end.end()


def passed_on(head: Head, host: str | None = None) -> Head:
    """The head for the other side: with its own host, and without what was meant for this connection alone."""
    named = [word for word in _options(head.value("connection")) if word not in _OWN]
    dropped = {*(word.encode("latin-1", "replace") for word in named), *_FOR_ONE_CONNECTION}
    kept = [line for line in head.fields if _name(line) not in dropped]
    if named:
        own = [word for word in _options(head.value("connection")) if word in _OWN]
        kept = [line for line in kept if _name(line) != b"connection"]
        kept += [b"Connection: " + ", ".join(own).encode()] if own else []
    if host is None:
        return Head(head.first, tuple(kept))
    return Head(_FROM_PROXY.sub(rb"\1 /", head.first), tuple(_with_host(kept, host.encode())))


class Body:
    """Where a body ends. Takes bytes as they come and tells which of them belong to it.

    `sort` is a length in bytes, `chunked`, or `open` for what ends with the connection. Raises NotHttp for a chunk
    without a size.
    """

    def __init__(self, sort: int | str) -> None:
        self._left = sort if isinstance(sort, int) else 0
        self._sort = sort
        self._state = "size"  # of a chunked body: size, data, behind, trailer
        self._held = b""
        self.done = sort == 0

    @property
    def ends_with_the_connection(self) -> bool:
        """Whether nothing else tells its end."""
        return self._sort == "open"

    def feed(self, data: bytes) -> tuple[int, list[bytes]]:
        """How many of these bytes belong to the body, and its content in them."""
        if self.done:
            return 0, []
        if self._sort == "open":
            return len(data), [data] if data else []
        if self._sort != "chunked":
            taken = data[: self._left]
            self._left -= len(taken)
            self.done = self._left == 0
            return len(taken), [taken] if taken else []
        before = len(self._held)
        data, self._held = self._held + data, b""
        content = []
        place = 0
        for place, piece in self._chunks(data):  # noqa: B007  # where it came to
            if piece:
                content.append(piece)
        self._held = b"" if self.done else data[place:]
        return (place - before if self.done else len(data) - before), content

    def _chunks(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Places reached, each with the content up to there."""
        place = 0
        while not self.done:
            step = self._step(data, place)
            if step is None:
                return
            place, piece = step
            yield place, piece

    def _step(self, data: bytes, place: int) -> tuple[int, bytes] | None:
        match self._state:
            case "data":
                return self._content(data, place)
            case "size":
                found = _SIZE.match(data, place)
                if found is None:
                    if b"\n" in data[place:] or len(data) - place > MAX_HEAD:
                        raise NotHttp("a chunk without its size")
                    return None
                self._left = int(found[1], 16)
                self._state = "data" if self._left else "trailer"
                return found.end(), b""
        return self._line(data, place)

    def _content(self, data: bytes, place: int) -> tuple[int, bytes] | None:
        if place == len(data):
            return None
        piece = data[place : place + self._left]
        self._left -= len(piece)
        self._state = "data" if self._left else "behind"
        return place + len(piece), piece

    def _line(self, data: bytes, place: int) -> tuple[int, bytes] | None:
        """The line end behind a chunk, or a line of the trailer, whose last one is empty."""
        end = data.find(b"\n", place)
        if end < 0:
            if len(data) - place > MAX_HEAD:
                raise NotHttp("the trailer is too long")
            return None
        if self._state == "behind":
            self._state = "size"
        elif not data[place:end].strip():
            self.done = True
        return end + 1, b""


def request_body(head: Head) -> Body:
    """The body of a request (RFC 9112 6.3). Raises NotHttp."""
    if head.value("transfer-encoding") is not None and head.value("content-length") is not None:
        raise NotHttp("two ways to tell where the body ends")  # what one server takes for a body, another does not
    if head.words[0] == "CONNECT":
        raise NotHttp("tunnels are not opened")
    sort = _sort_of(head)
    return Body(0 if sort == "open" else sort)


def answer_body(head: Head, method: str) -> Body:
    """The body of the answer to a request with this method. Raises NotHttp."""
    status = head.status
    if method == "HEAD" or status < 200 or status in (204, 304):
        return Body(0)
    return Body(_sort_of(head))


def _sort_of(head: Head) -> int | str:
    coding = head.value("transfer-encoding")
    if coding is not None:
        if coding.lower().split(",")[-1].strip() != "chunked":
            return "open"
        return "chunked"
    length = head.value("content-length")
    if length is None:
        return "open"
    values = {part.strip() for part in length.split(",")}
    if len(values) != 1 or not (value := values.pop()).isdecimal() or len(value) > 18:
        raise NotHttp("the length of the body is unclear")
    return int(value)


def _with_host(lines: list[bytes], host: bytes) -> list[bytes]:
    """The host in its place, once."""
    first = next((index for index, line in enumerate(lines) if _name(line) == b"host"), None)
    if first is None:
        return [b"Host: " + host, *lines]
    name = lines[first].partition(b":")[0]
    rest = [line for line in lines[first + 1 :] if _name(line) != b"host"]
    return [*lines[:first], name + b": " + host, *rest]


def _name(line: bytes) -> bytes:
    return line.partition(b":")[0].strip().lower()


def _options(value: str | None) -> list[str]:
    return [word.strip().lower() for word in (value or "").split(",") if word.strip()]


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")
