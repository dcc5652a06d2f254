"""What is written of a line does not depend on whether one like it was there before."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.record import Kept
from flowgen.record._tap_again import Again
from flowgen.record._tap_feed import CLIENT, END, SERVER, Item
from flowgen.record._tap_page import Page
from flowgen.record._tap_scribe import Scribe, StdioItems
from flowgen.trace import load

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the tap runs on POSIX")

LINES = [
    b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}\n',
    b'{"method":"ping","jsonrpc":"2.0","id":%d}\n',
    b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"Kx9-zebra-77q"}]}}\n',
    b'{"result":{"id":5},"jsonrpc":"2.0","id":%d}\n',
    b'{"jsonrpc":"2.0","id":%d,"method":"a"}\r\n',
    b'{"jsonrpc":"2.0","id":%d,"method":"a","id":1}\n',
    b'{"jsonrpc":"2.0","id":%d,"method":"in","params":{"password":"Kx9-zebra-77q"}}\n',
    b'{"jsonrpc":"2.0","id":%d,"error":{"code":-1,"message":"no"}}\n',
    b'{"jsonrpc":"2.0","id":%d,\n',
    b'"method":"b","n":1.0}\n',
    b'{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}\n',
]


def written(folder, said, again):
    """The messages and what is known at the end."""
    kept = Kept(str(Path(folder) / "again.jsonl"))
    scribe = Scribe(Page(kept.output), ["x"], kept)
    taker = StdioItems(scribe, kept)
    if not again:
        taker._again = {kind: Never() for kind in (CLIENT, SERVER)}
    for number, (kind, data) in enumerate(said, 1):
        taker.take(Item(kind, number, number / 10, data))
    taker.take(Item(END, 999, 99.0, b'{"complete": true, "reason": "done"}'))
    taker.flush_readers()
    scribe.end(taker.outcome)
    shown = load(Path(kept.output).read_bytes())
    return [message.model_dump(exclude={"fingerprints"}) for message in shown.messages]


class Never(Again):
    def find(self, data, learnt):
        return None


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from([CLIENT, SERVER]), st.sampled_from(LINES), st.integers(0, 3)), max_size=30))
def test_with_and_without_a_memory_the_same_is_written(tmp_path_factory, talk):
    said = [(kind, line % id_ if b"%d" in line else line) for kind, line, id_ in talk]
    folder = tmp_path_factory.getbasetemp()
    assert written(folder, said, again=True) == written(folder, said, again=False)


def test_lines_alike_are_found_by_their_ids_place_and_nothing_else():
    again = Again()
    message = {"kind": "request", "problems": [], "body": {"jsonrpc": "2.0", "id": 7, "method": "a"}}
    again.learn(b'{"jsonrpc":"2.0","id":7,"method":"a"}', message)
    found = again.find(b'{"jsonrpc":"2.0","id":123,"method":"a"}', 0)
    assert found is None, "another number of secrets"
    again.learn(b'{"jsonrpc":"2.0","id":7,"method":"a"}', message)
    known, id_ = again.find(b'{"jsonrpc":"2.0","id":123,"method":"a"}', 0)
    assert (known.before, id_, known.after) == (b'{"jsonrpc": "2.0", "id": ', 123, b', "method": "a"}')
    for other in (b'{"jsonrpc":"2.0","id":0123,"method":"a"}', b'{"jsonrpc":"2.0","id":"1","method":"a"}', b""):
        assert again.find(other, 0) is None


def test_memory_is_bounded():
    again = Again()
    for number in range(1000):
        message = {"kind": "request", "problems": [], "body": {"jsonrpc": "2.0", "id": 1, "method": f"m{number}"}}
        again.learn(b'{"jsonrpc":"2.0","id":1,"method":"m%d"}' % number, message)
    assert len(again._known) == 256
