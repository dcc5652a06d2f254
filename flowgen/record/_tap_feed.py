"""The way from whoever forwards bytes to whoever writes them down: a pipe that never makes the forwarder wait.

What the pipe has no room for goes to a file that has no name, in the same order, and from there into the pipe when
there is room. The file outlives the forwarder: what he could not hand over any more is found in it by its number.
"""

import fcntl
import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

# kinds of items: bytes from client, server and standard error, what happened to a process, the end; an HTTP exchange
CLIENT, SERVER, STDERR, PROCESS, END, HTTP = b"c", b"s", b"e", b"p", b"x", b"h"

_HEAD = struct.Struct("<cQdI")  # kind, number, seconds since the start, bytes that follow
_ROOM = 1 << 20  # bytes that the pipe should hold
_TIGHT = 1 << 26  # bytes free in a folder, below which another one is better
_PORTION = 1 << 18  # bytes read from the file at once


class Item(NamedTuple):
    """One thing handed over. `kind` is a byte that both ends know; `number` counts from 1."""

    kind: bytes
    number: int
    at: float
    data: bytes


class Feed:
    """The end of the forwarder. Once nobody listens or the disk is full, the rest is dropped; `lost` says so."""

    def __init__(self, pipe: int, spill: int | None) -> None:
        self.pipe = pipe
        self._spill = spill
        self._number = 0
        self._start = self._end = 0  # of what waits in the file
        self.behind = False
        self.lost = False
        os.set_blocking(pipe, False)

    def put(self, kind: bytes, at: float, data: bytes) -> None:
        """Hands something over. Neither waits nor raises."""
        if self.lost:
            return
        self._number += 1
        head = _HEAD.pack(kind, self._number, at, len(data))
        if self.behind:
            self._keep(head + data)
            return
        try:
            sent = os.writev(self.pipe, (head, data))
        except BlockingIOError:
            sent = 0
        except OSError:
            self.lost = True
            return
        if sent < len(head) + len(data):
            self._fall_behind(head + data, sent)

    def catch_up(self) -> None:
        """The pipe has room: hands over what waits."""
        assert self._spill is not None
        try:
            while self._start < self._end:
                data = os.pread(self._spill, min(_PORTION, self._end - self._start), self._start)
                self._start += os.write(self.pipe, data)
            os.ftruncate(self._spill, 0)
            self._start = self._end = 0
            self.behind = False
        except BlockingIOError:
            return
        except OSError:
            self.lost = True

    def close(self) -> None:
        """Nothing more comes."""
        os.close(self.pipe)

    def _fall_behind(self, item: bytes, sent: int) -> None:
        """The file begins with a whole item, though the pipe has some of it."""
        self._keep(item)
        self._start, self.behind = sent, True

    def _keep(self, item: bytes) -> None:
        try:
            if self._spill is None or os.pwrite(self._spill, item, self._end) < len(item):
                self.lost = True
            self._end += len(item)
        except OSError:
            self.lost = True


class Items:
    """The other end: items from bytes in whatever pieces they come."""

    def __init__(self, pipe: int, spill: int | None) -> None:
        self._pipe = pipe
        self._spill = spill
        self._rest = b""
        self._number = 0
        self.ended = False

    def read(self) -> Iterator[Item]:
        """Waits for something, and gives what came; after the end, what was never handed over."""
        data = os.read(self._pipe, _ROOM)
        if data:
            yield from self._items(data)
            return
        self.ended, self._rest = True, b""
        yield from self._left()

    def _left(self) -> Iterator[Item]:
        place = 0
        while self._spill is not None and (data := os.pread(self._spill, _PORTION, place)):
            place += len(data)
            yield from self._items(data)

    def _items(self, data: bytes) -> Iterator[Item]:
        data, place = self._rest + data if self._rest else data, 0
        while len(data) - place >= _HEAD.size:
            kind, number, at, size = _HEAD.unpack_from(data, place)
            end = place + _HEAD.size + size
            if end > len(data):
                break
            if number > self._number:  # the file may hold once more what came through the pipe
                self._number = number
                yield Item(kind, number, at, data[place + _HEAD.size : end])
            place = end
        self._rest = data[place:]


def channel(folder: str) -> tuple[int, int, int | None]:
    """A pipe (to read from, to write to) and the file; None where there is no place for one."""
    reading, writing = os.pipe()
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with suppress(OSError):  # more than this user may have
            fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, _ROOM)
    return reading, writing, _nameless(*sorted((folder, os.environ.get("TMPDIR", "/tmp")), key=_is_tight))


def _is_tight(folder: str) -> bool:
    """Whether what waits could take the room that the recording itself needs."""
    try:
        told = os.statvfs(folder)
    except OSError:
        return True
    return told.f_bavail * told.f_frsize < _TIGHT


def _nameless(*folders: str) -> int | None:
    """A file that only whoever has it open can read, and that is gone with them."""
    for folder in folders:
        path = os.path.join(folder, f".flowgen-{os.urandom(8).hex()}")
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            os.unlink(path)
        except OSError:
            continue
        return handle
    return None
