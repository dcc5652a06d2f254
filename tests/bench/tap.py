"""What a tap costs: `python -m tests.bench.tap`.

A server that answers every line, asked directly and through the tap in turn, in blocks of one run, so that a busy
machine is busy for both. Told as ratios: of a round trip, of answers a second when nobody waits, of the time to the
first answer.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

_CALL = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}\n'
_SERVER = """
import sys
for line in sys.stdin.buffer:
    number = line.split(b'"id":')[1].split(b",")[0]
    sys.stdout.buffer.write(b'{"jsonrpc":"2.0","id":' + number + b',"result":{"content":[],"isError":false}}\\n')
    sys.stdout.buffer.flush()
"""
_BLOCK, _BLOCKS, _MANY, _STARTS = 50, 12, 100_000, 7

Start = Callable[[], "subprocess.Popen[bytes]"]


def starts(folder: Path) -> dict[str, Start]:
    """How the server is started: by itself, and through the tap."""
    server = [sys.executable, "-c", _SERVER]
    flowgen = os.path.join(os.path.dirname(sys.executable), "flowgen")
    tap = [flowgen, "tap", "-o", str(folder / "{time}-{pid}.jsonl"), "--"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 0}
    return {
        "direct": lambda: subprocess.Popen(server, **pipes),  # type: ignore[call-overload]
        "tap": lambda: subprocess.Popen([*tap, *server], **pipes),  # type: ignore[call-overload]
    }


def asked(process: "subprocess.Popen[bytes]", number: int) -> float:
    """Seconds of one round trip."""
    assert process.stdin and process.stdout
    began = time.perf_counter()
    process.stdin.write(_CALL % number)
    data = b""
    while not data.endswith(b"\n"):
        data += os.read(process.stdout.fileno(), 65536)
    return time.perf_counter() - began


def pipelined(process: "subprocess.Popen[bytes]") -> float:
    """Answers a second when the client does not wait."""
    assert process.stdin and process.stdout
    calls = b"".join(_CALL % number for number in range(_MANY))
    writer = threading.Thread(target=process.stdin.write, args=(calls,))
    began, seen = time.perf_counter(), 0
    writer.start()
    while seen < _MANY:
        seen += os.read(process.stdout.fileno(), 1 << 20).count(b"\n")
    writer.join()
    return _MANY / (time.perf_counter() - began)


def ended(process: "subprocess.Popen[bytes]") -> None:
    """The client leaves, the server follows."""
    process.communicate()


def main() -> None:
    """Measures and tells."""
    with tempfile.TemporaryDirectory() as folder:
        ways = starts(Path(folder))
        _tell("first answer", first_answers(ways), 1e3, "ms")
        _tell("round trip", round_trips(ways), 1e6, "µs")
        _tell("answers", {name: [rate(start)] for name, start in ways.items()}, 1e-3, "k/s")


def first_answers(ways: dict[str, Start]) -> dict[str, list[float]]:
    """Seconds from the start of each to its first answer."""
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(_STARTS):
        for name, start in ways.items():
            began = time.perf_counter()
            process = start()
            asked(process, 1)
            found[name].append(time.perf_counter() - began)
            ended(process)
    return found


def round_trips(ways: dict[str, Start]) -> dict[str, list[float]]:
    """Seconds of round trips, in blocks in turn."""
    running = {name: start() for name, start in ways.items()}
    found: dict[str, list[float]] = {name: [] for name in ways}
    for block in range(_BLOCKS):
        for name in sorted(running, reverse=bool(block % 2)):
            found[name] += [asked(running[name], number) for number in range(_BLOCK)][5:]
    for process in running.values():
        ended(process)
    return found


def rate(start: Start) -> float:
    """Answers a second of a fresh process."""
    process = start()
    asked(process, 1)
    found = pipelined(process)
    ended(process)
    return found


def _tell(what: str, values: dict[str, list[float]], unit: float, word: str) -> None:
    direct, tap = (statistics.median(values[name]) * unit for name in ("direct", "tap"))
    print(f"{what:14} direct {direct:7.0f} {word:4} tap {tap:7.0f} {word:4} ×{tap / direct:.2f}")


if __name__ == "__main__":
    main()
