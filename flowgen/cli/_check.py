"""`flowgen check`: recordings, config files and topologies in, findings out."""

import gc
from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from ._foreign import recordings
from ._help import Plain
from ._inputs import inputs_of, sources_of
from ._output import placed, put_out, refuse, say
from ._views import WITH
from ._words import FILE

_EXAMPLES = """
\b
Examples:
  flowgen check session.json
  flowgen check *.jsonl --fail-on warning --ignore meta-clientinfo-missing
  flowgen check --explain response-unmatched
  flowgen check --explain all
  flowgen check .mcp.json
  flowgen check ~/.cursor/mcp.json .vscode/mcp.json --fail-on medium
  flowgen check .mcp.json --format sarif -o findings.sarif
"""
_GARBAGE = 200_000  # objects; with none at all, the recordings of a folder would all stay in memory
_FOUND = 3
_LEVELS = ["error", "warning", "high", "medium", "low", "info"]


@click.command(cls=Plain, epilog=_EXAMPLES)
@click.argument("inputs", metavar="INPUT...", nargs=-1, type=FILE)
@click.option("-o", "--output", metavar="OUT", type=FILE, help="A file for the report (- or nothing is stdout).")
@click.option("-f", "--format", "form", default="text", show_default=True,
              type=click.Choice(["text", "json", "sarif", "junit", "md"]), help="Format of the report.")
@click.option("--fail-on", "level", default="error", type=click.Choice(_LEVELS),
              help="End with exit code 3 if there is a finding of this level or above: error, warning, info of "
                   "recordings, high, medium, low, info of configs.  [default: error, of configs high]")
@click.option("--ignore", metavar="RULE", multiple=True, help="A rule that is not looked at. May be repeated.")
@click.option("--explain", metavar="RULE",
              help="Tell of a rule: what it asks, since when, an example, its source; all lists the rules.")
@WITH
@recordings
@click.option("--host", metavar="NAME", help="The host whose config file it is, where its path does not tell.")
@click.option("--show-paths", is_flag=True, help="Show paths with the user names in them, instead of ~.")
def check(
    inputs: Sequence[str], output: str | None, form: str, level: Any, ignore: Sequence[str], explain: str | None,
    seen: Sequence[str], host: str | None, show_paths: bool, source_format: str | None, server: str | None,
) -> int:  # fmt: skip
    """Judge recordings by the rules of the protocol, and hosts' config files by what a security reviewer asks.

    INPUT is a recording, the config file of an MCP host, or a topology document; - is stdin. A folder stands for its
    *.json and *.jsonl, and for the config files that hosts look for in a project. Several config files are judged
    together. Nothing that they name is started, resolved or contacted, and no secret is shown.
    """
    if explain is not None:
        return _explain(explain)
    from flowgen import api

    click.get_current_context().call_on_close(partial(gc.set_threshold, *gc.get_threshold()))
    gc.set_threshold(_GARBAGE)  # a recording is many small objects: looking for garbage took a third of the time
    named = inputs_of(_given(inputs), configs=True)
    refuse(output, form, [*named, *seen])
    told = api.check(sources_of(named), seen=sources_of(seen), host=host, show_paths=show_paths, ignore=ignore,
                     source_format=source_format, server=server)  # fmt: skip
    if told.recordings:
        _hint_at_schemas()
    data = api.report_files(told, form, level)
    place = placed(output)
    if place is None:
        put_out(data)
    else:
        api.put(place, data)
    return _FOUND if told.at_least(level) else 0


def _explain(rule: str) -> int:
    from flowgen.check import explained

    put_out(explained(rule).encode())
    return 0


def _hint_at_schemas() -> None:
    from flowgen.check import reads_schemas

    if not reads_schemas():
        say("what tools take and give is not compared with their schemas: pip install 'mcp-flowgen[check]'", "hint")


def _given(inputs: Sequence[str]) -> Sequence[str]:
    if not inputs:
        raise click.UsageError("Missing argument 'INPUT...'.", click.get_current_context())
    return inputs
