"""Other tools' recordings as traces. Which tool it was is told by the bytes; each format has a reader of its own."""

from typing import Any

from . import _capture

__all__ = ["document"]


def document(data: bytes) -> dict[str, Any] | None:
    """The trace document of a foreign recording, secrets masked; None where the bytes are of no tool we know."""
    return _capture.document(data) if _capture.fits(data) else None
