"""The headers of a POST against its body (2026-07-28), who may call at all, and what a client takes as an answer.

Sources: the specification's page on Streamable HTTP, "Standard MCP Request Headers" and "Security Warning".
"""

import binascii
import re
from base64 import b64decode
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from ._eras import VERSION
from ._messages import Message

HEADER_MISMATCH = -32020

LOOPBACK = ("127.0.0.1", "localhost", "::1")

_NAMED = {
    "tools/call": "name", "prompts/get": "name", "resources/read": "uri",
    "tasks/get": "taskId", "tasks/update": "taskId", "tasks/cancel": "taskId",
}  # fmt: skip
_SENTINEL = re.compile(r"=\?base64\?(.*)\?=")
_OWN = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]+)?", re.IGNORECASE)
_PLAIN = re.compile(r"[\t\x20-\x7e]*")

Headers = dict[str, str]  # names in lower case; of what was sent twice, both values with a comma


def mismatch(headers: Headers, message: Message, schema: Any) -> str | None:
    """What the headers of a request miss or contradict; None if they agree. `schema` is the called tool's."""
    for name, expected in _expected(message, schema):
        sent = headers.get(name.lower())
        if expected is None:
            if sent is not None:
                return f"the header {name} is there, but the body has no such argument"
        elif sent is None:
            return f"the header {name} is missing"
        elif not _same(name, sent, expected):
            return f"the header {name} does not agree with the body"
    return None


def named_version(message: Any) -> Any:
    """The revision that a message's `_meta` names; None if it names none."""
    params = message.get("params") if isinstance(message, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta.get(VERSION) if isinstance(meta, dict) else None


def decoded(value: str) -> str | None:
    """A header's value as it was meant; None if it is no value that may be sent like this."""
    found = _SENTINEL.fullmatch(value)
    if not found:
        return value if _PLAIN.fullmatch(value) else None
    try:
        return b64decode(found[1], validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return None


def annotated(schema: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The header names that a tool's schema asks for, each with the path of its argument."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for key, part in properties.items() if isinstance(properties, dict) else ():
        if isinstance(part, dict) and isinstance(part.get("x-mcp-header"), str):
            yield part["x-mcp-header"], (*path, key)
        yield from annotated(part, (*path, key))


def accepts(accept: str, *kinds: str) -> bool:
    """Whether an Accept header takes all these media types."""
    ranges = {part.split(";")[0].strip().lower() for part in accept.split(",")}
    return all({kind, f"{kind.split('/')[0]}/*", "*/*"} & ranges for kind in kinds)


def is_loopback(host: str) -> bool:
    """Whether a Host header names this machine."""
    return _OWN.fullmatch(host) is not None


def is_own_origin(origin: str) -> bool:
    """Whether a page of this machine asks. A page from anywhere else may have been led here by its DNS."""
    scheme, _, host = origin.partition("://")
    return scheme in ("http", "https") and is_loopback(host)


def _expected(message: Message, schema: Any) -> Iterator[tuple[str, Any]]:
    """Each header with the value it should have; None if it should not be there."""
    version = named_version(message)
    if version is not None:
        yield "MCP-Protocol-Version", version
    method, params = message["method"], message.get("params")
    yield "Mcp-Method", method
    params = params if isinstance(params, dict) else {}
    if isinstance(params.get(_NAMED.get(method, "")), str):
        yield "Mcp-Name", params[_NAMED[method]]
    if method == "tools/call":
        for name, path in annotated(schema):
            yield f"Mcp-Param-{name}", _at(params.get("arguments"), path)


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _same(name: str, sent: str, expected: Any) -> bool:
    value = decoded(sent) if name.startswith(("Mcp-Name", "Mcp-Param-")) else sent
    match expected:
        case bool():
            return value == ("true" if expected else "false")
        case int() | float():
            return _number(value) == expected
    return bool(value == expected)


def _number(text: str | None) -> Decimal | None:
    return Decimal(text) if text and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text) else None
