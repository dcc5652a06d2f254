"""Options that belong together, added to a command as one."""

from collections.abc import Callable, Sequence
from typing import Any

import click

Command = Callable[..., Any]
Adding = Callable[[Command], Command]


class TypedOnly(click.Option):
    """An option that counts only where it is typed: no file that lies in a folder may open a door."""


def adding(options: Sequence[Adding]) -> Adding:
    """What adds all of them to a command, in their order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add
