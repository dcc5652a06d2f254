"""Bytes to messages and back: newline framing, JSON that keeps what the wire can hold, JSON-RPC kinds and ids."""

from flowgen.trace import Json, TooDeep, read_json, write_json

from ._jsonrpc import Key, frame, id_key, kind_of, loose_key
from ._lines import Lines
from ._read import MAX_MESSAGE, read_message
from ._reader import LineReader

__all__ = [
    "MAX_MESSAGE", "Json", "Key", "LineReader", "Lines", "TooDeep",
    "frame", "id_key", "kind_of", "loose_key", "read_json", "read_message", "write_json",
]  # fmt: skip
