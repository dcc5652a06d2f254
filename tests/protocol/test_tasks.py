"""Calls that become tasks: polled, supplied, fetched, cancelled, in both generations; whatever the server says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen import protocol
from flowgen.protocol import Pause, Step, answers_from
from flowgen.protocol._tasks import LONGEST, POLL_SECONDS, SHORTEST, _interval
from flowgen.protocol._tour import _stepped

AGREES = answers_from(b"[[elicitation]]\naccept = { paper = 'matt' }\n", "answers")
QUESTION = {"method": "elicitation/create", "params": {"message": "Which?", "requestedSchema": {}}}
CORE = {"task": {"taskId": "t1", "status": "working", "pollInterval": 200}}
FLAT = {"resultType": "task", "taskId": "t1", "status": "working", "pollIntervalMs": 200}
DONE = {"status": "completed", "result": {"content": []}}


@pytest.fixture
def called(talk, client):
    def play(step, revision, server, **options):
        return talk(_stepped(client(revision, **options), step, 1), server)

    return play


def core(**more):
    return Step("call", "print", task={"ttl": 60000}, **more)


def at(*states):
    return [{"taskId": "t1", "status": state} for state in states]


def test_a_task_of_the_core_is_asked_for_polled_and_its_result_fetched(called):
    polls = at("working", "working", "completed")
    talk = called(core(), "2025-11-25", {"tools/call": CORE, "tasks/get": polls, "tasks/result": {"content": []}})
    assert talk.of(protocol.Ask)[0].params == {"name": "print", "arguments": {}, "task": {"ttl": 60000}}
    assert talk.said == ["tools/call", *["tasks/get"] * 3, "tasks/result"]
    assert [pause.seconds for pause in talk.of(Pause)] == [0.2] * 3
    assert talk.notes == [("waited", {"seconds": 0.2, "why": "poll"})] * 3


@pytest.mark.parametrize(
    ("state", "after"),
    [("input_required", ["tasks/result"]), ("failed", ["tasks/result"]), ("cancelled", []), ("?", [])],
)
def test_in_the_core_its_result_is_waited_for_where_there_is_one(called, state, after):
    talk = called(core(), "2025-11-25", {"tools/call": CORE, "tasks/get": at(state)})
    assert talk.said == ["tools/call", "tasks/get", *after]


def test_a_task_of_the_extension_brings_its_questions_and_its_result(called):
    asking = {"status": "input_required", "inputRequests": {"paper": QUESTION}}
    polls = [*at("working"), asking, asking, DONE]
    server = {"tools/call": FLAT, "tasks/get": polls, "tasks/update": {}}
    talk = called(Step("call", "print"), "2026-07-28", server, answers=AGREES)
    assert talk.said == ["tools/call", "tasks/get", "tasks/get", "tasks/update", "tasks/get", "tasks/get"]
    update = next(ask for ask in talk.of(protocol.Ask) if ask.method == "tasks/update")
    assert update.params["taskId"] == "t1"
    assert update.params["inputResponses"] == {"paper": {"action": "accept", "content": {"paper": "matt"}}}


def test_what_may_not_be_answered_ends_the_following(called):
    asking = {"status": "input_required", "inputRequests": {"x": {"method": "odd/question"}}}
    talk = called(Step("call", "print"), "2026-07-28", {"tools/call": FLAT, "tasks/get": asking}, answers=AGREES)
    assert talk.said == ["tools/call", "tasks/get"] and "refused" in talk.warnings[0]


@pytest.mark.parametrize(("revision", "made"), [("2025-11-25", CORE), ("2026-07-28", FLAT)])
def test_the_plan_may_cancel_a_task(called, revision, made):
    step = core(cancel_after=0.5) if revision == "2025-11-25" else Step("call", "print", cancel_after=0.5)
    talk = called(step, revision, {"tools/call": made, "tasks/get": at(*["working"] * 9)})
    assert talk.said == ["tools/call", "tasks/get", "tasks/get", "tasks/cancel"]
    assert talk.notes[-1] == ("cancelled", {"about": 2, "why": "plan", "by": "request"})


def test_a_task_without_a_name_is_told_and_left(called):
    talk = called(core(), "2025-11-25", {"tools/call": {"task": {}}})
    assert talk.said == ["tools/call"] and "without a taskId" in talk.warnings[0]


def test_an_error_or_silence_ends_the_following(called):
    for answer in ({"code": -32602, "message": "no such task"}, {}):
        talk = called(core(), "2025-11-25", {"tools/call": CORE, "tasks/get": answer})
        assert talk.said == ["tools/call", "tasks/get"]


ODD = st.one_of(st.none(), st.booleans(), st.floats(), st.integers(), st.text(max_size=5), st.lists(st.none()))


@given(ODD | st.sampled_from([10**400, -(10**400), float("nan"), float("inf"), -1, 0]))
@settings(max_examples=60)
def test_the_interval_is_never_too_short_nor_too_long(named):
    assert _interval(named) == POLL_SECONDS or SHORTEST <= _interval(named) <= LONGEST
