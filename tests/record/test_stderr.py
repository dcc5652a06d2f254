"""stderr as lines, whatever the bytes."""

import base64

from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.record._stderr import StderrLines


def lines(data, limit=1 << 20, size=7):
    reader = StderrLines(limit)
    parts = [part for start in range(0, len(data), size) for part in reader.feed(data[start : start + size])]
    return parts + reader.end()


def test_a_line_is_a_message_and_so_is_what_has_no_end():
    assert [part["text"] for part in lines("one\r\n\nzwei ö\nend".encode())] == ["one", "", "zwei ö", "end"]


def test_bytes_that_are_no_text_are_kept():
    part = lines(b"caf\xe9\n")[0]
    assert part["encoding"] == "base64" and base64.b64decode(part["text"]) == b"caf\xe9"
    assert part["problems"][0]["code"] == "invalid-utf8"


def test_a_line_beyond_the_limit_is_counted_and_cut_between_characters():
    part = lines("ö".encode() * 50000 + b"\n", limit=1000, size=4096)[0]
    assert part["size"] == 100000 and part["text"] == "ö" * 32768


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), st.integers(1, 50))
def test_the_same_lines_come_out_whatever_the_chunks(data, size):
    parts = lines(data, size=size)
    assert parts == lines(data, size=1000)
    kept = [base64.b64decode(p["text"]) if "encoding" in p else p["text"].encode() for p in parts]
    assert b"\n".join(kept) == data.replace(b"\r\n", b"\n").removesuffix(b"\n").removesuffix(b"\r") or b"\r" in data
