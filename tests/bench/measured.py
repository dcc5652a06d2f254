"""What a command takes: seconds from its start to its end, of which cold imports are a part, and memory."""

import os
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Taken(NamedTuple):
    """Seconds on the clock, seconds of processors, the most memory in MB (0 where nobody tells); None: not done."""

    wall: float
    cpu: float
    peak: float


def measured(command: Sequence[str], limit: float) -> Taken | None:
    """Runs a command to its end and tells what it and all its children took; None if it fails or takes too long."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_environment(),
        start_new_session=True,
    )  # fmt: skip
    peak = [0]
    watcher = threading.Thread(target=_watch, args=(process, peak), daemon=True)
    watcher.start()
    try:
        status = process.wait(limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    watcher.join()
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Taken(wall, cpu, peak[0] / 1024) if status == 0 else None


def _environment() -> dict[str, str]:
    """Programs of Python may keep what they compiled, as they do wherever nobody forbids it."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _watch(process: "subprocess.Popen[bytes]", peak: list[int]) -> None:
    while process.poll() is None:
        peak[0] = max(peak[0], sum(map(_share, _family(process.pid))))
        time.sleep(0.03)


def _family(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    for one in found:
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                found += map(int, task.read_text().split())
            except OSError:  # ended in between
                continue
    return found


def _share(pid: int) -> int:
    """KB that a process has for itself, and its share of what several have."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
