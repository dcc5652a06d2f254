"""What a process tells: lines of its stdout and stderr as messages, and what became of its pipes and of itself."""

from flowgen.wire import LineReader, frame

from ._inbox import Clock, Event
from ._intake import Intake
from ._pairs import Json
from ._speaker import Letter
from ._stderr import StderrLines
from ._stdio import Stdio
from ._surplus import Surplus


class Pipes:
    """Takes the events of a process."""

    def __init__(self, intake: Intake, now: Clock, max_message: int) -> None:
        self._intake = intake
        self._now = now
        self._stdout = LineReader(max_message)
        self._stderr = StderrLines(max_message)
        self._surplus = {kind: Surplus(self._keep_one) for kind in ("noise", "stderr")}
        self.exited: tuple[float, int] | None = None
        self.stdout_ended: float | None = None
        self.stderr_ended = False
        self.stdin_closed = False
        self.heard = 0.0  # when something came last
        self.write_failed: float | None = None
        intake.source = self

    @property
    def drained(self) -> bool:
        """Nothing more can come: the process is gone, and so is everybody who held its pipes."""
        return self.exited is not None and self.stdout_ended is not None and self.stderr_ended

    def flush(self) -> None:
        """Nobody will read on: what was still open of a line is kept as it is."""
        if self.stdout_ended is None:
            self._end("noise", self._stdout.end(), self._now())
        if not self.stderr_ended:
            self._end("stderr", self._stderr.end(), self._now())

    def take(self, event: Event) -> None:
        """Takes one event."""
        match event.name:
            case "stdout" | "stderr":
                self._intake.lives(event.at)
                self.heard = event.at
                reader = self._stdout if event.name == "stdout" else self._stderr
                self._keep(reader.feed(event.value), event.at)
            case "stdout-end":
                self.stdout_ended = event.at
                self._end("noise", self._stdout.end(), event.at)
            case "stderr-end":
                self.stderr_ended = True
                self._end("stderr", self._stderr.end(), event.at)
            case "exited":
                self.exited = (event.at, event.value)
            case "stdin-closed":
                self.stdin_closed = True
                self._intake.keep_own({"kind": "process", "body": {"event": event.name}}, event.at, transport="stdio")
            case "write-failed":
                self.write_failed = event.at

    def _keep(self, parts: list[Json], at: float) -> None:
        for part in parts:
            surplus = self._surplus.get(part["kind"])
            if surplus is not None:
                surplus.take(part, at)
            else:
                self._keep_one(part, at)

    def _end(self, kind: str, parts: list[Json], at: float) -> None:
        self._keep(parts, at)
        self._surplus[kind].end()

    def _keep_one(self, part: Json, at: float) -> Json:
        return self._intake.keep(part, at, transport="stdio")


class Stdin:
    """Where messages go: a line each."""

    def __init__(self, transport: Stdio) -> None:
        self._transport = transport

    def prepared(self, kind: str, body: Json, revision: str | None) -> Letter:
        """A message that is ready to go."""
        return Letter(kind, body, revision, {"transport": "stdio"})

    def send(self, letter: Letter) -> None:
        """Queues it; never waits."""
        self._transport.send(frame(letter.body))

    def withdraw(self, asked: object) -> bool:
        """There is nothing to close that would end one request alone."""
        return False
