"""Cases of the rules of Streamable HTTP: what breaks them in other ways, and what only looks like it."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from flowgen import api
from flowgen.check import breaches
from tests.check.breaking_http import SESSION, VERSION, get, method, of_exchange, put
from tests.check.tape import Tape
from tests.record.test_http_real import free_port, listening
from tests.record.test_real import python_server

Change = Callable[[Tape], Any]


def found(base: str, change: Change) -> set[tuple[str, str]]:
    tape = Tape(base)
    change(tape)
    return {(each.code, each.severity) for each in breaches(tape.trace()) if each.code.startswith("http-")}


def harbour(tape: Tape, value: Any, header: str | None, form: str = "string") -> None:
    """Calls with another argument and another header for it."""
    tape.params("tools/call")["arguments"]["harbour"] = value
    for n in (0, 1):
        tape.result("tools/list", n)["tools"][0]["inputSchema"]["properties"]["harbour"]["type"] = form
    put(tape.request("tools/call"), "Mcp-Param-Harbour", header)


def a_header_that_stands_for_no_text(tape: Tape) -> None:
    harbour(tape, "Bern", "=?base64?***?=")


def a_text_that_looks_as_if_it_were_encoded(tape: Tape) -> None:
    harbour(tape, "=?base64?QmVybg==?=", "=?base64?QmVybg==?=")


def a_text_with_a_space_at_its_end(tape: Tape) -> None:
    harbour(tape, "Bern ", "Bern")


def a_header_for_an_argument_without_value(tape: Tape) -> None:
    harbour(tape, None, "Bern")


def another_number(tape: Tape) -> None:
    harbour(tape, 42, "43", "integer")


def a_subscription_whose_head_lacks_the_method(tape: Tape) -> None:
    put(tape.request("subscriptions/listen"), "Mcp-Method", None)


def an_unknown_method_with_200(tape: Tape) -> None:
    ask = tape.ask("foo/bar", 70)
    tape.after(tape.answer("resources/list"), ask, tape.fail(ask, -32601))


def no_accept_at_all(tape: Tape) -> None:
    put(tape.request("resources/list"), "Accept", None)


def a_stream_taken_up_in_the_stateless_era(tape: Tape) -> None:
    ask, answer = get(tape, tape.request("resources/list"), 405)
    ask["http"]["headers"].append(["Last-Event-ID", "7"])
    tape.after(tape.answer("resources/list"), ask, answer)


def a_notification_with_a_body(tape: Tape) -> None:
    of_exchange(tape, tape.told("notifications/initialized"))[1]["body"] = {}
    of_exchange(tape, tape.told("notifications/initialized"))[1]["text"] = "ok"


def another_revision_than_was_agreed_upon(tape: Tape) -> None:
    put(tape.request("tools/call"), VERSION, "2025-06-18")


def one_change_on_two_streams_at_once(tape: Tape) -> None:
    told = tape.tell("notifications/tools/list_changed")
    on_get, on_post = method(tape, "GET")["exchange"], tape.request("tools/call", 1)["exchange"]
    several = [{**deepcopy(told), "transport": "sse", "exchange": each} for each in (on_get, on_post)]
    tape.after(tape.told("notifications/progress"), *several)


FAULTS: list[tuple[str, Change, set[tuple[str, str]]]] = [
    ("http", a_header_that_stands_for_no_text, {("http-header-encoding", "error")}),
    ("http", a_text_that_looks_as_if_it_were_encoded, {("http-header-encoding", "error")}),
    ("http", a_text_with_a_space_at_its_end, {("http-header-encoding", "error")}),
    ("http", a_header_for_an_argument_without_value,
     {("http-param-header", "error"), ("http-header-mismatch-accepted", "error")}),
    ("http", another_number, {("http-param-header", "error"), ("http-header-mismatch-accepted", "error")}),
    ("http", a_subscription_whose_head_lacks_the_method,
     {("http-method-header", "error"), ("http-header-mismatch-accepted", "error")}),
    ("http", an_unknown_method_with_200, {("http-status-mismatch", "error")}),
    ("http", no_accept_at_all, {("http-accept", "error")}),
    ("http", a_stream_taken_up_in_the_stateless_era,
     {("http-get-or-delete", "warning"), ("http-session-id", "warning")}),
    ("legacy-http-session", a_notification_with_a_body, {("http-notification-status", "error")}),
    ("legacy-http-session", another_revision_than_was_agreed_upon, {("http-version-header-legacy", "warning")}),
    ("legacy-http-session", one_change_on_two_streams_at_once, {("http-message-twice", "error")}),
]  # fmt: skip


@pytest.mark.parametrize(("base", "change", "told"), FAULTS, ids=[change.__name__ for _, change, _ in FAULTS])
def test_a_fault(base: str, change: Change, told: set[tuple[str, str]]) -> None:
    assert found(base, change) == told


def a_number_written_in_another_way(tape: Tape) -> None:
    harbour(tape, 42, "42.0", "integer")


def a_text_that_need_not_be_encoded_and_is(tape: Tape) -> None:
    harbour(tape, "Bern", "=?base64?QmVybg==?=")


def headers_in_another_case(tape: Tape) -> None:
    headers = tape.request("tools/call")["http"]["headers"]
    headers[:] = [[name.upper(), value] for name, value in headers]


def a_masked_argument(tape: Tape) -> None:
    harbour(tape, "•••", "•••")
    tape.request("tools/call")["redacted"] = ["/body/params/arguments/harbour", "/http/headers/mcp-param-harbour"]


def a_head_that_was_not_kept(tape: Tape) -> None:
    tape.request("tools/call")["http"]["headers"] = []


def heads_that_the_source_did_not_have(tape: Tape) -> None:
    tape.document["missing"] = ["heads"]
    for message in tape.messages:
        message.get("http", {})["headers"] = [["Host", "a.example"]]


def a_mismatch_that_is_refused(tape: Tape) -> None:
    tape.drop(tape.request("resources/list"), tape.answer("resources/list"))
    ask = tape.ask("resources/list", 70)
    refusal = {**tape.fail(ask, -32020), "http": {"status": 400, "headers": []}}
    tape.after(tape.answer("tools/list"), ask, refusal)


def an_error_that_comes_on_a_stream_that_has_begun(tape: Tape) -> None:
    tape.turn_into_error(tape.answer("tools/call", 1), -32021, requiredCapabilities={"sampling": {}})


def a_comment_after_the_answer(tape: Tape) -> None:
    answer = tape.answer("tools/call", 1)
    ping = {**deepcopy(answer), "kind": "http", "sse": {"comment": "ping"}}
    del ping["body"]
    tape.after(answer, ping)


SILENT: list[tuple[str, Change]] = [
    ("http", a_number_written_in_another_way), ("http", a_text_that_need_not_be_encoded_and_is),
    ("http", headers_in_another_case), ("http", a_masked_argument), ("http", a_head_that_was_not_kept),
    ("http", heads_that_the_source_did_not_have), ("http", a_mismatch_that_is_refused),
    ("http", an_error_that_comes_on_a_stream_that_has_begun), ("http", a_comment_after_the_answer),
]  # fmt: skip


def a_server_of_the_handshake_era_that_is_probed(tape: Tape) -> None:
    """It answers what it does not know in its own way, and gives a session id at once."""
    tape.messages[:] = tape.messages[:2]
    tape.turn_into_error(tape.answer("server/discover"), -32601)
    put(tape.answer("server/discover"), SESSION, "•••")


def the_transport_of_2024(tape: Tape) -> None:
    """It has one GET stream on which all answers come, and accepts what is posted without a word."""
    opened = next(each for each in tape.messages if each["kind"] == "http" and each.get("sse"))
    opened["sse"] = {"event": "endpoint"}
    for message in tape.messages:
        if message["kind"] in ("response", "request") and message["sender"] == "server":
            message |= {"exchange": 3, "transport": "sse", "sse": {}}
            message.pop("http", None)
        if message["sender"] == "client" and "http" in message:
            put(message, "Accept", "*/*")
            put(message, SESSION, None)


def a_session_that_the_server_forgot(tape: Tape) -> None:
    """The client opens another one, without the id, and says good-bye to that."""
    opening = deepcopy([tape.request("initialize"), tape.answer("initialize")])
    ask = tape.request("tools/call")
    tape.answer("tools/call")["http"]["status"] = 404
    tape.turn_into_error(tape.answer("tools/call"), -32600, "Session not found")
    later = tape.messages[tape.messages.index(tape.answer("tools/call")) + 1 :]
    for message in (*opening, *later):
        message["exchange"] = (message.get("exchange") or 0) + 50
        head = "/http/headers/mcp-session-id"
        if head in message.get("fingerprints", {}):
            message["fingerprints"][head] = "11111111"
    for message, id_ in zip(opening, (70, 70), strict=True):
        message["body"]["id"] = id_
    tape.after(tape.answer("tools/call"), *opening)
    assert ask in tape.messages


SILENT += [
    ("http", a_server_of_the_handshake_era_that_is_probed), ("legacy-http-session", the_transport_of_2024),
    ("legacy-http-session", a_session_that_the_server_forgot),
]  # fmt: skip


@pytest.mark.parametrize(("base", "change"), SILENT, ids=[change.__name__ for _, change in SILENT])
def test_no_fault(base: str, change: Change) -> None:
    assert not found(base, change)


def test_a_server_of_the_handshake_era_refuses_a_probe_as_it_likes() -> None:
    tape = Tape("http")
    a_server_of_the_handshake_era_that_is_probed(tape)
    tape.turn_into_error(tape.answer("server/discover"), -32000, "Bad Request: Server not initialized")
    assert not breaches(tape.trace())


def test_the_official_sdk_over_http_gives_exactly_its_known_deviations() -> None:
    """It answers an unknown tool with a result; what it says over HTTP keeps every rule, in both eras."""
    port = free_port()
    with listening([*python_server("sdk_server.py", "mcp"), "streamable-http", str(port)], port):
        for revision in ("2025-11-25", "2026-07-28"):
            trace = api.record(f"http://127.0.0.1:{port}/mcp", revision=revision, calls=["nope"], timeout=20)
            told = {each.code for each in breaches(trace) if each.severity != "info"}
            assert told == {"tool-not-listed", "unknown-tool-answer"}
