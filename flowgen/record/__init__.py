"""A recording client: drives a script over a transport and keeps everything seen. And a tap, for other people's."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._argv import is_address, split_command
    from ._callback import has_person
    from ._http_sockets import check_site
    from ._session import Limits, OAuth, Recorded, Recording, Route, Server, Session, Site, Watch
    from ._several import RecordedTogether, Unready
    from ._tap import tap_http, tap_stdio
    from ._tap_listen import Listening
    from ._tap_page import Kept
    from ._tap_stdio import leave
    from ._words import printable

_HOMES = {
    "_argv": ("is_address", "split_command"),
    "_callback": ("has_person",),
    "_http_sockets": ("check_site",),
    "_session": ("Limits", "OAuth", "Recorded", "Recording", "Route", "Server", "Session", "Site", "Watch"),
    "_several": ("RecordedTogether", "Unready"),
    "_tap": ("tap_http", "tap_stdio"),
    "_tap_listen": ("Listening",),
    "_tap_page": ("Kept",),
    "_tap_stdio": ("leave",),
    "_words": ("printable",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = [
    "Kept", "Limits", "Listening", "OAuth", "Recorded", "RecordedTogether", "Recording", "Route", "Server", "Session",
    "Site", "Unready", "Watch", "check_site", "has_person", "is_address", "leave", "printable", "split_command",
    "tap_http", "tap_stdio",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Each part is loaded when it is first asked for (PEP 562): a tap starts without the client, stdio without HTTP."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
