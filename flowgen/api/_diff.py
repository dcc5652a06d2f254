"""Two files compared by what they mean: configs and descriptions by who runs where and what crosses which boundary.

What is compared how is a table by kind, so that another kind of input is another row.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, Unpack

from flowgen.errors import UsageError

from ._architecture import Architecture, is_recording, opened, picture_of, topology_of
from ._options import DrawingOptions, checked

if TYPE_CHECKING:
    from flowgen.topology import Change, Topology

Kind = Literal["topology", "recording"]
File = tuple[str, bytes]  # its name and what is in it

FORMS = ("text", "json", "md", "svg", "png", "pdf")
_KINDS = {"topology": "a config file or a description", "recording": "a recording"}


class Difference(Protocol):
    """What two files differ in; false where they do not."""

    def __bool__(self) -> bool: ...

    def files(self, form: str, scale: float = 2.0, out: str | None = None) -> list[bytes]:
        """The files of one of the FORMS."""


@dataclass(frozen=True)
class TopologyDifference:
    """Two topologies compared: the changes, what is graver first, and the picture of both in one."""

    names: tuple[str, str]
    picture: Architecture

    def __bool__(self) -> bool:
        return bool(self.changes)

    @property
    def topology(self) -> "Topology":
        """Both as one document, each part marked with what became of it."""
        return self.picture.topology

    @property
    def changes(self) -> "Sequence[Change]":
        """What changed, in the order in which it should be looked at."""
        return self.topology.changes or ()

    def text(self) -> str:
        """A line for each change."""
        from flowgen.check import changes_text

        return changes_text(self.changes, self.names)

    def json(self) -> str:
        """The changes as a document (`flowgen.changes/1`)."""
        from flowgen.check import changes_json

        return changes_json(self.changes, self.names)

    def markdown(self) -> str:
        """The changes as a table."""
        from flowgen.check import changes_markdown

        return changes_markdown(self.changes, self.names)

    def files(self, form: str, scale: float = 2.0, out: str | None = None) -> list[bytes]:
        """The files of one of the FORMS. Raises UsageError for another one."""
        texts: dict[str, Callable[[], str]] = {"text": self.text, "json": self.json, "md": self.markdown}
        if form in texts:
            return [texts[form]().encode("utf-8", "replace")]
        if form not in FORMS:
            raise UsageError(f"a difference is not written as {form}", f"known: {', '.join(FORMS)}")
        return self.picture.files(form, scale, out)


def diff(
    old: "str | Path | File",
    new: "str | Path | File",
    *,
    host: str | None = None,
    show_paths: bool = False,
    **options: Unpack[DrawingOptions],
) -> Difference:
    """Compare two config files, descriptions or recordings, by their paths or as (name, bytes).

    Servers are the same by host and key, whatever their lines. The options are those of a picture. Nothing that a file
    names is started, resolved or contacted. Raises ConfigError, TraceError, and UsageError for two of different kinds.
    """
    checked(options)
    files = opened([old, new])
    kinds = [_kind(file) for file in files]
    if kinds[0] != kinds[1]:
        told = " and ".join(f"{name} is {_KINDS[kind]}" for (name, _), kind in zip(files, kinds, strict=True))
        raise UsageError(f"{told}: they cannot be compared", "give two of a kind; render has --with TRACE")
    return _COMPARED[kinds[0]](files[0], files[1], host=host, show_paths=show_paths, **options)


def _kind(file: File) -> Kind:
    return "recording" if is_recording(file[1]) else "topology"


def _topologies(old: File, new: File, *, host: str | None, show_paths: bool, **options: Any) -> Difference:
    """Who runs where; of recordings as far as they show it."""
    from flowgen.check import compared
    from flowgen.topology import shown_path

    both = compared(*(topology_of([file], (), host, show_paths) for file in (old, new)))
    names = [name if show_paths else shown_path(name) for name, _ in (old, new)]
    titled = both.model_copy(update={"title": " → ".join(names)})
    return TopologyDifference((names[0], names[1]), picture_of(titled, **options))


_COMPARED: dict[Kind, Callable[..., Difference]] = {"topology": _topologies, "recording": _topologies}
