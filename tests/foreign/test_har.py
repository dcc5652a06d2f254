"""HAR: streams, base64, signing in, what carries no MCP, and times that entries do not tell."""

import base64
import json

import pytest

from flowgen import api
from flowgen.errors import TraceError

URL = "https://s.example/mcp"
PING, PONG = '{"jsonrpc":"2.0","id":1,"method":"ping"}', '{"jsonrpc":"2.0","id":1,"result":{}}'
ASK = '{"jsonrpc":"2.0","id":9,"method":"roots/list"}'
LOG = '{"jsonrpc":"2.0","method":"notifications/message"}'


def entry(at: float, took: float, body: str = PING, content: dict | None = None, url: str = URL, status: int = 200):
    return {
        "startedDateTime": f"2026-11-30T10:00:{at:06.3f}Z", "time": took * 1000,
        "request": {"method": "POST", "url": url, "headers": [{"name": "Authorization", "value": "Bearer abc.DEF-123"}],
                    **({"postData": {"text": body}} if body else {})},
        "response": {"status": status, "headers": [], "content": content or {"text": PONG}},
    }  # fmt: skip


def load(*entries: dict):
    return api.load(json.dumps({"log": {"version": "1.2", "creator": {"name": "x"}, "entries": entries}}).encode())


def stream(*texts: str) -> dict:
    data = "".join(f"id: {at}\ndata: {text}\n\n" for at, text in enumerate(texts))
    return {"text": base64.b64encode(data.encode()).decode(), "encoding": "base64", "mimeType": "text/event-stream"}


def test_events_have_no_times_of_their_own_but_the_answer_has_that_of_the_end():
    answered = entry(1, 0.1, '{"jsonrpc":"2.0","id":9,"result":{}}', {"text": ""}, status=202)
    trace = load(entry(0, 3, content=stream(ASK, LOG, PONG)), answered)
    assert [(each.kind, each.at) for each in trace.messages] == [
        ("request", 0.0), ("request", None), ("notification", None), ("response", 1.0), ("http", 1.1),
        ("http", 3.0), ("response", 3.0), ("http", 3.0),
    ]  # fmt: skip
    assert not [each.codes for each in trace.messages if each.codes]
    assert trace.messages[1].sse and trace.messages[1].sse.id == "0"


def test_what_carries_no_mcp_is_counted_and_what_signs_in_is_kept():
    token = entry(0.5, 0.1, "grant_type=authorization_code&code=Zx9-secret-Q", {"text": "{}"}, "https://login.example/t")
    with pytest.warns(UserWarning, match="1 of 4 entries carry no MCP"):
        trace = load(
            entry(0, 0.1, content={"text": ""}, status=401), token, entry(1, 0.1),
            entry(2, 0.1, "", {"text": "<p>"}, "https://s.example/logo.png"),
        )  # fmt: skip
    assert [(who.id, who.role, who.title) for who in trace.participants][1] == ("auth", "auth", "login.example")
    assert [each.codes for each in trace.messages][1] == ["http-error"]
    assert "Zx9-secret-Q" not in trace.model_dump_json()
    assert "abc.DEF-123" not in trace.model_dump_json()


def test_a_request_without_an_answer_stays_without_one():
    trace = load(entry(0, 0, status=0))
    assert [each.codes for each in trace.messages] == [["unanswered"]]


def test_contents_that_were_not_kept_are_missing():
    assert load(entry(0, 0.1, content={"size": 90, "mimeType": "application/json"})).missing == ["bodies"]


def test_a_har_without_mcp_is_no_recording():
    with pytest.raises(TraceError, match="no message in it"):
        load(entry(0, 0.1, "", {"text": "<p>"}))
    with pytest.raises(TraceError, match=r"log\.entries\.0\.request\.url: expected an address"):
        load({})
