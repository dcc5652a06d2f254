import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowgen.trace import TooDeep, read_json, write_json

SIGNS = st.characters() | st.sampled_from(["\ud83d", "\ude00", "\\", '"', "\0", " ", "é", "…"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(SIGNS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(SIGNS, max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_any_value_is_read_as_it_was_written(value):
    data = write_json(value)
    read = read_json(data)
    assert read.value == json.loads(json.dumps(value))  # joins halves of a pair that stand side by side
    assert write_json(read.value) == write_json(json.loads(json.dumps(value)))
    assert set(read.codes) <= {"lone-surrogate"}


@given(st.text(SIGNS) | VALUES.map(json.dumps))
def test_reading_any_text_gives_a_value_or_a_value_error(text):
    try:
        read = read_json(text)
    except ValueError:
        return
    assert read.exact == (write_json(read.value) == text.encode("utf-8", "backslashreplace"))


def test_writing_is_compact_keeps_the_order_and_escapes_only_what_it_must():
    assert write_json({"z": [1, 2.5, None], "a": "ü\n\ud83d"}) == '{"z":[1,2.5,null],"a":"ü\\n\\ud83d"}'.encode()


def test_numbers_that_json_has_not_are_written_as_null():
    assert write_json({"NaN": [math.nan, math.inf, -math.inf, "-Infinity"]}) == b'{"NaN":[null,null,null,"-Infinity"]}'


@pytest.mark.parametrize(
    ("text", "value", "codes"),
    [
        ("[NaN,-Infinity]", [None, None], ("not-a-number",)),
        ("1e999", None, ("number-out-of-range",)),
        ("1" * 5000, None, ("number-out-of-range",)),
        ('{"a":1,"a":2}', {"a": 2}, ("duplicate-key",)),
        ('"\\ud83d"', "\ud83d", ("lone-surrogate",)),
        ('"\\ud83d\\ude00"', "😀", ()),
        (b'"\xff"', "\ufffd", ("invalid-utf8",)),
        ("1e5", 100000.0, ()),
    ],
)
def test_what_a_value_does_not_show_is_told(text, value, codes):
    read = read_json(text)
    assert (read.value, read.codes) == (value, codes)


@pytest.mark.parametrize("text", ["[" * 201 + "]" * 201, '{"a":' * 300 + "1" + "}" * 300, "[" * 1_000_000])
def test_what_nests_too_deep_is_refused(text):
    with pytest.raises(TooDeep):
        read_json(text)


def test_brackets_in_strings_are_no_depth():
    assert read_json('["' + "[" * 5000 + '"]').exact
