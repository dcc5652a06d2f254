"""Schemas are somebody else's: whatever they hold, judging a value by them ends, and soon."""

import time

import pytest

pytest.importorskip("jsonschema")

from flowgen.check._schemas import Schemas, schema_fault

UNIQUE = {"type": "array", "uniqueItems": True}


@pytest.mark.parametrize("dialect", [5, None, [], {}, True, "http://[", "urn:nobody", ""])
def test_a_dialect_that_is_no_address_is_a_fault_of_the_schema_or_nothing(dialect):
    schema = {"$schema": dialect, "type": "object", "required": ["a"]}
    fault = schema_fault(schema)
    assert (fault is not None) >= (not isinstance(dialect, str))
    assert Schemas().fault({}, schema) is None or fault is None


def test_items_that_have_to_differ_are_compared_only_while_they_are_few():
    assert Schemas().fault([{"a": 1}, {"a": 1}], UNIQUE)
    assert Schemas().fault(["a"] * 5000, UNIQUE)
    began = time.monotonic()
    assert Schemas().fault([{"a": number} for number in range(6000)], UNIQUE) is None
    assert time.monotonic() - began < 2


def test_a_schema_that_comes_again_is_not_judged_again():
    schema = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(500)}}
    assert schema_fault(schema) is None
    began = time.monotonic()
    assert all(schema_fault({**schema}) is None for _ in range(100))
    assert time.monotonic() - began < 1
    assert schema_fault({**schema, "type": 7}) is not None
