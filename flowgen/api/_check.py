"""From recordings, config files and topology documents to a report of what is wrong with them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from flowgen.errors import UsageError

from ._architecture import is_recording, laid_over, opened
from ._kinds import fitting, listed
from ._traces import load

if TYPE_CHECKING:
    from flowgen.check import Breach, Level, Report
    from flowgen.topology import Finding, Topology
    from flowgen.trace import Trace

    Checked = str | Path | tuple[str, bytes] | Trace | Topology

File = tuple[str, bytes]

_NODES = ("server", "bridge", "gateway")


def check(
    sources: "Checked | Iterable[Checked]",
    *,
    seen: "Sequence[str | Path | File]" = (),
    host: str | None = None,
    show_paths: bool = False,
    ignore: Iterable[str] = (),
    source_format: str | None = None,
    server: str | None = None,
) -> "Report":
    """Judge recordings by the rules of the protocol, and config files and topologies by what a reviewer asks.

    One or several of them: files by their paths or as (name, bytes), a Trace, a Topology. The report gives its
    findings, the gravest first. `ignore` are rules that are not looked at. Several config files are judged together,
    for one may share a secret or a server with another. Nothing that a file names is started, resolved or contacted.
    Recordings in `seen` are laid over what configs declare. `source_format` and `server` as for `load`. Raises
    ConfigError, TraceError, and UsageError for a rule that there is not.

    >>> list(flowgen.check("trace.json"))
    []
    >>> for finding in flowgen.check("mcp.json"):
    ...     print(finding.severity, finding.code, finding.where)
    medium unpinned-package mcp.json:1
    >>> flowgen.check("mcp.json").at_least("high")
    ()
    """
    from flowgen.check import breaches, known, report
    from flowgen.topology import Topology, shown_path
    from flowgen.trace import Trace

    fitting(seen=seen, host=host, show_paths=show_paths, ignore=ignore, source_format=source_format, server=server)
    left_out = frozenset(map(known, ignore))
    given = listed("sources", sources, str | Path | tuple | Trace | Topology, "files, a Trace or a Topology")
    traces = [each for each in given if isinstance(each, Trace)]
    files = opened([each for each in given if not isinstance(each, Trace | Topology)])
    names = {name: name if show_paths else shown_path(name) for name, _ in files}
    recordings = [file for file in files if source_format or server or is_recording(file[1])]
    read_in = _topologies([file for file in files if file not in recordings], seen, host, show_paths)
    read_in += [each for each in given if isinstance(each, Topology)]
    loaded = ((name, load(data, name, source_format=source_format, server=server)) for name, data in recordings)
    found: list[Finding | Breach] = [*_in_configs(read_in, left_out), *_in_recordings(loaded, names, left_out)]
    found += [breach for trace in traces for breach in breaches(trace, left_out)]
    called = [names[name] for name, _ in files] + ["a recording"] * len(traces)
    called += ["a topology"] * (len(given) - len(files) - len(traces))
    return report(tuple(called), sum(map(_servers, read_in)), tuple(found), len(recordings) + len(traces))


def _topologies(
    files: Sequence[File], seen: "Sequence[str | Path | tuple[str, bytes]]", host: str | None, show_paths: bool
) -> "list[Topology]":
    """What is behind config files, all of them together, and behind each description."""
    from flowgen.topology import is_document, read

    configs = [file for file in files if not is_document(*file)]
    groups = [[file] for file in files if file not in configs]
    read_in = [read(group, host=host, show_paths=show_paths) for group in (*groups, configs) if group]
    return [laid_over(_only(read_in), opened(seen), show_paths)] if seen else read_in


def _in_configs(read_in: "Iterable[Topology]", left_out: frozenset[str]) -> "Iterator[Finding]":
    from flowgen.check import findings

    return (each for topology in read_in for each in findings(topology) if each.code not in left_out)


def _in_recordings(
    loaded: "Iterable[tuple[str, Trace]]", names: dict[str, str], left_out: frozenset[str]
) -> "Iterator[Breach]":
    """What breaks the rules, with the file before the message's anchor."""
    from flowgen.check import breaches

    for name, trace in loaded:
        for breach in breaches(trace, left_out):
            yield replace(breach, where=f"{names[name]}{breach.where}")


def _only(read_in: "list[Topology]") -> "Topology":
    if len(read_in) != 1:
        raise UsageError("--with: several things to lay it over", "check config files, or one description, at a time")
    return read_in[0]


def report_files(told: "Report", form: str, level: "Level") -> bytes:
    """A report in one of its formats; what is a failure for build servers begins at `level`."""
    from flowgen.check import as_json, as_junit, as_markdown, as_sarif, as_text

    written: dict[str, Callable[[Report], str]] = {
        "text": as_text, "json": as_json, "sarif": as_sarif, "md": as_markdown,
        "junit": lambda each: as_junit(each, level),
    }  # fmt: skip
    return written[form](told).encode("utf-8", "replace")


def _servers(topology: "Topology") -> int:
    """Servers by name: a bridge and the server behind it are one entry."""
    return len({(node.name, node.scope) if node.name else node.id for node in topology.nodes if node.kind in _NODES})
