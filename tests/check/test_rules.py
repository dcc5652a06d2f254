"""The rules over recordings: every one has its row, its function and a violation; what keeps the rules is silent."""

import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen import api
from flowgen.check import breaches, explained
from flowgen.check._book import rows
from flowgen.check._forms import _methods
from flowgen.check._hits import RULES
from flowgen.flow import read
from flowgen.trace import Trace
from tests.check import (
    breaking_features,
    breaking_http,
    breaking_oauth,
    breaking_openings,
    breaking_people,
    breaking_talk,
)
from tests.check.tape import Tape
from tests.check.violations import VIOLATIONS
from tests.traces import SAMPLES, answers, asks, refuses, tells, trace_of

BREAKING = (breaking_features, breaking_http, breaking_oauth, breaking_openings, breaking_people, breaking_talk)
CAPTURES = Path(__file__).parent / "captures"
SOURCES = ("20", "seps/", "schema", "docs/", "a rule of flowgen")
RECORDINGS = sorted(path for path in SAMPLES.rglob("*.json") if b'"flowgen.trace/' in path.read_bytes()[:400])
KNOWN_IN_SAMPLES = {  # server-everything does not wait for the answer to its own request, and lives on afterwards
    "everything.json": {"response-missing", "stdio-exit-forced"},
    "trace-nowhere.json": {"oauth-metadata-unreachable"},
}
KNOWN_IN_CAPTURES = {  # of the official SDK, whose deviations are known, and of requests made wrong by hand
    "http-2026-07-28": {"tool-not-listed": 1, "unknown-tool-answer": 1},
    "stdio-2026-07-28": {"tool-not-listed": 1, "unknown-tool-answer": 1},
    "stdio-2025-11-25-server-requests": {},
    "http-2025-11-25-sse-get-stream": {},
    "stdio-probe-then-handshake": {},
    "stdio-listen-and-close": {"error-code-legacy-range": 2, "stdio-not-json": 2},  # two lines stand there shortened
    "stdio-errors": {
        "batch-not-allowed": 1, "meta-capabilities-missing": 1, "meta-version-missing": 1, "request-id-invalid": 2,
        "request-id-pending": 1, "response-unmatched": 1, "stdio-encoding": 1, "stdio-exit-forced": 1,
        "stdio-not-json": 3,
    },
    "http-errors": {
        "batch-not-allowed": 1, "cancel-on-http": 1, "client-sends-response": 1, "cursor-error-code": 1,
        "fallback-after-modern-error": 1, "http-accept": 2, "http-get-or-delete": 2, "http-method-header": 4,
        "http-name-header": 2, "http-version-header": 4, "input-request-undeclared": 1,
        "meta-capabilities-missing": 1, "meta-clientinfo-missing": 1, "meta-version-missing": 3,
        "method-not-in-revision": 2, "request-id-invalid": 1, "response-missing": 1,
        "retry-id-reused": 1, "retry-state-altered": 1, "tool-not-listed": 1, "unknown-tool-answer": 1,
        "version-retry-unsupported": 1, "arguments-invalid": 1,
    },
}  # fmt: skip


def codes(trace: Trace, *levels: str) -> Counter[str]:
    return Counter(each.code for each in breaches(trace) if each.severity in levels)


def test_every_rule_has_a_function_or_a_reason_and_every_function_a_violation():
    breaches(trace_of())
    told = {slug for slug, row in rows().items() if row.undecided is None}
    assert RULES.keys() == told == VIOLATIONS.keys()
    assert len(told) == 183


def test_every_rule_can_be_explained():
    for slug, row in rows().items():
        told = explained(slug)
        assert row.rule in told and row.source in told and row.example in told
        assert row.revisions and row.rule.endswith(".") and row.source.startswith(SOURCES)
        assert row.on in ("any", "http", "stdio", "oauth") and row.who in ("client", "server", "both", "flowgen")


@pytest.mark.parametrize("slug", VIOLATIONS)
def test_a_rule_fires_when_it_is_broken_and_no_other_one_does(slug):
    base, change, also = VIOLATIONS[slug]
    tape = Tape(base)
    change(tape)
    found = breaches(tape.trace())
    assert slug in {each.code for each in found}
    assert {each.code for each in found if each.severity == "error"} <= {slug, *also}
    assert rows()[slug].level in {each.severity for each in found if each.code == slug}


@pytest.mark.parametrize("base", sorted({violation.base for violation in VIOLATIONS.values()}))
def test_nothing_is_broken_before_it_is_broken(base):
    assert not codes(Tape(base).trace(), "error", "warning")


@pytest.mark.parametrize("path", RECORDINGS, ids=[str(path.relative_to(SAMPLES)) for path in RECORDINGS])
def test_a_good_recording_is_silent(path):
    found = codes(api.load(path), "error", "warning")
    assert found.keys() == KNOWN_IN_SAMPLES.get(path.name, set())


@pytest.mark.parametrize("name", KNOWN_IN_CAPTURES)
def test_a_capture_gives_exactly_what_is_known_of_it(name):
    assert codes(api.load(CAPTURES / f"{name}.jsonl"), "error", "warning") == KNOWN_IN_CAPTURES[name]


# what cannot be told is not told


def test_a_recording_without_its_end_is_not_judged_by_what_may_come():
    tape = Tape("seed")
    tape.drop(tape.answer("tools/call"))
    tape.document["outcome"] = {"complete": False, "reason": "cut"}
    assert not breaches(tape.trace())


def test_an_excerpt_is_not_judged_by_what_it_leaves_out():
    tape = Tape("seed")
    start, end = tape.messages.index(tape.answer("initialize")), tape.messages.index(tape.answer("tools/call"))
    tape.document["excerpt"] = {"first": 2, "last": 5, "of": 10, "outcome": tape.document["outcome"]}
    tape.messages[:] = tape.messages[start + 1 : end]
    assert {each.code for each in breaches(tape.trace())} <= {"tool-not-listed"}


def test_a_recording_that_begins_in_the_middle_is_not_judged_by_what_may_have_been():
    tape = Tape("seed")
    start = tape.messages.index(tape.request("tools/call"))
    del tape.document["command"], tape.messages[:start]
    assert {each.code for each in breaches(tape.trace())} <= {"tool-not-listed"}


def test_without_directions_only_the_frame_is_judged():
    tape = Tape("seed")
    tape.document["missing"] = ["directions"]
    tape.params("tools/call").pop("name")
    assert not breaches(tape.trace())


def test_without_bodies_nothing_is_said_about_them():
    tape = Tape("sdk-stateless")
    tape.document["missing"] = ["bodies"]
    for message in tape.messages:
        if message["kind"] == "request":
            message["body"].pop("params", None)
    assert not breaches(tape.trace())


def test_a_log_that_tells_of_no_starts_may_hold_several_sessions():
    tape, other = Tape("seed"), Tape("seed")
    del tape.document["command"]
    tape.messages[:] = [each for each in [*tape.messages, *other.messages] if each["kind"] != "process"]
    assert not breaches(tape.trace())


def test_what_was_masked_is_not_compared():
    tape = Tape("seed")
    tape.params("tools/call")["arguments"] = {"location": "•••", "units": "•••"}
    tape.request("tools/call")["redacted"] = ["/body/params/arguments/location", "/body/params/arguments/units"]
    assert not breaches(tape.trace())


def test_a_request_that_http_turned_away_may_come_again_under_its_id():
    ask = {**asks("tools/list"), "transport": "http", "revision": "2025-11-25"}
    refused = {"sender": "server", "receiver": "client", "kind": "http", "transport": "http", "exchange": 1,
               "http": {"status": 401, "headers": []}}  # fmt: skip
    head = {"method": "POST", "url": "http://a.example/mcp", "headers": []}
    answer = {**answers(1, tools=[]), "transport": "http", "exchange": 2, "http": {"status": 200, "headers": []}}
    again = [{**ask, "exchange": 1, "http": head}, refused, {**ask, "exchange": 2, "http": head}, answer]
    assert not {each.code for each in breaches(trace_of(*again))} & {"request-id-reused", "request-id-pending",
                                                                      "response-missing"}  # fmt: skip


def test_several_servers_are_sessions_of_their_own():
    tape, other = Tape("seed"), Tape("seed")
    tape.drop(tape.answer("tools/call"))
    for message in other.messages:
        for end in ("sender", "receiver"):
            message[end] = "server-2" if message[end] == "server" else message[end]
    tape.document["participants"].append({"id": "server-2", "role": "server"})
    tape.messages += other.messages
    assert [(each.code, each.server) for each in breaches(tape.trace())] == [("response-missing", "server")]


# hostile recordings

NAMES = st.sampled_from(
    ["method", "params", "_meta", "name", "tools", "taskId", "status", "content", "inputRequests", "inputSchema",
     "requestedSchema", "properties", "type", "uri", "capabilities", "notifications", "elicitation", "mode", "messages",
     "requestId", "progressToken", "x-mcp-header", "$ref", "level", "ttlMs", "cursor", "nextCursor", "task", "code"]
)  # fmt: skip
PLAIN = st.sampled_from([None, True, 0, -1, 1.5, "", "tools/call", "input_required", "url", "•••", "accept", "object"])
JSON = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=3),
                    max_leaves=8)  # fmt: skip
METHODS = st.sampled_from(sorted({method for _, _, _, method in _methods()}))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(METHODS, JSON, st.sampled_from(["2025-11-25", "2026-07-28", None])), max_size=4), st.data())
def test_no_recording_is_too_strange_to_be_judged(told, data):
    messages = []
    for place, (method, value, revision) in enumerate(told):
        ask = asks(method, data.draw(st.sampled_from([place, 1, "1", None, 1.5])))
        ask["body"]["params"] = value
        answer = answers(place)
        answer["body"]["result"] = data.draw(JSON)
        notice = tells(method, data.draw(st.sampled_from(["client", "server"])))
        notice["body"]["params"] = data.draw(JSON)
        error = refuses(place, data.draw(JSON))
        messages += [{**each, "revision": revision} for each in (ask, answer, notice, error)]
    breaches(trace_of(*messages))


@pytest.mark.parametrize(
    "schema",
    [{"type": "object", "properties": {"a": {"pattern": "(a+)+$"}}}, {"$ref": "#"}, {"$ref": "https://a.example/x"},
     {"type": "object", "$defs": {str(n): {"allOf": [{"$ref": f"#/$defs/{n + 1}"}] * 2} for n in range(40)},
      "$ref": "#/$defs/0"}],
)  # fmt: skip
def test_a_schema_that_never_ends_ends(schema):
    tape = Tape("seed")
    tape.result("tools/list")["tools"].append({"name": "evil", "inputSchema": schema})
    ask = tape.ask("tools/call", 70, name="evil", arguments={"a": "a" * 60 + "!"})
    tape.after(tape.answer("tools/call"), ask, tape.reply(ask, content=[]))
    began = process_time()
    breaches(tape.trace())
    assert process_time() - began < 5


def test_the_time_grows_with_the_length_alone():
    def seconds(count: int) -> float:
        calls = [(asks("tools/call", n + 5, name="a"), answers(n + 5, content=[])) for n in range(count)]
        opening = [asks("initialize", 1, protocolVersion="2025-11-25", capabilities={}), answers(1, capabilities={})]
        trace = trace_of(*opening, *(each for call in calls for each in call))
        began = process_time()
        breaches(trace)
        return process_time() - began

    seconds(10)
    assert seconds(2000) < 30 * max(seconds(200), 0.002)


@pytest.mark.skipif(find_spec("mcp") is None, reason="the official SDK is not installed")
def test_the_official_sdk_gives_exactly_its_known_deviations():
    """Unknown tools are answered with a result, unknown prompts with -32603 (protocol facts, deviations seen)."""
    server = [sys.executable, str(Path(__file__).parent.parent / "record" / "servers" / "sdk_server.py")]
    trace = api.record(server, revision="2026-07-28", calls=["nope"], prompts=["nope"], lists="all", timeout=20)
    assert codes(trace, "error", "warning").keys() == {"tool-not-listed", "unknown-tool-answer", "prompt-error-code"}


def test_the_anchor_of_a_finding_is_that_of_the_picture():
    tape = Tape("seed")
    tape.answer("tools/call")["body"]["id"] = 99
    trace = tape.trace()
    (found,) = (each for each in breaches(trace) if each.code == "response-unmatched")
    picture = api.drawing(trace).svg
    assert found.where == f"#m-{found.number}" and f'id="m-{found.number}"' in picture
    numbers = {entry.message.seq: entry.number for step in read(trace, full=True).steps for entry in step.open_rows}
    assert numbers[found.seq] == found.number
