"""What a shell offers for the value of an option while it is typed: names that ship with flowgen, and files."""

from collections.abc import Iterable

import click

FILE = click.Path(readable=False)  # nothing is checked here: what is wrong with a file is told by who opens it


def demos(ctx: click.Context, param: click.Parameter, word: str) -> list[str]:
    """The demos whose names begin so."""
    from flowgen.demo import names

    return _beginning(word, (name for name, _ in names()))


def themes(ctx: click.Context, param: click.Parameter, word: str) -> list[str]:
    """The themes whose names begin so."""
    from flowgen.scene import theme_names

    return _beginning(word, ("auto", "light", "dark", *theme_names()))


def _beginning(word: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(word)]
