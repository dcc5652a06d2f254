"""What can be wrong in a scenario beyond its form: two actions in a step, names that are not there, odd values."""

import datetime
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ._schema import Fault, Path, Schema, faults, nearest
from ._steps import ACTIONS, action_of
from ._values import roots
from ._variables import variables

_BESIDE = {
    "progress": {"total", "message", "every"},
    "log": {"level", "logger"},
    "notify": {"params"},
    "calculate": {"as"},
    "change": {"show", "hide"},
    "update": {"text"},
}
_ANYWHERE = {"when", "era", "times"}

_ANSWERS = {
    "tool": {"text", "content", "structuredContent", "isError", "_meta"},
    "prompt": {"messages", "description", "_meta"},
    "resource": {"text", "blob", "contents", "_meta"},
    "template": {"text", "blob", "contents", "_meta"},
    "on": set[str](),
}
_PATH = re.compile(r"(/[A-Za-z0-9_.-]+)+")
_TAKEN = ("/mcp", "/sse", "/messages")
_KEYS = {"tool": "name", "prompt": "name", "resource": "uri", "template": "uriTemplate"}
_CHANGED = {"tools": ("tool",), "prompts": ("prompt",), "resources": ("resource", "template")}


def mistakes(data: dict[str, Any], schema: Schema) -> Iterator[Fault]:
    """All mistakes of a scenario, those of form first: the others are looked for only in a well-formed one."""
    found = [*_unfit(data, ()), *faults(data, schema)]
    yield from found
    if not found:
        yield from _doubles(data)
        yield from _completions(data)
        yield from _scopes(data)
        yield from _pages(data)
        for section in _ANSWERS:
            for number, entry in enumerate(data.get(section, [])):
                yield from _entry(data, section, entry, (section, number))


def _unfit(value: Any, path: Path) -> Iterator[Fault]:
    """TOML can say what JSON cannot: dates, and numbers that are none."""
    match value:
        case dict():
            for key, part in value.items():
                yield from _unfit(part, (*path, key))
        case list():
            for number, part in enumerate(value):
                yield from _unfit(part, (*path, number))
        case datetime.date() | datetime.time():
            yield Fault(path, "JSON has no dates", "put it in quotation marks")
        case float() if not math.isfinite(value) and path[-1:] != ("wait",):
            yield Fault(path, "JSON has no such number", "inf stands only after wait")


def _doubles(data: dict[str, Any]) -> Iterator[Fault]:
    for section, key in _KEYS.items():
        seen = set()
        for number, entry in enumerate(data.get(section, [])):
            if entry[key] in seen:
                yield Fault((section, number, key), f'"{entry[key]}" stands there twice')
            seen.add(entry[key])


def _completions(data: dict[str, Any]) -> Iterator[Fault]:
    for number, entry in enumerate(data.get("completion", [])):
        path: Path = ("completion", number)
        given = [kind for kind in ("prompt", "template") if kind in entry]
        if len(given) != 1:
            yield Fault(path, "needs either prompt or template")
            continue
        yield from _one_known(entry[given[0]], _names(data, given[0]), (*path, given[0]))


def _scopes(data: dict[str, Any]) -> Iterator[Fault]:
    auth = data.get("auth", {})
    known = set(auth.get("scopes", []))
    yield from _known(auth.get("needs", []), known, ("auth", "needs"))
    for number, token in enumerate(auth.get("token", [])):
        yield from _known(token.get("scopes", []), known, ("auth", "token", number, "scopes"))
    for number, tool in enumerate(data.get("tool", [])):
        yield from _known(tool.get("scopes", []), known, ("tool", number, "scopes"))


def _pages(data: dict[str, Any]) -> Iterator[Fault]:
    for number, page in enumerate(data.get("page", [])):
        if not _PATH.fullmatch(page["path"]):
            yield Fault(("page", number, "path"), f'"{page["path"]}" is no path of plain letters', "such as /connect")
        if page["path"] in _TAKEN or page["path"].startswith("/.well-known/"):
            yield Fault(("page", number, "path"), f'"{page["path"]}" is an endpoint already')


def _entry(data: dict[str, Any], section: str, entry: dict[str, Any], path: Path) -> Iterator[Fault]:
    known = variables(section, entry)
    yield from _clashes(section, entry, path)
    if "result" in entry:
        yield from _answer(section, entry["result"], (*path, "result"))
    for key in ("result", "messages", "text"):
        if key in entry:
            yield from _placeholders(entry[key], known, (*path, key))
    for number, table in enumerate(entry.get("step", [])):
        yield from _step(data, section, table, known, (*path, "step", number))


def _step(data: dict[str, Any], section: str, table: dict[str, Any], known: set[str], path: Path) -> Iterator[Fault]:
    actions = action_of(table)
    if len(actions) != 1:
        told = f"holds {' and '.join(actions)}" if actions else "holds no action"
        yield Fault(path, f"a step is one action, this one {told}", f"actions: {', '.join(ACTIONS)}")
        return
    action = actions[0]
    for key in sorted(table.keys() - {action} - _BESIDE.get(action, set()) - _ANYWHERE):
        yield Fault(path, f'"{key}" does not go with {action}')
    if action == "result":
        yield from _answer(section, table["result"], (*path, "result"))
    more = {"progress", "total"} if action == "progress" else set()
    yield from _placeholders({k: v for k, v in table.items() if k != "when"}, known | more, path)
    yield from _known(table.get("when", {}), known, (*path, "when"))
    yield from _references(data, table, path)


def _answer(section: str, answer: dict[str, Any], path: Path) -> Iterator[Fault]:
    for key in sorted(answer.keys() - _ANSWERS[section]):
        yield Fault(path, f'"{key}" is no part of the answer to a {section}')


def _references(data: dict[str, Any], table: dict[str, Any], path: Path) -> Iterator[Fault]:
    if "change" in table:
        kinds = [table["change"]] if isinstance(table["change"], str) else table["change"]
        names = {name for kind in kinds for section in _CHANGED[kind] for name in _names(data, section)}
        for key in ("show", "hide"):
            yield from _known(table.get(key, []), names, (*path, key))
    if "visit" in table:
        yield from _one_known(table["visit"], {page["path"] for page in data.get("page", [])}, (*path, "visit"))
    if "update" in table and "{" not in table["update"]:
        yield from _one_known(table["update"], _names(data, "resource"), (*path, "update"))


def _clashes(section: str, entry: dict[str, Any], path: Path) -> Iterator[Fault]:
    arguments = variables(section, {key: part for key, part in entry.items() if key != "step"})
    for number, table in enumerate(entry.get("step", [])):
        for name in [*table.get("ask", {}), *([table["as"]] if "as" in table else [])]:
            if name in arguments:
                yield Fault((*path, "step", number), f'"{name}" is already the name of an argument')


def _placeholders(template: Any, known: set[str], path: Path) -> Iterator[Fault]:
    for name in roots(template):
        if name not in known:
            near = nearest(name, known)
            hint = f'did you mean "{{{near}}}"? ' if near else ""
            yield Fault(path, f"nothing is called {{{name}}} here", f"{hint}{{{{{name}}}}} stands for the text itself")


def _known(names: Iterable[str], known: set[str], path: Path) -> Iterator[Fault]:
    for name in names:
        yield from _one_known(name, known, path)


def _one_known(name: str, known: set[str], path: Path) -> Iterator[Fault]:
    if name not in known:
        near = nearest(name, known)
        yield Fault(path, f'nothing is called "{name}" here', f'did you mean "{near}"?' if near else None)


def _names(data: dict[str, Any], section: str) -> set[str]:
    return {entry[_KEYS[section]] for entry in data.get(section, [])}
