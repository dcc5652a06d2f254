"""Arguments that nobody gave: from the schema, whatever the schema is."""

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.protocol._arguments import example_arguments

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)
WORDS = st.sampled_from(
    ["type", "properties", "required", "items", "enum", "default", "anyOf", "$ref", "minItems", "minimum", "maximum",
     "exclusiveMinimum", "minLength", "format", "examples", "const", "#/properties/a", "#", "object", "array", "a"]
)  # fmt: skip
SCHEMAS = st.recursive(
    st.integers() | WORDS | st.booleans() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=6),
    max_leaves=30,
)


def required(**properties):
    return {"type": "object", "properties": properties, "required": list(properties)}


@pytest.mark.parametrize(
    ("property", "value"),
    [
        ({"type": "string", "default": "d", "enum": ["e", "d"]}, "d"),
        ({"const": 7}, 7),
        ({"type": "string", "examples": ["x"]}, "x"),
        ({"type": "string", "enum": ["metric", "imperial"]}, "metric"),
        ({"type": "string"}, "example"),
        ({"type": "string", "minLength": 9}, "examplexx"),
        ({"type": "string", "format": "email"}, "someone@example.com"),
        ({"type": ["null", "integer"]}, 1),
        ({"type": "integer", "minimum": 5}, 5),
        ({"type": "integer", "exclusiveMinimum": 5}, 6),
        ({"type": "number", "maximum": 0.5}, 0.5),
        ({"type": "boolean"}, False),
        ({"type": "null"}, None),
        ({"type": "array", "items": {"type": "string"}}, []),
        ({"type": "array", "items": {"type": "string"}, "minItems": 2}, ["example", "example"]),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, 1),
        (required(b={"type": "boolean"}), {"b": False}),
    ],
)
def test_a_required_member_gets_what_the_schema_suggests(property, value):
    schema = required(a=property)
    made = example_arguments(schema)
    assert made == {"a": value}
    jsonschema.validate(made, schema)


def test_what_is_not_required_is_left_out():
    assert example_arguments({"type": "object", "properties": {"a": {"default": 1}}}) == {}


def test_local_references_are_followed_and_others_never():
    schema = {**required(a={"$ref": "#/$defs/x"}, b={"$ref": "https://a.example/s"}), "$defs": {"x": {"const": 1}}}
    assert example_arguments(schema) == {"a": 1, "b": None}


def test_a_schema_that_refers_to_itself_many_times_over_ends_soon():
    names = [f"n{number}" for number in range(50)]
    schema = {"type": "object", "properties": {name: {"$ref": "#"} for name in names}, "required": names}
    assert isinstance(example_arguments(schema), dict)


@settings(max_examples=150, deadline=None)
@given(JSON | SCHEMAS)
def test_whatever_a_server_gives_for_a_schema_there_are_arguments(schema):
    assert isinstance(example_arguments(schema), dict)
