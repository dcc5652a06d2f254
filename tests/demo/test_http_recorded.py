"""The demos that are meant for HTTP, recorded over it: each is one command on a machine without a network."""

import sys
import threading
from functools import cache

import pytest

from flowgen import api
from flowgen.errors import BackendMissing, UsageError


def told(trace, *roles):
    """Method or status of each message between these two, in order."""
    found = []
    for message in trace.messages:
        if {message.sender, message.receiver} == set(roles) and message.kind != "note":
            http = message.http
            body = message.body if isinstance(message.body, dict) else {}
            found.append(body.get("method") or (http and (http.status or http.method)) or message.kind)
    return found


def events(trace):
    return [message.body["event"] for message in trace.messages if message.kind == "note"]


def test_create_issue_plays_its_seven_steps_over_http():
    trace = api.record(demo="create-issue")
    assert trace.outcome.complete
    assert {message.transport for message in trace.messages if message.kind != "note"} == {"http", "sse"}
    assert told(trace, "client", "server") == [
        "server/discover", 200, "tools/list", 200, "tools/call", 200, "tools/call", 200,
        "subscriptions/listen", 200, "notifications/subscriptions/acknowledged", "notifications/tools/list_changed",
        "tools/list", 200, "http",
    ]  # fmt: skip
    assert events(trace) == ["approved", "answered-from-file"]
    call = next(m for m in trace.messages if m.kind == "request" and m.body["method"] == "tools/call")
    assert {"Mcp-Name", "Mcp-Method"} <= {name for name, _ in call.http.headers}
    assert len(trace.messages[-2].body["result"]["tools"]) == 3
    bands = [(m.step.title, m.body.get("method") or m.body.get("event") or m.kind) for m in trace.messages if m.step]
    assert bands == [
        ("Versions and capabilities", "server/discover"), ("Tool Discovery", "tools/list"),
        ("Choice and approval", "approved"), ("Tool Execution", "tools/call"), ("Confirmation", "response"),
        ("Result", "response"), ("Notification", "subscriptions/listen"),
    ]  # fmt: skip


def test_create_issue_brings_its_token_along_unless_the_user_has_one_of_his_own():
    trace = api.record(demo="create-issue")
    asked = [message for message in trace.messages if message.kind == "request"]
    assert {dict(message.http.headers)["Authorization"] for message in asked} == {"Bearer •••"}
    assert "earlier-day" not in trace.model_dump_json()
    assert api.record(demo="create-issue", bearer="not-one-of-its-tokens").outcome.reason == "connect-failed"


def test_oauth_is_played_from_the_first_401_to_the_call_with_more_rights():
    trace = api.record(demo="oauth")
    assert trace.outcome.complete
    with_auth = ["GET", 200, "POST", 201, "POST", 200]
    assert told(trace, "client", "auth") == [*with_auth, "POST", 200]
    assert told(trace, "browser", "auth") == ["GET", 302] * 2
    assert [status for status in told(trace, "client", "server") if status in (401, 403)] == [401, 403]
    assert [event for event in events(trace) if event in ("opened-browser", "callback-received")] == [
        "opened-browser", "callback-received",
    ] * 2  # fmt: skip
    assert "Created issue WEB-482" in str(trace.messages[-1].body)


@cache
def http(revision):
    return api.record(demo="http", revision=revision)


@pytest.mark.parametrize("revision", ["2026-07-28", "2025-11-25", "2025-06-18"])
def test_http_is_played_in_both_eras(revision):
    trace = http(revision)
    assert trace.outcome.complete
    talk = told(trace, "client", "server")
    sessions = revision != "2026-07-28"
    assert ("DELETE" in talk, "initialize" in talk, "roots/list" in talk) == (sessions,) * 3
    assert {"notifications/tools/list_changed", "notifications/resources/updated"} <= set(talk)
    assert talk.count("GET") == (2 if sessions else 0)  # the stream of the session, and one that broke off
    assert "Twelve storms" in str([message.body for message in trace.messages])


def test_it_is_the_same_each_time_but_for_port_and_time():
    def plain(trace):
        return [(m.sender, m.kind, m.transport, m.body) for m in trace.messages if m.kind != "note"]

    assert plain(api.record(demo="http")) == plain(http("2026-07-28"))


def test_http_sse_can_be_asked_for():
    trace = api.record(demo="http", transport="sse", revision="2024-11-05", lists="tools")  # its plan waits for 5 s
    assert trace.outcome.complete
    assert "http://127.0.0.1" in str(trace.messages[0].http.url) and "/sse" in str(trace.messages[0].http.url)


def test_what_is_for_processes_does_not_go_with_it():
    with pytest.raises(UsageError, match="--env goes with a server that is started"):
        api.record(demo="http", env={"A": "b"})


def test_without_the_extra_it_says_which_one_is_needed(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(BackendMissing, match="needs uvicorn") as caught:
        api.record(demo="http")
    assert caught.value.hint == "pip install 'mcp-flowgen[http]'"
    assert api.record(demo="seed").outcome.complete


def test_a_recording_may_be_interrupted_even_before_its_server_is_there():
    recorder = api.recorder(demo="http", listen=60)
    recorder.interrupt()
    recorder.interrupt()
    recording = []
    thread = threading.Thread(target=lambda: recording.append(recorder.run()))
    thread.start()
    thread.join(30)
    assert recording[0].exit_code == 130
