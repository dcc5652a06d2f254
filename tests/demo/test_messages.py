"""Lines that are no messages, and how the demo answers each."""

import json

import pytest

from flowgen.demo._messages import Refusal, kind_of, line_of, parsed

CASES = [
    (b"hello", -32700, None),
    (b'{"jsonrpc": "2.0", "id": 1', -32700, None),
    (b'\xff{"jsonrpc": "2.0"}', -32700, None),
    (b'{"jsonrpc": "2.0", "id": NaN, "method": "ping"}', -32700, None),
    (b'{"jsonrpc": "2.0", "id": 1e999, "method": "ping"}', -32700, None),
    (b"[" * 5000, -32700, None),
    (b"1" * 5000, -32700, None),
    (b"42", -32600, None),
    (b"null", -32600, None),
    (b'"ping"', -32600, None),
    (b'{"id": 5, "method": "ping"}', -32600, 5),
    (b'{"jsonrpc": "1.0", "id": "a", "method": "ping"}', -32600, "a"),
    (b'{"jsonrpc": "2.0", "id": 6}', -32600, 6),
    (b'{"jsonrpc": "2.0", "id": 7, "method": 8}', -32600, 7),
    (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600, None),
    (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', -32600, None),
    (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600, None),
    (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', -32600, None),
    (b'{"jsonrpc": "2.0", "id": 9, "method": "ping", "params": [1]}', -32602, 9),
    (b"[]", -32600, None),
    (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', -32600, None),
]


@pytest.mark.parametrize("session", [None, "2025-06-18"])
def test_every_malformed_line_gets_its_error_and_the_server_lives_on(talk, session):
    server = talk("seed", session)
    for line, code, id in CASES:
        server.write(line + b"\n")
        answer = server.next()
        assert (answer["error"]["code"], answer["id"]) == (code, id), line
    assert server.result("ping") == {}


def test_blank_lines_carriage_returns_and_a_byte_order_mark_do_no_harm(talk):
    server = talk("seed")
    server.write(b'\n  \n\xef\xbb\xbf{"jsonrpc": "2.0", "id": 1, "method": "ping"}\r\n')
    assert server.next() == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_a_last_line_without_newline_is_answered(talk):
    server = talk("seed")
    server.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}')
    assert server.close() == (0, [{"jsonrpc": "2.0", "id": 1, "result": {}}], "")


def test_notifications_and_stray_answers_are_not_answered(talk):
    server = talk("seed", "2025-06-18")
    server.tell("notifications/unknown", a=1)
    server.tell("tools/list")
    server.tell("notifications/cancelled", requestId=77)
    server.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": [1]})
    server.say({"jsonrpc": "2.0", "id": 77, "result": {}})
    server.say({"jsonrpc": "2.0", "id": None, "error": {}})
    assert server.quiet() == []


def test_an_id_is_answered_in_its_own_type(talk):
    server = talk("seed", "2025-06-18")
    for id in ("1", 1, "", -5, 10**20):
        server.begin("ping", id=id)
        answer = server.next()
        assert answer["id"] == id and type(answer["id"]) is type(id)


def test_an_id_that_is_still_open_is_refused(talk):
    server = talk("full", "2025-06-18")
    server.begin("tools/call", id=5, name="tidy_slowly")
    server.begin("ping", id=5)
    assert server.next()["error"]["code"] == -32600
    server.begin("ping", id="5")
    assert server.next() == {"jsonrpc": "2.0", "id": "5", "result": {}}


def test_a_batch_is_answered_as_one_where_the_revision_has_batches(talk):
    server = talk("full", "2025-03-26")
    server.say([
        {"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"name": "tidy_slowly"}},
        {"jsonrpc": "2.0", "method": "notifications/unknown"},
        {"jsonrpc": "2.0", "id": "b", "method": "ping"},
        {"jsonrpc": "2.0", "id": "c", "method": "initialize", "params": {}},
        7,
    ])  # fmt: skip
    answers = server.next()
    assert [answer["id"] for answer in answers] == ["b", "c", None, "a"]
    assert [answer["error"]["code"] for answer in answers if "error" in answer] == [-32602, -32600]
    server.say([{"jsonrpc": "2.0", "method": "notifications/unknown"}])
    assert server.quiet() == []


def test_a_cancelled_request_does_not_hold_its_batch_up(talk):
    server = talk("full", "2025-03-26")
    server.say([
        {"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": {"name": "index_everything"}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "slow"}},
        {"jsonrpc": "2.0", "id": "b", "method": "ping"},
    ])  # fmt: skip
    assert [answer["id"] for answer in server.next()] == ["b"]


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-06-18", "2025-11-25"])
def test_a_batch_is_refused_where_the_revision_has_none(talk, revision):
    server = talk("seed", revision)
    server.say([{"jsonrpc": "2.0", "id": 9, "method": "ping"}])
    assert server.next()["error"]["code"] == -32600


def test_a_message_is_one_compact_line_in_utf8():
    assert line_of({"a": ["°", "\u2028\n"]}) == '{"a":["°","\u2028\\n"]}\n'.encode()
    assert json.loads(line_of({"a": "\ud83d"})) == {"a": "\ud83d"}


def test_kinds_are_told_by_members():
    assert kind_of({"jsonrpc": "2.0", "id": 1, "method": "a"}) == "request"
    assert kind_of({"jsonrpc": "2.0", "method": "a"}) == "notification"
    assert kind_of({"jsonrpc": "2.0", "id": 1, "result": None}) == "response"
    with pytest.raises(Refusal):
        kind_of({"jsonrpc": "2.0"})
    with pytest.raises(Refusal):
        parsed(b"{")
