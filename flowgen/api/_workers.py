"""Who draws many recordings: this process, others on this machine, or a cluster.

All of them are the standard `concurrent.futures.Executor`, and nothing else of them is used.
"""

import multiprocessing
import os
import signal
import socket
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from flowgen.errors import BackendMissing, FlowgenError

# Below this, starting processes takes longer than drawing in this one (a fork 0.05 s, a picture of 13 KB 0.005 s)
_FEW = 50
_LIGHT = 4 << 20
_SLOW = frozenset({"png", "pdf"})  # half a second and more for each
_PATIENCE = 10.0  # seconds until a scheduler answers
_FRAMES = 10_000  # of its first message, which has two


@contextmanager
def workers(
    jobs: int | None, sizes: Sequence[int], form: str, scheduler: str | None = None
) -> Iterator[Executor | None]:
    """An executor for as many inputs as there are `sizes` (in bytes), None where this process is the best one.

    `jobs` is how many processes, as many as are of use if None. `scheduler` is the address of a Dask cluster
    instead. Raises BackendMissing, and FlowgenError where nobody is at the address.
    """
    if scheduler is not None:
        with _cluster(scheduler) as executor:
            yield executor
    elif (count := _useful(jobs, sizes, form)) > 1:
        with _pool(count) as executor:
            yield executor
    else:
        yield None


def _useful(jobs: int | None, sizes: Sequence[int], form: str) -> int:
    """How many processes are of use; never more than inputs."""
    if jobs is not None:
        return min(jobs, len(sizes))
    worth = form in _SLOW or len(sizes) >= _FEW or sum(sizes) >= _LIGHT
    return min(_processors(), len(sizes)) if worth else 1


def _processors() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _pool(count: int) -> Iterator[Executor]:
    """Processes of this machine. Whoever leaves early does not wait for what they are at."""
    from flowgen import backends, flow, scene, trace  # noqa: F401  # once, before they are forked

    others = multiprocessing.active_children()
    with _Pool(count, initializer=_started) as pool:
        try:
            yield pool
        except BaseException:
            for process in multiprocessing.active_children():
                if process not in others:
                    process.terminate()
            _end_of_answers(pool)
            raise


def _end_of_answers(pool: Executor) -> None:
    """Half an answer of a process that was ended has no end while we could write on ourselves: the pool's own thread
    would wait for it, and we for that thread (seen with CPython 3.11).
    """
    writer = getattr(getattr(pool, "_result_queue", None), "_writer", None)
    if writer is not None:
        writer.close()


class _Pool(ProcessPoolExecutor):
    """Its futures cannot be cancelled: a pool whose processes are ended stumbles over those that are (CPython 3.11)."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future = super().submit(fn, *args, **kwargs)
        setattr(future, "cancel", lambda: False)  # noqa: B010  # mypy knows that methods stay as they are
        return future


def _started() -> None:
    """In a process of the pool: end at once when interrupted, and when whoever started it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    """A Dask cluster, through the executor that its client gives."""
    try:
        import distributed
    except ImportError:
        raise BackendMissing("--scheduler needs distributed", "pip install 'mcp-flowgen[dask]'") from None
    _reach(address)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sending large graph")  # the bytes of a recording are meant to travel
        connect: Any = distributed.Client
        try:
            client = connect(address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, MemoryError, ValueError, RuntimeError) as problem:
            raise _no_scheduler(address, problem) from None
        with client:
            executor = client.get_executor(pure=False)
            try:
                yield executor
            finally:
                executor.shutdown(wait=False)


def _greeted(found: socket.socket) -> None:
    """A scheduler speaks first: how many frames are to come. A client waits for that without end."""
    said = found.makefile("rb").read(8)
    if len(said) < 8 or not 0 < int.from_bytes(said, "little") <= _FRAMES:
        raise ValueError("whoever listens there is no scheduler of Dask")


def _reach(address: str) -> None:
    """Raises FlowgenError where nobody listens; a client that found nobody would take its time to go."""
    scheme, _, place = address.rpartition("://")
    try:
        parts = urlsplit(f"//{place}")
        if scheme not in ("", "tcp", "tls") or parts.port is None:
            raise ValueError("this is no address of a scheduler")
        with socket.create_connection((parts.hostname or "", parts.port), _PATIENCE) as found:
            if scheme != "tls":
                _greeted(found)
    except (OSError, ValueError) as problem:
        raise _no_scheduler(address, problem) from None


def _no_scheduler(address: str, problem: BaseException) -> FlowgenError:
    told = getattr(problem, "strerror", None) or " ".join(str(problem).split()) or type(problem).__name__
    return FlowgenError(f"--scheduler {address}: {told[:300]}", "what dask scheduler says: tcp://HOST:8786")
