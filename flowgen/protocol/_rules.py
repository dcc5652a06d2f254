"""Answers files: what the client's side replies when a server asks back. The first rule that matches wins.

Where no rule matches, nobody is put words into the mouth: elicitation is declined, sampling refused, no roots.
"""

from fnmatch import fnmatchcase
from typing import Any, Literal, NamedTuple

from flowgen.errors import ConfigError

from ._acts import Json
from ._keys import Key, checked, object_schema
from ._plan import root, toml

_FILE = {
    "roots": Key("roots", "What roots/list is answered with."),
    "elicitation": Key("objects", "Rules for elicitation/create; the first that matches wins."),
    "sampling": Key("objects", "Rules for sampling/createMessage; the first that matches wins."),
}
_WHEN = {
    "message": Key("string", "Glob on the message that is shown or sent to the model."),
    "tool": Key("string", "Glob on the name of the tool whose call is running."),
}
_WHEN_KEY = Key("object", "When the rule holds; always, when left out.")
_ELICITATION = {
    "when": _WHEN_KEY,
    "accept": Key("object", "Accept with this content; {} for an address."),
    "decline": Key("boolean", "Decline."),
    "cancel": Key("boolean", "Cancel."),
}
_SAMPLING = {
    "when": _WHEN_KEY,
    "text": Key("string", "What the model says."),
    "command": Key("strings", "Stands for the model: gets the messages as JSON on stdin, prints the answer."),
    "model": Key("string", "Name of the model in the answer."),
}
_ROOT = {"uri": Key("string", "Address of the folder."), "name": Key("string", "Name shown.")}


class When(NamedTuple):
    """Globs that must all match."""

    message: str = "*"
    tool: str | None = None

    def holds(self, message: str, tool: str | None) -> bool:
        """True for a question with this message, asked while `tool` is called."""
        if self.tool is not None and not (tool is not None and fnmatchcase(tool, self.tool)):
            return False
        return fnmatchcase(message, self.message)


class Elicited(NamedTuple):
    """A rule for elicitation."""

    when: When
    action: Literal["accept", "decline", "cancel"]
    content: Json


class Sampled(NamedTuple):
    """A rule for sampling: a text, or else the command that gives one."""

    when: When
    text: str | None
    command: tuple[str, ...]
    model: str | None


class Answers(NamedTuple):
    """What an answers file says. `roots` None: it says nothing of roots."""

    roots: tuple[Json, ...] | None = None
    elicitation: tuple[Elicited, ...] = ()
    sampling: tuple[Sampled, ...] = ()

    def elicited(self, message: str, tool: str | None) -> Elicited | None:
        """The first rule for this question."""
        return next((rule for rule in self.elicitation if rule.when.holds(message, tool)), None)

    def sampled(self, message: str, tool: str | None) -> Sampled | None:
        """The first rule for this question to the model."""
        return next((rule for rule in self.sampling if rule.when.holds(message, tool)), None)


def answers_from(data: bytes, where: str) -> Answers:
    """The answers that a TOML file holds; `where` names the file in errors. Raises ConfigError."""
    table = checked(toml(data, where), _FILE, where)
    roots = tuple(_root(item, f"{where}: roots") for item in table["roots"]) if "roots" in table else None
    return Answers(
        roots,
        tuple(_elicited(row, f"{where}: elicitation {n}") for n, row in enumerate(table.get("elicitation", ()), 1)),
        tuple(_sampled(row, f"{where}: sampling {n}") for n, row in enumerate(table.get("sampling", ()), 1)),
    )


def _root(item: Any, where: str) -> Json:
    if isinstance(item, str):
        return {"uri": root(item, where)}
    if "uri" not in checked(item, _ROOT, where):
        raise ConfigError(f"{where}: a root without `uri`", 'such as { uri = "file:///project", name = "project" }')
    return {**item, "uri": root(item["uri"], where)}


def _elicited(table: Any, where: str) -> Elicited:
    row = checked(table, _ELICITATION, where)
    actions = [name for name in ("accept", "decline", "cancel") if name in row and row[name] is not False]
    match actions:
        case ["accept" | "decline" | "cancel" as action]:
            return Elicited(_when(row, where), action, row["accept"] if action == "accept" else {})
    hint = "accept = { … }, decline = true, or cancel = true"
    raise ConfigError(f"{where}: exactly one of accept, decline, cancel is expected", hint)


def _sampled(table: Any, where: str) -> Sampled:
    row = checked(table, _SAMPLING, where)
    if ("text" in row) == ("command" in row) or row.get("command") == []:
        raise ConfigError(f"{where}: exactly one of text and command is expected", 'such as text = "Two lines."')
    return Sampled(_when(row, where), row.get("text"), tuple(row.get("command", ())), row.get("model"))


def _when(row: Json, where: str) -> When:
    globs = checked(row.get("when", {}), _WHEN, f"{where}: when")
    return When(globs.get("message", "*"), globs.get("tool"))


def answers_schema() -> Json:
    """The JSON Schema of an answers file."""
    when = object_schema(_WHEN, description=_WHEN_KEY.says)
    elicitation = object_schema(_ELICITATION, oneOf=[{"required": [name]} for name in ("accept", "decline", "cancel")])
    sampling = object_schema(_SAMPLING, oneOf=[{"required": ["text"]}, {"required": ["command"]}])
    elicitation["properties"]["when"] = sampling["properties"]["when"] = when
    schema = object_schema(_FILE, title="Answers of flowgen record")
    schema["properties"]["elicitation"]["items"] = elicitation
    schema["properties"]["sampling"]["items"] = sampling
    schema["properties"]["roots"]["items"] = {
        "anyOf": [{"type": "string"}, object_schema(_ROOT, required=["uri"])],
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
