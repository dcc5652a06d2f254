"""Schemas in a few words: what a caller needs is there, whatever a server sends for one."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scene.test_json import box


def told(**properties: Any) -> list[str]:
    """What is told of each property of a schema."""
    schema = {"type": "object", "properties": properties, "required": ["needed"]}
    text = " ".join(line.strip() for line in box({"inputSchema": schema}, brief=True, full=True))
    return text.removeprefix('{ "inputSchema": { ').removesuffix(" } }").split(", ")


def test_a_property_is_its_name_its_type_and_whether_it_may_be_left_out() -> None:
    units = {"type": "string", "enum": ["metric", "imperial", "kelvin"], "default": "metric", "description": "x"}
    assert told(needed={"type": "string"}, units=units) == [
        "needed: string",
        "units?: metric|imperial|kelvin = metric",
    ]


def test_a_schema_that_fits_is_one_line() -> None:
    schema = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    assert box({"name": "find", "inputSchema": schema}, brief=True)[-2] == '  "inputSchema": { q: string }'
    assert "properties" in "".join(box({"name": "find", "inputSchema": schema}))


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "array", "items": {"type": "string"}}, "string[]"),
        ({"type": "array", "items": {"type": ["integer", "null"]}}, "(integer | null)[]"),
        ({"type": "array"}, "any[]"),
        ({"type": "object", "properties": {"a": {}}}, "{…}"),
        ({"type": "object"}, "object"),
        ({"$ref": "#/$defs/Address"}, "Address"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}, "string | null = null"),
        ({"oneOf": [{"const": "a"}, {"const": 1.5}]}, "a | 1.5"),
        ({"allOf": [{"$ref": "#/A"}, {"$ref": "#/B"}]}, "A & B"),
        ({"enum": ["two words", "true", True, 3]}, '"two words"|"true"|true|3'),
        ({"enum": list("abcdefghij")}, "a|b|c|d|e|f|g|h|… 2"),
        ({"type": "array", "items": {"type": "string"}, "default": []}, "string[] = []"),
        ({}, "any"), (True, "any"), (False, "never"), (5, "…"),
    ],
    ids=range(16),
)  # fmt: skip
def test_every_form_of_type_has_words(schema: Any, words: str) -> None:
    assert told(a=schema) == [f"a?: {words}"]


def test_a_default_of_a_secret_is_not_told() -> None:
    assert told(api_key={"type": "string", "default": "hunter2"}) == ["api_key?: string = •••"]


def test_names_of_strangers_are_quoted_and_their_hidden_characters_shown() -> None:
    assert told(**{"two words": {"type": "\u202es"}}) == ['"two words"?: U+202Es']


def test_as_received_and_as_a_value_are_told_alike() -> None:
    value = {"inputSchema": {"properties": {"a": {"enum": [1.0, "x"]}, "b": {"default": {}}}}}
    assert box(json.dumps(value), text=True, brief=True) == box(value, brief=True)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(["type", "properties", "items", "anyOf", "enum", "$ref", "required", "default"]), inner
    ),
    max_leaves=20,
)


@settings(max_examples=80, deadline=None)
@given(json_values, st.booleans(), st.booleans())
def test_any_json_is_a_schema(schema: Any, full: bool, text: bool) -> None:
    value: Any = {"outputSchema": schema}
    for line in box(json.dumps(value) if text else value, text=text, brief=True, full=full, columns=40):
        assert len(line) <= 40 or not line.isascii()


def test_a_schema_that_branches_without_end_is_told_in_a_few_words() -> None:
    schema: Any = {"type": "string"}
    for _ in range(12):
        schema = {"anyOf": [schema] * 9}
    lines = box({"inputSchema": {"properties": {"a": schema}}}, brief=True)
    assert len(lines) < 30 and "…" in "".join(lines)
