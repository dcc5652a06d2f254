"""`flowgen demo`: a bundled server is recorded and drawn in one go."""

from collections.abc import Sequence
from typing import Any

import click

from flowgen.errors import FlowgenError, UsageError

from ._eras import beside_each_other
from ._help import Plain
from ._output import placed, refuse, warnings_told, write
from ._texts import FORMATS, settled
from ._words import FILE, demos, themes

_EXAMPLES = """
\b
Examples:
  flowgen demo                        the first picture, in flow.svg
  flowgen demo full -o full.svg       every feature once
  flowgen demo --lang zh --theme dark -o flow.png
  flowgen demo eras -o eras.svg       the same server in the handshake and in the stateless era
"""
_REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")


@click.command(cls=Plain, epilog=_EXAMPLES)
@click.argument("name", metavar="[NAME]", default="seed", shell_complete=demos)
@click.option("-o", "--output", default="flow.svg", show_default=True, metavar="FILE", type=FILE,
              help="Picture; - is stdout.")
@click.option("-f", "--format", "form", metavar="FORMAT", help=FORMATS)
@click.option("--list", "listing", is_flag=True, help="Tell the demos there are.")
@click.option("--revision", type=click.Choice(_REVISIONS), help="Revision of MCP to speak instead of the demo's own.")
@click.option("--both-eras", is_flag=True, help="Both eras beside each other, as the demo eras is drawn by itself.")
@click.option("--theme", default="auto", show_default=True, metavar="THEME", shell_complete=themes,
              help="auto, light, dark, a name or a TOML file.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "zh", "en+zh"]),
              help="Language of titles, labels and notes.")
@click.option("--notes", default="brief", show_default=True, type=click.Choice(["none", "brief", "full"]),
              help="Explanations beside the messages.")
def demo(
    name: str, output: str, form: str | None, listing: bool, revision: str | None, both_eras: bool, **options: Any
) -> None:
    """Record a bundled server and draw it: the first thing to try."""
    if listing:
        _tell_names()
        return
    from flowgen import api
    from flowgen.demo import in_both_eras

    if both_eras or (revision is None and in_both_eras(_known(name))):
        names = beside_each_other(_known(name), output, form, revision, options)
        click.echo(_next_step(name, names), err=True)
        return
    chosen = api.format_of(None if output == "-" else output, form)
    refuse(output, chosen)
    trace = api.record(demo=_known(name), revision=revision)
    with warnings_told():
        files = api.drawing(trace, **settled(options, output)).files(chosen, out=placed(output))
    names = write(output, files, chosen)
    if not trace.outcome.complete:
        hint = "leave --revision out: not every demo speaks every revision" if revision else None
        raise FlowgenError(f"the recording is not complete ({trace.outcome.reason}); what was seen is drawn", hint)
    click.echo(_next_step(name, names), err=True)


def _tell_names() -> None:
    from flowgen.demo import names

    for name, about in names():
        click.echo(f"{name:14} {about}")


def _known(name: str) -> str:
    from flowgen.demo import names

    known = [each for each, _ in names()]
    if name in known:
        return name
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
    raise UsageError(f'no demo is called "{name}"', hint)


def _next_step(name: str, names: Sequence[str]) -> str:
    wrote = f"wrote {' … '.join([names[0], *names[1:][-1:]]) if names else 'the picture'}"
    other = "flowgen demo full" if name == "seed" else "flowgen demo --list"
    return f"flowgen: {wrote}; next: {other}, or your own server: flowgen record -o trace.json -- COMMAND"
