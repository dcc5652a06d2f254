"""The public functions: they put the parts together, and are the only place that knows all of them."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._architecture import Architecture, architecture, is_config, is_recording, opened
    from ._check import check, report_files
    from ._convert import convert, targets
    from ._cut import cut
    from ._diff import Difference, TopologyDifference, diff
    from ._formats import BINARY, FORMATS, format_of, names, suffix_of
    from ._hosted import Hosted, demos
    from ._hosts import Declared, HostFile, discovered, host_files
    from ._inlay import dark_beside, inline, listed, said, shown, shown_plainly
    from ._load import Recorded, head_of, load
    from ._many import Rendered, render_many
    from ._options import DrawingOptions
    from ._pictures import Drawing, drawing, render
    from ._recordings import RecordOptions, record, record_async, recorder
    from ._saved import save
    from ._sessions import SessionDifference, sessions
    from ._spoken import Spoken, spoken
    from ._topology import topology
    from ._viewed import Viewed
    from ._views import Asked, View, picture
    from ._workers import workers
    from ._written import put

_HOMES = {
    "_architecture": ("Architecture", "architecture", "is_config", "is_recording", "opened"),
    "_check": ("check", "report_files"),
    "_diff": ("Difference", "TopologyDifference", "diff"),
    "_convert": ("convert", "targets"),
    "_cut": ("cut",),
    "_formats": ("BINARY", "FORMATS", "format_of", "names", "suffix_of"),
    "_hosted": ("demos",),
    "_hosts": ("Declared", "HostFile", "discovered", "host_files"),
    "_inlay": ("dark_beside", "inline", "listed", "said", "shown", "shown_plainly"),
    "_load": ("Recorded", "head_of", "load"),
    "_many": ("Rendered", "render_many"),
    "_options": ("DrawingOptions",),
    "_pictures": ("Drawing", "drawing", "render"),
    "_recordings": ("Hosted", "RecordOptions", "record", "record_async", "recorder"),
    "_saved": ("save",),
    "_spoken": ("Spoken", "spoken"),
    "_sessions": ("SessionDifference", "sessions"),
    "_topology": ("topology",),
    "_viewed": ("Viewed",),
    "_views": ("Asked", "View", "picture"),
    "_workers": ("workers",),
    "_written": ("put",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = [
    "BINARY", "FORMATS", "Architecture", "Asked", "Declared", "Difference", "Drawing", "DrawingOptions",
    "HostFile", "Hosted", "RecordOptions", "Recorded", "Rendered", "SessionDifference", "Spoken",
    "TopologyDifference", "View", "Viewed", "architecture", "check", "convert", "cut", "dark_beside", "demos", "diff",
    "discovered", "drawing", "format_of", "head_of", "host_files", "inline", "is_config", "is_recording",
    "listed", "load", "names", "opened", "picture", "put", "record", "record_async", "recorder", "render",
    "render_many", "report_files", "said", "save", "sessions", "shown", "shown_plainly", "spoken",
    "suffix_of", "targets", "topology", "workers",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Each part is loaded when it is first asked for (PEP 562): recording does without what drawing needs."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
