"""How the rules of capabilities, results, pages and tools are broken."""

from tests.check.tape import Json, Tape
from tests.check.violations import breaks

CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
TASKS = "io.modelcontextprotocol/tasks"

# capabilities


@breaks("seed")
def server_capability_undeclared(tape: Tape) -> None:
    ask = tape.ask("prompts/list", 70)
    tape.after(tape.answer("tools/call"), ask, tape.reply(ask, prompts=[]))


@breaks("legacy-roots")
def client_capability_undeclared(tape: Tape) -> None:
    tape.params("initialize")["capabilities"] = {}


@breaks("sdk-handshake")
def elicitation_mode_undeclared(tape: Tape) -> None:
    tape.params("initialize")["capabilities"]["elicitation"] = {}
    asked = {"mode": "url", "message": "Sign in", "url": "https://a.example/x", "elicitationId": "e1"}
    tape.request("elicitation/create")["body"]["params"] = asked
    tape.result("elicitation/create").pop("content")


@breaks("legacy-sampling-tools")
def sampling_tools_undeclared(tape: Tape) -> None:
    tape.params("initialize")["capabilities"]["sampling"] = {}


@breaks("seed")
def list_changed_undeclared(tape: Tape) -> None:
    tape.result("initialize")["capabilities"]["tools"] = {}


@breaks("seed")
def list_changed_not_followed(tape: Tape) -> None:
    tape.drop(tape.request("tools/list", 1), tape.answer("tools/list", 1))
    ask = tape.ask("tools/call", 70, **tape.params("tools/call"))
    tape.after(tape.last, ask, tape.reply(ask, **tape.result("tools/call")))


@breaks("seed")
def resource_subscribe_undeclared(tape: Tape) -> None:
    ask = tape.ask("resources/subscribe", 70, uri="a://b")
    tape.after(tape.answer("tools/call"), ask, tape.reply(ask))


@breaks("legacy-logging")
def resource_updated_unsubscribed(tape: Tape) -> None:
    ask = tape.ask("resources/subscribe", 70, uri="a://x")
    told = tape.tell("notifications/resources/updated", uri="b://x")
    tape.after(tape.answer("logging/setLevel"), ask, tape.reply(ask), told)


@breaks("ext-tasks")
def extension_undeclared(tape: Tape) -> None:
    del tape.result("server/discover")["capabilities"]["extensions"]


@breaks("sdk-stateless")
def extension_id_syntax(tape: Tape) -> None:
    tape.result("server/discover")["capabilities"]["extensions"] = {"tasks": {}}


@breaks("tools-flow")
def deprecated_feature(tape: Tape) -> None:
    tape.params("tools/call")["_meta"]["io.modelcontextprotocol/logLevel"] = "info"


# results and retries


@breaks("sdk-stateless")
def result_type_missing(tape: Tape) -> None:
    del tape.result("resources/list")["resultType"]


@breaks("sdk-stateless")
def result_type_unknown(tape: Tape) -> None:
    tape.result("resources/list")["resultType"] = "done"


@breaks("sdk-stateless")
def input_required_method(tape: Tape) -> None:
    tape.answer("resources/list")["body"]["result"] = {**_asking(tape), "requestState": "v1.ab"}


@breaks("mrtr-basic")
def input_required_empty(tape: Tape) -> None:
    result = tape.result("tools/call")
    result.pop("inputRequests")
    result.pop("requestState", None)
    tape.answer("tools/call")["redacted"] = []
    retry = tape.params("tools/call", 1)
    retry.pop("inputResponses")
    retry.pop("requestState", None)


@breaks("roots")
def input_request_kind(tape: Tape) -> None:
    tape.result("tools/call")["inputRequests"]["places"]["method"] = "tools/call"


@breaks("mrtr-basic")
def input_request_undeclared(tape: Tape) -> None:
    tape.params("tools/call")["_meta"][CAPABILITIES] = {}


@breaks("mrtr-basic")
def input_required_cache_hints(tape: Tape) -> None:
    tape.result("tools/call")["ttlMs"] = 1000


@breaks("mrtr-basic")
def retry_id_reused(tape: Tape) -> None:
    tape.answer("tools/call", 1)["body"]["id"] = tape.request("tools/call")["body"]["id"]
    tape.request("tools/call", 1)["body"]["id"] = tape.request("tools/call")["body"]["id"]


@breaks("mrtr-basic")
def retry_params_changed(tape: Tape) -> None:
    tape.params("tools/call", 1)["arguments"] = {"name": "diary"}


@breaks("mrtr-basic")
def retry_state_altered(tape: Tape) -> None:
    _state(tape, "v1.ab", "v1.ac")


@breaks("mrtr-basic")
def retry_state_invented(tape: Tape) -> None:
    _state(tape, None, "v1.ac")


@breaks("mrtr-basic")
def retry_answers_missing(tape: Tape) -> None:
    asked = tape.result("tools/call")["inputRequests"]
    asked["b"] = asked["confirm"]


@breaks("mrtr-basic")
def retry_state_elsewhere(tape: Tape) -> None:
    answers = tape.params("tools/call", 1)["inputResponses"]
    ask = tape.ask("tools/call", 70, name="tidy_slowly", arguments={}, inputResponses=answers)
    tape.after(tape.answer("tools/call", 1), ask, tape.reply(ask, **tape.result("tools/call", 1)))


@breaks("mrtr-basic")
def input_required_abandoned(tape: Tape) -> None:
    tape.drop(tape.request("tools/call", 1), tape.answer("tools/call", 1))


# what may be kept, and pages


@breaks("sdk-stateless")
def cache_hints_missing(tape: Tape) -> None:
    del tape.result("resources/list")["ttlMs"]


@breaks("sdk-stateless")
def cache_ttl_negative(tape: Tape) -> None:
    tape.result("resources/list")["ttlMs"] = -1


@breaks("pagination")
def cache_scope_differs(tape: Tape) -> None:
    scope = tape.result("tools/list")["cacheScope"]
    tape.result("tools/list", 1)["cacheScope"] = "public" if scope == "private" else "private"


@breaks("pagination")
def cache_unused_while_fresh(tape: Tape) -> None:
    ask = tape.ask("tools/list", 70)
    tape.after(tape.last, ask, tape.reply(ask, **tape.result("tools/list")))


@breaks("pagination")
def cursor_unknown(tape: Tape) -> None:
    tape.params("tools/list", 1)["cursor"] = "abd"
    tape.turn_into_error(tape.answer("tools/list", 1), -32602)
    tape.drop(tape.request("tools/list", 2), tape.answer("tools/list", 2))


@breaks("pagination")
def cursor_empty_ignored(tape: Tape) -> None:
    tape.result("tools/list", 2)["nextCursor"] = ""


@breaks("pagination")
def cursor_error_code(tape: Tape) -> None:
    tape.params("tools/list", 1)["cursor"] = "zzz"


# tools


@breaks("tools-flow")
def tool_not_listed(tape: Tape) -> None:
    tape.params("tools/call")["name"] = "c"
    tape.turn_into_error(tape.answer("tools/call"), -32602, "Unknown tool: c")


@breaks("tools-flow")
def tool_name_mismatch(tape: Tape) -> None:
    tape.params("tools/call")["name"] = "Weather_Current"
    tape.turn_into_error(tape.answer("tools/call"), -32602, "Unknown tool: Weather_Current")


@breaks("tools-flow")
def unknown_tool_answer(tape: Tape) -> None:
    tape.params("tools/call")["name"] = "nope"
    tape.result("tools/call")["isError"] = True


@breaks("seed")
def arguments_invalid(tape: Tape) -> None:
    tape.params("tools/call")["arguments"] = {"units": "metric"}
    tape.result("tools/call")["isError"] = True


@breaks("seed")
def arguments_invalid_accepted(tape: Tape) -> None:
    tape.params("tools/call")["arguments"] = {"location": "x", "units": 7}


@breaks("seed")
def argument_error_style(tape: Tape) -> None:
    tape.params("tools/call")["arguments"] = {"location": 7}
    tape.turn_into_error(tape.answer("tools/call"), -32603, "bad location")


@breaks("sdk-stateless")
def output_content_missing(tape: Tape) -> None:
    del tape.result("tools/call")["structuredContent"]


@breaks("sdk-stateless")
def output_schema_mismatch(tape: Tape) -> None:
    tape.result("tools/call")["structuredContent"] = {"result": 21}


@breaks("sdk-stateless")
def output_text_missing(tape: Tape) -> None:
    tape.result("tools/call")["content"] = []


@breaks("tools-flow")
def tool_name_duplicate(tape: Tape) -> None:
    tools = tape.result("tools/list")["tools"]
    tools.append(tools[0])


@breaks("tools-flow")
def tool_name_syntax(tape: Tape) -> None:
    tape.result("tools/list")["tools"].append({"name": "my tool", "inputSchema": {"type": "object"}})


@breaks("tools-flow")
def tool_schema_invalid(tape: Tape) -> None:
    tape.result("tools/list")["tools"].append({"name": "b", "inputSchema": None})


@breaks("tools-flow")
def tool_schema_remote_ref(tape: Tape) -> None:
    schema = {"type": "object", "properties": {"a": {"$ref": "https://a.example/schema.json"}}}
    tape.result("tools/list")["tools"].append({"name": "b", "inputSchema": schema})


@breaks("pagination")
def tools_order_changes(tape: Tape) -> None:
    ask = tape.ask("tools/list", 70)
    pages = [each for n in range(3) for each in tape.result("tools/list", n)["tools"]]
    whole = {**tape.result("tools/list", 2), "tools": pages[::-1]}
    tape.after(tape.last, ask, tape.reply(ask, **whole))


@breaks("http")
def x_mcp_header_invalid(tape: Tape) -> None:
    tape.result("tools/list")["tools"].append(_marked("City", "city"))


@breaks("http", "x-mcp-header-invalid")
def x_mcp_header_tool_called(tape: Tape) -> None:
    name = tape.params("tools/call")["name"]
    tool = next(each for each in tape.result("tools/list")["tools"] if each["name"] == name)
    tool["inputSchema"]["properties"]["more"] = {"type": "object", "x-mcp-header": "More"}


def _asking(tape: Tape) -> Json:
    return {"resultType": "input_required", "_meta": tape.result("resources/list")["_meta"]}


def _state(tape: Tape, given: str | None, sent: str) -> None:
    """States that are not masked."""
    for message in (tape.answer("tools/call"), tape.request("tools/call", 1)):
        message["redacted"], message["fingerprints"] = [], {}
    tape.result("tools/call").pop("requestState", None)
    tape.result("tools/call").update({} if given is None else {"requestState": given})
    tape.params("tools/call", 1)["requestState"] = sent


def _marked(*names: str) -> Json:
    properties = {f"p{place}": {"type": "string", "x-mcp-header": name} for place, name in enumerate(names)}
    return {"name": "marked", "inputSchema": {"type": "object", "properties": properties}}
