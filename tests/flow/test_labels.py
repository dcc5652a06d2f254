"""The line over each message, in both languages."""

import pytest

from flowgen.flow import Run, Say, duration, label
from flowgen.flow._events import _WORDS, event_words


def _labels(told, flow):
    return [label(entry).en for entry in told.entries(flow)]


def test_the_first_picture_is_labelled_as_its_target(session, told):
    flow = session().greeted().listed().call().changed().listed().read()
    assert _labels(told, flow) == [
        "initialize request",
        "initialize response",
        "notifications/initialized",
        "tools/list request",
        "tools/list response",
        "tools/call request",
        "tools/call response",
        "notifications/tools/list_changed",
        "tools/list request",
        "tools/list response",
    ]
    assert label(told.entries(flow)[0]).zh == "initialize 请求"
    assert label(told.entries(flow)[1]).zh == "initialize 响应"


def test_failures_say_what_they_say(session, told):
    failing = (
        session()
        .ask("a")
        .fail(message="\n no such thing \n more")
        .call(
            result={
                "isError": True,
                "content": [{"type": "text", "text": "title must not be empty\nTraceback"}],
            }
        )
    )
    assert _labels(told, failing.read())[1::2] == ["no such thing", "title must not be empty"]


@pytest.mark.parametrize("error", [None, {}, {"message": ""}, {"message": 3}, [], "x"])
def test_an_error_without_a_message_is_named_by_its_request(session, told, error):
    odd = session().ask("tools/list", 1).add("error", True, body={"id": 1, "error": error})
    assert _labels(told, odd.read())[1] == "tools/list error"


def test_answers_to_nothing_have_a_label(session, told):
    assert _labels(told, session().reply(id_=9).fail(id_=9, message="").read()) == ["response", "error"]


def test_what_is_no_json_rpc_is_said_in_words(session, told):
    odd = session().add("noise", True, text="x")
    odd.add("noise", True, text="[]", problems=[{"code": "not-json-rpc"}])
    odd.add("noise", True, text="{", problems=[{"code": "truncated"}]).stderr()
    assert _labels(told, odd.read(complete=False)) == [
        "a line that is not JSON",
        "JSON, but no JSON-RPC message",
        "broken off inside the JSON",
        "server log",
    ]


def test_the_end_of_a_process_is_said_as_it_was(session, told):
    ends = session().process("exited", exit_code=1, problems=["crashed"]).process("exited", signal="SIGTERM")
    ends.process("exited", signal="SIGKILL", problems=["had-to-be-killed"]).process("exited", exit_code=0)
    ends.process("signal-sent", signal="SIGTERM").process("rebooted")
    assert _labels(told, ends.read(show=["process"])) == [
        "the server process ended too early",
        "the server process was told to stop",
        "the server process had to be killed",
        "the server process ended",
        "SIGTERM is sent to the server process",
        "rebooted",
    ]


def test_http_is_named_by_what_it_is_about_else_by_its_line(session, told):
    http = session(None, transport="http").add(
        "http", exchange=1, http={"method": "GET", "url": "https://a/b?c=d"}
    )
    http.add("http", True, exchange=1, http={"status": 401}).add("http", True, http={"status": 799})
    http.add("http", True, http={"method": "GET", "url": "http://[::1"}).add("http", True)
    assert _labels(told, http.read()) == ["GET /b", "a valid token is needed", "799", "GET http://[::1", "HTTP"]


@pytest.mark.parametrize(
    ("half", "body", "said"),
    [
        ({"method": "GET", "url": "https://a/.well-known/oauth-protected-resource/mcp"}, None, "RFC 9728"),
        ({"method": "GET", "url": "https://a/x/.well-known/openid-configuration"}, None, "OpenID"),
        ({"method": "POST", "url": "https://a/reg"}, {"redirect_uris": []}, "registration"),
        ({"method": "GET", "url": "https://a/go?response_type=code"}, None, "consent"),
        ({"method": "GET", "url": "http://127.0.0.1/cb?code=1"}, None, "reaches the client"),
        ({"status": 200}, {"authorization_servers": ["a"]}, "who issues tokens"),
        ({"status": 200}, {"access_token": "•••"}, "a token"),
        ({"status": 403, "headers": [["WWW-Authenticate", "Bearer error=insufficient_scope"]]}, None, "lacks a scope"),
        ({"status": 302, "headers": [["location", "http://127.0.0.1/cb?code=•••"]]}, None, "redirect with the code"),
        ({"status": 500}, {"access_token": "x"}, "500 Internal Server Error"),
    ],
)
def test_the_exchanges_of_authorization_say_what_they_are_for(session, told, half, body, said):
    row = {"http": half, **({} if body is None else {"body": body})}
    assert said in _labels(told, session(None, transport="http").add("http", "status" in half, **row).read())[0]


@pytest.mark.parametrize(
    ("code", "data", "en", "zh"),
    [
        ("asked-user", {"kind": "elicitation"}, "the user is asked for input", "请用户输入"),
        ("asked-user", {"kind": "elicitation", "mode": "form"}, "the user is asked for input", "请用户输入"),
        ("asked-user", {"kind": "elicitation", "mode": "url"}, "the user is asked to open a page", "请用户打开网页"),
        ("cancelled", {"why": "plan", "by": "request"}, "the task is given up, as planned", "按计划放弃该任务"),
        ("cancelled", {"why": "plan", "by": "notification"}, "the request is given up, as planned", "按计划放弃该请求"),
        ("asked-user", {"mode": {}}, "the user is asked", "询问用户"),
        ("user-answered", {"action": "decline"}, "the user declines", "用户拒绝"),
        ("user-answered", {"action": "shrug"}, "the user answers: shrug", "用户回答：shrug"),
        ("answered-from-file", {"source": "default", "action": "decline"}, "answered by default: decline",
         "按默认作答：decline"),
        ("approved", {"by": "user", "method": "tools/call", "name": "t"}, "the user approves tools/call t",
         "用户批准 tools/call t"),
        ("approved", {"by": "user", "method": "sampling/createMessage"},
         "the user approves sampling/createMessage", "用户批准 sampling/createMessage"),
        ("consulted-model", {"wants": {"name": "t", "arguments": {}}}, "the model asks for t", "模型请求 t"),
        ("consulted-model", {"by": "command"}, "the model is asked", "询问模型"),
        ("chose-scopes", {"scopes": ["a", "b"]}, "scopes to ask for: a b", "要申请的 scope：a b"),
        ("fell-back", {"to": "handshake"}, "falls back to the handshake", "回退到握手方式"),
        ("fell-back", {"to": "2025-06-18"}, "goes on with 2025-06-18", "改用 2025-06-18"),
        ("waited", {"seconds": 2.0}, "waits 2 s", "等待 2 秒"),
        ("cache-hit", {"method": "tools/list"}, "tools/list is still fresh: not asked again",
         "tools/list 仍有效，不再请求"),
        ("a-new-code", {"x": 1}, "a-new-code", "a-new-code"),
    ],
)  # fmt: skip
def test_notes_of_the_recorder_are_said_in_words(code, data, en, zh):
    assert event_words(code, data) == Say(en, zh)


def test_the_codes_of_the_table_all_have_words():
    codes = {row.partition(" ")[0] for row in _WORDS}
    assert codes == {
        "asked-user", "user-answered", "answered-from-file", "approved", "declined", "consulted-model",
        "opened-browser", "callback-received", "chose-registration", "chose-scopes", "chose-issuer", "fell-back",
        "cache-hit", "cache-stale", "cache-invalidated", "cancelled", "waited", "plan-step", "merged-tools",
        "logged",
    }  # fmt: skip
    assert all(en.isascii() and zh for en, zh in _WORDS.values())


def test_braces_in_a_value_are_no_places():
    assert event_words("declined", {"method": "{name}", "name": "{"}) == Say(
        "declined: {name} {", "已拒绝：{name} {"
    )


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.009, "9 ms"), (0.41, "410 ms"), (1.24, "1.2 s"), (14.2, "14.2 s"), (1e300, "1e+300 s")]
)
def test_durations_are_short(seconds, text):
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ((1, 2, 3), "1 → 3"), ((0.1, 0.25, 0.7), "0.1 → 0.7"), ((1_048_576, 2_000_000, 5_242_880), "1048576 → 5242880"),
        ((1, 10**40, 10**40), "1 → …"), ((1.0, 2.0, 1e300), "1 → 1e+300"), ((True, 2, 3), "2 → 3"),
    ],
)  # fmt: skip
def test_progress_is_told_from_its_first_value_to_its_last(session, told, values, text):
    call = session().ask("tools/call", params={"name": "t"})
    for value in values:
        call.tell("notifications/progress", params={"progressToken": 1, "progress": value})
    assert label(call.read().steps[0].rows[1]).en == f"notifications/progress  {text}"


def test_a_run_does_not_call_answered_what_never_was(session):
    calls = session()
    for number in range(6):
        calls.note("approved", by="rule", method="tools/call", name="t").ask("tools/call", number, params={"name": "t"})
    rows = [row for step in calls.read().steps for row in step.rows if isinstance(row, Run)]
    assert [label(row).en.rpartition(" · ")[2] for row in rows] == ["4 without an answer"]
    assert label(rows[0]).zh.endswith("4 次无响应")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"event": "stream-closed", "by": "server"}, "the server closes the stream"),
        ({"event": "stream-closed", "by": "client"}, "the client closes the stream"),
        ({"event": "stream-closed"}, "the stream closes"), ({"event": "body-of-a-server"}, "HTTP"),
        ({"event": "stream-closed", "by": "somebody"}, "the stream closes"),
    ],
)  # fmt: skip
def test_a_stream_tells_who_closed_it(session, told, body, text):
    stream = session(transport="http").add("http", True, body=body)
    assert _labels(told, stream.read(show=["stream"])) == [text]


def test_what_a_stream_says_beside_messages_has_words(session, told):
    get = {"method": "GET", "url": "https://x/mcp"}
    accept, again = ["Accept", "text/event-stream"], ["Last-Event-ID", "e-7"]
    talk = session(transport="http").add("http", http=get | {"headers": [accept]})
    talk.add("http", http=get | {"headers": [accept, again]})
    for sse in ({"id": "e-1"}, {"retry": 1500}, {"comment": "ping"}, {}):
        talk.add("http", True, transport="sse", sse=sse)
    talk.add("http", http={"method": "DELETE", "url": "https://x/mcp", "headers": [["Mcp-Session-Id", "•••"]]})
    assert _labels(told, talk.read()) == [
        "a stream for what the server sends",
        "the stream is taken up again after event e-7",
        "event e-1: the stream can be taken up from here",
        "to be taken up again after 1.5 s",
        "a comment: the stream is alive",
        "an event without a message",
        "the session is to end",
    ]


@pytest.mark.parametrize("retry", [-5, 10**30])
def test_a_wait_that_nobody_waits_does_no_harm(session, told, retry):
    odd = session().add("http", True, transport="sse", sse={"retry": retry})
    assert _labels(told, odd.read())[0].startswith("to be taken up again after ")
