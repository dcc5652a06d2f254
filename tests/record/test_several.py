"""Several servers side by side, as a host holds them."""

import json
import sys
import threading

from flowgen.protocol import Manners, Plan, Step, plan_from, tour
from flowgen.record import Limits, RecordedTogether, Server, Session, Site, Unready, Watch
from tests.record.conftest import DEADLINE, SERVERS, Seen, is_a_trace
from tests.record.servers.web import served

ODD = (sys.executable, str(SERVERS / "odd.py"))


def together(servers, interrupted=False, calls=(), plan=None, warn=print, **limits):
    steps = tour(("tools",), tuple(Step("call", name) for name in calls), as_declared=True, safe=False, listen=None)
    plan = plan or Plan(steps, revision="2025-11-25")
    session = Session(plan, manners=Manners(yes=True), limits=Limits(**limits))
    recorded = RecordedTogether(servers, session, ["flowgen", "record"], Watch(warn=warn))
    watchdog = threading.Timer(DEADLINE, recorded.interrupt)
    watchdog.start()
    if interrupted:
        threading.Timer(0.5, recorded.interrupt).start()
    seen = Seen(recorded.run())
    watchdog.cancel()
    is_a_trace(seen.document)
    return seen


def test_each_server_has_a_client_of_its_own_and_messages_cross_nowhere():
    with served() as web:
        seen = together({"one": Server(ODD), "two three": Site(web.url)})
    assert (seen.exit_code, seen.outcome["reason"]) == (0, "done"), seen.recording.verdict
    assert [(p["id"], p["role"]) for p in seen.document["participants"]] == [
        ("host", "host"), ("client-one", "client"), ("client-two-three", "client"), ("server-one", "server"),
        ("server-two-three", "server"),
    ]  # fmt: skip
    pairs = {(m["sender"].partition("-")[2], m["receiver"].partition("-")[2]) for m in seen.messages}
    assert pairs == {("one", "one"), ("two-three", "two-three"), ("", "")}
    assert seen.document["command"] == ["flowgen", "record"]


def test_the_host_notes_one_list_of_all_tools_with_a_prefix_where_names_clash():
    with served() as web, served("mirrors") as other:
        seen = together({"a b": Site(web.url), "c": Site(other.url)})
    note = seen.messages[-1]
    assert note["body"]["event"] == "merged-tools" and note["sender"] == note["receiver"] == "host"
    assert [tool["name"] for tool in note["body"]["data"]["tools"]] == ["a-b__echo", "weather", "wrong", "c__echo"]


def test_the_worst_end_is_the_end_of_all_and_each_failure_is_told_by_its_name():
    with served("html_always") as web:
        seen = together({"good": Server(ODD), "bad": Site(web.url), "gone": Server(("no-such-program",))})
    assert (seen.exit_code, seen.outcome["complete"]) == (3, False)
    told = "\n".join(seen.recording.verdict)
    assert "flowgen: bad: " in told and "flowgen: gone: cannot start" in told and "hint: gone: " in told
    assert "good:" not in told
    assert seen.outcome["servers"] == [
        {"id": "server-bad", "name": "bad", "reason": "connect-failed"},
        {"id": "server-gone", "name": "gone", "reason": "start-failed"},
    ]
    assert "tools/list" in [m["body"].get("method") for m in seen.messages if m["sender"] == "client-good"]


def test_a_server_that_cannot_be_tried_is_in_the_trace_and_the_others_go_on():
    seen = together({"no key": Unready("no variable KEY", "export KEY=…"), "good": Server(ODD)})
    assert (seen.exit_code, seen.outcome["reason"]) == (3, "start-failed")
    failed = next(m for m in seen.messages if m["sender"] == "client-no-key")
    assert failed["body"] == {"event": "start-failed", "error": "no variable KEY"}
    assert seen.recording.verdict[-1] == "hint: no key: export KEY=…"


def test_words_for_a_person_name_the_server():
    warned = []
    plan = Plan((Step("list", ("prompts",), as_declared=True),), revision="2025-11-25")
    together({"one": Server(ODD)}, plan=plan, warn=warned.append)
    assert warned == ["one: the server declares no prompts: not listed"]


def called(seen):
    """Who called what, in order."""
    asked = [m for m in seen.messages if m.get("body", {}).get("method") == "tools/call"]
    return [(m["receiver"], m["body"]["params"]["name"]) for m in asked]


def test_a_call_goes_to_the_server_that_lists_the_name():
    with served() as web, served("mirrors") as other:
        servers = {"a": Site(web.url), "b": Site(other.url)}
        seen = together(servers, calls=["b__echo", "weather", "a__echo", "b__weather"])
    assert (seen.exit_code, seen.recording.verdict) == (0, [])
    calls = [("server-b", "echo"), ("server-b", "weather"), ("server-a", "echo"), ("server-b", "weather")]
    assert called(seen) == calls
    notes = [m["body"]["event"] for m in seen.messages if m["kind"] == "note"]
    assert notes == ["merged-tools"]


def test_a_name_that_is_nobodys_or_several_servers_is_told_with_what_is_near():
    warned = []
    with served() as web, served("mirrors") as other:
        servers = {"a": Site(web.url), "b": Site(other.url), "gone": Server(("no-such-program",))}
        seen = together(servers, calls=["echo", "wether"], warn=warned.append)
    assert called(seen) == [] and len(warned) == 2
    assert warned[0] == "`echo` is a tool of a and of b: write `a__echo` or `b__echo`: left out"
    assert "`wether` is no tool of any server; the nearest is `weather`; gone told none" in warned[1]


PLAN = b"""
revision = "2025-11-25"
opening = "Hello"
[[step]]
title = "Lists"
list = ["tools"]
[[step]]
title = "One"
call = "a__echo"
[[step]]
title = "Two"
call = "b__echo"
[[step]]
title = "Pings"
ping = true
"""


def test_a_plan_is_played_in_its_order_whatever_server_a_step_is_for():
    with served() as web, served("mirrors") as other:
        seen = together({"a": Site(web.url), "b": Site(other.url)}, plan=plan_from(PLAN, "plan.toml"))
    assert seen.exit_code == 0 and called(seen) == [("server-a", "echo"), ("server-b", "echo")]
    assert [m["step"]["title"] for m in seen.messages if "step" in m] == ["Hello", "Lists", "One", "Two", "Pings"]
    methods = [m["body"]["method"] for m in seen.messages if m["kind"] == "request"]
    assert methods[2:] == ["tools/list", "tools/list", "tools/call", "tools/call", "ping", "ping"]


def test_what_the_plan_calls_is_listed_first_where_the_plan_does_not():
    with served() as web:
        plan = Plan((Step("call", "a__echo"),), revision="2025-11-25")
        seen = together({"a": Site(web.url), "b": Server(ODD)}, plan=plan)
    assert called(seen) == [("server-a", "echo")]


def test_a_session_that_ends_early_keeps_nobody_waiting():
    with served() as web:
        seen = together({"a": Site(web.url), "b": Server((*ODD, "mute"))}, calls=["echo"], startup=0.5)
    assert called(seen) == [("server-a", "echo")] and seen.exit_code == 4


def test_an_interrupt_ends_all_of_them():
    seen = together({"a": Server((*ODD, "mute")), "b": Server((*ODD, "mute"))}, interrupted=True, startup=20.0)
    assert (seen.exit_code, seen.outcome["reason"]) == (130, "interrupted")


def test_what_was_given_for_one_server_is_masked_in_all():
    with served() as web:
        site = Site(web.url, (("X-Key", "two-secret-5678"),))
        seen = together({"a": Server(ODD, {"API_TOKEN": "one-secret-1234"}), "b": site})
    assert "one-secret" not in json.dumps(seen.document) and "two-secret" not in json.dumps(seen.document)
