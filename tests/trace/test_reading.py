"""A recording is read in pieces, and is the same one however it is cut into them."""

import codecs
import json
import subprocess
import sys
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.errors import TraceError
from flowgen.trace import Reading, document_bytes, lines, load
from flowgen.trace._json import parse
from flowgen.trace._numbers import Numbers
from flowgen.trace._quick import parse_document

HEADER = {
    "format": "flowgen.trace/1",
    "command": ["server", "é…𝄞"],
    "participants": [{"id": "client", "role": "client"}, {"id": "server", "role": "server"}],
}
DONE = {"complete": True, "reason": "done"}
WORDS = st.text(max_size=8) | st.sampled_from(["\ud800", "\u2028", "\r\n", "…", "𝄞", '"\\'])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=5,
)
MESSAGES = st.fixed_dictionaries(
    {"sender": st.sampled_from(["client", "server"]), "receiver": WORDS, "kind": st.sampled_from(["request", "note"])},
    optional={
        "at": st.floats(0, 1e6),
        "body": JSON,
        "text": WORDS,
        "problems": st.lists(st.fixed_dictionaries({"code": WORDS}), max_size=2),
        "strange": JSON,
    },
)
DOCUMENTS = st.lists(MESSAGES, max_size=8).map(
    lambda messages: {
        **HEADER,
        "messages": [{"seq": seq, **message} for seq, message in enumerate(messages, 1)],
        "outcome": DONE,
    }
)


def read_in_pieces(data, chunk=1 << 20, many=1 << 15):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flowgen.trace._text._CHUNK", chunk)
        patch.setattr("flowgen.trace._reading._MANY", many)
        reading = Reading(BytesIO(data), "trace.jsonl")
        batches = list(reading.batches())
        assert all(len(batch) == many for batch in batches[:-1])
        return reading.finished([message for batch in batches for message in batch])


@settings(max_examples=60)
@given(DOCUMENTS, st.integers(1, 50), st.integers(1, 4))
def test_read_line_by_line_it_is_what_it_is_when_read_at_once(document, chunk, many):
    whole = load(document_bytes(document))
    data = b"".join(lines(document))
    assert read_in_pieces(data, chunk, many) == whole
    assert read_in_pieces(document_bytes(document), chunk) == whole


@settings(max_examples=30)
@given(DOCUMENTS, st.integers(2, 50), st.sampled_from(["utf-8-sig", "utf-16"]), st.data())
def test_wherever_a_file_is_cut_and_however_it_is_encoded_what_is_whole_is_read(document, chunk, encoding, data):
    text = b"".join(lines(document)).decode()
    encoded = text.encode(encoding)
    least = len(text.split("\n")[0].encode(encoding))
    cut = encoded[: data.draw(st.integers(least, len(encoded)))]
    trace = read_in_pieces(cut, chunk)
    assert trace == load(cut)
    assert trace.messages == load(encoded).messages[: len(trace.messages)]


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 100])
def test_a_byte_that_is_no_text_is_told_by_its_place_in_the_file(chunk):
    good = codecs.BOM_UTF8 + b"".join(lines({**HEADER, "messages": [], "outcome": DONE}))
    with pytest.raises(TraceError, match=f"trace.jsonl: byte {len(good) + 2} is not UTF-8"):
        read_in_pieces(good + b"{}\xff\n", chunk)


def test_problems_of_messages_that_were_left_out_have_no_place_any_more():
    rows = [{"seq": seq, "sender": "a", "receiver": "b", "kind": "note"} for seq in (1, 2, 3)]
    late = {"outcome": DONE, "problems": {"2": [{"code": "late"}], "3": [{"code": "unanswered"}]}}
    data = b"".join([*list(lines({**HEADER, "messages": rows})), json.dumps(late).encode()])
    reading = Reading(BytesIO(data), "trace.jsonl")
    (messages,) = reading.batches()
    trace = reading.finished([messages[0], messages[2]])
    assert [message.codes for message in trace.messages] == [[], ["unanswered"]]


@settings(max_examples=60)
@given(st.lists(st.integers(-9, 30) | st.integers()))
def test_a_number_is_taken_once_whatever_their_order(seqs):
    numbers, seen = Numbers("trace"), []
    for seq in seqs:
        if seq in seen:
            told = rf"messages\.{len(seen)}\.seq: .* messages\.{seen.index(seq)} already"
            with pytest.raises(TraceError, match=told):
                numbers.take(seq)
            return
        numbers.take(seq)
        seen.append(seq)
    assert numbers.count == len(seen)
    assert all((str(seq) in numbers) == (seq in seen) for seq in range(-10, 32))
    assert "1.0" not in numbers
    assert "²" not in numbers


TEXTS = st.one_of(
    JSON.map(lambda value: json.dumps(value)),
    JSON.map(lambda value: json.dumps(value, ensure_ascii=False)),
    st.from_regex(r"-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,4})?", fullmatch=True),
    st.text('[]{}",:0123456789.eE+-NaIfinty\\ud8 \n', max_size=20),
    st.sampled_from(["NaN", "-Infinity", "1e999", "-1E+400", "7" * 400 + ".5", "7" * 4301, "[" * 300 + "]" * 300,
                     '"\ud800"', '{"a": 1, "a": 2}', "[1,]", "01", "1.", '"\t"', "[1] 2", "\ufeff[]"]),
)  # fmt: skip


@settings(max_examples=200)
@given(TEXTS)
def test_the_quick_way_to_read_a_document_gives_what_the_other_one_does(text):
    def told(work):
        try:
            value = work(text, 208)
        except ValueError as problem:
            return type(problem), str(problem)
        return repr(value)  # 1 is not 1.0, and 0.0 not -0.0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flowgen.trace._quick._SHORT", 0)
        assert told(parse_document) == told(parse)


LONG = """
import json, resource
from itertools import islice
from flowgen.flow import abridged
from flowgen.trace import Reading, _reading

HEADER = %r
_reading._LARGE = 1 << 20

def rows():
    yield HEADER
    for n in range(1, 8_001):
        call = {"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": f"t{n %% 5}"}}
        told = {"jsonrpc": "2.0", "id": n, "result": {"content": [{"type": "text", "text": "x" * 4000}]}}
        yield {"seq": 2 * n - 1, "sender": "client", "receiver": "server", "kind": "request", "body": call}
        yield {"seq": 2 * n, "sender": "server", "receiver": "client", "kind": "response", "body": told}
    yield {"outcome": {"complete": True, "reason": "done"}}

class Long:
    size = 0
    lines = (json.dumps(row).encode() + b"\\n" for row in rows())
    def read(self, size):
        text = b"".join(islice(self.lines, 16))
        self.size += len(text)
        return text

file = Long()
reading = Reading(file, "long")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
trace = reading.finished(abridged(reading.batches(), 2))
print(file.size >> 10, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, len(trace.messages))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is told in other units")
def test_a_long_recording_takes_little_of_the_room_that_it_has_on_the_disk():
    done = subprocess.run([sys.executable, "-c", LONG % HEADER], capture_output=True, text=True, timeout=60, check=True)
    size, taken, left = map(int, done.stdout.split())
    assert size > 30_000  # KB
    assert taken < size / 2  # held at once, it would be more than there is on the disk
    assert left < 2_500
