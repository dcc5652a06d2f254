"""The address that a browser is sent back to."""

import socket
import threading
import urllib.error
import urllib.request

import pytest

from flowgen.record._callback import Callback


class Told:
    """Keeps what a listener told."""

    def __init__(self):
        self.urls = []
        self.came = threading.Event()

    def __call__(self, url):
        self.urls.append(url)
        self.came.set()


def get(url):
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status, answer.read().decode(), dict(answer.headers)
    except urllib.error.HTTPError as error:
        return error.code, "", dict(error.headers)


@pytest.fixture
def listening():
    told = Told()
    callback = Callback(told)
    yield callback, told
    callback.close()


def test_it_listens_on_loopback_at_a_free_port_and_tells_the_redirect(listening):
    callback, told = listening
    assert callback.redirect_uri.startswith("http://127.0.0.1:") and callback.redirect_uri.endswith("/callback")
    status, page, _ = get(f"{callback.redirect_uri}?code=a%20b&state=s")
    assert told.came.wait(10) and told.urls == [f"{callback.redirect_uri}?code=a%20b&state=s"]
    assert status == 200 and "close this window" in page


def test_the_page_repeats_nothing_of_the_address_and_is_kept_nowhere(listening):
    callback, _ = listening
    _, page, headers = get(f"{callback.redirect_uri}?code=secret&error=<script>")
    assert "secret" not in page and "script" not in page
    assert headers["Cache-Control"] == "no-store" and headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("target", ["/favicon.ico", "/", "/callback", "/callback/x?code=a", "/Callback?code=a"])
def test_whatever_else_arrives_is_not_the_redirect(listening, target):
    callback, told = listening
    status, _, _ = get(callback.redirect_uri.removesuffix("/callback") + target)
    assert status == 404 and told.urls == []


def test_only_the_first_redirect_counts(listening):
    callback, told = listening
    for code in ("one", "two"):
        assert get(f"{callback.redirect_uri}?code={code}")[0] == 200
    assert [url.rpartition("=")[2] for url in told.urls] == ["one"]


def test_who_connects_and_says_nothing_holds_nobody_up(listening):
    callback, told = listening
    port = int(callback.redirect_uri.split(":")[2].split("/")[0])
    with socket.create_connection(("127.0.0.1", port)), socket.create_connection(("127.0.0.1", port)) as other:
        other.sendall(b"\x16\x03\x01 garbage\r\n\r\n")
        assert get(f"{callback.redirect_uri}?code=a")[0] == 200
    assert len(told.urls) == 1


def test_an_address_that_was_registered_is_listened_at_exactly():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    told = Told()
    callback = Callback(told, f"http://localhost:{port}/back")
    try:
        assert callback.redirect_uri == f"http://localhost:{port}/back"
        assert get(f"http://127.0.0.1:{port}/back?code=a")[0] == 200
        assert told.urls == [f"http://localhost:{port}/back?code=a"]
    finally:
        callback.close()


def test_an_address_that_is_taken_is_an_error():
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(OSError, match="in use"):
        Callback(Told(), f"http://127.0.0.1:{taken.getsockname()[1]}/callback")
