"""`flowgen tap`: stands between somebody's client and server, and writes down what passes."""

import os
from typing import Any, ClassVar

import click

from flowgen.errors import UsageError

from ._help import Sorted
from ._output import say
from ._words import FILE

_EXAMPLES = """
\b
Examples:
  flowgen tap -o session.jsonl -- python server.py
  flowgen tap -o '~/mcp/{time}-{pid}.jsonl' -- npx -y @modelcontextprotocol/server-everything
"""


@click.command(epilog=_EXAMPLES, context_settings={"allow_interspersed_args": False})
@click.argument("command", metavar="[-- CMD ARG…]", nargs=-1, type=click.UNPROCESSED)
@click.option("-o", "--output", metavar="FILE", type=FILE, required=True,
              help="Where to write, as JSON Lines; {time} and {pid} in the name are filled in.")
@click.option("--redact/--no-redact", default=True, help="Mask secrets (default), or keep everything as it was.")
@click.option("--redact-key", multiple=True, metavar="NAME", help="Mask the values under this name, too; repeatable.")
@click.option("--max-message", type=click.IntRange(min=1), metavar="BYTES", help="Keep messages up to this size whole.")
@click.option("--max-size", type=click.IntRange(min=1), metavar="BYTES", help="Write no more than this.")
@click.pass_context
def tap(ctx: click.Context, /, command: tuple[str, ...], output: str, **given: Any) -> None:
    """Pass on."""
    from flowgen.record._tap_page import Page, named
    from flowgen.record._tap_scribe import Manners
    from flowgen.record._tap_stdio import StdioTap, leave

    page = Page(os.path.abspath(named(output)), given["max_size"])
    leave(StdioTap(command, page, Manners(), say).run())
