"""Which picture an input gets: the flow of a recording, or the architecture behind a host's config file."""

from typing import TYPE_CHECKING, Literal, NamedTuple

from ._architecture import architecture, is_recording
from ._options import DrawingOptions, fold_of

if TYPE_CHECKING:
    from ._architecture import Architecture
    from ._pictures import Drawing

View = Literal["flow", "architecture"]


class Asked(NamedTuple):
    """What tells which picture an input gets, and what an architecture needs beside it.

    `host` is the host of files whose path does not tell it; with `show_paths` user names in paths are shown. `seen`
    are recordings, as (name, bytes), that are laid over config files. Of recordings, `source_format` and `server` are
    as for `load`.
    """

    view: View | None = None
    host: str | None = None
    show_paths: bool = False
    seen: tuple[tuple[str, bytes], ...] = ()
    source_format: str | None = None
    server: str | None = None


def is_architecture(name: str, data: bytes, view: View | None) -> bool:
    """Whether the architecture of an input is drawn: it was asked for, or the input is a config or a topology."""
    from flowgen.topology import is_config

    if view is not None:
        return view == "architecture"
    return not name.endswith(".jsonl") and not is_recording(data) and is_config(data, name)


def picture(name: str, data: bytes, asked: Asked, options: DrawingOptions) -> "Drawing | Architecture":
    """The picture of one input. Raises FlowgenError for what is neither a recording nor a config file."""
    is_flow = asked.view is None and (asked.source_format or asked.server)
    if not is_flow and is_architecture(name, data, asked.view):
        seen = () if is_recording(data) else asked.seen
        return architecture([(name, data)], seen=seen, host=asked.host, show_paths=asked.show_paths, **options)
    from ._pictures import drawing
    from ._traces import load

    fold = fold_of(options)
    trace = load(data, name, fold=fold, source_format=asked.source_format, server=asked.server)
    return drawing(trace, **options)
