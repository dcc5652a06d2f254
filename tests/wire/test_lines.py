from hypothesis import given
from hypothesis import strategies as st

from flowgen.wire import Lines
from tests.costs import room_taken


def test_lines_come_out_when_their_newline_came_in():
    lines = Lines()
    assert lines.feed(b"one\ntw") == [b"one"]
    assert lines.feed(b"o") == []
    assert lines.feed(b"\n\nthree") == [b"two", b""]
    assert lines.end() == b"three"
    assert lines.end() is None


@given(st.lists(st.text("a\n\r\0é").map(str.encode), max_size=12))
def test_whatever_the_chunks_the_lines_are_those_of_the_whole(chunks):
    lines = Lines()
    whole = [line for chunk in chunks for line in lines.feed(chunk)]
    assert b"\n".join([*whole, lines.end() or b""]) == b"".join(chunks)


def test_a_line_of_64_mib_in_small_chunks_is_not_copied_with_each():
    lines = Lines()
    assert room_taken(lines.feed, [b"x" * 65536] * 1024) < 64 << 20
    (line,) = lines.feed(b"\n")
    assert len(line) == 64 << 20
