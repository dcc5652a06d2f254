"""Headers against the body, without a server: every value that can be sent is understood, every other refused."""

from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowgen.demo._headers import (
    accepts,
    annotated,
    decoded,
    is_loopback,
    is_own_origin,
    mismatch,
    named_version,
)

SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "x-mcp-header": "City"},
        "count": {"type": "integer", "x-mcp-header": "Count"},
        "dry": {"type": "boolean", "x-mcp-header": "Dry-Run"},
        "where": {"type": "object", "properties": {"zone": {"type": "string", "x-mcp-header": "Zone"}}},
    },
}


def call(**arguments):
    return {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "t", "arguments": arguments},
    }


def wrong(arguments, **params):
    sent = {"mcp-method": "tools/call", "mcp-name": "t"}
    sent |= {f"mcp-param-{name.replace('_', '-')}": value for name, value in params.items()}
    return mismatch(sent, call(**arguments), SCHEMA)


def as_sentinel(text):
    return f"=?base64?{b64encode(text.encode()).decode()}?="


def test_headers_stand_for_the_annotated_arguments_at_any_depth():
    assert list(annotated(SCHEMA)) == [
        ("City", ("city",)), ("Count", ("count",)), ("Dry-Run", ("dry",)), ("Zone", ("where", "zone")),
    ]  # fmt: skip
    arguments = {"city": "Bern", "count": 3, "dry": True, "where": {"zone": "a"}}
    assert wrong(arguments, city="Bern", count="3", dry_run="true", zone="a") is None


@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({"city": "Zürich"}, {"city": "=?base64?WsO8cmljaA==?="}),
        ({"city": "Bern"}, {"city": as_sentinel("Bern")}),
        ({"city": "=?base64?x"}, {"city": "=?base64?x"}),
        ({"city": as_sentinel("x")}, {"city": as_sentinel(as_sentinel("x"))}),
        ({"count": 3}, {"count": "3.0"}),
        ({"count": -3}, {"count": "-3"}),
        ({"count": 10**40}, {"count": "1" + "0" * 40}),
        ({"dry": False}, {"dry_run": "false"}),
        ({"city": None}, {}),
        ({}, {}),
    ],
)
def test_values_agree(arguments, headers):
    assert wrong(arguments, **headers) is None


@pytest.mark.parametrize(
    ("arguments", "headers"),
    [
        ({"city": "Bern"}, {}),
        ({"city": "Bern"}, {"city": "bern"}),
        ({"city": "Zürich"}, {"city": "Zürich"}),
        ({"city": "Hello"}, {"city": "=?base64?SGVsbG8?="}),
        ({"city": "Hello"}, {"city": "=?base64?SGVs!!!bG8=?="}),
        ({"city": "x"}, {"city": "=?base64?/w==?="}),
        ({"count": 3}, {"count": "three"}),
        ({"count": 3}, {"count": "3e0"}),
        ({"count": 10**40}, {"count": "1" + "0" * 39 + "1"}),
        ({"dry": True}, {"dry_run": "1"}),
        ({"dry": True}, {"dry_run": "True"}),
        ({}, {"city": "Bern"}),
        ({"city": None}, {"city": "null"}),
        ({"where": "x"}, {"zone": "x"}),
    ],
)
def test_values_disagree(arguments, headers):
    assert "the header Mcp-Param-" in wrong(arguments, **headers)


def test_headers_that_nobody_asked_for_are_let_through():
    sent = {"mcp-method": "tools/call", "mcp-name": "t", "mcp-param-other": "x"}
    assert mismatch(sent, call(), None) is None


@given(st.text(max_size=30))
def test_every_text_can_be_sent_in_a_header(text):
    assert decoded(as_sentinel(text)) == text
    assert wrong({"city": text}, city=as_sentinel(text)) is None


@given(
    st.text(max_size=30),
    st.recursive(st.none() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=3),
)
def test_any_header_and_any_argument_can_be_compared(header, argument):
    found = wrong(
        {"city": argument, "count": argument, "dry": argument}, city=header, count=header, dry_run=header
    )
    assert found is None or found.startswith("the header ")


@pytest.mark.parametrize(
    "body", [None, 1, [], {}, {"params": 1}, {"params": {"_meta": []}}, {"params": {"_meta": {}}}]
)
def test_a_body_of_any_form_names_a_version_or_none(body):
    assert named_version(body) is None


@pytest.mark.parametrize(
    ("accept", "taken"),
    [
        ("application/json, text/event-stream", True),
        ("TEXT/EVENT-STREAM;q=0.1,application/json", True),
        ("*/*", True),
        ("application/json", False),
        ("", False),
    ],
)
def test_accept_is_read_as_http_has_it(accept, taken):
    assert accepts(accept, "application/json", "text/event-stream") == taken


@given(st.text(max_size=20))
def test_any_host_and_origin_is_told_from_ours(text):
    assert is_loopback(text) in (True, False)
    assert not is_own_origin(f"https://{text}.example")
    assert not is_loopback(f"localhost{text}.example")
