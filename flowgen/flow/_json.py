"""JSON values that others sent: compared with their types, and as one line of text. None of it ever raises."""

import json
from collections.abc import Hashable
from typing import Any

# made once: json.dumps makes one at every call
_LINE, _SORTED = (json.JSONEncoder(ensure_ascii=False, sort_keys=sort, default=str).encode for sort in (False, True))
_KEY = json.JSONEncoder(sort_keys=True).encode


def equal(one: Any, other: Any) -> bool:
    """Equal as JSON: `true` is not 1, but 1.0 is 1. What is nested too deep to compare is not equal."""
    try:
        return _equal(one, other)
    except RecursionError:
        return False


def key_of(value: Any) -> Hashable:
    """What two values have in common exactly when they are equal, to find one among many."""
    try:
        return _KEY(_plain(value))
    except (RecursionError, ValueError, TypeError):
        return object()


def one_line(value: Any, sort: bool = False) -> str | None:
    """The value on one line, with spaces after colon and comma; None when it cannot be written."""
    try:
        return (_SORTED if sort else _LINE)(value)
    except (RecursionError, ValueError, TypeError):  # too deep; a number of thousands of digits
        return None


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equal(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    return bool(one == other)


def _plain(value: Any) -> Any:
    match value:
        case dict():
            return {name: _plain(member) for name, member in value.items()}
        case list():
            return [_plain(item) for item in value]
        case float() if value.is_integer():
            return int(value)
    return value
