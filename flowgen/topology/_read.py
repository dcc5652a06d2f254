"""From hosts' config files to a Topology: one file or several, each by its name and its bytes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flowgen.errors import ConfigError

from ._build import File, build, file_of
from ._document import Document
from ._facts import Facts, facts_of
from ._fields import given
from ._files import document
from ._hosts import Host, host_of, table, titled
from ._maps import servers
from ._model import Topology
from ._offers import offered

_MARKS = (b"flowgen.trace/", b"flowgen.topology/")
_ENDINGS = ("toml", "yaml", "yml", "jsonc", "code-workspace")


def read(files: Sequence[tuple[str, bytes]], *, host: str | None = None, show_paths: bool = False) -> Topology:
    """The topology of config files, as (name, bytes).

    The end of a name often tells the host; `host` is the title of one, for files whose name does not. User names in
    paths become `~` unless `show_paths`. Findings are not judged here. Raises ConfigError for a file that cannot be
    read, and for a host that is not known.
    """
    known = _known(host) if host else None
    return build([_file(document(name, data), known, show_paths) for name, data in files])


def is_config(data: bytes, name: str) -> bool:
    """Whether this is a host's config file rather than a recording: by its ending, its path, or what is in it."""
    if any(mark in data[:400].replace(b"\x00", b"") for mark in _MARKS):
        return False
    if name.rpartition(".")[2].lower() in _ENDINGS:
        return True
    try:
        told = document(name, data)
    except ConfigError:
        return host_of(Document(name, {}, 1)).title is not None
    host = host_of(told)
    return host.title is not None or bool(servers(told.value, host).entries)


def _known(title: str) -> Host:
    found = titled(title)
    if found is None:
        names = dict.fromkeys(row["title"] for row in table()["host"])
        raise ConfigError(f"there is no host {title!r}", f"known: {', '.join(names)}")
    return found


def _file(told: Document, known: Host | None, show_paths: bool) -> File:
    _refuse(told)
    host = known or host_of(told)
    if host.form == "settings":
        found = servers(told.value, host)
        said = [given(entry) for entry in found.entries]
    else:
        said, found = offered(told.value, host.form)
    facts = [facts for each in said if (facts := facts_of(each, host, found))]
    return file_of(told.name, host, found, _numbered(facts), show_paths=show_paths)


def _numbered(facts: list[Facts]) -> list[Facts]:
    """A scope's path is shown as any other."""
    from ._shown import shown_path

    return [replace(each, scope=shown_path(each.scope)) if each.scope else each for each in facts]


def _refuse(told: Document) -> None:
    value: Any = told.value
    if not isinstance(value, dict | list):
        kind = "nothing" if value is None else "a single value"
        raise ConfigError(f"{told.name}: line 1: expected an object with servers, found {kind}",
                          "expected the config file of an MCP host: JSON, TOML or YAML")  # fmt: skip
