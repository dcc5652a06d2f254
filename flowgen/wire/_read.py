"""One line or one body to recorded parts: dicts with the fields of a trace's message that bytes alone can tell.

Nothing is raised and nothing lost: what is no JSON-RPC is `noise` with its text, what a value cannot reproduce
keeps its `raw` bytes, and each oddity is a problem with its code.
"""

import base64
from collections.abc import Iterable, Iterator
from typing import Any

from flowgen.trace import Json, TooDeep, parse_at, read_json

from ._head import TAIL, head_of
from ._jsonrpc import faults_of, kind_of

Part = dict[str, Any]

MAX_MESSAGE = 8 << 20  # bytes; larger messages are kept by their beginning
KEPT = 64 << 10  # bytes of a message that is not kept whole
BOM = b"\xef\xbb\xbf"
BLANK = " \t\r\n"  # what may stand between JSON texts (RFC 8259 §2); other signs are somebody's words

_SENTENCES = {
    "batch": "Came in an array with others.",
    "bom": "Began with a byte order mark.",
    "crlf": "The line ended with CR LF.",
    "duplicate-key": "One name stands twice in an object; the last value counts.",
    "invalid-id": "The id is neither a string nor an integer.",
    "invalid-utf8": "The bytes are not UTF-8.",
    "lone-surrogate": "Holds half of a surrogate pair.",
    "missing-jsonrpc": 'Lacks "jsonrpc": "2.0".',
    "not-a-number": "NaN or Infinity, which JSON does not have, is read as null.",
    "not-json": "No JSON text.",
    "not-json-rpc": "JSON, but no request, notification or response.",
    "number-out-of-range": "A number too large to hold is read as null.",
    "result-and-error": "Has a result and an error.",
    "several-on-a-line": "Shares its line with other text.",
    "split-message": "One JSON text over several lines, put together here.",
    "too-deep": "Nested too deep to be read; the beginning is kept.",
    "too-large": "Too large to be kept whole; the beginning is kept.",
    "truncated": "Ended inside a JSON text.",
    "unterminated": "The last line had no newline.",
}


def read_message(data: bytes, max_message: int = MAX_MESSAGE) -> list[Part]:
    """The parts of one line or one HTTP body, a final newline aside; empty for no bytes.

    A part has `kind` and `problems`, then `body` (with `raw`, `raw_encoding` where needed) or `text`
    (with `encoding`), and `size`, `head` for a message that is not kept whole.
    """
    if data.endswith(b"\n"):
        data = data[:-1].removesuffix(b"\r")
    if len(data) > max_message:
        return [unkept(data, len(data), data[-TAIL:], "too-large")]
    return _whole(data) or _several(data) or ([noise(data, "not-json")] if data else [])


def read_document(data: bytes, max_message: int = MAX_MESSAGE) -> Part:
    """A body that carries no JSON-RPC, as a part of kind `http`: objects and lists as `body`, all else as `text`."""
    if not data:
        return {"kind": "http", "problems": []}
    if len(data) > max_message:
        return unkept_document(data, len(data))
    try:
        read = read_json(data.removeprefix(BOM))
    except ValueError:
        return noise(data) | {"kind": "http"}
    if not isinstance(read.value, dict | list):
        return noise(data) | {"kind": "http"}
    return _part_of(data, read, "http")


def unkept_document(front: bytes, size: int) -> Part:
    """A body that is not kept whole."""
    return noise(_cut(front)) | {"kind": "http"} | ({"size": size} if size > KEPT else {})


def spoken(parts: Iterable[Part]) -> bool:
    """Whether JSON-RPC is among the parts."""
    return any(part["kind"] != "noise" for part in parts)


def has(part: Part, code: str) -> bool:
    """Whether a part carries this problem."""
    return any(problem["code"] == code for problem in part["problems"])


def mark(part: Part, *codes: str) -> Part:
    """The same part with further problems, each code once."""
    part["problems"] += [{"code": code, "message": _SENTENCES[code]} for code in codes if not has(part, code)]
    return part


def noise(data: bytes, *codes: str) -> Part:
    """Bytes that are no JSON-RPC, as text."""
    text, encoding = _text(data)
    part = mark({"kind": "noise", "text": text, "problems": []}, *codes)
    if encoding:
        part["encoding"] = encoding
        mark(part, "invalid-utf8")
    return mark(part, "bom") if data.startswith(BOM) else part


def unkept(front: bytes, size: int, tail: bytes, *codes: str) -> Part:
    """A message of which only the beginning is kept: `front` is it or its beginning, `tail` its last bytes."""
    kind, head = head_of(front, tail)
    part = noise(_cut(front), *codes) | {"kind": kind}
    if size > KEPT:
        part["size"] = size
    return part | {"head": head} if head else part


def _whole(data: bytes) -> list[Part]:
    """The parts of bytes that are one JSON text; empty where they are not."""
    try:
        read = read_json(data.removeprefix(BOM))
    except TooDeep:
        return [unkept(data, len(data), data[-TAIL:], "too-deep")]
    except ValueError:
        return []
    if isinstance(read.value, list) and any(map(kind_of, read.value)):
        return [_marked_batch(element, data) for element in _elements(_escaped(data.removeprefix(BOM)))]
    return [_part(data, read)]


def _part(data: bytes, read: Json) -> Part:
    kind = kind_of(read.value)
    if kind is None:
        return noise(data, "not-json-rpc")
    return mark(_part_of(data, read, kind), *faults_of(read.value, kind))


def _part_of(data: bytes, read: Json, kind: str) -> Part:
    part: Part = {"kind": kind, "body": read.value, "problems": []}
    if not read.exact or data.startswith(BOM):
        part["raw"], encoding = _text(data)
        part |= {"raw_encoding": encoding} if encoding else {}
    return mark(part, *(["bom"] if data.startswith(BOM) else []), *read.codes)


def _marked_batch(element: bytes, data: bytes) -> Part:
    part = mark(_part(element, read_json(element)), "batch")
    return mark(part, "bom") if data.startswith(BOM) else part


def _elements(text: str) -> Iterator[bytes]:
    """The elements of an array, as they were written."""
    place = text.index("[") + 1
    while (place := _skipped(text, place, " \t\r\n,")) < len(text) and text[place] != "]":
        _, end = parse_at(text, place)
        yield _bytes(text[place:end])
        place = end


def _several(data: bytes) -> list[Part]:
    """Messages one after the other, and what follows them; empty unless the bytes begin with a message."""
    text = _escaped(data.removeprefix(BOM))
    pieces = list(_pieces(text))
    parts = [part for _, piece in pieces for part in _whole(piece)]
    if not parts:
        return []
    rest = _bytes(text[pieces[-1][0] :]).strip(BLANK.encode())
    parts += [noise(rest, "not-json")] if rest else []
    return [mark(part, "several-on-a-line", *(["bom"] if data.startswith(BOM) else [])) for part in parts]


def _pieces(text: str) -> Iterator[tuple[int, bytes]]:
    """Leading JSON-RPC messages of a text, each with the place behind it."""
    place = 0
    while True:
        place = _skipped(text, place, " \t\r\n")
        try:
            value, end = parse_at(text, place)
        except ValueError:
            return
        if kind_of(value) is None and not (isinstance(value, list) and any(map(kind_of, value))):
            return
        yield end, _bytes(text[place:end])
        place = end


def _skipped(text: str, place: int, signs: str) -> int:
    while place < len(text) and text[place] in signs:
        place += 1
    return place


def _escaped(data: bytes) -> str:
    """Text in which bytes that are not UTF-8 survive, so that slices of it are slices of the bytes."""
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _text(data: bytes) -> tuple[str, str | None]:
    try:
        return data.decode(), None
    except UnicodeDecodeError:
        return base64.b64encode(data).decode(), "base64"


def _cut(front: bytes) -> bytes:
    """The first KEPT bytes, but no half of a character."""
    if len(front) <= KEPT:
        return front
    end = KEPT
    while end > KEPT - 4 and front[end] & 0xC0 == 0x80:
        end -= 1
    return front[:end]
