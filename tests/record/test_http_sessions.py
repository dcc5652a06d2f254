"""Sessions of the handshake era over HTTP, streams that are taken up again, and HTTP+SSE of 2024-11-05."""

import json

import pytest

from flowgen.protocol import Step, answers_from
from flowgen.record import Site, Watch, _sse
from tests.record.conftest import CALL, visited
from tests.record.servers.web import served

SESSION = "session-secret-1"


def header(request, name):
    return request[2].get(name)


def test_a_session_id_goes_with_everything_and_is_deleted_at_the_end():
    with served("session") as web:
        seen = visited(web.url, revision="auto", answers=answers_from(b'roots = ["file:///x"]', "a"))
    assert seen.exit_code == 0, seen.recording.verdict
    assert web.said[:3] == ["server/discover", "initialize", "notifications/initialized"] and web.said[-1] == "DELETE"
    assert [header(request, "mcp-session-id") for request in web.asked[:2]] == [None, None]
    assert {header(request, "mcp-session-id") for request in web.asked[2:]} == {SESSION}
    assert header(web.asked[1], "mcp-protocol-version") is None
    assert {header(request, "mcp-protocol-version") for request in web.asked[2:]} == {"2025-11-25"}
    assert SESSION not in json.dumps(seen.document)


def test_what_the_server_asks_on_its_stream_is_answered_by_a_post():
    with served("session") as web:
        seen = visited(web.url, (CALL, Step("wait", 0.3)), revision="2025-11-25")
    assert web.answers == [{"jsonrpc": "2.0", "id": 7, "result": {"roots": []}}]
    asked = seen.of("request", method="roots/list")[0]
    assert asked["transport"] == "sse" and asked["sse"] == {"id": "g1", "event": "message"}
    taken = [message for message in seen.of("http") if message.get("http", {}).get("status") == 202]
    assert len(taken) == 2 and seen.exit_code == 0


def test_the_stream_of_a_session_stands_before_the_next_request_goes_out():
    with served("session") as web:
        seen = visited(web.url, revision="2025-11-25")
    opened = next(message for message in seen.of("http", event="stream-opened"))
    assert opened["seq"] < seen.of("request", method="tools/list")[0]["seq"]
    assert web.said.index("GET") < web.said.index("tools/list")


def test_a_server_that_answers_on_its_stream_alone_is_heard_and_marked():
    with served("answers_on_the_stream") as web:
        seen = visited(web.url, revision="2025-11-25")
    assert (seen.exit_code, seen.codes()) == (0, ["wrong-status"])
    assert [message["transport"] for message in seen.of("response")] == ["http", "http", "sse"]


def test_revisions_without_the_version_header_do_not_send_it():
    with served("session") as web:
        visited(web.url, revision="2025-03-26")
    assert {header(request, "mcp-protocol-version") for request in web.asked} == {None}


def test_a_lost_session_is_marked_and_a_new_one_opened():
    warnings = []
    with served("session+session_lost_once") as web:
        seen = visited(web.url, revision="2025-11-25", watch=Watch(warn=warnings.append))
    lost = next(message for message in seen.of("http") if message.get("http", {}).get("status") == 404)
    assert seen.exit_code == 0 and set(seen.codes(lost)) == {"http-error", "session-lost"}
    assert seen.methods.count("initialize") == 2 and seen.methods[-1] == "tools/call"
    again = [request for request in web.asked if b'"initialize"' in request[3]][1]
    assert header(again, "mcp-session-id") is None and "new one" in warnings[0]
    assert header(web.asked[-1], "mcp-session-id") == "session-secret-2"
    assert "unanswered" not in seen.codes()


def test_a_server_that_takes_no_farewell_is_no_trouble():
    with served("refused+session") as web:
        seen = visited(web.url, revision="2025-11-25")
    assert seen.exit_code == 0 and seen.statuses()[-1] == 405


# streams that end early


def test_a_stream_that_ends_early_is_taken_up_after_the_time_named(monkeypatch):
    monkeypatch.setattr(_sse, "RETRY_SECONDS", 20.0)  # where none is named: beyond all limits of this recording
    with served("resumable") as web:
        seen = visited(web.url, revision="2025-11-25")
    assert seen.exit_code == 0, seen.recording.verdict
    resumed = [request for request in web.asked if header(request, "last-event-id") is not None]
    assert [header(request, "last-event-id") for request in resumed] == ["r1"]
    answer = seen.of("response")[-1]
    assert answer["sse"]["id"] == "r2" and "unanswered" not in seen.codes() and "stream-closed" not in seen.codes()
    priming = next(message for message in seen.messages if message.get("sse", {}).get("retry") == 30)
    assert priming["kind"] == "http" and priming["sse"] == {"id": "r1", "retry": 30}


def test_a_stream_that_never_brings_its_answer_is_given_up(monkeypatch):
    monkeypatch.setattr(_sse, "RETRY_SECONDS", 0.02)
    with served("resumable_never+resumable") as web:
        seen = visited(web.url, revision="2025-11-25")
    assert seen.exit_code == 1 and {"stream-closed", "unanswered"} <= set(seen.codes())


def test_nothing_is_taken_up_again_in_the_stateless_era():
    with served("resumable") as web:
        seen = visited(web.url, revision="2026-07-28")
    assert seen.exit_code == 1 and "GET" not in web.said


# HTTP+SSE


@pytest.mark.parametrize("transport", ["auto", "sse"])
def test_the_old_transport_is_found_and_spoken(transport):
    with served("old") as web:
        seen = visited(Site(web.url, transport=transport), revision="auto")
    assert seen.exit_code == 0, seen.recording.verdict
    tried = ["server/discover", "initialize"] if transport == "auto" else []
    assert seen.methods == [*tried, "initialize", "notifications/initialized", "tools/list", "tools/call"]
    endpoint = next(message for message in seen.messages if message.get("sse", {}).get("event") == "endpoint")
    assert endpoint["kind"] == "http" and endpoint["text"].startswith("/messages?sessionId=")
    posted = {path for method, path, _, body in web.asked if method == "POST" and b"tools/" in body}
    assert posted == {"/messages?sessionId=old-session-77"} and "old-session-77" not in json.dumps(seen.document)
    assert all(message["transport"] == "sse" for message in seen.of("response"))
    assert "unanswered" not in seen.codes() and "wrong-status" not in seen.codes()


def test_an_endpoint_of_another_server_is_refused():
    with served() as other, served("old") as web:
        web.memory["endpoint"] = f"{other.origin}/messages"
        seen = visited(Site(web.url, transport="sse"), revision="auto")
    assert (seen.exit_code, other.asked) == (3, []) and "another server" in seen.recording.verdict[0]


def test_a_stream_without_an_endpoint_is_not_waited_for_for_ever():
    with served("no_endpoint") as web:
        seen = visited(Site(web.url, transport="sse"), revision="auto", startup=0.3)
    assert seen.exit_code == 3 and "endpoint" in seen.recording.verdict[0]


def test_with_the_old_stream_every_answer_is_lost():
    with served("old+old_leaves") as web:
        seen = visited(Site(web.url, transport="sse"), revision="auto")
    assert seen.exit_code == 1 and "unanswered" in seen.codes(seen.of("request", method="tools/call")[0])


def test_a_server_with_none_of_the_transports_is_told():
    with served() as web:
        seen = visited(Site(web.url, transport="sse"), revision="auto")
    assert seen.exit_code == 3 and seen.statuses() == [405]
