"""Other tools' recordings as traces, and traces as theirs. Which tool it was is told by the bytes; each format is a row
of a table and has a file of its own.
"""

from typing import TYPE_CHECKING, Any

from ._formats import FORMATS, HEAD, OWN, Format, fits, named, told

if TYPE_CHECKING:
    from ._reading import Reading

__all__ = ["FORMATS", "HEAD", "OWN", "Format", "Reading", "fits", "named", "told"]


def __getattr__(name: str) -> Any:
    """What reads is loaded when there is something to read (PEP 562)."""
    if name != "Reading":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ._reading import Reading

    return Reading
