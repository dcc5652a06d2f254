"""Where in a file the servers stand: under the host's own key, else under the first key that holds servers.

Maps of the same kind under other keys are told as ignored. What only has the name of such a key is left alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from flowgen.trace import mask_shapes

from ._document import Row, Table, Word
from ._hosts import KEYS, Host, at, fields

_BESIDE = frozenset(["proxy", "proxies", "gallery", "provider", "providers", "repository", "repositories", "lsp"])


class Entry(NamedTuple):
    """One server as it stands in the file; `scope` is the project for which alone it holds, `disabled` what is said
    of it elsewhere in the file.
    """

    name: str | None
    body: Table
    line: int
    scope: str | None = None
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class Ignored:
    """A map of servers that the host does not read."""

    key: str
    line: int
    count: int


@dataclass(frozen=True, slots=True)
class Unasked:
    """A setting of the whole host with which no call is asked about."""

    key: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Found:
    """The servers of a file; `defaults` are those of the inputs that it declares, `secret_inputs` the inputs that are
    typed unseen, as they stand in `${…}`; `reads` is the key that was looked for or found; `unasked` are settings by
    which calls run without asking.
    """

    entries: tuple[Entry, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    reads: str | None = None
    keys: tuple[str, ...] = ()
    defaults: dict[str, str] = field(default_factory=dict)
    secret_inputs: frozenset[str] = frozenset()
    unasked: tuple[Unasked, ...] = ()


def servers(value: Any, host: Host) -> Found:
    """The servers that a host reads from its file, in the file's order."""
    chosen = _chosen(value, host)
    entries = tuple(entry for path, found, line in chosen for entry in _entries(path, found, line, value))
    read = frozenset(path for path, _, _ in chosen)
    reads = chosen[0][0] if chosen and chosen[0][0] else next((key for key in host.keys if key), None)
    defaults, hidden = _inputs(value, sorted(read))
    keys = tuple(value)[:50] if isinstance(value, dict) else ()
    asked_nothing = tuple(_unasked(value, host))
    return Found(entries, tuple(_ignored(value, chosen)), reads, keys, defaults, hidden, asked_nothing)


def is_server(value: Any) -> bool:
    """Whether an object says how a server is started or reached."""
    if not isinstance(value, dict):
        return False
    if any(_filled(value.get(name)) for kind in ("command", "url", "http_url") for name in fields(kind)):
        return True
    if is_extension(value):
        return True
    nested = value.get("transport")
    kind = str(value.get("type", "")).lower().replace("_", "")
    within = isinstance(nested, dict) and is_server(nested)
    return within or kind in ("builtin", "platform", "frontend", "inlinepython")


def is_extension(value: dict[str, Any]) -> bool:
    """Whether an extension of the host knows the command, and the file holds only what it is given (Zed)."""
    bare = isinstance(value.get("settings"), dict) and value.keys() <= {"settings", "enabled", "remote"}
    return bare or value.get("source") == "extension"


def _filled(value: Any) -> bool:
    return isinstance(value, str | list | dict) and bool(value.strip() if isinstance(value, str) else value)


def _chosen(value: Any, host: Host) -> list[tuple[str, Any, int]]:
    """The maps that the host reads: path, map, line."""
    found = [_trimmed(each) for key in host.keys if key for each in _under(value, key) if _is_map(each[1])]
    if found and host.every_key:
        return found
    best = next((each for each in found if _count(each[1])), found[0] if found else None)
    if best is None and "" in host.keys:
        best = _flat(value)
    return [best] if best else []


def _trimmed(found: tuple[str, Any, int]) -> tuple[str, Any, int]:
    """Under `mcp` other settings stand beside servers: a gallery or a proxy has an address, but no type."""
    path, value, line = found
    if path != "mcp" or not isinstance(value, dict) or not _BESIDE & {name.lower() for name in value}:
        return found
    kept = Table()
    for name, child in value.items():
        if name.lower() not in _BESIDE or (is_server(child) and ("type" in child or "command" in child)):
            kept.put(name, child, getattr(value, "lines", {}).get(name, line))
    return path, kept, line


def _under(value: Any, key: str) -> Iterator[tuple[str, Any, int]]:
    """What stands under a key; `*` is every key of an object, or every item of a list."""
    before, star, after = key.partition(".*.")
    found = at(value, before)
    if not star:
        if found:
            yield before, found[1], found[2]
        return
    inner = found[1] if found else None
    pairs = inner.items() if isinstance(inner, dict) else enumerate(inner) if isinstance(inner, list) else ()
    for name, child in pairs:
        for _, deeper, line in _under(child, after):
            yield f"{before}.{name}", deeper, line


def _is_map(value: Any) -> bool:
    """An object or a list whose parts may be servers; no server itself."""
    if isinstance(value, list):
        return all(isinstance(each, dict) for each in value) and (not value or any(map(is_server, value)))
    return isinstance(value, dict) and not is_server(value)


def _count(value: Any) -> int:
    parts = value.values() if isinstance(value, dict) else value
    return sum(1 for part in parts if is_server(part))


def _flat(value: Any) -> tuple[str, Any, int] | None:
    """The file itself: a map of servers and nothing else, a list of them, or one bare server."""
    if isinstance(value, list) and _count(value):
        return "", value, 1
    if not isinstance(value, dict):
        return None
    if is_server(value):
        row = Row()
        row.put(value, min(getattr(value, "lines", {}).values(), default=1))
        return "", row, 1
    told = {name: child for name, child in value.items() if not name.startswith(("_", "$"))}
    maps = told and all(is_server(child) for child in told.values()) and not _BESIDE & {name.lower() for name in told}
    return ("", value, 1) if maps else None


def _entries(path: str, found: Any, line: int, document: Any) -> Iterator[Entry]:
    scope = path.partition(".")[2] if path.startswith("projects.") else None
    off = _switched_off(document, path, scope)
    for name, body, at_line in _bodies(found, line):
        if is_server(body):
            yield Entry(name and mask_shapes(name), body, at_line, scope, name in off)


def _bodies(found: Any, line: int) -> Iterator[tuple[str | None, Any, int]]:
    if isinstance(found, dict):
        for name, body in found.items():
            yield name, body, getattr(found, "lines", {}).get(name, line)
        return
    for number, body in enumerate(found):
        name = body.get("name")
        lines = getattr(body, "lines", {})
        first = found.lines[number] if isinstance(found, Row) else line
        yield (name if isinstance(name, str) else None), body, lines.get("name", min(lines.values(), default=first))


def _switched_off(document: Any, path: str, scope: str | None) -> frozenset[str]:
    """Servers that the project, or the file, names as disabled."""
    holder = document.get("projects", {}).get(scope) if scope and isinstance(document, dict) else document
    if not isinstance(holder, dict):
        return frozenset()
    names = [holder.get(key) for key in ("disabledMcpServers", "disabledMcpjsonServers")]
    return frozenset(name for each in names if isinstance(each, list) for name in each if isinstance(name, str))


def _ignored(value: Any, chosen: list[tuple[str, Any, int]]) -> Iterator[Ignored]:
    read = [id(found) for _, found, _ in chosen]
    for key in KEYS:
        other = at(value, key)
        if other is None or id(other[1]) in read or any(f"{path}.".startswith(f"{key}.") for path, _, _ in chosen):
            continue
        _, found, line = _trimmed((key, *other[1:]))
        if _is_map(found) and _count(found):
            yield Ignored(key, line, _count(found))


def _unasked(value: Any, host: Host) -> Iterator[Unasked]:
    for key, values in host.unasked:
        found = at(value, key)
        if found is not None and any(type(found[1]) is type(each) and found[1] == each for each in values):
            yield Unasked(key, str(found[1]).lower(), found[2])


def _inputs(value: Any, paths: list[str]) -> tuple[dict[str, str], frozenset[str]]:
    """The inputs beside the servers: what stands in them if nobody types, and which are typed unseen."""
    places = {"inputs", "mcp.inputs", "settings.mcp.inputs", *(f"{path.rpartition('.')[0]}.inputs" for path in paths)}
    lists = [found[1] for place in sorted(places) if (found := at(value, place)) and isinstance(found[1], list)]
    rows = [row for each in lists for row in each]
    named = [row for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)]
    defaults = {row["id"]: row["default"] for row in named if isinstance(row.get("default"), str)}
    return defaults, frozenset(f"input:{row['id']}" for row in named if row.get("password") is True)


def word(value: Any, line: int) -> Word | None:
    """A text or a number of the file as a word; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return Word(str(value), line)
