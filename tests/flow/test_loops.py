"""Loops seen in a trace: pages of a list, polling of a task."""

import pytest

from flowgen.flow import Entry, Group, Run, label


def _paged(session, *pages, method="tools/list", common=None):
    """A list of so many pages; a page is how many tools there are on it."""
    talk = session() if common is None else common
    for page, size in enumerate(pages):
        params = {"params": {"cursor": f"c{page}"}} if page else {}
        more = {"nextCursor": f"c{page + 1}"} if page + 1 < len(pages) else {}
        talk.ask(method, **params).reply({"tools": [{"name": f"t{page}-{n}"} for n in range(size)]} | more)
    return talk


def _polled(talk, *statuses, task="t", method="tasks/get"):
    for status in statuses:
        talk.ask(method, params={"taskId": task}).reply({"taskId": task, "status": status})
    return talk


def _rows(flow):
    return [row for step in flow.steps for row in step.rows]


def _group(flow):
    found = [row for row in _rows(flow) if isinstance(row, Group)]
    assert len(found) == 1
    return found[0]


def _condition(flow):
    said = _group(flow).branches[0].condition
    return said.en, said.zh


def test_the_pages_of_a_list_stand_in_one_frame(session):
    flow = _paged(session, 10, 10, 3).read()
    group = _group(flow)
    assert group.operator == "loop"
    assert [row.message.seq for row in group.branches[0].rows] == [1, 2, 3, 4, 5, 6]
    en, zh = _condition(flow)
    assert en == "while nextCursor is there · 3 pages · 23 tools"
    assert zh == "只要有 nextCursor · 3 页 · 23 个工具"


def test_a_list_of_one_page_has_no_frame(session):
    assert all(isinstance(row, Entry) for row in _rows(_paged(session, 10).read()))


def test_a_list_that_was_not_asked_to_its_end_says_so(session):
    talk = session()
    talk.ask("tools/list").reply({"tools": [{"name": "a"}], "nextCursor": ""})
    talk.ask("tools/list", params={"cursor": ""}).reply({"tools": [{"name": "b"}], "nextCursor": "x"})
    assert _condition(talk.read()) == ("2 pages · 2 tools · more is left", "2 页 · 2 个工具 · 尚有后续")


def test_a_cursor_that_no_answer_gave_is_no_next_page(session):
    talk = session().ask("tools/list").reply({"tools": [], "nextCursor": "a"})
    talk.ask("tools/list", params={"cursor": "b"}).reply({"tools": []})
    assert not any(isinstance(row, Group) for row in _rows(talk.read()))


def test_the_same_list_of_two_servers_makes_two_lists(session):
    talk = session()
    talk.ask("tools/list").reply({"tools": [], "nextCursor": "a"})
    talk.ask("tools/list", params={"cursor": "a"}, receiver="other").reply({"tools": []}, sender="other")
    assert not any(isinstance(row, Group) for row in _rows(talk.read()))


def test_many_pages_fold_but_the_first_and_the_last_stand(session):
    rows = _group(_paged(session, *[2] * 9).read()).branches[0].rows
    assert [type(row) for row in rows] == [Entry, Entry, Run, Entry, Entry]
    assert label(rows[2]).en == "… 7 more tools/list · median 100 ms, max 100 ms · 1.3 s · all answered"
    assert "nextCursor" not in rows[-1].message.body["result"]


def test_fold_lets_more_rounds_stand_and_full_all_of_them(session):
    pages = _paged(session, *[2] * 9)
    assert len(_group(pages.read(fold=4)).branches[0].rows) == 9
    assert len(_group(pages.read(full=True)).branches[0].rows) == 18


def test_a_last_page_that_fails_is_seen(session):
    talk = session().ask("prompts/list").reply({"prompts": [], "nextCursor": "a"})
    talk.ask("prompts/list", params={"cursor": "a"}).fail(-32602, "bad cursor")
    assert _group(talk.read()).branches[0].rows[-1].message.kind == "error"


def test_logs_and_notices_between_pages_do_not_break_the_frame(session):
    talk = session().ask("tools/list").reply({"tools": [], "nextCursor": "a"})
    talk.stderr().changed("prompts").note("waited", seconds=1)
    talk.ask("tools/list", params={"cursor": "a"}).reply({"tools": []})
    assert len(_group(talk.read(complete=False)).branches[0].rows) == 7


def test_another_request_between_pages_ends_the_frame(session):
    talk = session().ask("tools/list", "a").reply({"tools": [], "nextCursor": "a"}).ask("ping").reply()
    talk.ask("tools/list", params={"cursor": "a"}).reply({"tools": [], "nextCursor": "b"})
    talk.ask("tools/list", params={"cursor": "b"}).reply({"tools": []}).ask("ping").reply()
    rows = _rows(talk.read())
    assert [row.message.seq if isinstance(row, Entry) else "frame" for row in rows] == [1, 2, 3, 4, "frame", 9, 10]


def test_a_frame_ends_with_its_last_answer(session):
    flow = _paged(session, 1, 1).stderr().changed("prompts").read(complete=False)
    assert len(_group(flow).branches[0].rows) == 4
    assert len(_rows(flow)) == 3


def test_polling_stands_in_a_frame_until_the_status_changes(session):
    flow = _polled(session(), "working", "working", "working", "working", "completed").read()
    rows = _group(flow).branches[0].rows
    assert [type(row) for row in rows] == [Entry, Entry, Run, Entry, Entry]
    assert _condition(flow) == (
        "until the status changes · 5 times · working → completed · 900 ms",
        "直到状态变化 · 5 次 · working → completed · 900 ms",
    )
    assert label(rows[-1]).en == "tasks/get response: the task is completed"


def test_polling_that_was_given_up_does_not_claim_a_change(session):
    assert _condition(_polled(session(), "working", "working").read())[0] == "2 times · working · 300 ms"


def test_after_a_change_of_status_a_new_loop_begins(session):
    flow = _polled(session(), "working", "input_required", "working", "working", "completed").read()
    sizes = [len(row.branches[0].rows) for row in _rows(flow) if isinstance(row, Group)]
    assert sizes == [4, 6]


def test_asking_once_after_a_task_is_no_loop(session):
    assert not any(isinstance(row, Group) for row in _rows(_polled(session(), "completed").read()))


def test_two_tasks_polled_in_turn_are_no_loop(session):
    talk = session()
    for _ in range(4):
        _polled(_polled(talk, "working", task="a"), "working", task="b")
    assert not any(isinstance(row, Group) for row in _rows(talk.read()))


def test_a_result_that_is_asked_for_until_it_is_there_is_a_loop(session):
    talk = session()
    for _ in range(2):
        talk.ask("tasks/result", params={"taskId": "t"}).fail(-32603, "not yet")
    talk.ask("tasks/result", params={"taskId": "t"}).reply({"content": []})
    assert _condition(talk.read())[0] == "3 times · 500 ms"


def test_pauses_between_polls_fold_with_them(session):
    talk = session()
    for status in ["working"] * 8 + ["completed"]:
        _polled(talk, status).note("waited", seconds=1, why="poll")
    kinds = [type(row) for row in _group(talk.read()).branches[0].rows]
    assert kinds == [Entry, Entry, Entry, Run, Entry, Entry]


@pytest.mark.parametrize("hide", ["response", "request"])
def test_frames_hold_what_is_shown(session, told, hide):
    flow = _paged(session, 1, 1, 1).read(hide=[hide])
    shown = [entry.number for entry in told.entries(flow)]
    assert shown == ([1, 3, 5] if hide == "response" else [2, 4, 6])
    assert any(isinstance(row, Group) for row in _rows(flow)) == (hide == "response")


def test_an_answer_that_is_overtaken_belongs_to_the_frame(session, told):
    talk = session().ask("tasks/get", 1, params={"taskId": "t"}).ask("tasks/get", 2, params={"taskId": "t"})
    talk.reply({"status": "working"}, 1).reply({"status": "completed"}, 2)
    assert [entry.number for entry in told.entries(talk.read())] == [1, 2, 3, 4]
