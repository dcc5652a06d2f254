"""Recordings that went differently under one `alt` frame."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.flow import Group, Remark, Run, alternatives, as_data, by_time, stacked
from flowgen.trace import Trace
from tests.flow.conftest import Session

QUIET = {"notes": "none"}
CALL = {"name": "weather", "arguments": {"location": "SF"}}


def told(rows):
    """Numbers and methods of the rows, the texts of remarks."""
    return [row.text.en if isinstance(row, Remark) else (row.number, row.message.kind) for row in rows]


@pytest.fixture
def good(session):
    return session().greeted().listed().call().trace()


@pytest.fixture
def bad(session):
    return session().greeted().listed().ask("tools/call", params=CALL).fail().trace()


def test_the_common_beginning_stands_once_and_the_answers_in_a_branch_each(good, bad):
    flow = alternatives([good, bad], ["good", "bad"], **QUIET)
    *common, frame = flow.steps[-1].rows
    assert [step.number for step in flow.steps] == [1, 2, 3]
    assert told(common) == [(6, "request")]
    assert isinstance(frame, Group) and frame.operator == "alt"
    assert [branch.condition.en for branch in frame.branches] == ["good", "bad"]
    assert [told(branch.rows) for branch in frame.branches] == [[(7, "response")], [(8, "error")]]
    assert flow.facts.messages == 8 and len(flow.lanes) == 2


def test_both_answers_belong_to_the_one_request(good, bad):
    flow = alternatives([good, bad], ["good", "bad"], **QUIET)
    request, frame = flow.steps[-1].rows
    answers = [branch.rows[0] for branch in frame.branches]
    assert [answer.request for answer in answers] == [request.message.seq] * 2
    assert request.answer == answers[0].message.seq != answers[1].message.seq
    assert all(answer.latency == pytest.approx(0.1) for answer in answers)


def test_other_arguments_are_another_way(good, session):
    other = session().greeted().listed().call(location="Oslo").trace()
    flow = alternatives([good, other], ["sf", "oslo"], **QUIET)
    assert [told(branch.rows) for branch in flow.steps[-1].rows[0].branches] == [
        [(6, "request"), (7, "response")], [(8, "request"), (9, "response")],
    ]  # fmt: skip
    assert (flow.steps[-1].number, flow.steps[-1].title.en) == (3, "Tool Execution")


def test_other_contents_of_what_stands_once_are_told(good, session):
    newer = session().greeted().listed(result={"tools": []}).ask("tools/call", params=CALL).fail().trace()
    flow = alternatives([good, newer], ["old", "new"], **QUIET)
    remark = flow.steps[-1].rows[-2].text
    assert remark.en == "Above as in old. In new the contents of 5 differ."
    assert remark.zh == "以上取自 old。new 中 5 的内容不同。"


def test_a_branch_never_holds_what_its_recording_has_not(good, session):
    short = session().greeted().listed().trace()
    flow = alternatives([short, good], ["short", "long"], **QUIET)
    assert [told(branch.rows) for branch in flow.steps[-1].rows[0].branches] == [
        ["nothing more here"], [(6, "request"), (7, "response")],
    ]  # fmt: skip


def test_steps_within_a_branch_are_told_for_no_band_stands_in_a_frame(good, session):
    other = session().greeted().listed("resources").call().trace()
    flow = alternatives([good, other], ["1", "2"], **QUIET)
    step = flow.steps[-1]
    assert step.number is None
    assert [row for branch in step.rows[0].branches for row in told(branch.rows) if isinstance(row, str)] == [
        "Tool Discovery", "Tool Execution", "Resources", "Tool Execution",
    ]  # fmt: skip


def test_the_same_twice_is_one_recording_without_a_frame(good):
    flow = alternatives([good, good], ["1", "2"], **QUIET)
    assert [row.number for step in flow.steps for row in step.rows] == list(range(1, 8))
    assert flow.facts.messages == 7


def test_a_request_that_stays_unanswered_counts_once_in_each_branch(good, session):
    hung = session().greeted().listed().ask("tools/call", params=CALL).trace(complete=False)
    flow = alternatives([good, hung], ["good", "hung"], **QUIET)
    assert [told(branch.rows) for branch in flow.steps[-1].rows[0].branches] == [
        [(6, "request"), (7, "response")], [(8, "request")],
    ]  # fmt: skip
    assert (flow.facts.unanswered, [end.name for end in flow.outcome.servers]) == (1, ["hung"])


def test_a_new_version_of_a_server_is_the_same_session_and_both_are_named(session):
    def seen(version, talk):
        people = [{"id": "client", "role": "client"}, {"id": "server", "role": "server", "title": f"s {version}"}]
        return talk.trace(participants=people)

    flow = alternatives([seen(1, session().listed().call()), seen(2, session().listed())], ["1", "2"], **QUIET)
    assert [lane.title for lane in flow.lanes] == [None, "s 1 / s 2"]
    assert told(flow.steps[0].rows) == [(1, "request"), (2, "response")]


def test_steps_can_be_chosen(good, bad):
    assert [step.number for step in alternatives([good, bad], ["1", "2"], steps="3", **QUIET).steps] == [3]


@given(st.lists(st.lists(st.integers(0, 24), max_size=14), min_size=1, max_size=3), st.booleans())
@settings(max_examples=60)
def test_whatever_is_set_together_every_message_has_a_number_of_its_own(picks, full):
    """Recordings of any messages in any order, some of them the same."""
    talk = Session().process("started").ask("server/discover").fail().greeted().listed().call().changed().listed()
    talk.ask("tools/call", params={"name": "b"}).fail().note("approved", name="b").stderr().call().call(name="c")
    rows, traces = talk.messages, []
    for pick in picks:
        chosen = [rows[at % len(rows)] | {"seq": seq, "at": seq / 10} for seq, at in enumerate(pick, 5)]
        roles = [{"id": id_, "role": id_} for id_ in ("client", "server")]
        outcome = {"complete": len(pick) % 2 == 0, "reason": "done"}
        traces.append(Trace(participants=roles, messages=chosen, outcome=outcome, recorded_at="2026-11-30T12:00:00Z"))
    for way in (alternatives, stacked, by_time):
        flow = way(traces, [str(at) for at in range(len(traces))], show=["probe", "process"], full=full, **QUIET)
        drawn = [row for step in flow.steps for row in step.open_rows]
        shown = [entry for row in drawn for entry in (row.entries if isinstance(row, Run) else [row])]
        numbers = [entry.number for entry in shown if entry.number is not None]
        seqs = {entry.message.seq for entry in shown}
        assert sorted(numbers) == list(range(1, flow.facts.messages + 1))
        assert len(seqs) == len(shown)
        assert all(entry.request in seqs for entry in shown if entry.request is not None)
        as_data(flow)
