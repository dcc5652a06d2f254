"""`flowgen render`: a recording in, a picture out."""

import gc
import os
from collections.abc import Sequence
from typing import Any, ClassVar

import click

from flowgen.errors import UsageError

from ._foreign import recordings
from ._help import Sorted
from ._idle import tell_idle
from ._inputs import STDIN, inputs_of, is_folder, is_pipe, names_of, read_pipe, several, stdin_file
from ._looks import looks
from ._output import placed, refuse, warnings_told, write
from ._pages import paged
from ._texts import FORMATS, form_of, settled, texts
from ._views import architecture_files, asked_of, is_architecture, views
from ._words import FILE, themes

_EXAMPLES = """
\b
Examples:
  flowgen render trace.json -o flow.svg
  flowgen render trace.json -o flow.png --theme dark --lang zh
  flowgen record -- python server.py | flowgen render - > flow.svg
  flowgen render trace.json --steps 2-3 --notes full -o part.svg
  flowgen render trace.json --lang zh --theme slides -o talk.pdf
  flowgen render trace.json -f txt
  flowgen render traces/*.json -o pictures/
  flowgen render good.json bad.json --together alt -o both.svg
"""


class _Number(click.FloatRange):
    name = "number"


class _Whole(click.IntRange):
    name = "whole number"


class _Render(Sorted):
    """The command; its help has sections."""

    sections: ClassVar = {
        "What is drawn": "steps start-step only hide show fold full notes headers times gap schema images check",
        "How it looks": "theme lang form title subtitle date logo footer embed-fonts width scale",
        "Pages": "pages page-height page-size landscape",
        "Recordings": "from name",
        "Several inputs": "together jobs scheduler",
        "Texts": "columns color ascii image template",
        "Architecture": "view with emit layout host show-paths",
    }


@click.command(cls=_Render, epilog=_EXAMPLES)
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True, type=FILE)
@click.option("-o", "--output", metavar="OUT", type=FILE,
              help="A file for one picture (- or nothing is stdout), or a folder (NAME/) for one of each input.")
@click.option("-f", "--format", "file_format", metavar="FORMAT", help=FORMATS)
@click.option("--title", metavar="TEXT", help="Title of the picture instead of the trace's own.")
@click.option("--theme", default="auto", show_default=True, metavar="THEME", shell_complete=themes,
              help="auto, light, dark, a name or a TOML file.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "zh", "en+zh"]),
              help="Language of titles, labels and notes.")
@click.option("--notes", default="brief", show_default=True, type=click.Choice(["none", "brief", "full"]),
              help="Explanations beside the messages.")
@click.option("--times", default="none", show_default=True, type=click.Choice(["none", "latency", "clock"]),
              help="How long each answer took; clock: when everything came, too.")
@click.option("--gap", default=2.0, show_default=True, type=_Number(min=0, min_open=True), metavar="SECONDS",
              help="With --times: show pauses from this length on.")
@click.option("--steps", metavar="RANGES", help="Only these steps, such as 1-3,5.")
@click.option("--start-step", default=1, show_default=True, type=_Whole(0, 999), metavar="N",
              help="The number of the first step.")
@click.option("--only", multiple=True, metavar="PATTERN", help="Only these methods, such as 'tools/*'; repeatable.")
@click.option("--hide", multiple=True, metavar="KIND", help="Leave out a kind: stderr, noise, process, note, probe, …")
@click.option("--show", multiple=True, metavar="KIND", help="Show what is left out by itself: probe, process, note.")
@click.option("--fold", default=2, show_default=True, type=_Whole(min=1), metavar="N",
              help="Of more exchanges alike than this, draw so many and fold the rest.")
@click.option("--full", "--all", "full", is_flag=True, help="Fold nothing, cut nothing; draw every server.")
@click.option("--headers", default="mcp", show_default=True, type=click.Choice(["none", "mcp", "all"]),
              help="HTTP heads: none, what matters to MCP, or whole.")
@click.option("--form", default="auto", show_default=True, type=click.Choice(["auto", "duo", "ledger"]),
              help="Two lanes with the JSON between, or narrow lanes and a column of messages.")
@recordings
@click.option("--check", is_flag=True, help="Mark what breaks a rule of the protocol, and list it below.")
@views
@looks
@paged
@several
@texts
@click.option("--width", type=_Number(min=1), metavar="PX", help="Width on display in px (SVG).")
@click.option("--scale", default=2.0, show_default=True, type=_Number(0.1, 20), metavar="FACTOR",
              help="Size of a PNG: its pixels for each px of the SVG.")
def render(
    inputs: Sequence[str],
    output: str | None,
    file_format: str | None,
    scale: float,
    source_format: str | None,
    server: str | None,
    together: Any,
    jobs: int | None,
    scheduler: str | None,
    view: str | None,
    seen: Sequence[str],
    host: str | None,
    emit: str | None,
    show_paths: bool,
    **options: Any,
) -> int:
    """Draw recordings as swim lanes, and hosts' config files as architecture pictures.

    INPUT is a trace, or a recording of another tool (a log of Claude Desktop or VS Code, a HAR, spans of OpenTelemetry,
    …: the README has the table), which its content tells; - is stdin, a folder stands for the *.json and *.jsonl in it.
    Several inputs are a picture each in a folder (-o NAME/), each of its own kind, or one picture (-o FILE). If one of
    a folder's pictures cannot be drawn, the others are, and the exit code is 1.
    """
    from flowgen import api

    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # it would look through all that is installed
    gc.disable()  # a drawing makes many small objects and no garbage; looking for some took a fifth of the time
    click.get_current_context().call_on_close(gc.enable)
    sources = inputs_of(inputs)
    if emit:
        file_format, view = emit, "architecture"
    if is_folder(output):
        from ._many import many

        _refuse_together(str(output))
        form = form_of(None, file_format, options["template"])
        tell_idle(form)
        asked = asked_of(view, host, show_paths, seen)._replace(source_format=source_format, server=server)
        return many(sources, str(output), form, scale, jobs, scheduler, asked, settled(options, output))
    if is_architecture(sources, "flow" if view is None and (source_format or server) else view, seen):
        chosen = form_of(output, file_format, options["template"])
        _refuse_unclear(sources, output or "-")
        refuse(output, chosen, [*sources, *seen, *(options[name] or "" for name in ("logo", "theme"))])
        with warnings_told():
            files = architecture_files(sources, chosen, scale, output, seen, host, show_paths, options)
        write(output, files, chosen)
        return 0
    chosen = form_of(output, file_format, options["template"])
    _refuse_unclear(sources, output)
    refuse(output, chosen, [*sources, *(options[name] or "" for name in ("template", "logo", "theme"))])
    tell_idle(chosen)
    with warnings_told():
        options = settled(options, output)
        fold = None if options["full"] or options["check"] else options["fold"]
        traces = [_read(one, fold=fold, source_format=source_format, server=server) for one in sources]
        told = api.drawing(traces, names=names_of(sources), together=together, **options)
        files = told.files(chosen, scale, placed(output))
    write(output, files, chosen)
    return 0


def _typed_together() -> bool:
    source = click.get_current_context().get_parameter_source("together")
    return source is click.core.ParameterSource.COMMANDLINE


def _refuse_together(folder: str) -> None:
    """A folder is for a picture of each; as a setting, --together waits for one picture of all."""
    if _typed_together():
        raise UsageError(f"--together is for one picture, and {folder} is a folder", "-o FILE, or no --together")


def _refuse_unclear(sources: Sequence[str], output: str | None) -> None:
    """Several inputs need a place that tells whether there is to be one picture or many."""
    if len(sources) == 1 or _typed_together() or output == "-":
        return
    if not output or (not os.path.splitext(output)[1] and not os.path.exists(output)):
        place = f"-o {output}: a file or a folder?" if output else f"{len(sources)} inputs and no place for pictures"
        folder = output or "pictures"
        raise UsageError(place, f"-o {folder}/ draws a picture of each, -o {folder}.svg one of all")


def _read(source: str, **recorded: Any) -> Any:
    from flowgen import api

    if source == STDIN:
        return api.load(stdin_file(), "stdin", view="flow", **recorded)
    if is_pipe(source):
        return api.load(read_pipe(source), source, view="flow", **recorded)
    return api.load(source, view="flow", **recorded)
