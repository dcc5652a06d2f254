"""The address on this machine that a browser is sent back to (RFC 8252, 7.3), and the browser itself.

Listens on loopback only, for one path; whatever else comes gets a 404. The page says that the window may be closed,
and nothing that a stranger could have put into the address.
"""

import os
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

_PAGE = (
    b"<!doctype html><html lang=en><meta charset=utf-8><title>flowgen</title>"
    b"<body style='font: 16px sans-serif; margin: 4em'><p>flowgen has what it needs. You can close this window.</p>"
)
_SECONDS = 10.0  # for the head of one request


class Callback:
    """A listener. `told` is called with the address that the browser came back to, once."""

    def __init__(self, told: Callable[[str], None], redirect_uri: str | None = None) -> None:
        """Begins to listen. Raises OSError when the address is taken."""
        self._told = told
        wanted = urlsplit(redirect_uri or "http://127.0.0.1/callback")
        self._path = wanted.path or "/"
        self._once = threading.Lock()
        self._servers = [self._served(host, wanted.port or 0) for host in _addresses(wanted.hostname or "")]
        port = self._servers[0].server_address[1]
        self.redirect_uri = redirect_uri or f"http://127.0.0.1:{port}{self._path}"

    def close(self) -> None:
        """Stops listening."""
        for server in self._servers:
            threading.Thread(target=_ended, args=(server,), daemon=True).start()

    def _served(self, host: str, port: int) -> "_Server":
        server = _Server(host, port, self._arrived)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
        return server

    def _arrived(self, target: str) -> bool:
        """Whether this request is the redirect."""
        parts = urlsplit(target)
        if parts.path != self._path or not parts.query:
            return False
        if self._once.acquire(blocking=False):
            self._told(f"{self.redirect_uri.partition('?')[0]}?{parts.query}")
        return True


def _addresses(host: str) -> list[str]:
    """What to listen on: `localhost` may be looked up as either."""
    if host == "localhost":
        return ["127.0.0.1", "::1"] if socket.has_ipv6 and _can_listen("::1") else ["127.0.0.1"]
    return [host.strip("[]")]


def _can_listen(host: str) -> bool:
    with suppress(OSError), socket.socket(socket.AF_INET6) as probe:
        probe.bind((host, 0))
        return True
    return False


def _ended(server: "_Server") -> None:
    server.shutdown()
    server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = os.name == "posix"  # elsewhere it would let others listen in

    def __init__(self, host: str, port: int, arrived: Callable[[str], bool]) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.arrived = arrived
        super().__init__((host, port), _Handler)

    def server_bind(self) -> None:
        """Binds without asking anybody for our own name, which can take seconds."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, int(self.allow_reuse_address))
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing: whoever connects may hang up as he likes."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = _SECONDS

    def do_GET(self) -> None:
        """Answers the browser, and tells the redirect."""
        arrived = self.server.arrived(self.path)
        page = _PAGE if arrived else b""
        self.send_response(200 if arrived else 404)
        for name, value in (
            ("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(page))),
            ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"), ("Connection", "close"),
        ):  # fmt: skip
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: the address holds a code."""

    def version_string(self) -> str:
        """Who answers."""
        return "flowgen"


def open_browser(url: str) -> None:
    """Hands an address to the person's browser, which writes nothing to our terminal; only http and https."""
    if url.lower().startswith(("http://", "https://")):
        threading.Thread(target=_opened, args=(url,), daemon=True).start()


def _opened(url: str) -> None:
    import webbrowser

    with suppress(Exception):
        webbrowser.open(url)


def has_person() -> bool:
    """Whether a person can sign in: a terminal, and no machine that builds and tests."""
    return sys.stderr.isatty() and sys.stdin.isatty() and not os.environ.get("CI")
