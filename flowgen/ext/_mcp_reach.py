"""What an agent may have read: files below folders that were named, and what it sends along. Nothing else is opened.

Links are followed before it is judged where a file lies. That a file outside is there or not is never told apart.
"""

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from flowgen.errors import UsageError

LARGEST = 32 << 20  # bytes of a file; what is longer is for the command line
LONGEST = 4_000_000  # characters that are sent along
SCHEME = "flowgen://"
INLINE = "inline"

File = tuple[str, bytes]  # what it is called, and what is in it
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class Reach:
    """`roots` are folders, links resolved; `own` gives the bytes of an address of ours (`flowgen://…`)."""

    roots: tuple[Path, ...]
    own: Callable[[str], bytes]

    def file(self, path: str, text: str) -> File:
        """The one that is given, by its path or as it is; the other is empty. Raises UsageError."""
        if bool(path) == bool(text):
            raise UsageError("give either a path or a text", "path names a file, text is its content")
        if text:
            return INLINE, _sent(text)
        return path, self.own(path) if path.startswith(SCHEME) else self._read(path)

    def _read(self, path: str) -> bytes:
        for place in self._places(path):
            data = _regular(place)
            if data is not None:
                return data
        below = ", ".join(map(str, self.roots))
        raise UsageError(f"{path}: no such file below {below}", "flowgen mcp --root FOLDER names another folder")

    def _places(self, path: str) -> Iterator[str]:
        """Where the file may be meant, without links; only what lies below a root."""
        for root in self.roots:
            try:
                place = Path(os.path.realpath(root / path))
            except (OSError, ValueError):  # no path at all
                continue
            if any(place.is_relative_to(each) for each in self.roots):
                yield str(place)


def rooted(folders: tuple[str, ...]) -> tuple[Path, ...]:
    """Folders with their links resolved. Raises UsageError for what is none."""
    for folder in folders:
        if not os.path.isdir(folder):
            raise UsageError(f"--root {folder}: no such folder", "name a folder that is there")
    return tuple(dict.fromkeys(Path(os.path.realpath(folder)) for folder in folders))


def _sent(text: str) -> bytes:
    if len(text) > LONGEST:
        raise UsageError(f"the text has {len(text):,} characters, more than {LONGEST:,}", "give the path of a file")
    return text.encode("utf-8", "surrogatepass")


def _regular(place: str) -> bytes | None:
    """The bytes of an ordinary file; None where there is none. A pipe or a device is not waited for."""
    try:
        with open(os.open(place, _FLAGS), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            data = file.read(LARGEST + 1)
    except OSError:
        return None
    if len(data) > LARGEST:
        raise UsageError(f"{place}: larger than {LARGEST >> 20} MiB", "draw it with flowgen render")
    return data
