"""Tasks of both generations: made, asked for, supplied, cancelled."""

import pytest

STATELESS, HANDSHAKE = "2026-07-28", "2025-11-25"
EXTENSION = "io.modelcontextprotocol/tasks"
RELATED = "io.modelcontextprotocol/related-task"
FORM = {"elicitation": {"form": {}}}
DECLARED = {**FORM, "extensions": {EXTENSION: {}}}
SHOP = """
[server]
name = "shop"
version = "1"

[[tool]]
name = "quick"
task = { poll_ms = 5 }
result = { text = "done" }

[[tool]]
name = "only"
task = { support = "required" }
result = { text = "done" }

[[tool]]
name = "slow"
task = { ttl_ms = 900 }
step = [{ wait = inf }]

[[tool]]
name = "odd"
task = {}
step = [{ error = { code = -32000, message = "no paper" } }]

[[tool]]
name = "failing"
task = {}
result = { text = "jammed", isError = true }

[[tool]]
name = "plain"
result = { text = "at once" }

[[tool]]
name = "asks"
task = {}

[[tool.step]]
[tool.step.ask.paper]
method = "elicitation/create"

[tool.step.ask.paper.params]
mode = "form"
message = "Which?"
requestedSchema = { type = "object", properties = { paper = { type = "string" } }, required = ["paper"] }

[[tool.step]]
result = { text = "On {paper.content.paper}" }
"""


def accept(paper="matt"):
    return {"action": "accept", "content": {"paper": paper}}


@pytest.fixture
def core(talk):
    return talk(SHOP, HANDSHAKE, FORM)


@pytest.fixture
def extension(talk):
    return talk(SHOP, STATELESS, DECLARED)


def started(server, name, **task):
    """The task that a call becomes."""
    result = server.ask("tools/call", name=name, arguments={}, **task)["result"]
    return result if server.revision == STATELESS else result["task"]


def stands(server, task):
    return server.ask("tasks/get", taskId=task["taskId"])["result"]


# 2025-11-25


def test_what_the_server_can_do_with_tasks_is_declared_in_the_revision_that_has_it(core, talk):
    told = core.opened["result"]["capabilities"]
    assert told["tasks"] == {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}} and "extensions" not in told
    tools = {tool["name"]: tool.get("execution") for tool in core.ask("tools/list")["result"]["tools"]}
    assert tools["quick"] == {"taskSupport": "optional"} and tools["only"] == {"taskSupport": "required"}
    assert tools["plain"] is None
    older = talk(SHOP, "2025-06-18", FORM)
    assert "tasks" not in older.opened["result"]["capabilities"]
    assert not any("execution" in tool for tool in older.ask("tools/list")["result"]["tools"])
    assert older.error("tasks/get", taskId="task-1")["code"] == -32601


def test_a_call_that_asks_for_a_task_is_answered_with_one(core):
    task = started(core, "slow", task={"ttl": 5})
    assert task["status"] == "working" and task["ttl"] == 900 and task["pollInterval"] == 1000
    assert task["createdAt"] == task["lastUpdatedAt"] == "2026-07-28T12:00:00Z"
    assert stands(core, task) == task
    assert core.ask("tasks/list")["result"]["tasks"] == [task]
    assert started(core, "quick", task={"ttl": 5})["ttl"] == 5


def test_its_result_is_fetched_and_says_whose_it_is(core):
    task = started(core, "quick", task={})
    result = core.ask("tasks/result", taskId=task["taskId"])["result"]
    assert result["content"] == [{"type": "text", "text": "done"}]
    assert result["_meta"] == {RELATED: {"taskId": "task-1"}}
    after = stands(core, task)
    assert after["status"] == "completed" and after["lastUpdatedAt"] > after["createdAt"]


def test_whoever_waits_for_a_result_is_asked_for_what_it_needs(core):
    task = started(core, "asks", task={})
    assert stands(core, task)["status"] == "input_required"
    waiting = core.begin("tasks/result", taskId=task["taskId"])
    question = core.next()
    assert question["method"] == "elicitation/create"
    assert question["params"]["_meta"] == {RELATED: {"taskId": task["taskId"]}}
    core.say({"jsonrpc": "2.0", "id": question["id"], "result": accept()})
    assert core.answer(waiting)["result"]["content"][0]["text"] == "On matt"
    assert stands(core, task)["status"] == "completed"


def test_a_tool_says_whether_it_may_or_must_be_a_task(core):
    assert core.error("tools/call", name="plain", arguments={}, task={})["code"] == -32601
    assert core.error("tools/call", name="only", arguments={})["code"] == -32601
    assert core.ask("tools/call", name="quick", arguments={})["result"]["content"]


def test_a_task_is_cancelled_once(core):
    task = started(core, "slow", task={})
    assert core.ask("tasks/cancel", taskId=task["taskId"])["result"]["status"] == "cancelled"
    assert core.error("tasks/cancel", taskId=task["taskId"])["code"] == -32602
    assert core.error("tasks/result", taskId=task["taskId"])["message"] == "The task was cancelled"


def test_a_task_that_fails_says_so(core):
    for name in ("odd", "failing"):
        task = started(core, name, task={})
        assert stands(core, task)["status"] == "failed"
        answer = core.ask("tasks/result", taskId=task["taskId"])
        assert answer["error"]["code"] == -32000 if name == "odd" else answer["result"]["isError"]


def test_unknown_tasks_are_refused(core, extension):
    for server in (core, extension):
        for method in ("tasks/get", "tasks/cancel"):
            assert server.error(method, taskId="task-9")["code"] == -32602


# the extension of 2026-07-28


def test_the_extension_is_declared_and_its_tasks_are_flat(extension):
    told = extension.ask("server/discover")["result"]["capabilities"]
    assert told["extensions"] == {EXTENSION: {}} and "tasks" not in told
    task = started(extension, "slow")
    assert (task["resultType"], task["status"], task["ttlMs"], task["pollIntervalMs"]) == ("task", "working", 900, 1000)
    assert stands(extension, task)["status"] == "working"
    assert extension.error("tasks/list")["code"] == extension.error("tasks/result")["code"] == -32601


def test_how_it_stands_brings_what_came_of_it(extension):
    done = stands(extension, started(extension, "quick"))
    assert done["status"] == "completed" and done["result"]["content"][0]["text"] == "done"
    assert stands(extension, started(extension, "odd"))["error"] == {"code": -32000, "message": "no paper"}


def test_what_it_asks_for_is_handed_in(extension):
    task = started(extension, "asks")
    asked = stands(extension, task)
    assert asked["status"] == "input_required" and list(asked["inputRequests"]) == ["paper"]
    wrong = {"paper": {"action": "accept", "content": {}}}
    assert extension.error("tasks/update", taskId=task["taskId"], inputResponses=wrong)["code"] == -32602
    assert extension.error("tasks/update", taskId=task["taskId"], inputResponses=3)["code"] == -32602
    assert extension.ask("tasks/update", taskId=task["taskId"], inputResponses={"other": 1})["result"]
    assert stands(extension, task)["status"] == "input_required"
    assert extension.ask("tasks/update", taskId=task["taskId"], inputResponses={"paper": accept("glossy")})["result"]
    assert stands(extension, task)["result"]["content"][0]["text"] == "On glossy"


def test_it_is_cancelled_with_an_empty_answer(extension):
    task = started(extension, "slow")
    for _ in range(2):
        assert extension.ask("tasks/cancel", taskId=task["taskId"])["result"].keys() == {"resultType", "_meta"}
    assert stands(extension, task)["status"] == "cancelled"


def test_who_did_not_declare_the_extension_gets_the_answer_itself(talk):
    server = talk(SHOP, STATELESS, FORM)
    assert server.call("quick")["content"][0]["text"] == "done"
    for error in (server.error("tools/call", name="only", arguments={}), server.error("tasks/get", taskId="task-1")):
        assert error["code"] == -32021
        assert error["data"] == {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}


def test_a_task_that_needs_what_the_client_lacks_fails(talk):
    server = talk(SHOP, STATELESS, {"extensions": {EXTENSION: {}}})
    told = stands(server, started(server, "asks"))
    assert told["status"] == "failed" and told["error"]["code"] == -32021
