"""How a session ends: the server is asked to leave, then told, then made to; every step is kept.

Close stdin → 2 s → SIGTERM to its group → 2 s → SIGKILL (2026-07-28 basic/transports/stdio). Whoever holds the pipes
beyond that does not hold us.
"""

from collections.abc import Callable

from ._driver import Driver
from ._inbox import Clock
from ._intake import Intake
from ._pairs import Json, mark
from ._pipes import Pipes
from ._speaker import Speaker
from ._stdio import Stdio, exit_fields

STEP_SECONDS = 2.0  # from one step of the ladder to the next
HELD_SECONDS = 0.5  # after its end: for pipes that others may hold open
LIVES_ON_SECONDS = 1.0  # after one of its pipes ended: for its own end


class Ending:
    """Watches a server's process and brings it to its end. `exit` is `exit_code` or `signal`, as far as known."""

    def __init__(
        self, driver: Driver, intake: Intake, pipes: Pipes, speaker: Speaker, transport: Stdio, now: Clock
    ) -> None:
        self._driver = driver
        self._intake = intake
        self._pipes = pipes
        self._speaker = speaker
        self._transport = transport
        self._now = now
        self._interrupts = 0
        self.stopped = False  # by a signal of ours
        self.exit: Json = {}

    # while the session runs

    @property
    def due(self) -> float | None:
        """When `lost` should be looked at again, if nothing else happens."""
        if self._pipes.exited is not None:
            return self._pipes.exited[0] + HELD_SECONDS
        broken = [at for at in (self._pipes.stdout_ended, self._pipes.write_failed) if at is not None]
        return min(broken) + LIVES_ON_SECONDS if broken else None

    def lost(self) -> str | None:
        """`server-exited` or `server-failed` when there is nobody left to talk to; None while there is."""
        if self._pipes.drained:
            return "server-exited"
        if self.due is None or self._now() < self.due:
            return None
        if self._pipes.exited is not None:
            return "server-exited"
        pipe = "stdin" if self._pipes.stdout_ended is None else "stdout"
        message = self._speaker.process(f"{pipe}-closed", "server", by="server")
        mark(message, f"{pipe}-closed", f"The server closed its {pipe} and lived on.")
        return "server-failed"

    # when it is over

    def finish(self, early: bool) -> None:
        """Brings the process to its end and keeps how it ended. `early`: before the session was over."""
        self._interrupts = self._intake.interrupts
        self._climb()
        self._wait(STEP_SECONDS, self._quiet, pace=0.1)
        while not (self._pipes.drained or self._transport.held):  # nobody writes any more: it is we who are slow
            self._driver.turn(self._now() + 0.1)
        if self._pipes.exited is not None:
            self._keep_exit(self._pipes.exited[1], early)
        self._clear_group()
        self._transport.release()
        self._pipes.flush()

    def _climb(self) -> None:
        if not self._gone():
            self._transport.close_stdin()
            self._wait(STEP_SECONDS, self._gone)
        for hard in (False, True):
            if not self._gone():
                self._signal(hard)
                self._wait(STEP_SECONDS, self._gone, patient=hard)

    def _gone(self) -> bool:
        return self._pipes.exited is not None

    def _quiet(self) -> bool:
        """Nothing more comes, or what may come is held by others: a flood takes its time until it has run out."""
        exited = self._pipes.exited[0] if self._pipes.exited else 0.0
        return self._pipes.drained or self._now() - max(exited, self._pipes.heard) > HELD_SECONDS

    def _signal(self, hard: bool) -> None:
        name = self._transport.stop(hard)
        if name is not None:
            self.stopped = True
            self._speaker.process("signal-sent", signal=name)

    def _wait(self, seconds: float, enough: Callable[[], bool], patient: bool = False, pace: float = 2.0) -> None:
        """Goes on taking what comes, at most so long; a further interrupt ends it unless `patient`."""
        until = self._now() + seconds
        while not enough() and (now := self._now()) < until:
            if self._intake.interrupts > self._interrupts and not patient:
                return
            self._driver.turn(min(until, now + pace))

    def _keep_exit(self, code: int, early: bool) -> None:
        self.exit = exit_fields(code)
        message = self._speaker.process("exited", "server", **self.exit)
        if early and code != 0 and not self.stopped:
            mark(message, "crashed", "The server ended with an error before the session was over.")
        if self.stopped:
            mark(message, "had-to-be-killed", "The server was still alive after its stdin was closed.")
        if not self._pipes.drained:
            mark(message, "pipe-held", "The server is gone, but another process keeps its pipes open.")

    def _clear_group(self) -> None:
        """Whatever the server started and left behind ends, too."""
        for hard in (False, True):
            if self._transport.group_is_left:
                self._signal(hard)
                # nobody tells us when the last of a group is gone, so it is looked after
                self._wait(STEP_SECONDS, lambda: not self._transport.group_is_left, patient=hard, pace=0.02)
