from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.wire import EventReader, ServerEvent
from tests.costs import room_taken


def read(*chunks, limit=1 << 20):
    reader = EventReader(limit)
    return [event for chunk in chunks for event in reader.feed(chunk)] + reader.end()


def test_an_event_comes_out_at_its_empty_line_with_all_that_stood_in_it():
    reader = EventReader()
    assert reader.feed(b": hello\nid: 7\nevent: message\nretry: 1500\ndata: {}\n") == []
    assert reader.feed(b"\n") == [ServerEvent(b"{}", "7", "message", 1500, "hello", 2)]
    assert reader.end() == []


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_lines_end_in_three_ways(end):
    text = end.join([b"event: a", b"data: 1", b"data: 2", b"", b"data: 3", b"", b""])
    assert [(event.event, event.data) for event in read(text)] == [("a", b"1\n2"), (None, b"3")]
    assert read(text) == read(*(text[at : at + 1] for at in range(len(text))))


def test_a_carriage_return_at_the_end_of_a_chunk_and_its_line_feed_are_one_line_end():
    assert read(b"data: 1\r", b"\ndata: 2\r\n\r", b"\n") == [ServerEvent(b"1\n2", size=3)]


def test_what_carries_no_data_is_an_event_all_the_same():
    assert read(b"id: 3\n\n: ping\n\nretry: 5\n\n") == [
        ServerEvent(id="3"), ServerEvent(comment="ping"), ServerEvent(retry=5),
    ]  # fmt: skip


def test_comments_of_one_event_are_lines_of_one_text():
    assert read(b": one\n:two\n:\ndata: x\n\n")[0].comment == "one\ntwo\n"


def test_one_space_after_the_colon_is_no_part_of_the_value():
    assert [event.data for event in read(b"data:  two\n\ndata:none\n\ndata\n\ndata:\n\n")] == [
        b" two", b"none", b"", b"",
    ]  # fmt: skip


def test_a_byte_order_mark_is_passed_over_even_in_pieces():
    assert read(b"\xef", b"\xbb", b"\xbfdata: 1\n\n") == [ServerEvent(b"1", size=1)]
    assert read(b"\xef\xbb") == [ServerEvent(whole=False)]


def test_what_the_stream_ends_in_is_told_as_unfinished():
    assert read(b'data: {"a"') == [ServerEvent(b'{"a"', size=4, whole=False)]
    assert read(b"data: {}\n") == [ServerEvent(b"{}", size=2, whole=False)]
    assert read(b"data: {}\n\n") == [ServerEvent(b"{}", size=2)]


def test_ids_with_a_null_and_retries_that_are_no_number_do_not_count():
    event = read(b"id: a\0b\nretry: soon\nretry: -1\nretry: 99999999999999999999\ndata: x\n\n")[0]
    assert event.fields == {}


def test_unknown_fields_are_an_event_without_anything():
    assert read(b"colour: blue\n\n") == [ServerEvent()]


def test_data_beyond_the_limit_is_counted_and_its_end_kept():
    event = read(b"data: " + b"a" * 50, b"b" * 60 + b"\ndata: last\n\n", limit=32)[0]
    assert event.cut and event.size == 115 and event.data == b"a" * 26
    assert event.tail.endswith(b"b\nlast")


def test_data_that_is_not_utf8_stays_bytes():
    assert read(b"event: \xff\ndata: \xff\n\n") == [ServerEvent(b"\xff", event="\ufffd", size=1)]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from([b"data: ", b"data", b"id:", b":", b"\r", b"\n", b"\r\n", b"x", b"\xef\xbb\xbf", b"\0"])),
    st.lists(st.integers(0, 60)),
)
def test_whatever_the_chunks_the_events_are_the_same(pieces, cuts):
    text = b"".join(pieces)
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    chunks = [text[start:end] for start, end in pairwise(places)]
    assert read(*chunks) == read(text)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200), st.integers(1, 40))
def test_no_bytes_raise_and_no_data_is_lost(data, limit):
    events = read(data, limit=limit)
    assert all(len(event.data or b"") <= limit for event in events)
    assert all(event.whole for event in events[:-1])


def test_an_event_of_32_mib_in_small_chunks_is_not_copied_with_each():
    reader = EventReader(64 << 20)
    assert room_taken(reader.feed, [b"data: ", *[b"x" * 65536] * 512]) < 32 << 20
    (event,) = reader.feed(b"\n\n")
    assert event.size == 32 << 20
