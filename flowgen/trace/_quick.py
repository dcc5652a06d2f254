"""Documents of many megabytes, read by pydantic's parser where it gives what ours does: in a third of the time.

It takes no more than ours, nests less deep, and has an infinity for what is too large for a float; such texts are left
to ours, and so are those it does not take.
"""

from typing import Any

from pydantic_core import from_json

from ._json import parse

_SHORT = 10_000  # characters that make no difference
_DIGITS = bytes.maketrans(b"123456789E", b"000000000e")
_TOO_LARGE = (b"0e000", b"0e+000", b"0" * 309)  # what a number may look like that no float can hold


def parse_document(text: str, max_depth: int) -> Any:
    """As `parse`."""
    if len(text) < _SHORT:
        return parse(text, max_depth)
    try:
        data = text.encode()
        digits = data.translate(_DIGITS)
        if not any(sign in digits for sign in _TOO_LARGE):
            return from_json(data, allow_inf_nan=False)
    except ValueError:
        pass
    return parse(text, max_depth)
