"""Long logs: read as they are asked for, their secrets masked backwards too, what the end tells put on the messages."""

import json
from io import BytesIO

from flowgen import api, foreign

LINE = '2026-04-11T06:30:{:02}.{:03}Z [info] [s] Message from {}: {}\n'


def log(count: int) -> bytes:
    """So many exchanges of mcp.log, the last one without an answer."""
    rows = []
    for at in range(count):
        asked = {"jsonrpc": "2.0", "id": at, "method": "tools/call", "params": {"name": "t", "arguments": {"n": at}}}
        rows.append(LINE.format(at % 60, at % 1000, "client", json.dumps(asked)))
        rows.append(LINE.format(at % 60, at % 1000, "server", json.dumps({"jsonrpc": "2.0", "id": at, "result": {}})))
    return "".join(rows[:-1]).encode()


def test_a_long_log_is_read_only_as_far_as_it_is_asked_for():
    data = log(15_000)
    file = BytesIO(data)
    head = file.read(foreign.HEAD)
    form = foreign.told(head)
    assert form is not None
    first = next(foreign.Reading(form, file, "x", head).rows())
    assert len(first) < 10_000
    assert file.tell() < len(data) // 2


def test_a_long_log_is_abridged_while_it_is_read():
    trace = api.load(log(4_500), fold=2)
    assert len(trace.messages) < 6_000
    assert trace.messages[-1].codes == ["unanswered"]


def test_what_the_end_tells_stands_on_its_message_in_lines_too(tmp_path):
    data = log(20)
    api.convert(data, tmp_path / "out.jsonl")
    trace = api.load(tmp_path / "out.jsonl")
    assert trace.messages[-1].codes == ["unanswered"]
    assert trace.messages == api.load(data).messages


def test_a_secret_that_is_named_later_is_masked_in_what_came_before():
    said = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "got Zx9-aB3_longer.Q7"}}
    named = {"jsonrpc": "2.0", "method": "x", "params": {"api_key": "Zx9-aB3_longer.Q7"}}
    data = LINE.format(1, 1, "server", json.dumps(said)) + LINE.format(2, 1, "client", json.dumps(named))
    trace = api.load(data.encode())
    assert "Zx9-aB3" not in trace.model_dump_json()
    assert trace.messages[0].redacted == ["/body/params/data"]
