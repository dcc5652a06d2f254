"""The process beside a tap that writes down what passed: whatever it does, nobody waits for it.

It outlives the tap: what was handed over is written, and a server that a killed tap has left behind is ended.
"""

import gc
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import pairwise
from typing import Protocol

from ._tap_feed import Feed, Item, Items, channel
from ._tap_page import Json, Page

_PAUSE = 0.01  # seconds in which more may come: to be woken by each message costs whoever forwards it
_NICE = 5
_MOST = 1024  # descriptors that somebody may have given us
_STEP = 1.0  # from one step to the next, where a server is left behind
BROKEN = 255  # exit code: it could not go on


class Taker(Protocol):
    """What makes messages of items."""

    server: int | None
    outcome: Json | None

    def take(self, item: Item) -> None:
        """Takes one item."""

    def flush_readers(self) -> None:
        """Nothing more comes."""


class Aside:
    """That process, seen from the tap: what is handed over to it, and how it ends."""

    def __init__(self, feed: Feed, pid: int) -> None:
        self.feed = feed
        self._pid = pid

    def put(self, kind: bytes, at: float, value: Json) -> None:
        """Hands over what is no bytes."""
        self.feed.put(kind, at, json.dumps(value).encode())

    def catches_up(self) -> bool:
        """Whether something waits until there is room in the pipe."""
        return self.feed.behind and not self.feed.lost

    def finish(self, hurried: Callable[[], bool]) -> str:
        """Waits until everything is written, unless told to hurry; why it is not whole, or nothing."""
        watch = select.poll()
        watch.register(self.feed.pipe, select.POLLOUT)
        while self.catches_up() and not hurried():
            if watch.poll(100):
                self.feed.catch_up()
        self.feed.close()
        while not hurried():
            done, status = os.waitpid(self._pid, os.WNOHANG)
            if done:
                code = os.waitstatus_to_exitcode(status)
                broken = code == BROKEN or code < 0 or (self.feed.lost and code == 0)
                return "its writer broke off" if broken else os.strerror(code) if code else ""
            time.sleep(0.002)
        return ""


def beside(page: Page, work: Callable[[Items], int]) -> Aside:
    """Starts the process. `work` gives its exit code, the number of an error.

    Of what is open it has nothing but the page and the way to it: whoever waits for the end of a pipe does not wait
    for it. Raises OSError.
    """
    folder = os.path.dirname(page.path)
    reading, writing, spill = channel(folder)
    gc.freeze()  # what both have in common stays so
    pid = os.fork()
    if pid:
        os.close(reading)
        return Aside(Feed(writing, spill), pid)
    code = BROKEN
    try:
        _withdraw({reading, page.handle, *([] if spill is None else [spill])})
        code = work(Items(reading, spill))
    except BaseException:
        if os.environ.get("FLOWGEN_DEBUG") == "1":
            import traceback

            with open(os.path.join(folder, f"flowgen-tap-{os.getpid()}.log"), "w", encoding="utf-8") as log:
                traceback.print_exc(file=log)
    finally:
        os._exit(code)


def written(items: Items, taker: Taker, flush: Callable[[], None], end: Callable[[Json], int]) -> int:
    """Takes everything until the end; the exit code."""
    while not items.ended:
        _all(items.read(), taker)
        flush()
        time.sleep(_PAUSE)
    taker.flush_readers()
    outcome = taker.outcome
    code = end(outcome or {"complete": False, "reason": "cut"})
    if outcome is None and taker.server is not None:
        _end_server(taker.server)
    return code


def _all(items: Iterable[Item], taker: Taker) -> None:
    for item in items:
        taker.take(item)


def _withdraw(own: set[int]) -> None:
    """Out of reach of what is meant for the tap: its signals, its pipes, its share of the processor."""
    os.setsid()
    places = [2, *sorted(own), max(*own, _MOST)]
    for before, after in pairwise(places):
        os.closerange(before + 1, after)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    null = os.open(os.devnull, os.O_RDWR)
    for handle in (0, 1, 2):
        os.dup2(null, handle)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # as long as the process lives
    os.nice(_NICE)
    if hasattr(os, "sched_setscheduler"):
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def _end_server(pid: int) -> None:
    """The tap was killed, and the server saw its input end: whoever wanted it dead meant both."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        until = time.monotonic() + _STEP
        while time.monotonic() < until:
            try:
                os.kill(pid, 0)
            except OSError:
                return
            time.sleep(0.02)
        with suppress(OSError):
            os.kill(pid, number)
