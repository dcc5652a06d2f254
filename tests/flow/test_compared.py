"""Two sessions compared: what is matched with what, and what counts as a difference."""

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen import api
from flowgen.flow import MISSING, Comparison, Match, compared, ignored
from flowgen.flow._differences import NOTHING, differences
from tests.traces import SAMPLES, answers, asks, refuses, tells, text_message, trace_of

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab", max_size=3),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["a", "b/", "~name"]), inner, max_size=3),
    max_leaves=12,
)


def _call(id: int, tool: str = "add", **arguments: Any) -> dict[str, Any]:
    return asks("tools/call", id, name=tool, arguments=arguments)


def _said(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}]}


def _states(told: Comparison) -> list[tuple[str, str | None]]:
    return [(match.state, match.entry.name or match.entry.method) for match in told.matches]


def _paths(match: Match) -> list[str]:
    return [difference.path for difference in match.differences]


def test_a_session_does_not_differ_from_itself() -> None:
    for name in ("seed.json", "sdk-stateless.json", "oauth/trace.json", "create-issue/trace.json"):
        trace = api.load(SAMPLES / name)
        assert not compared(trace, trace).different, name


def test_ids_times_stderr_and_progress_tokens_are_no_difference() -> None:
    old = trace_of(_call(1, a=1), answers(1, **_said("2")))
    token = asks("tools/call", "x9", name="add", arguments={"a": 1}, _meta={"progressToken": 7})
    new = trace_of(text_message("stderr", "busy"), token | {"at": 99.0}, answers("x9", **_said("2")))
    assert not compared(old, new).different


def test_calls_are_matched_by_what_they_ask_before_they_are_matched_by_their_order() -> None:
    old = trace_of(_call(1, a=1), answers(1, **_said("1")), _call(2, a=2), answers(2, **_said("2")))
    new = trace_of(_call(1, a=0), answers(1, **_said("0")), _call(2, a=1), answers(2, **_said("1")),
                   _call(3, a=2), answers(3, **_said("2")))  # fmt: skip
    assert [state for state, _ in _states(compared(old, new))] == ["added"] * 2 + ["same"] * 4


def test_another_answer_to_the_same_call_is_told_with_its_place() -> None:
    old = trace_of(_call(1), answers(1, **_said("sunny")))
    new = trace_of(_call(1), answers(1, **_said("rain")))
    same, changed = compared(old, new).matches
    assert same.state == "same"
    assert [(each.path, each.was, each.now) for each in changed.differences] == [
        ("/result/content/0/text", "sunny", "rain")
    ]


def test_an_error_in_place_of_a_result_is_a_change_of_the_answer() -> None:
    old, new = trace_of(_call(1), answers(1, **_said("1"))), trace_of(_call(1), refuses(1))
    assert _paths(compared(old, new).matches[1]) == ["/error", "/result"]


def test_a_request_without_an_answer_differs_from_one_with_an_answer() -> None:
    old, new = trace_of(_call(1), answers(1, **_said("1"))), trace_of(_call(1))
    told = compared(old, new)
    assert _paths(told.matches[0]) == ["/state"]
    assert told.matches[1].state == "removed"


def test_what_came_in_another_order_has_moved() -> None:
    one, other = (_call(1, "add"), answers(1)), (_call(2, "sub"), answers(2))
    told = compared(trace_of(*one, *other, tells("notifications/x")), trace_of(*other, *one, tells("notifications/x")))
    assert [match.entry.name for match in told.matches if match.moved] in (["sub"], ["add"])
    assert {match.state for match in told.matches} == {"same"}


def test_answers_that_overtake_each_other_have_not_moved() -> None:
    asked = _call(1, "add"), _call(2, "sub")
    told = compared(trace_of(*asked, answers(1), answers(2)), trace_of(*asked, answers(2), answers(1)))
    assert not told.different


def test_the_last_answer_of_a_call_is_matched_across_the_eras() -> None:
    told = compared(api.load(SAMPLES / "sdk-handshake.json"), api.load(SAMPLES / "sdk-stateless.json"))
    book = [match for match in told.matches if match.entry.name == "book"]
    assert [match.state for match in book] == ["same", "added", "added", "changed"]
    assert _paths(book[-1]) == ["/result/resultType"]
    assert ("removed", "elicitation/create") in _states(told)


def test_what_sessions_say_of_themselves_is_compared_wherever_their_era_says_it() -> None:
    told = compared(api.load(SAMPLES / "sdk-handshake.json"), api.load(SAMPLES / "sdk-stateless.json"))
    found = {each.path: (each.was, each.now) for each in told.opening}
    assert found["/revision"] == ("2025-11-25", "2026-07-28")
    assert found["/capabilities/server/tools/listChanged"] == (False, True)
    assert "/server" not in found


def test_tools_are_compared_by_name_in_whatever_order_and_on_whatever_pages() -> None:
    add, sub = {"name": "add", "inputSchema": {"type": "object"}}, {"name": "sub", "inputSchema": {"type": "object"}}
    old = trace_of(asks("tools/list", 1), answers(1, tools=[add, sub]))
    new = trace_of(asks("tools/list", 1), answers(1, tools=[sub], nextCursor="n"),
                   asks("tools/list", 2, cursor="n"), answers(2, tools=[add | {"title": "Add"}]))  # fmt: skip
    assert [(each.path, each.was, each.now) for each in compared(old, new).opening] == [
        ("/tools/add/title", MISSING, "Add")
    ]


def test_a_list_that_one_session_did_not_ask_for_is_no_difference_of_the_servers() -> None:
    asked = trace_of(asks("tools/list", 1), answers(1, tools=[{"name": "add"}]))
    assert compared(asked, trace_of()).opening == ()


def test_masked_values_are_never_compared() -> None:
    old = trace_of(_call(1, password="***") | {"redacted": ["/body/params/arguments/password"]})
    new = trace_of(_call(1, password="****") | {"redacted": ["/body/params/arguments/password"]})
    assert not compared(old, new).different


def test_places_and_points_in_time_can_be_ignored() -> None:
    old = trace_of(_call(1), answers(1, **_said("at 2026-01-01T10:00:00Z"), n=1))
    new = trace_of(_call(1), answers(1, **_said("at 2026-11-30 10:00"), n=2))
    assert _paths(compared(old, new).matches[1]) == ["/result/content/0/text", "/result/n"]
    assert not compared(old, new, ignored(["times", "/result/n"])).different
    assert not compared(old, new, ignored(["/result"])).different


def test_ports_of_a_server_on_this_machine_are_no_difference() -> None:
    told = differences({"url": "http://127.0.0.1:8123/x"}, {"url": "http://127.0.0.1:9/x"}, NOTHING)
    assert told == ()


@settings(max_examples=60)
@given(_JSON, _JSON)
def test_values_differ_exactly_where_differences_say_so(was: Any, now: Any) -> None:
    told = differences(was, now, NOTHING)
    assert not differences(was, copy.deepcopy(was), NOTHING)
    for each in told:
        assert (type(each.was), each.was) != (type(each.now), each.now)
    if not told and not _named_twice(was, now):
        assert was == now


def _named_twice(was: Any, now: Any) -> bool:
    """Lists of named items are compared by name, whatever their order."""
    return "name" in repr(was) and "name" in repr(now)


def test_a_long_session_of_equal_calls_is_compared_in_its_own_time() -> None:
    rows = [row for id in range(600) for row in (_call(id, n=id % 7), answers(id, **_said("x")))]
    told = compared(trace_of(*rows), trace_of(*rows[2:]))
    assert [match.state for match in told.matches].count("removed") == 2
    assert isinstance(told.old.facts.messages, int)


def test_a_status_is_compared_only_where_both_sessions_went_over_http() -> None:
    def by_http(status: int) -> dict[str, Any]:
        head = {"status": status, "headers": []}
        return {**answers(1, **_said("2")), "transport": "http", "exchange": 1, "http": head}

    asked = {**_call(1), "transport": "http", "exchange": 1, "http": {"method": "POST", "url": "http://a/mcp"}}
    assert not compared(trace_of(asked, by_http(200)), trace_of(_call(1), answers(1, **_said("2")))).different
    told = compared(trace_of(asked, by_http(200)), trace_of(asked, by_http(201)))
    assert [path for match in told.matches for path in _paths(match)] == ["/status"]


def test_an_answer_to_an_answer_is_matched_when_that_is() -> None:
    def over_http(message: dict[str, Any], exchange: int, **head: Any) -> dict[str, Any]:
        return {**message, "transport": "http", "exchange": exchange, "http": {"headers": [], **head}}

    asked = {**asks("roots/list", 0), "sender": "server", "receiver": "client"}
    said = {**answers(0, roots=[]), "sender": "client", "receiver": "server"}
    accepted = {"sender": "server", "receiver": "client", "kind": "http"}
    session = [
        over_http(asked, 1), over_http(said, 2, method="POST", url="http://a/mcp"), over_http(accepted, 2, status=202),
    ]  # fmt: skip
    told = compared(trace_of(*session), trace_of(*session))
    assert [match.state for match in told.matches] == ["same"] * 3


def test_several_servers_are_compared_each_with_itself_and_need_not_wait_for_each_other() -> None:
    def of(server: str, *messages: dict[str, Any]) -> list[dict[str, Any]]:
        names = {"client": f"client-{server}", "server": f"server-{server}"}
        return [{**row, "sender": names[row["sender"]], "receiver": names[row["receiver"]]} for row in messages]

    one, two = (of(name, asks("server/discover", 1), answers(1, instructions=name)) for name in ("one", "two"))
    people = [{"id": f"{role}-{name}", "role": role} for name in ("one", "two") for role in ("client", "server")]
    told = compared(trace_of(*one, *two, participants=people), trace_of(*two, *one, participants=people))
    assert [(match.state, match.moved) for match in told.matches] == [("same", False)] * 4
