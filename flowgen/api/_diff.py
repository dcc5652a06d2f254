"""Two files compared by what they mean: configs and descriptions by who runs where and what crosses which boundary.

What is compared how is a table by kind, so that another kind of input is another row.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, Unpack

from flowgen.errors import UsageError

from ._architecture import Architecture, is_recording, opened, picture_of, topology_of
from ._changes import Compared
from ._kinds import fitting
from ._notebook import Bundle, bundle
from ._options import DrawingOptions, checked

if TYPE_CHECKING:
    from flowgen.topology import Change, Topology
    from flowgen.trace import Trace

Kind = Literal["topology", "recording"]

_KINDS = {"topology": "a config file or a description", "recording": "a recording"}


@dataclass(frozen=True)
class Side:
    """One of the two: its name, and its bytes or what was read from them."""

    name: str
    content: "bytes | Topology | Trace"
    source_format: str | None = None
    server: str | None = None

    @property
    def kind(self) -> Kind:
        """What it is, told by its bytes."""
        from flowgen.topology import Topology

        if isinstance(self.content, bytes):
            told = self.source_format or self.server or is_recording(self.content)
            return "recording" if told else "topology"
        return "topology" if isinstance(self.content, Topology) else "recording"

    def trace(self) -> "Trace":
        """The recording that it is. Raises TraceError for one that cannot be read."""
        from flowgen.trace import Trace

        from ._traces import load

        if isinstance(self.content, Trace):
            return self.content
        assert isinstance(self.content, bytes)  # a topology is compared with topologies
        return load(self.content, self.name, source_format=self.source_format, server=self.server)

    def topology(self, host: str | None, show_paths: bool) -> "Topology":
        """Who runs where, judged; of a recording as far as it shows it."""
        from flowgen.check import judged
        from flowgen.topology import Topology, from_traces

        if isinstance(self.content, bytes) and self.kind == "topology":
            return topology_of([(self.name, self.content)], (), host, show_paths)
        if isinstance(self.content, Topology):
            return judged(self.content)
        return judged(from_traces([(self.name, self.trace())], show_paths=show_paths))


class Difference(Protocol):
    """What two files differ in; false where they do not."""

    def __bool__(self) -> bool: ...

    @property
    def changes(self) -> Sequence[Any]:
        """What changed, in the order in which it should be looked at; each says `about`, `name`, `message`."""

    def files(self, form: str, scale: float = 2.0, out: str | None = None) -> list[bytes]:
        """The files of one of the FORMS."""


@dataclass(frozen=True)
class TopologyDifference(Compared):
    """Two topologies compared: the changes, what is graver first, and the picture of both in one."""

    names: tuple[str, str]
    picture: Architecture

    @property
    def topology(self) -> "Topology":
        """Both as one document, each part marked with what became of it."""
        return self.picture.topology

    @property
    def changes(self) -> "Sequence[Change]":
        """What changed, in the order in which it should be looked at."""
        return self.topology.changes or ()

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> Bundle:
        """What a notebook shows: both in one picture, or the changes as lines."""
        return bundle(lambda: self.picture.svg, self.text, include, exclude)

    def drawn(self, form: str, scale: float) -> list[bytes]:
        """Both in one picture."""
        return self.picture.files(form, scale)


def diff(
    old: "str | Path | tuple[str, bytes] | Topology | Trace",
    new: "str | Path | tuple[str, bytes] | Topology | Trace",
    *,
    host: str | None = None,
    show_paths: bool = False,
    view: Literal["flow", "architecture"] | None = None,
    ignore: Sequence[str] = (),
    source_format: str | None = None,
    server: str | None = None,
    **options: Unpack[DrawingOptions],
) -> Difference:
    """Compare two config files, descriptions or recordings, by their paths, as (name, bytes) or as they were loaded.

    Servers are the same by host and key, whatever their lines. Messages of recordings are matched by method, name
    and order, and places of them that `ignore` names are not compared (`/result/content/*/text`, or `times`); with
    the view `architecture` recordings are compared by who runs where; `source_format` and `server` as for `load`.
    The options are those of a picture. Nothing that a file names is started, resolved or contacted. Raises
    ConfigError, TraceError, and UsageError for two of different kinds.

    >>> bool(flowgen.diff("trace.json", "trace.json"))
    False
    >>> changes = flowgen.diff("mcp.json", "mcp.new.json")
    >>> [change.about for change in changes.changes]
    ['finding', 'launch']
    >>> picture = changes.files("svg")[0]
    """
    checked(options)
    fitting(host=host, show_paths=show_paths, ignore=ignore, source_format=source_format, server=server)
    sides = [replace(_side(each, usual), source_format=source_format, server=server)
             for each, usual in ((old, "old"), (new, "new"))]  # fmt: skip
    if sides[0].kind != sides[1].kind:
        told = " and ".join(f"{side.name} is {_KINDS[side.kind]}" for side in sides)
        raise UsageError(f"{told}: they cannot be compared", "give two of a kind; render has --with TRACE")
    compared = _topologies if view == "architecture" else _COMPARED[sides[0].kind]
    return compared(*sides, host=host, show_paths=show_paths, ignore=ignore, **options)


def _side(source: "str | Path | tuple[str, bytes] | Topology | Trace", usual: str) -> Side:
    from flowgen.topology import Topology
    from flowgen.trace import Trace

    if not isinstance(source, Topology | Trace):
        return Side(*opened([source])[0])
    return Side(source.title or usual, source)


def _recordings(
    old: Side, new: Side, *, host: str | None, show_paths: bool, ignore: Sequence[str], **options: Any
) -> Difference:
    """What was said."""
    from ._sessions import sessions

    return sessions(old.trace(), new.trace(), _short(old.name, new.name), ignore, **options)


def _short(old: str, new: str) -> tuple[str, str]:
    """The files' names without the folders that they share."""
    paths = [Path(name).parts for name in (old, new)]
    least = next((n for n in range(1, 20) if paths[0][-n:] != paths[1][-n:]), 1)
    one, other = ("/".join(path[-least:]) for path in paths)
    return one, other


def _topologies(
    old: Side, new: Side, *, host: str | None, show_paths: bool, ignore: Sequence[str], **options: Any
) -> Difference:
    """Who runs where."""
    from flowgen.check import compared
    from flowgen.topology import shown_path

    both = compared(*_of_one_host(old, new, host, show_paths))
    names = [name if show_paths else shown_path(name) for name in (old.name, new.name)]
    titled = both.model_copy(update={"title": " → ".join(names)})
    return TopologyDifference((names[0], names[1]), picture_of(titled, **options))


def _of_one_host(old: Side, new: Side, host: str | None, show_paths: bool) -> "list[Topology]":
    """Both read; a file whose path tells no host, such as one of stdin, is read as one of the other's host."""
    sides = (old, new)
    read = [side.topology(host, show_paths) for side in sides]
    told = [_host_of(each) for each in read]
    if None not in told or not any(told):
        return read
    known = told[0] or told[1]
    both = zip(read, told, sides, strict=True)
    return [each if name else side.topology(known, show_paths) for each, name, side in both]


def _host_of(topology: "Topology") -> str | None:
    """The host of a config that stands alone; None where nothing tells it, empty for what is no config."""
    files = topology.reading.files if topology.reading else ()
    return files[0].host.title if len(files) == 1 else ""


_COMPARED: dict[Kind, Callable[..., Difference]] = {"topology": _topologies, "recording": _recordings}
