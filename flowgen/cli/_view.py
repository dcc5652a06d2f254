"""`flowgen view`: the page of a recording or a config file, opened in the browser; with --watch as the file grows."""

import os
import tempfile
from pathlib import Path
from typing import Any

import click

from flowgen.errors import TraceError, UsageError

from ._foreign import recordings
from ._help import Sorted
from ._inputs import STDIN, read_stdin
from ._output import refuse, say, warnings_told, write
from ._texts import settled
from ._views import WITH, asked_of
from ._words import FILE, themes

_EXAMPLES = """
\b
Examples:
  flowgen view trace.json                 opens the page in the browser
  flowgen view trace.json -o page.html    writes it: one file, to send or to keep
  flowgen view --watch trace.jsonl        shows a session while flowgen tap records it
  flowgen view ~/.cursor/mcp.json         who runs where, with what is known of each server
"""


@click.command(cls=Sorted, epilog=_EXAMPLES)
@click.argument("source", metavar="INPUT", type=FILE)
@click.option("--watch", is_flag=True, help="Serve it to this machine alone, and show what is added until Ctrl-C.")
@click.option("-o", "--output", metavar="FILE", type=FILE, help="Write the page there and open nothing; - is stdout.")
@click.option("--no-open", is_flag=True, help="Open nothing: print where the page is.")
@click.option("--theme", default="auto", show_default=True, metavar="THEME", shell_complete=themes,
              help="auto, light, dark, a name or a TOML file.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "zh"]),
              help="The language to begin with; the page has both.")
@click.option("--title", metavar="TEXT", help="Title of the page instead of the trace's own.")
@click.option("--notes", default="brief", show_default=True, type=click.Choice(["none", "brief", "full"]),
              help="Explanations of the messages.")
@click.option("--full", is_flag=True, help="Fold nothing; keep every message of a long recording.")
@click.option("--check", is_flag=True, help="Mark what breaks a rule of the protocol, and list it.")
@click.option("--view", type=click.Choice(["flow", "architecture"]),
              help="The story of a recording, or who runs where; else the input tells.")
@click.option("--host", metavar="NAME", help="The host whose config file it is, where its path does not tell.")
@WITH
@click.option("--show-paths", is_flag=True, help="Show paths with the user names in them, instead of ~.")
@recordings
def view(
    source: str, watch: bool, output: str | None, no_open: bool, view: str | None, host: str | None,
    seen: tuple[str, ...], show_paths: bool, source_format: str | None, server: str | None, **options: Any,
) -> None:  # fmt: skip
    """Open a recording or a config file as a page: every message opens, and can be looked for, linked and played.

    The page is one file that needs no network. Without -o it goes into a folder for temporary files, which only you
    can read.
    """
    from flowgen import api

    _refuse_unclear(source, watch, output)
    asked = asked_of(view, host, show_paths, seen)._replace(source_format=source_format, server=server)
    viewed = api.Viewed(("stdin", read_stdin()) if source == STDIN else source, asked, _drawn(options))
    if watch:
        from ._view_server import serve

        serve(viewed, lambda address: _shown(address, address, no_open))
        return
    refuse(output, "html", [source])
    with warnings_told():
        page = viewed.html().encode()
    if output is not None:
        write(output, [page], "html")
    else:
        path = _kept(source, page)
        _shown(path, Path(path).as_uri(), no_open)


def _drawn(options: dict[str, Any]) -> Any:
    """The options of the drawing; a page has no columns."""
    unused = ("columns", "color", "ascii")
    return {name: value for name, value in settled(options).items() if name not in unused}


def _refuse_unclear(source: str, watch: bool, output: str | None) -> None:
    if watch and source == STDIN:
        raise UsageError("--watch: stdin cannot be read again", "name a file; flowgen tap -o FILE.jsonl writes one")
    if watch and output is not None:
        raise UsageError("--watch and -o do not go together", "leave one of them out")
    if watch and not os.path.exists(source):
        hint = f"begin the recording first: flowgen tap -o {source} -- CMD, where the client starts its server"
        raise TraceError(f"{source}: No such file or directory", hint)


def _kept(source: str, page: bytes) -> str:
    """The page in a file of its own, which stays: the browser reads it when it likes."""
    from flowgen import api

    name = "page" if source == STDIN else os.path.splitext(os.path.basename(source))[0] or "page"
    path = os.path.join(tempfile.mkdtemp(prefix="flowgen-"), f"{name}.html")
    api.put(path, page)
    return path


def _shown(place: str, address: str, no_open: bool) -> None:
    """Opens the page, or tells where it is."""
    if no_open:
        click.echo(place)
        return
    import webbrowser

    if webbrowser.open(address):
        say(f"opened {place}")
    else:
        say(f"no browser could be opened; the page is {place}")
