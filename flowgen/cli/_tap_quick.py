"""`flowgen tap -o FILE -- CMD ARG…`, as hosts start it, without loading what reads a command line: a host waits for it.

Everything else that may be typed is left to `_tap`.
"""

import os
from collections.abc import Sequence
from contextlib import suppress


def quick(words: Sequence[str]) -> None:
    """Passes the session through and ends the process; comes back where this is not that very form.

    `words` are those behind `flowgen`.
    """
    if os.name != "posix" or list(words[:2]) != ["tap", "-o"] or len(words) < 5 or words[3] != "--":
        return
    output, command = words[2], words[4:]
    if output.startswith(("-", "/dev/", "/proc/")) or not output:
        return
    from flowgen.record import Kept, leave, tap_stdio

    leave(tap_stdio(command, Kept(output), _say))


def _say(text: str) -> None:
    line = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
    with suppress(OSError):
        os.write(2, f"flowgen: {line}\n".encode("utf-8", "backslashreplace"))
