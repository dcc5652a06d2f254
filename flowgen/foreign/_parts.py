"""What a recording holds of a message, as parts: its text, or the value that the other tool made of it.

A value tells less than the text did: nothing of its spacing, of `1.0` or of a name that stood twice.
"""

import base64
from typing import Any

from flowgen.wire import read_message, write_json

Row = dict[str, Any]

_SENTENCES = {
    "not-json": "No JSON text.",
    "not-json-rpc": "JSON, but no request, notification or response.",
    "bom": "Began with a byte order mark.",
    "truncated": "Ended inside a JSON text.",
    "invalid-utf8": "The bytes are not UTF-8.",
}


def of_text(text: str) -> list[Row]:
    """The parts of a text as it was sent."""
    try:
        return read_message(text.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:  # half a pair, which some tools write out of what they could not decode
        return read_message(text.encode("utf-8", "surrogatepass"))


def of_value(value: Any) -> list[Row]:
    """The parts of a value: a message, the messages of a batch, or what is none; a text is one that was no JSON."""
    return of_text(value) if isinstance(value, str) else read_message(write_json(value))


def noise(data: bytes, *codes: str) -> Row:
    """Bytes that came on the channel and are no message."""
    return {"kind": "noise", **text_of(data, codes)}


def stderr(data: bytes) -> Row:
    """A line that a server wrote to stderr."""
    return {"kind": "stderr", **text_of(data)}


def logged(level: str, text: str) -> Row:
    """What the host's own log says beside the messages."""
    return {"kind": "note", "body": {"event": "logged", "data": {"level": level, "text": text}}}


def text_of(data: bytes, codes: tuple[str, ...] = ()) -> Row:
    """`text` with its problems; base64 where the bytes are not UTF-8."""
    try:
        told: Row = {"text": data.decode()}
    except UnicodeDecodeError:
        told, codes = {"text": base64.b64encode(data).decode(), "encoding": "base64"}, (*codes, "invalid-utf8")
    return {**told, "problems": [problem(code) for code in codes]}


def problem(code: str, sentence: str | None = None) -> Row:
    """A problem with its sentence."""
    return {"code": code, "message": sentence or _SENTENCES[code]}
