"""Tables that people write, read strictly: an unknown key or a value of another type is one clear error.

The same rows check a file and become its JSON Schema, so the two cannot differ.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from flowgen.errors import ConfigError

_SCHEMAS: dict[str, dict[str, Any]] = {
    "string": {"type": "string"},
    "number": {"type": "number", "minimum": 0},
    "boolean": {"type": "boolean"},
    "strings": {"type": "array", "items": {"type": "string"}},
    "object": {"type": "object"},
    "objects": {"type": "array", "items": {"type": "object"}},
    "roots": {"type": "array", "items": {"type": ["string", "object"]}},
}
_WORDS = {
    "string": "a string", "number": "a number, not below 0", "boolean": "true or false",
    "strings": "a list of strings", "object": "a table", "objects": "a list of tables",
    "roots": "a list of URIs, or of tables with uri and name",
}  # fmt: skip


class Key(NamedTuple):
    """One key: the kinds of value it takes (`|` between them), what it is for, and the values allowed."""

    kinds: str
    says: str
    choices: tuple[str, ...] = ()


def checked(table: Any, keys: Mapping[str, Key], where: str) -> dict[str, Any]:
    """`table` itself, when it holds only these keys with values of their kinds.

    Raises ConfigError naming `where`, the key and the nearest known one.
    """
    if not isinstance(table, dict):
        raise ConfigError(f"{where}: a table is expected, this is {_shown(table)}")
    for name, value in table.items():
        if name not in keys:
            raise ConfigError(f"{where}: unknown key `{name}`", nearest_hint(name, keys, "known keys"))
        _check(name, value, keys[name], f"{where}: `{name}`")
    return table


def _check(name: str, value: Any, key: Key, where: str) -> None:
    kinds = key.kinds.split("|")
    if not any(_is(kind, value) for kind in kinds):
        expected = " or ".join(_WORDS[kind] for kind in kinds)
        raise ConfigError(f"{where} is {_shown(value)}; {expected} is expected", _written(name, value, kinds))
    for item in value if isinstance(value, list) else [value]:
        if key.choices and isinstance(item, str) and item not in key.choices:
            raise ConfigError(f"{where}: unknown value `{item}`", nearest_hint(item, key.choices, "allowed"))


def _written(name: str, value: Any, kinds: list[str]) -> str | None:
    """How a value of the kind is written in TOML, where the one given lets guess what was meant."""
    if "objects" in kinds:
        return f"each begins with [[{name}]]"
    if "object" in kinds:
        return f"{name} = {{ … }}"
    if isinstance(value, str) and ("strings" in kinds or "roots" in kinds):
        return f"{name} = [{json.dumps(value, ensure_ascii=False)}]"
    if isinstance(value, str) and "boolean" in kinds and value.lower() in ("true", "false"):
        return f"{name} = {value.lower()}"
    return None


def _is(kind: str, value: Any) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < float("inf")
        case "boolean":
            return isinstance(value, bool)
        case "object":
            return isinstance(value, dict)
    items = {"strings": (str,), "objects": (dict,), "roots": (str, dict)}[kind]
    return isinstance(value, list) and all(isinstance(item, items) for item in value)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def nearest(name: str, known: Any) -> str | None:
    """The known name that looks most like this one."""
    from difflib import get_close_matches

    near = get_close_matches(name, [str(each) for each in known], n=1, cutoff=0.5)
    return near[0] if near else None


def nearest_hint(name: str, known: Any, words: str) -> str:
    """A hint that names the nearest known name, or all of them."""
    near = nearest(name, known)
    return f"did you mean `{near}`?" if near else f"{words}: {', '.join(known)}"


def object_schema(keys: Mapping[str, Key], **more: Any) -> dict[str, Any]:
    """The JSON Schema of a table with these keys and no others."""
    properties = {name: _schema(key) for name, key in keys.items()}
    return {"type": "object", "additionalProperties": False, "properties": properties, **more}


def _schema(key: Key) -> dict[str, Any]:
    kinds = [dict(_SCHEMAS[kind]) for kind in key.kinds.split("|")]
    if key.choices and kinds[0].get("type") == "array":
        kinds[0]["items"] = {"type": "string", "enum": list(key.choices)}
    elif key.choices:
        kinds[0]["enum"] = list(key.choices)
    return {"description": key.says, **(kinds[0] if len(kinds) == 1 else {"anyOf": kinds})}
