"""Servers out of a host's config file: `mcpServers` or `servers`, each with a command or an address.

A small reader: JSON with comments, variables as hosts write them. What it cannot follow is an error that says where.
"""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flowgen.errors import ConfigError
from flowgen.trace import Mask

_LISTS = ("mcpServers", "servers")
_ADDRESSES = ("url", "serverUrl", "httpUrl")
_TRANSPORTS = {"sse": "sse", "http": "http", "streamable-http": "http", "streamableHttp": "http"}
# comments, and commas before a closing bracket; texts are passed over
_LENIENT = re.compile(r'("(?:[^"\\]|\\.)*+")|//[^\n]*|/\*[\s\S]*?\*/|,(?=\s*(?:(?://[^\n]*|/\*[\s\S]*?\*/)\s*)*[}\]])')
_VARIABLE = re.compile(r"\$\{([^}]*)\}")
_NAME = re.compile(r"(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?")

Entry = dict[str, Any]


def servers_in(path: str) -> dict[str, Entry]:
    """The enabled servers of a file by their names. Raises ConfigError."""
    document = _document(path)
    found = next((document[name] for name in _LISTS if isinstance(document.get(name), dict)), None)
    if found is None:
        raise ConfigError(f"{path}: no mcpServers and no servers in it", "give the config file of an MCP host")
    enabled = {name: entry for name, entry in found.items() if isinstance(entry, dict) and not _is_off(entry)}
    if not enabled:
        raise ConfigError(f"{path}: no server in it is enabled", "name one with --name to take it all the same")
    return enabled


def server_in(path: str, name: str) -> Entry:
    """One server of a file, enabled or not. Raises ConfigError that names the nearest."""
    document = _document(path)
    found: dict[str, Any] = {}
    for each in _LISTS:
        found |= document[each] if isinstance(document.get(each), dict) else {}
    if isinstance(found.get(name), dict):
        return dict(found[name])
    if name in found:
        raise ConfigError(f"{path}: {name}: an object with a command or a url is expected")
    from difflib import get_close_matches

    near = get_close_matches(name, found, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(found) or 'none'}"
    raise ConfigError(f"{path}: no server is called {name!r}", hint)


def options_of(entry: Entry, path: str, name: str) -> tuple[Any, dict[str, Any]]:
    """What to record (argv or address) and with which options, variables put in. Raises ConfigError."""
    where = f"{path}: {name}"
    folder = Path(path).resolve().parent
    workspace = folder.parent if folder.name.startswith(".") else folder  # .vscode/mcp.json, .cursor/mcp.json
    filled = _filled(entry, where, {**os.environ, "workspaceFolder": str(workspace)})
    address = _address(filled, where)
    if address is not None:
        headers = _strings(filled.get("headers", {}), f"{where}: headers")
        transport = _TRANSPORTS.get(str(filled.get("type") or filled.get("transport")), "auto")
        return address, {"headers": tuple(headers.items()), "transport": transport}
    command, arguments = filled.get("command"), filled.get("args", [])
    if not isinstance(command, str) or not isinstance(arguments, list):
        raise ConfigError(f"{where}: neither a command with args nor a url", "see the host's own documentation")
    if not all(isinstance(argument, str | int | float) for argument in arguments):
        raise ConfigError(f"{where}: args: a list of texts is expected")
    env = _strings(filled.get("env") or {}, f"{where}: env")
    cwd = filled.get("cwd")
    return [command, *map(str, arguments)], {"env": env, "cwd": cwd if isinstance(cwd, str) else None}


def _address(entry: Entry, where: str) -> str | None:
    """The address, where it is one that counts: beside a command only `type` can tell which of the two is meant."""
    address: str | None = next((entry[name] for name in _ADDRESSES if isinstance(entry.get(name), str)), None)
    kind = entry.get("type") or entry.get("transport")
    if address is None or kind == "stdio":
        return None
    if "command" in entry and kind not in _TRANSPORTS:
        raise ConfigError(f"{where}: both a command and a url", 'leave one out, or add "type": "stdio" or "http"')
    if not address.lower().startswith(("http://", "https://")):
        raise ConfigError(f"{where}: {Mask().url(address)!r} is no address", "such as https://host/mcp")
    return address


def _document(path: str) -> dict[str, Any]:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as problem:
        raise ConfigError(f"{path}: {getattr(problem, 'strerror', None) or problem}", "give a config file") from None
    try:
        document = json.loads(_LENIENT.sub(lambda found: found[1] or "", text))
    except (ValueError, RecursionError) as problem:
        raise ConfigError(f"{path}: {problem}", "a host's config is JSON; comments are allowed") from None
    if not isinstance(document, dict):
        raise ConfigError(f"{path}: no JSON object", "give the config file of an MCP host")
    inner = document.get("mcp")  # VS Code's settings hold it one level deeper
    return inner if isinstance(inner, dict) and any(name in inner for name in _LISTS) else document


def _is_off(entry: Entry) -> bool:
    return entry.get("disabled") is True or entry.get("enabled") is False


def _strings(value: Any, where: str) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ConfigError(f"{where}: an object of names and texts is expected")
    return {name: str(text) for name, text in value.items() if isinstance(text, str | int | float)}


def _filled(value: Any, where: str, environment: Mapping[str, str]) -> Any:
    match value:
        case str():
            return _VARIABLE.sub(lambda found: _value(found, where, environment), value)
        case list():
            return [_filled(item, where, environment) for item in value]
        case dict():
            return {name: _filled(item, f"{where}.{name}", environment) for name, item in value.items()}
    return value


def _value(found: re.Match[str], where: str, environment: Mapping[str, str]) -> str:
    """`${NAME}`, `${env:NAME}`, `${NAME:-default}`, `${userHome}`."""
    if found[1] == "userHome":
        return os.path.expanduser("~")
    named = _NAME.fullmatch(found[1])
    if named is None:
        raise ConfigError(f"{where}: {found[0]} is a variable that only the host knows", "write its value instead")
    value = environment.get(named[1], named[2])
    if value is None:
        raise ConfigError(f"{where}: there is no variable {named[1]}", f"export {named[1]}=…")
    return value
