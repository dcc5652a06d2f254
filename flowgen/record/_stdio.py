"""A server as a process with three pipes. Bytes go in and come out as they are; nothing here reads a message.

Threads do the waiting: whatever happens arrives in one inbox with its time, so that a full pipe, a flood on stderr or
a grandchild that keeps a pipe open blocks nobody but its own thread.
"""

import os
import select
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from queue import SimpleQueue
from typing import IO, Any

from ._inbox import AHEAD, Clock, Event, Inbox

CHUNK = 65536
LINES = 100  # about so many lines arrive together: between arrivals we look at the clock

_CLOSE, _RELEASE = b"close", b"release"  # no messages: those end with a newline


class Stdio:
    """The process of a server. Nothing waits in here; `close_stdin` and `stop` only begin what the inbox will tell.

    Events: `stdout`, `stderr` (bytes), `stdout-end`, `stderr-end`, `exited` (return code), `stdin-closed`,
    `write-failed`.
    """

    def __init__(self, inbox: Inbox, now: Clock) -> None:
        self._inbox = inbox
        self._now = now
        self._outgoing: SimpleQueue[bytes] = SimpleQueue()
        self._process: subprocess.Popen[bytes] | None = None

    def start(
        self, argv: list[str] | str, env: Mapping[str, str], cwd: str | None, executable: str | None = None
    ) -> None:
        """Starts the process in a session of its own, so that signals reach its children and not us.

        Nothing is told to the inbox before `attend`. Raises OSError when nothing could be executed.
        """
        self._process = subprocess.Popen(
            argv, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(env),
            cwd=cwd, executable=executable, start_new_session=os.name == "posix",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )  # fmt: skip

    def attend(self) -> None:
        """Begins to read, write and wait."""
        assert self._process is not None
        self._run(self._write, self._process.stdin)
        self._run(self._read, self._process.stdout, "stdout")
        self._run(self._read, self._process.stderr, "stderr")
        self._run(self._wait)

    def send(self, data: bytes) -> None:
        """Queues bytes for stdin. A server that does not read keeps them waiting, not us."""
        self._outgoing.put(data)

    def close_stdin(self) -> None:
        """Closes stdin behind everything queued."""
        self._outgoing.put(_CLOSE)

    def release(self) -> None:
        """Lets go of stdin without a word: the server is gone."""
        self._outgoing.put(_RELEASE)

    def stop(self, hard: bool) -> str | None:
        """Sends the group a signal and names it; None when there is nobody left to get one."""
        if self._process is None:
            return None
        return _signal_group(self._process.pid, hard) if os.name == "posix" else _stop_tree(self._process, hard)

    @property
    def group_is_left(self) -> bool:
        """True while processes of the server's group live, the server itself or what it started."""
        if self._process is None or os.name != "posix":
            return False
        try:
            os.killpg(self._process.pid, 0)
        except OSError:
            return False
        return True

    @property
    def held(self) -> bool:
        """True while somebody has the other end of a pipe that we read from, or may have: not every system tells."""
        pipes = (self._process.stdout, self._process.stderr) if self._process is not None else ()
        return any(not _hung_up(pipe) for pipe in pipes if pipe is not None)

    def _run(self, work: Callable[..., None], *arguments: Any) -> None:
        threading.Thread(target=work, args=arguments, daemon=True).start()

    def _tell(self, name: str, value: Any = None) -> None:
        self._inbox.put(Event(self._now(), name, value))

    def _wait(self) -> None:
        assert self._process is not None
        self._tell("exited", self._process.wait())

    def _read(self, pipe: IO[bytes], name: str) -> None:
        room = threading.Semaphore(AHEAD)
        try:
            while chunk := pipe.read(CHUNK):
                for portion in _portions(chunk):
                    room.acquire()
                    self._inbox.put(Event(self._now(), name, portion, room.release))
        except (OSError, ValueError):  # torn down on the other side: as good as its end
            pass
        self._tell(f"{name}-end")
        pipe.close()

    def _write(self, pipe: IO[bytes]) -> None:
        try:
            while (data := self._outgoing.get()) not in (_CLOSE, _RELEASE):
                _write_all(pipe, data)
            if data is _CLOSE:
                self._tell("stdin-closed")  # told first, so that it stands before what the server does then
        except OSError as error:
            self._tell("write-failed", error)
        finally:
            pipe.close()


def _portions(chunk: bytes) -> Iterator[bytes]:
    """The chunk in pieces of few lines each: a tiny line is as much work as a longer one."""
    size = max(1, len(chunk) * LINES // max(LINES, chunk.count(b"\n")))
    return (chunk[start : start + size] for start in range(0, len(chunk), size))


def _write_all(pipe: IO[bytes], data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[pipe.write(left) :]


def _hung_up(pipe: IO[bytes]) -> bool:
    """Whether nobody writes into a pipe any more, though there may be something left to read."""
    if not hasattr(select, "poll"):
        return pipe.closed
    watch = select.poll()
    try:
        watch.register(pipe, 0)
    except ValueError:  # its reader has closed it
        return True
    return bool(watch.poll(0))


def _signal_group(pid: int, hard: bool) -> str | None:
    sent = signal.SIGKILL if hard else signal.SIGTERM
    try:
        os.killpg(pid, sent)
    except OSError:
        return None
    return sent.name


def _stop_tree(process: "subprocess.Popen[bytes]", hard: bool) -> str | None:
    """Windows: a break to the console's process group, then the end of the whole tree."""
    try:
        if hard:
            subprocess.run(["taskkill", "/PID", str(process.pid), "/T", "/F"], capture_output=True, check=False)
            return "TERMINATE"
        process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM))
    except OSError:
        return None
    return "CTRL_BREAK"


def exit_fields(code: int) -> dict[str, Any]:
    """`exit_code` or `signal` of the trace, from a return code as Python tells it (negative: a signal)."""
    if code >= 0:
        return {"exit_code": code}
    try:
        return {"signal": signal.Signals(-code).name}
    except ValueError:
        return {"signal": f"SIG{-code}"}
