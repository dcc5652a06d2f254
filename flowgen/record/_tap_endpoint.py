"""The `endpoint` event of HTTP+SSE (2024-11-05) names where requests go: where that is a whole address of the server,
clients refuse it, for it is not where they came from, or go past the tap. Only then it is led back to us.

Everything else of a stream is passed on as it is.
"""

import re

from ._tap_heads import Head

_LONGEST = 8192  # bytes of an event that may be one
_SIGNS = (b"event: endpoint", b"event:endpoint")
_BLANK = re.compile(rb"\n\r?\n")
_EVENT = re.compile(rb"event: ?endpoint\r?\ndata: ?([^\r\n]*)\r?\n\r?\n")


class Endpoint:
    """Looks at the first event of the answer to a GET. `origin` is the server's."""

    def __init__(self, asked: Head, head: Head, origin: str) -> None:
        media = (head.value("content-type") or "").partition(";")[0].strip().lower()
        plain = head.value("content-encoding") is None and head.value("content-length") is None
        self._looks = asked.words[0] == "GET" and media == "text/event-stream" and plain
        self._chunked = head.value("transfer-encoding") is not None
        self._theirs, self._ours = origin.encode(), b"http://" + (asked.value("host") or "").encode()
        self._reframes = False
        self._raw = self._content = b""

    def passed(self, raw: bytes, content: list[bytes]) -> bytes:
        """What goes on of these bytes; `content` is what they hold. The first event is held back until it is whole."""
        if self._reframes:
            return self._framed(b"".join(content))
        if not self._looks:
            return raw
        self._raw += raw
        self._content += b"".join(content)
        begun = any(sign.startswith(self._content[: len(sign)]) for sign in _SIGNS)
        if begun and not _BLANK.search(self._content) and len(self._content) < _LONGEST:
            return b""
        self._looks = False
        moved = self._moved(self._content)
        if moved is None:
            return self._let_go()
        self._reframes = True  # what follows may be the rest of a chunk whose size was told
        return self._framed(moved)

    def end(self, whole: bool) -> bytes:
        """What is to be said at the end of the stream."""
        if self._reframes:
            return b"0\r\n\r\n" if self._chunked and whole else b""
        return self._let_go()

    def _let_go(self) -> bytes:
        raw, self._raw = self._raw, b""
        return raw

    def _moved(self, content: bytes) -> bytes | None:
        """The content with our address in its first event; None where there is nothing to change."""
        event = _EVENT.match(content)
        address = event[1].strip() if event else b""
        if event is None or not (address + b"/").startswith((self._theirs + b"/", self._theirs + b"?")):
            return None
        return content[: event.start(1)] + self._ours + address[len(self._theirs) :] + content[event.end(1) :]

    def _framed(self, content: bytes) -> bytes:
        return b"%x\r\n%s\r\n" % (len(content), content) if self._chunked and content else content
