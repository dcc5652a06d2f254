"""Several recordings in one picture: which way they are set together, and real ones."""

import sys
from pathlib import Path

import pytest

import flowgen
from flowgen.errors import UsageError
from flowgen.flow import Entry, Group, Remark
from tests.traces import SAMPLES, answers, asks, refuses, trace_of

GATEWAY = Path(__file__).parent / "gateway.py"
NOON, LATER = "2026-11-30T12:00:00Z", "2026-11-30T13:00:00Z"


def rows(drawing):
    return [row for step in drawing.flow.steps for row in step.rows]


@pytest.fixture(scope="module")
def hops(tmp_path_factory):
    """A client's session with a gateway, and the gateway's own with the server behind it, recorded while it went on."""
    far = tmp_path_factory.mktemp("hops") / "far.json"
    called = [("weather_current", {"location": "Oslo"})]
    near = flowgen.record([sys.executable, str(GATEWAY), str(far)], revision="2025-06-18", calls=called, timeout=30)
    return near, flowgen.load(far)


def test_two_hops_of_one_call_are_one_story(hops):
    drawing = flowgen.drawing(hops, names=["near", "far"], notes="none")
    calls = [row.message for row in rows(drawing) if isinstance(row, Entry) and row.method == "tools/call"]
    assert [(message.receiver, message.kind) for message in calls] == [
        ("server", "request"), ("server-2", "request"), ("client-2", "response"), ("client", "response"),
    ]  # fmt: skip
    assert [lane.title.split()[0] for lane in drawing.flow.lanes] == ["flowgen", "flowgen", "gateway", "example-server"]
    assert "Recording" not in drawing.svg


def test_recordings_of_other_times_stand_below_each_other_under_their_names():
    traces = [flowgen.load(SAMPLES / "seed.json"), flowgen.load(SAMPLES / "sdk-handshake.json")]
    drawing = flowgen.drawing(traces, names=["first", "second"])
    told = [row.text.en for row in rows(drawing) if isinstance(row, Remark)]
    assert [text.split(" · ")[0] for text in told] == ["Recording 1 of 2: first", "Recording 2 of 2: second"]
    assert told[1] in drawing.svg
    assert [number for number in range(1, 28) if f'id="m-{number}"' not in drawing.svg] == []


def test_a_call_that_succeeded_and_one_that_failed_are_branches():
    good, bad = trace_of(asks("tools/call", name="a"), answers(x=1)), trace_of(asks("tools/call", name="a"), refuses())
    drawing = flowgen.drawing([good, bad], together="alt", names=["good", "bad"])
    assert [type(row) for row in rows(drawing)] == [Entry, Group]
    assert all(f">{word}<" in drawing.svg for word in ("alt", "else", "good", "bad"))


@pytest.mark.parametrize(("start", "way"), [(NOON, "time"), (LATER, "stacked"), (None, "stacked")])
def test_what_went_on_at_the_same_time_is_merged_by_it(start, way):
    traces = [trace_of(asks("ping"), answers(), recorded_at=each) for each in (NOON, start)]
    flow = flowgen.drawing(traces).flow
    assert flow == flowgen.drawing(traces, together=way).flow
    assert any(isinstance(row, Remark) for step in flow.steps for row in step.rows) is (way == "stacked")


@pytest.mark.parametrize(
    ("traces", "options", "told"),
    [
        ([NOON, None], {"together": "time", "names": ["a", "b"]}, "b: does not say when it was recorded"),
        ([NOON, NOON], {"together": "beside"}, "together: there is no 'beside'"),
        ([NOON, NOON], {"names": ["a"]}, "names: 1 for 2 recordings"),
        ([], {}, "there is no recording to draw"),
    ],
)
def test_what_cannot_be_set_together_is_told(traces, options, told):
    with pytest.raises(UsageError) as error:
        flowgen.drawing([trace_of(asks("ping"), recorded_at=start) for start in traces], **options)
    assert str(error.value) == told and error.value.hint


def test_names_of_files_are_drawn_safely():
    traces = [trace_of(asks("ping"), answers(), recorded_at=start) for start in (NOON, LATER)]
    for way in ("stacked", "alt"):
        svg = flowgen.drawing(traces, together=way, names=["a\x1b[2J\u202e<b>", "b" * 400]).svg
        assert "\x1b" not in svg and "\u202e" not in svg and "<b>" not in svg


def test_one_of_one_is_the_recording_alone():
    trace = trace_of(asks("ping"), answers())
    assert flowgen.drawing([trace]).svg == flowgen.drawing(trace).svg


def test_they_can_be_written_as_one_is(tmp_path):
    flowgen.render([trace_of(asks("ping"), answers())] * 2, tmp_path / "both.svg", together="stacked")
    assert b"Recording 2 of 2" in (tmp_path / "both.svg").read_bytes()
