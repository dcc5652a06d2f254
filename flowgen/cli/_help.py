"""Options in the help of a command by what they are for: a list of forty is looked through, not read."""

from collections.abc import Mapping
from typing import ClassVar

import click


class Sorted(click.Command):
    """A command whose help has sections. `sections` names the options of each, without dashes; others come first."""

    sections: ClassVar[Mapping[str, str]] = {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the sections, each with its options in the order of the command."""
        where = {name: title for title, names in self.sections.items() for name in names.split()}
        for title in ("Options", *self.sections):
            params = [param for param in self.get_params(ctx) if where.get(_long(param), "Options") == title]
            rows = [row for param in params if isinstance(param, click.Option) and (row := param.get_help_record(ctx))]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def _long(param: click.Parameter) -> str:
    """The name that people know an option by: the first long one."""
    return next((option[2:] for option in param.opts if option.startswith("--")), "")
