"""Whether two recordings say the same: message by message, without ids, times and what tells of the answer only."""

import re
from collections.abc import Hashable
from typing import Any
from urllib.parse import urlsplit

from flowgen.trace import Ids, Message

from ._json import key_of
from ._model import Branch, Entry, Group, Remark, Row, Run

_LOOPBACK = re.compile(r"(//(?:127\.0\.0\.1|localhost|\[::1\])):\d{1,5}")  # another port in every recording
_SAID = frozenset({"stderr", "noise"})  # a text is all they have
_TOLD = ("event", "exit_code", "signal")  # of notes and processes


def alike(row: Row, ids: Ids) -> Hashable:
    """What two rows have in common exactly when they go the same way: the same kind, method, name and arguments
    in the same revision between the same two, ending alike. `ids` are those under which several recordings know
    their participants.
    """
    match row:
        case Entry():
            return _entry(row, ids)
        case Run():
            return row.kind, tuple(_entry(entry, ids) for entry in row.entries)
        case Group():
            return row.operator, tuple(_branch(branch, ids) for branch in row.branches)
        case Remark():
            return row.text


def content(message: Message) -> Hashable:
    """What a message says, whatever its id and its `_meta` are, and the ports of a server on this machine."""
    body = message.body
    if not isinstance(body, dict):
        return _anywhere(key_of([body, message.text]))
    return _anywhere(key_of({name: _without_meta(value) for name, value in body.items() if name != "id"}))


def anywhere(text: str) -> str:
    """A text without the ports of servers on this machine, which differ from run to run."""
    return _LOOPBACK.sub(r"\1", text)


def _anywhere(key: Hashable) -> Hashable:
    return anywhere(key) if isinstance(key, str) else key


def _branch(branch: Branch, ids: Ids) -> Hashable:
    return branch.condition, tuple(alike(row, ids) for row in branch.rows)


def _entry(entry: Entry, ids: Ids) -> Hashable:
    message = entry.message
    body = message.body if isinstance(message.body, dict) else {}
    return (
        (message.kind, ids.get(message.sender), ids.get(message.receiver), entry.method, entry.name, entry.state),
        message.revision if entry.state else None,  # an answer in another one ends otherwise, too
        key_of(_member(body, "params").get("arguments")),
        _end(body),
        key_of([*map(body.get, _TOLD), _decided(body)]) if message.kind in ("note", "process") else None,
        _http(message) if message.kind == "http" else None,
        message.text if message.kind in _SAID else None,
    )


def _end(body: dict[str, Any]) -> Hashable:
    """How an answer ends: with an error, a tool's failure, a question, or well."""
    result, error = _member(body, "result"), _member(body, "error")
    return key_of([error.get("code"), result.get("isError") is True, result.get("resultType")])


def _decided(body: dict[str, Any]) -> Any:
    """What somebody decided, of a note that tells of it: what follows goes another way."""
    return _member(body, "data").get("action")


def _http(message: Message) -> Hashable:
    """An HTTP message by its method, path and status; hosts and ports differ from run to run."""
    http = message.http
    try:
        return http and (http.method, urlsplit(http.url or "").path, http.status)
    except ValueError:
        return http and (http.method, http.url, http.status)


def _member(value: dict[str, Any], name: str) -> dict[str, Any]:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _without_meta(value: Any) -> Any:
    return {name: member for name, member in value.items() if name != "_meta"} if isinstance(value, dict) else value
