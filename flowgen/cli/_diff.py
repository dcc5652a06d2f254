"""`flowgen diff`: two files in, what the newer one does differently out."""

from typing import Any

import click

from flowgen.errors import UsageError

from ._foreign import recordings
from ._help import Plain
from ._inputs import STDIN, sources_of
from ._looks import looks
from ._output import refuse, warnings_told, write
from ._words import FILE, themes

_EXAMPLES = """
\b
Examples:
  flowgen diff old.json .mcp.json
  git show main:.mcp.json | flowgen diff - .mcp.json
  flowgen diff old.json new.json -o diff.svg
  flowgen diff old.json new.json -f md -o comment.md
  flowgen diff before-upgrade.json after-upgrade.json --ignore times -o changes.svg
"""
_DIFFERENT = 3
FORMS = ("text", "json", "md", "svg", "png", "pdf")
_SUFFIXES = {"txt": "text"}


@click.command(cls=Plain, epilog=_EXAMPLES)
@click.argument("old", type=FILE)
@click.argument("new", type=FILE)
@click.option("-o", "--output", metavar="OUT", type=FILE, help="A file for the changes (- or nothing is stdout).")
@click.option("-f", "--format", "form", type=click.Choice(FORMS),
              help="Format; else the suffix of -o tells it, else text.")
@click.option("--title", metavar="TEXT", help="Title of the picture instead of the files' names.")
@click.option("--theme", default="auto", show_default=True, metavar="THEME", shell_complete=themes,
              help="auto, light, dark, a name or a TOML file.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(["en", "zh", "en+zh"]),
              help="Language of the picture.")
@click.option("--width", type=click.FloatRange(min=1), metavar="PX",
              help="Width on display in px (SVG).")
@click.option("--scale", default=2.0, show_default=True, type=click.FloatRange(0.1, 20), metavar="FACTOR",
              help="Size of a PNG: its pixels for each px of the SVG.")
@click.option("--view", type=click.Choice(["flow", "architecture"]),
              help="Of recordings, compare what was said (flow), or who runs where.")
@click.option("--ignore", metavar="PLACE", multiple=True,
              help="Of recordings, do not compare a place such as '/result/content/*/text', or times; repeatable.")
@click.option("--only", multiple=True, metavar="PATTERN",
              help="Of recordings, only these methods, such as 'tools/*'; repeatable.")
@click.option("--full", is_flag=True, help="Of recordings, fold nothing in the picture.")
@recordings
@looks
@click.option("--host", metavar="NAME", help="The host whose config files they are, where their paths do not tell.")
@click.option("--show-paths", is_flag=True, help="Show paths with the user names in them, instead of ~.")
def diff(
    old: str, new: str, output: str | None, form: str | None, scale: float, host: str | None, show_paths: bool,
    **options: Any,
) -> int:  # fmt: skip
    """Tell what a newer config does differently from an older one, or one session from another.

    OLD and NEW are config files of MCP hosts or topology documents: which server, credential, boundary, data flow or
    finding was added, removed or changed. Or they are two recordings: capabilities, tools, messages and their order,
    matched by meaning, never by ids or times. - is stdin. What grew more dangerous, or breaks callers, comes first,
    with a !. As a picture both configs stand in one, and sessions beside each other. The exit code is 3 where they
    differ. Nothing that they name is started, and no secret is shown.
    """
    from flowgen import api

    if old == new == STDIN:
        raise UsageError("both files are stdin", "give one of them by its path")
    chosen = form or _form(output)
    refuse(output, chosen, [old, new])
    sources = sources_of([old, new])
    with warnings_told():
        told = api.diff(sources[0], sources[1], host=host, show_paths=show_paths, **options)
        files = told.files(chosen, scale)
    write(output, files, chosen)
    return _DIFFERENT if told else 0


def _form(output: str | None) -> str:
    """By the suffix of the file. Raises UsageError for one that there is not."""
    suffix = (output or "").rpartition(".")[2].lower() if output and "." in output else "text"
    found = _SUFFIXES.get(suffix, suffix)
    if output in (None, "-") or found in FORMS:
        return found if output != "-" else "text"
    raise UsageError(f"-o {output}: a difference has no format .{suffix}", f"known: {', '.join(FORMS)}; -f names one")
