"""Bytes from one descriptor to another, unchanged and at once; a copy is handed over after they went on.

One thread does it all, so that a request is handed over before its answer can be. Whoever does not read makes only
whoever writes to him wait, as without us.
"""

import os
import select
import stat
from collections.abc import Callable
from contextlib import suppress

CHUNK = 65536
_NOTHING = memoryview(b"")

Write = Callable[[int, bytes | memoryview], int]


class Way:
    """One direction. `copy` gets what went on, `ended` is called once when nothing more will.

    `ended` hears whether the source came to its end (True) or its reader went away. With `keep` the target stays open
    then.
    """

    def __init__(
        self, source: int, target: int, copy: Callable[[bytes], None], ended: Callable[[bool], None], keep: bool = False
    ) -> None:
        self.source = source
        self.target, self._write, self._mine = _writable(target)
        self._copy = copy
        self._ended = ended
        self._keep = keep
        self._left = _NOTHING
        self.open = True

    @property
    def waits(self) -> bool:
        """Whether bytes wait for their reader."""
        return self._left.nbytes > 0

    def pull(self) -> None:
        """The source has something: passes it on."""
        try:
            data = os.read(self.source, CHUNK)
        except BlockingIOError:
            return
        except OSError:  # a terminal that hung up: as good as its end
            data = b""
        if not data:
            self.close(True)
            return
        try:
            sent = self._write(self.target, data)
        except BlockingIOError:
            sent = 0
        except OSError:
            sent = -1
        self._copy(data)
        if sent < 0:
            self.close(False)
        elif sent < len(data):
            self._left = memoryview(data)[sent:]

    def push(self) -> None:
        """The target has room: goes on with what is left."""
        try:
            self._left = self._left[self._write(self.target, self._left) :]
        except BlockingIOError:
            return
        except OSError:
            self.close(False)

    def close(self, to_its_end: bool) -> None:
        """Lets both ends go, so that either side sees it."""
        if self.open:
            self.open, self._left = False, _NOTHING
            for handle in (self.source,) if self._keep else (self.source, self.target, *self._mine):
                with suppress(OSError):
                    os.close(handle)
            self._ended(to_its_end)


class Pump:
    """Passes on whatever comes, by all ways, until told to stop.

    `wake` is a pipe that somebody writes into to be heard; `behind` has a pipe that is written to when there is room.
    """

    def __init__(self, ways: list[Way], wake: int) -> None:
        self._ways = ways
        self._wake = wake
        self._poll = select.poll()
        self._poll.register(wake, select.POLLIN)
        self._watched: dict[int, int] = {}
        self._acts: dict[int, tuple[Way, bool]] = {}
        for way in ways:
            self._arrange(way)

    def turn(self, seconds: float | None, behind: tuple[int, Callable[[], None]] | None = None) -> bool:
        """Waits for something, and deals with it; whether something passed."""
        if behind is not None:
            self._poll.register(behind[0], select.POLLOUT)
        ready = self._poll.poll(None if seconds is None else max(0.0, seconds * 1000))
        if behind is not None:
            self._poll.unregister(behind[0])
        passed = False
        for handle, event in ready:
            if handle == self._wake:
                os.read(self._wake, CHUNK)
            elif behind is not None and handle == behind[0]:
                behind[1]()
            elif handle in self._acts:
                passed = True
                self._act(handle, event)
        return passed

    def _act(self, handle: int, event: int) -> None:
        way, is_source = self._acts[handle]
        waited = way.waits
        if is_source:
            way.pull()
        elif event & (select.POLLERR | select.POLLNVAL):
            way.close(False)
        elif event & select.POLLOUT:
            way.push()
        elif event & select.POLLHUP:
            way.close(False)
        if way.waits != waited or not way.open:
            self._arrange(way)

    def _arrange(self, way: Way) -> None:
        """A source is listened to while nothing waits; a target is watched, for its reader may go away."""
        waits = way.waits
        self._watch(way.source, select.POLLIN if way.open and not waits else None, (way, True))
        self._watch(way.target, (select.POLLOUT if waits else 0) if way.open else None, (way, False))

    def _watch(self, handle: int, events: int | None, act: tuple[Way, bool]) -> None:
        if events is None:
            if self._watched.pop(handle, None) is not None:
                self._poll.unregister(handle)
                del self._acts[handle]
        elif self._watched.get(handle) != events:
            self._poll.register(handle, events)
            self._watched[handle], self._acts[handle] = events, act


def _writable(handle: int) -> tuple[int, Write, tuple[int, ...]]:
    """A descriptor, a way to write to it that never waits for its reader, and what else is to be closed with it.

    Not to wait is a property of what was opened, which others may have in common with us, our standard error above
    all: so we open it anew where the system lets us, else write only as much as surely fits.
    """
    mode = os.fstat(handle).st_mode
    if stat.S_ISFIFO(mode):
        if not os.get_blocking(handle):
            return handle, os.write, ()
        with suppress(OSError):
            own = os.open(f"/proc/self/fd/{handle}", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            return own, os.write, (handle,)
    if stat.S_ISSOCK(mode):
        return _socket(handle)
    return handle, os.write if stat.S_ISREG(mode) else _write_a_bit, ()


def _socket(handle: int) -> tuple[int, Write, tuple[int, ...]]:
    """Hosts that run on Node give their servers sockets for pipes."""
    import _socket

    own = os.dup(handle)
    end = _socket.socket(fileno=own)  # lives as long as the way that writes to it
    return own, lambda _, data: end.send(data, _socket.MSG_DONTWAIT), (handle,)


def _write_a_bit(handle: int, data: bytes | memoryview) -> int:
    watch = select.poll()
    watch.register(handle, select.POLLOUT)
    if not watch.poll(0):
        raise BlockingIOError
    return os.write(handle, data[: select.PIPE_BUF])
