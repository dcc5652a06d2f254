"""Which picture is drawn of the inputs: the flow of a recording, or the architecture behind a host's config file."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from flowgen.errors import UsageError

from ._inputs import STDIN, is_config, sources_of
from ._options import adding
from ._output import placed
from ._texts import settled
from ._words import FILE

if TYPE_CHECKING:
    from flowgen.api import Asked

WITH = click.option("--with", "seen", metavar="TRACE", multiple=True, type=FILE,
                    help="A recording to lay over what the files declare: tools called, tokens, who was not declared "
                         "and who was never seen. May be repeated.")  # fmt: skip
_OPTIONS = (
    click.option("--view", type=click.Choice(["flow", "architecture"]),
                 help="The story of a recording, or who runs where behind a host's config file; else the input tells."),
    click.option("--host", metavar="NAME", help="The host whose config file it is, where its path does not tell."),
    WITH,
    click.option("--emit", type=click.Choice(["yaml"]),
                 help="Write no picture but a short description of the architecture, to start editing."),
    click.option("--layout", default="auto", show_default=True, type=click.Choice(["auto", "rows", "graph"]),
                 help="Lay the architecture out in rows, or as a graph (extra graphviz); else rows if they hold it."),
    click.option("--show-paths", is_flag=True, help="Show paths with the user names in them, instead of ~."),
)  # fmt: skip


views = adding(_OPTIONS)


def is_architecture(sources: Sequence[str], view: str | None, seen: Sequence[str]) -> bool:
    """Whether the architecture is to be drawn: it was asked for, or there is a config file among the inputs."""
    _refuse_unseen(view, seen)
    if view is not None or seen:
        return view != "flow"
    return any(map(is_config, sources))


def _refuse_unseen(view: str | None, seen: Sequence[str]) -> None:
    if view == "flow" and seen:
        raise UsageError("--with lays recordings over a config, and --view flow draws none", "leave one of them out")


def asked_of(view: Any, host: str | None, show_paths: bool, seen: Sequence[str]) -> "Asked":
    """What is asked of the pictures of a folder, each of which tells its view itself. Raises UsageError, TraceError."""
    from flowgen.api import Asked, opened

    _refuse_unseen(view, seen)
    return Asked(view, host, show_paths, tuple(opened(sources_of(seen))))


def architecture_files(
    sources: Sequence[str], form: str, scale: float, output: str | None, seen: Sequence[str], host: str | None,
    show_paths: bool, options: dict[str, Any],
) -> list[bytes]:  # fmt: skip
    """The files of the picture."""
    from flowgen import api

    if STDIN in sources and STDIN in seen:
        raise UsageError("--with -: stdin is an input already", "give one of them by its path")
    inputs, laid = sources_of(sources), sources_of(seen)
    told = api.architecture(inputs, seen=laid, host=host, show_paths=show_paths, **settled(options, output))
    return told.files(form, scale, placed(output))
