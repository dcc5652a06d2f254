"""The demo's HTTP servers on loopback sockets: in this process, in a thread of it, or in a process of their own."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from flowgen.errors import BackendMissing, ConfigError, ServerError

from ._scenario import Scenario

if TYPE_CHECKING:
    from ._sessions import Site
    from ._streams import Asgi

HOST = "127.0.0.1"
STARTING = 30.0  # seconds that a process may take to say where it listens
ENDING = 5.0  # seconds until a process is ended by force


class Public(NamedTuple):
    """As whom the servers answer: their origins as the world knows them, and a PEM file with certificate and key.

    They still listen on loopback; whoever calls them is led there (`flowgen record --connect-to`).
    """

    origin: str
    auth_origin: str
    certificate: str


def play(
    scenario: Scenario, port: int, auth_port: int, tell: Callable[[str], None], until_eof: bool,
    public: Public | None = None,
) -> None:  # fmt: skip
    """Serve until a signal comes, or with `until_eof` until stdin ends. `tell` is given the address of the endpoint."""
    running = _Running(scenario, port, auth_port, os._exit, public)
    if until_eof:
        threading.Thread(target=_wait_for_eof, args=(running.stop,), daemon=True).start()
    tell(running.url)
    running.run()


class Threaded:
    """The servers in a thread of this process, at `url`; an `exit` step ends only them. Also a context manager."""

    def __init__(self, scenario: Scenario, port: int = 0, auth_port: int = 0) -> None:
        self._running = _Running(scenario, port, auth_port, None)
        self._thread = threading.Thread(target=self._running.run, daemon=True)
        self._thread.start()
        self.url = self._running.url
        self.stop = self._running.stop

    def join(self) -> None:
        """Wait until a stopped server has ended."""
        self._thread.join(ENDING)

    def __enter__(self) -> str:
        return self.url

    def __exit__(self, *problem: object) -> None:
        self.stop()
        self.join()


@contextmanager
def started(name: str) -> Iterator[str]:
    """The servers in a process of their own; the address of the endpoint. It ends with this process, come what may."""
    _needs_http()
    command = [sys.executable, "-P", "-m", "flowgen.demo", "--scenario", name, "--http", "0", "--until-eof"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield _first_line(process)
        finally:
            _end(process)


def _first_line(process: "subprocess.Popen[bytes]") -> str:
    late = threading.Timer(STARTING, process.kill)
    late.start()
    try:
        line = process.stdout.readline() if process.stdout else b""
    finally:
        late.cancel()
    if not line:
        raise ServerError("the demo's server did not start", "python -m flowgen.demo --http 0 says more")
    return line.decode().strip()


def _end(process: "subprocess.Popen[bytes]") -> None:
    with suppress(OSError):
        if process.stdin:
            process.stdin.close()
    try:
        process.wait(ENDING)
    except subprocess.TimeoutExpired:
        process.kill()


def _wait_for_eof(stop: Callable[[], None]) -> None:
    while sys.stdin.buffer.read(4096):
        pass
    stop()


class _Running:
    """An MCP server, and beside it an authorization server if the scenario has one, each on a socket of its own."""

    def __init__(
        self, scenario: Scenario, port: int, auth_port: int, leave: Callable[[int], None] | None,
        public: Public | None = None,
    ) -> None:  # fmt: skip
        _needs_http()
        from ._http import PATH
        from ._sessions import Site

        self.site = Site(scenario, leave or (lambda code: self.stop()), _to_stderr)
        self.sockets = [_listening(port)] + ([_listening(auth_port)] if scenario.auth is not None else [])
        origins = [public.origin, public.auth_origin] if public else [_base(each) for each in self.sockets]
        self.url = f"{origins[0]}{PATH}"
        self.site.world.origin = origins[0]
        self.apps = _applications(self.site, self.sockets, origins)
        self.server = _server(self._by_port, self.site.close, public.certificate if public else None)

    def run(self) -> None:
        """Serve until `stop`."""
        self.server.run(sockets=self.sockets)

    def stop(self) -> None:
        """Let the servers end; they need a tenth of a second."""
        self.server.should_exit = True

    async def _by_port(self, scope: Any, receive: "Asgi", send: "Asgi") -> None:
        await self.apps[scope["server"][1]](scope, receive, send)


def _applications(site: "Site", sockets: list[socket.socket], origins: list[str]) -> "dict[int, Asgi]":
    """What answers on which port; the origins are the servers' own."""
    from ._http import PATH, application

    own = _port(sockets[0])
    if site.scenario.auth is None:
        return {own: application(site, names=origins)}
    from ._auth import authorization_server
    from ._grants import Authority, Rules
    from ._guard import TokenGuard, ours
    from ._sse import SSE

    rules, origin = Rules(**site.scenario.auth), origins[1]
    authority = Authority(rules, partial(ours, own, origins[0], (PATH, SSE)), monotonic)
    guard = TokenGuard(site.scenario, authority, origin + rules.issuer, (PATH, SSE))
    return {own: application(site, guard, origins), _port(sockets[1]): authorization_server(authority, origin)}


def _server(app: "Asgi", closing: Callable[[], None], certificate: str | None) -> Any:
    """uvicorn, silent and without clock: no Date and no Server header, so that the same request has the same answer."""
    import uvicorn

    class Ending(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            closing()  # streams would keep it waiting
            await super().shutdown(sockets)

    return Ending(
        uvicorn.Config(
            app, interface="asgi3", http="h11", ws="none", loop="asyncio", lifespan="off", proxy_headers=False,
            log_config=None, log_level="error", access_log=False, server_header=False, date_header=False,
            timeout_keep_alive=75, timeout_graceful_shutdown=2, ssl_certfile=certificate,
        )
    )  # fmt: skip


def _listening(port: int) -> socket.socket:
    try:
        listener = socket.create_server((HOST, port))
    except (OSError, OverflowError) as problem:
        told = os.strerror(problem.errno or 0) if isinstance(problem, OSError) else "there is no such port"
        raise ConfigError(f"port {port} on {HOST}: {told}", "0 takes a port that is free") from problem
    # asyncio does this only for sockets that it opened itself; without it each answer waits 40 ms for a receipt
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _port(listener: socket.socket) -> int:
    return int(listener.getsockname()[1])


def _base(listener: socket.socket) -> str:
    return f"http://{HOST}:{_port(listener)}"


def _to_stderr(words: str) -> None:
    sys.stderr.write(words + "\n")
    sys.stderr.flush()


def _needs_http() -> None:
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as missing:
        raise BackendMissing(
            f"serving over HTTP needs {missing.name}, which is not installed", "pip install 'mcp-flowgen[http]'"
        ) from missing
