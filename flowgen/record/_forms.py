"""A server's question as a dialogue of lines: accept, decline or cancel, then each field of the form.

What the server wrote is shown with its control characters made visible, and as the server's words.
"""

from collections.abc import Callable
from typing import Any, Literal

from flowgen import protocol

from ._words import printable

Action = Literal["accept", "decline", "cancel"]
Say = Callable[[str], None]
Read = Callable[[], str]

_ACTIONS: dict[str, Action] = {"a": "accept", "y": "accept", "d": "decline", "n": "decline", "c": "cancel"}
_SKIP = object()


def fill(question: protocol.AskPerson, say: Say, read: Read) -> tuple[Action, Any]:
    """Asks; gives the action and the form's content or the text. Raises Cancelled at the end of the input."""
    say(_opening(question))
    action = _action(say, read)
    if action != "accept" or question.kind == "approval":
        return action, None
    if question.kind == "sampling":
        say("  text: ")
        return action, read()
    return action, {} if question.url else _content(question.schema, say, read)


def _opening(question: protocol.AskPerson) -> str:
    said = printable(question.message, 400)
    match question.kind:
        case "approval":
            return f"{said}\n"
        case "sampling":
            return f"The server asks the model: {said}\n"
    where = f"\n  page: {printable(question.url, 400)}" if question.url else ""
    return f"The server asks: {said}{where}\n"


def _action(say: Say, read: Read) -> Action:
    while True:
        say("  [a]ccept, [d]ecline, [c]ancel: ")
        action = _ACTIONS.get(read().strip().lower()[:1])
        if action is not None:
            return action


def _content(schema: Any, say: Say, read: Read) -> dict[str, Any]:
    fields = schema.get("properties") if isinstance(schema, dict) else None
    required = schema.get("required") if isinstance(schema, dict) else None
    content = {}
    for name, field in fields.items() if isinstance(fields, dict) else ():
        wanted = isinstance(required, list) and name in required
        value = _field(name, field if isinstance(field, dict) else {}, wanted, say, read)
        if value is not _SKIP:
            content[name] = value
    return content


def _field(name: str, field: dict[str, Any], wanted: bool, say: Say, read: Read) -> Any:
    """Asks until the value fits; an empty line takes the default or leaves out what is not required."""
    label = printable(str(field.get("title") or name), 80)
    choices = field.get("enum")
    hint = f" ({' | '.join(map(str, choices))})" if isinstance(choices, list) else f" ({field.get('type', 'text')})"
    default = f" [{field['default']}]" if "default" in field else ""
    while True:
        say(f"  {label}{printable(hint, 120)}{printable(default, 80)}: ")
        text = read().strip()
        if not text and ("default" in field or not wanted):
            return field.get("default", _SKIP)
        value = _value(text, field)
        if value is not _SKIP:
            return value


def _value(text: str, field: dict[str, Any]) -> Any:
    """The text as the type that the field wants; _SKIP when it is none."""
    choices = field.get("enum")
    if isinstance(choices, list):
        return next((choice for choice in choices if str(choice) == text), _SKIP)
    match field.get("type"):
        case "boolean":
            return {"y": True, "yes": True, "true": True, "n": False, "no": False, "false": False}.get(text, _SKIP)
        case "integer" | "number" as kind:
            return _number(text, int if kind == "integer" else float)
        case "array":
            return [part.strip() for part in text.split(",")]
    return text


def _number(text: str, read: Callable[[str], Any]) -> Any:
    try:
        return read(text)
    except ValueError:
        return _SKIP
