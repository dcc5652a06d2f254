"""A recording client: drives a script over a transport and keeps everything seen."""

from typing import TYPE_CHECKING, Any

from ._session import Limits, Recorded, Recording, Server, Session, Watch
from ._words import printable

if TYPE_CHECKING:
    from ._argv import is_address, split_command

__all__ = [
    "Limits", "Recorded", "Recording", "Server", "Session", "Watch", "is_address", "printable", "split_command",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Command lines as text are read by a module of their own, loaded when there is one (PEP 562)."""
    if name not in ("is_address", "split_command"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _argv

    return getattr(_argv, name)
