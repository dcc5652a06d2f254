"""What the attributes of a span tell of the messages in it. A part that is not all of a body says so by `partial`."""

from typing import Any

from flowgen.wire import loose_key

from ._lines import value_of
from ._parts import Row, of_text

METHOD, ID = "mcp.method.name", "jsonrpc.request.id"
BODY, ANSWER = "flowgen.body", "flowgen.answer"  # written by ourselves: the whole of it,
ANSWER_SEQ = "flowgen.answer.seq"  # and the number of an answer
_ARGUMENTS, _RESULT = "gen_ai.tool.call.arguments", "gen_ai.tool.call.result"  # opt-in
# member of params -> attribute that tells it
_PARAMS = {
    "tools/call": {"name": "gen_ai.tool.name"},
    "prompts/get": {"name": "gen_ai.prompt.name"},
    "resources/read": {"uri": "mcp.resource.uri"},
    "resources/subscribe": {"uri": "mcp.resource.uri"},
    "resources/unsubscribe": {"uri": "mcp.resource.uri"},
    "notifications/resources/updated": {"uri": "mcp.resource.uri"},
}
_TOOL_ERROR = "tool_error"


def request_of(attributes: Row) -> Row:
    """The part of a request or notification."""
    own = _own(attributes.get(BODY))
    if own is not None:
        return own
    method = attributes[METHOD]
    params = {name: attributes[key] for name, key in _PARAMS.get(method, {}).items() if key in attributes}
    if method == "tools/call" and isinstance(arguments := _json(attributes.get(_ARGUMENTS)), dict):
        params["arguments"] = arguments
    body: Row = {"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})}
    if ID not in attributes:
        return {"kind": "notification", "body": body, "partial": True}
    return {"kind": "request", "body": {"jsonrpc": "2.0", "id": _id(attributes), **body}, "partial": True}


def has_answer(attributes: Row) -> bool:
    """Whether there was one: spans are told of when they are over, but our own may be of requests without any."""
    return ID in attributes and (BODY not in attributes or ANSWER_SEQ in attributes)


def answer_of(attributes: Row, status: Row) -> Row:
    """The part of an answer: an error where its code is told, else a result as far as it is known."""
    own = _own(attributes.get(ANSWER))
    if own is not None:
        return own
    envelope: Row = {"jsonrpc": "2.0", "id": _id(attributes)}
    code = _code(attributes)
    if code is not None:
        message = status.get("message")
        error = {"code": code, **({"message": message} if isinstance(message, str) else {})}
        return {"kind": "error", "body": {**envelope, "error": error}, "partial": True}
    if isinstance(result := _json(attributes.get(_RESULT)), dict):
        return {"kind": "response", "body": {**envelope, "result": result}, "partial": True}
    if attributes.get("error.type") == _TOOL_ERROR:
        return {"kind": "response", "body": {**envelope, "result": {"isError": True}}, "partial": True}
    return {"kind": "response", "head": {"id": envelope["id"]}}


def _own(text: Any) -> Row | None:
    parts = of_text(text) if isinstance(text, str) else []
    return parts[0] if len(parts) == 1 and parts[0]["kind"] != "noise" else None


def _id(attributes: Row) -> Any:
    """The id as the attribute has it: a text, whatever its type was."""
    id_ = attributes[ID]
    return id_ if loose_key(id_)[0] == "loose" else str(id_)


def _code(attributes: Row) -> int | None:
    """The code of a JSON-RPC error."""
    for name in ("rpc.response.status_code", "error.type", "rpc.jsonrpc.error_code"):
        text = str(attributes.get(name))
        if text.removeprefix("-").isdecimal() and text.isascii() and len(text) < 12:
            return int(text)
    return None


def _json(value: Any) -> Any:
    """A value, or the JSON text of one."""
    try:
        return value_of(value) if isinstance(value, str) else value
    except ValueError:
        return value
