"""VS Code's output of an MCP server: `TIME [LEVEL] [editor -> server] JSON`, at any level, or as early in 2025
`[Client Says]`. Times are those of the machine, without a zone; levels may be in the user's language.

What the server wrote to stderr, or to stdout beside its messages, stands there too and is no message, even if it could
be one.
"""

import re
from collections.abc import Iterable, Iterator

from ._lines import Line, value_of
from ._making import Making
from ._parts import Row, logged, noise, of_text, stderr

_ENTRY = re.compile(rb"(?s)(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) \[([^\]]+)\] (.*)")
_SAID = re.compile(rb"(?s)\[(editor -> server|server -> editor|Client Says|Server Says|server stderr)\] ?(.*)")
_TO_SERVER = (b"editor -> server", b"Client Says")
_UNREAD = b"Failed to parse message: "
_OF_A_PROCESS = (_UNREAD, b"[server stderr]", b"Server command line: ")
_NAMED = re.compile(r"Starting server (.+)")


def read(found: Iterable[Line], making: Making) -> Iterator[Row]:
    """The messages, stderr, what was no JSON, and the editor's own words."""
    reader = _Reader(making)
    for line in found:
        yield from reader.line(line)


class _Reader:
    """Remembers whose log it is, and what a line without a time goes on with."""

    def __init__(self, making: Making) -> None:
        self.making = making
        self.ends = making.pair()
        self.transport: str | None = None  # stdio, once something shows that there is a process
        self.told = False  # whether anything was said under the ends
        self.before = ("info", False)  # the level of the entry before, and whether it was stderr

    def line(self, line: Line) -> Iterator[Row]:
        """The messages of a line."""
        entry = _ENTRY.match(line.data)
        if entry:
            yield from self._entry(self.making.at(_text(entry[1])), _text(entry[2]), entry[3], line.whole)
        elif line.data.strip():
            level, is_stderr = self.before
            yield self._stderr(line.data, None) if is_stderr else self._logged(level, line.data, None)

    def _entry(self, at: float | None, level: str, text: bytes, whole: bool) -> Iterator[Row]:
        said = _SAID.match(text)
        if text.startswith(_OF_A_PROCESS):
            self.transport = "stdio"
        self.before = (level, said is not None and said[1] == b"server stderr")
        if text.startswith(_UNREAD):
            yield self._seen(noise(_unquoted(text.removeprefix(_UNREAD)), "not-json"), at, from_server=True)
        elif said is None:
            self._learn(_text(text))
            yield self._logged(level, text, at)
        elif said[1] == b"server stderr":
            yield self._stderr(said[2], at)
        else:
            for part in self._parts(said[2], whole):
                yield self._seen(part, at, from_server=said[1] not in _TO_SERVER)

    def _parts(self, data: bytes, whole: bool) -> list[Row]:
        parts = of_text(data.decode("utf-8", "surrogateescape"))
        if whole or any(part["kind"] != "noise" for part in parts):
            return parts
        self.making.cut = True
        return [noise(data, "truncated")]

    def _learn(self, text: str) -> None:
        """The server's name stands in the line before all others, and again when it is started anew."""
        named = _NAMED.fullmatch(text)
        if named and not self.told:
            self.ends = self.making.pair(named[1].strip())

    def _seen(self, part: Row, at: float | None, from_server: bool) -> Row:
        client, server = self.ends
        self.told = True
        ends = (server, client) if from_server else (client, server)
        return self.making.seen(part, at, *ends, transport=self.transport)

    def _stderr(self, data: bytes, at: float | None) -> Row:
        return self._seen(stderr(data), at, from_server=True)

    def _logged(self, level: str, data: bytes, at: float | None) -> Row:
        client, _ = self.ends
        return self.making.seen(logged(level, _text(data)), at, client, client)


def _unquoted(data: bytes) -> bytes:
    """What was no JSON: the log quotes it as a JSON string."""
    try:
        value = value_of(_text(data))
    except ValueError:
        return data
    return value.removesuffix("\n").encode("utf-8", "surrogatepass") if isinstance(value, str) else data


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
