"""Several recordings as one, in the order of time."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.trace import began, joined, overlapping
from tests.traces import answers, asks, trace_of

NOON = "2026-11-30T12:00:00.000Z"


def at(second, message):
    return message | {"at": second}


def ended(reason, **more):
    return {"complete": False, "reason": reason, **more}


def test_messages_stand_in_the_order_in_which_they_happened():
    early = trace_of(at(0.5, asks("early")), at(3.0, answers()), recorded_at=NOON)
    late = trace_of(at(0.2, asks("late")), at(1.0, answers()), recorded_at="2026-11-30T12:00:01.000Z")
    one, (first, second) = joined([late, early], ["late", "early"])
    told = [(message.seq, message.at, message.body.get("method")) for message in one.messages]
    assert told == [(1, 0.5, "early"), (2, 1.2, "late"), (3, 2.0, None), (4, 3.0, None)]
    assert (one.recorded_at, one.messages[0].sender, one.messages[1].sender) == (NOON, second["client"], "client")
    assert {who.id for who in one.participants} == {*first.values(), *second.values()}


def test_within_a_recording_nothing_changes_places_whatever_its_clock_says():
    jumping = trace_of(at(2.0, asks("a")), at(1.0, answers()), at(None, asks("b")), recorded_at=NOON)
    steady = trace_of(at(1.5, asks("c")), recorded_at=NOON)
    one, _ = joined([jumping, steady], ["1", "2"])
    assert [message.body.get("method") for message in one.messages] == ["c", "a", None, "b"]
    assert [message.at for message in one.messages] == [1.5, 2.0, 1.0, None]


def test_exchanges_stay_apart_and_a_note_still_speaks_of_the_same_message():
    note = {"sender": "client", "receiver": "client", "kind": "note", "body": {"event": "x", "data": {"about": 1}}}
    talk = asks("a") | {"exchange": 1}
    one, _ = joined([trace_of(at(when, talk), at(when, note), recorded_at=NOON) for when in (1, 2)], ["1", "2"])
    assert [message.exchange for message in one.messages] == [1, None, 2, None]
    assert [m.body["data"]["about"] for m in one.messages if m.kind == "note"] == [1, 3]


def test_it_is_complete_only_if_all_are_and_says_which_is_not():
    good = trace_of(asks("a"), answers())
    dead = trace_of(asks("a"), outcome=ended("server-exited", exit_code=7))
    both = trace_of(asks("a"), outcome=ended("cut", servers=[{"id": "server", "name": "s", "reason": "cut"}]))
    outcome = joined([good, dead, both], ["good", "dead", "both"]).trace.outcome
    assert (outcome.complete, outcome.reason) == (False, "server-exited")
    assert [(end.name, end.reason, end.exit_code) for end in outcome.servers] == [
        ("dead", "server-exited", 7), ("both, s", "cut", None),
    ]  # fmt: skip
    assert joined([good, good], ["1", "2"]).trace.outcome.complete


@pytest.mark.parametrize(
    ("starts", "together"),
    [
        ([NOON, NOON], True),
        ([NOON, "2026-11-30T13:00:01+01:00"], True),  # the same hour elsewhere
        ([NOON, "2026-11-30T12:00:09"], False),
        ([NOON, "2026-11-30T12:00:01", "2026-11-30T12:00:03.5"], True),  # each with its neighbour
        ([NOON, None], False),
        ([NOON, "yesterday"], False),
    ],
)
def test_recordings_of_one_time_overlap(starts, together):
    traces = [trace_of(at(0.0, asks("a")), at(3.0, answers()), recorded_at=start) for start in starts]
    assert overlapping(traces) is together


@given(st.text(max_size=40) | st.sampled_from(["9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+14:00"]))
@settings(max_examples=100)
def test_no_start_is_too_odd(text):
    assert began(trace_of(recorded_at=text)) is None or isinstance(began(trace_of(recorded_at=text)), float)
