"""Which picture is drawn of the inputs: the flow of a recording, or the architecture behind a host's config file."""

from collections.abc import Sequence
from typing import Any

import click

from ._inputs import STDIN, read_stdin
from ._options import adding
from ._texts import settled

_OPTIONS = (
    click.option("--view", type=click.Choice(["flow", "architecture"]),
                 help="The story of a recording, or who runs where behind a host's config file; else the input tells."),
    click.option("--host", metavar="NAME", help="The host whose config file it is, where its path does not tell."),
    click.option("--show-paths", is_flag=True, help="Show paths with the user names in them, instead of ~."),
)  # fmt: skip


views = adding(_OPTIONS)


def is_architecture(sources: Sequence[str], view: str | None) -> bool:
    """Whether the architecture is to be drawn: it was asked for, or every input is a config file."""
    if view is not None:
        return view == "architecture"
    from flowgen import api

    return all(source != STDIN and api.is_config(source) for source in sources)


def architecture_files(
    sources: Sequence[str], form: str, scale: float, output: str | None, host: str | None, show_paths: bool,
    options: dict[str, Any],
) -> list[bytes]:  # fmt: skip
    """The files of the picture."""
    from flowgen import api

    inputs = [("stdin", read_stdin()) if source == STDIN else source for source in sources]
    told = api.architecture(inputs, host=host, show_paths=show_paths, **settled(options, output))
    return told.files(form, scale, output)
