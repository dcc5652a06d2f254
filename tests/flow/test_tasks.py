"""Tasks of both generations: their labels, and the call that they belong to."""

import pytest

from flowgen.flow import label

RELATED = {"_meta": {"io.modelcontextprotocol/related-task": {"taskId": "t"}}}


def _task(status="working", **more):
    return {"taskId": "t", "status": status, "createdAt": "", "lastUpdatedAt": ""} | more


def _labels(told, flow):
    return [label(entry).en for entry in told.entries(flow)]


def test_a_task_of_2025_11_25_from_its_making_to_its_result(session, told):
    talk = session("2025-11-25").ask("tools/call", params={"name": "report", "task": {"ttl": 60000}})
    talk.tell("notifications/tasks/status", params=_task()).reply({"task": _task()})
    talk.ask("tasks/get", params={"taskId": "t"}).reply(_task("completed"))
    talk.ask("tasks/result", params={"taskId": "t"}).reply({"content": []} | RELATED)
    talk.ask("tasks/cancel", params={"taskId": "t"}).reply(_task("cancelled"))
    talk.ask("elicitation/create", "q", back=True, params=RELATED).reply({"action": "decline"}, "q", back=False)
    flow = talk.read()
    assert _labels(told, flow)[:9] == [
        "tools/call request",
        "notifications/tasks/status: the task is working",
        "tools/call response: a task is made",
        "tasks/get request",
        "tasks/get response: the task is completed",
        "tasks/result request",
        "tasks/result response: the task's result",
        "tasks/cancel request",
        "tasks/cancel response: the task is cancelled",
    ]
    about = {entry.message.seq: entry.about for entry in told.entries(flow) if entry.about}
    assert about == {2: 1, 4: 1, 6: 1, 8: 1, 10: 1}
    assert label(told.by_seq(flow)[3]).zh == "tools/call 响应：已创建任务"


def test_a_task_of_the_extension_asks_for_input_and_is_told_on_a_stream(session, told):
    talk = session("2026-07-28").ask("tools/call", "c", params={"name": "report"})
    talk.reply({"resultType": "task"} | _task(ttlMs=1))
    talk.ask("tasks/get", params={"taskId": "t"}).reply(_task("input_required", inputRequests={}))
    talk.ask("tasks/update", params={"taskId": "t"}).reply({"resultType": "complete"})
    talk.tell("notifications/tasks", params=_task("failed"))
    talk.ask("tasks/cancel", params={"taskId": "t"}).reply({"resultType": "complete"})
    flow = talk.read()
    assert _labels(told, flow)[1::2] == [
        "tools/call response: a task is made",
        "tasks/get response: the task needs input",
        "tasks/update response: the input has arrived",
        "tasks/cancel request",
    ]
    assert _labels(told, flow)[6] == "notifications/tasks: the task failed"
    assert _labels(told, flow)[8] == "tasks/cancel response: the task is to be cancelled"
    assert [entry.about for entry in told.entries(flow)] == [None, None, 1, None, 1, None, 1, 1, None]


def test_a_task_that_the_client_holds_belongs_to_the_server_s_request(session, told):
    talk = session("2025-11-25").ask("sampling/createMessage", "s", back=True, params={"task": {}})
    talk.reply({"task": _task()}, "s", back=False)
    talk.ask("tasks/get", "g", back=True, params={"taskId": "t"}).reply(_task("completed"), "g", back=False)
    assert [entry.about for entry in told.entries(talk.read())] == [None, None, 1, None]


def test_an_unknown_task_belongs_to_nothing_and_an_unknown_status_is_told_as_it_is(session, told):
    flow = session().ask("tasks/get", params={"taskId": "x"}).reply({"status": "paused"}).read()
    assert [entry.about for entry in told.entries(flow)] == [None, None]
    assert label(told.by_seq(flow)[2]).en == "tasks/get response: the task is paused"


@pytest.mark.parametrize("result", [{"task": None}, {"task": {"taskId": 3}}, {"task": []}, {"status": "working"}])
def test_what_only_looks_like_a_task_is_an_ordinary_answer(session, told, result):
    flow = session().ask("tools/call").reply(result).read()
    assert _labels(told, flow)[1] == "tools/call response"


def test_a_list_of_tasks_has_no_status(session, told):
    flow = session().ask("tasks/list").reply({"tasks": [_task()], "status": "x"}).read()
    assert _labels(told, flow)[1] == "tasks/list response"


def test_how_a_task_stands_is_part_of_what_is_alike(session, told):
    talk = session()
    for number, status in enumerate(["working"] * 6 + ["completed"]):
        talk.ask("tasks/get", params={"taskId": f"t{number}"}).reply({"taskId": f"t{number}", "status": status})
    assert told.rows(talk.read()) == ["1", "2", "3", "4", "pairs ×4 5–12", "13", "14"]
