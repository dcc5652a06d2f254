"""The demo over stdin and stdout: one thread reads lines, the other plays.

It ends when stdin ends; a call that is still under way then is dropped.
"""

import os
import sys
import threading
from collections.abc import Callable
from heapq import heappop, heappush
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, BinaryIO

from ._messages import line_of
from ._scenario import Scenario
from ._server import Server


def serve(scenario: Scenario) -> None:
    """Play the scenario to whoever holds our stdin and stdout, then end the process."""
    lines: SimpleQueue[bytes | None] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, lines), daemon=True).start()
    line = _Stdio(sys.stdout.buffer)
    try:
        _play(Server(scenario, line), line, lines)
    except OSError:
        line.leave(0)  # nobody reads any more
    except KeyboardInterrupt:
        line.leave(130)
    line.leave(0)


def _read(stdin: BinaryIO, lines: "SimpleQueue[bytes | None]") -> None:
    for line in iter(stdin.readline, b""):
        lines.put(line)
    lines.put(None)


def _play(server: Server, line: "_Stdio", lines: "SimpleQueue[bytes | None]") -> None:
    while True:
        line.do_due()
        try:
            received = lines.get(timeout=line.pause())
        except Empty:
            continue
        if received is None:
            break
        server.receive(received)
    server.close()


class _Stdio:
    """Writes messages at once, and keeps what is to be done later."""

    def __init__(self, stdout: BinaryIO) -> None:
        self.stdout = stdout
        self.jobs: list[tuple[float, int, Callable[[], None]]] = []
        self.so_far = 0

    def send(self, message: Any) -> None:
        self.stdout.write(line_of(message))
        self.stdout.flush()

    def cut(self, seconds: float) -> None:
        """A pipe cannot be taken up again, so it is not cut."""

    def forget(self) -> None:
        """A pipe is its own session."""

    def later(self, seconds: float, job: Callable[[], None]) -> None:
        if seconds == float("inf"):
            return
        self.so_far += 1
        heappush(self.jobs, (monotonic() + seconds, self.so_far, job))

    def tell(self, words: str) -> None:
        sys.stderr.write(words + "\n")
        sys.stderr.flush()

    def leave(self, code: int) -> None:
        """End at once: the reading thread may be waiting in stdin, and Python would wait for it."""
        os._exit(code)

    def pause(self) -> float | None:
        """Seconds until the next job; None if there is none."""
        return max(0.0, self.jobs[0][0] - monotonic()) if self.jobs else None

    def do_due(self) -> None:
        while self.jobs and self.jobs[0][0] <= monotonic():
            heappop(self.jobs)[2]()
