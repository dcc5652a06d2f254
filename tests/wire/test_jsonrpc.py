import pytest

from flowgen.wire import frame, id_key, kind_of, loose_key


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"jsonrpc": "2.0", "id": 1, "method": "ping"}, "request"),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, "request"),
        ({"jsonrpc": "2.0", "method": "notifications/initialized"}, "notification"),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, "response"),
        ({"jsonrpc": "2.0", "id": 1, "result": None}, "response"),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "no"}}, "error"),
        ({"jsonrpc": "2.0", "error": {"code": -32700, "message": "no"}}, "error"),
        ({"jsonrpc": "2.0", "id": 1, "result": {}, "error": {"code": -1, "message": "both"}}, "error"),
        ({"jsonrpc": "2.0", "id": 1, "result": {}, "error": None}, "response"),
        ({"jsonrpc": "2.0", "id": 1, "method": "echoed", "result": {}}, "response"),
        ({"id": 1, "result": {}}, "response"),
        ({"id": 1, "error": {"code": -1, "message": "no"}}, "error"),
        ({"method": "ping", "id": 1}, "request"),
        ({"method": "notifications/progress", "params": {}}, "notification"),
        ({"jsonrpc": "2.0", "id": 1}, None),
        ({"jsonrpc": "2.0", "id": 1, "method": 5}, None),
        ({"content": [], "isError": False}, None),
        ({"error": "invalid_token", "error_description": "expired"}, None),
        ({"level": 30, "method": "GET", "url": "/health"}, None),
        ({"id": 7, "error": "text", "msg": "a log line"}, None),
        ([], None),
        ("ping", None),
    ],
)
def test_the_kind_is_told_by_the_members(body, kind):
    assert kind_of(body) == kind


def test_ids_of_other_types_are_other_ids():
    ids = [1, "1", 1.0, True, None, [1], ["1"], {"a": 1}]
    assert len({id_key(value) for value in ids}) == len(ids)
    assert id_key({"a": [1]}) == id_key({"a": [1]})


def test_ids_that_differ_in_their_type_only_meet_loosely():
    assert loose_key(1) == loose_key("1") == loose_key(1.0)
    assert len({loose_key(value) for value in (1, True, None, "01", 1.5, "one")}) == 6


def test_a_frame_is_one_line_with_its_newline():
    assert frame({"id": 1, "text": "zwei\nZeilen ü \ud83d"}) == '{"id":1,"text":"zwei\\nZeilen ü \\ud83d"}\n'.encode()
