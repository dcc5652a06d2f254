"""Kind, id and method of a message that is too large or too deep to become a value: read from its outermost members.

The front of the text is walked member by member; where that ends early, the members just before the last brace
are read, for some writers put `"jsonrpc"` and `"id"` last.
"""

import re
from typing import Any

from flowgen.trace import read_json

TAIL = 4096  # bytes of the end that are looked at
_BRACKETS = 200_000  # nested brackets passed over before the walk gives up: about 0.1 s

_SCALAR = rb'"(?:[^"\\]++|\\.)*+"|-?[0-9][0-9.eE+-]*+|true|false|null'
_NAME = re.compile(rb'(?s)\s*+("(?:[^"\\]++|\\.)*+")\s*+:\s*+')
_VALUE = re.compile(rb"(?s)(" + _SCALAR + rb")\s*+(?=[,}])")
_RUN = re.compile(rb'(?s)(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+')
_NEXT = re.compile(rb"\s*+([,}])")
_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*+\{")
_LAST = re.compile(rb'(?s)((?:,\s*+"(?:jsonrpc|id|method)"\s*+:\s*+(?:' + _SCALAR + rb")\s*+)++)\}\s*+\Z")
_LAST_MEMBER = re.compile(rb'(?s),\s*+"(id|method)"\s*+:\s*+(' + _SCALAR + rb")")


def head_of(front: bytes, tail: bytes) -> tuple[str, dict[str, Any] | None]:
    """The kind and `{"id", "method"}` as far as they can be read; `("noise", None)` where they cannot.

    `front` is the text or its beginning, `tail` the last bytes of it.
    """
    members, whole = _walk(front)
    if not whole:
        members |= _last_members(tail)
    head: dict[str, Any] = {name: members[name] for name in ("id", "method") if name in members}
    kind = _kind(members)
    if not kind or not head:
        return "noise", None
    return kind, head


def _kind(members: dict[str, Any]) -> str | None:
    if "error" in members or "result" in members:
        return "error" if "error" in members else "response"
    if isinstance(members.get("method"), str):
        return "request" if "id" in members else "notification"
    return None


def _walk(text: bytes) -> tuple[dict[str, Any], bool]:
    """The outermost members, nested values as None; and whether the walk came to the end of the object."""
    members: dict[str, Any] = {}
    start = _START.match(text)
    place, left = (start.end() if start else len(text)), _BRACKETS
    while name := _NAME.match(text, place):
        value = _VALUE.match(text, name.end())
        if value:
            members[_read(name[1])] = _read(value[1])
            place = value.end()
        else:
            members[_read(name[1])] = None
            place, left = _past(text, name.end(), left)
        after = _NEXT.match(text, place)
        if not after or left <= 0:
            return members, False
        place = after.end()
        if after[1] == b"}":
            return members, True
    return members, False


def _past(text: bytes, place: int, left: int) -> tuple[int, int]:
    """The place behind a nested value, and how many brackets may still be passed."""
    depth = 0
    while left > 0:
        run = _RUN.match(text, place)
        place = run.end() if run else place
        sign = text[place : place + 1]
        if not sign:
            return place, 0
        depth += 1 if sign in b"[{" else -1
        place, left = place + 1, left - 1
        if depth <= 0:
            break
    return place, left


def _last_members(tail: bytes) -> dict[str, Any]:
    found = _LAST.search(tail)
    return {name.decode(): _read(value) for name, value in _LAST_MEMBER.findall(found[1])} if found else {}


def _read(text: bytes) -> Any:
    try:
        return read_json(text).value
    except ValueError:
        return None
