import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowgen.topology._values import looks_random, strength, value_of

NONE = "MAX_TOKENS_URL KEYMAP TOKENIZER AUTHOR KEYBOARD_LAYOUT X-Version PUBLIC_KEY SORT_KEY TOKEN_URL LOG_LEVEL MONKEY"
WEAK = "OPENAI_KEY MAX_TOKENS key DB_PASS BASIC_AUTH"
STRONG = "API_KEY apiKey X-API-Key Authorization GITHUB_TOKEN accessToken PGPASSWORD AWS_SECRET_ACCESS_KEY PAT"


@pytest.mark.parametrize(("names", "found"), [(NONE, None), (WEAK, "weak"), (STRONG, "strong")])
def test_a_name_tells_how_surely_it_is_a_credential(names, found):
    assert {name: strength(name) for name in names.split()} == dict.fromkeys(names.split(), found)


REFERENCES = [
    "${X}",
    "$X_Y",
    "${X:-}",
    "${env:X}",
    "{env:X}",
    "{file:~/.k}",
    "${input:x}",
    "%X%",
    "$(op read op://a/b)",
    "op://a/b/c",
    "{{x.y}}",
    "Bearer ${X}",
    "~/keys/a.pem",
    "${{ secrets.X }}",
    "$env:X",
    "${user_config.x}",
]
PLACEHOLDERS = [
    "YOUR_API_KEY",
    "Bearer YOUR_PAT",
    "<token>",
    "REPLACE_ME",
    "changeme",
    "xxxx",
    "ghp_xxxxxxxxxxxxxxxxxxxx",
    "sk-...",
    "your-key-here",
    "my-api-key",
    "GITHUB_TOKEN",
    "ntn_****",
    "insert your key",
    "AKIAIOSFODNN7EXAMPLE",
]
LITERALS = [
    "pplx-Jb6wkzPNqcjFpORLpuljVjkJ",
    "hunter2",
    "Basic dXNlcjpwYXNzMTIz",
    "b5168dd7ace9de7849a121991465f2fbb4e3766b",
    "${X:-hG7dk29dkLs02jdk}",
    "password",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
]


@pytest.mark.parametrize(
    ("texts", "kind"), [(REFERENCES, "reference"), (PLACEHOLDERS, "placeholder"), (LITERALS, "literal")]
)
def test_a_value_is_a_secret_a_reference_or_a_placeholder(texts, kind):
    assert {text: getattr(value_of(text, "API_KEY", {}), "kind", None) for text in texts} == dict.fromkeys(
        texts, kind
    )


@pytest.mark.parametrize(
    ("name", "text"), [("MAX_TOKENS", "4096"), ("API_TOKEN", "true"), ("API_KEY", ""), ("BOX_KEY", "a b")]
)
def test_a_switch_a_number_or_nothing_is_no_credential(name, text):
    assert value_of(text, name, {}) is None


def test_the_default_of_an_input_counts_as_written():
    assert value_of("${input:k}", "TOKEN", {"k": "hG7dk29dkLs02jdk"}).kind == "literal"
    assert value_of("${input:k}", "TOKEN", {"k": "YOUR_KEY"}).kind == "reference"


def test_the_same_secret_has_the_same_mark_whatever_stands_before_it():
    one, two = (
        value_of("Bearer hG7dk29dkLs02jdk", "Authorization", {}),
        value_of("hG7dk29dkLs02jdk", "API_KEY", {}),
    )
    assert one.mark == two.mark and "hG7" not in one.mark


def test_words_of_paths_are_shown_and_tokens_are_not():
    assert not any(
        map(looks_random, ["streamable-http", "api", "v2", "mcp-server-v1", "MyProject2", "segment-000"])
    )
    assert all(
        map(
            looks_random, ["39c2bd05d851efb144a4", "AbC9xYz12QrS8tUv", "0e1f2a3b-1111-4222-8333-444455556666"]
        )
    )


@given(st.text(max_size=30), st.sampled_from(["API_KEY", "KEY", "x"]))
def test_any_text_has_some_kind(text, name):
    assert value_of(text, name, {}) is None or value_of(text, name, {}).kind
