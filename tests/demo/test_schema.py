"""The small JSON Schema check that scenarios, arguments and forms share."""

import pytest

from flowgen.demo._schema import faults, nearest, place, with_defaults

TREE = {
    "$ref": "#/$defs/node",
    "$defs": {
        "node": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "parts": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
            "required": ["name"],
            "additionalProperties": False,
        }
    },
}

FITS = [
    ({"type": "integer"}, 3.0),
    ({"type": "number"}, 3),
    ({"type": ["string", "null"]}, None),
    ({"enum": [1, "a"]}, "a"),
    ({"const": True}, True),
    ({"minimum": 1, "maximum": 2}, 1.5),
    ({"minLength": 1}, "a"),
    ({"maxItems": 1}, [1]),
    ({"additionalProperties": {"type": "string"}}, {"a": "b"}),
    (True, 5),
    ({}, None),
    ({"unheard-of": 1}, 5),
    ({"oneOf": [{"const": 1}, {"const": 2}]}, 2),
    ({"items": {"anyOf": [{"const": "x"}]}}, ["x"]),
    (TREE, {"name": "a", "parts": [{"name": "b"}]}),
    ({"$ref": "https://example.org/x"}, 5),
    ({"$ref": "#/nowhere"}, 5),
    ({"exclusiveMinimum": 0}, 0.1),
    ({"type": "strange"}, 1),
]

BREAKS = [
    ({"type": "integer"}, True, ""),
    ({"type": "integer"}, 3.5, ""),
    ({"type": "number"}, "3", ""),
    ({"type": "boolean"}, 1, ""),
    ({"enum": [1]}, True, ""),
    ({"const": 1}, 2, ""),
    ({"minimum": 1}, 0, ""),
    ({"maximum": 1}, 2, ""),
    ({"exclusiveMinimum": 0}, 0, ""),
    ({"minLength": 2}, "a", ""),
    ({"maxLength": 1}, "ab", ""),
    ({"minItems": 1}, [], ""),
    ({"maxItems": 1}, [1, 2], ""),
    ({"required": ["a"]}, {}, ""),
    ({"properties": {"a": {"type": "string"}}}, {"a": 1}, "a"),
    ({"items": {"type": "string"}}, ["a", 1], "[1]"),
    ({"additionalProperties": {"type": "string"}}, {"a": 1}, "a"),
    ({"anyOf": [{"const": 1}, {"const": 2}]}, 3, ""),
    (TREE, {"name": "a", "parts": [{"name": "b", "parts": [{"nam": "c"}]}]}, "parts[0].parts[0]"),
]


@pytest.mark.parametrize(("schema", "value"), FITS)
def test_a_value_fits(schema, value):
    assert list(faults(value, schema)) == []


@pytest.mark.parametrize(("schema", "value", "where"), BREAKS)
def test_a_value_breaks_its_schema_there(schema, value, where):
    found = list(faults(value, schema))
    assert found and place(found[0].path) == where and found[0].message


def test_a_reference_to_itself_ends():
    assert list(faults(5, {"$ref": "#"})) == []
    assert list(faults({"a": {"a": 1}}, {"properties": {"a": {"$ref": "#"}}})) == []


def test_a_misspelt_key_is_told_with_the_nearest_known_one():
    (fault, *_) = faults({"name": "a", "prats": []}, TREE)
    assert (fault.message, fault.hint) == ('unknown key "prats"', 'did you mean "parts"?')
    (fault, *_) = faults({"name": "a", "zzz": []}, TREE)
    assert fault.hint == "known here: name, parts"


def test_defaults_stand_in_for_what_was_left_out():
    schema = {"properties": {"a": {"default": 1}, "b": {"default": 2}, "c": True}}
    assert with_defaults({"b": 3}, schema) == {"a": 1, "b": 3}


def test_nearest_is_none_when_nothing_looks_alike():
    assert nearest("wiat", ["wait", "log"]) == "wait"
    assert nearest("zzz", ["wait", "log"]) is None
