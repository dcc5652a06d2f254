"""JSON-RPC as it is met on the wire: what kind a value is, which ids are the same, how a message is framed.

Nothing is refused here: what breaks a rule is told as a problem code, and paired all the same.
"""

from typing import Any

from flowgen.trace import write_json

Key = tuple[str, Any]

_ASKING = {"id", "method", "params"}


def kind_of(body: Any) -> str | None:
    """`request`, `response`, `error` or `notification`; None for a value that is no JSON-RPC message.

    Without `"jsonrpc"` a value counts only where its members say it clearly: log lines have methods, too.
    """
    if not isinstance(body, dict):
        return None
    marked = "jsonrpc" in body
    if ("result" in body or "error" in body) and (marked or _is_bare_answer(body)):
        return "error" if body.get("error") is not None or "result" not in body else "response"
    if isinstance(body.get("method"), str) and (marked or body.keys() <= _ASKING):
        return "request" if "id" in body else "notification"
    return None


def faults_of(body: dict[str, Any], kind: str) -> list[str]:
    """Problem codes of a JSON-RPC message: `missing-jsonrpc`, `invalid-id`, `result-and-error`."""
    codes = []
    if body.get("jsonrpc") != "2.0":
        codes.append("missing-jsonrpc")
    if kind != "notification" and not _is_id(body.get("id")):
        codes.append("invalid-id")
    if kind in ("response", "error") and "result" in body and "error" in body:
        codes.append("result-and-error")
    return codes


def id_key(value: Any) -> Key:
    """Equal only for the same id of the same JSON type: `1`, `"1"`, `1.0` and `true` are four ids."""
    if isinstance(value, dict | list):
        return "json", write_json(value)
    return type(value).__name__, value


def loose_key(value: Any) -> Key:
    """Equal for ids that differ in their type only: `1`, `"1"` and `1.0` (problem `id-type-changed`)."""
    if isinstance(value, float) and value.is_integer():
        return "loose", str(int(value))
    if isinstance(value, int) and not isinstance(value, bool):
        return "loose", str(value)
    return ("loose", value) if isinstance(value, str) else id_key(value)


def frame(body: dict[str, Any]) -> bytes:
    """A message as one line with its newline, ready for stdin."""
    return write_json(body) + b"\n"


def _is_bare_answer(body: dict[str, Any]) -> bool:
    return "id" in body and ("result" in body or isinstance(body["error"], dict))


def _is_id(value: Any) -> bool:
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, str | int) and not isinstance(value, bool)
