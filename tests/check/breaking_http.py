"""How the rules of Streamable HTTP are broken."""

from copy import deepcopy
from typing import Any

from tests.check.tape import Json, Tape
from tests.check.violations import breaks

SESSION = "Mcp-Session-Id"
VERSION = "MCP-Protocol-Version"

# heads


@breaks("http")
def http_accept(tape: Tape) -> None:
    put(tape.request("resources/list"), "Accept", "application/json")


@breaks("http", "http-header-mismatch-accepted")
def http_version_header(tape: Tape) -> None:
    put(tape.request("resources/list"), VERSION, "2025-11-25")


@breaks("http", "http-header-mismatch-accepted")
def http_method_header(tape: Tape) -> None:
    put(tape.request("tools/call"), "Mcp-Method", "tools/list")


@breaks("http", "http-header-mismatch-accepted")
def http_name_header(tape: Tape) -> None:
    put(tape.request("resources/read"), "Mcp-Name", "weather://tides")


@breaks("http", "http-header-mismatch-accepted")
def http_param_header(tape: Tape) -> None:
    put(tape.request("tools/call"), "Mcp-Param-Harbour", None)


@breaks("http")
def http_header_encoding(tape: Tape) -> None:
    put(tape.request("tools/call"), "Mcp-Param-Harbour", "Zürich")


@breaks("http", "http-name-header")
def http_header_mismatch_accepted(tape: Tape) -> None:
    put(tape.request("tools/call", 1), "Mcp-Name", "weather_now")


@breaks("http")
def http_status_mismatch(tape: Tape) -> None:
    tape.turn_into_error(tape.answer("resources/list"), -32021, requiredCapabilities={"roots": {}})


@breaks("http-flows")
def http_notification_status(tape: Tape) -> None:
    told = tape.told("notifications/example/sail_ho")
    of_exchange(tape, told)[1]["http"]["status"] = 200


# the stateless era


@breaks("http")
def http_get_or_delete(tape: Tape) -> None:
    tape.after(tape.answer("resources/list"), *get(tape, tape.request("resources/list"), 405))


@breaks("http")
def http_session_id(tape: Tape) -> None:
    put(tape.answer("server/discover"), SESSION, "•••")


@breaks("http")
def http_sse_event_id(tape: Tape) -> None:
    tape.told("notifications/progress")["sse"]["id"] = "7"


@breaks("http", "progress-after-end")
def http_stream_open(tape: Tape) -> None:
    more = deepcopy(tape.told("notifications/progress", 2))
    more["body"]["params"]["progress"] = 8
    tape.after(tape.answer("tools/call", 1), more)


@breaks("http")
def http_stream_foreign(tape: Tape) -> None:
    progress, ask = tape.told("notifications/progress"), tape.request("tools/call")
    ask["body"]["params"]["_meta"]["progressToken"] = "of another"
    answer = tape.answer("tools/call")
    tape.drop(answer)
    tape.after(tape.told("notifications/progress", 2), answer)
    progress["body"]["params"]["progressToken"] = "of another"


# the handshake era


@breaks("legacy-http-session")
def http_session_missing(tape: Tape) -> None:
    put(tape.request("tools/call"), SESSION, None)


@breaks("legacy-http-session")
def http_session_syntax(tape: Tape) -> None:
    put(tape.answer("initialize"), SESSION, "a b")
    for message in tape.messages:
        message.get("fingerprints", {}).pop("/http/headers/mcp-session-id", None)


@breaks("legacy-http-session")
def http_session_expired(tape: Tape) -> None:
    answer = tape.answer("tools/call")
    answer["http"]["status"] = 404
    tape.turn_into_error(answer, -32600, "Session not found")


@breaks("legacy-http-session")
def http_session_not_deleted(tape: Tape) -> None:
    tape.drop(*of_exchange(tape, method(tape, "DELETE")))


@breaks("legacy-http-session")
def http_version_header_legacy(tape: Tape) -> None:
    put(tape.request("tools/call"), VERSION, None)


@breaks("legacy-http-session")
def http_response_on_get(tape: Tape) -> None:
    answer = tape.answer("tools/call")
    answer |= {"exchange": method(tape, "GET")["exchange"], "transport": "sse", "sse": {"id": "0-9"}}
    del answer["http"]


@breaks("legacy-http-session", "request-id-pending")
def http_message_twice(tape: Tape) -> None:
    ask = tape.request("roots/list")
    again = {**deepcopy(ask), "exchange": tape.request("tools/call", 1)["exchange"], "sse": {"id": "3-9"}}
    tape.after(ask, again)


@breaks("legacy-http-session")
def http_event_id_duplicate(tape: Tape) -> None:
    tape.told("notifications/progress", 1)["sse"]["id"] = tape.told("notifications/progress")["sse"]["id"]


def put(message: Json, name: str, value: str | None) -> None:
    """Gives a message another value of a header, or none."""
    headers = message["http"]["headers"]
    headers[:] = [pair for pair in headers if pair[0].lower() != name.lower()]
    headers += [] if value is None else [[name, value]]


def method(tape: Tape, name: str) -> Json:
    """The first request with an HTTP method."""
    return next(each for each in tape.messages if (each.get("http") or {}).get("method") == name)


def of_exchange(tape: Tape, message: Json) -> list[Json]:
    """All that belongs to the exchange of a message."""
    return [each for each in tape.messages if each.get("exchange") == message["exchange"]]


def get(tape: Tape, like: Json, status: int) -> tuple[Json, Json]:
    """A GET at the endpoint of a request, and its answer."""
    number = 1 + max(each.get("exchange") or 0 for each in tape.messages)
    kept = {"kind": "http", "transport": "http", "revision": like.get("revision"), "exchange": number, "problems": []}
    ask: dict[str, Any] = {**kept, "sender": "client", "receiver": "server", "http": deepcopy(like["http"])}
    ask["http"]["method"] = "GET"
    answer = {**kept, "sender": "server", "receiver": "client", "http": {"status": status, "headers": []}}
    return ask, answer
