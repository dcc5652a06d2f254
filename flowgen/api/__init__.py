"""The public functions: they put the parts together, and are the only place that knows all of them."""

from ._pictures import Drawing, Format, Notes, Times, drawing, format_of, load, render
from ._recordings import RecordOptions, record, record_async, recorder

__all__ = [
    "Drawing", "Format", "Notes", "RecordOptions", "Times",
    "drawing", "format_of", "load", "record", "record_async", "recorder", "render",
]  # fmt: skip
