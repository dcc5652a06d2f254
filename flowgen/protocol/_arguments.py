"""Arguments for a tool that nobody gave any: from its input schema's defaults, constants, examples and enums.

Only required members are filled. Schemas come from servers, so nothing in them is trusted to be well-formed,
and the work is bounded whatever they refer to.
"""

from typing import Any

from ._acts import Json

_DEPTH = 8  # a schema that refers to itself ends here
_VALUES = 500  # so many values are made up at most
_TEXTS = {
    "date": "2026-01-01", "date-time": "2026-01-01T00:00:00Z", "time": "00:00:00Z",
    "email": "someone@example.com", "uri": "https://example.com/", "uuid": "00000000-0000-4000-8000-000000000000",
}  # fmt: skip


def example_arguments(schema: Any) -> Json:
    """An object that a tool with this inputSchema should take; empty when the schema asks for nothing."""
    value = _Maker(schema).example(schema, 0)
    return value if isinstance(value, dict) else {}


class _Maker:
    """Makes values up for one schema, until its budget is spent."""

    def __init__(self, root: Any) -> None:
        self._root = root
        self._left = _VALUES

    def example(self, schema: Any, depth: int) -> Any:
        schema = self._followed(schema)
        self._left -= 1
        if not isinstance(schema, dict) or depth > _DEPTH or self._left < 0:
            return None
        for name in ("default", "const"):
            if name in schema:
                return schema[name]
        for name in ("examples", "enum"):
            if isinstance(schema.get(name), list) and schema[name]:
                return schema[name][0]
        for name in ("anyOf", "oneOf", "allOf"):
            if isinstance(schema.get(name), list) and schema[name]:
                return self.example(schema[name][0], depth + 1)
        return self._by_type(schema, depth)

    def _by_type(self, schema: Json, depth: int) -> Any:
        match _type(schema):
            case "string":
                return _text(schema)
            case "integer" | "number":
                return _number(schema)
            case "boolean":
                return False
            case "array":
                return [self.example(schema.get("items"), depth + 1) for _ in range(min(_least(schema, "minItems"), 3))]
            case "object":
                return self._object(schema, depth)
        return None

    def _object(self, schema: Json, depth: int) -> Json:
        properties, required = schema.get("properties"), schema.get("required")
        known = properties if isinstance(properties, dict) else {}
        names = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
        return {name: self.example(known.get(name, {}), depth + 1) for name in names if self._left > 0}

    def _followed(self, schema: Any) -> Any:
        """The schema that a local `$ref` means; addresses in the network are never followed."""
        for _ in range(_DEPTH):
            if not isinstance(schema, dict) or not isinstance(schema.get("$ref"), str):
                return schema
            schema = self._pointed(schema["$ref"])
        return None

    def _pointed(self, ref: str) -> Any:
        value = self._root if ref.startswith("#") else None
        for name in ref.split("/")[1:]:
            value = value.get(name.replace("~1", "/").replace("~0", "~")) if isinstance(value, dict) else None
        return value


def _type(schema: Json) -> str:
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kinds = kind if isinstance(kind, list) else [kind]
    return next((each for each in kinds if isinstance(each, str) and each != "null"), "null")


def _text(schema: Json) -> str:
    return _TEXTS.get(str(schema.get("format")), "example").ljust(min(_least(schema, "minLength"), 200), "x")


def _least(schema: Json, name: str) -> int:
    value = schema.get(name)
    return value if isinstance(value, int) else 0


def _number(schema: Json) -> Any:
    match schema:
        case {"minimum": int() | float() as least}:
            return least
        case {"exclusiveMinimum": int() | float() as below} if not isinstance(below, bool):
            return below + 1
        case {"maximum": int() | float() as most} if most < 1:
            return most
    return 1
