"""The stateless era over HTTP, by hand: headers against the body, statuses, JSON or a stream, who may call at all."""

import json
import threading
from contextlib import contextmanager

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

DEADLINE = 20.0
PREFIX = "io.modelcontextprotocol/"
ACCEPT = "application/json, text/event-stream"


def http(verb, url, **more):
    """One exchange; loading certificates for loopback would take longer than all the rest."""
    return httpx.request(verb, url, verify=False, timeout=DEADLINE, **more)


def message(method, id=1, capabilities=None, meta=None, **params):
    own = {PREFIX + "protocolVersion": "2026-07-28", PREFIX + "clientCapabilities": capabilities or {}}
    return {
        "jsonrpc": "2.0",
        "id": id,
        "method": method,
        "params": {**params, "_meta": {**own, **(meta or {})}},
    }


def headers_for(body, **more):
    own = {"accept": ACCEPT, "mcp-protocol-version": "2026-07-28", "mcp-method": body.get("method", "x")}
    name = body.get("params", {}).get("name", body.get("params", {}).get("uri"))
    named = {"mcp-name": name} if name else {}
    return {key: value for key, value in {**own, **named, **more}.items() if value is not None}


def post(url, body, **more):
    return http("POST", url, json=body, headers=headers_for(body, **more))


def events(response):
    return [json.loads(line[6:]) for line in response.text.splitlines() if line.startswith("data: {")]


@contextmanager
def opened(url, body):
    """A POST whose answer is read line by line."""
    with (
        httpx.Client(verify=False, timeout=DEADLINE) as client,
        client.stream("POST", url, json=body, headers=headers_for(body)) as response,
    ):
        yield response, response.iter_lines()


# Answers -------------------------------------------------------------------------------------------------------


def test_an_answer_with_nothing_before_it_is_json_without_clock_or_server(served):
    response = post(served("seed"), message("tools/list", id="a"))
    assert response.status_code == 200
    assert list(response.headers) == ["content-type", "content-length"]
    assert response.headers["content-type"] == "application/json"
    assert response.json()["id"] == "a" and len(response.json()["result"]["tools"]) == 2


def test_what_is_told_before_the_answer_makes_it_a_stream_without_ids(served):
    response = post(served("full"), message("tools/call", name="tidy_slowly", meta={"progressToken": 7}))
    assert response.headers["content-type"] == "text/event-stream"
    assert response.headers["x-accel-buffering"] == "no" and "no-cache" in response.headers["cache-control"]
    assert [each.get("method", "answer") for each in events(response)] == ["notifications/progress"] * 3 + [
        "answer"
    ]
    assert "id:" not in response.text.replace('"id":', "")
    assert response.text.startswith("event: message\ndata: {")


def test_the_same_requests_get_the_same_bytes(served):
    url = served("full")
    call = message("tools/call", name="publish_note", capabilities={"elicitation": {}})
    assert post(url, call).content == post(url, call).content


def test_a_call_that_asks_is_answered_with_input_required_and_goes_on_with_the_retry(served):
    url = served("full")
    asked = post(url, message("tools/call", name="publish_note", capabilities={"elicitation": {}})).json()[
        "result"
    ]
    answers = {"confirm": {"action": "accept", "content": {"audience": "team"}}}
    retry = message(
        "tools/call", id=2, name="publish_note", capabilities={"elicitation": {}},
        inputResponses=answers, requestState=asked["requestState"],
    )  # fmt: skip
    assert asked["resultType"] == "input_required"
    assert post(url, retry).json()["result"]["content"][0]["text"] == 'Published "todo" for team'


def test_two_clients_may_use_one_id_at_the_same_time(served):
    url = served("full")
    slow = message("tools/call", id=1, name="tidy_slowly", meta={"progressToken": 1})
    with opened(url, slow) as (_, lines):
        next(lines)
        assert "result" in post(url, message("tools/list", id=1)).json()


def test_a_stream_with_nothing_to_tell_gets_a_comment_now_and_then(served):
    silent = """
http = { keep_alive = 0.05 }
server = { name = "x", version = "1" }
[[tool]]
name = "wait"
[[tool.step]]
wait = 0.3
"""
    response = post(served(silent), message("tools/call", name="wait"))
    assert response.text.startswith(": ping\n\n")
    assert events(response)[0]["result"]["content"] == []


def test_answers_may_be_streams_always_but_errors_keep_their_status(served):
    url = served(
        'http = { answers = "sse" }\nserver = { name = "x", version = "1" }\ntool = [{ name = "t" }]'
    )
    assert post(url, message("tools/list")).headers["content-type"] == "text/event-stream"
    assert post(url, message("nope")).status_code == 404


# Statuses and headers ------------------------------------------------------------------------------------------

WRONG = {
    "an unknown method": (message("notes/count"), {}, 404, -32601),
    "a removed method": (message("ping"), {}, 404, -32601),
    "a handshake of this revision": (message("initialize"), {}, 404, -32601),
    "an unknown tool": (message("tools/call", name="nope"), {}, 400, -32602),
    "an unknown resource": (message("resources/read", uri="a://b"), {}, 400, -32602),
    "a capability that was not declared": (message("tools/call", name="publish_note"), {}, 400, -32021),
    "no _meta": ({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}, {}, 400, -32602),
    "another version": (
        message("tools/list", meta={PREFIX + "protocolVersion": "v999"}),
        {"mcp-protocol-version": "v999"},
        400,
        -32022,
    ),
    "a version of the handshake era": (
        message("tools/list", meta={PREFIX + "protocolVersion": "2025-11-25"}),
        {"mcp-protocol-version": "2025-11-25"},
        400,
        -32022,
    ),
    "a version header that differs": (
        message("tools/list"),
        {"mcp-protocol-version": "2025-11-25"},
        400,
        -32020,
    ),
    "no version header": (message("tools/list"), {"mcp-protocol-version": None}, 400, -32020),
    "a method header that differs": (message("tools/list"), {"mcp-method": "tools/call"}, 400, -32020),
    "a method header in capitals": (message("tools/list"), {"mcp-method": "TOOLS/LIST"}, 400, -32020),
    "no method header": (message("tools/list"), {"mcp-method": None}, 400, -32020),
    "no name header": (message("tools/call", name="read_meter"), {"mcp-name": None}, 400, -32020),
    "a name header that differs": (
        message("resources/read", uri="note://todo"),
        {"mcp-name": "x"},
        400,
        -32020,
    ),
    "a response": ({"jsonrpc": "2.0", "id": 1, "result": {}}, {}, 400, -32600),
    "no message": ({"hello": "world"}, {}, 400, -32600),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_answered_with_its_status_and_code(served_full, case):
    body, more, status, code = WRONG[case]
    response = post(served_full, body, **more)
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)
    assert response.json()["id"] == (body["id"] if "method" in body else None)


@pytest.fixture(scope="module")
def served_full():
    from flowgen.demo._running import Threaded
    from flowgen.demo._scenario import load

    with Threaded(load("full")) as url:
        yield url


def test_an_unsupported_version_is_told_which_there_are(served_full):
    body = message("tools/list", meta={PREFIX + "protocolVersion": "v9"})
    error = post(served_full, body, **{"mcp-protocol-version": "v9"}).json()["error"]
    assert error["data"] == {"supported": ["2026-07-28"], "requested": "v9"}


def test_a_batch_is_refused(served_full):
    response = http(
        "POST", served_full, json=[message("tools/list")], headers=headers_for({"method": "tools/list"})
    )
    assert (response.status_code, response.json()["error"]["code"]) == (400, -32600)


@pytest.mark.parametrize("body", [b"{oops", b"\xff", b"", b"[" * 100_000])
def test_what_is_no_json_is_a_parse_error(served_full, body):
    head = {**headers_for({"method": "x"}), "content-type": "application/json"}
    response = http("POST", served_full, content=body, headers=head)
    assert (response.status_code, response.json()["error"]["code"]) == (400, -32700)


def test_a_notification_is_accepted_without_a_body(served_full):
    body = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    response = post(served_full, body)
    assert (response.status_code, response.content) == (202, b"")


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_is_only_post(served_full, method):
    head = {"accept": "text/event-stream", "mcp-protocol-version": "2026-07-28", "last-event-id": "0-1"}
    response = http(method, served_full, headers=head)
    assert (response.status_code, response.headers["allow"]) == (405, "POST")
    assert {http(verb, served_full).status_code for verb in ("PUT", "HEAD", "OPTIONS", "PATCH")} == {405}


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"accept": "application/json"}, 406),
        ({"accept": "text/html"}, 406),
        ({"accept": "*/*"}, 200),
        ({"accept": "application/*;q=0.5, text/*"}, 200),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "Application/JSON; charset=utf-8"}, 200),
        ({"mcp-session-id": "left over"}, 200),
    ],
)
def test_only_json_is_taken_and_both_kinds_of_answer_must_be(served_full, more, status):
    assert post(served_full, message("tools/list"), **more).status_code == status


def test_a_body_that_is_too_long_is_not_read_to_its_end(served_full):
    response = post(served_full, message("tools/call", name="x" * 9_000_000), **{"mcp-name": "x"})
    assert response.status_code == 413


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
methods = st.sampled_from(
    [
        "initialize",
        "tools/call",
        "resources/read",
        "prompts/get",
        "subscriptions/listen",
        "server/discover",
        "x",
    ]
)
messages = json_values | st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0"), "method": methods | json_values},
    optional={
        "id": json_values,
        "params": json_values
        | st.fixed_dictionaries(
            {"_meta": st.just(message("x")["params"]["_meta"]) | json_values},
            optional={
                "name": json_values,
                "uri": json_values,
                "arguments": json_values,
                "notifications": json_values,
            },
        ),
    },
)
values = st.sampled_from(["2026-07-28", "2025-06-18", "tools/call", "read_meter", "=?base64?eA=="]) | st.text(
    st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=8
)


@settings(max_examples=60, deadline=None)
@given(messages, st.dictionaries(st.sampled_from(["mcp-protocol-version", "mcp-method", "mcp-name"]), values))
def test_any_body_under_any_headers_has_an_answer(served_full, body, more):
    head = {"accept": ACCEPT, "content-type": "application/json", **more}
    with (
        httpx.Client(verify=False, timeout=DEADLINE) as client,
        client.stream("POST", served_full, content=json.dumps(body), headers=head) as response,
    ):
        assert response.status_code in (200, 202, 400, 404)


# Who may call --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "localhost.evil.example:80"}, 421),
        ({"host": "["}, 421),
        ({"host": "localhost:1"}, 200),
        ({"host": "[::1]"}, 200),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1.evil.example"}, 403),
        ({"origin": "http://localhost:6274"}, 200),
    ],
)
def test_only_this_machine_may_call(served_full, more, status):
    assert post(served_full, message("tools/list"), **more).status_code == status


# Subscriptions and cancelling ----------------------------------------------------------------------------------


def test_a_subscription_is_a_stream_that_stays_open_and_is_told_what_others_change(served):
    url = served("full")
    asked = {"toolsListChanged": True, "resourceSubscriptions": ["note://todo", "note://none"]}
    with opened(url, message("subscriptions/listen", id="listen-1", notifications=asked)) as (_, lines):
        data = (json.loads(line[6:]) for line in lines if line.startswith("data: "))
        first = next(data)
        assert first["method"] == "notifications/subscriptions/acknowledged"
        assert first["params"]["notifications"] == {**asked, "resourceSubscriptions": ["note://todo"]}
        post(url, message("tools/call", name="enable_search"))
        post(url, message("tools/call", name="add_prompt"))
        post(url, message("tools/call", name="edit_note", arguments={"text": "x"}))
        told = [next(data), next(data)]
        assert [each["method"][14:] for each in told] == ["tools/list_changed", "resources/updated"]
        assert all(
            each["params"]["_meta"] == {PREFIX + "subscriptionId": "listen-1"} for each in [first, *told]
        )


def test_the_server_may_end_a_subscription_with_its_result(served):
    ending = """
server = { name = "x", version = "1" }
capabilities = { tools = { listChanged = true } }
[[tool]]
name = "stop"
[[tool.step]]
end_listen = true
"""
    url = served(ending)
    with opened(url, message("subscriptions/listen", id=5, notifications={"toolsListChanged": True})) as (
        _,
        lines,
    ):
        data = (json.loads(line[6:]) for line in lines if line.startswith("data: "))
        next(data)
        post(url, message("tools/call", name="stop"))
        assert [(each["id"], each["result"]["resultType"]) for each in data] == [(5, "complete")]


CANCELLED = """
server = { name = "x", version = "1" }
capabilities = { tools = { listChanged = true } }
[[tool]]
name = "work"
[[tool.step]]
progress = 1
[[tool.step]]
wait = 0.2
[[tool.step]]
change = "tools"
show = ["done"]
[[tool]]
name = "done"
hidden = true
[[tool]]
name = "as_long"
[[tool.step]]
wait = 0.2
"""


def tools_once_it_would_be_done(url):
    """What is listed when a call that began later and takes as long is answered."""
    post(url, message("tools/call", name="as_long"))
    return [tool["name"] for tool in post(url, message("tools/list")).json()["result"]["tools"]]


def test_closing_the_stream_cancels_the_call(served):
    url = served(CANCELLED)
    with opened(url, message("tools/call", name="work", meta={"progressToken": 1})) as (_, lines):
        assert next(lines) == "event: message"
    assert tools_once_it_would_be_done(url) == ["work", "as_long"]


def test_closing_a_connection_without_an_answer_yet_cancels_the_call(served):
    url = served(CANCELLED)
    body = message("tools/call", name="work")
    with httpx.Client(verify=False, timeout=0.1) as client, pytest.raises(httpx.ReadTimeout):
        client.post(url, json=body, headers=headers_for(body))
    assert tools_once_it_would_be_done(url) == ["work", "as_long"]


def test_a_call_that_is_not_cancellable_goes_on(served):
    url = served(CANCELLED.replace('name = "work"', 'name = "work"\ncancellable = false'))
    with opened(url, message("tools/call", name="work", meta={"progressToken": 1})) as (_, lines):
        next(lines)
    assert tools_once_it_would_be_done(url) == ["work", "done", "as_long"]


def test_at_the_end_open_subscriptions_get_their_result():
    from flowgen.demo._running import Threaded
    from flowgen.demo._scenario import load

    found, acknowledged = [], threading.Event()

    def listen(url):
        body = message("subscriptions/listen", id=3, notifications={"toolsListChanged": True})
        with opened(url, body) as (_, lines):
            for line in lines:
                found.append(line)
                acknowledged.set()

    with Threaded(load("seed")) as url:
        listener = threading.Thread(target=listen, args=(url,))
        listener.start()
        assert acknowledged.wait(DEADLINE)
    listener.join(DEADLINE)
    assert json.loads(found[-2][6:])["result"]["resultType"] == "complete"
