"""The small commands: `schema`, `completion`."""

import importlib
import json
from collections.abc import Callable
from typing import Any

import click

from flowgen.errors import FlowgenError

from ._completion import SHELLS

# format → where its schema comes from: module, function, arguments
SCHEMAS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "trace":    ("flowgen.trace", "schema", ()),
    "flow":     ("flowgen.flow", "schema", ()),
    "plan":     ("flowgen.protocol", "schema", ("plan",)),
    "answers":  ("flowgen.protocol", "schema", ("answers",)),
    "scenario": ("flowgen.demo", "scenario_schema", ()),
}  # fmt: skip


@click.command()
@click.argument("form", metavar=f"[{'|'.join(SCHEMAS)}]", type=click.Choice(list(SCHEMAS)), default="trace")
def schema(form: str) -> None:
    """Print the JSON Schema of a file format (trace).

    \b
    flowgen schema                          of the traces that record writes
    flowgen schema plan > plan.schema.json  of what --script takes; answers: of --answers
    """
    module, function, arguments = SCHEMAS[form]
    made: Callable[..., dict[str, Any]] = getattr(importlib.import_module(module), function)
    click.echo(json.dumps(made(*arguments), indent=2, ensure_ascii=False))


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print a shell's completion script.

    \b
    bash:        eval "$(flowgen completion bash)"              in ~/.bashrc
    zsh:         eval "$(flowgen completion zsh)"               in ~/.zshrc
    fish:        flowgen completion fish | source               in ~/.config/fish/config.fish
    powershell:  flowgen completion powershell | Out-String | Invoke-Expression   in $PROFILE
    """
    from ._completion import script
    from ._main import main

    try:
        text = script(main, shell)
    except (OSError, RuntimeError) as problem:
        raise FlowgenError(f"no script for {shell}: {problem}", "is the shell installed?") from None
    click.echo(text, nl=False)
