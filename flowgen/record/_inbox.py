"""The inbox: whatever happens in other threads arrives here with its time, for the one thread that thinks."""

from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, NamedTuple

AHEAD = 8  # chunks of one source that may wait: whoever writes faster than we keep is slowed down

Clock = Callable[[], float]


class Event(NamedTuple):
    """Something that happened, at `at` seconds since the start.

    `interrupt` and `reply` (ticket, value) come from people; the names of the others are told where they are sent.
    """

    at: float
    name: str
    value: Any = None
    taken: Callable[[], None] | None = None  # to be called when it was taken from the inbox


Inbox = SimpleQueue[Event]
