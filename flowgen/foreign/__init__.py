"""Other tools' recordings as traces. Which tool it was is told by the bytes; each format has a reader of its own."""

from typing import Any

from ._sniff import HEAD, fits

__all__ = ["HEAD", "document", "fits"]


def document(data: bytes) -> dict[str, Any] | None:
    """The trace document of a foreign recording, secrets masked; None where the bytes are of no tool we know."""
    if not fits(data):
        return None
    from ._capture import document

    return document(data)
