"""Does a value fit a JSON Schema? Knows the keywords that scenarios, tools and forms use and passes over the rest.

A `$ref` is followed inside the same document only: nothing is ever fetched.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

Schema = dict[str, Any]
Path = tuple[str | int, ...]
Check = Callable[[Any, Any], str | None]  # the value and the keyword's own value; what is wrong

DEPTH = 60  # levels of schema that are followed: a `$ref` may lead back to itself


class Fault(NamedTuple):
    """Where a value does not fit, why, and for a misspelt key the name it may have meant."""

    path: Path
    message: str
    hint: str | None = None


def faults(value: Any, schema: Any, root: Schema | None = None, path: Path = ()) -> Iterator[Fault]:
    """All places where the value breaks the schema, outermost first. `True` and `{}` allow everything."""
    if not isinstance(schema, dict) or len(path) > DEPTH:
        return
    whole = schema if root is None else root
    schema = _followed(schema, whole)
    wrong = list(_own(value, schema, path))
    yield from wrong
    if not wrong:
        yield from _inner(value, schema, whole, path)


def with_defaults(value: dict[str, Any], schema: Schema) -> dict[str, Any]:
    """The arguments with the schema's defaults for those left out."""
    defaults = {name: part["default"] for name, part in _properties(schema).items() if "default" in part}
    return {**defaults, **value}


def nearest(word: str, known: Any) -> str | None:
    """The known name that looks most like this one, if any does."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, sorted(known), 1)), None)


def place(path: Path) -> str:
    """A path as people write it: `tool[2].name`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def _properties(schema: Schema) -> dict[str, Schema]:
    parts = schema.get("properties", {})
    return {name: part for name, part in parts.items() if isinstance(part, dict)}


def _followed(schema: Schema, root: Schema) -> Schema:
    for _ in range(DEPTH):
        ref = schema.get("$ref")
        if not isinstance(ref, str) or not ref.startswith("#"):
            break
        schema = _at(root, ref.removeprefix("#").split("/")[1:])
    return schema


def _at(node: Any, keys: list[str]) -> Schema:
    for key in keys:
        node = node.get(key.replace("~1", "/").replace("~0", "~")) if isinstance(node, dict) else None
    return node if isinstance(node, dict) else {}


# The value itself ----------------------------------------------------------------------------------------------


def _own(value: Any, schema: Schema, path: Path) -> Iterator[Fault]:
    for keyword, holds in _KEYWORDS.items():
        if keyword in schema:
            message = holds(value, schema[keyword])
            if message:
                yield Fault(path, message)
                return


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_integer(value: Any) -> bool:
    return _is_number(value) and (isinstance(value, int) or value.is_integer())


_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": _is_integer,
    "number": _is_number,
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def _type(value: Any, wanted: Any) -> str | None:
    names = [wanted] if isinstance(wanted, str) else list(wanted)
    if any(_TYPES.get(name, lambda _: True)(value) for name in names):
        return None
    return f"must be {' or '.join(names)}"


def _enum(value: Any, allowed: list[Any]) -> str | None:
    if any(_same(value, item) for item in allowed):
        return None
    return f"must be one of {', '.join(str(item) for item in allowed)}"


def _same(left: Any, right: Any) -> bool:
    return bool(left == right) and isinstance(left, bool) == isinstance(right, bool)


def _const(value: Any, wanted: Any) -> str | None:
    return None if _same(value, wanted) else f"must be {wanted}"


def _bound(words: str, breaks: Callable[[Any, Any], bool]) -> Check:
    return lambda value, limit: f"must be {words} {limit}" if breaks(value, limit) else None


def _size(kind: type[str] | type[list[Any]], words: str, breaks: Callable[[int, int], bool]) -> Check:
    def check(value: Any, limit: int) -> str | None:
        return f"{words} {limit}" if isinstance(value, kind) and breaks(len(value), limit) else None

    return check


_KEYWORDS: dict[str, Check] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "minimum": _bound("at least", lambda value, limit: _is_number(value) and value < limit),
    "exclusiveMinimum": _bound("more than", lambda value, limit: _is_number(value) and value <= limit),
    "maximum": _bound("at most", lambda value, limit: _is_number(value) and value > limit),
    "minLength": _size(str, "must have a length of at least", lambda size, limit: size < limit),
    "maxLength": _size(str, "must have a length of at most", lambda size, limit: size > limit),
    "minItems": _size(list, "must have at least this many items:", lambda size, limit: size < limit),
    "maxItems": _size(list, "must have at most this many items:", lambda size, limit: size > limit),
}


# What it holds -------------------------------------------------------------------------------------------------


def _inner(value: Any, schema: Schema, root: Schema, path: Path) -> Iterator[Fault]:
    if isinstance(value, dict):
        yield from _members(value, schema, root, path)
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from faults(item, schema.get("items"), root, (*path, index))
    for keyword in ("anyOf", "oneOf"):
        yield from _one_of(value, schema.get(keyword), root, path)


def _members(value: dict[str, Any], schema: Schema, root: Schema, path: Path) -> Iterator[Fault]:
    known = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in value:
            yield Fault(path, f'"{name}" is missing')
    for name, item in value.items():
        if name in known:
            yield from faults(item, known[name], root, (*path, name))
        elif schema.get("additionalProperties", True) is False:
            yield _unknown(name, known, path)
        else:
            yield from faults(item, schema.get("additionalProperties"), root, (*path, name))


def _unknown(name: str, known: dict[str, Any], path: Path) -> Fault:
    near = nearest(name, known)
    hint = f'did you mean "{near}"?' if near else f"known here: {', '.join(known)}"
    return Fault(path, f'unknown key "{name}"', hint)


def _one_of(value: Any, options: Any, root: Schema, path: Path) -> Iterator[Fault]:
    if not options:
        return
    tries = [list(faults(value, option, root, path)) for option in options]
    if all(tries):
        yield max((found[0] for found in tries), key=lambda fault: len(fault.path))
