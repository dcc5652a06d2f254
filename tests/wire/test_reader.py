import base64
import json
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.wire import LineReader, read_message, write_json
from tests.costs import instructions, room_taken

ANSWER = {"jsonrpc": "2.0", "id": 4, "result": {"content": [{"type": "text", "text": "hi"}], "empty": {}}}
LINE = write_json(ANSWER)
PRETTY = json.dumps(ANSWER, indent=2).encode()


def read(data, **options):
    reader = LineReader(**options)
    return reader.feed(data) + reader.end()


def told(parts):
    """kind and codes of each part"""
    return [(part["kind"], *codes(part)) for part in parts]


def codes(part):
    return [problem["code"] for problem in part["problems"]]


def kept(part):
    """The bytes that a part kept."""
    for name, mark in (("raw", "raw_encoding"), ("text", "encoding")):
        if name in part:
            return base64.b64decode(part[name]) if mark in part else part[name].encode()
    return write_json(part["body"])


def test_a_good_message_is_its_body_and_nothing_else():
    assert read(LINE + b"\n") == [{"kind": "response", "body": ANSWER, "problems": []}]


def test_a_banner_is_noise_line_by_line_and_the_session_goes_on():
    banner = "🖥️ server ready, mode stdio\n[2026-03-02 08:15:09.120] [INFO ] loaded\n\n{not json: handling tools/list}\n"
    parts = read(banner.encode() + LINE + b"\n")
    assert told(parts) == [("noise", "not-json")] * 3 + [("response",)]
    assert parts[1]["text"] == "[2026-03-02 08:15:09.120] [INFO ] loaded"


@pytest.mark.parametrize("banner", [b"[", b"{", b"[1,", b'{"starting": ', b'{"a": [', b"[\n["])
def test_an_open_bracket_in_a_banner_neither_delays_nor_swallows_the_next_message(banner):
    reader = LineReader()
    assert reader.feed(banner + b"\n") == []
    parts = reader.feed(LINE + b"\n")
    assert told(parts) == [("noise", "not-json")] * (banner.count(b"\n") + 1) + [("response",)]


@pytest.mark.parametrize("banner", [b"[", b"[1,", b"[\n[\n["])
def test_a_pretty_printed_message_is_joined_even_behind_an_open_bracket(banner):
    parts = read(banner + b"\n" + PRETTY + b"\n")
    assert told(parts) == [("noise", "not-json")] * (banner.count(b"\n") + 1) + [("response", "split-message")]
    assert parts[-1]["body"] == ANSWER
    assert parts[-1]["raw"].encode() == PRETTY


def test_byte_order_mark_crlf_and_pretty_printing_are_told_once_and_read():
    pretty = PRETTY.replace(b"\n", b"\r\n")
    parts = read(b"\xef\xbb\xbf" + LINE + b"\r\n\r\n" + pretty + b"\r\n" + LINE + b"\r\n\r\n")
    assert told(parts) == [("response", "bom", "crlf"), ("response", "split-message"), ("response",)]
    assert [part["body"] for part in parts] == [ANSWER] * 3
    assert parts[1]["raw"].encode() == pretty


def test_pretty_printed_messages_without_a_newline_between_them_are_told_apart():
    parts = read(PRETTY + PRETTY + PRETTY)
    assert told(parts) == [("response", "split-message")] * 2 + [("response", "split-message", "unterminated")]


def test_lines_that_turn_out_to_be_no_json_are_given_back_one_by_one():
    parts = read(b'{\n  "a": 1,\noops\n' + LINE + b"\n")
    assert [part.get("text") for part in parts] == ["{", '  "a": 1,', "oops", None]


def test_pretty_printed_json_that_is_no_message_is_one_piece_of_noise():
    assert told(read(b'{\n  "port": 3000\n}\n' + LINE + b"\n")) == [
        ("noise", "not-json-rpc", "split-message"), ("response",),
    ]  # fmt: skip


def test_the_elements_of_a_batch_are_messages_of_their_own():
    parts = read(b"[" + LINE + b' , 5, {"jsonrpc":"2.0","id":1e0,"method":"a"}]\n[]\n[1]\n')
    assert told(parts) == [
        ("response", "batch"), ("noise", "not-json-rpc", "batch"), ("request", "batch"),
        ("noise", "not-json-rpc"), ("noise", "not-json-rpc"),
    ]  # fmt: skip
    assert parts[2]["raw"] == '{"jsonrpc":"2.0","id":1e0,"method":"a"}'


def test_several_messages_on_a_line_are_told_apart_and_what_follows_them_is_noise():
    parts = read(LINE + LINE + b" done\n")
    assert told(parts) == [("response", "several-on-a-line")] * 2 + [("noise", "not-json", "several-on-a-line")]
    assert parts[-1]["text"] == "done"


def test_text_before_a_message_makes_the_line_noise():
    assert told(read(b"sending " + LINE + b"\n")) == [("noise", "not-json")]


def test_bytes_that_are_not_utf_8_are_read_and_kept():
    line = b'{"jsonrpc":"2.0","id":2,"result":{"text":"\xc7\xd1 Messger\xe4t","odd":"\\ud83d alone"}}'
    (part,) = read(line + b"\n")
    assert told([part]) == [("response", "invalid-utf8", "lone-surrogate")]
    assert part["body"]["result"] == {"text": "�� Messger�t", "odd": "\ud83d alone"}
    assert base64.b64decode(part["raw"]) == line
    (part,) = read(b"caf\xe9\n")
    assert told([part]) == [("noise", "not-json", "invalid-utf8")]
    assert (part["encoding"], base64.b64decode(part["text"])) == ("base64", b"caf\xe9")


def test_what_a_value_cannot_hold_is_null_and_stands_in_raw():
    line = b'{"jsonrpc":"2.0","id":1,"result":{"a":NaN,"b":-Infinity,"c":1e999,"d":' + b"9" * 5000 + b',"e":1,"e":2}}'
    (part,) = read(line + b"\n")
    assert set(codes(part)) == {"not-a-number", "number-out-of-range", "duplicate-key"}
    assert part["body"]["result"] == {"a": None, "b": None, "c": None, "d": None, "e": 2}
    assert part["raw"].encode() == line


@pytest.mark.parametrize(
    "result", [b"1.10", b"1e5", b"-0", b"12345678901234567890.0", b"[1, 2]", b'"\\u00e9"', b'"\\/"']
)
def test_a_spelling_that_compact_json_has_not_is_kept_in_raw(result):
    line = b'{"jsonrpc":"2.0","id":1,"result":' + result + b"}"
    (part,) = read(line + b"\n")
    assert told([part]) == [("response",)]
    assert part["raw"].encode() == line


def test_a_lone_surrogate_is_told_though_nothing_is_lost():
    (part,) = read(b'{"jsonrpc":"2.0","id":1,"result":"\\ud83d"}\n')
    assert told([part]) == [("response", "lone-surrogate")]
    assert "raw" not in part


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"id":1,"result":{}}', "missing-jsonrpc"),
        (b'{"jsonrpc":2.0,"id":1,"result":{}}', "missing-jsonrpc"),
        (b'{"jsonrpc":"2.0","id":null,"method":"a"}', "invalid-id"),
        (b'{"jsonrpc":"2.0","id":1.5,"result":{}}', "invalid-id"),
        (b'{"jsonrpc":"2.0","id":true,"result":{}}', "invalid-id"),
        (b'{"jsonrpc":"2.0","id":[1],"result":{}}', "invalid-id"),
        (b'{"jsonrpc":"2.0","result":{}}', "invalid-id"),
        (b'{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":-1,"message":"both"}}', "result-and-error"),
    ],
)
def test_broken_rules_of_json_rpc_are_told(line, problem):
    (part,) = read(line + b"\n")
    assert codes(part) == [problem]


def test_a_fraction_that_is_whole_is_no_invalid_id():
    assert told(read(b'{"jsonrpc":"2.0","id":1.0,"result":{}}\n')) == [("response",)]


def test_a_whole_message_without_its_newline_is_unterminated():
    assert told(read(LINE)) == [("response", "unterminated")]


@pytest.mark.parametrize("length", range(1, len(LINE)))
def test_a_message_cut_anywhere_is_truncated(length):
    (part,) = read(LINE[:length])
    assert told([part]) == [("noise", "truncated")]
    assert kept(part) == LINE[:length]


def test_a_pretty_printed_message_cut_off_is_one_truncated_piece():
    (part,) = read(PRETTY[:-3])
    assert told([part]) == [("noise", "truncated", "split-message")]
    assert kept(part) == PRETTY[:-3]


def test_text_without_a_newline_at_the_end_is_not_truncated():
    assert told(read(b"[INFO] bye")) == [("noise", "not-json")]


@pytest.mark.parametrize(
    ("line", "kind", "head"),
    [
        (b'{"jsonrpc":"2.0","id":5,"result":{"text":"%s"}}', "response", {"id": 5}),
        (b'{"result":{"text":"%s"},"jsonrpc":"2.0","id":"five"}', "response", {"id": "five"}),
        (b'{"error":{"code":1,"message":"%s"},"id":5}', "error", {"id": 5}),
        (b'{"method":"ping","params":{"a":"%s"},"jsonrpc":"2.0","id":5}', "request", {"id": 5, "method": "ping"}),
        (b'{"jsonrpc":"2.0","method":"note","params":{"a":["%s"]}}', "notification", {"method": "note"}),
        (b'{"level":30,"msg":"%s"}', "noise", None),
        (b"%s", "noise", None),
    ],
)  # fmt: skip
def test_a_message_too_large_keeps_its_beginning_its_size_and_its_head(line, kind, head):
    line = line.replace(b"%s", b"x" * 300_000)
    (part,) = read(line + b"\n", max_message=200_000)
    assert (part["kind"], codes(part)[0]) == (kind, "too-large")
    assert part.get("head") == head
    assert part["text"].encode() == line[:65536]
    assert part["size"] == len(line)


def test_a_message_too_large_may_be_cut_off_too():
    line = b'{"jsonrpc":"2.0","id":5,"result":"' + b"x" * 300_000
    assert told(read(line, max_message=200_000)) == [("response", "too-large", "truncated")]
    assert told(read(line + b'"}', max_message=200_000)) == [("response", "too-large", "unterminated")]


def test_the_final_newline_of_a_body_is_no_reason_for_raw():
    assert read_message(LINE + b"\r\n") == [{"kind": "response", "body": ANSWER, "problems": []}]
    assert read_message(b"") == read_message(b"\n") == []
    assert read_message(PRETTY)[0]["body"] == ANSWER


def test_half_a_character_is_not_kept_of_a_message_too_large():
    (part,) = read(b"x" * 65535 + "é".encode() * 100 + b"\n", max_message=65600)
    assert part["text"] == "x" * 65535


def test_100_000_nested_brackets_are_too_deep_but_still_paired():
    line = b'{"result":' + b"[" * 100_000 + b"]" * 100_000 + b',"jsonrpc":"2.0","id":5}'
    (part,) = read(line + b"\n")
    assert (told([part]), part["head"], part["size"]) == ([("response", "too-deep")], {"id": 5}, len(line))


@pytest.mark.parametrize("sign", ["\v", "\f", "\x1c", "\u00a0", "\u3000"])
def test_what_python_takes_for_white_space_and_json_does_not_is_kept(sign):
    assert [part.get("text") for part in read(LINE + sign.encode() + b"\n")] == [None, sign]
    assert read(PRETTY + sign.encode() + b"\n")[-1]["text"] == sign


def test_nul_bytes_are_noise():
    assert read(b"\0\0\n")[0]["text"] == "\0\0"


@pytest.mark.parametrize(
    "hostile",
    [
        b"[" * (4 << 20), b'{"a":' * (1 << 19), b"{}" * (1 << 20), b"[\n" * 20_000, b"{\n" * 20_000,
        b'"' * (4 << 20), b"\n" * (1 << 20), b'{"a":"' + b"\\" * (4 << 20), b"1 " * (2 << 20),
        b'{"result":' + b"[]" * (5 << 20),
    ],
    ids=lambda data: repr(data[:8]),
)  # fmt: skip
def test_hostile_streams_cost_as_much_as_they_are_long(hostile):
    read(hostile)  # what goes back and forth in it takes minutes
    short, long = hostile[:1000], hostile[:4000]
    assert instructions(lambda: read(long)) < 5 * instructions(lambda: read(short))


def test_a_line_of_64_mib_is_read_without_keeping_it():
    reader = LineReader()
    chunks = [b'{"result":"', *[b"x" * 65536] * 1024]
    assert room_taken(reader.feed, chunks) < 32 << 20
    (part,) = reader.feed(b'","jsonrpc":"2.0","id":5}\n')
    assert (part["kind"], part["head"]) == ("response", {"id": 5})


PIECES = st.one_of(
    st.sampled_from([
        LINE, PRETTY, PRETTY.replace(b"\n", b"\r\n"), b"[" + LINE + b"," + LINE + b"]", b'{"id":1,"result":1e5}',
        b'{"jsonrpc":"2.0","method":"a","x":"\\ud83d"}', b"[", b"]", b"{", b"}", b",", b"\n", b"\r\n", b"[1,",
        b'{"a":', b'"a"', b" ", b"hello", b"\xef\xbb\xbf", b"\xff", b"null", b"{}",
    ]),
    st.binary(max_size=6),
)  # fmt: skip
STREAMS = st.lists(PIECES, max_size=14).map(b"".join)


@settings(max_examples=200, deadline=None)
@given(STREAMS, st.lists(st.integers(0, 400), max_size=6))
def test_whatever_the_chunks_the_parts_are_the_same(stream, cuts):
    places = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    reader = LineReader()
    parts = [part for start, end in pairwise(places) for part in reader.feed(stream[start:end])]
    assert parts + reader.end() == read(stream)


@settings(max_examples=300, deadline=None)
@given(STREAMS)
def test_no_byte_is_lost_but_ends_of_lines_and_what_stands_between_messages(stream):
    def bare(data):
        return re.sub(rb"[\n\r\t ,\[\]]|\xef\xbb\xbf", b"", data)

    assert bare(b"".join(map(kept, read(stream)))) == bare(stream)


@settings(max_examples=200, deadline=None)
@given(STREAMS)
def test_a_good_message_comes_out_at_once_whatever_came_before(stream):
    reader = LineReader()
    reader.feed(stream + b"\n")
    last = reader.feed(LINE + b"\n")[-1]
    assert (last["kind"], last["body"]) == ("response", ANSWER)
