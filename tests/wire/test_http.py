import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowgen.wire import (
    header_of,
    header_pairs,
    header_value,
    media_type,
    mirrored,
    param_headers,
    plain_value,
    routing_headers,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("us-west1", "us-west1"),
        ("Seattle, WA", "Seattle, WA"),
        ("a\tb", "a\tb"),
        ("", ""),
        ("Zürich", "=?base64?WsO8cmljaA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("a\x7f", "=?base64?YX8=?="),
    ],
)
def test_a_value_is_sent_as_it_is_where_that_is_safe(text, value):
    assert header_value(text) == value and plain_value(value) == text


@given(st.text())
def test_every_text_survives_the_way_through_a_header(text):
    value = header_value(text)
    assert value.isascii() and not set("\r\n\0") & set(value) and value == value.strip(" \t")
    assert plain_value(value) == text


@pytest.mark.parametrize("value", ["=?base64?%%%?=", "=?base64?/w==?=", "=?base64?YX9=?=", "=?base64?a?="])
def test_a_sentinel_around_nonsense_stands_for_nothing(value):
    assert plain_value(value) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "true"), (False, "false"), (42, "42"), (-7, "-7"), (42.0, "42"), ("x", "x"), ("", ""),
     (None, None), (1.5, None), ([1], None), ({}, None), (2**53, None), (float("inf"), None)],
)  # fmt: skip
def test_only_texts_integers_and_booleans_are_repeated(value, text):
    assert mirrored(value) == text


def test_a_call_carries_its_method_its_name_and_the_marked_arguments():
    names = param_headers({
        "properties": {
            "city": {"type": "string", "x-mcp-header": "City"},
            "place": {"type": "object", "properties": {"floor": {"type": "integer", "x-mcp-header": "Floor"}}},
            "gone": {"type": "boolean", "x-mcp-header": "Gone"},
        }
    }).names  # fmt: skip
    assert names == {("city",): "City", ("place", "floor"): "Floor", ("gone",): "Gone"}
    arguments = {"city": "Zürich", "place": {"floor": 3}, "gone": None}
    body = {"method": "tools/call", "params": {"name": "get_weather", "arguments": arguments}}
    assert routing_headers(body, names) == [
        ("Mcp-Method", "tools/call"), ("Mcp-Name", "get_weather"),
        ("Mcp-Param-City", "=?base64?WsO8cmljaA==?="), ("Mcp-Param-Floor", "3"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        ({"method": "tools/list"}, [("Mcp-Method", "tools/list")]),
        (
            {"method": "resources/read", "params": {"uri": "note://a"}},
            [("Mcp-Method", "resources/read"), ("Mcp-Name", "note://a")],
        ),
        ({"method": "tasks/get", "params": {"taskId": "t"}}, [("Mcp-Method", "tasks/get"), ("Mcp-Name", "t")]),
        ({"method": "tools/call", "params": {"name": 5}}, [("Mcp-Method", "tools/call")]),
        ({"method": "tools/call", "params": []}, [("Mcp-Method", "tools/call")]),
        ({"id": 1, "result": {}}, []),
    ],
)
def test_other_messages_carry_what_they_have(body, headers):
    assert routing_headers(body, {}) == headers


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"type": "number", "x-mcp-header": "A"}}},
        {"properties": {"a": {"x-mcp-header": "A"}}},
        {"properties": {"a": {"type": ["string", "null"], "x-mcp-header": "A"}}},
        {"properties": {"a": {"type": "object", "x-mcp-header": "A"}}},
        {"properties": {"a": {"type": "string", "x-mcp-header": ""}}},
        {"properties": {"a": {"type": "string", "x-mcp-header": "A B"}}},
        {"properties": {"a": {"type": "string", "x-mcp-header": "A\r\nX: y"}}},
        {"properties": {"a": {"type": "string", "x-mcp-header": 5}}},
        {"properties": {"a": {"type": "string", "x-mcp-header": "K"}, "b": {"type": "string", "x-mcp-header": "k"}}},
        {"properties": {"a": {"items": {"type": "string", "x-mcp-header": "A"}}}},
        {"properties": {"a": {"anyOf": [{"type": "string", "x-mcp-header": "A"}]}}},
        {"$defs": {"a": {"type": "string", "x-mcp-header": "A"}}},
        {"type": "string", "x-mcp-header": "A"},
    ],
)
def test_a_mark_in_the_wrong_place_or_form_is_a_fault(schema):
    read = param_headers(schema)
    assert read.fault and read.names == {}


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"x-mcp-header": {"type": "string"}}},
        {"properties": {"a": {"type": "string", "default": {"x-mcp-header": "A"}}}},
        {"properties": {"a": {"type": "string", "enum": [{"x-mcp-header": "A"}]}}},
        {}, None, 5, [],
    ],
)  # fmt: skip
def test_what_only_looks_like_a_mark_is_none(schema):
    assert param_headers(schema) == ({}, None)


@given(st.recursive(
    st.none() | st.text("ab"),
    lambda inner: st.dictionaries(st.sampled_from(["properties", "items", "anyOf", "x-mcp-header", "type"]), inner)
    | st.lists(inner, max_size=2),
))  # fmt: skip
def test_no_schema_raises(schema):
    param_headers(schema)


def test_headers_are_kept_in_their_order_and_case_with_repeats():
    pairs = header_pairs([(b"X-A", b"1"), (b"x-a", b"2"), (b"Latin", b"\xe9"), (b"Utf", "é".encode())])
    assert pairs == [["X-A", "1"], ["x-a", "2"], ["Latin", "é"], ["Utf", "é"]]
    assert header_of(pairs, "X-a") == "1" and header_of(pairs, "missing") is None


@pytest.mark.parametrize(
    ("value", "found"), [("Application/JSON; charset=utf-8", "application/json"), ("text/html", "text/html"), ("", "")]
)
def test_the_media_type_is_the_first_part_of_the_content_type(value, found):
    assert media_type([["content-TYPE", value]]) == found
    assert media_type([]) is None
