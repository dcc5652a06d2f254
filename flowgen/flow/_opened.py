"""What a session says of itself, wherever its era says it: revision, names, capabilities, and the lists of the server.

A handshake says it once (`initialize`), the stateless era in `server/discover` and in the `_meta` of every request.
"""

from collections.abc import Callable, Iterable
from typing import Any

from ._changes import MEMBERS
from ._model import Entry

_META = "io.modelcontextprotocol/"
Told = dict[str, Any]


def opened(entries: Iterable[Entry], revisions: Iterable[str]) -> Told:
    """`revision`, `client`, `server`, `instructions`, `capabilities` of both, and by name `tools`, `prompts`,
    `resources`, `resourceTemplates` as they were listed last. What was not said is not there.
    """
    told: Told = {"revision": ", ".join(revisions), "capabilities": {}}
    for entry in entries:
        body = entry.message.body
        for name in ("params", "result"):
            part = body.get(name) if isinstance(body, dict) else None
            if isinstance(part, dict):
                _READERS.get((name, entry.method), _stamped)(told, part)
        _list(told, entry)
    return {name: value for name, value in told.items() if value}


def without_unlisted(old: Told, new: Told) -> tuple[Told, Told]:
    """Both without the lists that only one of them asked for: what was not listed may be there all the same."""
    lists = {member for member, _ in MEMBERS.values()}
    alone = {name for name in old.keys() ^ new.keys() if name in lists}
    one, other = ({name: value for name, value in told.items() if name not in alone} for told in (old, new))
    return one, other


def _initialize(told: Told, params: Told) -> None:
    _party(told, "client", params.get("clientInfo"), params.get("capabilities"))


def _answered(told: Told, result: Told) -> None:
    own = _meta(result)
    _party(told, "server", result.get("serverInfo") or own.get("serverInfo"), result.get("capabilities"))
    if isinstance(result.get("instructions"), str):
        told["instructions"] = result["instructions"]


def _stamped(told: Told, part: Told) -> None:
    """What the `_meta` of a request says of the client, that of an answer of the server."""
    own = _meta(part)
    _party(told, "client", own.get("clientInfo"), own.get("clientCapabilities"))
    _party(told, "server", own.get("serverInfo"), None)


_READERS: dict[tuple[str, str | None], Callable[[Told, Told], None]] = {
    ("params", "initialize"): _initialize,
    ("result", "initialize"): _answered,
    ("result", "server/discover"): _answered,
}


def _party(told: Told, who: str, info: Any, capabilities: Any) -> None:
    if isinstance(info, dict):
        told[who] = " ".join(info[name] for name in ("name", "version") if isinstance(info.get(name), str))
    if isinstance(capabilities, dict):
        told["capabilities"][who] = capabilities


def _meta(part: Told) -> Told:
    """The members of `_meta` that are the protocol's own."""
    found = part.get("_meta")
    members = found.items() if isinstance(found, dict) else ()
    return {name.removeprefix(_META): value for name, value in members if name.startswith(_META)}


def _list(told: Told, entry: Entry) -> None:
    """The items of a list by name; the first page begins it anew."""
    body = entry.message.body
    member, key = MEMBERS.get(entry.method or "", ("", ""))
    if not member or not isinstance(body, dict):
        return
    params, result = body.get("params"), body.get("result")
    if entry.state is not None and not (isinstance(params, dict) and params.get("cursor") is not None):
        told[member] = {}
    items = result.get(member) if isinstance(result, dict) else None
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and isinstance(item.get(key), str):
            told.setdefault(member, {})[item[key]] = item
