"""The JSON box. Boxes are compared as the text a reader sees, one string a line."""

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.scene._json import JsonLine, json_lines, text_lines
from flowgen.scene._text import columns as columns_of
from flowgen.scene._words import words

_INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18", "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "example-client", "version": "1.0.0"},
    },
}  # fmt: skip
_INITIALIZED = {
    "jsonrpc": "2.0", "id": 1,
    "result": {
        "protocolVersion": "2025-06-18", "capabilities": {"tools": {"listChanged": True}, "resources": {}},
        "serverInfo": {"name": "example-server", "version": "1.0.0"},
    },
}  # fmt: skip
_TOOLS = {
    "jsonrpc": "2.0",
    "id": 2,
    "result": {
        "tools": [
            {
                "name": "calculator_arithmetic",
                "title": "Calculator",
                "description": "Perform mathematical calculations including basic arithmetic, trigonometric "
                "functions, and algebraic operations",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "expression": {
                            "type": "string",
                            "description": "Mathematical expression to evaluate (e.g., '2 + 3 * 4', 'sin(30)', "
                            "'sqrt(16)')",
                        }
                    },
                    "required": ["expression"],
                },
            },
            {
                "name": "weather_current",
                "title": "Weather Information",
                "description": "Get current weather information for any location worldwide",
                "inputSchema": {
                    "type": "object",
                    "properties": {
                        "location": {
                            "type": "string",
                            "description": "City name, address, or coordinates (latitude,longitude)",
                        },
                        "units": {
                            "type": "string",
                            "enum": ["metric", "imperial", "kelvin"],
                            "description": "Temperature units to use in response",
                            "default": "metric",
                        },
                    },
                    "required": ["location"],
                },
            },
        ]
    },
}


def drawn(lines: Iterable[JsonLine]) -> list[str]:
    """The lines as text; tokens must follow each other without gap or overlap."""
    shown = []
    for line in lines:
        text, at = "", 0
        for column, _, piece in line.tokens:
            assert column == at or not text, "a gap between tokens"
            text += " " * (column - at) + piece
            at = column + columns_of(piece)
        shown.append(text.rstrip())
    return shown


def box(value: Any, **options: Any) -> list[str]:
    return drawn(json_lines(value, **options))


def kinds(value: Any, **options: Any) -> dict[str, str]:
    """Token text -> kind."""
    return {text: kind for line in json_lines(value, **options) for _, kind, text in line.tokens}


# The seed's messages break as in the target picture


def test_the_initialize_request_looks_as_in_the_target() -> None:
    assert box(_INITIALIZE) == [
        '{',
        '  "jsonrpc": "2.0", "id": 1, "method": "initialize",',
        '  "params": {',
        '    "protocolVersion": "2025-06-18",',
        '    "capabilities": { "elicitation": {} },',
        '    "clientInfo": { "name": "example-client", "version": "1.0.0" }',
        '  }',
        '}',
    ]  # fmt: skip


def test_the_initialize_response_looks_as_in_the_target() -> None:
    assert box(_INITIALIZED) == [
        '{',
        '  "jsonrpc": "2.0", "id": 1,',
        '  "result": {',
        '    "protocolVersion": "2025-06-18",',
        '    "capabilities": { "tools": { "listChanged": true }, "resources": {} },',
        '    "serverInfo": { "name": "example-server", "version": "1.0.0" }',
        '  }',
        '}',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (
            {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
            '{ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }',
        ),
        (
            {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"},
            '{ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }',
        ),
        ({"jsonrpc": "2.0", "id": 5, "result": {}}, '{ "jsonrpc": "2.0", "id": 5, "result": {} }'),
    ],
)
def test_a_message_that_holds_no_container_is_one_line(body: Any, line: str) -> None:
    assert box(body) == [line]


def test_the_tool_list_takes_44_lines_as_in_the_target() -> None:
    lines = box(_TOOLS)
    assert len(lines) == 44
    assert lines[5:11] == [
        '        "name": "calculator_arithmetic", "title": "Calculator",',
        '        "description": "Perform mathematical calculations including basic',
        '            arithmetic, trigonometric functions, and algebraic operations",',
        '        "inputSchema": {',
        '          "type": "object",',
        '          "properties": {',
    ]  # fmt: skip
    assert lines[12:17] == [
        '              "type": "string",',
        "              \"description\": \"Mathematical expression to evaluate (e.g., '2 + 3",
        "                  * 4', 'sin(30)', 'sqrt(16)')\"",
        '            }',
        '          },',
    ]  # fmt: skip
    assert lines[32:37] == [
        '            "units": {',
        '              "type": "string", "enum": ["metric", "imperial", "kelvin"],',
        '              "description": "Temperature units to use in response",',
        '              "default": "metric"',
        '            }',
    ]  # fmt: skip


def test_the_call_and_its_answer_look_as_in_the_target() -> None:
    call = {
        "jsonrpc": "2.0", "id": 3, "method": "tools/call",
        "params": {"name": "weather_current", "arguments": {"location": "San Francisco", "units": "imperial"}},
    }  # fmt: skip
    assert box(call)[2:5] == [
        '  "params": {',
        '    "name": "weather_current",',
        '    "arguments": { "location": "San Francisco", "units": "imperial" }',
    ]
    text = (
        "Current weather in San Francisco: 68°F, partly cloudy with light winds from the west at 8 mph. "
        "Humidity: 65%"
    )
    answer = {"jsonrpc": "2.0", "id": 3, "result": {"content": [{"type": "text", "text": text}]}}
    assert box(answer)[3:9] == [
        '    "content": [',
        '      {',
        '        "type": "text",',
        '        "text": "Current weather in San Francisco: 68°F, partly cloudy with',
        '            light winds from the west at 8 mph. Humidity: 65%"',
        '      }',
    ]  # fmt: skip


def test_short_contents_stay_on_one_line_as_in_the_sheet_of_states() -> None:
    result = {"resultType": "complete", "content": [{"type": "text", "text": "3 issues"}], "isError": True}
    assert box({"jsonrpc": "2.0", "id": 91, "result": result}, columns=75)[3:6] == [
        '    "resultType": "complete",',
        '    "content": [{ "type": "text", "text": "3 issues" }],',
        '    "isError": true',
    ]


# Source fidelity


def test_text_keeps_numbers_order_and_repeated_names_as_written() -> None:
    source = '{"b": 1.0, "a": 1e5, "b": 12345678901234567890123, "c": -0.0, "d": [1E400]}'
    assert box(source)[1:3] == [
        '  "b": 1.0, "a": 1e5, "b": 12345678901234567890123, "c": -0.0,',
        '  "d": [1E400]',
    ]


def test_bytes_and_a_byte_order_mark_are_read_too() -> None:
    assert box('\ufeff{"a": "é"}'.encode()) == ['{ "a": "é" }']
    assert box(b'{"a": "\xff"}') == ['{ "a": "\ufffd" }']


def test_a_value_that_is_text_stays_text() -> None:
    assert box("plain") == ['"plain"']
    assert box('{"a": 1}', text=False) == ['"{\\"a\\": 1}"']
    assert box("5", text=True) == ["5"]


def test_text_that_is_no_json_is_shown_as_it_is() -> None:
    assert box('{"a": 1') == ['{"a": 1']
    assert box("{}{}") == ["{}{}"]


@pytest.mark.parametrize("value", [None, True, False, 0, -1.5, "", [], {}, "é", float("inf")])
def test_every_kind_of_value_has_a_line(value: Any) -> None:
    assert len(box(value)) >= 1


def test_a_number_with_more_digits_than_python_writes_is_shown_all_the_same() -> None:
    assert "chars" in box(10**5000)[0]
    assert box("9" * 5000, text=True) == ["9" * 24 + "… +4,976 chars"]


# Folding: what is left out is said


def test_long_prose_is_cut_after_119_characters_with_the_rest_counted() -> None:
    text = "word " * 40
    assert "".join(box([text])).count("word") == 24
    assert box([text])[-2].endswith('…" +81 chars')


def test_a_string_is_never_cut_to_save_less_than_20_characters() -> None:
    assert "chars" not in "".join(box(["a " * 69]))
    assert "+20 chars" in "".join(box(["a " * 69 + "b"]))


def test_encoded_bytes_are_cut_early_with_their_size() -> None:
    data = "iVBORw0KGgoAAAANSUhEUgAA" * 90
    assert box({"data": data}) == ['{ "data": "iVBORw0KGgoAAAANSUhEUgAA…" +2,136 chars (base64, 2 KB) }']
    assert box({"image": "data:image/png;base64," + data})[0].startswith(
        '{ "image": "data:image/png;base64,iV…"'
    )


def test_a_hash_is_cut_without_being_called_base64() -> None:
    assert box({"sha256": "a3f5" * 16}) == ['{ "sha256": "a3f5a3f5a3f5a3f5a3f5a3f5…" +40 chars }']


def test_a_path_is_no_encoded_data() -> None:
    path = "/home/user/projects/flowgen/recordings/of/today/and/yesterday/too"
    assert box({"path": path}) == [f'{{ "path": "{path}" }}']


def test_an_address_moves_to_the_next_line_whole_or_breaks_after_a_joint() -> None:
    address = "https://example.com/some/long/path/to/a/resource?with=query"
    assert box({"some_longer_name": address}) == ['{', '  "some_longer_name":', f'      "{address}"', '}']  # fmt: skip
    assert box({"u": address + "&more=" + "x" * 30})[1] == f'  "u": "{address}&more='


def test_long_arrays_show_three_items() -> None:
    assert box(list(range(30))) == ["[0, 1, 2, … 27 more]"]
    assert box([1, 2, 3, 4, 5]) == ["[1, 2, 3, 4, 5]"]
    assert box([{"id": number} for number in range(9)]) == [
        '[',
        '  { "id": 0 },',
        '  { "id": 1 },',
        '  { "id": 2 },',
        '  … 6 more',
        ']',
    ]  # fmt: skip


def test_large_objects_show_twelve_members_the_hot_ones_among_them() -> None:
    lines = box({**{f"k{number}": number for number in range(20)}, "method": "x"})
    assert lines[-2] == "  … 9 more keys"
    assert '"k10"' in "".join(lines) and '"k11"' not in "".join(lines)
    assert lines[-3].endswith('"k10": 10, "method": "x",')


def test_what_lies_deep_is_counted() -> None:
    value: Any = {"long": "word " * 30, "other": 1}
    for name in "gfedcba":
        value = {name: value}
    assert [line.strip() for line in box(value) if "…" in line] == ['"g": { … 2 keys }']
    assert box([[[[[[[[["x " * 50]]]]]]]]])[7] == "              [ … 1 item ]"


def test_a_box_has_at_most_its_limit_of_lines_and_counts_the_rest() -> None:
    value = {f"k{number}": {"a": {"b": {"c": number}}} for number in range(12)}
    whole = box(value, limit=None)
    assert box(value, limit=10) == [*whole[:9], f"… {len(whole) - 9} more lines"]
    assert box(value, limit=len(whole)) == whole


def test_nothing_is_folded_when_all_is_asked_for() -> None:
    value = {
        "items": list(range(50)),
        "text": "word " * 100,
        "deep": [[[[[[[[[[1]]]]]]]]]],
        "data": "Ab1" * 100,
    }
    assert json.loads("".join(box(value, full=True)).replace("    ", "")) is not None
    assert "…" not in "".join(box(value, full=True))


def test_a_tree_of_millions_of_lines_is_not_laid_out_to_its_end() -> None:
    value: Any = {}
    for _ in range(12):
        value = {f"k{number}": value for number in range(12)}
    assert box(value)[-1] == "… at least 1,954 more lines"


def test_what_is_left_out_is_said_in_the_language_of_the_picture() -> None:
    assert box(list(range(9)), words=words("zh")) == ["[0, 1, 2, …另有6项]"]


# Secrets, hidden characters


def test_secrets_are_masked_even_if_the_recording_was_not() -> None:
    value = {
        "password": "hunter2", "access_token": "abc", "Authorization": "Bearer abcdef", "requestState": "v1.xyz",
        "text": "key ghp_0123456789abcdefghijklmn", "progressToken": "p1", "code": -32602,
    }  # fmt: skip
    shown = "".join(box(value))
    assert '"password": "•••", "access_token": "•••", "Authorization": "Bearer •••"' in shown
    assert '"requestState": "v1.•••"' in shown
    assert '"text": "key •••"' in shown
    assert '"progressToken": "p1"' in shown and '"code": -32602' in shown


def test_hidden_characters_are_tokens_of_their_own() -> None:
    assert box(["a\u202eb\x00"]) == ['["aU+202EbU+0000"]']
    assert kinds(["a\u202eb\x00"])["U+202E"] == "hidden"
    assert box({"n\u200bame": 1}) == ['{ "nU+200Bame": 1 }']


def test_line_ends_and_quotes_are_escaped_as_in_json() -> None:
    assert box(['a\n\t\r"\\']) == ['["a\\n\\t\\r\\"\\\\"]']


def test_a_lone_surrogate_is_shown_not_written() -> None:
    assert box('{"a": "\\ud83d"}') == ['{ "a": "U+D83D" }']


# Tokens and marks


def test_tokens_have_the_kinds_of_the_colour_table() -> None:
    shown = kinds({"id": 1, "name": "x", "flag": True, "none": None, "more": list(range(9))})
    assert shown['"id"'] == "hot" and shown['"name"'] == "key"
    assert shown["1"] == "number" and shown['"x"'] == "string"
    assert shown["true"] == "word" and shown["null"] == "word"
    assert shown["… 6 more"] == "mut"
    assert {sign for text, kind in shown.items() if kind == "punct" for sign in text} <= set("{}[]:, ")


def test_key_fields_are_marked_with_their_value_containers_by_their_key_alone() -> None:
    lines = json_lines(_INITIALIZED)
    marked = [
        text[column : column + wide]
        for text, line in zip(drawn(lines), lines, strict=True)
        for column, wide in line.marks
    ]
    assert marked == ['"protocolVersion": "2025-06-18"', '"capabilities"']


def test_at_most_two_fields_are_marked() -> None:
    pointers = ["/method", "/params/protocolVersion", "/params/capabilities", "/params/clientInfo"]
    assert sum(len(line.marks) for line in json_lines(_INITIALIZE, marked=pointers)) == 2


def test_a_pointer_may_name_any_member_and_names_with_slashes() -> None:
    lines = json_lines(_TOOLS, marked=["/result/tools/*/name"])
    assert sum(len(line.marks) for line in lines) == 2
    lines = json_lines({"_meta": {"io.example/key": 1}}, marked=["/_meta/io.example~1key"])
    assert [line.marks for line in lines if line.marks] == [((13, 19),)]


# Anything goes in, lines inside their columns come out

_texts = st.text(
    alphabet=st.one_of(st.characters(), st.sampled_from(' \n\t\x00\u202e字，👩‍\\"/=')), max_size=90
)
_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _texts | _texts.map(lambda text: text * 4),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(_texts, inner, max_size=14),
    max_leaves=30,
)


def check_inside(lines: list[JsonLine], columns: int) -> None:
    for line in lines:
        for column, _, text in line.tokens:
            assert column >= 0 and column + columns_of(text) <= columns
            text.encode()
        for column, wide in line.marks:
            assert 0 <= column < column + wide <= columns
    drawn(lines)


@settings(max_examples=150, deadline=None)
@given(_values, st.integers(16, 90), st.booleans())
def test_any_value_stays_inside_its_columns(value: Any, columns: int, full: bool) -> None:
    check_inside(json_lines(value, columns=columns, full=full, marked=["/*", "/*/*"]), columns)


@settings(max_examples=100, deadline=None)
@given(_values)
def test_what_is_shown_whole_reads_back_as_the_same_value(value: Any) -> None:
    lines = json_lines(value, full=True, text=False)
    shown = [(kind, text) for line in lines for _, kind, text in line.tokens]
    if not {"hidden", "mut"} & {kind for kind, _ in shown} and "•••" not in str(shown):
        assert json.dumps(json.loads("".join(text for _, text in shown))) == json.dumps(value)


@settings(max_examples=60, deadline=None)
@given(_values)
def test_text_and_its_value_look_alike(value: Any) -> None:
    source = json.dumps(value)
    assert box(source, text=True) == box(json.loads(source), text=False)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300) | st.binary(max_size=200))
def test_any_text_gives_lines_inside_the_columns(source: str | bytes) -> None:
    check_inside(json_lines(source, columns=40), 40)
    if isinstance(source, str):
        check_inside(text_lines(source, columns=40), 40)


def test_a_hundred_thousand_brackets_are_no_trouble() -> None:
    assert len(box("[" * 100_000 + "]" * 100_000)) == 48
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    assert "[ … 1 item ]" in "".join(box(value))
    assert len(box(value, full=True)) < 200


def test_a_string_of_megabytes_is_cut_before_it_is_looked_at() -> None:
    assert box("x y " * 1_000_000)[-1].endswith("+3,999,881 chars")


# Text


def test_text_is_shown_line_by_line_in_plain_tokens() -> None:
    lines = text_lines("one\r\n\n  two\x1b[0m\n")
    assert drawn(lines) == ["one", "", "  twoU+001B[0m"]
    assert [kind for line in lines for _, kind, _ in line.tokens] == ["plain", "plain", "hidden", "plain"]


def test_text_beyond_its_limit_is_counted() -> None:
    assert drawn(text_lines("a\nb\nc", limit=3)) == ["a", "b", "c"]
    assert drawn(text_lines("a\nb\nc\nd\ne", limit=3)) == ["a", "b", "… 3 more lines"]


def test_long_lines_of_text_are_continued_further_in() -> None:
    lines = drawn(text_lines("word " * 20, columns=40))
    assert lines[:2] == ["word word word word word word word word", "    word word word word word word word"]


def test_a_text_of_megabytes_costs_what_its_box_shows() -> None:
    lines = drawn(text_lines("x" * 5_000_000))
    assert len(lines) == 12
    assert lines[-1].endswith("more lines")
