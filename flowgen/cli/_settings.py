"""Defaults of a command's options that were not typed, strongest first: `FLOWGEN_*` variables, `flowgen.toml`,
`[tool.flowgen]` in `pyproject.toml`. The nearest folder upwards that has one of the files counts.

A key is an option's long name. At the top it holds for every command that has the option, in a table such as
`[render]` for that command alone.
"""

import os
import tomllib
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from flowgen.errors import UsageError

Table = dict[str, Any]
Options = dict[str, click.Option]


def defaults(name: str, command: click.Command, commands: Collection[str]) -> Table:
    """The values for a command, by the names of its parameters.

    `commands` are the names that a table in a file may have. Raises UsageError for a key or a value that cannot be.
    """
    options = {
        option.removeprefix("--"): param
        for param in command.params
        if isinstance(param, click.Option)
        for option in param.opts
        if option.startswith("--")
    }
    values: Table = {}
    for place, table in _tables():
        values |= _from_table(place, table, name, options, commands)
    return values | _from_environment(options)


def _tables() -> Iterator[tuple[str, Table]]:
    """The tables of the files with what to call them, the weaker first."""
    for folder in (Path.cwd(), *Path.cwd().parents):
        project, own = folder / "pyproject.toml", folder / "flowgen.toml"
        if project.is_file():
            yield "pyproject.toml: tool.flowgen", _read(project).get("tool", {}).get("flowgen", {})
        if own.is_file():
            yield "flowgen.toml", _read(own)
        if project.is_file() or own.is_file() or (folder / ".git").exists():
            return


def _read(file: Path) -> Table:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as problem:
        raise UsageError(f"{file.name}: {problem}", f"mend or remove {file}") from None


def _from_table(place: str, table: Table, name: str, options: Options, commands: Collection[str]) -> Table:
    everybody = {key: value for key, value in table.items() if not isinstance(value, dict)}
    for key in table.keys() - everybody.keys() - set(commands):
        raise UsageError(f"{place}: {key}: there is no such command", _nearest(key, commands))
    own = table.get(name, {})
    for key in own.keys() - {option.replace("-", sign) for option in options for sign in "-_"}:
        raise UsageError(f"{place}: {name}.{key}: {name} has no such option", _nearest(key, options))
    values: Table = {}
    for key, value in [*everybody.items(), *own.items()]:
        option = options.get(key.replace("_", "-"))
        if option is not None and option.name:
            values[option.name] = _fitting(option, value, f"{place}: {key}")
    return values


def _fitting(option: click.Option, value: Any, where: str) -> Any:
    if isinstance(value, dict) or (isinstance(value, list) and not option.multiple):
        raise UsageError(f"{where}: expected one value, found {value!r}", f"see --help for --{option.name}")
    return [value] if option.multiple and not isinstance(value, list) else value


def _from_environment(options: Options) -> Table:
    values: Table = {}
    for key, option in options.items():
        value = os.environ.get("FLOWGEN_" + key.upper().replace("-", "_"))
        if value and option.name:
            values[option.name] = option.type.split_envvar_value(value) if option.multiple else value
    return values


def _nearest(key: str, names: Collection[str]) -> str:
    close = get_close_matches(key, names, 1)
    return f"did you mean {close[0]}?" if close else f"there are: {', '.join(sorted(names))}"
