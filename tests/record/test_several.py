"""Several servers side by side, as a host holds them."""

import json
import sys
import threading

from flowgen.protocol import Plan, tour
from flowgen.record import Limits, RecordedTogether, Server, Session, Site
from tests.record.conftest import DEADLINE, SERVERS, Seen, is_a_trace
from tests.record.servers.web import served

ODD = (sys.executable, str(SERVERS / "odd.py"))


def together(servers, interrupted=False, **limits):
    plan = Plan(tour(("tools",), (), as_declared=True, safe=False, listen=None), revision="2025-11-25")
    recorded = RecordedTogether(servers, Session(plan, limits=Limits(**limits)), ["flowgen", "record"])
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
    assert [tool["name"] for tool in note["body"]["data"]["tools"]] == ["a-b_echo", "weather", "wrong", "c_echo"]


def test_the_worst_end_is_the_end_of_all_and_each_failure_is_told_by_its_name():
    with served("html_always") as web:
        seen = together({"good": Server(ODD), "bad": Site(web.url), "gone": Server(("no-such-program",))})
    assert (seen.exit_code, seen.outcome["complete"]) == (3, False)
    told = "\n".join(seen.recording.verdict)
    assert "bad: flowgen:" in told and "gone: flowgen: cannot start" in told and "good:" not in told


def test_an_interrupt_ends_all_of_them():
    seen = together({"a": Server((*ODD, "mute")), "b": Server((*ODD, "mute"))}, interrupted=True, startup=20.0)
    assert (seen.exit_code, seen.outcome["reason"]) == (130, "interrupted")


def test_what_was_given_for_one_server_is_masked_in_all():
    with served() as web:
        site = Site(web.url, (("X-Key", "two-secret-5678"),))
        seen = together({"a": Server(ODD, {"API_TOKEN": "one-secret-1234"}), "b": site})
    assert "one-secret" not in json.dumps(seen.document) and "two-secret" not in json.dumps(seen.document)
