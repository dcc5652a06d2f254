"""From hosts' config files to a Topology: one file or several, each by its name and its bytes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flowgen.errors import ConfigError

from ._build import File, build, file_of
from ._described import is_described
from ._document import Document
from ._facts import Facts, facts_of
from ._fields import given
from ._files import document
from ._hosts import Host, host_of, readers, table, titled
from ._maps import servers
from ._model import Topology
from ._offers import offered
from ._shown import shown_path

_RECORDING = b"flowgen.trace/"
_HINT = "expected the config file of an MCP host: JSON, TOML or YAML"
_ENDINGS = ("toml", "yaml", "yml", "jsonc", "code-workspace")


def read(files: Sequence[tuple[str, bytes]], *, host: str | None = None, show_paths: bool = False) -> Topology:
    """The topology of config files, as (name, bytes).

    The end of a name often tells the host; `host` is the title of one, for files whose name does not. User names in
    paths become `~` unless `show_paths`. Findings are not judged here. Raises ConfigError for a file that cannot be
    read, and for a host that is not known.
    """
    known = _known(host) if host else None
    told = [document(name, data) for name, data in files]
    for each in told:
        _refuse(each, alone=len(told) == 1)
    if len(told) == 1 and _is_told(told[0].value):
        name = told[0].name if show_paths else shown_path(told[0].name)
        return _told(told[0].value, name)
    return build([file for each in told for file in _files(each, known, show_paths)])


def is_config(data: bytes, name: str) -> bool:
    """Whether this is a host's config file rather than a recording: by its ending, its path, or what is in it."""
    if _RECORDING in data[:400].replace(b"\x00", b""):
        return False
    if name.rpartition(".")[2].lower() in _ENDINGS:
        return True
    try:
        told = document(name, data)
    except ConfigError:
        return host_of(Document(name, {}, 1)).title is not None
    host = host_of(told)
    if _is_told(told.value):
        return True
    return host.title is not None or bool(servers(told.value, host).entries)


def is_document(name: str, data: bytes) -> bool:
    """Whether a file is a topology document (`flowgen.topology/1`) or its short form.

    Raises ConfigError for what cannot be read.
    """
    text = data.replace(b"\x00", b"")
    return b"topology" in text and _is_told(document(name, data).value)


def _is_told(value: Any) -> bool:
    """Whether a file is a description, long or short; most are not, and need nothing of what reads such."""
    if not isinstance(value, dict) or not {"flowgen", "format"} & value.keys():
        return False
    from ._short import is_short

    return is_short(value) or is_described(value)


def _told(value: Any, name: str) -> Topology:
    from ._described import described
    from ._short import is_short, short

    return short(value, name) if is_short(value) else described(value, name)


def _known(title: str) -> Host:
    found = titled(title)
    if found is None:
        names = dict.fromkeys(row["title"] for row in table()["host"])
        raise ConfigError(f"there is no host {title!r}", f"known: {', '.join(names)}")
    return found


def _files(told: Document, known: Host | None, show_paths: bool) -> list[File]:
    """The file as each of its hosts reads it; a key that one of them reads is not ignored."""
    files = [_file(told, host, show_paths) for host in ([known] if known else readers(told))]
    if len(files) == 1:
        return files
    read = {file.found.reads for file in files}
    kept = [tuple(each for each in file.found.ignored if each.key not in read) for file in files]
    return [file._replace(found=replace(file.found, ignored=left)) for file, left in zip(files, kept, strict=True)]


def _file(told: Document, host: Host, show_paths: bool) -> File:
    if host.form == "settings":
        found = servers(told.value, host)
        said = [given(entry) for entry in found.entries]
    else:
        said, found = offered(told.value, host.form)
    facts = [facts for each in said if (facts := facts_of(each, host, found))]
    shown = facts if show_paths else [_without_names(each) for each in facts]
    return file_of(told.name, host, found, shown, show_paths=show_paths)


def _without_names(facts: Facts) -> Facts:
    return facts._replace(scope=shown_path(facts.scope)) if facts.scope else facts


def _refuse(told: Document, *, alone: bool) -> None:
    """Raises ConfigError for what is no config file, whatever its bytes."""
    value: Any = told.value
    if not isinstance(value, dict | list):
        kind = "nothing" if value is None else "a single value"
        raise ConfigError(f"{told.name}: line 1: expected an object with servers, found {kind}", _HINT)
    if isinstance(value, dict) and str(value.get("format", "")).startswith("flowgen.trace/"):
        raise ConfigError(f"{told.name}: a recording, not a config file", "--view flow draws it")
    if _is_told(value) and not alone:
        raise ConfigError(f"{told.name}: a topology document stands alone", "draw it without other files")
