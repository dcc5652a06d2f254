"""HTTP halves as parts, the same for every format that holds them: bodies with JSON-RPC, other bodies, none."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from flowgen.wire import EventReader, ServerEvent, read_document, read_message

from ._parts import Row


def body_parts(data: bytes) -> list[Row]:
    """The messages of a body; what holds none is one part of kind `http`."""
    parts = read_message(data)
    return parts if any(part["kind"] != "noise" for part in parts) else [read_document(data)]


def event_parts(event: ServerEvent) -> list[Row]:
    """The messages of an event of a stream; one without data is told all the same."""
    fields = {"sse": event.fields} if event.fields else {}
    parts = read_message(event.data or b"") or [{"kind": "http"}]
    return [{**part, **fields} for part in parts]


def events_of(data: bytes) -> list[ServerEvent]:
    """The events of a whole stream."""
    reader = EventReader()
    return [*reader.feed(data), *reader.end()]


def pairs_of(headers: Any) -> list[list[str]]:
    """Header fields that are pairs of a name and a value."""
    pairs: Iterable[Any] = headers if isinstance(headers, list) else ()
    return [[str(part) for part in pair] for pair in pairs if isinstance(pair, list) and len(pair) == 2]


def host_of(url: str) -> str:
    """Host and port of an address; empty where it has none."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:
        return ""
