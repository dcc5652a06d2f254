"""The handshake era over HTTP, by hand: sessions, the GET stream, event ids, streams taken up again, HTTP+SSE."""

import json
import threading
from contextlib import contextmanager

import httpx
import pytest

DEADLINE = 20.0
ACCEPT = {"accept": "application/json, text/event-stream"}


def http(verb, url, **more):
    """One exchange; loading certificates for loopback would take longer than all the rest."""
    return httpx.request(verb, url, verify=False, timeout=DEADLINE, **more)


class Session:
    """A client of one session; `ask` gives the whole HTTP answer."""

    def __init__(self, url, revision="2025-11-25", capabilities=None):
        self.url, self.headers = url, dict(ACCEPT)
        self.opened = self.ask(
            "initialize",
            protocolVersion=revision,
            capabilities=capabilities or {},
            clientInfo={"name": "test", "version": "1"},
        )
        self.headers |= {"mcp-session-id": self.opened.headers.get("mcp-session-id", "")}
        if revision >= "2025-06-18":
            self.headers |= {"mcp-protocol-version": revision}
        self.tell("notifications/initialized")

    def post(self, body, **more):
        return http("POST", self.url, json=body, headers={**self.headers, **more})

    def ask(self, method, id=1, **params):
        return self.post({"jsonrpc": "2.0", "id": id, "method": method, "params": params})

    def tell(self, method, **params):
        return self.post({"jsonrpc": "2.0", "method": method, "params": params})

    @contextmanager
    def reading(self, verb="GET", body=None, **more):
        """The events of a stream, each as a dict of its fields, as they come."""
        head = {**self.headers, **more}
        with (
            httpx.Client(verify=False, timeout=DEADLINE) as client,
            client.stream(verb, self.url, json=body, headers=head) as response,
        ):
            assert response.status_code == 200, response.read()
            assert response.headers["content-type"] == "text/event-stream"
            yield events(response.iter_lines())


def events(lines):
    event = {}
    for line in lines:
        if line:
            name, _, value = line.partition(":")
            event[name] = value.strip()
        else:
            yield event
            event = {}


def call(name, id=2, token=None, **arguments):
    meta = {} if token is None else {"_meta": {"progressToken": token}}
    params = {"name": name, "arguments": arguments, **meta}
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}


def data(event):
    return json.loads(event["data"])


@pytest.fixture(params=["2025-03-26", "2025-06-18", "2025-11-25"])
def revision(request):
    return request.param


def test_initialize_gives_a_session_that_later_requests_name(served, revision):
    session = Session(served("full"), revision)
    assert session.opened.status_code == 200
    assert session.opened.json()["result"]["protocolVersion"] == revision
    assert session.headers["mcp-session-id"].isascii() and len(session.headers["mcp-session-id"]) == 32
    assert len(session.ask("prompts/list").json()["result"]["prompts"]) == 1


def test_without_a_session_id_it_is_400_and_with_an_unknown_one_404(served):
    session = Session(served("full"))
    assert session.ask("nope").json()["error"]["code"] == -32601
    for id, status in (("", 404), ("nope", 404), (None, 400)):
        head = {key: value for key, value in session.headers.items() if key != "mcp-session-id"}
        head |= {} if id is None else {"mcp-session-id": id}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        response = http("POST", session.url, json=body, headers=head)
        assert (response.status_code, response.json()["id"]) == (status, None)


def test_a_revision_that_is_not_spoken_is_400_but_none_is_taken(served):
    session = Session(served("full"))
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert session.post(body, **{"mcp-protocol-version": "1900-01-01"}).status_code == 400
    head = {key: value for key, value in session.headers.items() if key != "mcp-protocol-version"}
    assert http("POST", session.url, json=body, headers=head).status_code == 200


def test_notifications_and_answers_are_202_without_a_body(served):
    session = Session(served("full"))
    for body in (
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 99, "result": {}},
    ):
        response = session.post(body)
        assert (response.status_code, response.content) == (202, b"")


def test_a_failed_initialize_opens_no_session(served):
    response = http(
        "POST", served("full"), json={"jsonrpc": "2.0", "id": 1, "method": "initialize"}, headers=ACCEPT
    )
    assert "mcp-session-id" not in response.headers
    assert response.json()["error"]["code"] == -32602


def test_delete_ends_the_session_and_its_get_stream(served):
    session = Session(served("full"))
    with session.reading() as stream:
        assert next(stream) == {"id": "0-0", "data": ""}
        assert http("DELETE", session.url, headers=session.headers).status_code == 204
        assert list(stream) == []
    assert session.ask("tools/list").status_code == 404
    assert http("DELETE", session.url, headers=session.headers).status_code == 404


def test_batches_are_of_one_revision_only(served, revision):
    session = Session(served("full"), revision)
    batch = [{"jsonrpc": "2.0", "id": n, "method": "ping"} for n in (1, 2)]
    notice = {"jsonrpc": "2.0", "method": "notifications/x"}
    if revision == "2025-03-26":
        assert session.post([*batch, notice]).json() == [
            {"jsonrpc": "2.0", "id": n, "result": {}} for n in (1, 2)
        ]
        assert session.post([notice, notice]).status_code == 202
        with session.reading(
            "POST", [call("tidy_slowly", 1, token=1), call("tidy_slowly", 2, token=2)]
        ) as stream:
            *progress, answers = [data(event) for event in stream]
        assert len(progress) == 6 and [answer["id"] for answer in answers] == [1, 2]
    else:
        assert (session.post(batch).status_code, session.post(batch).json()["error"]["code"]) == (400, -32600)
    assert session.post([]).status_code == 400


# Streams -------------------------------------------------------------------------------------------------------


def test_a_stream_begins_with_an_id_since_2025_11_25_and_every_event_has_its_own(served, revision):
    session = Session(served("full"), revision)
    with session.reading("POST", call("tidy_slowly", token=1)) as stream:
        found = list(stream)
    primed = found[:1] == [{"id": "2-0", "data": ""}] or found[:1] == [{"id": "1-0", "data": ""}]
    assert primed == (revision == "2025-11-25")
    messages = [event for event in found if event["data"]]
    assert [data(event).get("method", "answer") for event in messages] == ["notifications/progress"] * 3 + [
        "answer"
    ]
    assert len({event["id"] for event in found}) == len(found)


def test_what_a_session_is_told_unasked_goes_to_its_get_stream(served):
    session = Session(served("http"), capabilities={"roots": {}})
    with session.reading() as stream:
        next(stream)
        question = data(next(stream))
        assert question["method"] == "roots/list"
        assert (
            session.post({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}}).status_code == 202
        )
        session.ask("resources/subscribe", uri="weather://warnings")
        session.post(call("open_season"))
        assert data(next(stream))["method"] == "notifications/tools/list_changed"


def test_what_is_told_while_nobody_reads_waits_for_the_get_stream(served):
    session = Session(served("seed"))
    session.post(call("weather_current", location="Bern"))
    with session.reading() as stream:
        assert next(stream)["data"] == ""
        assert data(next(stream))["method"] == "notifications/tools/list_changed"
    session.post(call("weather_current", location="Bern"))
    with session.reading() as stream:
        assert next(stream)["id"] == "0-2"  # what was read once is not told again


def test_a_second_get_takes_the_stream_over(served):
    session = Session(served("seed"))
    with session.reading() as first:
        next(first)
        with session.reading() as second:
            assert list(first) == []
            session.post(call("weather_current", location="Bern"))
            assert data(next(second))["method"] == "notifications/tools/list_changed"


def test_a_broken_stream_tells_when_to_come_back_and_goes_on_behind_the_last_event(served):
    session = Session(served("http"))
    with session.reading("POST", call("fetch_archive", token=1)) as stream:
        *told, broken = list(stream)
    assert broken == {"retry": "100"}
    assert [event["id"] for event in told] == ["2-0", "2-1"] or [event["id"] for event in told] == [
        "1-0",
        "1-1",
    ]
    with session.reading(**{"last-event-id": told[-1]["id"]}) as stream:
        (answer,) = list(stream)
    assert data(answer)["id"] == 2 and "storms" in str(answer)
    with session.reading(**{"last-event-id": told[0]["id"]}) as stream:
        assert [data(event).get("method", "answer") for event in stream] == [
            "notifications/progress",
            "answer",
        ]


def test_an_unknown_event_id_is_refused(served):
    session = Session(served("seed"))
    for id in ("7-0", "0-99", "x", "0-", "0-0-0", "-1"):
        head = {**session.headers, "last-event-id": id}
        assert http("GET", session.url, headers=head).status_code == 400


def test_closing_the_stream_does_not_cancel_here(served):
    session = Session(served("full"))
    with session.reading("POST", call("tidy_slowly", token=1)) as stream:
        last = next(stream)["id"]
    with session.reading(**{"last-event-id": last}) as stream:
        assert [data(event).get("method", "answer") for event in stream][-1] == "answer"


def test_a_cancelled_call_ends_its_stream_without_an_answer(served):
    session = Session(served("full"))
    with session.reading("POST", call("index_everything", token=1)) as stream:
        assert [next(stream)["data"], data(next(stream))["method"]] == ["", "notifications/progress"]
        session.tell("notifications/cancelled", requestId=2)
        assert list(stream) == []


def test_get_needs_a_session_and_a_client_that_takes_streams(served):
    session = Session(served("full"))
    assert http("GET", session.url, headers=ACCEPT).status_code == 400
    assert (
        http("GET", session.url, headers={**session.headers, "accept": "application/json"}).status_code == 406
    )


# Variations ----------------------------------------------------------------------------------------------------

PLAIN = 'server = { name = "x", version = "1" }\n[[tool]]\nname = "t"\nresult = { text = "x" }\n'


def test_a_server_may_have_no_sessions(served):
    session = Session(served("http = { sessions = false }\n" + PLAIN), "2025-06-18")
    assert session.headers.pop("mcp-session-id") == ""
    assert session.opened.json()["result"]["protocolVersion"] == "2025-06-18"
    assert session.post(call("t")).json()["result"]["content"][0]["text"] == "x"
    assert session.tell("notifications/initialized").status_code == 202
    assert session.ask("nope").status_code == 200
    assert http("GET", session.url, headers=session.headers).status_code == 405
    assert http("DELETE", session.url, headers=session.headers).status_code == 405


def test_a_server_may_have_no_get_stream(served):
    session = Session(served("http = { get_stream = false }\n" + PLAIN))
    assert http("GET", session.url, headers=session.headers).status_code == 405
    assert http("DELETE", session.url, headers=session.headers).status_code == 204


def test_a_server_may_lose_a_session(served):
    session = Session(served(PLAIN + '[[tool]]\nname = "restart"\n[[tool.step]]\nend_session = true\n'))
    session.post(call("restart"))
    assert session.post(call("t")).status_code == 404
    assert Session(session.url).post(call("t")).status_code == 200


def test_a_server_of_one_era_leads_clients_of_the_other_on(served):
    old = served('revisions = ["2025-06-18"]\n' + PLAIN)
    probe = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {}}
    response = http("POST", old, json=probe, headers={**ACCEPT, "mcp-protocol-version": "2026-07-28"})
    assert (response.status_code, response.json()["error"]["code"]) == (400, -32600)
    assert Session(old, "2025-06-18").post(call("t")).status_code == 200
    new = served('revisions = ["2026-07-28"]\n' + PLAIN)
    params = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    error = http("POST", new, json=body, headers=ACCEPT).json()["error"]
    assert (error["code"], error["data"]["supported"]) == (-32022, ["2026-07-28"])
    assert http("GET", new.replace("/mcp", "/sse"), headers=ACCEPT).status_code == 404


# HTTP+SSE ------------------------------------------------------------------------------------------------------


@contextmanager
def listening(base):
    """The events of an HTTP+SSE stream."""
    with (
        httpx.Client(verify=False, timeout=DEADLINE) as client,
        client.stream("GET", base + "/sse", headers=ACCEPT) as response,
    ):
        yield events(response.iter_lines())


def test_http_sse_names_an_address_to_post_to_and_answers_on_the_stream(served):
    base = served("seed").removesuffix("/mcp")
    with listening(base) as stream:
        endpoint = next(stream)
        assert endpoint["event"] == "endpoint" and endpoint["data"].startswith("/messages?sessionId=")

        def say(**body):
            assert http("POST", base + endpoint["data"], json={"jsonrpc": "2.0", **body}).status_code == 202

        params = {
            "protocolVersion": "2024-11-05",
            "capabilities": {},
            "clientInfo": {"name": "x", "version": "1"},
        }
        say(id=1, method="initialize", params=params)
        opened = next(stream)
        assert opened["event"] == "message" and data(opened)["result"]["protocolVersion"] == "2024-11-05"
        say(method="notifications/initialized")
        say(**{**call("weather_current", location="Bern"), "id": "a"})
        assert data(next(stream))["id"] == "a"
        assert data(next(stream)) == {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
        assert http("POST", base + "/messages?sessionId=x", json={}).status_code == 404
        json_head = {"content-type": "application/json"}
        assert http("POST", base + endpoint["data"], content=b"{", headers=json_head).status_code == 400
        id = endpoint["data"].partition("=")[2]
        head = {**ACCEPT, "mcp-session-id": id}
        assert http("POST", base + "/mcp", json=call("x"), headers=head).status_code == 404


def test_sessions_of_http_sse_end_with_their_stream(served):
    base = served("seed").removesuffix("/mcp")
    with listening(base) as stream:
        address = next(stream)["data"]
    over = threading.Event()
    for _ in range(200):
        if http("POST", base + address, json=call("x")).status_code == 404:
            break
        over.wait(0.01)
    else:
        raise AssertionError("the session outlives its stream")
