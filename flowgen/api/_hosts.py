"""The config files of hosts on this machine: where they would be, which are there, and what servers stand in them.

Files are only looked for until `discovered` is asked for one; nothing that they name is started or contacted.
"""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flowgen.errors import ConfigError

if TYPE_CHECKING:
    from flowgen.topology import Node, System

_NODES = ("server", "bridge", "gateway")


@dataclass(frozen=True, slots=True)
class HostFile:
    """A config file of a host: its path to open and the one to show, whether it is here, whether it is a project's."""

    host: str
    path: Path
    shown: str
    here: bool
    project: bool


@dataclass(frozen=True, slots=True)
class Declared:
    """A server as a file declares it, by what the client speaks to; `where` is `path:line`."""

    name: str
    transport: str
    where: str | None
    disabled: bool


def host_files(*, show_paths: bool = False) -> Iterator[HostFile]:
    """Every place that is known on this system; those of a project are looked for in the current folder."""
    from flowgen.topology import places

    home = os.path.expanduser("~").replace("\\", "/")
    for place in places(_system(), home, os.environ):
        shown = place.path if show_paths else _without_home(place.path, home)
        path = Path(place.path)
        yield HostFile(place.host, path, shown, _is_file(path), place.project)


def discovered(file: HostFile, *, show_paths: bool = False) -> tuple[str, list[Declared]]:
    """The host that a file turns out to belong to, and its servers in the file's order. Raises ConfigError."""
    from flowgen.topology import read

    try:
        data = file.path.read_bytes()
    except OSError as problem:
        raise ConfigError(f"{file.shown}: {problem.strerror or problem}", "read by its owner only?") from None
    found = read([(file.shown, data)], show_paths=show_paths)
    behind = {flow.target for flow in found.flows if flow.source.startswith("bridge:")}
    nodes = [node for node in found.nodes if node.kind in _NODES and node.id not in behind]
    return found.sources[0].host or file.host if found.sources else file.host, [_declared(node) for node in nodes]


def _declared(node: "Node") -> Declared:
    where = node.evidence.where if node.evidence else None
    return Declared(node.name or node.title, node.transport or "", where, node.disabled)


def _system() -> "System":
    return "macos" if sys.platform == "darwin" else "windows" if sys.platform == "win32" else "linux"


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a folder on the way that may not be entered
        return False


def _without_home(path: str, home: str) -> str:
    from flowgen.topology import shown_path

    return f"~{path[len(home) :]}" if home and path.startswith(f"{home}/") else shown_path(path)
