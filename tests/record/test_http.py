"""Servers over HTTP that misbehave: every status, head and body is kept, marked, and stops nothing that it need not."""

import base64
import json
import socket
import threading
import time
from contextlib import contextmanager, suppress

import pytest

from flowgen.errors import UsageError
from flowgen.protocol import Plan, Step, tour
from flowgen.record import Limits, Recorded, Route, Session, Site, Watch, _driver, _http_sockets, check_site
from tests.record.conftest import CALL, Seen, deadlined, visited
from tests.record.servers.web import served


def text_of(message):
    return message["body"]["result"]["content"][0]["text"]


def header(message, name):
    return next((value for each, value in message["http"]["headers"] if each.lower() == name.lower()), None)


def test_a_server_that_behaves_is_recorded_without_a_problem():
    with served() as web:
        seen = visited(web.url)
    assert (seen.exit_code, seen.outcome) == (0, {"complete": True, "reason": "done"})
    assert seen.codes() == [] and seen.recording.verdict == []
    assert seen.document["url"] == web.url and "command" not in seen.document
    assert seen.methods == ["server/discover", "tools/list", "tools/call"]
    assert text_of(seen.messages[-1]) == "hi"


def test_request_and_answer_share_an_exchange_and_each_has_its_own_half():
    with served() as web:
        seen = visited(web.url)
    for request, answer in zip(seen.messages[::2], seen.messages[1::2], strict=True):
        assert request["exchange"] == answer["exchange"] and request["transport"] == answer["transport"] == "http"
        assert set(request["http"]) == {"method", "url", "headers"} and request["http"]["url"] == web.url
        assert set(answer["http"]) == {"status", "headers"} and answer["http"]["status"] == 200
    assert [message["exchange"] for message in seen.of("request")] == [1, 2, 3]


def test_the_headers_kept_are_those_that_went_over_the_wire():
    with served() as web:
        seen = visited(Site(web.url, (("X-Twice", "1"), ("X-Case", "Ü"))))
    for request, (_, _, sent, _) in zip(seen.of("request"), web.asked, strict=True):
        assert {name.lower(): value for name, value in request["http"]["headers"]} == {
            name: value.encode("latin-1").decode() for name, value in sent.items()
        }
    call = seen.of("request", method="tools/call")[0]
    assert header(call, "MCP-Protocol-Version") == "2026-07-28" and header(call, "Mcp-Name") == "echo"
    assert header(call, "accept") == "application/json, text/event-stream"


def test_a_connection_is_kept_alive():
    with served() as web:
        visited(web.url)
    assert web.connections == 1


# statuses and content types


def test_a_notification_taken_with_200_is_marked_and_the_session_goes_on():
    with served("notification_200") as web:
        seen = visited(web.url, revision="2025-11-25")
    assert seen.exit_code == 0 and {"wrong-status", "response-to-notification"} <= set(seen.codes())
    assert len(seen.of("response")) == 3


def test_a_wrong_content_type_is_marked_and_its_body_used():
    with served("text_plain") as web:
        seen = visited(web.url)
    assert seen.exit_code == 0 and seen.codes() == ["wrong-content-type"] * 3


def test_a_gateways_page_fails_the_step_and_the_next_one_is_tried():
    with served("html_502") as web:
        seen = visited(web.url, (CALL, Step("list", ("tools",))))
    answer = seen.of("http")[0]
    assert (seen.exit_code, seen.outcome["reason"]) == (1, "server-failed") and not seen.outcome["complete"]
    assert answer["text"].startswith("<html>") and seen.codes() == ["http-error"]
    assert seen.methods[-1] == "tools/list" and "502 Bad Gateway" in seen.recording.verdict[0]


@pytest.mark.parametrize(
    ("fault", "code"),
    [("not_json", "wrong-content-type"), ("empty", "wrong-content-type"), ("accepted", "wrong-status")],
)
def test_what_is_no_answer_is_marked_and_fails_the_step(fault, code):
    with served(fault) as web:
        seen = visited(web.url)
    assert seen.exit_code == 1 and set(seen.codes()) == {code, "unanswered"}


def test_a_page_in_the_place_of_an_endpoint_ends_the_recording_at_once():
    with served("html_always") as web:
        seen = visited(web.url, revision="auto")
    assert (seen.exit_code, seen.outcome["reason"]) == (3, "connect-failed") and len(web.asked) == 1
    assert "endpoint" in seen.recording.verdict[-1] and seen.of("http")[0]["text"] == "<html>Welcome</html>"


@pytest.mark.parametrize("fault", ["unauthorized", "unauthorized_json"])
@pytest.mark.parametrize("revision", ["auto", "2025-11-25"])
def test_who_may_not_come_in_is_told_what_would_help(fault, revision):
    with served(fault) as web:
        seen = visited(Site(web.url, (("Authorization", "Bearer given-token-123"),)), revision=revision)
    assert (seen.exit_code, seen.outcome["reason"], len(web.asked)) == (3, "connect-failed", 1)
    assert seen.statuses() == [401] and "--bearer" in seen.recording.verdict[-1]


def test_a_door_that_closes_later_fails_the_step():
    with served("forbidden") as web:
        seen = visited(web.url)
    assert seen.exit_code == 1 and seen.statuses()[-1] == 403


def test_nobody_listens():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    seen = visited(f"http://127.0.0.1:{port}/mcp", revision="auto")
    assert (seen.exit_code, seen.outcome["reason"]) == (3, "connect-failed")
    assert "127.0.0.1" in seen.recording.verdict[0] and "no-connection" in seen.codes()


# bodies


@pytest.mark.parametrize(("fault", "code"), [("cut_body", "truncated"), ("cut_chunk", "truncated")])
def test_a_body_that_is_cut_keeps_what_came(fault, code):
    with served(fault) as web:
        seen = visited(web.url)
    answer = seen.of("http")[0]
    assert seen.exit_code == 1 and code in seen.codes(answer) and answer["text"].startswith('{"jsonrpc": "2.0"')
    assert "the answer to tools/call was cut" in seen.recording.verdict[0]


def test_a_connection_that_ends_without_an_answer_is_marked_and_nothing_is_sent_twice():
    with served("hangs_up") as web:
        seen = visited(web.url)
    assert seen.exit_code == 1 and {"stream-closed", "unanswered"} == set(seen.codes())
    assert web.said.count("tools/call") == 1


@pytest.mark.parametrize("fault", ["gzip", "gzip_lie"])
def test_a_compressed_body_is_kept_as_its_content_and_a_lie_as_it_came(fault):
    with served(fault) as web:
        seen = visited(web.url)
    assert seen.exit_code == 0 and text_of(seen.messages[-1]) == "hi"
    assert header(seen.messages[-1], "content-encoding") == "gzip"


def test_a_compressed_body_that_ends_early_is_cut():
    with served("gzip_cut") as web:
        seen = visited(web.url)
    assert "truncated" in seen.codes()


def test_several_messages_in_one_body_are_messages_of_their_own():
    with served("batch") as web:
        seen = visited(web.url)
    assert seen.exit_code == 0 and seen.codes() == ["batch", "batch"]
    assert [message["kind"] for message in seen.messages[-2:]] == ["notification", "response"]
    assert "http" in seen.messages[-2] and "http" not in seen.messages[-1]


def test_a_huge_answer_is_counted_cut_and_paired():
    with served("huge") as web:
        seen = visited(web.url, max_message=100_000)
    answer = seen.messages[-1]
    assert seen.exit_code == 0 and seen.codes() == ["too-large"]
    assert answer["size"] > 1 << 20 and len(answer["text"]) == 65536 and answer["kind"] == "response"


# streams


def test_every_event_of_a_stream_is_kept_with_its_fields():
    with served("stream") as web:
        seen = visited(web.url, lists=())
    assert seen.exit_code == 0 and seen.codes() == []
    of_call = [message for message in seen.messages if message.get("exchange") == 2]
    kinds = [(message["kind"], message["transport"]) for message in of_call]
    assert kinds == [
        ("request", "http"), ("http", "http"), ("http", "sse"), ("http", "sse"), ("response", "sse"), ("http", "http"),
    ]  # fmt: skip
    opened, comment, ping, answer, closed = of_call[1:]
    assert opened["body"] == {"event": "stream-opened", "by": "server"} and opened["http"]["status"] == 200
    assert comment["sse"] == {"comment": "hello"} and ping["sse"] == {"event": "ping"} and ping["body"] == {}
    assert answer["sse"] == {"id": "2-1", "event": "message"}
    assert closed["body"] == {"event": "stream-closed", "by": "server"}


@pytest.mark.parametrize(("fault", "codes"), [
    ("stream_closes", {"stream-closed", "unanswered"}), ("stream_cut", {"stream-closed", "unanswered", "truncated"}),
])  # fmt: skip
def test_a_stream_that_ends_without_its_answer_fails_the_step(fault, codes):
    with served(fault) as web:
        seen = visited(web.url)
    assert seen.exit_code == 1 and set(seen.codes()) == codes and not seen.outcome["complete"]
    assert len(seen.of("notification", method="notifications/message")) == 1


def test_an_event_that_is_cut_keeps_what_came_of_it():
    with served("stream_cut") as web:
        seen = visited(web.url)
    assert seen.of("noise")[0]["text"] == '{"jsonrpc": "2.0", "id"'


def test_a_server_that_holds_its_stream_open_after_the_answer_does_not_hold_us():
    with served("holds_after_answer") as web:
        seen = visited(web.url, (CALL, CALL))
    assert seen.exit_code == 0 and len(seen.of("http", event="stream-closed", by="client")) == 2


# giving up


def test_a_request_of_the_stateless_era_is_cancelled_by_closing_its_stream():
    with served("slow") as web:
        seen = visited(web.url, (CALL, Step("list", ("tools",))), timeout=0.3)
        wait_for(lambda: web.left == ["tools/call"])
    assert (seen.exit_code, seen.outcome["reason"]) == (4, "timed-out")
    assert seen.of("note", event="cancelled")[0]["body"]["data"]["by"] == "stream-closed"
    assert len(seen.of("http", event="stream-closed", by="client")) == 1
    assert "notifications/cancelled" not in seen.methods and seen.methods[-1] == "tools/list"


def test_a_request_without_even_a_head_is_let_go_of():
    with served("deaf") as web:
        seen = visited(web.url, (CALL._replace(cancel_after=0.2),))
        wait_for(lambda: web.left == ["tools/call"])
    assert seen.exit_code == 0 and seen.of("note", event="cancelled")[0]["body"]["data"]["why"] == "plan"


def test_a_request_of_the_handshake_era_is_cancelled_by_a_notification():
    with served("slow") as web:
        seen = visited(web.url, revision="2025-11-25", timeout=0.3)
    assert seen.exit_code == 4 and seen.methods[-1] == "notifications/cancelled"
    assert "notifications/cancelled" in web.said


def test_a_subscription_stays_open_to_the_end_and_is_closed_by_us():
    with served("listens") as web:
        seen = visited(web.url, (), listen=0.4)
        wait_for(lambda: web.left == ["subscriptions/listen"])
    assert seen.exit_code == 0 and seen.codes() == []
    assert seen.methods == ["server/discover", "tools/list", "subscriptions/listen", "tools/list"]
    assert seen.messages[-1]["body"] == {"event": "stream-closed", "by": "client"}


def test_an_interrupt_ends_the_session_and_keeps_what_was_seen():
    with served("slow") as web:
        plan = Plan(tour((), (CALL,), as_declared=True, safe=False, listen=None), revision="2026-07-28")

        def on_message(message):
            if message.get("body", {}).get("method") == "notifications/message":
                recorded.interrupt()

        recorded = Recorded(Site(web.url), Session(plan, limits=Limits(20.0)), Watch(on_message))
        seen = Seen(deadlined(recorded))
    assert (seen.exit_code, seen.outcome["reason"]) == (130, "interrupted")
    assert "unanswered" in seen.codes(seen.of("request", method="tools/call")[0])


def test_an_interrupt_while_a_server_thinks_leaves_no_secret_behind():
    """Nobody looks on, so what was said last is masked late: it is masked all the same."""
    call = Step("call", "echo", arguments={"text": "hi", "password": "Wr7-nobody-knows"})
    with served("slow") as web:
        plan = Plan(tour((), (call,), as_declared=True, safe=False, listen=None), revision="2026-07-28")
        recorded = Recorded(Site(web.url), Session(plan, limits=Limits(20.0)))
        threading.Thread(target=lambda: (wait_for(lambda: "tools/call" in web.said), recorded.interrupt())).start()
        seen = Seen(deadlined(recorded))
    assert seen.exit_code == 130
    assert seen.of("request", method="tools/call")[0]["redacted"] == ["/body/params/arguments/password"]
    assert "nobody-knows" not in json.dumps(seen.document)


# the era


def test_any_answer_that_is_none_means_the_handshake_and_is_paired_by_its_exchange():
    with served("nameless_error") as web:
        seen = visited(web.url, revision="auto")
    error = seen.of("error")[0]
    assert seen.exit_code == 0 and seen.methods[:2] == ["server/discover", "initialize"]
    assert "unanswered" not in seen.codes() and set(seen.codes(error)) == {"invalid-id", "http-error"}
    assert seen.of("note", event="fell-back")[0]["body"]["data"]["about"] == error["seq"]


def test_a_probe_that_is_heard_and_not_answered_is_followed_by_initialize(monkeypatch):
    monkeypatch.setattr(_driver, "PROBE_SECONDS", 0.3)
    with served("unheard_probe") as web:
        seen = visited(web.url, revision="auto")
    assert seen.exit_code == 0 and seen.methods[:2] == ["server/discover", "initialize"]
    assert seen.of("note", event="fell-back")[0]["body"]["data"]["why"] == "silence"


# redirects


def test_a_redirect_within_the_origin_is_followed_with_everything():
    with served("moved") as web:
        seen = visited(Site(web.url, (("Authorization", "Bearer given-token-123"),)))
    assert seen.exit_code == 0 and set(seen.codes()) == {"redirected"}
    assert [path for _, path, _, _ in web.asked] == ["/mcp", "/mcp/"] * 3
    assert all(headers["authorization"] == "Bearer given-token-123" for _, _, headers, _ in web.asked)
    ids = [message["body"]["id"] for message in seen.of("request")]
    assert ids == [1, 1, 2, 2, 3, 3]


def test_a_redirect_for_good_is_remembered():
    with served("moved_for_good") as web:
        seen = visited(web.url)
    assert seen.exit_code == 0 and [path for _, path, _, _ in web.asked] == ["/mcp", "/new", "/new", "/new"]


def test_a_redirect_to_another_origin_is_never_followed():
    with served() as other, served("moved_away") as web:
        web.memory["elsewhere"] = f"{other.url}?token=lost-token-9876"
        seen = visited(Site(web.url, (("Authorization", "Bearer given-token-123"),)))
    assert (seen.exit_code, other.asked) == (3, []) and len(web.asked) == 1
    assert "another server" in seen.recording.verdict[0] and "lost-token" not in json.dumps(seen.document)
    assert not any("lost-token" in line for line in seen.recording.verdict)


def test_redirects_in_circles_come_to_an_end():
    with served("moved_in_circles") as web:
        seen = visited(web.url)
    assert seen.exit_code == 3 and len(web.asked) == 6
    assert "sent on more than 5 times" in seen.recording.verdict[0]


@pytest.mark.parametrize("address", ["http://ada:proxy-secret-1@[::x", "http://ada:proxy/secret-1@h:1", "nonsense://h"])
def test_a_proxy_of_the_environment_that_is_no_address_is_told_before_anything_is_sent(monkeypatch, address):
    for name in ("http_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name.upper(), raising=False)
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", address)
    with pytest.raises(UsageError, match=r"^the proxy of the environment is no address of a proxy$"):
        check_site(Site("http://host.example/mcp"))
    check_site(Site("http://127.0.0.1/mcp"))


def test_a_proxy_that_is_not_there_is_named_and_its_password_is_not():
    with served() as web:
        seen = visited(Site(web.url, route=Route(proxy="http://ada:proxy-secret-1@127.0.0.1:9")))
    assert (seen.exit_code, web.asked) == (3, [])
    assert "by way of the proxy 127.0.0.1:9" in seen.recording.verdict[0]
    assert "proxy-secret-1" not in json.dumps([seen.document, seen.recording.verdict])


# headers out of arguments


def test_marked_arguments_are_repeated_in_headers_and_wrongly_marked_tools_dropped():
    warnings = []
    steps = (Step("call", "weather", arguments={"city": "Zürich"}), Step("call", "wrong", arguments={"n": 1.5}))
    with served("mirrors") as web:
        seen = visited(web.url, steps, watch=Watch(warn=warnings.append))
    call = seen.of("request", method="tools/call")
    assert len(call) == 1 and header(call[0], "Mcp-Param-City") == "=?base64?WsO8cmljaA==?="
    assert web.asked[-1][2]["mcp-param-city"] == "=?base64?WsO8cmljaA==?="
    assert any("`wrong` is dropped" in text for text in warnings) and any("is not called" in text for text in warnings)


def test_a_call_whose_headers_do_not_fit_is_made_again_with_the_tools_as_they_are():
    with served("mismatch") as web:
        seen = visited(web.url, (Step("call", "weather", arguments={"city": "Bern"}),))
    assert seen.exit_code == 0 and seen.methods[1:] == ["tools/list", "tools/call", "tools/list", "tools/call"]
    assert "mcp-param-city" not in web.asked[2][2] and web.asked[-1][2]["mcp-param-city"] == "Bern"


# what the user gives


def test_headers_of_the_user_take_the_place_of_ours():
    with served() as web:
        visited(Site(web.url, (("Accept", "application/json"), ("X-A", "1"))))
    assert {headers["accept"] for _, _, headers, _ in web.asked} == {"application/json"}
    assert {headers["x-a"] for _, _, headers, _ in web.asked} == {"1"}


@pytest.mark.parametrize(
    ("environment", "host", "proxy"),
    [
        ({}, "example.com", None),
        ({"http_proxy": "http://p:3128"}, "example.com", "http://p:3128"),
        ({"HTTP_PROXY": "p:3128"}, "example.com", "http://p:3128"),
        ({"all_proxy": "socks5://p:1080"}, "example.com", "socks5://p:1080"),
        ({"http_proxy": "http://p:3128", "no_proxy": ".example.com"}, "api.example.com", None),
        ({"http_proxy": "http://p:3128"}, "127.0.0.1", None),
        ({"http_proxy": "http://p:3128"}, "localhost", None),
        ({"http_proxy": "http://p:3128"}, "localhost.example.com", "http://p:3128"),
    ],
)
def test_the_environment_names_a_proxy_but_none_leads_to_ourselves(monkeypatch, environment, host, proxy):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert _http_sockets.environment_proxy("http", host) == proxy


def test_a_proxy_is_gone_through_with_its_credentials_which_nobody_reads():
    asked = []
    with served() as web, forwarding(asked) as proxy:
        route = Site(web.url).route._replace(proxy=f"http://me:proxy-pass-987@127.0.0.1:{proxy}")
        seen = visited(Site(web.url, route=route))
    assert seen.exit_code == 0 and asked[0].startswith(f"POST {web.url} ".encode())
    assert b"Proxy-Authorization: Basic " + base64.b64encode(b"me:proxy-pass-987") in asked[0]
    assert "proxy-pass-987" not in json.dumps(seen.document)


@contextmanager
def forwarding(asked):
    """A proxy that forwards each connection to where its first line says."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_forward, args=(listener, asked), daemon=True).start()
        yield listener.getsockname()[1]


def _forward(listener, asked):
    with suppress(OSError):
        while True:
            client, _ = listener.accept()
            threading.Thread(target=_forward_one, args=(client, asked), daemon=True).start()


def _forward_one(client, asked):
    with client:
        first = client.recv(65536)
        asked.append(first)
        host, port = first.split(b" ")[1].split(b"/")[2].split(b":")
        with socket.create_connection((host.decode(), int(port))) as server:
            server.sendall(first)
            back = threading.Thread(target=_pump, args=(server, client), daemon=True)
            back.start()
            _pump(client, server)
            back.join()


def _pump(source, target):
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


def wait_for(holds):
    until = time.monotonic() + 5
    while not holds():
        assert time.monotonic() < until, "it never came to pass"
        time.sleep(0.01)
