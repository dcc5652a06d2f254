"""A tap over HTTP from its start to its end: where it listens, who may speak through it, what is handed over."""

import asyncio
import ipaddress
import signal
import socket
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlsplit

from flowgen.errors import ServerError, UsageError

from ._tap_aside import Aside, beside, written
from ._tap_feed import END, HTTP, Items
from ._tap_heads import Head
from ._tap_http import HttpTap, Upstream, item
from ._tap_page import Json, Kept, Page

_SUCH_AS = "such as --listen 127.0.0.1:8900 --upstream https://api.example/mcp"
Say = Callable[[str], None]


class Listening(NamedTuple):
    """Where a tap listens (`host:port`) and where it passes things to. `remote`: others than this machine may speak.

    `cacert` names a file of authorities, `insecure` asks none.
    """

    listen: str
    upstream: str
    remote: bool = False
    cacert: str | None = None
    insecure: bool = False


class Listener:
    """Listens from its making on. Raises UsageError and ServerError."""

    def __init__(self, given: Listening) -> None:
        self._given = given
        self.upstream = upstream_of(given)
        host, port = place_of(given.listen)
        if not given.remote and not is_loopback(host):
            raise UsageError(
                f"--listen {host}: others than this machine could speak through it",
                "listen on 127.0.0.1, or say --allow-remote",
            )
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            self._socket = socket.create_server((host, port), family=family, backlog=128)
        except (OSError, OverflowError) as problem:
            raise ServerError(
                f"cannot listen on {given.listen}: {getattr(problem, 'strerror', problem)}", "choose another port"
            ) from None
        shown = f"[{host}]" if ":" in host else host
        self.origin = f"http://{shown}:{self._socket.getsockname()[1]}"

    @property
    def address(self) -> str:
        """What a client is given in place of the server's address."""
        parts = urlsplit(self._given.upstream)
        return self.origin + (parts.path or "/")

    def run(self, page: Page | None, kept: Kept, say: Say) -> int:
        """Passes everything on until interrupted; the exit code."""
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        began, url = time.monotonic(), self._given.upstream
        aside = self._start_aside(page, kept, say)
        say(f"listening: the client takes {self.address} in place of {self.upstream.origin}{urlsplit(url).path}")
        try:
            code, left = asyncio.run(self._serve(aside, began))
        except KeyboardInterrupt:
            code, left = 130, 0
        if aside is not None and page is not None:
            outcome: Json = {"complete": not left, "reason": "interrupted" if left else "done"}
            aside.put(END, time.monotonic() - began, outcome)
            if why := aside.finish(_Hurry()):
                say(f"{page.path} holds a part of the session only: {why}")
        return code

    def _start_aside(self, page: Page | None, kept: Kept, say: Say) -> Aside | None:
        url = self._given.upstream

        def work(items: Items) -> int:
            from ._tap_scribe import Scribe
            from ._tap_web import WebItems

            assert page is not None
            scribe = Scribe(page, url, kept)
            return written(items, WebItems(scribe, kept), scribe.flush, scribe.end)

        try:
            return beside(page, work) if page is not None else None
        except OSError as problem:
            say(f"nothing is recorded: {problem.strerror}")
            return None

    async def _serve(self, aside: Aside | None, began: float) -> tuple[int, int]:
        """The exit code, and how many exchanges were under way."""
        loop = asyncio.get_running_loop()
        stopped: asyncio.Future[int] = loop.create_future()
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 0), (signal.SIGHUP, 0)):
            loop.add_signal_handler(number, _settle, stopped, code)

        def put(told: Json, data: bytes) -> None:
            if aside is not None:
                aside.feed.put(HTTP, time.monotonic() - began, item(told, data))
                if aside.catches_up():
                    loop.add_writer(aside.feed.pipe, catch_up, aside)

        def catch_up(aside: Aside) -> None:
            aside.feed.catch_up()
            if not aside.catches_up():
                loop.remove_writer(aside.feed.pipe)

        tap = HttpTap(self.upstream, put, self._refuses)
        server = await asyncio.start_server(tap.connected, sock=self._socket)
        code = await stopped
        left = tap.open
        server.close()
        return code, left

    def _refuses(self, head: Head) -> str | None:
        """Pages of other sites that a browser shows must not speak with the server, whatever name they found us by."""
        if self._given.remote:
            return None
        origin, host = head.value("origin"), head.value("host") or ""
        if not is_loopback(_host_in(f"//{host}")):
            return f"the host {host} is not this machine's; --allow-remote lets it pass"
        if origin is not None and not is_loopback(_host_in(origin)):
            return f"pages of {origin} may not pass; --allow-remote lets them"
        return None


def _settle(stopped: "asyncio.Future[int]", code: int) -> None:
    if not stopped.done():
        stopped.set_result(code)


class _Hurry:
    """Whether somebody interrupts once more."""

    def __init__(self) -> None:
        self._told = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._tell)

    def __call__(self) -> bool:
        return self._told

    def _tell(self, *_: object) -> None:
        self._told = True


def upstream_of(given: Listening) -> Upstream:
    """The server that is meant. Raises UsageError."""
    try:
        parts = urlsplit(given.upstream)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, parts, port = None, urlsplit(""), None
    if parts.scheme not in ("http", "https") or not host or len(given.upstream.split()) > 1:
        raise UsageError(f"--upstream {given.upstream}: expected an address with http:// or https://", _SUCH_AS)
    if parts.username is not None:
        raise UsageError("--upstream: a password has no place in an address", "the client sends its own Authorization")
    name = parts.netloc.lower()
    context = _context(given) if parts.scheme == "https" else None
    return Upstream(f"{parts.scheme}://{name}", host, port or (443 if context else 80), name, context)


def place_of(listen: str) -> tuple[str, int]:
    """Host and port of `127.0.0.1:8900`, `[::1]:8900` or `8900`. Raises UsageError."""
    host, _, port = listen.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise UsageError(f"--listen {listen}: expected HOST:PORT", _SUCH_AS)
    return host.strip("[]") or "127.0.0.1", int(port)


def is_loopback(host: str) -> bool:
    """Whether a name or an address is this machine's own."""
    if host.lower().rstrip(".") == "localhost" or host.lower().endswith(".localhost"):
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


def _host_in(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _context(given: Listening) -> ssl.SSLContext:
    try:
        context = ssl.create_default_context(cafile=given.cacert)
    except OSError as problem:
        raise UsageError(f"--cacert {given.cacert}: {problem.strerror or problem}", "a file of certificates") from None
    if given.insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
