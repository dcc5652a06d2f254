"""The file that a tap writes: JSON Lines as it happens, readable by its owner only. Never raises for a disk's sake.

It ends with the outcome, also where the disk or a limit left no room for all messages: then that says so.
"""

import errno
import fcntl
import os
import re
import stat
import time
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple

Json = dict[str, Any]

_LAST_LINE = 4096  # bytes kept free below the limit, for the outcome
_TITLES = 512  # bytes kept free in the first line, for the names that client and server give of themselves
_BUFFER = 1 << 20
_PLACE = re.compile(r"\{(time|pid)\}")


class Kept(NamedTuple):
    """What is kept where. `output` may hold `{time}` and `{pid}`; `max_message` and `max_size` (of the file) are bytes.

    `redact_keys` are further names of secrets.
    """

    output: str
    redact: bool = True
    redact_keys: tuple[str, ...] = ()
    max_message: int | None = None
    max_size: int | None = None


def named(path: str) -> str:
    """The name with `{time}` and `{pid}` filled in: the time as `20261130-101500`, ours."""
    told = {"time": time.strftime("%Y%m%d-%H%M%S"), "pid": str(os.getpid())}
    return _PLACE.sub(lambda found: told[found[1]], path)


class Page:
    """A file being written. `fault`: the number of the error (errno) that ended it early; EFBIG for our own limit.

    Raises OSError where it cannot be opened.
    """

    def __init__(self, path: str, limit: int | None = None) -> None:
        self.path, self.handle = _opened(path)
        self._limit = limit
        self._lines: list[bytes] = []
        self._waiting = 0
        self._size = self._head = 0
        self.fault = 0
        self.left_out = 0

    def head(self, header: Json) -> None:
        """Writes the first line. A second time it takes the place of the first, if it has room there."""
        from flowgen.trace import line  # a tap opens its file before it starts the server, and writes afterwards

        data = line(header)[:-1]
        if self._head == 0:
            self._head = len(data) + _TITLES
            self.write(data.ljust(self._head) + b"\n")
            self.flush()
        elif len(data) <= self._head <= self._size:
            with suppress(OSError):  # a pipe has no place to go back to
                os.pwrite(self.handle, data.ljust(self._head), 0)

    def write(self, data: bytes) -> None:
        """Adds a line, with its newline; it may wait for `flush`."""
        if self.fault:
            self.left_out += 1
        elif self._limit and self._size + self._waiting + len(data) > self._limit - _LAST_LINE:
            self.flush()
            self.fault = self.fault or errno.EFBIG
            self.left_out += 1
        else:
            self._lines.append(data)
            self._waiting += len(data)
            if self._waiting >= _BUFFER:
                self.flush()

    def flush(self) -> None:
        """Everything added is in the file now, or counted as left out."""
        data, lines = b"".join(self._lines), len(self._lines)
        self._lines, self._waiting = [], 0
        sent = self._put(data)
        if sent < len(data):
            whole = data.rfind(b"\n", 0, sent) + 1
            self.left_out += lines - data.count(b"\n", 0, whole)
            self._go_back(sent - whole)

    def end(self, last: Json) -> None:
        """Writes the last line, if there is any room."""
        from flowgen.trace import line

        self.flush()
        if self._size:
            data = line(last)
            sent = self._put(data)
            self._go_back(sent if sent < len(data) else 0)
        os.close(self.handle)

    def _put(self, data: bytes) -> int:
        """How many bytes went into the file."""
        sent = 0
        try:
            while sent < len(data):
                sent += os.write(self.handle, data[sent:] if sent else data)
        except OSError as problem:
            self.fault = self.fault or problem.errno or errno.EIO
        self._size += sent
        return sent

    def _go_back(self, size: int) -> None:
        """Takes half a line out of the file again."""
        if size:
            self._size -= size
            with suppress(OSError):
                os.ftruncate(self.handle, os.lseek(self.handle, -size, os.SEEK_CUR))


def _opened(path: str) -> tuple[str, int]:
    """The file, empty and ours alone: where another tap is writing to it, the next name that is free."""
    start, end = os.path.splitext(path)
    for number in count(1):
        name = path if number == 1 else f"{start}-{number}{end}"
        # not to wait for whoever reads a pipe: the session would
        handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
        os.set_blocking(handle, True)
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return name, handle
        if _locked(handle):
            os.fchmod(handle, 0o600)
            os.ftruncate(handle, 0)
            return name, handle
        os.close(handle)
    raise AssertionError


def _locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
