"""What is still too long when equal neighbours are folded."""

import pytest

from flowgen.flow import Entry, Group, Run, as_data, label, read
from tests.costs import instructions

MANY = 400


def _calls(talk, count, tools=5):
    for number in range(count):
        talk.call(f"tool_{number % tools}", {"content": [{"type": "text", "text": f"{number}"}]})
    return talk


def _rows(flow):
    return [row for step in flow.steps for row in step.open_rows]


def _run_labels(flow):
    return [label(row).en for row in _rows(flow) if isinstance(row, Run)]


def test_calls_of_many_tools_in_turn_fold_by_their_method(session, told):
    flow = _calls(session(), MANY).read()
    assert told.rows(flow) == ["1", "2", "3", "4", f"pairs ×{MANY - 2} 5–{2 * MANY}"]
    assert _run_labels(flow) == [
        "… 398 more tools/call (tool_2, tool_3, tool_4, …) · median 100 ms, max 100 ms · 79.5 s · all answered"
    ]


def test_a_step_that_can_be_read_is_left_alone(session, told):
    assert len(told.rows(_calls(session(), 30).read())) == 60


def test_fold_says_how_many_stand_and_full_draws_them_all(session, told):
    assert len(told.rows(_calls(session(), MANY).read(fold=9))) == 19
    assert len(told.rows(_calls(session(), MANY).read(full=True))) == 2 * MANY


def test_methods_in_turn_fold_each_by_itself_and_into_one_run(session):
    talk = session()
    for number in range(MANY):
        talk.call("a" if number % 2 else "b")
        talk.ask("resources/read", params={"uri": f"u{number}"}).reply({"contents": []})
    flow = talk.read()
    assert len(_rows(flow)) == 9
    assert _run_labels(flow)[0].startswith("… 796 more exchanges (tools/call, resources/read) · ")


def test_methods_without_end_fold_as_answered_exchanges(session):
    talk = session()
    for number in range(MANY):
        talk.ask(f"odd/{number}").reply({"n": number})
    flow = talk.read()
    assert len(_rows(flow)) == 5
    assert _run_labels(flow)[0].startswith("… 398 more exchanges (odd/2, odd/3, odd/4, …) · ")


def _odd(talk, kind):
    params = {"name": "odd", "arguments": {}}
    match kind:
        case "an error":
            talk.ask("tools/call", params=params).fail()
        case "a tool that fails":
            talk.ask("tools/call", params=params).reply({"isError": True, "content": []})
        case "a question back":
            talk.ask("tools/call", params=params).reply({"resultType": "input_required", "requestState": "s"})
        case "a retry":
            talk.ask("tools/call", params=params).reply({"resultType": "input_required", "requestState": "s"})
            talk.ask("tools/call", params=params | {"requestState": "s"}).reply({"content": []})
        case "a cancellation":
            talk.ask("tools/call", "gone", params=params)
            talk.tell("notifications/cancelled", back=False, params={"requestId": "gone"})
        case "no answer":
            talk.ask("tools/call", "silent", params=params)
        case "a subscription":
            talk.ask("subscriptions/listen", "open")
        case "a list that changed":
            talk.listed().ask("tools/list").reply({"tools": [{"name": "other"}]})


KINDS = ["an error", "a tool that fails", "a question back", "a retry", "a cancellation", "no answer",
         "a subscription", "a list that changed"]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_what_stands_out_is_in_no_run(session, kind):
    talk = _calls(session(), MANY)
    before = len(talk.messages) + (2 if "list" in kind else 0)  # the list that it is compared with
    _odd(talk, kind)
    odd = {message["seq"] for message in talk.messages[before:]}
    flow = _calls(talk, MANY).read(full=False)
    standing = {row.message.seq for row in _rows(flow) if isinstance(row, Entry)}
    assert odd <= standing
    assert len(_rows(flow)) < 20


def test_equal_errors_on_end_fold_to_a_run_that_says_so(session, told):
    talk = _calls(session(), 3, tools=1)
    for number in range(MANY):
        talk.ask("tools/call", params={"name": "x", "arguments": {}}).fail(-32603, f"no {number}")
    flow = talk.call("x").read()
    rows = _rows(flow)
    assert told.rows(flow)[-4:-2] == ["10", f"pairs ×{MANY - 2} 11–{6 + 2 * MANY}"]
    assert label(rows[-3]).en.endswith("all failed (−32603)") and label(rows[-3]).zh.endswith("全部失败 (−32603)")


@pytest.mark.parametrize("codes", [1, 3, 100_000])
def test_thousands_of_errors_end_in_a_bounded_number_of_rows(session, told, codes):
    talk = session()
    for number in range(1000):
        talk.call().ask("tools/call", params={"name": "x", "arguments": {}}).fail(-(number % codes) - 1)
    flow = talk.read()
    assert len(_rows(flow)) <= 30
    assert any("failed" in text for text in _run_labels(flow))
    assert [entry.number for entry in told.entries(flow)] == list(range(1, 4001))


def test_requests_that_wait_at_the_same_time_fold_too(session, told):
    talk = session()
    for number in range(4):
        talk.ask("tools/call", number, params={"name": "a", "arguments": {}})
    for number in range(4, MANY):
        talk.ask("tools/call", number, params={"name": f"t{number % 3}", "arguments": {}}).reply({"n": 1}, number - 4)
    for number in range(MANY - 4, MANY):
        talk.reply({"n": 1}, number)
    flow = talk.read()
    assert len(_rows(flow)) < 20
    assert [entry.number for entry in told.entries(flow)] == list(range(1, 2 * MANY + 1))


def test_questions_back_without_end_fold_in_the_end(session):
    talk = session("2026-07-28")
    for number in range(MANY):
        params = {"name": "x", "arguments": {"n": number}}
        talk.ask("tools/call", params=params).reply({"resultType": "input_required", "requestState": f"{number}"})
        talk.ask("tools/call", params=params | {"requestState": f"{number}"}).reply({"content": []})
    assert len(_rows(talk.read())) < 20


def test_frames_without_end_fold_after_the_first_ones(session):
    talk = session()
    for task in range(100):
        for status in ("working", "working", "completed"):
            talk.ask("tasks/get", params={"taskId": f"t{task}"}).reply({"status": status})
    flow = talk.read()
    assert sum(isinstance(row, Group) for step in flow.steps for row in step.rows) == 2
    assert len(_rows(flow)) == 13


def test_progress_and_logs_in_turn_fold_to_one_row(session):
    talk = session().ask("tools/call", 1)
    for number in range(MANY):
        talk.tell("notifications/progress", params={"progressToken": 1, "progress": number}).stderr()
    flow = talk.reply({}, 1).read(complete=False)
    assert _run_labels(flow) == ["… 800 more messages (notifications/progress) · 79.9 s"]
    assert len(_rows(flow)) == 3


def test_notices_between_calls_fold_with_them(session):
    talk = session()
    for number in range(MANY):
        talk.call().tell("notifications/resources/updated", params={"uri": f"u{number}"})
    assert len(_rows(talk.read())) == 7


def test_answers_under_one_id_are_not_all_kept_standing(session):
    talk = session()
    for number in range(MANY):
        talk.ask("a", number).reply({"n": number}, 0)
    assert len(_rows(talk.read())) < 20


def test_reading_grows_with_the_trace_and_no_faster(session):
    small, large = (_calls(session(), count).trace() for count in (100, 400))
    read(small)
    assert instructions(lambda: read(large)) < 5 * instructions(lambda: read(small))


def test_a_thinned_flow_is_data_too(session):
    data = as_data(_calls(session(), MANY).read())
    assert data["steps"][0]["rows"][-1]["count"] == MANY - 2
