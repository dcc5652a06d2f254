"""The swim lane of a session while it goes on, as text: on the terminal, else on standard error; never on stdout.

Drawn by a process of its own that reads the growing file: whatever it does, the session does not wait.
"""

import os
import signal
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from flowgen.trace import Message, Trace

_EVERY = 0.3  # seconds from one look at the file to the next
_SHARE = 5  # of the time that drawing takes: at most so often
_LATEST = 300  # messages that are drawn
_OPEN = 20  # messages that may wait for the answer to one before them, where nothing can be drawn over
_LEAVE = 3.0  # seconds to draw the end in
_MOST = 1024
_OTHERS = (100, 24)  # columns and lines where no terminal tells


class Lane:
    """What is shown so far. `height` is that of a terminal, on which lines can be drawn over; None elsewhere."""

    def __init__(self, height: int | None) -> None:
        self._height = height
        self._shown: list[str] = []

    def drawn(self, lines: list[str]) -> str:
        """What is to be written so that these lines are shown."""
        same = next((at for at, pair in enumerate(zip(self._shown, lines, strict=False)) if pair[0] != pair[1]),
                    min(len(self._shown), len(lines)))  # fmt: skip
        # what has left the screen stays as it was; elsewhere what is said is said
        same = len(self._shown) if self._height is None else max(same, len(self._shown) - self._height + 1)
        back = len(self._shown) - same
        self._shown = [*self._shown[:same], *lines[same:]]
        up = f"\x1b[{back}A" if back > 0 else ""
        return up + ("\x1b[J" if back > 0 else "") + "".join(f"{line}\n" for line in lines[same:])


class Live:
    """The process that draws: `begin` it with the file, `end` it when the session is over."""

    def __init__(self) -> None:
        self._handle = _place()
        self._pid: int | None = None

    def begin(self, path: str) -> None:
        """Starts it. Where that cannot be, nothing is drawn."""
        parent = os.getpid()
        with suppress(OSError):
            self._pid = os.fork()
        if self._pid == 0:
            _alone(path, self._handle, parent)
        os.close(self._handle)

    def end(self) -> None:
        """Waits a moment for it to draw the end."""
        until = time.monotonic() + _LEAVE
        while self._pid and time.monotonic() < until:
            with suppress(OSError):
                if os.waitpid(self._pid, os.WNOHANG)[0]:
                    return
            time.sleep(0.01)
        if self._pid:
            with suppress(OSError):
                os.kill(self._pid, signal.SIGKILL)


def _place() -> int:
    try:
        return os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return os.dup(2)


def _alone(path: str, handle: int, parent: int) -> NoReturn:
    """In the process: nothing of the session's is held, no signal meant for it is heard."""
    try:
        os.setsid()
        os.nice(10)
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        os.closerange(3, handle)
        os.closerange(handle + 1, _MOST)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        _follow(path, handle, parent)
    finally:
        os._exit(0)


def _follow(path: str, handle: int, parent: int) -> None:
    """Draws whenever there is more, until the end is there or nobody will write it."""
    terminal = os.isatty(handle)
    told = os.get_terminal_size(handle) if terminal else _OTHERS
    columns, height = (size or usual for size, usual in zip(told, _OTHERS, strict=True))  # some terminals tell zero
    lane = Lane(height if terminal else None)
    size, last = 0, False
    while not last:
        last = os.getppid() != parent
        began = time.monotonic()
        with open(path, "rb") as file:
            data = file.read()
        if len(data) > size:
            size = len(data)
            last |= b'\n{"outcome"' in data[-8192:]
            text = lane.drawn(_lines(data, columns, terminal, last))
            _write(handle, text.encode())
        time.sleep(0 if last else max(_EVERY, _SHARE * (time.monotonic() - began)))


def _lines(data: bytes, columns: int, terminal: bool, last: bool) -> list[str]:
    from flowgen import api
    from flowgen.errors import FlowgenError
    from flowgen.trace import load

    try:
        trace = load(data)
    except FlowgenError:  # its first line is still being written
        return []
    kept = list(trace.messages[-_LATEST:])
    kept = kept if terminal or last else kept[: _settled(kept)]
    if all(message.kind == "process" for message in kept) and not last:  # names and form are known with the first ones
        return []
    if not last:
        trace = _growing(trace)
    color = terminal and not os.environ.get("NO_COLOR")
    drawing = api.drawing(
        trace.model_copy(update={"messages": kept}), columns=max(60, columns), color=color, notes="none",
    )  # fmt: skip
    lines = drawing.txt().rstrip("\n").split("\n")
    return lines if last or terminal else lines[:-1]  # the legend grows


def _growing(trace: "Trace") -> "Trace":
    """The recording as if it were over: nothing was cut, it goes on."""
    from flowgen.trace import Outcome

    return trace.model_copy(update={"outcome": Outcome(complete=True, reason="done")})


def _settled(messages: "Iterable[Message]") -> int:
    """How many of the messages will look as they do, whatever comes: none behind one that waits for its answer."""
    waiting: dict[tuple[str, str], int] = {}
    count = 0
    for count, message in enumerate(messages, 1):
        body = message.body if isinstance(message.body, dict) else {}
        if message.kind == "request":
            waiting[message.sender, str(body.get("id"))] = count - 1
        elif message.kind in ("response", "error"):
            waiting.pop((message.receiver, str(body.get("id"))), None)
    return min([count, *(place for place in waiting.values() if place >= count - _OPEN)])


def _write(handle: int, data: bytes) -> None:
    try:
        while data:
            data = data[os.write(handle, data) :]
    except OSError:  # nobody looks on any more
        sys.exit()
