"""A recording client: drives a script over a transport and keeps everything seen."""

from ._argv import is_address, split_command
from ._session import Limits, Recorded, Recording, Server, Session, Watch
from ._words import printable

__all__ = [
    "Limits", "Recorded", "Recording", "Server", "Session", "Watch", "is_address", "printable", "split_command",
]  # fmt: skip
