"""A recording that is abridged while it is read tells what the whole of it tells: numbers, counts, times, failures."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.flow import Run, abridged, as_data, by_time, label, read, stacked
from flowgen.flow._draft import drafts
from tests.traces import answers, asks, refuses, tells, text_message, trace_of

SHOWN = {"show": ("stderr", "plan", "probe")}
TOOLS = ("add", "search", "weather", "files", "clock")
SMALL = {"_KEPT": 2, "_RECENT": 3, "_ROW": 2, "_STANDING": 10_000, "_WAITING": 10_000}  # so that few messages are many


@st.composite
def conversations(draw):
    """Messages of a session with many exchanges, some at the same time, of which some go wrong."""
    messages, waiting = [], []
    for number in range(1, draw(st.integers(1, 200)) + 1):
        act = draw(st.sampled_from("cccccccclpnsgfxuai"))
        match act:
            case "l":
                tools = [{"name": draw(st.sampled_from(TOOLS))}]
                messages += [asks("tools/list", number), answers(number, tools=tools)]
            case "n":
                messages.append(tells("notifications/message", level="info", data=number))
            case "s":
                messages.append(text_message("stderr", f"line {number}"))
            case "g":
                messages.append(tells("notifications/progress", progressToken="t", progress=number))
            case "a" if waiting:
                messages.append(answers(waiting.pop(draw(st.integers(0, len(waiting) - 1))), content=[]))
            case "i":
                messages += [asks("tools/call", number, name="ask", arguments={}),
                             answers(number, resultType="input_required", requestState="s")]
            case "p":
                messages += [asks("ping", number), answers(number)]
            case "f":
                messages += [asks("tools/call", number, name="files", arguments={"n": number}), refuses(number, -32000)]
            case "x":
                messages += [asks("tools/call", number, name="add", arguments={}),
                             tells("notifications/cancelled", sender="client", requestId=number)]
            case _:
                call = asks("tools/call", number, name=draw(st.sampled_from(TOOLS)), arguments={"n": number})
                messages.append(call)
                if act == "u":
                    waiting.append(number)
                else:
                    messages.append(answers(number, content=[{"type": "text", "text": str(number)}]))
    return trace_of(*messages)


def shortened(trace, size=10, **limits):
    """The trace as a reader with little room gives it."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**SMALL, **limits}.items():
            patch.setattr(f"flowgen.flow._abridged.{name}", value)
        batches = (list(trace.messages[at : at + size]) for at in range(0, len(trace.messages) + 1, size))
        return trace.model_copy(update={"messages": abridged(batches, 2)})


def rows_of(flow):
    return [row for step in flow.steps for row in step.open_rows]


def entries_of(flow):
    return [entry for row in rows_of(flow) for entry in (row.entries if isinstance(row, Run) else (row,))]


def counted(flow, what):
    counts = Counter()
    for entry in entries_of(flow):
        counts[what(entry)] += entry.count
    return counts


def fate(entry):
    body = entry.message.body if isinstance(entry.message.body, dict) else {}
    return entry.message.kind, entry.method, entry.state, "error" in body


@settings(max_examples=40)
@given(conversations(), st.integers(5, 40))
def test_it_counts_what_the_whole_recording_counts(trace, size):
    whole, short = read(trace, **SHOWN), read(shortened(trace, size), **SHOWN)
    assert short.facts.messages == whole.facts.messages
    assert (short.facts.unanswered, short.facts.cancelled) == (whole.facts.unanswered, whole.facts.cancelled)
    assert counted(short, fate) == counted(whole, fate)
    times = [sorted(seconds for entry in entries_of(flow) for seconds in entry.latencies) for flow in (short, whole)]
    assert times[0] == pytest.approx(times[1])


@settings(max_examples=30)
@given(conversations(), st.integers(5, 40))
def test_what_is_left_has_its_number_and_its_links_and_stands_for_others_in_runs_alone(trace, size):
    known = {entry.message.seq: entry for entry in entries_of(read(trace, full=True, **SHOWN))}
    short = read(shortened(trace, size), **SHOWN)
    here = {entry.message.seq for entry in entries_of(short)}
    for row in rows_of(short):
        assert isinstance(row, Run) or row.others is None
    for entry in entries_of(short):
        before = known[entry.message.seq]
        assert (entry.number, entry.state, entry.latency) == (before.number, before.state, before.latency)
        for link in ("request", "answer", "ended_by", "retry_of"):
            assert getattr(entry, link) == getattr(before, link) or getattr(before, link) not in here


@settings(max_examples=30)
@given(conversations(), st.integers(5, 40))
def test_what_stands_out_stays(trace, size):
    def odd(flow):
        return {
            entry.message.seq
            for entry in entries_of(flow)
            if entry.state in ("unanswered", "cancelled") or entry.retry_of or (entry.change and entry.change.differs)
        }

    assert odd(read(shortened(trace, size), full=True)) == odd(read(trace, full=True))


@settings(max_examples=40)
@given(conversations(), st.integers(5, 40))
def test_thousands_that_stand_out_are_counted_like_all_else(trace, size):
    whole, short = read(trace, **SHOWN), read(shortened(trace, size, _STANDING=8), **SHOWN)
    assert short.facts.messages == whole.facts.messages
    assert (short.facts.unanswered, short.facts.cancelled) == (whole.facts.unanswered, whole.facts.cancelled)

    def kind(entry):
        return entry.message.kind, entry.state

    assert counted(short, kind) == counted(whole, kind)


def test_two_of_them_in_one_picture_count_on():
    calls = [row for n in range(1, 60) for row in (asks("tools/call", n, name="add", arguments={}), answers(n, sum=n))]
    one, other = (shortened(trace_of(*calls, recorded_at=f"2026-11-30T10:00:0{n}.000Z")) for n in (0, 1))
    assert len(one.messages) < 60
    for flow in (by_time([one, other], ["a", "b"]), stacked([one, other], ["a", "b"])):
        assert flow.facts.messages == 4 * 59
        assert sum(entry.count for entry in entries_of(flow)) == 4 * 59


def test_a_row_of_one_kind_is_told_in_full():
    calls = [row for n in range(1, 500) for row in (asks("tools/call", n, name=f"t{n % 4}"), answers(n, sum=n))]
    (step,) = read(shortened(trace_of(*calls), 50)).steps
    assert label(step.rows[-1]).en == (
        "… 497 more tools/call (t3, t0, t1, …) · median 10 ms, max 10 ms · 9.9 s · all answered"
    )
    assert len(step.rows) == 5
    document = as_data(read(shortened(trace_of(*calls), 50)))
    (run,) = [row for row in document["steps"][0]["rows"] if "run" in row]
    assert run["count"] == 497
    assert sum(1 + entry.get("others", 0) for entry in run["entries"]) == 994


def test_pages_of_a_list_and_what_opens_a_step_stay():
    pages = [
        row
        for n in range(1, 60)
        for row in (asks("tools/list", n, cursor=str(n)), answers(n, tools=[], nextCursor=str(n + 1)))
    ]
    assert shortened(trace_of(*pages)).messages == trace_of(*pages).messages
    steps = [
        row
        for n in range(1, 60)
        for row in ({**asks("ping", n), "step": {"title": f"Step {n}"}}, answers(n))
    ]
    assert shortened(trace_of(*steps)).messages == trace_of(*steps).messages


def test_it_is_worked_out_as_often_as_it_grows_to_the_double():
    """What cannot be left out is not looked through with every batch."""
    def drafts_of(count):
        made = 0

        def counted(messages):
            nonlocal made
            made += len(messages)
            return drafts(messages)

        errors = [row for n in range(count) for row in (asks(f"m{n}", n), refuses(n, n))]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("flowgen.flow._abridged.drafts", counted)
            shortened(trace_of(*errors), 20)
        return made

    assert drafts_of(800) < 2.5 * drafts_of(400)
