"""What is recorded and how, and the recording itself from start to end.

Whatever the server does, there is a recording; only mistakes of the caller are raised. The parts that do the work
are loaded while the server starts, which takes it as long.
"""

import os
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from flowgen import protocol

from ._stdio import Clock, Event, Inbox, Stdio

Json = dict[str, Any]


class Server(NamedTuple):
    """What is started. `env` stands on top of our own environment; its values are masked."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = {}
    cwd: str | None = None


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


class Watch(NamedTuple):
    """Who looks on: at each message as it is kept, and at words for a person."""

    message: Callable[[Json], None] = lambda message: None
    warn: Callable[[str], None] = lambda text: None


class Recording(NamedTuple):
    """The document of `flowgen.trace/1` as a dict, the command's exit code, and a verdict in at most five lines."""

    document: Json
    exit_code: int
    verdict: list[str]


class Recorded:
    """A recording ready to be made: `run` does it; `interrupt` may be called from any thread or signal handler."""

    def __init__(self, server: Server, session: Session, watch: Watch | None = None) -> None:
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
        env = {**os.environ, **self._server.env}
        transport = Stdio(self._inbox, self._now)
        at = self._now()
        error = _start(transport, self._server, env)
        try:
            from ._live import Live

            live = Live(self._server, self._session, self._watch, env, self._inbox, transport, self._now)
            return live.failed(error) if error is not None else live.played(at)
        except BaseException:
            transport.stop(hard=True)
            raise


def _start(transport: Stdio, server: Server, env: Mapping[str, str]) -> str | None:
    """Starts the server; a sentence on why it could not be."""
    argv = list(server.argv)
    try:
        command, shell = (argv, None) if os.name == "posix" else _for_windows(argv)
        transport.start(command, env, server.cwd, shell)
    except (OSError, ValueError) as problem:
        return str(getattr(problem, "strerror", None) or problem)
    return None


def _for_windows(argv: list[str]) -> tuple[list[str] | str, str | None]:
    from shutil import which

    from ._argv import startable

    return startable(argv, which, os.environ.get("COMSPEC", "cmd.exe"))
