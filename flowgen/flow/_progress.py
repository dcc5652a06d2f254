"""The values of progress notifications (MCP Progress), as numbers that can be drawn."""

from math import isfinite
from typing import Any

from ._model import Entry, Progress, Run

METHOD = "notifications/progress"


def progress_series(row: Entry | Run) -> tuple[Progress, ...]:
    """What each progress notification of a row says, in order; one without a finite number is left out."""
    entries = row.entries if isinstance(row, Run) else (row,)
    found = (_progress(entry) for entry in entries if entry.method == METHOD)
    return tuple(value for value in found if value is not None)


def _progress(entry: Entry) -> Progress | None:
    match entry.message.body:
        case {"params": {"progress": value, **more}} if (number := _number(value)) is not None:
            message = more.get("message")
            return Progress(number, _number(more.get("total")), message if isinstance(message, str) else None)
    return None


def _number(value: Any) -> float | None:
    """A finite number, whole ones kept whole; True is not 1."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return value if isfinite(value) else None
    except OverflowError:  # a whole number of thousands of digits
        return None
