"""Files written whole or not at all: whoever looks at the place sees the old file or the new one, never a half."""

import contextlib
import os
import stat
from pathlib import Path

from flowgen.errors import FlowgenError


def put(name: str | Path, data: bytes) -> None:
    """Write a file. What is no ordinary file (a device, a pipe) is written to as it is. Raises FlowgenError."""
    try:
        place = os.path.realpath(name)
        if _ordinary(place) and os.access(os.path.dirname(place), os.W_OK):
            _replaced(place, data)
        else:
            Path(name).write_bytes(data)
    except OSError as problem:
        raise FlowgenError(f"{name}: {problem.strerror or problem}", "give a place that can be written") from None


def _ordinary(place: str) -> bool:
    """A file that can be taken by another one, or none yet."""
    try:
        return stat.S_ISREG(os.stat(place).st_mode)
    except FileNotFoundError:
        return True


def _replaced(place: str, data: bytes) -> None:
    """Beside its place first, then into it, with the rights that the old file had."""
    folder, name = os.path.split(place)
    beside = os.path.join(folder, f".{name[:100]}.{os.getpid()}.part")
    try:
        with open(beside, "wb") as file:
            file.write(data)
        with contextlib.suppress(FileNotFoundError):
            os.chmod(beside, stat.S_IMODE(os.stat(place).st_mode))
        os.replace(beside, place)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise
