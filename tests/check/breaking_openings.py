"""How the rules of the frame, of methods, of the handshake and of `_meta` are broken."""

from tests.check.tape import Tape
from tests.check.violations import breaks

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"

# frame


@breaks("seed")
def jsonrpc_version(tape: Tape) -> None:
    del tape.request("tools/call")["body"]["jsonrpc"]


@breaks("seed")
def schema_mismatch(tape: Tape) -> None:
    del tape.params("tools/call")["name"]


@breaks("seed")
def request_id_invalid(tape: Tape) -> None:
    tape.answer("tools/call")["body"]["id"] = 1.5
    tape.request("tools/call")["body"]["id"] = 1.5


@breaks("sdk-stateless")
def request_id_pending(tape: Tape) -> None:
    answer, other = tape.answer("tools/list"), tape.answer("resources/list")
    tape.request("resources/list")["body"]["id"] = other["body"]["id"] = answer["body"]["id"]
    tape.drop(answer)
    tape.after(tape.request("resources/list"), answer)


@breaks("seed")
def request_id_reused(tape: Tape) -> None:
    first, answer = tape.request("tools/list"), tape.answer("tools/call")
    tape.request("tools/call")["body"]["id"] = answer["body"]["id"] = first["body"]["id"]


@breaks("seed")
def response_unmatched(tape: Tape) -> None:
    tape.after(tape.answer("tools/call"), tape.reply({**tape.request("tools/call"), "body": {"id": 99}}, tools=[]))


@breaks("seed")
def response_id_type(tape: Tape) -> None:
    tape.answer("tools/call")["body"]["id"] = str(tape.answer("tools/call")["body"]["id"])


@breaks("seed")
def response_duplicate(tape: Tape) -> None:
    answer = tape.answer("tools/call")
    tape.after(answer, {**answer})


@breaks("seed")
def response_missing(tape: Tape) -> None:
    tape.drop(tape.answer("tools/call"))


@breaks("seed")
def response_shape(tape: Tape) -> None:
    tape.turn_into_error(tape.answer("tools/call"), "E1")  # type: ignore[arg-type]


@breaks("seed")
def notification_has_id(tape: Tape) -> None:
    told = tape.told("notifications/tools/list_changed")
    told["body"]["id"] = 5
    told["kind"] = "request"
    tape.after(told, tape.reply(told))


@breaks("seed")
def notification_answered(tape: Tape) -> None:
    told = tape.told("notifications/initialized")
    tape.after(told, tape.reply({**told, "sender": "client", "body": {"id": None}}))


@breaks("seed")
def batch_not_allowed(tape: Tape) -> None:
    tape.request("tools/call")["problems"] = [{"code": "batch", "message": "came in an array"}]


@breaks("seed")
def batch_initialize(tape: Tape) -> None:
    _as_revision(tape, "2025-03-26")
    tape.request("initialize")["problems"] = [{"code": "batch", "message": "came in an array"}]


@breaks("sdk-stateless")
def error_code_reserved(tape: Tape) -> None:
    tape.turn_into_error(tape.answer("resources/list"), -32050)


@breaks("resources-flow")
def error_code_retired(tape: Tape) -> None:
    tape.turn_into_error(tape.answer("resources/read"), -32002, "Resource not found")


@breaks("sdk-stateless")
def error_code_legacy_range(tape: Tape) -> None:
    tape.turn_into_error(tape.answer("resources/list"), -32001)


# methods


@breaks("sdk-stateless")
def method_not_in_revision(tape: Tape) -> None:
    ask = tape.ask("ping", 70)
    tape.after(tape.answer("tools/list"), ask, tape.fail(ask, -32601))


@breaks("seed")
def wrong_direction(tape: Tape) -> None:
    ask = tape.ask("tools/list", 70, side="server")
    tape.after(tape.answer("tools/call"), ask, tape.fail(ask, -32601))


@breaks("sdk-stateless")
def server_sends_request(tape: Tape) -> None:
    tape.after(tape.request("tools/call"), tape.ask("roots/list", 0, side="server"))


@breaks("sdk-stateless")
def client_sends_response(tape: Tape) -> None:
    tape.after(tape.answer("tools/list"), _reversed(tape.fail(tape.request("tools/list"), -32600), id=None))


@breaks("seed")
def unknown_method_answer(tape: Tape) -> None:
    ask = tape.ask("foo/bar", 70)
    tape.after(tape.answer("tools/call"), ask, tape.reply(ask))


# handshake


@breaks("seed")
def initialize_not_first(tape: Tape) -> None:
    ask = tape.ask("tools/list", 70)
    tape.before(tape.request("initialize"), ask, tape.reply(ask, tools=[]))


@breaks("seed")
def request_before_initialize_result(tape: Tape) -> None:
    ask = tape.ask("tools/list", 70)
    tape.after(tape.request("initialize"), ask)
    tape.after(tape.answer("initialize"), tape.reply(ask, tools=[]))


@breaks("seed")
def initialized_missing(tape: Tape) -> None:
    tape.drop(tape.told("notifications/initialized"))


@breaks("seed")
def initialized_too_early(tape: Tape) -> None:
    told = tape.told("notifications/initialized")
    tape.drop(told)
    tape.after(tape.request("initialize"), told)


@breaks("legacy-roots")
def server_request_before_initialized(tape: Tape) -> None:
    ask = tape.ask("roots/list", 70, side="server")
    tape.after(tape.answer("initialize"), ask, tape.reply(ask, roots=[]))


@breaks("seed")
def initialize_twice(tape: Tape) -> None:
    ask = tape.ask("initialize", 70, **tape.params("initialize"))
    tape.after(tape.answer("tools/call"), ask, tape.reply(ask, **tape.result("initialize")))


@breaks("seed")
def version_answer_unknown(tape: Tape) -> None:
    tape.result("initialize")["protocolVersion"] = "1.0"
    tape.drop(*tape.messages[tape.messages.index(tape.told("notifications/initialized")) :])


@breaks("seed", "version-answer-unknown")
def version_mismatch_continued(tape: Tape) -> None:
    tape.result("initialize")["protocolVersion"] = "1.0"


# _meta and revisions


@breaks("sdk-stateless")
def meta_version_missing(tape: Tape) -> None:
    del tape.params("resources/list")["_meta"]
    tape.turn_into_error(tape.answer("resources/list"), -32602)


@breaks("sdk-stateless")
def meta_capabilities_missing(tape: Tape) -> None:
    del tape.params("resources/list")["_meta"][CAPABILITIES]
    tape.turn_into_error(tape.answer("resources/list"), -32602)


@breaks("sdk-stateless", "meta-version-missing")
def meta_missing_accepted(tape: Tape) -> None:
    del tape.params("resources/list")["_meta"]


@breaks("sdk-stateless")
def meta_clientinfo_missing(tape: Tape) -> None:
    del tape.params("resources/list")["_meta"]["io.modelcontextprotocol/clientInfo"]


@breaks("sdk-stateless")
def meta_serverinfo_missing(tape: Tape) -> None:
    del tape.result("resources/list")["_meta"]


@breaks("sdk-stateless")
def meta_key_syntax(tape: Tape) -> None:
    tape.params("resources/list")["_meta"]["my key!"] = 1


@breaks("sdk-stateless")
def meta_prefix_reserved(tape: Tape) -> None:
    tape.params("resources/list")["_meta"]["com.mcp/foo"] = 1


@breaks("sdk-stateless")
def traceparent_format(tape: Tape) -> None:
    tape.params("resources/list")["_meta"]["traceparent"] = "abc"


@breaks("version-refused")
def version_rejection_shape(tape: Tape) -> None:
    tape.turn_into_error(tape.answer("server/discover"), -32602)


@breaks("version-refused")
def version_retry_unsupported(tape: Tape) -> None:
    tape.params("server/discover", 1)["_meta"][VERSION] = "2027-01-01"


@breaks("version-refused")
def fallback_after_modern_error(tape: Tape) -> None:
    _fall_back(tape)


@breaks("version-refused")
def fallback_missing(tape: Tape) -> None:
    tape.params("server/discover")["_meta"][VERSION] = "2026-07-28"
    tape.turn_into_error(tape.answer("server/discover"), -32601)
    tape.turn_into_error(tape.answer("server/discover", 1), -32601)


@breaks("sdk-stateless")
def discover_missing(tape: Tape) -> None:
    tape.turn_into_error(tape.answer("server/discover"), -32601)


@breaks("version-refused")
def legacy_client_rejected_silently(tape: Tape) -> None:
    tape.drop(tape.request("server/discover"), tape.answer("server/discover"))
    _fall_back(tape)


def _fall_back(tape: Tape) -> None:
    """An initialize at the end, which a server of the stateless era alone refuses."""
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "old", "version": "1"}}
    ask = tape.ask("initialize", 70, **params)
    ask["body"]["params"].pop("_meta")
    error = tape.fail(ask, -32601, "Method not found")
    tape.after(tape.last, ask, error)
    for message in (ask, error):
        message["revision"] = "2025-11-25"


def _as_revision(tape: Tape, revision: str) -> None:
    """The same session in another revision."""
    tape.params("initialize")["protocolVersion"] = tape.result("initialize")["protocolVersion"] = revision
    for message in tape.messages:
        if "revision" in message:
            message["revision"] = revision


def _reversed(message: dict[str, object], id: object) -> dict[str, object]:
    """An answer as the client would send it."""
    body = message["body"]
    assert isinstance(body, dict)
    return {**message, "sender": "client", "receiver": "server", "body": {**body, "id": id}}
