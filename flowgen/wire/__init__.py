"""Bytes to messages and back: newline framing, server-sent events, JSON that keeps what the wire can hold, JSON-RPC
kinds and ids, the headers that ride along over HTTP.
"""

from typing import TYPE_CHECKING, Any

from flowgen.trace import Json, TooDeep, read_json, write_json

from ._jsonrpc import Key, frame, id_key, kind_of, loose_key
from ._lines import Lines
from ._read import MAX_MESSAGE, read_document, read_message, unkept, unkept_document
from ._reader import LineReader

if TYPE_CHECKING:
    from ._events import EventReader, ServerEvent
    from ._http import (
        NAMED,
        PARAM,
        Headers,
        ParamHeaders,
        header_of,
        header_pairs,
        header_value,
        media_type,
        mirrored,
        param_headers,
        plain_value,
        routing_headers,
    )

__all__ = [
    "MAX_MESSAGE", "NAMED", "PARAM", "EventReader", "Headers", "Json", "Key", "LineReader", "Lines", "ParamHeaders",
    "ServerEvent", "TooDeep", "frame", "header_of", "header_pairs", "header_value", "id_key", "kind_of", "loose_key",
    "media_type", "mirrored", "param_headers", "plain_value", "read_document", "read_json", "read_message",
    "routing_headers", "unkept", "unkept_document", "write_json",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """What only HTTP needs is loaded when it is first asked for (PEP 562): stdio starts without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _events, _http

    return getattr(_events if hasattr(_events, name) else _http, name)
