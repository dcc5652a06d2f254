"""Plans: what the recorder does between opening and end. Files are TOML; a plan is data, whoever wrote it.

A plan that breaks the format is refused with the step, the key and what was expected; nothing is guessed.
"""

import re
from typing import Any, NamedTuple

from flowgen.errors import ConfigError
from flowgen.version import __version__

from ._acts import Json
from ._dialects import Identity
from ._keys import Key, checked, nearest_hint, object_schema
from ._revisions import REVISIONS

KINDS = ("tools", "resources", "templates", "prompts")
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
CHANGES = ("toolsListChanged", "promptsListChanged", "resourcesListChanged")
WAIT_SECONDS = 5.0  # how long `wait` waits for its message when the plan does not say

_PLAN = {
    "title": Key("string", "Title of the picture."),
    "opening": Key("string", "Title of the band in which the session is opened."),
    "revision": Key("string", "Revision to speak; auto (the default) finds out.", ("auto", *REVISIONS)),
    "offer": Key("string", "Revision that the opening names first, to see it refused."),
    "cache": Key("boolean", "Use answers again for as long as the server says that they stay fresh."),
    "client": Key("object", "Who the client says it is."),
    "step": Key("objects", "What is done, in order."),
}
_CLIENT = {
    "name": Key("string", "Name in clientInfo."),
    "version": Key("string", "Version in clientInfo."),
    "title": Key("string", "Display name in clientInfo."),
    "capabilities": Key("object", "What the client declares; all that the revision knows when left out."),
}
_ACTIONS = {
    "list": Key("strings", "Lists to read to their last page.", KINDS),
    "call": Key("string", "Tool to call."),
    "read": Key("string", "URI of a resource to read."),
    "get": Key("string", "Prompt to get."),
    "complete": Key("string", "Argument to complete, written PROMPT-OR-URI:ARGUMENT=VALUE."),
    "ping": Key("boolean", "Send a ping."),
    "set-level": Key("string", "Ask for log messages from this level on.", LEVELS),
    "subscribe": Key("string", "URI of a resource to be told about."),
    "wait": Key("string|number", "Method of a message of the server to wait for, or seconds."),
    "listen": Key("strings", "Changes to be told about: kinds of lists, or URIs of resources."),
    "change-roots": Key("strings", "New roots: the server is told that they changed."),
    "request": Key("string", "Any other request, by its method; `arguments` are its params."),
    "notify": Key("string", "Any notification, by its method; `arguments` are its params."),
}
_BESIDE = {
    "title": Key("string", "Opens a band with this title in the picture."),
    "titles": Key("object", "Open bands inside the step; `title` then stands over the request itself."),
    "arguments": Key("object", "Arguments of the tool or the prompt; params of a request or a notification."),
    "approve": Key("boolean", "A person is asked first (or --yes)."),
    "progress": Key("boolean", "Ask for progress messages."),
    "task": Key("object", "Ask for a task (2025-11-25) and follow it: { ttl = 60000 }, in milliseconds, or {}."),
    "cancel-after": Key("number", "Take the request back, or cancel its task, after so many seconds."),
    "seconds": Key("number", "How long to listen or to wait."),
}
_PARTS = {
    "approval": Key("string", "Title from where it is asked whether the call may be sent."),
    "question": Key("string", "Title from where the server asks back."),
    "answer": Key("string", "Title from where the client replies to that."),
    "result": Key("string", "Title from where the request is answered for good."),
}
_REQUESTS = ("list", "call", "read", "get", "complete", "ping", "subscribe", "set-level", "request")
_FITS = {
    "arguments": ("call", "get", "request", "notify"),
    "approve": ("call",),
    "titles": ("call", "read", "get"),
    "task": ("call",),
    "progress": _REQUESTS,
    "cancel-after": (*_REQUESTS, "listen"),
    "seconds": ("listen", "wait"),
}
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:[^\s]+\Z")
_ABSOLUTE = re.compile(r"/|[A-Za-z]:[/\\]")
_COMPLETE = re.compile(r"(?P<ref>.+?):(?P<argument>[\w.\-]+)=(?P<value>.*)", re.DOTALL)


class Step(NamedTuple):
    """One action and what stands beside it. `as_declared`: only what the server says it has."""

    action: str
    target: Any
    title: str | None = None
    arguments: Json = {}  # noqa: RUF012 - a NamedTuple's default, never changed
    approve: bool = False
    progress: bool = False
    cancel_after: float | None = None
    seconds: float | None = None
    as_declared: bool = False
    titles: Json = {}  # noqa: RUF012 - as above
    task: Json | None = None

    @property
    def name(self) -> str | None:
        """The tool, prompt, URI or method it is about."""
        return self.target if isinstance(self.target, str) else None


class Plan(NamedTuple):
    """What the recorder does. `revision` is one of ours or `auto`; `client` None: flowgen itself.

    `title` is the picture's, `opening` that of its first band. `offer`: the revision that is named first.
    """

    steps: tuple[Step, ...]
    title: str | None = None
    revision: str = "auto"
    client: Identity | None = None
    opening: str | None = None
    offer: str | None = None
    cache: bool = False


def plan_from(data: bytes, where: str) -> Plan:
    """The plan that a TOML file holds; `where` names the file in errors. Raises ConfigError."""
    table = checked(toml(data, where), _PLAN, where)
    steps = [_step(row, f"{where}: step {number}") for number, row in enumerate(table.get("step", ()), 1)]
    client = _client(table["client"], f"{where}: client") if "client" in table else None
    return Plan(
        tuple(steps), table.get("title"), table.get("revision", "auto"), client, table.get("opening"),
        table.get("offer"), table.get("cache", False),
    )  # fmt: skip


def toml(data: bytes, where: str) -> Any:
    """The tables of a TOML file. Raises ConfigError with the line that is wrong."""
    import tomllib

    try:
        return _plain(tomllib.loads(data.decode("utf-8-sig")))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{where}: not UTF-8 text (byte {error.start})") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{where}: not TOML: {error}", "strings need quotes; a table begins with [[step]]") from None


def _plain(value: Any) -> Any:
    """The same as JSON can hold it: dates and times are texts there."""
    if isinstance(value, dict):
        return {name: _plain(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.isoformat() if hasattr(value, "isoformat") else value


def _client(table: Any, where: str) -> Identity:
    row = checked(table, _CLIENT, where)
    more = {"title": row["title"]} if "title" in row else {}
    return Identity(row.get("name", "flowgen"), row.get("version", __version__), more, row.get("capabilities"))


def _step(table: Any, where: str) -> Step:
    row = checked(table, {**_ACTIONS, **_BESIDE}, where)
    actions = [name for name in row if name in _ACTIONS]
    if len(actions) != 1:
        found = f"it has {' and '.join(actions)}" if actions else "it has none"
        raise ConfigError(f"{where}: a step holds exactly one action, {found}", f"actions: {', '.join(_ACTIONS)}")
    action = actions[0]
    for name, fitting in _FITS.items():
        if name in row and action not in fitting:
            raise ConfigError(f"{where}: `{name}` does not go with `{action}`", f"it goes with {', '.join(fitting)}")
    return Step(
        action, _target(action, row[action], where), row.get("title"), row.get("arguments", {}),
        row.get("approve", False), row.get("progress", False), row.get("cancel-after"), row.get("seconds"),
        titles=checked(row.get("titles", {}), _PARTS, f"{where}: `titles`"), task=row.get("task"),
    )  # fmt: skip


def _target(action: str, value: Any, where: str) -> Any:
    match action:
        case "list":
            return tuple(value)
        case "complete":
            return completion(value, f"{where}: `complete`")
        case "listen":
            return changes(value, f"{where}: `listen`")
        case "change-roots":
            return [root(uri, f"{where}: `change-roots`") for uri in value]
        case "ping" if value is False:
            raise ConfigError(f"{where}: `ping` is false", "leave the step out, or write ping = true")
    return value


def completion(text: str, where: str) -> Json:
    """The params of `completion/complete` from `REF:ARG=VALUE`. Raises ConfigError."""
    found = _COMPLETE.fullmatch(text)
    if found is None:
        raise ConfigError(f"{where}: `{text}` is not REF:ARG=VALUE", 'such as "greet:name=Ad" or "note://{id}:id=1"')
    ref = found["ref"]
    kind = {"type": "ref/resource", "uri": ref} if is_uri(ref) else {"type": "ref/prompt", "name": ref}
    return {"ref": kind, "argument": {"name": found["argument"], "value": found["value"]}}


def root(uri: str, where: str) -> str:
    """The address of a root, which is an URI. Raises ConfigError."""
    if _URI.match(uri):
        return uri
    path = uri.replace("\\", "/").lstrip("/") if _ABSOLUTE.match(uri) else "…"
    raise ConfigError(f"{where}: `{uri}` is no URI", f"such as file:///{path}")


def is_uri(text: str) -> bool:
    """True for an address or a template of one; a prompt's name has no `://`."""
    return "://" in text


def changes(names: list[str], where: str) -> Json:
    """The filter of `subscriptions/listen` from kinds of lists and URIs. Raises ConfigError."""
    for name in names:
        if name not in CHANGES and not is_uri(name):
            raise ConfigError(f"{where}: unknown kind `{name}`", nearest_hint(name, CHANGES, "kinds, beside URIs"))
    uris = [name for name in names if is_uri(name)]
    wanted: Json = {name: True for name in names if name in CHANGES}
    return {**wanted, "resourceSubscriptions": uris} if uris else wanted


def plan_schema() -> Json:
    """The JSON Schema of a plan file."""
    exactly_one = [{"required": [name]} for name in _ACTIONS]
    step = object_schema({**_ACTIONS, **_BESIDE}, oneOf=exactly_one)
    step["properties"]["titles"] = object_schema(_PARTS, description=_BESIDE["titles"].says)
    schema = object_schema(_PLAN, title="A plan of flowgen record")
    schema["properties"]["client"] = object_schema(_CLIENT, description=_PLAN["client"].says)
    schema["properties"]["step"] = {"type": "array", "items": step, "description": _PLAN["step"].says}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
