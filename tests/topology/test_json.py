import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowgen.topology._json import Fault, read_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, st.sampled_from([None, 1, "\t"]))
def test_json_is_read_as_the_standard_reader_does(value, indent):
    assert read_json(json.dumps(value, indent=indent)) == json.loads(json.dumps(value))


@given(st.text(st.sampled_from('{}[]":,/*\\ \n\u00e9u0dn1-e.ta')))
def test_any_text_is_a_value_or_a_fault_with_a_place(text):
    try:
        read_json(text)
    except Fault as fault:
        assert 1 <= fault.line <= text.count("\n") + 1 and fault.column >= 1


def test_comments_and_trailing_commas_are_no_fault_and_texts_keep_their_slashes():
    text = '// one\n{"a": "http://x/*y*/", /* two\n*/ "b": [1, 2,], // three\n}'
    assert read_json(text) == {"a": "http://x/*y*/", "b": [1, 2]}


def test_a_fragment_needs_no_braces():
    assert read_json('"a": {"b": 1},\n"c": 2,\n') == {"a": {"b": 1}, "c": 2}


def test_lines_are_those_of_keys_and_items_and_the_last_of_two_keys_counts():
    found = read_json('{\n"a": 1,\n"b": [\n"x",\n"y"],\n"a":\n{"c": 1}}')
    assert list(found) == ["b", "a"] and found.lines == {"a": 6, "b": 3}
    assert found["b"].lines == [4, 5] and found["a"].lines == {"c": 7}


@pytest.mark.parametrize(
    ("text", "said", "line", "column"),
    [
        ("", "the file ends before its value", 1, 1),
        ('{"a": 1', "the file ends inside an object that begins on line 1", 1, 8),
        ('{\n"a": [1,\n', "the file ends inside a list that begins on line 2", 3, 1),
        ('{"a" 1}', "expected a colon after the key", 1, 6),
        ("{a: 1}", "expected a key in double quotes", 1, 2),
        ('{"a": 1 "b": 2}', "expected a comma or }", 1, 9),
        ("[1 2]", "expected a comma or ]", 1, 4),
        ("{} {}", "something follows the value", 1, 4),
        ('{"a": tru}', "expected a value", 1, 7),
        ('{"a": "x\n', "a text without its closing quotes", 1, 7),
        ('{"a": "\\q"}', "a wrong escape in a text", 1, 8),
        ("{ /* ", "a comment that is not closed", 1, 3),
    ],
)
def test_a_fault_says_what_and_where(text, said, line, column):
    with pytest.raises(Fault) as fault:
        read_json(text)
    assert (str(fault.value), fault.value.line, fault.value.column) == (said, line, column)


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a":' * 100_000, "[" * 50_000 + "]" * 50_000])
def test_no_depth_is_too_deep(text):
    try:
        read_json(text)
    except Fault as fault:
        assert fault.line == 1


def test_half_a_character_becomes_a_sign_that_a_document_can_hold():
    assert read_json('"\\ud800x"') == "\ufffdx"
    assert read_json('"\\ud83d\\ude00"') == "😀"
