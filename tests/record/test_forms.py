"""What a person is asked, and what becomes of the lines typed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.protocol import AskPerson
from flowgen.record._forms import fill
from flowgen.record._words import Cancelled, printable


@pytest.fixture
def answer():
    """Fills a question with lines; gives action, value and everything that was shown."""

    def answered(question, *lines):
        shown, left = [], list(lines)

        def read():
            if not left:
                raise Cancelled("nobody")
            return left.pop(0)

        return (*fill(question, shown.append, read), "".join(shown))

    return answered


def form(**properties):
    required = [name for name, field in properties.items() if "default" not in field]
    return AskPerson("elicitation", "Well?", {"type": "object", "properties": properties, "required": required})


@pytest.mark.parametrize(
    ("line", "action"), [("d", "decline"), ("c", "cancel"), ("n", "decline"), ("Decline", "decline"), ("a", "accept")]
)
def test_a_letter_decides(answer, line, action):
    assert answer(AskPerson("elicitation", "Well?"), line)[0] == action


def test_another_letter_is_asked_again(answer):
    action, _, shown = answer(AskPerson("elicitation", "Well?"), "x", "", "d")
    assert action == "decline" and shown.count("[a]ccept") == 3


@pytest.mark.parametrize(
    ("field", "line", "value"),
    [
        ({"type": "string"}, " Ada ", "Ada"),
        ({"type": "integer"}, "7", 7),
        ({"type": "number"}, "0.5", 0.5),
        ({"type": "boolean"}, "yes", True),
        ({"type": "boolean"}, "n", False),
        ({"type": "string", "enum": ["low", "high"]}, "high", "high"),
        ({"type": "integer", "enum": [1, 2]}, "2", 2),
        ({"type": "array", "items": {"type": "string"}}, "a, b", ["a", "b"]),
        ({"type": "string", "default": "d"}, "", "d"),
    ],
)
def test_a_line_becomes_a_value_of_the_type_asked_for(answer, field, line, value):
    assert answer(form(x=field), "a", line)[1] == {"x": value}


@pytest.mark.parametrize(
    ("field", "bad", "good"),
    [
        ({"type": "integer"}, "x", "1"),
        ({"type": "boolean"}, "maybe", "y"),
        ({"type": "string", "enum": ["a"]}, "b", "a"),
        ({"type": "string"}, "", "x"),
    ],
)
def test_what_does_not_fit_is_asked_again(answer, field, bad, good):
    assert "x" in answer(form(x=field), "a", bad, good)[1]


def test_what_is_not_required_may_be_left_out(answer):
    question = AskPerson("elicitation", "Well?", {"properties": {"x": {"type": "string"}}})
    assert answer(question, "a", "")[1] == {}


def test_a_page_is_shown_and_has_no_form(answer):
    action, value, shown = answer(AskPerson("elicitation", "Sign in", {}, "https://a.example/x"), "a")
    assert (action, value) == ("accept", {}) and "page: https://a.example/x" in shown


def test_a_model_is_spoken_for_in_one_line(answer):
    assert answer(AskPerson("sampling", "Say"), "a", "hello")[:2] == ("accept", "hello")
    assert answer(AskPerson("approval", "Call x?"), "y")[:2] == ("accept", None)


def test_the_end_of_the_input_is_no_answer(answer):
    with pytest.raises(Cancelled):
        answer(AskPerson("elicitation", "Well?"))


def test_control_signs_of_the_server_are_shown_and_do_nothing(answer):
    _, _, shown = answer(AskPerson("elicitation", "\x1b[2J\u202eevil"), "d")
    assert "\x1b" not in shown and "<U+001B>[2J<U+202E>evil" in shown


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_whatever_is_shown_is_one_printable_line(text):
    shown = printable(text, 80)
    assert shown.isprintable() and len(shown) <= 80


@settings(max_examples=60, deadline=None)
@given(st.recursive(st.none() | st.text(max_size=5) | st.integers(), lambda x: st.dictionaries(st.sampled_from(
    ["properties", "required", "type", "enum", "default", "title", "x"]), x, max_size=4) | st.lists(x, max_size=3)))
def test_whatever_a_server_gives_for_a_form_somebody_can_be_asked(schema):
    lines = iter(["a", *["x"] * 20])

    def read():
        try:
            return next(lines)
        except StopIteration:
            raise Cancelled("nobody") from None

    try:
        action, _ = fill(AskPerson("elicitation", "?", schema), lambda text: None, read)
    except Cancelled:
        action = "cancel"
    assert action in ("accept", "cancel")
