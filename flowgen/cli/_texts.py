"""Options of the formats that are text, and what the terminal decides where they are not given."""

import os
import sys
from typing import Any

import click

from flowgen.errors import UsageError

from ._options import adding
from ._output import STDOUT
from ._words import FILE

FORMATS = ("svg, png, pdf, html, txt, mermaid (.mmd), plantuml (.puml), md or json; of an architecture dot and drawio, "
           "too. Else the suffix of OUT tells.")  # fmt: skip
_USUAL = 100  # columns where there is no terminal
_BOUNDS = (60, 1000)
_DRAWN = (".svg", ".png", ".pdf")  # no place for a text
_LINES = "│─▶◁●╌┏…"  # signs that a text picture is made of


class _Whole(click.IntRange):
    name = "whole number"


_OPTIONS = (
    click.option("--columns", type=_Whole(*_BOUNDS), metavar="N",
                 help="Columns of a line of txt.  [default: the terminal's, else 100]"),
    click.option("--color", default="auto", show_default=True, type=click.Choice(["auto", "always", "never"]),
                 help="Colours in txt; auto: on a terminal, unless NO_COLOR is set."),
    click.option("--ascii", is_flag=True, help="Draw txt with ASCII alone."),
    click.option("--image", metavar="NAME", help="The picture that md refers to; else md makes two beside itself."),
    click.option("--template", metavar="FILE", type=FILE, help="A Jinja2 template that makes a text of your own."),
)  # fmt: skip


texts = adding(_OPTIONS)


def settled(options: dict[str, Any], output: str | None = STDOUT) -> dict[str, Any]:
    """The options as `flowgen.drawing` takes them; a terminal is asked only where it will show the text."""
    out = output in (None, STDOUT)
    live = out and sys.stdout.isatty()
    return {
        **options,
        "columns": options.get("columns") or (_terminal() if live else _USUAL),
        "color": _coloured(options.get("color", "auto"), live),
        "ascii": bool(options.get("ascii")) or (out and not _carries(sys.stdout.encoding)),
    }


def form_of(output: str | None, file_format: str | None, template: str | None) -> str:
    """The format: a template is one, but what was typed goes before what is set. Raises UsageError for both."""
    from flowgen import api

    drawn = (output or "").lower().endswith(_DRAWN)
    if template is None or (not _typed("template") and (_typed("file_format") or drawn)):
        return api.format_of(None if output in (None, STDOUT) else output, file_format)
    if file_format not in (None, "template") and _typed("file_format"):
        raise UsageError(f"-f {file_format} does not go with --template", "leave one of them out")
    return "template"


def _typed(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _terminal() -> int:
    import shutil

    least, most = _BOUNDS
    return max(least, min(most, shutil.get_terminal_size((_USUAL, 24)).columns))


def _coloured(wish: str, live: bool) -> bool:
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return wish == "always" or (wish == "auto" and live and not plain)


def _carries(encoding: str | None) -> bool:
    """Whether an encoding has the signs of a text picture; all text is written as UTF-8 where it does."""
    try:
        return _LINES.encode(encoding or "utf-8") == _LINES.encode("utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
