"""Whatever bytes a server answers with: there is a loadable trace, and it does not take for ever."""

import socket
import threading
from contextlib import contextmanager, suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.record import Site, _sse
from tests.record.conftest import CALL, visited


@contextmanager
def answering(*answers):
    """Answers each request with the next of these bytes, the last of them again and again, and hangs up."""
    left = list(answers)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_serve, args=(listener, left), daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"


def _serve(listener, left):
    with suppress(OSError):
        while True:
            connection, _ = listener.accept()
            with connection, suppress(OSError):
                connection.settimeout(2.0)
                _read(connection)
                connection.sendall(left.pop(0) if len(left) > 1 else left[0])
                connection.shutdown(socket.SHUT_WR)


def _read(connection):
    """The whole request: head and body may come in two packets, and who hangs up in between resets it."""
    got = connection.recv(65536)
    while b"\r\n\r\n" not in got or len(got.partition(b"\r\n\r\n")[2]) < _length(got):
        more = connection.recv(65536)
        if not more:
            return
        got += more


def _length(got):
    fields = [line.split(b":", 1)[1] for line in got.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    return int(fields[0]) if fields else 0


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\n%s\r\n"
PIECES = st.sampled_from([
    b"HTTP/1.1 200 OK\r\n", b"HTTP/1.0 404 Gone\r\n", b"HTTP/1.1 307 T\r\nLocation: /x\r\n", b"\r\n", b"\r\n\r\n",
    b"Content-Type: text/event-stream\r\n", b"Content-Type: application/json\r\n", b"Content-Length: 20\r\n",
    b"Transfer-Encoding: chunked\r\n", b"Content-Encoding: gzip\r\n", b"Location: http://[::1\r\n", b"5\r\nhello\r\n",
    b"event: endpoint\ndata: http://[\n\n", b'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n', b"id: 1\nretry: 0\n\n",
    b'{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"]}}', b"Mcp-Session-Id: \x01\r\n",
    b"0\r\n\r\n",
    b"WWW-Authenticate: Bearer resource_metadata=\"http://127.0.0.1:1/x\"\r\n", b"HTTP/1.1 401 No\r\n", b"\x1f\x8b\x08",
])  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.lists(PIECES | st.binary(max_size=12), max_size=8).map(b"".join), st.sampled_from(["auto", "http", "sse"]))
def test_whatever_a_server_answers_there_is_a_loadable_trace(answer, transport):
    with answering(answer) as url:
        seen = visited(Site(url, transport=transport), revision="auto", timeout=0.5, startup=0.5)
    assert seen.exit_code in (0, 1, 3, 4)


@pytest.mark.parametrize(
    "answer",
    [
        b"", b"\x15\x03\x01\x00\x02\x02\x46", b"SSH-2.0-OpenSSH_9.6\r\n", b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 20000,
        b"HTTP/1.1 99999 Odd\r\n\r\n", b"HTTP/1.1 307 T\r\nLocation: http://[::1/mcp\r\n\r\n",
        HEAD % (b"application/json", b"Content-Length: -5\r\n"),
        HEAD % (b"text/event-stream", b"") + b"event: endpoint\ndata: //[bad\n\n",
    ],
)  # fmt: skip
def test_what_is_hardly_http_ends_the_recording_with_a_word(answer):
    with answering(answer) as url:
        seen = visited(url, (CALL,), revision="auto", timeout=1.0, startup=1.0)
    assert seen.exit_code in (1, 3) and seen.recording.verdict[0].startswith("flowgen: ")


def test_a_stream_that_is_opened_again_and_again_comes_to_an_end(monkeypatch):
    monkeypatch.setattr(_sse, "RETRY_SECONDS", 0.01)
    stream = HEAD % (b"text/event-stream", b"") + b"id: 1\nretry: 0\n\n"
    shaken = (
        b'{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}'
    )
    json = HEAD % (b"application/json", b"Content-Length: %d\r\n" % len(shaken)) + shaken
    with answering(json, HEAD % (b"x/y", b"Content-Length: 0\r\n"), stream) as url:
        seen = visited(url, (), revision="2025-11-25", lists=(), listen=1.5)
    opened = [message for message in seen.of("http") if message.get("http", {}).get("method") == "GET"]
    assert 1 <= len(opened) <= _sse.MAX_VAIN + 2 and seen.exit_code == 0
