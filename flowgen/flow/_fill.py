"""The texts of notes: placeholders filled with what was recorded, `[[…]]` parts left out when it was not.

A value is inserted once and as it came: braces in it are no placeholders, and making it safe is the scene's.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Literal

from ._around import Spot
from ._json import one_line
from ._places import Found, Place

Language = Literal["en", "zh"]

LONGEST = 48  # characters of a value in a note
_JOINED = {"en": ", ", "zh": "、"}
_PART = re.compile(r"\[\[(.*?)\]\]")
_PLACEHOLDER = re.compile(r"\{([A-Za-z_]+)\}")
_JOINER = "\u200d"

Value = Callable[[str], str | None]


def filled(template: str, value: Value) -> str | None:
    """The text with its values; None if one has no value outside of an optional part."""
    texts: list[str] = []
    for at, part in enumerate(_parts(template)):
        optional = at % 2 == 1
        text = _filled_part(part, value, optional)
        if text is None and not optional:
            return None
        texts.append(text or "")
    return "".join(texts)


class Values:
    """The values of a note's placeholders at one place of one message, in one language."""

    def __init__(self, spot: Spot, found: Found, others: Mapping[str, Place], language: Language) -> None:
        self.spot = spot
        self.found = found
        self.others = others
        self.language = language

    def __call__(self, name: str) -> str | None:
        """The value as text; None if there is none."""
        if name in self.others:
            return self._joined(one.value for one in self.others[name](self.spot))
        make = _NAMES.get(name)
        return make(self) if make else None

    def value(self) -> str | None:
        return written(self.found.value, self.language)

    def key(self) -> str:
        return cut(self.found.key)

    def keys(self) -> str | None:
        return self._joined(self.found.value if isinstance(self.found.value, dict) else ())

    def step(self) -> str | None:
        around = self.spot.around
        first = around.first_asked.get(self.spot.draft.method or "")
        number = around.step_of[first] if first is not None else None
        return str(number) if number is not None else None

    def required(self) -> str | None:
        needed = _needed(self._schema)
        return self._joined(name for name in self._sent if name in needed) if self._schema else None

    def optional(self) -> str | None:
        return self._joined(self._optional)

    def defaults(self) -> str | None:
        """With one optional argument its default alone, otherwise each with its name."""
        names = self._optional
        properties = _properties(self._schema)
        known = [
            (name, properties[name]["default"]) for name in names if "default" in properties.get(name, {})
        ]
        if len(names) == 1:
            return self._joined(value for _, value in known)
        return self._joined(f"{name} {written(value, self.language)}" for name, value in known)

    def default(self) -> str | None:
        argument = _properties(self._schema).get(self.found.key, {})
        return written(argument["default"], self.language) if "default" in argument else None

    @property
    def _schema(self) -> dict[str, Any]:
        tool = self.spot.tool
        schema = tool.get("inputSchema") if isinstance(tool, dict) else None
        return schema if isinstance(schema, dict) else {}

    @property
    def _sent(self) -> list[str]:
        arguments = self.spot.draft.params.get("arguments")
        return list(arguments) if isinstance(arguments, dict) else []

    @property
    def _optional(self) -> list[str]:
        needed = _needed(self._schema)
        return [name for name in self._sent if name not in needed] if self._schema else []

    def _joined(self, values: Iterable[Any]) -> str | None:
        texts = [_written(value, self.language) for value in values if value not in ([], {})]
        return cut(_JOINED[self.language].join(texts)) if texts else None


_NAMES: dict[str, Callable[[Values], str | None]] = {
    "value": Values.value,
    "key": Values.key,
    "keys": Values.keys,
    "step": Values.step,
    "required": Values.required,
    "optional": Values.optional,
    "defaults": Values.defaults,
    "default": Values.default,
}


def written(value: Any, language: Language) -> str:
    """A JSON value as a note says it, at most LONGEST characters."""
    return cut(_written(value, language))


def cut(text: str) -> str:
    """Shortened with `…` at the end, never inside of a character that is made of several."""
    if len(text) <= LONGEST:
        return text
    end = LONGEST - 1
    while end > 1 and (_goes_on(text[end]) or text[end - 1] == _JOINER):
        end -= 1
    return text[:end] + "…"


def _goes_on(char: str) -> bool:
    return (
        char == _JOINER or unicodedata.category(char).startswith("M") or "\U0001f3fb" <= char <= "\U0001f3ff"
    )


def _written(value: Any, language: Language) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and not any(isinstance(item, list | dict) for item in value):
        return _JOINED[language].join(_written(item, language) for item in value)
    return one_line(value) or "…"


def _filled_part(part: str, value: Value, optional: bool) -> str | None:
    """None if a placeholder has no value; an empty list or object is one, but not where a part may be left out."""
    missing = False

    def insert(match: re.Match[str]) -> str:
        nonlocal missing
        text = value(match[1])
        missing = missing or text is None or (optional and text in ("", "[]", "{}"))
        return text or ""

    text = _PLACEHOLDER.sub(insert, part)
    return None if missing else text


@cache
def _parts(template: str) -> list[str]:
    """Texts that always stand at even places, optional ones at odd places."""
    return _PART.split(template)


def _needed(schema: dict[str, Any]) -> list[Any]:
    required = schema.get("required")
    return required if isinstance(required, list) else []


def _properties(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return {}
    return {name: argument for name, argument in properties.items() if isinstance(argument, dict)}
