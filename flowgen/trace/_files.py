"""Bytes to a Trace: one document or JSON Lines, UTF-8 or UTF-16, whole or cut.

Whatever the bytes are, a Trace or a TraceError comes out.
"""

from io import BytesIO

from ._model import Trace
from ._reading import Reading


def load(data: bytes, name: str = "trace") -> Trace:
    """Read a trace; `name` is what errors call it.

    JSON Lines that were cut anywhere after their first line load up to the last whole line, with the outcome
    `{"complete": false, "reason": "cut"}`. Raises TraceError that names the field and what was expected.
    """
    reading = Reading(BytesIO(data), name)
    return reading.finished([message for batch in reading.batches() for message in batch])
