"""`flowgen themes`: which themes there are, what is in one, the beginning of one of your own."""

import os
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from flowgen.errors import UsageError

from ._words import FILE
from ._words import themes as theme_words

if TYPE_CHECKING:
    from flowgen.scene import Theme

_SWATCH = "███"
_TOKEN = re.compile(r"^(?=\w+ = )", re.MULTILINE)


@click.group(invoke_without_command=True)
@click.pass_context
def themes(ctx: click.Context) -> None:
    """The themes of the pictures.

    \b
    flowgen themes                  those that ship with flowgen
    flowgen themes show print       every colour of one of them
    flowgen themes new own.toml     begins a theme of your own
    flowgen render trace.json --theme own.toml -o flow.svg

    Each follows the reader's light or dark mode, or is fixed to one: print:light, slides:dark. auto, light and dark
    are modes of the default theme.
    """
    if ctx.invoked_subcommand is None:
        _tell_all()


@themes.command("list")
def list_themes() -> None:
    """Tell the themes that ship with flowgen.

    \b
    flowgen themes list
    """
    _tell_all()


@themes.command()
@click.argument("name", metavar="NAME|FILE", default="default", shell_complete=theme_words)
def show(name: str) -> None:
    """Print every colour of a theme as TOML.

    \b
    flowgen themes show                the default theme
    flowgen themes show own.toml       what a theme of yours comes to
    """
    from flowgen.scene import theme

    found = theme(name)
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    click.echo("\n".join(_tokens(found, coloured)))


@themes.command()
@click.argument("file", metavar="FILE", type=FILE)
def new(file: str) -> None:
    """Begin a theme of your own as a TOML file.

    \b
    flowgen themes new own.toml        every colour, each behind a #
    flowgen render trace.json --theme own.toml -o flow.svg
    """
    text = _begun(file)
    if file == "-":
        click.echo(text, nl=False)
        return
    try:
        with open(file, "x", encoding="utf-8", newline="\n") as out:
            out.write(text)
    except FileExistsError:
        raise UsageError(f"{file}: is there already", "give the name of a new file") from None
    except OSError as problem:
        raise UsageError(f"{file}: {problem.strerror or problem}", "give a place that can be written") from None
    click.echo(f"{file} changes nothing yet: take the # off what is to be different, and give --theme {file}", err=True)


def _tell_all() -> None:
    from flowgen.scene import theme_names, theme_text

    for name in theme_names():
        click.echo(f"{name:15} {theme_text(name).partition(chr(10))[0].removeprefix('# ')}")


def _tokens(found: "Theme", coloured: bool) -> Iterable[str]:
    """The lines of a theme with all its roles, tables in the order of the default theme's."""
    yield f"[lines]\nweight = {found.weight:g}"
    table = None
    for role, light in found.light.items():
        named, _, name = role.rpartition(".")
        if named != table:
            yield f"\n[{named or 'colours'}]"
            table = named
        swatches = "  # " + " ".join(map(_swatch, (light, found.dark[role]))) if coloured else ""
        yield f'{name} = ["{light}", "{found.dark[role]}"]{swatches}'


def _swatch(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return click.style(_SWATCH, fg=(red, green, blue))


def _begun(file: str) -> str:
    """The default theme with every value commented out."""
    from flowgen.scene import theme_text

    rest = theme_text("default").partition("\n")[2].partition("\n")[2]
    head = [
        "# A theme for flowgen: what stands here takes the place of the default theme's.",
        "# Take the # off a line and change its [light, dark] colours; the rest stays as it is.",
        f"# flowgen render trace.json --theme {os.path.basename(file) if file != '-' else 'own.toml'} -o flow.svg",
    ]
    return "\n".join(head) + "\n" + _TOKEN.sub("# ", rest)
