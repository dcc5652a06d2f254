"""Defaults of a command's options that were not typed, strongest first: `FLOWGEN_*` variables, `flowgen.toml`,
`[tool.flowgen]` in `pyproject.toml`. The nearest folder upwards that has one of the files counts.

A key is an option's long name. At the top it holds for every command that has the option, in a table such as
`[render]` for that command alone; so do `FLOWGEN_THEME` and `FLOWGEN_RENDER_THEME`. A file that a file names is looked
for beside it, wherever the command is typed. What opens a door (`TypedOnly`) is set nowhere: it is typed.

A file may be a stranger's, of a repository that was cloned: none tells what is started, who is spoken to, what is
asked or trusted (`_OWN`), and none names a file outside of its own tree.
"""

import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import click

from flowgen.errors import UsageError

from ._options import TypedOnly

# command -> its options that are typed or set in a variable, never by a file
_OWN = {
    "record": {
        "server", "url", "config", "name", "header", "bearer", "cacert", "insecure", "proxy", "connect-to", "client-id",
        "client-secret", "client-key", "client-metadata-url", "scope", "issuer", "redirect-uri", "token-store", "call",
        "call-safe", "read", "prompt", "complete", "script", "answers", "yes", "env", "cwd", "redact",
    },
    "render": {"scheduler"},
}  # fmt: skip
_MODES = (":light", ":dark")  # of a theme, behind its file

Table = dict[str, Any]
Options = dict[str, click.Option]
Finder = Callable[[str], click.Command | None]  # a command by its name


def defaults(name: str, commands: Collection[str], command: Finder) -> Table:
    """The values for the command `name`, by the names of its parameters.

    `commands` are the names that a table in a file may have, `command` gives one by its name. Raises UsageError for
    a key or a value that cannot be.
    """
    options = _options(command(name))
    values: Table = {}
    for folder, place, table in _tables():
        _refuse_unknown(place, table, options, commands, command)
        values |= _from_table(folder, place, table, name, options)
    return values | _from_environment(name, options)


def _options(command: click.Command | None) -> Options:
    return {
        option.removeprefix("--"): param
        for param in (command.params if command else ())
        if isinstance(param, click.Option)
        for option in param.opts
        if option.startswith("--")
    }


def _tables() -> Iterator[tuple[Path, str, Table]]:
    """The tables of the files with their folder and what to call them, the weaker first."""
    for folder in (Path.cwd(), *Path.cwd().parents):
        project, own = folder / "pyproject.toml", folder / "flowgen.toml"
        if project.is_file():
            tool = _read(project).get("tool")
            yield folder, "pyproject.toml: tool.flowgen", tool.get("flowgen", {}) if isinstance(tool, dict) else {}
        if own.is_file():
            yield folder, "flowgen.toml", _read(own)
        if project.is_file() or own.is_file() or (folder / ".git").exists():
            return


def _read(file: Path) -> Table:
    import tomllib

    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as problem:
        raise UsageError(f"{file.name}: {problem}", f"mend or remove {file}") from None


def _refuse_unknown(place: str, table: Any, options: Options, commands: Collection[str], command: Finder) -> None:
    """Raises UsageError for what is no table, and for names that no command and no option of one has."""
    if not isinstance(table, dict):
        raise UsageError(f"{place}: expected a table, found {table!r}", "such as [tool.flowgen]")
    for key in (key for key, value in table.items() if isinstance(value, dict) and key not in commands):
        raise UsageError(f"{place}: {key}: there is no such command", _nearest(key, commands))
    strange = [key for key, value in table.items() if not isinstance(value, dict) and _spelt(key) not in options]
    every = {option for name in commands for option in _options(command(name))} if strange else set()
    for key in (key for key in strange if _spelt(key) not in every):
        hint = f"a command's settings are a table: [{key}]" if key in commands else _nearest(key, every)
        raise UsageError(f"{place}: {key}: no command has such an option", hint)


def _from_table(folder: Path, place: str, table: Table, name: str, options: Options) -> Table:
    everybody = {key: value for key, value in table.items() if not isinstance(value, dict)}
    own = table.get(name, {})
    own = own if isinstance(own, dict) else {}  # an option may be called as a command is
    for key in own:
        if _spelt(key) not in options:
            raise UsageError(f"{place}: {name}.{key}: {name} has no such option", _nearest(key, options))
    values: Table = {}
    for key, value in [*everybody.items(), *own.items()]:
        option = options.get(_spelt(key))
        if isinstance(option, TypedOnly):
            raise UsageError(f"{place}: {key}: counts only where it is typed", f"flowgen {name} {option.opts[-1]} …")
        if option is not None and option.name:
            _refuse_own(name, option, f"{place}: {key}")
            values[option.name] = _beside(folder, option, _fitting(option, value, f"{place}: {key}"), place)
    return values


def _refuse_own(name: str, option: click.Option, where: str) -> None:
    """Raises UsageError for an option that no file sets."""
    long = next((each for each in option.opts if each.removeprefix("--") in _OWN.get(name, set())), None)
    if long:
        variable = f"FLOWGEN_{name}_{long[2:]}".upper().replace("-", "_")
        raise UsageError(f"{where}: no file says what is started, asked or trusted", f"type {long}, or set {variable}")


def _beside(folder: Path, option: click.Option, value: Any, place: str) -> Any:
    """A path out of a file in another folder, as it is called from here. Raises UsageError for one outside."""
    if isinstance(value, list):
        return [_beside(folder, option, each, place) for each in value]
    if not isinstance(value, str) or value == "-" or not _names_file(option, value):
        return value
    if not _is_within(folder, value):
        long = option.opts[-1]
        raise UsageError(f"{place}: {long[2:]}: {value!r} is outside of {folder}", f"type {long}, or set a variable")
    return value if folder == Path.cwd() else os.path.join(folder, value)


def _names_file(option: click.Option, value: str) -> bool:
    """A theme or a demo may be a TOML file, too."""
    return isinstance(option.type, click.Path) or value.endswith((".toml", *(f".toml{mode}" for mode in _MODES)))


def _is_within(folder: Path, value: str) -> bool:
    """Whether a file lies in the repository of a folder, else below the folder, wherever links lead."""
    tree = next((each for each in (folder, *folder.parents) if (each / ".git").exists()), folder)
    try:
        return (folder / value).resolve().is_relative_to(tree.resolve())
    except (OSError, RuntimeError, ValueError):  # no path at all, or links in a ring
        return False


def _spelt(key: str) -> str:
    return key.replace("_", "-")


def _fitting(option: click.Option, value: Any, where: str) -> Any:
    wanted = _wanted(option, value)
    if wanted:
        raise UsageError(f"{where}: expected {wanted}, found {_toml(value)}", f"--help tells of {option.opts[-1]}")
    return [value] if option.multiple and not isinstance(value, list) else value


def _wanted(option: click.Option, value: Any) -> str | None:
    """What the option takes, where it is not this; what a text stands for is click's to say."""
    match value:
        case dict():
            return "a list" if option.multiple else "one value"
        case list():
            return None if option.multiple else "one value"
        case bool():
            return None if option.is_flag else "a text or a number"
        case int() | float() if option.is_flag:
            return "true or false"
        case float() if isinstance(option.type, click.types.IntParamType) and not value.is_integer():
            return "a whole number"
    return None


def _toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _from_environment(name: str, options: Options) -> Table:
    values: Table = {}
    for key, option in options.items():
        for variable in (f"FLOWGEN_{key}", f"FLOWGEN_{name}_{key}"):  # the stronger last
            value = os.environ.get(variable.upper().replace("-", "_"))
            if not value or not option.name or isinstance(option, TypedOnly):
                continue
            values[option.name] = option.type.split_envvar_value(value) if option.multiple else value
    return values


def _nearest(key: str, names: Collection[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(key, names, 1)
    return f"did you mean {close[0]}?" if close else f"there are: {', '.join(sorted(names))}"
