"""One session with one server: its parts put together, whatever way leads there, and played to the end."""

from typing import Any, Literal, NamedTuple, Protocol

from flowgen import protocol
from flowgen.version import __version__

from ._desk import Desk
from ._driver import Driver
from ._inbox import Clock, Inbox
from ._intake import Intake
from ._outcome import Ended
from ._pairs import Json, Pairs
from ._recorder import Recorder, Sides
from ._session import Session, Watch
from ._speaker import Channel, Speaker


class Closing(Protocol):
    """How a session ends. `exit` is `exit_code` or `signal` of a process, as far as known."""

    exit: Json

    @property
    def due(self) -> float | None:
        """When `lost` should be looked at again, if nothing else happens."""

    def lost(self) -> str | None:
        """A reason of the outcome when there is nobody left to talk to."""

    def finish(self, early: bool) -> None:
        """Brings it to its end."""


class Line(Protocol):
    """A way to a server. What it is asked for first comes first here."""

    def channel(self, live: Any) -> Channel:
        """Where messages go; there are `intake`, `recorder`, `pairs`, `client`, `session` and `now` so far."""

    def closing(self, live: Any) -> Closing:
        """How it ends; all parts are there."""

    def begin(self, live: Any, at: float) -> None:
        """The session begins; the way was there at that time."""

    def failed(self, live: Any, error: str) -> str | None:
        """There is no way: keeps why, and gives what to try."""


class Place(NamedTuple):
    """Where a session takes place: what it shares with others, and what is its own."""

    recorder: Recorder
    watch: Watch
    inbox: Inbox
    now: Clock
    sides: Sides = Sides()


class Live:
    """One session: `played` goes through it, `failed` keeps why it could not begin."""

    def __init__(
        self, line: Line, session: Session, place: Place, web: Literal["auto", "http", "sse"] | None = None
    ) -> None:
        identity = session.plan.client or protocol.Identity("flowgen", __version__)
        self.session = session
        self.now = place.now
        self.recorder = place.recorder
        self.sides = place.sides
        self.inbox = place.inbox
        self.client = protocol.Client(identity, session.answers, session.manners, session.named, web)
        self.recorder.enter(place.sides.client, "client")
        self.recorder.enter(place.sides.server, "server")
        self.recorder.name(place.sides.client, identity.title)
        self.pairs = Pairs(place.sides)
        self.intake = Intake(place.inbox, place.now, self.recorder, self.pairs, place.sides)
        self._line = line
        self.speaker = Speaker(line.channel(self), self.recorder, self.pairs, self.intake, place.now, place.sides)
        self.intake.watch = self.speaker.watch = place.watch.message
        self.desk = Desk(place.inbox, place.now, place.watch.warn, place.watch.show)
        self.driver = Driver(
            self.client, self.intake, self.speaker, self.desk, session.limits, place.now, self.recorder, self.pairs
        )
        self._closing = line.closing(self)

    def failed(self, error: str) -> Ended:
        """There is no way to the server."""
        return self._over(Ended(start_error=error, start_hint=self._line.failed(self, error) or ""))

    def played(self, at: float) -> Ended:
        """Plays the session with a server that was there at that time, and ends it."""
        self._line.begin(self, at)
        try:
            return self._over(self._ended())
        finally:
            self.desk.close()

    def _ended(self) -> Ended:
        lost = None
        self.driver.start(protocol.session(self.client, self.session.plan))
        while self.driver.ending is None and not self.intake.interrupts and lost is None:
            self.driver.turn(self._closing.due)
            lost = self._closing.lost() if self.driver.ending is None else None
        interrupted = self.driver.ending is None and self.intake.interrupts > 0
        self.driver.stop()
        for asked in self.pairs.open_of_client() if interrupted else ():
            self.speaker.take_back(asked, "interrupt")
        self._closing.finish(early=lost is not None)
        answered, timed_out = self.pairs.server_answered, self.driver.timed_out
        return Ended(
            interrupted, None, self.driver.ending, lost, answered, timed_out, self.client.failed, self.driver.overdue
        )

    @property
    def exit(self) -> Json:
        """How the server's process ended, as far as known."""
        return self._closing.exit

    def _over(self, ended: Ended) -> Ended:
        self.pairs.finish()
        return ended
