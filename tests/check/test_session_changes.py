"""What two sessions differ in, as it is told."""

import json

from flowgen import api
from flowgen.check import changes_json, changes_markdown, changes_text, session_changes
from flowgen.flow import compared
from tests.traces import SAMPLES, answers, asks, refuses, trace_of

_NAMES = ("old.json", "new.json")
_ADD = {"name": "add", "inputSchema": {"type": "object", "properties": {"a": {"type": "number"}}}}


def _listing(*tools: dict[str, object]):
    return trace_of(asks("tools/list", 1), answers(1, tools=list(tools)))


def _told(old, new) -> list[tuple[str, str, str, bool]]:
    return [(each.change, each.about, each.name, each.graver) for each in session_changes(compared(old, new))]


def test_equal_sessions_have_nothing_to_tell():
    trace = api.load(SAMPLES / "seed.json")
    assert session_changes(compared(trace, trace)) == ()
    assert changes_text((), _NAMES) == "no differences: old.json → new.json\n"


def test_a_tool_that_went_breaks_its_callers_and_one_that_came_does_not():
    sub = {"name": "sub", "inputSchema": {}}
    assert _told(_listing(_ADD), _listing(sub))[:2] == [
        ("removed", "tool", "add", True), ("added", "tool", "sub", False)]  # fmt: skip


def test_a_tool_that_takes_more_than_before_is_told_with_the_reason_and_comes_first():
    needs = {"name": "add", "inputSchema": _ADD["inputSchema"] | {"required": ["a"]}}
    first = session_changes(compared(_listing(_ADD), _listing(needs)))[0]
    assert (first.about, first.name, first.message, first.graver) == ("tool", "add", "`a` has to be sent now", True)


def test_the_eras_differ_in_how_they_open_and_ask_back():
    told = _told(api.load(SAMPLES / "sdk-handshake.json"), api.load(SAMPLES / "sdk-stateless.json"))
    assert ("changed", "revision", "revision", False) in told
    assert ("removed", "message", "initialize request", False) in told
    assert ("added", "message", "server/discover request", False) in told


def test_an_error_is_named_by_its_method_and_not_by_its_text():
    asked = asks("tools/call", 1, name="add", arguments={})
    told = session_changes(compared(trace_of(asked, answers(1)), trace_of(asked, refuses(1, message="no such thing"))))
    assert [(each.change, each.name) for each in told] == [("changed", "tools/call error add")]
    fails = answers(1, isError=True, content=[{"type": "text", "text": "no such thing"}])
    told = session_changes(compared(trace_of(asked, answers(1)), trace_of(asked, fails)))
    assert [(each.change, each.name) for each in told] == [("changed", "tools/call response add")]


def test_the_document_holds_the_values_and_their_places():
    old, new = trace_of(asks("ping", 1), answers(1, n=1)), trace_of(asks("ping", 1), answers(1, n=2))
    document = json.loads(changes_json(session_changes(compared(old, new)), _NAMES))
    assert (document["format"], document["of"]) == ("flowgen.changes/1", "sessions")
    assert document["changes"][0]["places"] == [{"path": "/result/n", "was": 1, "now": 2}]


def test_what_a_server_says_neither_steers_a_terminal_nor_opens_markup():
    evil = "\x1b[31m\u202e\x9b\U000e0041\ud800| <img src=x> `x`\n- [a](javascript:b)"
    old, new = trace_of(asks("ping", 1), answers(1, n=1)), trace_of(asks("ping", 1), answers(1, n=evil))
    changes = session_changes(compared(old, new))
    assert "\x1b" not in changes_text(changes, _NAMES) and changes_text(changes, _NAMES).count("\n") == 2
    told = changes_json(changes, _NAMES)
    assert all(sign.isprintable() or sign == "\n" for sign in told)
    assert json.loads(told)["changes"][0]["places"][0]["now"] == evil
    table = changes_markdown(changes, _NAMES)
    assert "<img" not in table and "[a](" not in table
