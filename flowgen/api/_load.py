"""Files and bytes as what they hold: a recording as a Trace, a host's config file or a description as a Topology."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypedDict, Unpack, overload

from flowgen.errors import UsageError

from ._architecture import is_recording, opened, topology_of
from ._kinds import fitting, readable, shown
from ._notebook import shown_in_notebooks
from ._traces import load as load_trace
from ._views import View, is_architecture

if TYPE_CHECKING:
    from flowgen.topology import Topology
    from flowgen.trace import Trace

Source = str | Path | bytes | BinaryIO

_PEEK = 1 << 16  # bytes that tell a recording


class Recorded(TypedDict, total=False):
    """What may be asked of a recording while it is read.

    fold: so many equals are kept before the others are counted only, so that lines of any length of file need not fit
    into memory. source_format: the name of a recording's format, where its content does not tell. server: the name of
    the one of several servers that is meant.
    """

    fold: int | None
    source_format: str | None
    server: str | None


@overload
def load(
    source: Source, name: str | None = None, *, view: Literal["flow"], **recorded: Unpack[Recorded]
) -> "Trace": ...


@overload
def load(
    source: Source, name: str | None = None, *, view: Literal["architecture"], host: str | None = None,
    show_paths: bool = False,
) -> "Topology": ...  # fmt: skip


@overload
def load(
    source: Source, name: str | None = None, *, view: View | None = None, host: str | None = None,
    show_paths: bool = False, **recorded: Unpack[Recorded],
) -> "Trace | Topology": ...  # fmt: skip


def load(
    source: Source, name: str | None = None, *, view: View | None = None, host: str | None = None,
    show_paths: bool = False, **recorded: Any,
) -> "Trace | Topology":  # fmt: skip
    """Read a file by its path, an open file, or bytes: a recording, ours or another tool's, is a Trace; the config file
    of an MCP host, a topology document or its short form is a Topology with its findings.

    `name` is what errors call it, and its path may tell the host. What it is the content tells; with `view` it is a
    Trace ("flow") or a Topology ("architecture", of a recording what was seen in it). `host` is the title of a host
    whose file's path does not tell it; user names in paths become `~` unless `show_paths`. What may be asked of a
    recording is in `Recorded`. Nothing that a file names is started, resolved or contacted. Raises TraceError,
    ConfigError and UsageError.

    >>> trace = flowgen.load("trace.json", view="flow")
    >>> [message.body["method"] for message in trace.messages if message.kind == "request"][:2]
    ['initialize', 'tools/list']
    >>> system = flowgen.load("mcp.json", view="architecture")
    >>> system.zones[0].kind
    'machine'
    """
    readable(source)
    given = {word: value for word, value in recorded.items() if value is not None}
    fitting(name=name, host=host, show_paths=show_paths, **given)
    if view not in (None, "flow", "architecture"):
        raise UsageError(f"view: there is no {shown(view)}", "known: flow, architecture")
    shown_in_notebooks()
    if view == "flow" or recorded.get("source_format") or recorded.get("server"):
        return load_trace(source, name, **recorded)
    called = name or (str(source) if isinstance(source, str | Path) else "trace")
    if view is None and not isinstance(source, str | Path | bytes) and is_recording(head_of(source)):
        return load_trace(source, called, **recorded)
    if view is None and isinstance(source, str | Path) and _is_recorded(source):
        return load_trace(source, called, **recorded)
    data = _data(source, called)
    if is_architecture(called, data, view):
        return topology_of([(called, data)], [], host, show_paths)
    return load_trace(BytesIO(data), called, **recorded)


def _is_recorded(path: str | Path) -> bool:
    """Whether a file need not be read twice to know that it is a recording; what cannot be opened is told later."""
    try:
        with open(path, "rb") as file:
            return str(path).endswith(".jsonl") or is_recording(file.read(_PEEK))
    except OSError:
        return False


def head_of(file: BinaryIO) -> bytes:
    """The first bytes of an open file, which stay to be read; none of one that cannot go back."""
    if hasattr(file, "peek"):
        return bytes(file.peek(_PEEK))
    if not file.seekable():
        return b""
    place = file.tell()
    head = file.read(_PEEK)
    file.seek(place)
    return head


def _data(source: Source, called: str) -> bytes:
    if isinstance(source, bytes):
        return source
    return opened([source])[0][1] if isinstance(source, str | Path) else source.read()
