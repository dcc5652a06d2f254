"""JSON-RPC as the demo reads and writes it. A line that is none is refused with the code that JSON-RPC has for it."""

import json
import math
from typing import Any, Literal, NoReturn

Message = dict[str, Any]
Kind = Literal["request", "notification", "response"]

PARSE, INVALID, UNKNOWN_METHOD, PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603
NO_RESOURCE = -32002  # up to 2025-11-25
MISSING_CAPABILITY, UNSUPPORTED_VERSION = -32021, -32022  # 2026-07-28

BOM = b"\xef\xbb\xbf"


class Refusal(Exception):
    """A JSON-RPC error in the making."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


def parsed(line: bytes) -> Any:
    """The JSON value of a line. Only what JSON itself knows is taken: no NaN, no number beyond a double."""
    try:
        text = line.removeprefix(BOM).decode("utf-8")
        return json.loads(text, parse_constant=_no_constant, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise Refusal(PARSE, "Parse error") from error


def kind_of(value: Any) -> Kind:
    """What kind of message it is; refuses what is none."""
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise Refusal(INVALID, 'Invalid request: an object with "jsonrpc": "2.0" was expected')
    if "method" not in value:
        return _kind_of_answer(value)
    if not isinstance(value["method"], str):
        raise Refusal(INVALID, "Invalid request: method is no string")
    if "id" not in value:
        return "notification"
    if usable_id(value) is None:
        raise Refusal(INVALID, "Invalid request: an id is a string or an integer")
    return "request"


def usable_id(value: Any) -> str | int | None:
    """The id, if an answer can carry it."""
    found = value.get("id") if isinstance(value, dict) else None
    return found if isinstance(found, (str, int)) and not isinstance(found, bool) else None


def params_of(message: Message) -> dict[str, Any]:
    """The params, empty if there are none; refuses what is no object, or whose `_meta` is none."""
    params = message.get("params", {})
    for name, value in (("params", params), ("_meta", params.get("_meta", {}) if isinstance(params, dict) else {})):
        if not isinstance(value, dict):
            raise Refusal(PARAMS, f"Invalid params: {name} is no object")
    return dict(params)


def result(id: str | int | None, body: Message) -> Message:
    """An answer."""
    return {"jsonrpc": "2.0", "id": id, "result": body}


def error(id: str | int | None, refusal: Refusal) -> Message:
    """An error answer; JSON-RPC wants a null id where the request's could not be read."""
    body: Message = {"code": refusal.code, "message": str(refusal)}
    if refusal.data is not None:
        body["data"] = refusal.data
    return {"jsonrpc": "2.0", "id": id, "error": body}


def request(id: int, method: str, params: Message | None) -> Message:
    """A request of the server; without params where there are none."""
    return {"jsonrpc": "2.0", "id": id, "method": method, **({} if params is None else {"params": params})}


def notification(method: str, params: Message | None = None) -> Message:
    """A notification; without params where there are none."""
    return {"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})}


def line_of(message: Any) -> bytes:
    """One message as one line, compact, in UTF-8. Lone surrogates stay escaped: UTF-8 has no bytes for them."""
    try:
        return _dumped(message, ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return _dumped(message, ascii=True).encode("ascii")


def _dumped(message: Any, ascii: bool) -> str:
    return json.dumps(message, ensure_ascii=ascii, separators=(",", ":"), allow_nan=False) + "\n"


def _kind_of_answer(value: Message) -> Kind:
    if "result" in value or "error" in value:
        return "response"
    raise Refusal(INVALID, "Invalid request: neither method, result nor error")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is out of range")
    return value
