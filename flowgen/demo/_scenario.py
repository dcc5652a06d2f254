"""A scenario file read: what the server is, what it lists, what happens step by step. Mistakes are named with place.

The form of the file is `scenario.schema.json`; what a schema cannot say is checked in `_mistakes`.
"""

import json
import os
import tomllib
from typing import Any, NamedTuple

from flowgen.errors import ConfigError

from . import is_file
from ._mistakes import mistakes
from ._revisions import REVISIONS, STATELESS, TASKS
from ._schema import Fault, Schema, nearest, place
from ._steps import Step, steps_of

HERE = os.path.dirname(__file__)

# the members that go over the wire, in the order in which they are sent
_SENT = {
    "tools": (
        "name", "title", "description", "inputSchema", "outputSchema", "execution", "annotations", "icons", "_meta",
    ),
    "prompts": ("name", "title", "description", "arguments", "icons", "_meta"),
    "resources": (
        "uri", "name", "title", "description", "mimeType", "annotations", "size", "icons", "_meta",
    ),
    "templates": ("uriTemplate", "name", "title", "description", "mimeType", "annotations", "icons", "_meta"),
}  # fmt: skip
_SECTION = {"tools": "tool", "prompts": "prompt", "resources": "resource", "templates": "template"}
_KEY = {"tools": "name", "prompts": "name", "resources": "uri", "templates": "uriTemplate"}


class Item(NamedTuple):
    """One tool, prompt, resource or template: how it is listed, what happens when it is asked for."""

    kind: str
    key: str
    definition: dict[str, Any]
    steps: tuple[Step, ...]
    hidden: bool
    cancellable: bool
    entry: dict[str, Any]


class Scenario(NamedTuple):
    """Everything the demo server knows. `items` are by kind and key, in the order of the file."""

    about: str
    transport: str
    revisions: tuple[str, ...]
    page_size: int | None
    instructions: str | None
    server: dict[str, Any]
    capabilities: dict[str, Any]
    cache: dict[str, Any]
    items: dict[str, dict[str, Item]]
    completions: tuple[dict[str, Any], ...]
    reactions: tuple[tuple[str, tuple[Step, ...]], ...]
    http: dict[str, Any]
    auth: dict[str, Any] | None
    pages: dict[str, str]

    @property
    def handshakes(self) -> tuple[str, ...]:
        """The revisions with a handshake, oldest first."""
        return tuple(revision for revision in self.revisions if revision != STATELESS)

    @property
    def stateless(self) -> bool:
        """Whether it speaks the stateless revision."""
        return STATELESS in self.revisions


def load(name: str) -> Scenario:
    """The bundled scenario of this name, or the file at this path. ConfigError says what is wrong with it."""
    path = name if is_file(name) else bundled(name)
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {_reason(error)}", _ADVICE) from error
    return read(text, path)


def read(text: str, where: str = "scenario") -> Scenario:
    """A scenario from its TOML text; `where` is named in errors."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{where}: not TOML: {error}") from error
    for fault in mistakes(data, schema()):
        raise ConfigError(_told(where, fault), fault.hint)
    return _built(data)


def schema() -> Schema:
    """The JSON Schema of scenario files."""
    with open(os.path.join(HERE, "scenario.schema.json"), encoding="utf-8") as file:
        found: Schema = json.load(file)
    return found


def scenario_names() -> list[str]:
    """The bundled scenarios, by name."""
    folder = os.path.join(HERE, "scenarios")
    return sorted(name.removesuffix(".toml") for name in os.listdir(folder) if name.endswith(".toml"))


def bundled(name: str) -> str:
    """The path of a bundled scenario."""
    known = scenario_names()
    if name not in known:
        near = nearest(name, known)
        hint = f'did you mean "{near}"?' if near else f"there are: {', '.join(known)}; a file's name ends in .toml"
        raise ConfigError(f'no demo is called "{name}"', hint)
    return os.path.join(HERE, "scenarios", f"{name}.toml")


_ADVICE = "give the name of a bundled scenario (--list) or the path of a .toml file"


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "it is not UTF-8"


def _told(where: str, fault: Fault) -> str:
    at = place(fault.path)
    return f"{where}: {at}: {fault.message}" if at else f"{where}: {fault.message}"


def _built(data: dict[str, Any]) -> Scenario:
    items = {kind: _items(kind, data.get(section, [])) for kind, section in _SECTION.items()}
    reactions = [(entry["method"], steps_of(entry, f"on[{n}]")) for n, entry in enumerate(data.get("on", []))]
    every = [step for of_kind in items.values() for item in of_kind.values() for step in item.steps]
    every += [step for _, steps in reactions for step in steps]
    return Scenario(
        about=data.get("about", ""),
        transport=data.get("transport", "stdio"),
        revisions=tuple(rev for rev in REVISIONS if rev in data.get("revisions", REVISIONS)),
        page_size=data.get("page_size"),
        instructions=data.get("instructions"),
        server=data["server"],
        capabilities=data.get("capabilities", _capabilities(data, every)),
        cache=data.get("cache", {}),
        items=items,
        completions=tuple(data.get("completion", [])),
        reactions=tuple(reactions),
        http=data.get("http", {}),
        auth=data.get("auth"),
        pages={page["path"]: page["text"] for page in data.get("page", [])},
    )


def _items(kind: str, entries: list[dict[str, Any]]) -> dict[str, Item]:
    return {entry[_KEY[kind]]: _item(kind, entry, n) for n, entry in enumerate(entries)}


def _item(kind: str, entry: dict[str, Any], number: int) -> Item:
    full = {"inputSchema": {"type": "object"}, **_execution(entry), **entry} if kind == "tools" else entry
    return Item(
        kind=kind,
        key=entry[_KEY[kind]],
        definition={name: full[name] for name in _SENT[kind] if name in full},
        steps=steps_of(entry, f"{_SECTION[kind]}[{number}]"),
        hidden=entry.get("hidden", False),
        cancellable=entry.get("cancellable", True),
        entry=entry,
    )


def _execution(entry: dict[str, Any]) -> dict[str, Any]:
    """What a tool of the core of 2025-11-25 says of tasks."""
    return {"execution": {"taskSupport": entry["task"].get("support", "optional")}} if "task" in entry else {}


def _capabilities(data: dict[str, Any], steps: list[Step]) -> dict[str, Any]:
    """What the scenario holds, for files that do not say it themselves."""
    changed = {kind for step in steps if step.action == "change" for kind in step.value}
    has = {
        "tools": "tool" in data,
        "resources": "resource" in data or "template" in data,
        "prompts": "prompt" in data,
        "completions": "completion" in data,
        "logging": any(step.action == "log" for step in steps),
    }
    found: dict[str, Any] = {name: {} for name, there in has.items() if there}
    for kind in found.keys() & changed:
        found[kind]["listChanged"] = True
    if "resources" in found and any(step.action == "update" for step in steps):
        found["resources"]["subscribe"] = True
    if any("task" in tool for tool in data.get("tool", [])):
        found["tasks"] = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
        found["extensions"] = {TASKS: {}}
    return found
