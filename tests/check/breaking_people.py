"""How the rules of elicitation, sampling and tasks are broken."""

from copy import deepcopy
from typing import Any

from tests.check.tape import Json, Tape
from tests.check.violations import breaks

ASK, SAMPLE = "elicitation/create", "sampling/createMessage"
COMPLETE = "notifications/elicitation/complete"
RELATED = "io.modelcontextprotocol/related-task"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"

# elicitation


@breaks("sdk-handshake")
def elicit_secret_in_form(tape: Tape) -> None:
    _field(tape, "api_key", {"type": "string"})


@breaks("sdk-handshake")
def elicit_schema_nested(tape: Tape) -> None:
    _field(tape, "address", {"type": "object", "properties": {}})


@breaks("sdk-handshake")
def elicit_content_mismatch(tape: Tape) -> None:
    tape.result(ASK)["content"] = {"guests": "four"}


@breaks("sdk-handshake")
def elicit_content_unaccepted(tape: Tape) -> None:
    tape.result(ASK)["action"] = "decline"


@breaks("sdk-handshake")
def elicit_url_invalid(tape: Tape) -> None:
    _by_address(tape, "later")


@breaks("sdk-handshake")
def elicit_url_secret(tape: Tape) -> None:
    _by_address(tape, "https://shop.example/?token=hG7dk29dkLs02jdk4mP")


@breaks("sdk-handshake")
def elicit_url_plain_http(tape: Tape) -> None:
    _by_address(tape, "http://shop.example/pay")


@breaks("legacy-elicit-required")
def elicit_complete_unknown(tape: Tape) -> None:
    tape.params(COMPLETE)["elicitationId"] = "another"


@breaks("legacy-elicit-required")
def elicit_required_shape(tape: Tape) -> None:
    del tape.answer("tools/call")["body"]["error"]["data"]
    tape.drop(tape.told(COMPLETE))


@breaks("legacy-sampling-tools")
def sampling_result_mixed(tape: Tape) -> None:
    messages = tape.params(SAMPLE, 1)["messages"]
    results = next(each for each in messages if _kinds(each) == {"tool_result"})
    results["content"].append({"type": "text", "text": "and"})


@breaks("legacy-sampling-tools")
def sampling_tool_unanswered(tape: Tape) -> None:
    messages = tape.params(SAMPLE, 1)["messages"]
    results = next(each for each in messages if _kinds(each) == {"tool_result"})
    results["content"].pop()


# tasks of 2025-11-25


@breaks("legacy-tasks-basic")
def task_undeclared(tape: Tape) -> None:
    del tape.result("initialize")["capabilities"]["tasks"]


@breaks("legacy-tasks-basic")
def task_required_ignored(tape: Tape) -> None:
    tool = {"name": "print_page", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "required"}}
    lists = tape.ask("tools/list", 70)
    calls = tape.ask("tools/call", 71, name="print_page", arguments={})
    result = {"content": [{"type": "text", "text": "One page"}]}
    tape.after(tape.last, lists, tape.reply(lists, tools=[tool]), calls, tape.reply(calls, **result))


@breaks("legacy-tasks-basic")
def task_status_transition(tape: Tape) -> None:
    _again(tape, "tasks/get", 2, status="working", drop="tasks/result")


@breaks("legacy-tasks-basic")
def task_related_missing(tape: Tape) -> None:
    del tape.result("tasks/result")["_meta"][RELATED]


@breaks("legacy-tasks-cancel")
def task_cancel_terminal(tape: Tape) -> None:
    tape.result("tasks/get")["status"] = "cancelled"


@breaks("legacy-tasks-basic")
def task_result_early(tape: Tape) -> None:
    ask, answer = tape.request("tasks/result"), tape.answer("tasks/result")
    tape.drop(ask, answer)
    tape.before(tape.request("tasks/get"), ask, answer)


# tasks of the extension


@breaks("ext-tasks")
def task_to_undeclared_client(tape: Tape) -> None:
    tape.params("tools/call")["_meta"][CAPABILITIES].pop("extensions")


@breaks("ext-tasks")
def task_name_header(tape: Tape) -> None:
    head = tape.request("tasks/get")["http"]
    head["headers"] = [pair for pair in head["headers"] if pair[0].lower() != "mcp-name"]


@breaks("ext-tasks")
def task_input_key_reused(tape: Tape) -> None:
    asking = next(each for each in tape.messages if each["kind"] == "response"
                  and each["body"]["result"].get("status") == "input_required")  # fmt: skip
    later = tape.messages[tape.messages.index(tape.answer("tasks/update")) :]
    answer = next(each for each in later if each["kind"] == "response" and "taskId" in each["body"]["result"])
    answer["body"]["result"] = deepcopy(asking["body"]["result"])


@breaks("ext-tasks")
def task_progress(tape: Tape) -> None:
    ask = tape.request("tools/call")
    ask["body"]["params"]["_meta"]["progressToken"] = 7
    tape.after(tape.answer("tasks/get"), tape.tell("notifications/progress", progressToken=7, progress=1))


def _field(tape: Tape, name: str, field: Json) -> None:
    tape.params(ASK)["requestedSchema"]["properties"][name] = field


def _by_address(tape: Tape, url: str) -> None:
    """The question by form as one by address."""
    params = {"mode": "url", "message": "Sign in", "url": url, "elicitationId": "e1"}
    tape.request(ASK)["body"]["params"] = params
    tape.result(ASK).pop("content")


def _again(tape: Tape, method: str, n: int, drop: str, **more: Any) -> None:
    """The same once more at the end, with another answer, in the place of something."""
    tape.drop(tape.request(drop), tape.answer(drop))
    ask = tape.ask(method, 70, **tape.params(method, n))
    tape.after(tape.last, ask, tape.reply(ask, **{**tape.result(method, n), **more}))


def _kinds(message: Json) -> set[str]:
    content = message["content"]
    return {block["type"] for block in (content if isinstance(content, list) else [content])}
