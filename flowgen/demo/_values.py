"""Texts and conditions over the values of one call: `"Weather in {location}"`, `when = { units = "imperial" }`.

The values are the arguments, and under their own keys what the client answered when it was asked.
Nothing is evaluated: a placeholder is a path, a condition is a pattern.
"""

import json
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

Values = dict[str, Any]

# {{x}} stands for the literal {x}; all other braces stand for themselves, so that JSON can be written down
_PLACEHOLDER = re.compile(r"\{\{([^{}]*)\}\}|\{([A-Za-z_][\w.*#-]*)\}")


def filled(template: Any, values: Values) -> Any:
    """The template with its placeholders replaced, in any depth of lists and tables.

    A string that is one placeholder and nothing else becomes the value itself, with its type.
    """
    match template:
        case str():
            return _filled_text(template, values)
        case list():
            return [filled(item, values) for item in template]
        case dict():
            return {key: filled(item, values) for key, item in template.items()}
    return template


def text(template: str, values: Values) -> str:
    """The template as text."""
    return shown(filled(template, values))


def roots(template: Any) -> Iterator[str]:
    """The first name of every placeholder in it."""
    match template:
        case str():
            yield from (found[2].split(".")[0] for found in _PLACEHOLDER.finditer(template) if found[2])
        case list():
            for item in template:
                yield from roots(item)
        case dict():
            yield from roots(list(template.values()))


def fits(pattern: Any, value: Any) -> bool:
    """Whether a value has the form of a condition: strings are globs, lists are choices, tables go inward."""
    match pattern:
        case dict():
            inward = value if isinstance(value, dict) else {}
            return all(fits(part, inward.get(key)) for key, part in pattern.items())
        case list():
            return any(fits(part, value) for part in pattern)
        case str():
            return isinstance(value, str) and fnmatchcase(value, pattern)
    return bool(value == pattern) and isinstance(value, bool) == isinstance(pattern, bool)


def shown(value: Any) -> str:
    """A value as a person writes it: no quotes around strings, no `.0` behind whole numbers."""
    match value:
        case str():
            return value
        case None:
            return ""
        case float():
            return format(value, ".12g")
    return json.dumps(value, ensure_ascii=False)


def _filled_text(template: str, values: Values) -> Any:
    whole = _PLACEHOLDER.fullmatch(template)
    if whole and whole[2]:
        return _found(values, whole[2].split("."))
    return _PLACEHOLDER.sub(
        lambda found: "{" + found[1] + "}" if found[2] is None else shown(_found(values, found[2].split("."))),
        template,
    )


def _found(node: Any, path: list[str]) -> Any:
    """What stands there, None if nothing does. `*` joins a list's items, `#` counts them."""
    for index, key in enumerate(path):
        match node, key:
            case list(), "#":
                return len(node)
            case list(), "*":
                return ", ".join(shown(_found(item, path[index + 1 :])) for item in node)
            case list(), _ if key.isdecimal() and int(key) < len(node):
                node = node[int(key)]
            case dict(), _:
                node = node.get(key)
            case _:
                return None
    return node
