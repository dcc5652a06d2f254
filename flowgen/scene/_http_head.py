"""The head of an HTTP message: which lines of it a box shows, and how they are set.

`mcp` shows the fields that MCP and its authorization turn on, once: a field that stands with the same value in the
head of an earlier request between the same two is not repeated. `all` shows whole heads. A request without a body
always shows its request line, an answer its status line where it is not 200.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from flowgen.flow import Entry
from flowgen.trace import Http, Message

from ._clean import pieces
from ._json_fill import JsonLine, fill
from ._options import Headers
from ._text import columns

Heads = Mapping[int, "Head"]

_HANG = 4  # columns that a continued line stands further in
_MOST = 2000  # characters of a field
_FIELDS = frozenset({
    "authorization", "www-authenticate", "location", "last-event-id", "origin", "retry-after", "allow", "dpop",
})  # fmt: skip
_PREFIX = "mcp-"


class Head(NamedTuple):
    """What is shown of a head: the first line or None, and fields as (name, value, whether it is a key field)."""

    line: str | None
    fields: tuple[tuple[str, str, bool], ...]


def shown_heads(boxes: Iterable[Entry], mode: Headers) -> dict[int, Head]:
    """`seq` of a message -> what its box shows of its HTTP head."""
    seen: set[tuple[str, str, str, str]] = set()
    heads: dict[int, Head] = {}
    for entry in boxes if mode != "none" else ():
        http = entry.message.http
        if http is not None and (head := _head(entry, http, mode, seen)):
            heads[entry.message.seq] = head
    return heads


def _head(entry: Entry, http: Http, mode: Headers, seen: set[tuple[str, str, str, str]]) -> Head | None:
    noted = {note.path.removeprefix("header:").lower() for note in entry.notes if note.path.startswith("header:")}
    fields = tuple(
        (name, value, name.lower() in noted)
        for name, value in http.headers
        if mode == "all" or name.lower() in noted or (_matters(name) and _is_new(entry.message, name, value, seen))
    )
    line = _first_line(http)
    odd = http.status is not None and http.status != 200
    bare = entry.message.kind == "http" and http.status is None
    if not fields and not odd and not bare and mode != "all":
        return None
    return Head(line, fields)


def _matters(name: str) -> bool:
    return name.lower() in _FIELDS or name.lower().startswith(_PREFIX)


def _is_new(message: Message, name: str, value: str, seen: set[tuple[str, str, str, str]]) -> bool:
    """Whether a field is said for the first time between two participants."""
    key = (message.sender, message.receiver, name.lower(), value)
    new = key not in seen
    seen.add(key)
    return new


def _first_line(http: Http) -> str:
    if http.status is not None:
        return f"{http.status} {_phrase(http.status)}".strip()
    return f"{http.method or ''} {_target(http.url)}".strip()


def _phrase(status: int) -> str:
    from http import HTTPStatus

    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _target(url: str | None) -> str:
    """Path and query: the lane says whose address it is."""
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return url or ""
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def head_lines(head: Head | None, wide: int) -> tuple[JsonLine, ...]:
    """A head in lines of monospace columns."""
    if head is None:
        return ()
    lines = list(_lines([("hot", head.line)], wide)) if head.line else []
    for name, value, key_field in head.fields:
        rows = _lines([("key", name), ("punct", ": "), ("string", value[:_MOST])], wide)
        lines += [_underlaid(row) if key_field else row for row in rows]
    return tuple(lines)


def form_lines(message: Message, wide: int) -> tuple[JsonLine, ...] | None:
    """The fields of a form-encoded body, a line each; None for any other body."""
    if message.text is None or not is_form(message):
        return None
    pairs = parse_qsl(message.text.strip(), keep_blank_values=True, max_num_fields=200)
    rows = (_lines([("key", name), ("punct", ": "), ("string", value[:_MOST])], wide) for name, value in pairs)
    return tuple(line for lines in rows for line in lines) or None


def is_form(message: Message) -> bool:
    """Whether HTTP says that a body is form-encoded."""
    headers = message.http.headers if message.http else ()
    types = [value for name, value in headers if name.lower() == "content-type"]
    return any(value.lower().startswith("application/x-www-form-urlencoded") for value in types)


def _lines(parts: Sequence[tuple[str, str]], wide: int) -> Iterator[JsonLine]:
    cleaned = [
        ("hidden" if hidden else kind, part, columns(part)) for kind, text in parts for part, hidden in _on_a_line(text)
    ]
    return (JsonLine(tuple(row)) for row in fill(cleaned, 0, _HANG, wide))


def _on_a_line(text: str) -> Iterator[tuple[str, bool]]:
    """The cleaned text in parts; the end of a line, which a field cannot have, stands for itself."""
    for number, line in enumerate(text.split("\n")):
        if number:
            yield "U+000A", True
        yield from pieces(line)


def _underlaid(line: JsonLine) -> JsonLine:
    column, _, text = line.tokens[-1]
    start = line.tokens[0][0]
    return JsonLine(line.tokens, ((start, column + columns(text) - start),))
