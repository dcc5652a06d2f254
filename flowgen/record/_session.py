"""One recording from start to end: a server is started, a plan is gone through, everything seen is kept.

Whatever the server does, this gives a recording; it raises only for mistakes of the caller.
"""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from flowgen import __version__, protocol
from flowgen.trace import Mask, env_secrets, secret_name
from flowgen.wire import MAX_MESSAGE

from ._argv import startable
from ._desk import Desk
from ._driver import Driver, Limits
from ._ending import Ending
from ._intake import Intake
from ._outcome import Ended, verdict
from ._pairs import Json, Pairs
from ._recorder import Recorder
from ._speaker import Speaker
from ._stdio import Clock, Event, Inbox, Stdio


@dataclass(frozen=True, slots=True)
class Server:
    """What is started. `env` stands on top of our own environment; its values are masked."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """What is done with it. `named`: the plan is the user's, so each of its steps is announced by a note."""

    plan: protocol.Plan
    answers: protocol.Answers = field(default_factory=protocol.Answers)
    manners: protocol.Manners = field(default_factory=protocol.Manners)
    named: bool = False
    limits: Limits = field(default_factory=Limits)
    max_message: int = MAX_MESSAGE
    redact: bool = True
    redact_keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Watch:
    """Who looks on: at each message as it is kept, and at words for a person."""

    message: Callable[[Json], None] = lambda message: None
    warn: Callable[[str], None] = lambda text: None


@dataclass(frozen=True, slots=True)
class Recording:
    """The document of `flowgen.trace/1` as a dict, the command's exit code, and a verdict in at most five lines."""

    document: Json
    exit_code: int
    verdict: list[str]


class Recorded:
    """A recording under way: `run` does the work; `interrupt` may be called from any thread or signal handler."""

    def __init__(self, server: Server, session: Session, watch: Watch | None = None) -> None:
        began = time.monotonic()
        self._now: Clock = lambda: time.monotonic() - began
        self._server = server
        self._inbox: Inbox = Inbox()
        self._env = {**os.environ, **server.env}
        watch = watch or Watch()
        identity = session.plan.client or protocol.Identity("flowgen", __version__)
        client = protocol.Client(identity, session.answers, session.manners, session.named)
        self._script = protocol.session(client, session.plan)
        self._mask = _mask(server, session, self._env)
        self._recorder = Recorder(self._mask, list(server.argv), session.plan.title)
        self._recorder.name("client", identity.title)
        self._pairs = Pairs()
        self._intake = Intake(self._inbox, self._now, self._recorder, self._pairs, session.max_message)
        self._transport = Stdio(self._inbox, self._now)
        self._speaker = Speaker(self._transport, self._recorder, self._pairs, self._intake, self._now)
        self._intake.watch = self._speaker.watch = watch.message
        self._desk = Desk(self._inbox, self._now, watch.warn)
        self._driver = Driver(
            client, self._intake, self._speaker, self._desk, session.limits, self._now, self._recorder, self._pairs
        )
        self._ending = Ending(self._driver, self._intake, self._speaker, self._transport, self._now)

    def interrupt(self) -> None:
        """Ends the session; a second time, also the time that the server is given to leave."""
        self._inbox.put(Event(self._now(), "interrupt"))

    def run(self) -> Recording:
        """Records the session. Whatever the server does, there is a recording."""
        error = self._start()
        if error is not None:
            return self._recording(Ended(start_error=error))
        try:
            ended = self._played()
        except BaseException:
            self._transport.stop(hard=True)
            raise
        finally:
            self._desk.close()
        return self._recording(ended)

    def _start(self) -> str | None:
        """Starts the server; a sentence on why it could not be."""
        argv = list(self._server.argv)
        try:
            command, shell = (argv, None) if os.name == "posix" else _for_windows(argv)
            self._transport.start(command, self._env, self._server.cwd, shell)
        except (OSError, ValueError) as problem:
            error = self._mask.text(str(getattr(problem, "strerror", None) or problem))
            self._speaker.process("start-failed", argv=self._mask.argv(argv), error=error)
            return f"{argv[0]}: {error}"
        self._speaker.process("started", argv=self._mask.argv(argv))
        self._transport.attend()
        return None

    def _played(self) -> Ended:
        lost = None
        self._driver.start(self._script)
        while self._driver.ending is None and not self._intake.interrupts and lost is None:
            self._driver.turn(self._ending.due)
            lost = self._ending.lost() if self._driver.ending is None else None
        interrupted = self._driver.ending is None and self._intake.interrupts > 0
        self._driver.stop()
        for asked in self._pairs.open_of("client") if interrupted else ():
            self._speaker.take_back(asked, "interrupt")
        self._ending.finish(early=lost is not None)
        return Ended(
            interrupted, None, self._driver.ending, lost, self._pairs.server_answered, self._driver.timed_out
        )

    def _recording(self, ended: Ended) -> Recording:
        self._pairs.finish()
        document = self._recorder.document(ended.outcome(self._ending.exit))
        return Recording(document, ended.exit_code, verdict(ended, document))


def _mask(server: Server, session: Session, env: Mapping[str, str]) -> Mask:
    """Masks what was given for this server, and those of our own variables whose name looks like a secret's."""
    secrets = env_secrets(server.env) | env_secrets({name: env[name] for name in env if secret_name(name)})
    return Mask(secrets, session.redact_keys, session.redact)


def _for_windows(argv: list[str]) -> tuple[list[str] | str, str | None]:
    from shutil import which

    return startable(argv, which, os.environ.get("COMSPEC", "cmd.exe"))
