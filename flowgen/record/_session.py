"""What is recorded and how, and the recording itself from start to end.

Whatever the server does, there is a recording; only mistakes of the caller are raised. The parts that do the work
are loaded while the server starts, which takes it as long.
"""

import os
import time
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from flowgen import protocol

from ._inbox import Clock, Event, Inbox
from ._stdio import Stdio

Json = dict[str, Any]


class Server(NamedTuple):
    """What is started. `env` stands on top of our own environment; its values are masked."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = {}
    cwd: str | None = None


class Route(NamedTuple):
    """How servers are reached. `proxy` overrides those of the environment; seconds for a connection to stand.

    `connect_to`: `HOST:PORT:HOST2:PORT2`, where connections meant for the first go to the second.
    """

    connect_timeout: float = 10.0
    proxy: str | None = None
    cacert: str | None = None
    insecure: bool = False
    connect_to: tuple[str, ...] = ()


class OAuth(NamedTuple):
    """What the user said about signing in; names as in `protocol.Settings`. `key` is a private key (PEM).

    `interactive`: a person can sign in. `opens`: the browser is opened for him. `browser`: `demo` plays it.
    `token_store`: a file that keeps tokens between runs.
    """

    client_id: str | None = None
    client_secret: str | None = None
    client_metadata_url: str | None = None
    scopes: tuple[str, ...] = ()
    issuer: str | None = None
    redirect_uri: str | None = None
    key: str | None = None
    token_store: str | None = None
    interactive: bool = False
    opens: bool = True
    browser: Literal["user", "demo"] = "user"

    def settings(self) -> "protocol.Settings":
        """The same for the authorization script. Raises UsageError for what does not go together."""
        return protocol.Settings(
            self.client_id, self.client_secret, self.client_metadata_url, self.issuer, self.scopes, self.redirect_uri,
            self.interactive, self.key is not None, browser=self.browser,
        )  # fmt: skip


class Site(NamedTuple):
    """A server that has an address. `headers` go along with every request; their values are masked."""

    url: str
    headers: tuple[tuple[str, str], ...] = ()
    transport: Literal["auto", "http", "sse"] = "auto"
    route: Route = Route()
    oauth: OAuth = OAuth()


class Limits(NamedTuple):
    """Seconds: `timeout` for each request, `startup` for the first answer."""

    timeout: float = 30.0
    startup: float = 60.0


class Session(NamedTuple):
    """What is done with it. `named`: the plan is the user's, so each of its steps is announced by a note.

    `max_message` is in bytes; larger messages are kept by their beginning. None: the default of the wire.
    """

    plan: protocol.Plan
    answers: "protocol.Answers | None" = None
    manners: protocol.Manners = protocol.Manners()
    named: bool = False
    limits: Limits = Limits()
    max_message: int | None = None
    redact: bool = True
    redact_keys: tuple[str, ...] = ()


def nobody(message: Json) -> None:
    """Stands for no onlooker: then messages are masked while the server thinks."""


class Watch(NamedTuple):
    """Who looks on: at each message as it is kept, at words for a person, at an address where he is to sign in."""

    message: Callable[[Json], None] = nobody
    warn: Callable[[str], None] = lambda text: None
    show: Callable[[str], None] = lambda url: None


class Recording(NamedTuple):
    """The document of `flowgen.trace/1` as a dict, the command's exit code, and a verdict in at most five lines."""

    document: Json
    exit_code: int
    verdict: list[str]


class Recorded:
    """A recording ready to be made: `run` does it; `interrupt` may be called from any thread or signal handler."""

    def __init__(self, server: Server | Site, session: Session, watch: Watch | None = None) -> None:
        began = time.monotonic()
        self._now: Clock = lambda: time.monotonic() - began
        self._inbox: Inbox = Inbox()
        self._server = server
        self._session = session
        self._watch = watch or Watch()

    def interrupt(self) -> None:
        """Ends the session; a second time, also the time that the server is given to leave."""
        self._inbox.put(Event(self._now(), "interrupt"))

    def run(self) -> Recording:
        """Records the session."""
        return self._visited(self._server) if isinstance(self._server, Site) else self._started(self._server)

    def _started(self, server: Server) -> Recording:
        at = self._now()
        transport, error = started(server, self._inbox, self._now)
        try:
            from ._pipe_line import PipeLine
            from ._studio import Studio

            studio = Studio(server, self._session, self._watch, self._now)
            return studio.recorded(PipeLine(server, transport), self._inbox, at, error)
        except BaseException:
            transport.stop(hard=True)
            raise

    def _visited(self, site: Site) -> Recording:
        from ._http_line import HttpLine
        from ._studio import Studio

        studio = Studio(site, self._session, self._watch, self._now)
        line = HttpLine(site, studio.mask, self._inbox, self._now)
        try:
            return studio.recorded(line, self._inbox, self._now(), None, site.transport)
        finally:
            line.close()


def started(server: Server, inbox: Inbox, now: Clock) -> tuple[Stdio, str | None]:
    """Starts the server; its process, and a sentence on why it could not be started."""
    transport, argv = Stdio(inbox, now), list(server.argv)
    try:
        command, shell = (argv, None) if os.name == "posix" else _for_windows(argv)
        transport.start(command, {**os.environ, **server.env}, server.cwd, shell)
    except (OSError, ValueError) as problem:
        return transport, str(getattr(problem, "strerror", None) or problem)
    return transport, None


def _for_windows(argv: list[str]) -> tuple[list[str] | str, str | None]:
    from shutil import which

    from ._argv import startable

    return startable(argv, which, os.environ.get("COMSPEC", "cmd.exe"))
