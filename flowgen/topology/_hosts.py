"""Which host a file belongs to: a table (`hosts.toml`) of ends of paths and of keys that one host alone uses."""

import tomllib
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ._document import Document

Form = Literal["settings", "catalogue", "registry", "bundle", "project"]

# Of a file whose host is not known, in this order.
KEYS = (
    "tools.mcpServers", "mcpServers", "servers", "context_servers", "mcp_servers", "amp.mcpServers", "mcp.servers",
    "kilocode.mcpServers", "mcp", "extensions", "registry",
)  # fmt: skip


class Host(NamedTuple):
    """A row of the table; `hosts.toml` says what each field means. `title` is None of a host that is not known."""

    title: str | None
    keys: tuple[str, ...]
    files: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    address: str | None = None
    remote: str | None = None
    form: Form = "settings"
    every_key: bool = False
    note: str | None = None
    places: tuple[tuple[str, tuple[str, ...]], ...] = ()
    unasked: tuple[tuple[str, tuple[Any, ...]], ...] = ()


UNKNOWN = Host(None, (*KEYS, ""))


@cache
def table() -> dict[str, Any]:
    """The data of `hosts.toml`."""
    return tomllib.loads(Path(__file__).with_name("hosts.toml").read_text(encoding="utf-8"))


@cache
def hosts() -> tuple[Host, ...]:
    """The rows, in the order of the file."""
    return tuple(_host(row) for row in table()["host"])


@cache
def fields(name: str) -> tuple[str, ...]:
    """The names that a field has in hosts' files, such as those of `url`."""
    return tuple(table()["fields"][name])


@cache
def transport_words() -> dict[str, str]:
    """What each word for a transport means."""
    return {word: kind for kind, words in table()["transports"].items() for word in words}


def host_of(document: Document) -> Host:
    """The host whose file this is, by its path, else by what is in it; UNKNOWN if neither tells."""
    value = document.value
    by_path = _by_path(document.name)
    told = next((host for host in by_path if holds_key(value, host)), None)
    if told or (by_path and by_path[0].form == "settings"):
        return told or by_path[0]
    if offered := _by_form(value):
        return offered
    signed = (host for host in hosts() if any(at(value, sign) is not None for sign in host.signs))
    return next(signed, UNKNOWN)


def readers(document: Document) -> list[Host]:
    """All hosts that read this file: several where its path fits several and it holds a key of each."""
    several = {host.title: host for host in _by_path(document.name) if holds_key(document.value, host)}
    return list(several.values()) if len(several) > 1 else [host_of(document)]


def titled(title: str) -> Host | None:
    """The host of a title, as a user writes it."""
    wanted = title.casefold().replace(" ", "")
    named = ((host, (host.title or "").casefold().replace(" ", "")) for host in hosts())
    return next((host for host, name in named if wanted in name), None)


def holds_key(value: Any, host: Host) -> bool:
    """Whether the file holds one of the keys under which the host looks for servers."""
    return any(key and at(value, key.split(".*")[0]) is not None for key in host.keys)


def at(value: Any, path: str) -> tuple[str, Any, int] | None:
    """What stands under a key, its last part as written and its line; dots lead into objects or are part of names."""
    if not isinstance(value, dict):
        return None
    if path in value:
        return path, value[path], getattr(value, "lines", {}).get(path, 1)
    for place, sign in enumerate(path):
        if sign == "." and (found := at(value.get(path[:place]), path[place + 1 :])):
            return found
    return None


def _host(row: dict[str, Any]) -> Host:
    places = tuple((system, tuple(paths)) for system, paths in row.get("places", {}).items())
    lists: dict[str, Any] = {name: tuple(row.get(name, ())) for name in ("keys", "files", "signs")}
    rest = {name: row[name] for name in ("address", "remote", "form", "every_key", "note") if name in row}
    unasked = tuple((key, tuple(values)) for key, values in row.get("unasked", {}).items())
    return Host(title=row["title"], places=places, unasked=unasked, **lists, **rest)


def _by_path(name: str) -> list[Host]:
    """The rows whose end of a path fits best; several if they share it."""
    path = "/" + name.replace("\\", "/").casefold()
    fitting = [(end.count("/"), len(end), host) for end, host in _ends() if _fits(path, f"/{end}")]
    best = max((fit[:2] for fit in fitting), default=None)
    return [host for *fit, host in fitting if tuple(fit) == best]


@cache
def _ends() -> tuple[tuple[str, Host], ...]:
    return tuple((end.casefold(), host) for host in hosts() for end in host.files)


def _fits(path: str, end: str) -> bool:
    """Whether the path ends so; its parts are looked for first, because every pattern costs a regex."""
    return all(part in path for part in end.split("*")) and fnmatchcase(path, f"*{end}")


def _by_form(value: Any) -> Host | None:
    """Files that offer servers, by their shape."""
    form = _form(value) if isinstance(value, dict) else None
    return next((host for host in hosts() if host.form == form), None) if form else None


def _form(value: dict[str, Any]) -> Form | None:
    if "manifest_version" in value or "dxt_version" in value:
        return "bundle" if isinstance(value.get("server"), dict) else None
    schema = str(value.get("$schema", ""))
    if "server.schema.json" in schema or ("name" in value and ("packages" in value or "remotes" in value)):
        return "registry"
    if "fastmcp.json" in schema or "gofastmcp" in schema:
        return "project"
    catalogue = isinstance(value.get("registry"), dict) and not any(at(value, key) for key in KEYS[:-1])
    return "catalogue" if catalogue else None
