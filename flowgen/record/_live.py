"""The parts of a recording put together around a server that was started."""

from collections.abc import Mapping

from flowgen import protocol
from flowgen.trace import Mask, env_secrets, secret_name
from flowgen.version import __version__
from flowgen.wire import MAX_MESSAGE

from ._desk import Desk
from ._driver import Driver
from ._ending import Ending
from ._intake import Intake
from ._outcome import Ended, verdict
from ._pairs import Pairs
from ._recorder import Recorder
from ._session import Recording, Server, Session, Watch
from ._speaker import Speaker
from ._stdio import Clock, Inbox, Stdio


class Live:
    """One session: `played` goes through it, `failed` keeps why it could not begin."""

    def __init__(
        self,
        server: Server,
        session: Session,
        watch: Watch,
        env: Mapping[str, str],
        inbox: Inbox,
        transport: Stdio,
        now: Clock,
    ) -> None:
        identity = session.plan.client or protocol.Identity("flowgen", __version__)
        client = protocol.Client(identity, session.answers, session.manners, session.named)
        self._script = protocol.session(client, session.plan)
        self._argv = list(server.argv)
        self._transport = transport
        self._mask = _mask(server, session, env)
        self._recorder = Recorder(self._mask, self._argv, session.plan.title)
        self._recorder.name("client", identity.title)
        self._pairs = Pairs()
        self._intake = Intake(inbox, now, self._recorder, self._pairs, session.max_message or MAX_MESSAGE)
        self._speaker = Speaker(transport, self._recorder, self._pairs, self._intake, now)
        self._intake.watch = self._speaker.watch = watch.message
        self._desk = Desk(inbox, now, watch.warn)
        self._driver = Driver(
            client, self._intake, self._speaker, self._desk, session.limits, now, self._recorder, self._pairs
        )
        self._ending = Ending(self._driver, self._intake, self._speaker, transport, now)

    def failed(self, error: str) -> Recording:
        """Nothing could be started."""
        error = self._mask.text(error)
        self._speaker.process("start-failed", argv=self._argv, error=error)
        return self._recording(Ended(start_error=error))

    def played(self, started: float) -> Recording:
        """Plays the session with the server that was started then, and ends it."""
        self._speaker.process("started", at=started, argv=self._argv)
        self._transport.attend()
        try:
            return self._recording(self._ended())
        finally:
            self._desk.close()

    def _ended(self) -> Ended:
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
        answered, timed_out = self._pairs.server_answered, self._driver.timed_out
        return Ended(interrupted, None, self._driver.ending, lost, answered, timed_out)

    def _recording(self, ended: Ended) -> Recording:
        self._pairs.finish()
        document = self._recorder.document(ended.outcome(self._ending.exit))
        return Recording(document, ended.exit_code, verdict(ended, document))


def _mask(server: Server, session: Session, env: Mapping[str, str]) -> Mask:
    """Masks what was given for this server, and those of our own variables whose name looks like a secret's."""
    secrets = env_secrets(server.env) | env_secrets({name: env[name] for name in env if secret_name(name)})
    return Mask(secrets, session.redact_keys, session.redact)
