"""A tap: somebody's client speaks with somebody's server through us, and what passes is written down."""

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ._tap_page import Kept, Page, named

if TYPE_CHECKING:
    from ._tap_listen import Listening

Say = Callable[[str], None]


def _nobody(path: str) -> None:
    """Stands for no onlooker."""


def tap_stdio(argv: Sequence[str], kept: Kept, say: Say, begun: Say = _nobody) -> int:
    """Starts a server and stands between it and whoever started us; its exit code, negative for a signal.

    `say` is told what a person should know, a line at a time; `begun` hears the name of the file that will grow.
    Nothing that is wrong with the recording is raised.
    """
    from ._tap_stdio import StdioTap

    _open_the_standard_ones()
    return StdioTap(argv, opened(kept, say, begun), kept, say).run()


def tap_http(listening: "Listening", kept: Kept, say: Say, begun: Say = _nobody) -> int:
    """Listens for a client and stands between it and a server with an address until interrupted; the exit code.

    Raises UsageError and ServerError before anything is passed on.
    """
    from ._tap_listen import Listener

    _open_the_standard_ones()
    listener = Listener(listening)
    return listener.run(opened(kept, say, begun), kept, say)


def opened(kept: Kept, say: Say, begun: Say) -> Page | None:
    """The file to be written; None, and a word, where that cannot be."""
    path = os.path.expanduser(named(kept.output))
    try:
        path = os.path.abspath(path)  # of which the folder that we are in may be gone
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        page = Page(path, kept.max_size)
    except OSError as problem:
        say(f"nothing is recorded: {path}: {problem.strerror or problem}")
        return None
    begun(page.path)
    return page


def _open_the_standard_ones() -> None:
    """Standard descriptors that are closed would be taken by ours."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
