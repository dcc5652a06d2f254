"""Stands between a client and a server that speak over pipes, and is to both as if it were not there.

Bytes, standard error, signals, the end of either side and the exit code pass through; a recording that fails
changes nothing of that. POSIX only.
"""

import errno
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from ._tap_aside import Aside, beside, written
from ._tap_feed import CLIENT, END, PROCESS, SERVER, STDERR, Items
from ._tap_page import Json, Kept, Page
from ._tap_pump import Pump, Way
from ._words import printable

HELD_SECONDS = 0.5  # after the server's end: for pipes that others hold open
_PASSED_ON = tuple(
    getattr(signal, name)
    for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM")
    if hasattr(signal, name)
)
_ENDING = ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT")
_NOT_FOUND, _NOT_STARTED = 127, 126  # exit codes of a shell

Say = Callable[[str], None]


class StdioTap:
    """One session with a server that is started here. `say` tells a person at standard error.

    `page` is None where nothing can be written: then everything passes all the same.
    """

    def __init__(self, argv: Sequence[str], page: Page | None, kept: Kept, say: Say) -> None:
        self._argv = list(argv)
        self._page = page
        self._say = say
        self._began = time.monotonic()
        self._interrupted = False
        self._signals: deque[str] = deque()  # passed on, not written down yet
        self._told_to_end = False
        self._aside: Aside | None = None
        self._pid = 0
        self._status: int | None = None
        self._kept = kept
        self._waking, self._wake = -1, -1

    def run(self) -> int:
        """Passes the session through; the server's exit code, negative for a signal that ended it."""
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # some hosts ignore it for all that they start
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {*_PASSED_ON, signal.SIGCHLD})
        self._start_aside()
        started = self._start_server(before)
        if isinstance(started, OSError):
            return self._not_started(started)
        self._told("started", "client", argv=self._argv, pid=self._pid)
        self._waking, wake = os.pipe()
        os.set_blocking(wake, False)
        self._wake = wake
        threading.Thread(target=self._hear_signals, daemon=True).start()
        self._pass(*started)
        return self._over()

    # the beginning

    def _start_aside(self) -> None:
        page, argv, kept = self._page, self._argv, self._kept
        if page is None:
            return

        def work(items: Items) -> int:
            from ._tap_scribe import Scribe, StdioItems  # here, where nobody waits for it

            scribe = Scribe(page, argv, kept)
            return written(items, StdioItems(scribe, kept), scribe.flush, scribe.end)

        try:
            self._aside = beside(page, work)
        except OSError as problem:
            self._say(f"nothing is recorded: {problem.strerror}")

    def _start_server(self, mask: set[Any]) -> tuple[int, int, int] | OSError:
        """The server's three pipes, our ends; or why it does not run. Its signals are what ours were."""
        (stdin, to_server), (from_server, stdout), (complaints, stderr) = (os.pipe() for _ in range(3))
        actions = [(os.POSIX_SPAWN_DUP2, handle, number) for number, handle in enumerate((stdin, stdout, stderr))]
        try:
            self._pid = os.posix_spawnp(
                self._argv[0], self._argv, os.environ, file_actions=actions, setsigmask=mask,
                setsigdef=(signal.SIGPIPE, signal.SIGXFSZ),
            )  # fmt: skip
        except OSError as problem:
            return problem
        except ValueError:  # an empty name
            return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        finally:
            for handle in (stdin, stdout, stderr):
                os.close(handle)
        os.set_blocking(to_server, False)
        return to_server, from_server, complaints

    def _not_started(self, problem: OSError) -> int:
        reason = problem.strerror or str(problem)
        name = printable(self._argv[0]) or "a server without a name"
        self._say(f"cannot start {name}: {reason}")
        self._told("start-failed", "client", argv=self._argv, error=reason)
        self._finish({"complete": False, "reason": "start-failed"})
        return _NOT_FOUND if isinstance(problem, FileNotFoundError) else _NOT_STARTED

    # the session

    def _pass(self, to_server: int, from_server: int, complaints: int) -> None:
        self._client_ended = False
        asked = Way(0, to_server, self._copy(CLIENT), self._stdin_ended)
        said = Way(from_server, 1, self._copy(SERVER), self._stdout_ended)
        complained = Way(complaints, 2, self._copy(STDERR), lambda to_its_end: None, keep=True)  # we speak there, too
        pump = Pump([asked, said, complained], self._waking)
        quiet_until = None
        while not self._interrupted and (said.open or complained.open or self._status is None):
            aside = self._aside
            behind = (aside.feed.pipe, aside.feed.catch_up) if aside is not None and aside.catches_up() else None
            now = time.monotonic()
            if self._status is not None and quiet_until is None:
                quiet_until = now + HELD_SECONDS
            passed = pump.turn(None if quiet_until is None else quiet_until - now, behind)
            self._note_signals()
            if quiet_until is not None and (passed or said.waits or complained.waits):
                quiet_until = time.monotonic() + HELD_SECONDS
            elif quiet_until is not None and time.monotonic() >= quiet_until:
                break
        self._held = said.open or complained.open

    def _copy(self, kind: bytes) -> Callable[[bytes], None]:
        began, now = self._began, time.monotonic
        if self._aside is None:
            return lambda data: None
        put = self._aside.feed.put
        return lambda data: put(kind, now() - began, data)

    def _stdin_ended(self, to_its_end: bool) -> None:
        self._client_ended = self._client_ended or to_its_end
        self._told("stdin-closed", "client" if to_its_end else "server")

    def _stdout_ended(self, to_its_end: bool) -> None:
        self._told("stdout-closed", "server" if to_its_end else "client")

    def _hear_signals(self) -> None:
        """In a thread: signals go on to the server, its end is noticed."""
        wanted = {*_PASSED_ON, signal.SIGCHLD}
        while True:
            number, by_the_terminal = _next_signal(wanted)
            if number == signal.SIGCHLD:
                self._look_after_children()
            elif self._status is not None:
                self._interrupted = True
            else:
                self._signals.append(signal.Signals(number).name)
                if not by_the_terminal:  # which gives its signals to the server as well, for it is of our group
                    with suppress(OSError):
                        os.kill(self._pid, number)
            with suppress(OSError):
                os.write(self._wake, b".")

    def _look_after_children(self) -> None:
        if self._status is None:
            done, status = os.waitpid(self._pid, os.WNOHANG)
            self._status = os.waitstatus_to_exitcode(status) if done else None

    def _note_signals(self) -> None:
        while self._signals:
            name = self._signals.popleft()
            self._told_to_end |= name in _ENDING
            self._told("signal-sent", "client", signal=name)

    # the end

    def _over(self) -> int:
        from ._stdio import exit_fields

        code = self._status or 0
        self._told("exited", "server", self._oddities(code), **exit_fields(code))
        reason = "done" if self._client_ended else "interrupted" if self._told_to_end else "server-exited"
        self._finish({"complete": reason == "done", "reason": reason, **exit_fields(code)})
        return code

    def _oddities(self, code: int) -> list[tuple[str, str]]:
        found = []
        if code != 0 and not (self._client_ended or self._told_to_end):
            found.append(("crashed", "The server ended with an error before the session was over."))
        if self._held:
            found.append(("pipe-held", "The server is gone, but another process keeps its pipes open."))
        return found

    def _told(self, event: str, sender: str, problems: Sequence[tuple[str, str]] = (), **more: Any) -> None:
        """Hands over what happened to the process."""
        pid = more.pop("pid", None)
        told: Json = {"body": {"event": event, **more}, "sender": sender}
        told["problems"] = [{"code": code, "message": sentence} for code, sentence in problems]
        self._put(PROCESS, told | ({"pid": pid} if pid else {}))

    def _put(self, kind: bytes, value: Json) -> None:
        if self._aside is not None:
            self._aside.put(kind, time.monotonic() - self._began, value)

    def _finish(self, outcome: Json) -> None:
        """Hands over the end, and waits until everything is written, unless told not to."""
        self._put(END, outcome)
        why = self._aside.finish(lambda: self._interrupted) if self._aside is not None else ""
        if why and self._page is not None:
            self._say(f"{printable(self._page.path)} holds a part of the session only: {why}")


def _next_signal(wanted: set[Any]) -> tuple[int, bool]:
    """The next signal, and whether the system itself sent it: a key that was pressed."""
    if hasattr(signal, "sigwaitinfo"):
        told = signal.sigwaitinfo(wanted)
        return told.si_signo, told.si_code > 0
    return signal.sigwait(wanted), False


def leave(code: int) -> NoReturn:
    """Ends as the server did: with its exit code, or by the signal that ended it."""
    if code < 0:
        with suppress(ImportError, OSError, ValueError):
            import resource

            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the server has left its own
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        if -code not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    if sys.stderr is not None:  # as it is where nobody gave us one
        with suppress(OSError, ValueError):
            sys.stderr.flush()
    os._exit(code if code >= 0 else 128 - code)
