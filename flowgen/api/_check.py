"""From config files and topology documents to a report of what a reviewer should look at."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from flowgen.errors import ConfigError, UsageError

from ._architecture import is_recording, laid_over, opened

if TYPE_CHECKING:
    from flowgen.check import Report
    from flowgen.topology import Severity, Topology

_NODES = ("server", "bridge", "gateway")


def check(
    sources: "Iterable[str | Path | tuple[str, bytes]]",
    *,
    seen: "Sequence[str | Path | tuple[str, bytes]]" = (),
    host: str | None = None,
    show_paths: bool = False,
) -> "Report":
    """Judge config files and topology documents, by their paths or as (name, bytes).

    Several config files are judged together, for one may share a secret or a server with another. Nothing that a file
    names is started, resolved or contacted. Recordings in `seen` are laid over what is declared. Raises ConfigError,
    and UsageError for a recording among `sources`.
    """
    from flowgen.check import findings, report
    from flowgen.topology import is_document, read, shown_path

    files = [source if isinstance(source, tuple) else (str(source), _bytes(source)) for source in sources]
    for name, data in files:
        _refuse_recording(name, data)
    configs = [file for file in files if not is_document(*file)]
    groups = [[file] for file in files if file not in configs]
    read_in = [read(group, host=host, show_paths=show_paths) for group in (*groups, configs) if group]
    if seen:
        read_in = [laid_over(_only(read_in), opened(seen), show_paths)]
    paths = tuple(name if show_paths else shown_path(name) for name, _ in files)
    found = tuple(finding for topology in read_in for finding in findings(topology))
    return report(paths, sum(map(_servers, read_in)), found)


def _only(read_in: "list[Topology]") -> "Topology":
    if len(read_in) != 1:
        raise UsageError("--with: several things to lay it over", "check config files, or one description, at a time")
    return read_in[0]


def report_files(told: "Report", form: str, level: "Severity") -> bytes:
    """A report in one of its formats; what is a failure for build servers begins at `level`."""
    from flowgen import check as forms

    written: dict[str, Callable[[Report], str]] = {
        "text": forms.as_text, "json": forms.as_json, "sarif": forms.as_sarif, "md": forms.as_markdown,
        "junit": lambda each: forms.as_junit(each, level),
    }  # fmt: skip
    return written[form](told).encode("utf-8", "replace")


def _servers(topology: "Topology") -> int:
    """Servers by name: a bridge and the server behind it are one entry."""
    return len({(node.name, node.scope) if node.name else node.id for node in topology.nodes if node.kind in _NODES})


def _refuse_recording(name: str, data: bytes) -> None:
    if is_recording(data):
        raise UsageError(
            f"{name}: a recording; only configs and topologies can be checked yet",
            "give the config file of an MCP host, or a topology document; flowgen render draws recordings",
        )


def _bytes(source: str | Path) -> bytes:
    try:
        return Path(source).read_bytes()
    except OSError as problem:
        raise ConfigError(f"{source}: {problem.strerror or problem}", "give the path of a config file") from None


