"""A tap over HTTP: what passes, what does not, and what is written down of it."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.record import Kept
from flowgen.record._tap_feed import END, HTTP, Item
from flowgen.record._tap_http import HttpTap, Upstream, item
from flowgen.record._tap_listen import Listener, Listening, is_loopback, place_of
from flowgen.record._tap_page import Page
from flowgen.record._tap_scribe import Scribe
from flowgen.record._tap_web import WebItems
from flowgen.trace import load
from tests.record.servers.web import served
from tests.record.test_http_real import free_port, listening
from tests.record.test_http_tls import certificate, context
from tests.record.test_real import python_server
from tests.record.test_tap_heads import in_pieces

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the tap runs on POSIX")

__all__ = ["certificate", "context"]  # fixtures

DEADLINE = 20.0
FLOWGEN = Path(sys.executable).with_name("flowgen")
ASK = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
POST = b"POST /mcp HTTP/1.1\r\nHost: %s\r\nX-Odd:  a  b\r\nContent-Length: 46\r\n\r\n" + ASK
STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


class Wires:
    """A tap with a server behind it that is played by a coroutine, and a connection of a client."""

    def __init__(self, play, refuses=lambda head: None):
        self.play, self.refuses = play, refuses
        self.items, self.connections, self.heard = [], 0, b""

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.host = f"127.0.0.1:{port}".encode()
        upstream = Upstream(f"http://127.0.0.1:{port}", "127.0.0.1", port, self.host.decode(), None)
        tap = HttpTap(upstream, lambda told, data: self.items.append((told, data)), self.refuses)
        self._tap = await asyncio.start_server(tap.connected, "127.0.0.1", 0)
        self.reader, self.writer = await asyncio.open_connection(*self._tap.sockets[0].getsockname())
        return self

    async def _connected(self, reader, writer):
        self.connections += 1
        try:
            await self.play(self, reader, writer)
        finally:
            writer.close()

    async def __aexit__(self, *_):
        self.writer.close()
        self._tap.close()
        self._server.close()
        await settled()

    def events(self):
        return [told["event"] for told, _ in self.items]


async def settled():
    """Waits until everybody has hung up."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    if others:
        await asyncio.wait(others, timeout=DEADLINE)
    for _ in range(3):  # what is closed is let go of in the next turns
        await asyncio.sleep(0)


def played(play, client, **options):
    """Runs both sides of a conversation."""

    async def both():
        async with asyncio.timeout(DEADLINE), Wires(play, **options) as wires:
            await client(wires)
            return wires

    return asyncio.run(both())


async def told(wires, reader, size):
    wires.heard += await reader.readexactly(size)


def test_a_request_and_its_answer_pass_byte_by_byte_but_for_the_host():
    answer = b"HTTP/1.1 200 Fine\r\nX-A:  1\r\nx-a: 2\r\nContent-Length: 5\r\n\r\nhello"

    async def server(wires, reader, writer):
        await told(wires, reader, len(POST % wires.host))
        writer.write(answer)
        await reader.read()

    async def client(wires):
        wires.writer.write(POST % b"127.0.0.1:8900")
        assert await wires.reader.readexactly(len(answer)) == answer

    wires = played(server, client)
    assert wires.heard == POST % wires.host
    assert wires.events() == ["asked", "asked-body", "asked-end", "head", "body", "body-end"]


HEAD = b"HTTP/1.1 200 OK\r\ncontent-TYPE:text/event-stream\r\nX-Odd: \xff\xfe\r\n"
ANSWERS = [
    HEAD + b"Content-Length: 11\r\n\r\n\x00\xff\r\n\r\n\x1b\xe2\x9cok",
    HEAD + b"Transfer-Encoding: chunked\r\n\r\n3;a=b\r\n\r\n\xff\r\n00A\r\n0123456789\r\n0\r\nX-T: 1\r\n\r\n",
    HEAD + b"\r\n" + b"data: \xff\n\n" * 3000,
    b"HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + HEAD + b"Content-Length: 0\r\n\r\n",
]


@settings(max_examples=16)
@given(st.sampled_from(ANSWERS), st.lists(st.integers(0, 30000), max_size=5), st.sampled_from([b"GET", b"POST"]))
def test_whatever_an_answer_holds_and_however_it_comes_it_passes_as_it_is(answer, cuts, method):
    async def server(wires, reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        for piece in in_pieces(answer, cuts):
            writer.write(piece)
            await asyncio.sleep(0)

    async def client(wires):
        wires.writer.write(method + b" / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
        assert await wires.reader.read() == answer

    assert played(server, client).events()[-1] == "body-end"


def test_each_event_of_a_stream_passes_before_the_next_one_is_there():
    heard = asyncio.Event()

    async def server(wires, reader, writer):
        await told(wires, reader, len(POST % wires.host))
        writer.write(STREAM + b"9\r\ndata: 1\n\n\r\n")
        await heard.wait()
        writer.write(b"9\r\ndata: 2\n\n\r\n0\r\n\r\n")
        await reader.read()

    async def client(wires):
        wires.writer.write(POST % b"127.0.0.1")
        assert await wires.reader.readexactly(len(STREAM) + 14) == STREAM + b"9\r\ndata: 1\n\n\r\n"
        heard.set()
        assert await wires.reader.readexactly(19) == b"9\r\ndata: 2\n\n\r\n0\r\n\r\n"

    played(server, client)


def test_one_connection_serves_many_requests_also_those_sent_ahead():
    async def server(wires, reader, writer):
        for _ in range(3):
            await told(wires, reader, len(POST % wires.host))
            writer.write(b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
        await reader.read()

    async def client(wires):
        wires.writer.write(POST % b"a" * 3)
        for _ in range(3):
            assert await wires.reader.readuntil(b"\r\n\r\n")

    assert played(server, client).connections == 1


def test_a_server_that_wants_to_be_asked_first_is_asked_first():
    async def server(wires, reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        assert await reader.readexactly(2) == b"{}"
        writer.write(b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
        await reader.read()

    async def client(wires):
        wires.writer.write(b"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        assert b" 100 " in await wires.reader.readuntil(b"\r\n\r\n")
        wires.writer.write(b"{}")
        assert b" 202 " in await wires.reader.readuntil(b"\r\n\r\n")

    played(server, client)


def test_a_client_that_hangs_up_is_told_to_the_server():
    gone = asyncio.Event()

    async def server(wires, reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(STREAM)
        assert await reader.read() == b""
        gone.set()

    async def client(wires):
        wires.writer.write(b"GET /mcp HTTP/1.1\r\nHost: a\r\n\r\n")
        await wires.reader.readuntil(b"\r\n\r\n")
        wires.writer.close()
        await gone.wait()

    assert played(server, client).events()[-1] == "gone"


def test_an_answer_that_breaks_off_breaks_off_for_the_client():
    async def server(wires, reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")

    async def client(wires):
        wires.writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert (await wires.reader.read()).endswith(b"\r\n\r\nhalf")

    assert played(server, client).items[-1][0]["broken"] == "the server hung up"


def test_where_there_is_no_server_the_client_gets_a_502_with_one_line(tmp_path):
    async def nobody(wires, reader, writer):
        raise AssertionError

    async def client(wires):
        wires._server.close()
        await wires._server.wait_closed()
        wires.writer.write(POST % b"a")
        head, _, text = (await wires.reader.read()).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 502 ") and text.startswith(b"flowgen tap: no connection to http://127.0.0.1")
        assert text.count(b"\n") == 1

    messages = recorded(tmp_path, played(nobody, client).items).messages
    assert [(message.kind, message.codes) for message in messages] == [("request", []), ("http", ["no-connection"])]


@pytest.mark.parametrize("data", [b"\x16\x03\x01 no http\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"])
def test_what_is_no_request_gets_a_400(data):
    async def nobody(wires, reader, writer):
        raise AssertionError

    async def client(wires):
        wires.writer.write(data)
        assert (await wires.reader.read()).startswith(b"HTTP/1.1 400 ")

    played(nobody, client)


@pytest.mark.parametrize("field", [b"Origin: https://evil.example", b"Origin: null", b"Host: evil.example:8900"])
def test_pages_of_other_sites_and_names_of_others_are_kept_out(field):
    listener = Listener(Listening("127.0.0.1:0", "http://127.0.0.1:9/mcp"))
    listener._socket.close()

    async def nobody(wires, reader, writer):
        raise AssertionError

    async def client(wires):
        host = b"" if field.startswith(b"Host") else b"Host: localhost:8900\r\n"
        wires.writer.write(b"GET /mcp HTTP/1.1\r\n" + host + field + b"\r\n\r\n")
        assert (await wires.reader.read()).startswith(b"HTTP/1.1 403 ")

    played(nobody, client, refuses=listener._refuses)


def through_tls(web, **given):
    """The status of a request that goes to a server with TLS."""
    listener = Listener(Listening("127.0.0.1:0", web.url, **given))
    listener._socket.close()

    async def session():
        tap = HttpTap(listener.upstream, lambda told, data: None, lambda head: None)
        async with asyncio.timeout(DEADLINE):
            server = await asyncio.start_server(tap.connected, "127.0.0.1", 0)
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(POST % b"a")
            data = await reader.readuntil(b"\r\n\r\n") + await reader.read(500)
            writer.close()
            server.close()
            await settled()
            return data

    return asyncio.run(session())


def test_the_certificate_of_the_server_is_checked_unless_told_not_to(context, certificate):
    with served("", context) as web:
        refused = through_tls(web)
        assert refused.startswith(b"HTTP/1.1 502 ") and b"--cacert" in refused and refused.count(b"flowgen tap") == 1
        assert b'"tools"' in through_tls(web, cacert=str(certificate[0]))
        assert b'"tools"' in through_tls(web, insecure=True)
        assert {headers["host"] for _, _, headers, _ in web.asked} == {web.origin.partition("://")[2]}


def test_places_to_listen_at_are_told_from_others():
    assert place_of("[::1]:8900") == ("::1", 8900) and place_of("8900") == ("127.0.0.1", 8900)
    assert is_loopback("LocalHost.") and is_loopback("127.9.9.9") and is_loopback("::1")
    assert not is_loopback("0.0.0.0") and not is_loopback("evil.example") and not is_loopback("")


# what is written down


def recorded(folder, items, kept=None):
    """The trace of what was handed over."""
    kept = kept or Kept(str(folder / "t.jsonl"))
    page = Page(kept.output)
    scribe = Scribe(page, "https://api.example/mcp", kept)
    taker = WebItems(scribe, kept)
    for number, (told_, data) in enumerate(items, 1):
        taker.take(Item(HTTP, number, number / 100, item(told_, data)))
        scribe.flush()
    taker.take(Item(END, 1_000_000, 9.0, b'{"complete": true, "reason": "done"}'))
    taker.flush_readers()
    scribe.end(taker.outcome)
    return load(Path(kept.output).read_bytes())


def exchange(number, body, status, answer, *, method="POST", session=None, media="application/json", more=()):
    headers = [["Mcp-Session-Id", session]] if session else []
    yield {"n": number, "event": "asked", "method": method, "url": "https://api.example/mcp", "headers": headers}, b""
    if body is not None:
        yield {"n": number, "event": "asked-body"}, json.dumps(body).encode()
    yield {"n": number, "event": "asked-end"}, b""
    yield {"n": number, "event": "head", "status": status, "headers": [["Content-Type", media], *more]}, b""
    if answer:
        yield {"n": number, "event": "body"}, answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    yield {"n": number, "event": "body-end"}, b""


def asking(id_, method="tools/list"):
    return {"jsonrpc": "2.0", "id": id_, "method": method}


def answering(id_):
    return {"jsonrpc": "2.0", "id": id_, "result": {}}


def codes(trace):
    return [code for message in trace.messages for code in message.codes]


def test_two_clients_that_use_the_same_ids_are_not_mixed_up(tmp_path):
    one, two = list(exchange(1, asking(1), 200, answering(1))), list(exchange(2, asking(1), 200, answering(1)))
    trace = recorded(tmp_path, [*one[:3], *two[:3], *two[3:], *one[3:]])
    assert codes(trace) == []
    assert [message.exchange for message in trace.messages] == [1, 2, 2, 1]


def test_who_was_refused_may_ask_again_under_the_same_id(tmp_path):
    refused = {"jsonrpc": "2.0", "id": None, "error": {"code": -32001, "message": "no"}}
    first = exchange(1, asking(1), 401, refused, session="s")
    second = exchange(2, asking(1), 200, answering(1), session="s")
    assert set(codes(recorded(tmp_path, [*first, *second]))) == {"http-error", "invalid-id"}


def test_a_stream_is_its_opening_its_events_and_its_end(tmp_path):
    events = b"id: 7\ndata: " + json.dumps({"jsonrpc": "2.0", "method": "notifications/a"}).encode() + b"\n\n"
    events += b": ping\n\ndata: " + json.dumps(answering(1)).encode() + b"\n\n"
    trace = recorded(tmp_path, exchange(1, asking(1), 200, events, media="text/event-stream"))
    kinds = [(message.kind, message.transport) for message in trace.messages]
    assert kinds == [("request", "http"), ("http", "http"), ("notification", "sse"), ("http", "sse"),
                     ("response", "sse"), ("http", "http")]  # fmt: skip
    assert trace.messages[2].sse.id == "7" and codes(trace) == []


def test_compressed_bodies_are_written_down_in_plain(tmp_path):
    import gzip

    body = gzip.compress(json.dumps(answering(1)).encode())
    trace = recorded(tmp_path, exchange(1, asking(1), 200, body, more=[["Content-Encoding", "gzip"]]))
    assert trace.messages[1].kind == "response"


def test_answers_of_http_sse_come_on_the_other_stream(tmp_path):
    stream = list(exchange(1, None, 200, b"", method="GET", media="text/event-stream"))
    event = b"data: " + json.dumps(answering(1)).encode() + b"\n\n"
    items = [
        *stream[:-1], ({"n": 1, "event": "body"}, b"event: endpoint\ndata: /messages?session=0123456789abcdef\n\n"),
        *exchange(2, asking(1), 202, b"Accepted", media="text/plain"), ({"n": 1, "event": "body"}, event), stream[-1],
    ]  # fmt: skip
    trace = recorded(tmp_path, items)
    assert codes(trace) == [] and "response" in [message.kind for message in trace.messages]
    assert b"0123456789abcdef" not in (tmp_path / "t.jsonl").read_bytes()


def test_a_client_that_was_there_when_the_recording_ended_has_its_half_kept(tmp_path):
    trace = recorded(tmp_path, list(exchange(1, asking(1), 200, answering(1)))[:3])
    assert [message.kind for message in trace.messages] == ["request", "http"]
    assert codes(trace) == ["unanswered"]


# as people run it


@pytest.fixture
def tap(tmp_path):
    """Starts `flowgen tap --listen` before a server; its process, and its address."""
    started = []

    def start(url):
        port = free_port()
        argv = [FLOWGEN, "tap", "-o", tmp_path / "t.jsonl", "--listen", f"127.0.0.1:{port}", "--upstream", url]
        process = subprocess.Popen(list(map(str, argv)), stderr=subprocess.PIPE, text=True)
        started.append(process)
        assert "listening" in process.stderr.readline()
        return process, f"http://127.0.0.1:{port}"

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_a_real_client_runs_its_session_through_the_tap_unharmed(tap, tmp_path):
    pytest.importorskip("mcp")
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    port = free_port()
    with listening([*python_server("sdk_server.py", "mcp"), "streamable-http", str(port)], port):
        process, address = tap(f"http://127.0.0.1:{port}/mcp")

        async def session():
            async with (
                asyncio.timeout(DEADLINE),
                streamable_http_client(f"{address}/mcp") as streams,
                ClientSession(*streams[:2]) as client,
            ):
                await client.initialize()
                return len((await client.list_tools()).tools)

        assert asyncio.run(session()) > 0
        process.send_signal(signal.SIGINT)
        assert process.wait(DEADLINE) == 130
    trace = load((tmp_path / "t.jsonl").read_bytes())
    methods = [message.body["method"] for message in trace.messages if message.kind == "request"]
    assert methods[:2] == ["initialize", "tools/list"] and codes(trace) == []
    assert trace.outcome.complete and trace.url == f"http://127.0.0.1:{port}/mcp"
    assert all(who.title for who in trace.participants)


def test_a_killed_tap_leaves_what_it_saw(tap, tmp_path):
    import urllib.request

    with served() as web:
        process, address = tap(web.url)
        asked = urllib.request.Request(f"{address}/mcp", data=json.dumps(asking(1, "ping")).encode(), headers={
            "Content-Type": "application/json", "Authorization": "Bearer 0123456789abcdefXYZ"})  # fmt: skip
        urllib.request.urlopen(asked, timeout=DEADLINE).read()
        process.kill()
        process.wait()
        assert ("authorization", "Bearer 0123456789abcdefXYZ") in web.asked[0][2].items()
    until = asyncio.run(_written(tmp_path / "t.jsonl"))
    assert b"0123456789abcdef" not in until
    assert [message.kind for message in load(until).messages][:1] == ["request"]


async def _written(path):
    async with asyncio.timeout(DEADLINE):
        while b'"outcome"' not in (data := path.read_bytes()):
            await asyncio.sleep(0.01)
        return data
