"""Answers files: which rule holds, and how a mistake in one is told."""

import pytest

from flowgen.errors import ConfigError
from flowgen.protocol import answers_from


def test_the_first_rule_that_holds_wins():
    answers = answers_from(
        b'[[elicitation]]\nwhen = { message = "Del*" }\ndecline = true\n[[elicitation]]\naccept = { a = 1 }', "a"
    )
    assert answers.elicited("Delete it?", None).action == "decline"
    assert answers.elicited("Keep it?", None).content == {"a": 1}


def test_message_and_tool_must_both_match():
    answers = answers_from(b'[[sampling]]\nwhen = { message = "*sum*", tool = "a?" }\ntext = "x"', "a")
    assert answers.sampled("the sum", "ab").text == "x"
    assert answers.sampled("the sum", "abc") is answers.sampled("the sum", None) is answers.sampled("x", "ab") is None


def test_a_glob_reaches_over_lines():
    answers = answers_from(b'[[elicitation]]\nwhen = { message = "*project*" }\ncancel = true', "a")
    assert answers.elicited("One\nproject\nmore", None).action == "cancel"


def test_an_empty_file_has_no_answers():
    answers = answers_from(b"", "a")
    assert answers.roots is None and answers.elicited("x", None) is None and answers.sampled("x", None) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("elicitations = []", "a.toml: unknown key `elicitations`"),
        ("[[elicitation]]\nacept = {}", "a.toml: elicitation 1: unknown key `acept`"),
        ("[[elicitation]]\n", "a.toml: elicitation 1: exactly one of accept, decline, cancel"),
        ("[[elicitation]]\naccept = {}\ncancel = true", "a.toml: elicitation 1: exactly one of "),
        ("[[elicitation]]\ndecline = false", "a.toml: elicitation 1: exactly one of "),
        ("[[elicitation]]\naccept = true", "a.toml: elicitation 1: `accept` is True; a table is expected"),
        ("[[elicitation]]\nwhen = { mesage = 'x' }\naccept = {}", "a.toml: elicitation 1: when: unknown key `mesage`"),
        ("[[sampling]]\n", "a.toml: sampling 1: exactly one of text and command"),
        ("[[sampling]]\ntext = 'x'\ncommand = ['y']", "a.toml: sampling 1: exactly one of text and command"),
        ("[[sampling]]\ncommand = []", "a.toml: sampling 1: exactly one of text and command"),
        ("roots = [3]", "a.toml: `roots` is [3]; a list of URIs"),
        ("roots = [{ name = 'x' }]", "a.toml: roots: a root without `uri`"),
        ("roots = [{ url = 'x' }]", "a.toml: roots: unknown key `url`"),
    ],
)
def test_a_mistake_is_told_with_its_place(text, message):
    with pytest.raises(ConfigError) as told:
        answers_from(text.encode(), "a.toml")
    assert str(told.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("[elicitation]\ndecline = true", "a.toml: `elicitation` is {", "each begins with [[elicitation]]"),
        ("[[elicitation]]\naccept = true", "a.toml: elicitation 1: `accept` is True; a", "accept = { … }"),
        ("roots = ['/x']", "a.toml: roots: `/x` is no URI", "such as file:///x"),
        ("roots = ['C:\\a\\b']", "a.toml: roots: `C:\\a\\b` is no URI", "such as file:///C:/a/b"),
        ("roots = [{ uri = './x' }]", "a.toml: roots: `./x` is no URI", "such as file:///…"),
    ],
)
def test_a_mistake_that_lets_guess_what_was_meant_says_how_it_is_written(text, message, hint):
    with pytest.raises(ConfigError) as told:
        answers_from(text.encode(), "a.toml")
    assert str(told.value).startswith(message) and told.value.hint == hint
