"""Claude Desktop's logs: of one server (`TIME [NAME] [LEVEL] text`) and of all together, mcp.log (`TIME [LEVEL] [NAME]
text`). Messages stand after `Message from client:` or `Message from server:`.

In a server's own log whatever has no time before it is that server's stderr, also what looks like a message.
"""

import re
from collections.abc import Iterable, Iterator

from ._lines import Line
from ._making import Making
from ._parts import Row, logged, noise, of_text, stderr

_TIME = rb"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z) "
_LEVEL = rb"\[(debug|info|warn|warning|error)\]"
_OWN = re.compile(rb"(?s)" + _TIME + rb"\[(?P<name>.+?)\] " + _LEVEL + rb" (.*)")
_SHARED = re.compile(rb"(?s)" + _TIME + _LEVEL + rb" \[(?P<name>.+?)\] (.*)")
_MESSAGE = re.compile(rb"(?s)Message from (client|server): (.*)")
_METADATA = b" { metadata: "  # what some builds add behind the JSON


def read(found: Iterable[Line], making: Making) -> Iterator[Row]:
    """The messages of a server's own log, and what it wrote to stderr."""
    name, before = None, list[bytes]()  # what stands before the first line that names the server
    for line in found:
        entry = _OWN.match(line.data)
        if entry and name in (None, _text(entry["name"])):  # another name is what a server's own log looks like
            name = _text(entry["name"])
            yield from _stderr(making, name, before)
            yield _entry(making, name, making.at(_text(entry[1])), _text(entry[3]), entry[4], line)
        elif line.data.strip():
            before.append(line.data)
        if name is not None:
            yield from _stderr(making, name, before)
    yield from _stderr(making, name, before)


def read_shared(found: Iterable[Line], making: Making) -> Iterator[Row]:
    """The messages of mcp.log, of whichever server."""
    making.missing.append("stderr")
    name, level = None, "info"
    for line in found:
        entry = _SHARED.match(line.data)
        if entry:
            name, level = _text(entry["name"]), _text(entry[2])
            yield _entry(making, name, making.at(_text(entry[1])), level, entry[4], line)
        elif line.data.strip():
            client, _ = making.pair(name)
            yield making.seen(logged(level, _text(line.data)), None, client, client)


def _stderr(making: Making, name: str | None, held: list[bytes]) -> Iterator[Row]:
    """The lines that were held, which are so no longer."""
    client, server = making.pair(name)
    for data in held:
        yield making.seen(stderr(data), None, server, client, transport="stdio")
    held.clear()


def _entry(making: Making, name: str, at: float | None, level: str, text: bytes, line: Line) -> Row:
    client, server = making.pair(name)
    found = _MESSAGE.match(_without_metadata(text))
    if not found:
        return making.seen(logged(level, _text(_without_metadata(text))), at, client, client)
    ends = (client, server) if found[1] == b"client" else (server, client)
    return making.seen(_part(found[2], line, making), at, *ends, transport="stdio")


def _part(data: bytes, line: Line, making: Making) -> Row:
    """The one message of a line; of a last one that was cut off, what is left."""
    parts = of_text(data.decode("utf-8", "surrogateescape"))
    if len(parts) == 1 and (line.whole or parts[0]["kind"] != "noise"):
        return parts[0]
    making.cut = making.cut or not line.whole
    return noise(data, "not-json" if line.whole else "truncated")


def _without_metadata(text: bytes) -> bytes:
    """The text without what is added behind the JSON: in there such words would stand in quotes."""
    front, _, added = text.rpartition(_METADATA)
    return front if front and b'"' not in added and added.rstrip().endswith(b"}") else text


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
