"""What a piece of work costs: counted, not timed, so that it is the same number however busy the machine is."""

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any


def instructions(work: Callable[[], object]) -> int:
    """How many instructions of Python run while `work` does. What runs inside one of them, a search in a text for
    example, is not seen: what is slow there hangs, and `faulthandler_timeout` of pyproject.toml ends it.
    """
    count = 0

    def count_one(frame: FrameType, event: str, _: Any) -> Callable[..., Any]:
        nonlocal count
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        count += event == "opcode"
        return count_one

    before = sys.gettrace()
    sys.settrace(count_one)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def room_taken(work: Callable[[Any], object], pieces: list[Any]) -> int:
    """How many bytes `work` asks for while it is given one piece after the other, whether it keeps them or not: who
    copies what came before with every piece takes far more than all of them are.
    """
    taken = 0
    tracemalloc.start()
    try:
        for piece in pieces:
            tracemalloc.reset_peak()
            before, _ = tracemalloc.get_traced_memory()
            work(piece)
            taken += tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    return taken
