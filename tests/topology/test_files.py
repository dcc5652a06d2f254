"""TOML and YAML with lines, encodings, and errors that never quote what they cannot read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowgen.errors import ConfigError
from flowgen.topology._files import document

SECRET = "hG7dk29dkLs02jdk"


def test_toml_keys_and_headers_have_their_lines():
    text = 'a=[\n1,\n2]\n[[m]]\nname="x"\n[m.e]\nq={z=1}\n[[m]]\n  "n.q" = """\nfoo[\n"""\nend=\'#\'\n'
    found = document("x.toml", text.encode()).value
    assert found == {"a": [1, 2], "m": [{"name": "x", "e": {"q": {"z": 1}}}, {"n.q": "foo[\n", "end": "#"}]}
    assert found.lines == {"a": 1, "m": 4} and found["m"].lines == [4, 8]
    assert found["m"][0].lines == {"name": 5, "e": 6} and found["m"][1].lines == {"n.q": 9, "end": 12}


def test_yaml_keys_have_their_lines_and_aliases_and_merges_their_values():
    text = "base: &b\n  x: 1\nown:\n  <<: *b\n  y: no\nagain: *b\nlist:\n - a\n - !made up\n"
    found = document("x.yaml", text.encode()).value
    assert found == {"base": {"x": 1}, "own": {"x": 1, "y": False}, "again": {"x": 1}, "list": ["a", "up"]}
    assert found.lines == {"base": 1, "own": 3, "again": 6, "list": 7} and found["own"].lines == {
        "x": 2,
        "y": 5,
    }


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_encodings_and_newlines_make_no_difference(encoding, newline):
    text = newline.join(["{", '"ä": 1,', '"b": 2', "}"])
    found = document("x.json", text.encode(encoding))
    assert found.value == {"ä": 1, "b": 2} and found.value.lines == {"ä": 2, "b": 3} and found.lines == 4


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.json", "", "x.json: the file is empty"),
        ("x.json", f'{{"a": "{SECRET}" 1}}', "x.json: line 1, column 26: expected a comma or }"),
        ("x.toml", f'a = "{SECRET}"\nb = \n', "x.toml: line 2, column 5: not TOML"),
        ("x.toml", f'a = "{SECRET}', "x.toml: line 1, column 22: not TOML"),
        ("x.toml", "a = 1\na = 2\n", "x.toml: line 2, column 6: not TOML"),
        ("x.yaml", f"a: '{SECRET}\nb: [\n", "x.yaml: line 3, column 1: not YAML"),
        ("x.yaml", f"a: {SECRET}: x\n", "x.yaml: line 1, column 20: not YAML"),
        ("x.yaml", "a: &x [*x]\n", "x.yaml: line 1, column 1: aliases that stand for too much"),
        ("x.yaml", "a: \0\n", "x.yaml: line 1, column 1: not YAML: a character that it does not allow"),
        ("x.toml", "a=" + "[" * 5000, "x.toml: line 1, column 1: nested too deeply"),
    ],
)
def test_an_error_says_file_line_and_column_and_quotes_nothing(name, text, said):
    with pytest.raises(ConfigError) as problem:
        document(name, text.encode())
    found = str(problem.value)
    assert SECRET not in found and found.partition(", column")[0] == said.partition(", column")[0]


def test_bytes_that_are_no_text_are_told_with_their_line():
    with pytest.raises(ConfigError, match=r"x.json: line 2, column 1: not UTF-8"):
        document("x.json", b'{\n"a": "\xff"}')


def test_a_few_aliases_of_aliases_do_not_fill_the_memory():
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [f"{n}: &{n} [{', '.join([f'*{chr(ord(n) - 1)}'] * 9)}]" for n in "bcdefghij"]
    with pytest.raises(ConfigError, match="aliases that stand for too much"):
        document("x.yaml", "\n".join(lines).encode())


@given(
    st.binary(max_size=60) | st.text(max_size=60).map(str.encode), st.sampled_from(["json", "toml", "yaml"])
)
def test_any_bytes_are_a_value_or_one_error(data, ending):
    try:
        document(f"x.{ending}", data)
    except ConfigError as problem:
        assert str(problem).startswith(f"x.{ending}: ") and "\n" not in str(problem)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.toml", "a b = 1", "a key without =; keys with spaces stand in quotes"),
        ("x.toml", "[a]\n[a]\n", "stands there already"),
        ("x.toml", "a = b", "texts stand in quotes"),
        ("x.yaml", "a: b: c", "a colon where none may stand"),
        ("x.yaml", "a:\n\tb: c", "a tab"),
        ("x.yaml", "a: [b\n", "not closed"),
    ],
)
def test_an_error_says_what_is_wrong_in_our_words(name, text, said):
    with pytest.raises(ConfigError, match=f"not {name[2:].upper()}: .*{said}"):
        document(name, text.encode())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("# of Codex\n\n[mcp_servers.a]\ncommand = 'x'\n", {"mcp_servers": {"a": {"command": "x"}}}),
        ("model = 'm'\n", {"model": "m"}),
        ("extensions:\n  a: {cmd: x}\n", {"extensions": {"a": {"cmd": "x"}}}),
        ('"mcpServers": {"a": {}}', {"mcpServers": {"a": {}}}),
        ("[1, 2]", [1, 2]),
    ],
)
@pytest.mark.parametrize("name", ["stdin", "/dev/fd/63"])
def test_a_text_without_an_ending_says_itself_what_it_is(name, text, value):
    assert document(name, text.encode()).value == value
