"""Wire captures: every message once, in order, from the right side; secrets masked; nothing made up."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen import api, foreign
from flowgen.errors import TraceError
from flowgen.trace import Trace

OAUTH = Path(__file__).parent.parent / "trace" / "oauth.jsonl"
SECRETS = ["test-token-1796033276118", "test-client-secret", "test-auth-code"]


def line(direction: str, raw: Any = None, transport: str = "stdio", **more: Any) -> bytes:
    row = {"ts": 1796033023.5, "direction": direction, "transport": transport, "raw": raw, **more}
    return json.dumps(row).encode() + b"\n"


STDIO = b"".join([
    line("meta", event="spawn", command=["python3", "server.py"]),
    line("client->server", '{"jsonrpc":"2.0","id":1,"method":"initialize"}'),
    line("server-stderr", "starting"),
    line("server->client", '{"jsonrpc":"2.0","id":1,"result":{}}'),
    line("server->client", "Ready!"),
    line("server->client", '{"jsonrpc":"2.0","id":9,"result":{}}'),
    line("meta", event="client closed stdin"),
    line("meta", event="server exit", returncode=-15),
])  # fmt: skip
POST = {"start_line": "POST /mcp HTTP/1.1", "headers": [["Host", "s.example"]], "kind": "http-request"}


def http(*rows: bytes) -> Trace:
    return api.load(b"".join(rows))


def test_a_session_over_stdio_is_read_line_by_line() -> None:
    trace = api.load(STDIO)
    assert [(message.kind, message.sender) for message in trace.messages] == [
        ("process", "client"), ("request", "client"), ("stderr", "server"), ("response", "server"),
        ("noise", "server"), ("response", "server"), ("process", "client"), ("process", "server"),
    ]  # fmt: skip
    assert trace.messages[5].codes == ["unknown-id"]
    assert trace.outcome.signal == "SIGTERM"


def test_the_halves_of_an_exchange_keep_their_heads() -> None:
    asked = line("client->server", '{"jsonrpc":"2.0","id":1,"method":"ping"}', "streamable-http", exchange=1, **POST)
    status = {"start_line": "HTTP/1.1 400 Bad Request", "headers": [["A", "b"], ["A", "c"]], "kind": "http-response"}
    said = line("server->client", "<html>", "streamable-http", exchange=1, **status)
    request, answer = http(asked, said).messages
    assert request.http and (request.http.method, request.http.url) == ("POST", "http://s.example/mcp")
    assert answer.http and (answer.http.status, answer.http.headers) == (400, [("A", "b"), ("A", "c")])
    assert (answer.kind, answer.text, answer.codes, answer.exchange) == ("http", "<html>", ["http-error"], 1)


def test_events_of_a_stream_keep_their_fields_whole_or_line_by_line() -> None:
    asked = line("client->server", '{"jsonrpc":"2.0","id":1,"method":"ping"}', "streamable-http", exchange=1, **POST)
    told = '{"jsonrpc":"2.0","method":"notifications/message"}'
    whole = line(
        "server->client", told, "streamable-http", exchange=1, kind="sse-event", sse={"id": "7", "retry": None}
    )
    lines = [
        line("server->client", text, "streamable-http", exchange=1, kind="sse-line") for text in (f"data: {told}", "")
    ]
    _, first, second = http(asked, whole, *lines).messages
    assert first.sse and first.sse.id == "7"
    assert (first.transport, second.transport, second.kind) == ("sse", "sse", "notification")


def test_who_issues_tokens_is_a_participant_of_its_own_and_no_secret_is_left() -> None:
    trace = api.load(OAUTH)
    assert [who.role for who in trace.participants] == ["client", "auth", "server"]
    picture = api.drawing(trace, headers="all", full=True)
    kept = trace.model_dump_json() + picture.svg + picture.json()
    assert not [secret for secret in SECRETS if secret in kept]
    ET.fromstring(picture.svg)


def test_a_cut_capture_loads_up_to_the_cut() -> None:
    cut = api.load(STDIO[:-30])
    assert (len(cut.messages), cut.outcome.reason) == (7, "cut")


def test_what_is_no_capture_is_left_to_others() -> None:
    assert foreign.told(b'{"format": "flowgen.trace/1"}') is None
    with pytest.raises(TraceError):
        api.load(b'{"direction": "up"}')


rows = st.fixed_dictionaries(
    {"direction": st.sampled_from(["client->server", "server->client", "server-stderr", "meta", "x"])},
    optional={
        "transport": st.sampled_from(["stdio", "http"]), "raw": st.none() | st.text(max_size=30) | st.integers(),
        "ts": st.none() | st.floats(0, 2e9), "exchange": st.none() | st.integers(0, 3) | st.text(max_size=2),
        "kind": st.sampled_from([None, "sse-event", "sse-line", "http-response-head", "http-request"]),
        "start_line": st.none() | st.text(max_size=12) | st.just("HTTP/1.1 200 OK"), "sse": st.none() | st.just({}),
        "headers": st.none() | st.just([["a", "b"]]), "event": st.none() | st.text(max_size=8),
        "returncode": st.none() | st.integers(-70, 300), "command": st.none() | st.just(["x"]),
    },
)  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(st.lists(rows, max_size=6))
def test_any_rows_give_a_trace_and_a_picture(found: list[dict[str, Any]]) -> None:
    first = {"ts": 1, "direction": "server-stderr", "transport": "stdio", "raw": "up"}
    data = b"".join(json.dumps(row).encode() + b"\n" for row in (first, *found))
    ET.fromstring(api.drawing(api.load(data)).svg)
