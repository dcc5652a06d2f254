"""The help of a command: what it does, examples, then its options by what they are for, for a list of forty is looked
through, not read.
"""

from collections.abc import Mapping
from typing import ClassVar

import click


class Plain(click.Command):
    """A command whose help has its examples before its options: they are the first paragraph of the epilog."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes usage, text, examples, options, and what else the epilog says."""
        examples, rest = _examples_of(self.epilog)
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        _paragraphs(examples, formatter)
        self.format_options(ctx, formatter)
        _paragraphs(rest, formatter)


def _examples_of(epilog: str | None) -> tuple[str, str]:
    """The first paragraph, and the others."""
    examples, gap, rest = (epilog or "").strip("\n").partition("\n\n")
    return examples, rest if gap else ""


def _paragraphs(text: str, formatter: click.HelpFormatter) -> None:
    if text:
        formatter.write_paragraph()
        formatter.write_text(text)


class Sorted(Plain):
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
