"""`WWW-Authenticate`: every form in which a server may write its challenge, and every nonsense."""


import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.protocol import Fetched
from flowgen.protocol._oauth_challenge import Challenge, challenges, wanted
from tests.costs import instructions

SIGNS = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
words = st.text(SIGNS, min_size=1, max_size=12)
texts = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=30)
params = st.dictionaries(words.map(str.lower), texts, min_size=1, max_size=3)


def from_headers(*values):
    return wanted(Fetched(401, tuple(("www-authenticate", value) for value in values), b"", 7))


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("", []),
        ("Bearer", [Challenge("Bearer", {})]),
        ("Negotiate abc==", [Challenge("Negotiate", {}, "abc==")]),
        ("Negotiate abc=", [Challenge("Negotiate", {}, "abc=")]),
        ("Negotiate abc", [Challenge("Negotiate", {}, "abc")]),
        ('Bearer realm="a, b", scope="x y"', [Challenge("Bearer", {"realm": "a, b", "scope": "x y"})]),
        ('Bearer realm="say \\"hi\\" \\\\"', [Challenge("Bearer", {"realm": 'say "hi" \\'})]),
        (
            "Bearer scope=a:b,resource_metadata=https://h/x?y=1",
            [Challenge("Bearer", {"scope": "a:b", "resource_metadata": "https://h/x?y=1"})],
        ),
        (
            'Basic realm="x", Bearer error="e"',
            [Challenge("Basic", {"realm": "x"}), Challenge("Bearer", {"error": "e"})],
        ),
        (
            "Negotiate, Basic realm=x, DPoP",
            [Challenge("Negotiate", {}), Challenge("Basic", {"realm": "x"}), Challenge("DPoP", {})],
        ),
        ('Negotiate abc==, Bearer a="b"', [Challenge("Negotiate", {}, "abc=="), Challenge("Bearer", {"a": "b"})]),
        (' ,, Bearer  realm = "x" ,, error=e ,', [Challenge("Bearer", {"realm": "x", "error": "e"})]),
        ('Bearer SCOPE="a" scope="b"', [Challenge("Bearer", {"scope": "a"})]),
        ('Bearer realm=""', [Challenge("Bearer", {"realm": ""})]),
        ('Bearer realm="open', [Challenge("Bearer", {})]),
        ('"Bearer", Basic realm=x', [Challenge("Basic", {"realm": "x"})]),
    ],
)
def test_challenges_are_read_as_they_are_written(value, read):
    assert challenges(value) == read


@given(st.lists(st.tuples(words, params), min_size=1, max_size=3))
@settings(max_examples=150, deadline=None)
def test_whatever_is_written_by_the_rules_is_read_back(written):
    def quoted(text):
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    def one(scheme, params):
        return f"{scheme} " + ", ".join(f"{name}={quoted(text)}" for name, text in params.items())

    value = ", ".join(one(*each) for each in written)
    assert [(each.scheme, each.params) for each in challenges(value)] == written


@given(st.text(max_size=200) | st.text('"\\,= ab', max_size=200))
@settings(max_examples=300, deadline=None)
def test_nothing_that_stands_there_is_too_odd(value):
    every = challenges(value)
    assert len(every) <= len(value) and all(each.scheme for each in every)
    from_headers(value)


@pytest.mark.parametrize("piece", ['"', 'a="\\"', ',b a="\\', "Bearer ", "a=", ",", "\\", 'x "y', "= "])
def test_a_long_header_costs_as_much_as_it_is_long(piece):
    challenges(piece * 100_000)  # what goes back and forth in it takes minutes
    assert instructions(lambda: challenges(piece * 2000)) < 5 * instructions(lambda: challenges(piece * 500))


def test_the_bearer_challenge_of_any_header_counts():
    wants = from_headers("Negotiate", 'Basic realm="x", Bearer scope="a b", resource_metadata="https://h/x", error="e"')
    assert (wants.scopes, wants.resource_metadata, wants.error) == (("a", "b"), "https://h/x", "e")
    assert wants.schemes == ("negotiate", "basic", "bearer") and wants.seq == 7


def test_whoever_names_the_metadata_is_heard_where_no_bearer_is():
    assert from_headers('DPoP resource_metadata="https://h/x"').resource_metadata == "https://h/x"
    assert from_headers('Basic realm="x"').resource_metadata is None


def test_scopes_that_are_none_are_left_out_and_each_stands_once():
    assert from_headers('Bearer scope=" a  b a \té "').scopes == ("a", "b")


def test_what_the_server_says_about_it_is_one_clean_line():
    assert from_headers('Bearer error_description="no\x1b[1m way\x07"').text == "no [1m way"
