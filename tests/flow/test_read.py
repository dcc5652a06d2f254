"""Any trace that can be loaded becomes a flow, with every shown message in it exactly once."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.flow import as_data, read
from flowgen.flow._thin import LEVELS
from flowgen.trace import Trace
from tests.costs import instructions

METHODS = st.sampled_from([
    "initialize", "server/discover", "tools/list", "tools/call", "resources/list", "resources/read", "prompts/get",
    "ping", "subscriptions/listen", "elicitation/create", "notifications/initialized", "notifications/cancelled",
    "notifications/tools/list_changed", "notifications/resources/updated", "notifications/progress", "odd/one", "",
    "tasks/get", "tasks/result", "notifications/tasks/status",
])  # fmt: skip
SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.text(max_size=4)
VALUES = st.recursive(
    SCALARS,
    lambda one: st.lists(one, max_size=3) | st.dictionaries(st.text(max_size=3), one, max_size=3),
    max_leaves=5,
)
PARAMS = st.fixed_dictionaries({}, optional={
    "name": VALUES, "uri": VALUES, "arguments": VALUES, "requestId": VALUES, "requestState": VALUES, "cursor": VALUES,
    "_meta": VALUES, "progressToken": VALUES, "progress": VALUES, "protocolVersion": VALUES, "capabilities": VALUES,
    "ref": VALUES, "notifications": VALUES, "level": VALUES, "taskId": st.sampled_from(["t", "u"]) | VALUES,
})  # fmt: skip
RESULTS = st.fixed_dictionaries({}, optional={
    "tools": VALUES | st.just([{"name": "a", "inputSchema": {"required": ["x"]}}]), "content": VALUES,
    "isError": VALUES, "resultType": st.just("input_required") | VALUES, "capabilities": VALUES, "nextCursor": VALUES,
    "requestState": VALUES, "inputRequests": VALUES, "supportedVersions": VALUES, "resources": VALUES,
    "task": VALUES | st.just({"taskId": "t"}), "status": st.sampled_from(["working", "completed"]) | VALUES,
})  # fmt: skip
BODIES = VALUES | st.fixed_dictionaries({}, optional={
    "id": SCALARS, "method": METHODS | VALUES, "params": PARAMS | VALUES, "result": RESULTS | VALUES,
    "error": st.fixed_dictionaries({}, optional={"code": SCALARS, "message": VALUES, "data": VALUES}) | VALUES,
    "event": st.sampled_from(["exited", "started", "signal-sent", "stdin-closed", "stream-closed", "approved",
                              "fell-back", "plan-step", "odd"]) | VALUES,
    "data": st.dictionaries(st.sampled_from(["about", "by", "name", "to", "wants"]), VALUES) | VALUES,
    "signal": VALUES, "exit_code": VALUES, "by": VALUES,
})  # fmt: skip
HTTP = st.fixed_dictionaries({}, optional={
    "method": st.sampled_from(["GET", "POST"]), "status": st.sampled_from([200, 202, 401, 403, 500, 99999]),
    "url": st.sampled_from(["http://[::1", "https://a/b?resource=x&client_id=https://c", "/.well-known/oauth", ""]),
    "headers": st.lists(st.tuples(st.sampled_from(["Mcp-Name", "Location", "authorization"]), st.text(max_size=5))),
})  # fmt: skip
IDS = st.sampled_from(["client", "server", "gateway", "person", ""])
KINDS = ["request", "response", "error", "notification", "http", "noise", "stderr", "process", "note"]
MESSAGES = st.lists(st.fixed_dictionaries(
    {"seq": st.integers(-1, 9), "sender": IDS, "receiver": IDS, "kind": st.sampled_from(KINDS)},
    optional={
        "at": st.none() | st.floats(0, 9), "body": BODIES, "exchange": st.integers(0, 2), "http": HTTP,
        "transport": st.sampled_from(["stdio", "http", "sse"]), "text": st.text(max_size=9),
        "revision": st.sampled_from(["2025-11-25", "2026-07-28", "x", "²"]), "head": st.just({"id": 1, "method": "a"}),
        "step": st.fixed_dictionaries({"title": st.text(max_size=3)}),
        "problems": st.lists(st.fixed_dictionaries({"code": st.text(max_size=3)}), max_size=2),
    },
), max_size=12)  # fmt: skip
ROLES = st.sampled_from(["client", "server", "gateway", "auth", "api", "host", "person", "browser", "model"])
TRACES = st.builds(
    lambda messages, roles, complete, missing: Trace(
        participants=[{"id": id_, "role": role} for id_, role in roles],
        messages=messages,
        missing=missing,
        outcome={"complete": complete, "reason": "done" if complete else "cut"},
    ),
    MESSAGES,
    st.lists(st.tuples(IDS, ROLES), max_size=4),
    st.booleans(),
    st.lists(st.sampled_from(["times", "directions"]), max_size=2),
)
EVERYTHING = ["probe", "process", "stderr", "plan", "stream"]


def _told(trace):
    """All messages but notes in whose place a remark stands; those too where there is nothing else."""
    events = ("fell-back", "merged-tools")
    notes = [each for each in trace.messages if each.kind == "note" and each.sender == each.receiver]
    said = [id(note) for note in notes if isinstance(note.body, dict) and note.body.get("event") in events]
    return [message for message in trace.messages if id(message) not in said] or trace.messages


@settings(max_examples=150, deadline=None)
@given(TRACES, st.integers(0, 3), st.booleans(), st.sampled_from(["none", "brief", "full"]))
def test_every_message_is_in_the_flow_exactly_once_whatever_it_is(told, trace, fold, full, notes):
    flow = read(trace, fold=fold, full=full, notes=notes, show=EVERYTHING)
    shown = [id(entry.message) for entry in told.entries(flow)]
    assert shown == [id(message) for message in _told(trace)]
    as_data(flow)


@settings(max_examples=150, deadline=None)
@given(TRACES, st.integers(1, 4))
def test_every_message_is_there_once_however_hard_it_is_folded(told, trace, levels):
    with pytest.MonkeyPatch.context() as patch:  # as if a step had no room for any row
        patch.setattr("flowgen.flow._rows.LEVELS", tuple(replace(level, most=-9) for level in LEVELS[:levels]))
        flow = read(trace, fold=1, notes="none", show=EVERYTHING)
    shown = [id(entry.message) for entry in told.entries(flow)]
    assert shown == [id(message) for message in _told(trace)]
    as_data(flow)


@settings(max_examples=60, deadline=None)
@given(TRACES)
def test_what_is_hidden_changes_no_number_and_no_link(told, trace):
    whole = {id(entry.message): entry for entry in told.entries(read(trace, notes="none", show=EVERYTHING))}
    some = told.entries(read(trace, notes="none", hide=["response", "note"], fold=1))
    assert all(entry == whole[id(entry.message)] for entry in some)
    assert not {"response", "note"} & {entry.message.kind for entry in some}


@settings(max_examples=60, deadline=None)
@given(TRACES)
def test_numbers_are_one_to_n_and_steps_too(told, trace):
    flow = read(trace, notes="none", show=EVERYTHING)
    numbers = [entry.number for entry in told.entries(flow) if entry.number is not None]
    assert numbers == list(range(1, flow.facts.messages + 1))
    steps = [step.number for step in flow.steps]
    assert steps in ([], [None], list(range(1, len(steps) + 1)))
    assert len(flow.lanes) >= 2 and len({who.id for who in flow.lanes}) == len(flow.lanes)


@settings(max_examples=60, deadline=None)
@given(TRACES)
def test_a_note_is_drawn_once_and_hangs_on_a_message_that_stands_open(told, trace):
    flow = read(trace, notes="full", full=True)
    counted = Counter(note.id for entry in told.entries(flow) for note in entry.notes)
    assert all(count == 1 for id_, count in counted.items() if not id_.startswith("argument-"))


def _deep():
    value = {}
    for _ in range(50_000):
        value = {"a": [value]}
    return value


HARD = {"long": 10**5000, "deep": _deep(), "nan": float("nan"), "half": "\ud83d", "braces": "{value} [[x]]"}


@pytest.mark.parametrize("name", HARD)
def test_values_that_are_hard_to_write_or_compare_do_no_harm(session, name):
    value = HARD[name]
    odd = session().greeted(asks={"elicitation": value}, offers={"tools": value})
    odd.listed(result={"tools": [{"name": "t", "inputSchema": {"properties": {"x": {"default": value}}}}]})
    odd.listed(result=value).listed(result=value).listed(result={"tools": value}).listed(
        result={"tools": value}
    )
    odd.ask("tools/call", params={"name": "t", "arguments": {"x": value}}).fail(
        -32022, data={"supported": value}
    )
    odd.ask("tools/call", params={"name": "t", "arguments": {"x": value}}).reply(value)
    odd.tell("notifications/progress", params={"progressToken": value, "progress": value})
    odd.note("waited", seconds=value).note("declined", method="x", name=value).ask("a", value).reply(
        {}, value
    )
    flow = read(odd.trace(), notes="full")
    as_data(flow)


def _noted(talk, count):
    for number in range(count):
        talk.call(f"tool {number % 7}", {"content": [{"type": "text", "text": f"{number}"}]})
    return talk.trace()


def test_to_read_a_trace_with_all_its_notes_costs_as_much_as_it_has_messages(session):
    small, large = (_noted(session().greeted().listed(), count) for count in (100, 400))
    read(small, notes="full")
    assert instructions(lambda: read(large, notes="full")) < 5 * instructions(lambda: read(small, notes="full"))


def test_the_same_trace_gives_the_same_flow(session):
    trace = session().greeted().listed().call().changed().listed().trace()
    assert read(trace, notes="full") == read(trace, notes="full")


def test_a_process_event_without_a_body_does_no_harm(session, told):
    ended = session().call().process("stdin-closed").add("process", True)
    assert told.entries(ended.read(show=["process"]))[-1].message.body is None


@pytest.mark.parametrize(
    "options",
    [{"only": ["tools/*"]}, {"hide": ["response"]}, {"steps": "2-3"}, {"fold": 9}, {"full": True}, {"notes": "full"}],
)
def test_numbers_of_messages_and_steps_are_the_same_whatever_is_asked_for(session, told, options):
    talk = session().greeted().listed().listed("prompts")
    for _ in range(8):
        talk.call()
    talk.changed().listed()
    flow, other = talk.read(), talk.read(**options)
    whole = {entry.message.seq: entry.number for entry in told.entries(flow)}
    assert all(whole[entry.message.seq] == entry.number for entry in told.entries(other))
    titles = {step.number: step.title for step in flow.steps}
    assert all(titles[step.number] == step.title for step in other.steps)


def test_steps_count_from_where_they_are_told_to_and_messages_do_not(session, told):
    talk = session().greeted().listed().call().changed().listed()
    flow = talk.read(start_step=7)
    assert [step.number for step in flow.steps] == [7, 8, 9, 10]
    assert [entry.number for entry in told.entries(flow)] == list(range(1, 11))
    assert told.entries(flow)[-2].back_to == 8
    part = talk.read(start_step=7, steps="9-10")
    assert [step.number for step in part.steps] == [9, 10]
