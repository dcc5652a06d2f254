"""Placeholders and conditions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowgen.demo._values import filled, fits, roots, shown, text

VALUES = {
    "name": "Ada", "count": 3, "ratio": 2.0, "yes": True, "none": None, "list": [{"uri": "a"}, {"uri": "b"}],
    "deep": {"a": [{"b": "c"}]},
}  # fmt: skip

TEXTS = {
    "Hello {name}": "Hello Ada", "{count} of {ratio}": "3 of 2", "{yes}": "true", "[{none}]": "[]", "{list.#}": "2",
    "{list.*.uri}": "a, b", "{list.1.uri}": "b", "{list.7.uri}": "", "{deep.a.0.b}": "c", "{deep.x.y.z}": "",
    "{name.x}": "", "{{name}}": "{name}", '{"a": {"b": 1}}': '{"a": {"b": 1}}', "{deep}": '{"a": [{"b": "c"}]}',
    "{ name }": "{ name }", "{": "{", "}{": "}{",
}  # fmt: skip


@pytest.mark.parametrize("template", TEXTS)
def test_a_text_is_filled_in(template):
    assert text(template, VALUES) == TEXTS[template]


def test_a_single_placeholder_keeps_the_type_of_its_value():
    template = {"a": "{count}", "b": ["{yes}", "{list}"], "c": "{count}!", "d": 7}
    assert filled(template, VALUES) == {"a": 3, "b": [True, VALUES["list"]], "c": "3!", "d": 7}


def test_values_are_never_filled_in_again():
    assert text("{a}", {"a": "{b}", "b": "secret"}) == "{b}"


def test_the_names_of_a_template_are_told():
    assert set(roots({"x": ["{a.b} {{c}} {d}", 5], "y": "{e}"})) == {"a", "d", "e"}


FITTING = [
    ("Sa*", "San"),
    ("*", ""),
    (["a", "b"], "b"),
    (True, True),
    (1, 1.0),
    ({"a": {"b": "x*"}}, {"a": {"b": "xy", "c": 1}}),
]
UNFITTING = [
    ("Sa*", "san"),
    ("*", 5),
    (["a", "b"], "c"),
    (True, 1),
    (1, True),
    ({"a": "x"}, {}),
    ({"a": "x"}, "a"),
    ("a", None),
]


@pytest.mark.parametrize(("pattern", "value"), FITTING)
def test_a_value_fits_a_condition(pattern, value):
    assert fits(pattern, value)


@pytest.mark.parametrize(("pattern", "value"), UNFITTING)
def test_a_value_does_not_fit_a_condition(pattern, value):
    assert not fits(pattern, value)


@given(st.text(), st.dictionaries(st.text(max_size=3), st.text(max_size=5)))
def test_any_template_can_be_filled(template, values):
    assert isinstance(text(template, values), str)


def test_numbers_are_shown_as_people_write_them():
    assert [shown(value) for value in (14, 14.0, 0.1 + 0.2, 1e30, None, [1])] == ["14", "14", "0.3", "1e+30", "", "[1]"]
