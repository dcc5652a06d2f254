"""Serves one page to the browser of this machine, and newer data of it, until it is interrupted.

Only who knows the address gets anything: it holds 128 random bits, and a name other than this machine's own in `Host`
(a page elsewhere whose name was made to lead here) is turned away.
"""

import secrets
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from flowgen.errors import FlowgenError

if TYPE_CHECKING:
    from flowgen.api import Viewed

_LOOPBACK = "127.0.0.1"
_PATIENCE = 30.0  # seconds for a browser to send its request
_HEADS = {
    "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin", "Content-Security-Policy": "frame-ancestors 'none'",
}  # fmt: skip
_HTML, _JSON, _TEXT = "text/html; charset=utf-8", "application/json", "text/plain; charset=utf-8"


def serve(viewed: "Viewed", ready: Callable[[str], None]) -> None:
    """Serves until it is interrupted; `ready` is given the address. Raises FlowgenError for what cannot be shown."""
    viewed.watched()  # what is wrong with the file is told here, not in the browser
    with server_of(viewed) as server:
        ready(server.address)
        server.serve_forever(poll_interval=0.2)


def server_of(viewed: "Viewed") -> "Server":
    """The server, listening on a port that the system chose."""
    try:
        return Server(viewed)
    except OSError as problem:
        raise FlowgenError(f"{_LOOPBACK}: {problem.strerror or problem}", "without --watch it needs no port") from None


class Server(ThreadingHTTPServer):
    """Knows the page and the secret part of its address."""

    daemon_threads = True

    def __init__(self, viewed: "Viewed") -> None:
        super().__init__((_LOOPBACK, 0), _Handler)
        self.viewed = viewed
        self.secret = secrets.token_urlsafe(16)

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{_LOOPBACK}:{self.server_port}/{self.secret}/"

    def answer(self, host: str | None, target: str) -> tuple[int, str, str]:
        """Status, media type and text for a request."""
        if host not in {f"{name}:{self.server_port}" for name in (_LOOPBACK, "localhost")}:
            return 421, _TEXT, "not this machine's name\n"
        asked = urlsplit(target)
        begin, _, place = asked.path[1:].partition("/")
        if not secrets.compare_digest(begin.encode(), self.secret.encode()) or place not in ("", "data.json"):
            return 404, _TEXT, "nothing is here\n"
        if place:
            return 200, _JSON, self.viewed.since(parse_qs(asked.query).get("since", [""])[0])
        try:
            return 200, _HTML, self.viewed.watched()
        except FlowgenError as problem:
            return 503, _TEXT, f"{problem}\n"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that has gone is no error to tell."""


class _Handler(BaseHTTPRequestHandler):
    server: Server
    timeout = _PATIENCE
    server_version, sys_version = "flowgen", ""

    def do_GET(self) -> None:
        """The page, or its data."""
        status, kind, text = self.server.answer(self.headers.get("Host"), self.path)
        data = text.encode()
        self.send_response(status)
        for name, value in {**_HEADS, "Content-Type": kind, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: stderr is for people."""
