"""A recording client: drives a script over a transport and keeps everything seen."""

from typing import TYPE_CHECKING, Any

from ._session import Limits, OAuth, Recorded, Recording, Route, Server, Session, Site, Watch
from ._words import printable

if TYPE_CHECKING:
    from ._argv import is_address, split_command
    from ._callback import has_person
    from ._http_sockets import check_site
    from ._several import RecordedTogether, Unready

__all__ = [
    "Limits", "OAuth", "Recorded", "RecordedTogether", "Recording", "Route", "Server", "Session", "Site", "Unready",
    "Watch", "check_site", "has_person", "is_address", "printable", "split_command",
]  # fmt: skip

_LATER = {
    "is_address": "_argv", "split_command": "_argv", "check_site": "_http_sockets", "has_person": "_callback",
    "RecordedTogether": "_several", "Unready": "_several",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Command lines as text and addresses are read by modules of their own, loaded when there is one (PEP 562)."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
