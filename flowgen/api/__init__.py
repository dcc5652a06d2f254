"""The public functions: they put the parts together, and are the only place that knows all of them."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._hosted import Hosted
    from ._pictures import Drawing, Format, Notes, Times, drawing, format_of, load, render
    from ._recordings import RecordOptions, record, record_async, recorder

__all__ = [
    "Drawing", "Format", "Hosted", "Notes", "RecordOptions", "Times",
    "drawing", "format_of", "load", "record", "record_async", "recorder", "render",
]  # fmt: skip

_RECORDINGS = ("Hosted", "RecordOptions", "record", "record_async", "recorder")


def __getattr__(name: str) -> Any:
    """Each half is loaded when it is first asked for (PEP 562): recording does without what drawing needs."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{'_recordings' if name in _RECORDINGS else '_pictures'}"), name)
