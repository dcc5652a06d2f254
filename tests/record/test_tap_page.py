"""The file of a tap: never more than it may hold, honest about what it lacks, and loadable wherever it was cut."""

import os
import resource
import signal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.record import Kept
from flowgen.record._tap_feed import CLIENT, END, SERVER, STDERR, Item
from flowgen.record._tap_page import Page, named
from flowgen.record._tap_scribe import Scribe, StdioItems
from flowgen.trace import load

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the tap runs on POSIX")

PIECES = [b'{"jsonrpc":"2.0","id":', b'1,"method":"a"}\n', b'1,"result":{}}\n', b"\n"]
NOTE = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"%s"}}\n'


def written(path, chunks, max_size=None, **kept):
    """The file after a session in which this was said: (who, bytes)."""
    given_ = Kept(str(path), max_size=max_size, **kept)
    page = Page(str(path), max_size)
    scribe = Scribe(page, ["server"], given_)
    taker = StdioItems(scribe, given_)
    for number, (kind, data) in enumerate(chunks, 1):
        taker.take(Item(kind, number, number / 10, data))
    taker.take(Item(END, len(chunks) + 1, 9.0, b'{"complete": true, "reason": "done"}'))
    taker.flush_readers()
    return scribe.end(taker.outcome), path.read_bytes()


def test_a_file_grows_no_larger_than_it_may_and_says_what_it_lacks(tmp_path):
    fault, data = written(tmp_path / "t.jsonl", [(CLIENT, NOTE % (b"x" * 100))] * 200, max_size=20_000)
    assert fault and len(data) <= 20_000
    trace = load(data)
    assert (trace.outcome.complete, trace.outcome.reason) == (False, "cut")
    assert trace.messages[-1].codes == ["truncated"]
    assert trace.outcome.truncated == 200 - len(trace.messages) > 0


def test_a_disk_that_is_full_leaves_whole_lines_and_an_outcome_if_there_is_room(tmp_path):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (9000, before[1]))
        fault, data = written(tmp_path / "t.jsonl", [(CLIENT, NOTE % (b"x" * 200))] * 50)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert fault and data.endswith(b"}\n")
    trace = load(data)
    assert len(trace.messages) > 10 and trace.outcome.reason == "cut"


def test_names_are_filled_in():
    name = named("/tmp/{time}-{pid}-{other}.jsonl")
    assert name.endswith(f"-{os.getpid()}-{{other}}.jsonl") and "{time}" not in name


def test_a_pipe_that_nobody_reads_is_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError):
        Page(str(tmp_path / "pipe"))


def test_the_second_file_stands_beside_the_first_whatever_the_folder_is_called(tmp_path):
    (tmp_path / "a.b").mkdir()
    pages = [Page(str(tmp_path / "a.b" / "trace")) for _ in range(2)]
    assert [os.path.basename(page.path) for page in pages] == ["trace", "trace-2"]
    for page in pages:
        os.close(page.handle)


def test_the_names_that_both_give_of_themselves_stand_in_the_first_line(tmp_path):
    asked = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":{"name":"me","version":"1"}}}\n'
    answered = (b'{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"it","version":""},'
                b'"protocolVersion":"2025-11-25"}}\n')
    data = written(tmp_path / "t.jsonl", [(CLIENT, asked), (SERVER, answered)])[1]
    assert [who.title for who in load(data).participants] == ["me 1", "it"]


def test_a_line_of_64_mib_costs_no_more_than_a_message_may(tmp_path):
    chunk = b"z" * (1 << 16)
    chunks = [(SERVER, b'{"jsonrpc":"2.0","id":1,"result":"'), *[(SERVER, chunk)] * 1024, (SERVER, b'"}\n')]
    data = written(tmp_path / "t.jsonl", chunks, max_message=1 << 20)[1]
    (message,) = load(data).messages
    assert message.size > 64 << 20 and message.head == {"id": 1} and len(data) < 200_000
    assert message.codes == ["too-large", "unknown-id"]


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from([CLIENT, SERVER, STDERR]), st.one_of(
    st.binary(max_size=60), st.sampled_from(PIECES),
)), max_size=12), st.integers(0, 4000))  # fmt: skip
def test_whatever_was_said_the_file_loads_wherever_it_is_cut(tmp_path_factory, chunks, cut):
    data = written(Path(tmp_path_factory.getbasetemp()) / "any.jsonl", chunks)[1]
    whole = load(data)
    assert whole.outcome.reason == "done"
    first = data.index(b"\n") + 1
    part = load(data[: first + cut % (len(data) - first + 1)])
    assert [message.seq for message in part.messages] == list(range(1, len(part.messages) + 1))


def test_secrets_are_masked_everywhere_under_names_of_the_users_own_too(tmp_path):
    said = b'{"jsonrpc":"2.0","id":1,"method":"a","params":{"pin":"Q7-zebra-19","password":"hunter2-Kx9"}}\n'
    data = written(tmp_path / "t.jsonl", [(CLIENT, said), (STDERR, b"got hunter2-Kx9\n")], redact_keys=("pin",))[1]
    assert b"zebra" not in data and b"hunter2" not in data
    assert b"hunter2" in written(tmp_path / "u.jsonl", [(CLIENT, said)], redact=False)[1]
