"""Rules that have several cases: each case, its level, and what only looks like one."""

from collections.abc import Callable
from typing import Any

import pytest

from flowgen.check import breaches
from tests.check.tape import Json, Tape

CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
CANCELLED, CHANGED = "notifications/cancelled", "notifications/tools/list_changed"
Change = Callable[[Tape], Any]


def found(base: str, change: Change) -> set[tuple[str, str]]:
    tape = Tape(base)
    change(tape)
    return {(each.code, each.severity) for each in breaches(tape.trace())}


def an_id_of_null(tape: Tape) -> None:
    tape.request("tools/call")["body"]["id"] = None


def an_error_beside_a_result(tape: Tape) -> None:
    tape.answer("tools/call")["body"]["error"] = {"code": -1, "message": "no"}


def an_error_that_is_a_text(tape: Tape) -> None:
    tape.turn_into_error(tape.answer("tools/call"), 0)
    tape.answer("tools/call")["body"]["error"] = "no"


def an_array_in_the_first_revision(tape: Tape) -> None:
    tape.params("initialize")["protocolVersion"] = tape.result("initialize")["protocolVersion"] = "2024-11-05"
    for message in tape.messages:
        message["revision"] = "2024-11-05"
    tape.request("tools/call")["problems"] = [{"code": "batch", "message": ""}]


def a_missing_capability_that_is_not_named(tape: Tape) -> None:
    tape.turn_into_error(tape.answer("tools/call"), -32021)


def a_refused_revision_without_those_supported(tape: Tape) -> None:
    tape.answer("server/discover")["body"]["error"].pop("data")


def a_call_whose_list_was_not_seen(tape: Tape) -> None:
    tape.drop(tape.request("tools/list"), tape.answer("tools/list"))


def a_cancellation_that_crossed_the_answer(tape: Tape) -> None:
    told = tape.tell(CANCELLED, side="client", requestId=tape.request("tools/call")["body"]["id"])
    tape.after(tape.answer("tools/call"), told)


def an_answer_long_after_a_cancellation(tape: Tape) -> None:
    answer = tape.answer("tools/call")
    told = tape.tell(CANCELLED, side="client", requestId=answer["body"]["id"])
    tape.after(tape.request("tools/call"), told)
    tape.drop(answer)
    tape.after(told, answer, seconds=5)


def an_answer_to_what_was_not_asked(tape: Tape) -> None:
    tape.params("tools/call", 1)["inputResponses"]["b"] = {"action": "decline"}


def a_state_that_is_left_out(tape: Tape) -> None:
    tape.params("tools/call", 1).pop("requestState")
    tape.request("tools/call", 1)["redacted"], tape.request("tools/call", 1)["fingerprints"] = [], {}


def a_masked_state_with_another_fingerprint(tape: Tape) -> None:
    asked, retry = tape.answer("tools/call"), tape.request("tools/call", 1)
    for message, pointer in ((asked, "/body/result/requestState"), (retry, "/body/params/requestState")):
        message["redacted"], message["fingerprints"] = [pointer], {pointer: message["kind"]}


def a_mode_that_the_request_did_not_declare(tape: Tape) -> None:
    tape.params("tools/call")["_meta"][CAPABILITIES] = {"elicitation": {"url": {}}}


def tools_for_a_model_without_the_capability(tape: Tape) -> None:
    for n in range(3):
        tape.params("tools/call", n)["_meta"][CAPABILITIES] = {"sampling": {}}


def a_change_on_the_stream_of_another_request(tape: Tape) -> None:
    told, ask = tape.told(CHANGED), tape.request("tools/call")
    told["exchange"] = ask["exchange"]
    told["body"]["params"]["_meta"].pop(SUBSCRIPTION)
    tape.drop(told)
    tape.after(ask, told)


def a_change_without_the_id_of_its_subscription(tape: Tape) -> None:
    tape.params(CHANGED)["_meta"].pop(SUBSCRIPTION)


def a_field_that_speaks_of_a_password(tape: Tape) -> None:
    field = {"type": "string", "title": "Your password"}
    tape.params("elicitation/create")["requestedSchema"]["properties"]["word"] = field


def a_secret_in_a_form_of_the_stateless_era(tape: Tape) -> None:
    question = tape.result("tools/call")["inputRequests"]["confirm"]
    question["params"]["requestedSchema"]["properties"]["accessToken"] = {"type": "string"}


def an_elicitation_that_ends_twice(tape: Tape) -> None:
    told = tape.told("notifications/elicitation/complete")
    tape.after(told, {**told})


def a_task_of_a_tool_that_allows_none(tape: Tape) -> None:
    ask = tape.ask("tools/list", 70)
    tools = [{"name": "print_page", "inputSchema": {"type": "object"}}]
    tape.after(tape.told("notifications/initialized"), ask, tape.reply(ask, tools=tools))


def a_task_that_begins_as_completed(tape: Tape) -> None:
    tape.result("tools/call")["status"] = "completed"


def a_server_ended_by_a_signal(tape: Tape) -> None:
    tape.process("exited")["body"] = {"event": "exited", "signal": "SIGTERM"}


def a_cursor_of_another_list(tape: Tape) -> None:
    ask = tape.ask("prompts/list", 70, cursor=tape.result("tools/list")["nextCursor"])
    tape.result("server/discover")["capabilities"]["prompts"] = {}
    tape.after(tape.last, ask, tape.fail(ask, -32602))


def a_log_message_that_was_masked(tape: Tape) -> None:
    told = tape.told("notifications/message")
    told["body"]["params"]["data"], told["redacted"] = "token=•••", ["/body/params/data"]


CASES: list[tuple[str, str, Change, str]] = [
    ("request-id-invalid", "seed", an_id_of_null, "error"),
    ("response-shape", "seed", an_error_beside_a_result, "error"),
    ("response-shape", "seed", an_error_that_is_a_text, "error"),
    ("batch-not-allowed", "seed", an_array_in_the_first_revision, "warning"),
    ("error-code-reserved", "tools-flow", a_missing_capability_that_is_not_named, "error"),
    ("version-rejection-shape", "version-refused", a_refused_revision_without_those_supported, "error"),
    ("tool-not-listed", "tools-flow", a_call_whose_list_was_not_seen, "info"),
    ("cancel-unknown-request", "seed", a_cancellation_that_crossed_the_answer, "warning"),
    ("message-after-cancel", "seed", an_answer_long_after_a_cancellation, "warning"),
    ("message-after-cancel", "progress", an_answer_long_after_a_cancellation, "error"),
    ("retry-answers-missing", "mrtr-basic", an_answer_to_what_was_not_asked, "warning"),
    ("retry-state-altered", "roots", a_state_that_is_left_out, "error"),
    ("retry-state-altered", "mrtr-basic", a_masked_state_with_another_fingerprint, "error"),
    ("input-request-undeclared", "mrtr-basic", a_mode_that_the_request_did_not_declare, "error"),
    ("sampling-tools-undeclared", "sampling-tools", tools_for_a_model_without_the_capability, "error"),
    ("change-without-listen", "http-listen", a_change_on_the_stream_of_another_request, "error"),
    ("listen-subscription-id", "caching", a_change_without_the_id_of_its_subscription, "error"),
    ("elicit-secret-in-form", "sdk-handshake", a_field_that_speaks_of_a_password, "warning"),
    ("elicit-secret-in-form", "mrtr-basic", a_secret_in_a_form_of_the_stateless_era, "error"),
    ("elicit-complete-unknown", "legacy-elicit-required", an_elicitation_that_ends_twice, "warning"),
    ("task-undeclared", "legacy-tasks-basic", a_task_of_a_tool_that_allows_none, "error"),
    ("task-required-ignored", "legacy-tasks-basic", a_task_of_a_tool_that_allows_none, "error"),
    ("task-status-transition", "ext-tasks", a_task_that_begins_as_completed, "error"),
    ("stdio-exit-forced", "seed", a_server_ended_by_a_signal, "warning"),
    ("cursor-unknown", "pagination", a_cursor_of_another_list, "warning"),
    ("log-secret", "legacy-logging", a_log_message_that_was_masked, "warning"),
]


@pytest.mark.parametrize(("slug", "base", "change", "level"), CASES, ids=[f"{s}: {c.__name__}" for s, _, c, _ in CASES])
def test_a_case_is_found_with_its_level(slug, base, change, level):
    assert (slug, level) in found(base, change)


# what only looks like one


def an_answer_that_crosses_a_cancellation(tape: Tape) -> None:
    tape.after(tape.request("tools/call"), tape.tell(CANCELLED, side="client", requestId=_id(tape)))


def a_subscription_that_stays_open(tape: Tape) -> None:
    tape.drop(tape.answer("subscriptions/listen"))


def a_failed_tool_without_structured_content(tape: Tape) -> None:
    tape.result("tools/call").pop("structuredContent")
    tape.result("tools/call")["isError"] = True


def a_masked_argument(tape: Tape) -> None:
    tape.params("tools/call")["arguments"] = {"location": "•••"}
    tape.request("tools/call")["redacted"] = ["/body/params/arguments/location"]


def masked_states_without_fingerprints(tape: Tape) -> None:
    tape.answer("tools/call")["fingerprints"] = tape.request("tools/call", 1)["fingerprints"] = {}


def an_error_of_a_request_that_could_not_be_read(tape: Tape) -> None:
    tape.after(tape.answer("tools/call"), tape.fail({"sender": "client", "body": {"id": None}}, -32700))


def a_method_of_the_server_s_own(tape: Tape) -> None:
    tape.result("initialize")["capabilities"]["experimental"] = {"a.b/c": {}}
    ask = tape.ask("a.b/c", 70)
    tape.after(tape.answer("tools/call"), ask, tape.reply(ask))


def a_schema_of_draft_7(tape: Tape) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": [{"type": "string"}]}}}
    tape.result("tools/list")["tools"].append({"name": "old", "inputSchema": schema})
    tape.result("tools/list", 1)["tools"].append({"name": "old", "inputSchema": schema})


def progress_of_a_task(tape: Tape) -> None:
    ask = tape.request("tools/call")
    ask["body"]["params"]["_meta"] = {"progressToken": 7}
    tape.after(tape.answer("tools/call"), tape.tell("notifications/progress", progressToken=7, progress=1))


QUIET: list[tuple[str, Change]] = [
    ("progress", an_answer_that_crosses_a_cancellation), ("caching", a_subscription_that_stays_open),
    ("sdk-stateless", a_failed_tool_without_structured_content), ("seed", a_masked_argument),
    ("mrtr-basic", masked_states_without_fingerprints), ("seed", an_error_of_a_request_that_could_not_be_read),
    ("seed", a_method_of_the_server_s_own), ("seed", a_schema_of_draft_7), ("legacy-tasks-basic", progress_of_a_task),
]  # fmt: skip


@pytest.mark.parametrize(("base", "change"), QUIET, ids=[change.__name__ for _, change in QUIET])
def test_what_only_looks_wrong_is_silent(base, change):
    assert not {code for code, level in found(base, change) if level != "info"}


def _id(tape: Tape) -> Any:
    body: Json = tape.request("tools/call")["body"]
    return body["id"]
