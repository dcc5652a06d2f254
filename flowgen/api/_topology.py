"""Who runs where, from files of several kinds at once: what `load` gives of one file, and more."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ._architecture import opened, topology_of
from ._kinds import fitting, listed
from ._notebook import shown_in_notebooks

if TYPE_CHECKING:
    from flowgen.topology import Topology

    Named = str | Path | tuple[str, bytes]


def topology(
    sources: "Named | Sequence[Named]", *, seen: "Sequence[Named]" = (), host: str | None = None,
    show_paths: bool = False,
) -> "Topology":  # fmt: skip
    """The topology behind config files, descriptions or recordings, by their paths or as (name, bytes), judged.

    Several are one system. Recordings in `seen`, or among config files, are laid over what the files declare. `host`
    names the host of files whose path does not tell it; user names in paths become `~` unless `show_paths`. Nothing
    that a file names is started, resolved or contacted. Raises ConfigError, TraceError and UsageError.

    >>> system = flowgen.topology("mcp.json")
    >>> [node.name for node in system.nodes if node.kind == "server"]
    ['files']
    >>> [finding.code for finding in system.findings]
    ['unpinned-package']
    """
    shown_in_notebooks()
    fitting(seen=seen, host=host, show_paths=show_paths)
    given = listed("sources", sources, str | Path | tuple, "files")
    return topology_of(opened(given), opened(seen), host, show_paths)
