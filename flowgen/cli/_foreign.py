"""Options of every command that takes recordings: whose they are, and which of several servers is meant."""

import click

from ._options import adding


def formats(ctx: click.Context, param: click.Parameter, word: str) -> list[str]:
    """The formats whose names begin so."""
    from flowgen.foreign import FORMATS, OWN

    return [name for name in (OWN, *(form.name for form in FORMATS)) if name.startswith(word)]


_OPTIONS = (
    click.option("--from", "source_format", metavar="NAME", shell_complete=formats,
                 help="Whose recording it is, where its content does not tell: har, otlp, vscode, … or flowgen."),
    click.option("--name", "server", metavar="SERVER",
                 help="Of a recording with several servers, only the messages of this one."),
)  # fmt: skip


recordings = adding(_OPTIONS)
