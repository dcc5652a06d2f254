"""`flowgen render`: a recording in, a picture out."""

import gc
import sys
from typing import Any

import click

from ._looks import looks
from ._output import refuse, warnings_told, write
from ._pages import paged
from ._words import FILE, themes

_EXAMPLES = """
\b
Examples:
  flowgen render trace.json -o flow.svg
  flowgen render trace.json -o flow.png --theme dark --lang zh
  flowgen record -- python server.py | flowgen render - > flow.svg
  flowgen render trace.json --steps 2-3 --notes full -o part.svg
"""


class _Number(click.FloatRange):
    name = "number"


class _Whole(click.IntRange):
    name = "whole number"


@click.command(epilog=_EXAMPLES)
@click.argument("source", metavar="INPUT", type=FILE)
@click.option("-o", "--output", metavar="FILE", type=FILE, help="Where to write; - or nothing is stdout.")
@click.option("-f", "--format", "file_format", metavar="FORMAT", help="svg, png, pdf or json; else the suffix tells.")
@click.option("--title", metavar="TEXT", help="Title of the picture instead of the trace's own.")
@click.option("--theme", default="auto", show_default=True, metavar="THEME", shell_complete=themes,
              help="auto, light, dark, a name or a TOML file.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "zh", "en+zh"]))
@click.option("--notes", default="brief", show_default=True, type=click.Choice(["none", "brief", "full"]))
@click.option("--times", default="none", show_default=True, type=click.Choice(["none", "latency", "clock"]))
@click.option("--steps", metavar="RANGES", help="Only these steps, such as 1-3,5.")
@click.option("--start-step", default=1, show_default=True, type=_Whole(0, 999), metavar="N",
              help="The number of the first step.")
@click.option("--only", multiple=True, metavar="PATTERN", help="Only these methods, such as 'tools/*'; repeatable.")
@click.option("--hide", multiple=True, metavar="KIND", help="Leave out a kind: stderr, noise, process, note, probe, …")
@click.option("--show", multiple=True, metavar="KIND", help="Show a kind that is left out by itself: probe, process.")
@click.option("--fold", default=2, show_default=True, type=_Whole(min=1), metavar="N",
              help="Of more exchanges alike than this, draw so many and fold the rest.")
@click.option("--full", is_flag=True, help="Fold nothing, cut nothing.")
@click.option("--headers", default="mcp", show_default=True, type=click.Choice(["none", "mcp", "all"]),
              help="HTTP heads: none, what matters to MCP, or whole.")
@click.option("--form", default="auto", show_default=True, type=click.Choice(["auto", "duo", "ledger"]),
              help="Two lanes with the JSON between, or narrow lanes and a column of messages.")
@looks
@paged
@click.option("--width", type=_Number(min=1), metavar="PX", help="Width on display in px (SVG).")
@click.option("--scale", default=2.0, show_default=True, type=_Number(0.1, 20), metavar="FACTOR",
              help="Size of a PNG: its pixels for each px of the SVG.")
def render(source: str, output: str | None, file_format: str | None, scale: float, **options: Any) -> None:
    """Draw a recording as a swim lane.

    INPUT is a trace, or a wire capture (a JSON object a line with ts, direction, transport, raw); - is stdin.
    """
    from flowgen import api

    gc.disable()  # a drawing makes many small objects and no garbage; looking for some took a fifth of the time
    chosen = api.format_of(None if output in (None, "-") else output, file_format)
    refuse(output, chosen, source)
    with warnings_told():
        files = api.drawing(_read(source), **options).files(chosen, scale)
    write(output, files)


def _read(source: str) -> Any:
    from flowgen import api

    if source == "-":
        return api.load(sys.stdin.buffer.read(), "stdin")
    return api.load(source)
