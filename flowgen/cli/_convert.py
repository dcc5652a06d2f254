"""`flowgen convert`: one recording format into another."""

import os
import sys

import click

from flowgen.errors import UsageError

from ._foreign import recordings
from ._help import Plain
from ._inputs import STDIN
from ._output import STDOUT, say, warnings_told
from ._words import FILE

_EXAMPLES = """
\b
Examples:
  flowgen convert mcp.log -o session.json
  flowgen convert mcp.log --name github -o github.json
  flowgen convert session.har -o session.jsonl
  flowgen convert trace.json -o spans.json --to otlp
"""


@click.command(cls=Plain, epilog=_EXAMPLES)
@click.argument("source", metavar="IN", type=FILE)
@click.option("-o", "--output", metavar="OUT", type=FILE, help="The file; - or nothing is stdout.")
@click.option("--to", metavar="NAME", help="json, jsonl (traces), har, mcpsnoop or otlp; else the suffix of OUT tells.")
@recordings
def convert(source: str, output: str | None, source_format: str | None, to: str | None, server: str | None) -> None:
    """Write a recording in another format.

    IN is whatever flowgen render draws: a trace, a log of Claude Desktop or VS Code, a HAR, spans of OpenTelemetry,
    a recording of mcpsnoop, mcpdump, glassport, mcp-cassette or the Inspector; - is stdin. What the other format
    cannot hold is told on stderr.
    """
    from flowgen import api

    to_stdout = output in (None, STDOUT)
    refuse_place(source, None if to_stdout else output)
    with warnings_told():
        lost = api.convert(
            sys.stdin.buffer if source == STDIN else source,
            sys.stdout.buffer if to_stdout or output is None else output,
            source_format=source_format, to=to, server=server, name="stdin" if source == STDIN else None,
        )  # fmt: skip
    if lost:
        say(f"{'stdout' if to_stdout else output}: cannot hold {', '.join(lost)}: left out")


def refuse_place(source: str, output: str | None) -> None:
    """Raises UsageError for a place that can take no file."""
    if output is None:
        return
    if os.path.isdir(output) or not output:
        raise UsageError(f"-o {output}: this is no file", "name a file: -o trace.json")
    if source != STDIN and os.path.exists(source) and os.path.exists(output) and os.path.samefile(source, output):
        raise UsageError(f"-o {output}: this is what is read", "give the new recording a name of its own")
