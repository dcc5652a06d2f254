"""A JSON Schema told in a few words: `location: string`, `units?: metric|imperial|kelvin = metric`.

Only what somebody needs who calls the tool: names, types, what may be left out (`?`), defaults. Descriptions and
limits are dropped, what is nested is `{…}`. Whatever a server sends for a schema, there are words for it.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from flowgen.trace import MASK, mask_shapes, secret_name

from ._clean import pieces
from ._json_values import Name, Part, Typed, Value, name_parts, value_parts
from ._text import columns, shorten_columns

SCHEMAS = frozenset(["inputSchema", "outputSchema", "requestedSchema"])

_MOST = 8  # alternatives that are named
_LONGEST = 48  # columns of a single name or value
_DEEPEST = 3  # alternatives and arrays inside each other
_PARTS = 80  # of one property
_BARE = re.compile(r"(?!(?:true|false|null)$)[A-Za-z_$][\w$.-]*").fullmatch  # cannot be taken for anything else
_SIGNS = {"anyOf": " | ", "oneOf": " | ", "allOf": " & "}


def summary(schema: Any) -> Any:
    """The schema with a `Typed` for each property, under numbers instead of names; one `Typed` where it has none.

    A schema that is no object comes back as it is.
    """
    if not _is_object(schema):
        return schema
    known = dict(schema)
    properties: Any = known.get("properties")
    if not _is_object(properties):
        return () if known.get("type") == "object" and not _alternatives(known) else _typed(_type(schema, 0))
    wanted = known.get("required")
    required = {name for name in wanted if isinstance(name, str)} if isinstance(wanted, list) else set()
    told = [_typed(_property(name, of, name in required)) for name, of in dict(properties).items()]
    return tuple(enumerate(told))


def _typed(parts: Iterable[Part]) -> Typed:
    first = list(islice(parts, _PARTS + 1))
    return Typed(tuple(first) if len(first) <= _PARTS else (*first[:_PARTS], ("mut", "…", 1)))


def _property(name: str, schema: Any, required: bool) -> Iterable[Part]:
    yield from _said("key", name) if _BARE(name) else _brief(name_parts(name, False, None))
    yield _punct(": " if required else "?: ")
    yield from _type(schema, 0)
    if _is_object(schema) and "default" in (known := dict(schema)):
        yield _punct(" = ")
        hidden = secret_name(name) and isinstance(known["default"], str)
        yield from _literal(MASK if hidden else known["default"])


_Known = Mapping[str, Any]


def _type(schema: Any, depth: int) -> Iterable[Part]:
    """What a value may be."""
    if not _is_object(schema) or depth > _DEEPEST:
        return _said("word", "never" if schema is False else "any" if schema is True else "…")
    known = dict(schema)
    if isinstance(known.get("$ref"), str):
        return _said("word", known["$ref"].rpartition("/")[2] or known["$ref"])
    if "const" in known:
        return _literal(known["const"])
    if isinstance(known.get("enum"), list):
        return _joined("|", known["enum"], _literal)
    if found := _alternatives(known):
        return _joined(found[0], found[1], lambda each: _type(each, depth + 1))
    return _plain(known, depth)


def _alternatives(known: _Known) -> tuple[str, list[Any]] | None:
    """What joins the alternatives, and they themselves."""
    return next(((sign, known[key]) for key, sign in _SIGNS.items() if isinstance(known.get(key), list)), None)


def _plain(known: _Known, depth: int) -> Iterable[Part]:
    name = known.get("type", "object" if "properties" in known else "array" if "items" in known else "any")
    if isinstance(name, list):
        return _joined(" | ", name, lambda each: _named(each, known, depth))
    return _named(name, known, depth)


def _named(name: Any, known: _Known, depth: int) -> Iterable[Part]:
    if name == "array":
        return _array(known.get("items", True), depth)
    if name == "object" and known.get("properties"):
        return [_punct("{…}")]
    return _said("word", name if isinstance(name, str) else "any")


def _array(items: Any, depth: int) -> Iterable[Part]:
    inner = list(islice(_type(items, depth + 1), _PARTS))
    several = any(kind == "punct" and text.strip() in ("|", "&") for kind, text, _ in inner)
    yield from [_punct("("), *inner, _punct(")")] if several else inner
    yield _punct("[]")


def _joined(sign: str, values: Sequence[Any], said: Callable[[Any], Iterable[Part]]) -> Iterable[Part]:
    for number, value in enumerate(values[:_MOST]):
        yield from [_punct(sign)] if number else []
        yield from said(value)
    if len(values) > _MOST:
        yield _punct(sign)
        yield from _said("mut", f"… {len(values) - _MOST:,}")


def _literal(value: Any) -> Iterable[Part]:
    """A value as JSON, what it contains as `…`; a plain word goes without quotes."""
    if _is_object(value):
        return [_punct("{…}" if value else "{}")]
    if isinstance(value, list):
        return [_punct("[…]" if value else "[]")]
    if value == MASK or (type(value) is str and _BARE(value)):
        return _said("string", value)
    return _brief(value_parts(value, False, None))


def _brief(value: Value | Name) -> Iterable[Part]:
    if value.wide <= _LONGEST:
        return value.parts
    return _said(value.parts[0][0], "".join(text for _, text, _ in value.parts[:_LONGEST]))


def _said(kind: str, text: str) -> Iterable[Part]:
    shown = shorten_columns(mask_shapes(text[: 4 * _LONGEST]), _LONGEST)
    for part, hidden in pieces(shown):
        yield "hidden" if hidden else kind, part, columns(part)


def _punct(text: str) -> Part:
    return "punct", text, len(text)


def _is_object(value: Any) -> bool:
    """Objects are mappings, or pairs where the text of the message was read as it was written."""
    return type(value) in (dict, tuple)
