"""Calls: answers, progress, cancelling, questions to the client's side, retries."""

import pytest

STATELESS = "2026-07-28"
HANDSHAKE = "2025-11-25"
BOTH = [HANDSHAKE, STATELESS]
EVERYTHING = {"elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}}, "roots": {}}
SAID = {"role": "assistant", "model": "m1", "content": {"type": "text", "text": "Milk."}}


@pytest.fixture(params=BOTH)
def server(request, talk):
    return talk("full", request.param, EVERYTHING)


def texts(result):
    return [block["text"] for block in result["content"]]


def asked(server, name, /, *answers, **arguments):
    """Call a tool that asks; each of `answers` is given to the next question. The questions and the last answer."""
    if server.revision == STATELESS:
        return asked_stateless(server, name, answers, arguments)
    id, questions = server.begin("tools/call", name=name, arguments=arguments), []
    for answer in answers:
        question = server.next()
        questions.append({key: question[key] for key in ("method", "params") if key in question})
        server.say({"jsonrpc": "2.0", "id": question["id"], **answer})
    return questions, server.answer(id)


def asked_stateless(server, name, answers, arguments):
    params, questions = {"name": name, "arguments": arguments}, []
    for answer in answers:
        result = server.result("tools/call", **params)
        assert result["resultType"] == "input_required"
        ((key, question),) = result["inputRequests"].items()
        questions.append(question)
        inputs = {"inputResponses": {key: answer["result"]}, "requestState": result["requestState"]}
        params = {"name": name, "arguments": arguments, **inputs}
    return questions, server.ask("tools/call", **params)


def accept(**content):
    return {"result": {"action": "accept", **({"content": content} if content else {})}}


# Plain answers


def test_the_calculator_really_calculates(server):
    result = server.call("calculator_arithmetic", expression="2 + 3 * 4 - sin(30)")
    assert texts(result) == ["2 + 3 * 4 - sin(30) = 13.5"]
    assert result["structuredContent"] == {"value": 13.5}
    result = server.call("calculator_arithmetic", expression="__import__('os')")
    assert result["isError"] is True and "cannot be calculated" in texts(result)[0]


def test_defaults_of_the_schema_fill_the_arguments(server):
    assert texts(server.call("weather_current", location="Ulm"))[0].startswith("Ulm: 20°C")
    assert texts(server.call("weather_current", location="Ulm", units="imperial"))[0].startswith("Ulm: 68°F")


def test_a_tool_that_fails_says_so_in_its_result(server):
    result = server.call("read_meter")
    assert result["isError"] is True and texts(result) == ["The meter does not answer. Try again in a minute."]


@pytest.mark.parametrize("params", [{"name": "nope"}, {"name": "search_notes"}, {"name": 5}, {"name": ["x"]}, {}])
def test_an_unknown_tool_is_refused(server, params):
    assert server.error("tools/call", **params)["code"] == -32602


@pytest.mark.parametrize("arguments", [{}, {"location": 5}, {"location": "Ulm", "units": "furlong"}, [], "Ulm"])
def test_wrong_arguments_are_the_tools_error_since_2025_11_25_and_before_that_the_protocols(talk, arguments):
    for revision in BOTH:
        result = talk("full", revision).result("tools/call", name="weather_current", arguments=arguments)
        assert result["isError"] is True and "arguments" in texts(result)[0]
    old = talk("full", "2025-06-18")
    assert old.error("tools/call", name="weather_current", arguments=arguments)["code"] == -32602


# Progress and cancelling


def test_a_slow_tool_tells_its_progress_to_whoever_sent_a_token(server):
    result = server.result("tools/call", name="tidy_slowly", _meta={"progressToken": "t-1"})
    assert texts(result) == ["Everything is tidy"]
    expected = [
        {"progressToken": "t-1", "progress": done, "total": 1.0, "message": text}
        for done, text in ((0.2, "0.2 of 1"), (0.6, "0.6 of 1"), (1.0, "1 of 1"))
    ]
    assert server.said("notifications/progress") == expected
    server.heard.clear()
    server.result("tools/call", name="tidy_slowly")
    assert server.heard == []


def test_a_token_that_is_none_gets_no_progress(talk):
    server = talk(
        """
server = { name = "tells", version = "1" }
[[tool]]
name = "tell"
[[tool.step]]
progress = [1, 2]
""",
        HANDSHAKE,
    )
    for token in (None, True, 1.5, {}, []):
        server.result("tools/call", name="tell", _meta={"progressToken": token})
    assert server.heard == []
    server.result("tools/call", name="tell", _meta={"progressToken": 0})
    assert server.said("notifications/progress") == [{"progressToken": 0, "progress": value} for value in (1, 2)]


def test_meta_that_is_no_object_is_refused(talk):
    server = talk("full", HANDSHAKE)
    assert server.error("tools/call", name="tidy_slowly", _meta=5)["code"] == -32602


def test_progress_has_no_message_in_the_first_revision(talk):
    server = talk("full", "2024-11-05")
    server.result("tools/call", name="tidy_slowly", _meta={"progressToken": 0})
    for params in server.said("notifications/progress"):
        assert params.keys() == {"progressToken", "progress", "total"}


def test_others_are_answered_while_a_tool_takes_its_time(server):
    slow = server.begin("tools/call", name="tidy_slowly")
    quick = server.begin("tools/call", name="read_meter")
    assert server.next()["id"] == quick
    assert server.next()["id"] == slow


def test_a_cancelled_call_is_not_answered_and_its_id_is_free(server):
    id = server.begin("tools/call", name="index_everything", _meta={"progressToken": 1})
    assert server.next()["method"] == "notifications/progress"
    server.tell("notifications/cancelled", requestId=str(id))
    server.begin("tools/call", id=id, name="read_meter")
    assert server.next()["error"]["code"] == -32600
    server.tell("notifications/cancelled", requestId=id, reason="enough")
    server.begin("tools/call", id=id, name="read_meter")
    assert server.next()["result"]["isError"] is True


STUBBORN = """
server = { name = "stubborn", version = "1" }
[[tool]]
name = "go_on"
cancellable = false
[[tool.step]]
wait = 0.1
[[tool.step]]
result = { text = "too late" }
[[tool]]
name = "never"
[[tool.step]]
wait = inf
"""


def test_a_stubborn_tool_answers_a_cancelled_call(talk):
    server = talk(STUBBORN, HANDSHAKE)
    id = server.begin("tools/call", name="go_on")
    server.tell("notifications/cancelled", requestId=id)
    assert server.next()["id"] == id


def test_a_tool_may_never_answer_and_the_demo_still_ends_with_stdin(talk):
    server = talk(STUBBORN, STATELESS)
    server.begin("tools/call", name="never")
    server.result("tools/list")
    assert server.close() == (0, [], "")


# Questions


def test_a_form_is_asked_and_its_answer_used(server):
    (question,), answer = asked(server, "publish_note", accept(audience="team"), name="todo")
    assert question["method"] == "elicitation/create"
    assert question["params"]["mode"] == "form"
    assert question["params"]["message"] == 'Publish the note "todo"?'
    assert list(question["params"]["requestedSchema"]) == ["type", "properties", "required"]
    assert texts(answer["result"]) == ['Published "todo" for team']


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_user_may_say_no(server, action):
    _, answer = asked(server, "publish_note", {"result": {"action": action}})
    assert texts(answer["result"]) == [f"Not published: the user said {action}"]


def test_a_form_has_no_mode_before_2025_11_25(talk):
    server = talk("full", "2025-06-18", {"elicitation": {}})
    (question,), _ = asked(server, "publish_note", accept(audience="team"))
    assert question["params"].keys() == {"message", "requestedSchema"}


def test_a_page_is_asked_for_with_an_id_in_the_handshake_era_only(server):
    (question,), answer = asked(server, "connect_account", accept())
    assert question["params"]["url"] == "https://notebook.example/connect"
    assert ("elicitationId" in question["params"]) == (server.revision == HANDSHAKE)
    assert texts(answer["result"]) == ["The account is connected"]
    completed = [{"elicitationId": "connect-1"}] if server.revision == HANDSHAKE else []
    assert server.said("notifications/elicitation/complete") == completed


def test_the_clients_model_is_asked(server):
    (question,), answer = asked(server, "summarize_note", {"result": SAID})
    assert question["method"] == "sampling/createMessage"
    assert question["params"]["maxTokens"] == 60
    assert texts(answer["result"]) == ["Summary by m1: Milk."]


def test_the_clients_model_is_asked_twice_when_it_uses_a_tool(server):
    use = {"type": "tool_use", "id": "u1", "name": "get_weather", "input": {"city": "Paris"}}
    first = {"result": {**SAID, "content": [use], "stopReason": "toolUse"}}
    questions, answer = asked(server, "plan_trip", first, {"result": SAID})
    assert questions[0]["params"]["toolChoice"] == {"mode": "auto"}
    _, assistant, results = questions[1]["params"]["messages"]
    assert assistant == {"role": "assistant", "content": [use]}
    assert results["content"][0]["toolUseId"] == "u1"
    assert texts(answer["result"]) == ["Milk."]


def test_roots_are_asked_for(server):
    roots = {"result": {"roots": [{"uri": "file:///a"}, {"uri": "file:///b"}]}}
    questions, answer = asked(server, "list_folders", roots)
    assert questions == [{"method": "roots/list"}]
    assert texts(answer["result"]) == ["2 folders: file:///a, file:///b"]


def test_ids_of_the_servers_requests_count_from_one(talk):
    server = talk("full", HANDSHAKE, EVERYTHING)
    for expected in (1, 2):
        id = server.begin("tools/call", name="list_folders")
        question = server.next()
        assert question["id"] == expected
        server.say({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}})
        server.answer(id)


def test_a_client_that_refuses_gets_a_failed_tool(talk):
    server = talk("full", HANDSHAKE, EVERYTHING)
    refusal = {"error": {"code": -1, "message": "User rejected sampling request"}}
    _, answer = asked(server, "summarize_note", refusal)
    assert answer["result"]["isError"] is True and "User rejected" in texts(answer["result"])[0]


@pytest.mark.parametrize(
    ("tool", "answer"),
    [
        ("publish_note", {"action": "maybe"}),
        ("publish_note", {"action": "accept", "content": {"audience": "martians"}}),
        ("publish_note", {"action": "accept"}),
        ("publish_note", "yes"),
        ("summarize_note", {"role": "assistant"}),
        ("list_folders", {"roots": "all"}),
    ],
)
def test_an_answer_of_the_wrong_form_is_not_used(server, tool, answer):
    _, got = asked(server, tool, {"result": answer})
    if server.revision == STATELESS:
        assert got["error"]["code"] == -32602
    else:
        assert got["result"]["isError"] is True


NEEDS = {
    "publish_note": {"elicitation": {"form": {}}},
    "connect_account": {"elicitation": {"url": {}}},
    "summarize_note": {"sampling": {}},
    "plan_trip": {"sampling": {"tools": {}}},
    "list_folders": {"roots": {}},
}


@pytest.mark.parametrize("tool", NEEDS)
def test_what_the_client_did_not_declare_is_never_asked(talk, tool):
    error = talk("full", STATELESS, {}).error("tools/call", name=tool, arguments={})
    assert (error["code"], error["data"]) == (-32021, {"requiredCapabilities": NEEDS[tool]})
    result = talk("full", HANDSHAKE, {}).call(tool)
    assert result["isError"] is True and "did not declare" in texts(result)[0]


@pytest.mark.parametrize(
    ("revision", "capabilities", "tool", "may"),
    [
        (STATELESS, {"elicitation": {}}, "publish_note", True),
        (STATELESS, {"elicitation": {}}, "connect_account", False),
        (STATELESS, {"elicitation": {"url": {}}}, "publish_note", False),
        (STATELESS, {"sampling": {}}, "plan_trip", False),
        (STATELESS, {"sampling": None, "elicitation": 5}, "summarize_note", False),
    ],
)
def test_elicitation_without_modes_means_forms_and_tools_are_a_capability_of_their_own(
    talk, revision, capabilities, tool, may
):
    answer = talk("full", revision, capabilities).ask("tools/call", name=tool, arguments={})
    assert ("result" in answer) == may


def test_elicitation_does_not_exist_before_2025_06_18_nor_pages_before_2025_11_25(talk):
    assert talk("full", "2025-03-26", EVERYTHING).call("publish_note")["isError"] is True
    assert talk("full", "2025-06-18", EVERYTHING).call("connect_account")["isError"] is True


def test_a_cancelled_call_takes_its_question_back(talk):
    server = talk("full", HANDSHAKE, EVERYTHING)
    id = server.begin("tools/call", name="list_folders")
    question = server.next()
    server.tell("notifications/cancelled", requestId=id)
    taken_back = server.next()
    assert taken_back["method"] == "notifications/cancelled"
    assert taken_back["params"]["requestId"] == question["id"]
    server.say({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}})
    assert server.quiet() == []


def test_the_server_asks_for_the_roots_again_when_they_changed(talk):
    server = talk("full", HANDSHAKE, EVERYTHING)
    server.tell("notifications/roots/list_changed")
    assert server.next()["method"] == "roots/list"


# Retries of the stateless era


@pytest.fixture
def pending(talk):
    """A demo, the params of a call that asks back, and what it asked."""
    server = talk("full", STATELESS, EVERYTHING)
    params = {"name": "publish_note", "arguments": {"name": "todo"}}
    return server, params, server.result("tools/call", **params)


ANSWERED = {"confirm": {"action": "accept", "content": {"audience": "everybody"}}}


def test_a_question_is_a_result_without_freshness_that_can_be_retried_in_another_process(pending, talk):
    _, params, asks = pending
    assert asks.keys() == {"resultType", "inputRequests", "requestState", "_meta"}
    other = talk("full", STATELESS, EVERYTHING)
    result = other.result("tools/call", **params, inputResponses=ANSWERED, requestState=asks["requestState"])
    assert texts(result) == ['Published "todo" for everybody']


def test_a_retry_without_the_answer_is_asked_again(pending):
    server, params, asks = pending
    for answers in ({}, {"other": {"action": "accept"}}):
        again = server.result("tools/call", **params, inputResponses=answers, requestState=asks["requestState"])
        assert again["resultType"] == "input_required"
        assert again["requestState"] == asks["requestState"]


def test_a_state_that_was_changed_is_refused(pending):
    server, params, asks = pending
    state = asks["requestState"]
    changed = state[:10] + ("A" if state[10] != "A" else "B") + state[11:]
    for wrong in (changed, state + "x", state[:-1], "", "v1..", "v2" + state[2:], 7, {"a": 1}, state.replace(".", "")):
        error = server.error("tools/call", **params, inputResponses=ANSWERED, requestState=wrong)
        assert error["code"] == -32602 and error["data"] == {"reason": "invalid_request_state"}, wrong


def test_a_state_belongs_to_its_call(pending):
    server, _, asks = pending
    state = asks["requestState"]
    other = {"name": "publish_note", "arguments": {"name": "other"}}
    assert server.error("tools/call", **other, inputResponses=ANSWERED, requestState=state)["code"] == -32602
    other = {"name": "list_folders", "arguments": {}}
    assert server.error("tools/call", **other, inputResponses=ANSWERED, requestState=state)["code"] == -32602


def test_answers_without_their_state_are_refused(pending):
    server, params, _ = pending
    assert server.error("tools/call", **params, inputResponses=ANSWERED)["code"] == -32602
    assert server.error("tools/call", **params, inputResponses=7)["code"] == -32602


def test_a_prompt_and_a_resource_may_ask_too(talk):
    server = talk(
        """
server = { name = "asks", version = "1" }
[[prompt]]
name = "p"
messages = [{ role = "user", text = "Work in {places.roots.0.uri}" }]
[[prompt.step]]
ask = { places = { method = "roots/list" } }
[[resource]]
uri = "a://b"
name = "b"
text = "never reached"
[[resource.step]]
ask = { places = { method = "roots/list" } }
[[resource.step]]
result = { text = "{places.roots.#} roots" }
""",
        STATELESS,
        {"roots": {}},
    )
    answer = {"places": {"roots": [{"uri": "file:///x"}]}}
    for method, params in (("prompts/get", {"name": "p"}), ("resources/read", {"uri": "a://b"})):
        asks = server.result(method, **params)
        assert asks["resultType"] == "input_required" and "ttlMs" not in asks
        done = server.result(method, **params, inputResponses=answer, requestState=asks["requestState"])
        assert "file:///x" in str(done) or "1 roots" in str(done)


# Scripts


def test_a_script_can_notify_ping_write_to_stderr_play_once_and_end_the_process(talk):
    server = talk(
        """
revisions = ["2025-11-25"]
server = { name = "script", version = "1" }
[[tool]]
name = "first_refuses"
[[tool.step]]
times = 1
[tool.step.error]
code = -32042
message = "Open the page first"
data = { elicitations = [{ mode = "url", elicitationId = "e1", url = "https://x.example", message = "Open" }] }
[[tool.step]]
result = { text = "open now" }
[[tool]]
name = "noisy"
[[tool.step]]
stderr = "working for {client.name}"
[[tool.step]]
ping = true
[[tool.step]]
notify = "notifications/elicitation/complete"
params = { elicitationId = "e1" }
[[tool]]
name = "crash"
[[tool.step]]
exit = 7
""",
        "2025-11-25",
    )
    assert server.error("tools/call", name="first_refuses")["code"] == -32042
    assert texts(server.call("first_refuses")) == ["open now"]
    assert server.call("noisy")["content"] == []
    ping, complete = server.heard
    assert (ping["method"], complete["params"]) == ("ping", {"elicitationId": "e1"})
    server.say({"jsonrpc": "2.0", "id": ping["id"], "result": {}})
    server.begin("tools/call", name="crash")
    assert server.close() == (7, [], "working for test\n")
