"""Recordings of mcpsnoop, mcpdump, glassport, mcp-cassette and the Inspector: what each tells in its own way."""

import json

import pytest

from flowgen import api
from flowgen.errors import TraceError
from tests.foreign.cases_of import case

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
PONG = {"jsonrpc": "2.0", "id": 1, "result": {}}


def rows(*found: dict) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in found)


def snoop(direction: str, **more: object) -> dict:
    return {"session_id": "s", "server_label": "orchard", "seq": 1, "ts": "2026-08-20T08:00:00.007000123Z",
            "direction": direction, "transport": "http", **more}  # fmt: skip


def test_connections_to_one_server_have_clients_of_their_own():
    trace = api.load(rows(
        snoop("c2s", raw=PING, conn_id="a"), snoop("c2s", raw=PING, conn_id="b"),
        snoop("s2c", raw=PONG, conn_id="b", status=200), snoop("s2c", raw=PONG, conn_id="a"),
    ))  # fmt: skip
    assert [(each.receiver, each.codes) for each in trace.messages[2:]] == [
        ("client-orchard-2", []), ("client-orchard", []),
    ]  # fmt: skip
    assert trace.messages[2].http and trace.messages[2].http.status == 200
    assert trace.missing == ["heads"]


def test_the_end_of_a_process_is_told_and_other_events_are_its_words():
    trace = api.load(rows(
        snoop("c2s", raw=PING), snoop("meta", text="retrying"), snoop("meta", text="process exited with code 3"),
    ))  # fmt: skip
    assert [each.kind for each in trace.messages] == ["request", "note", "process"]
    assert (trace.outcome.reason, trace.outcome.exit_code, trace.outcome.complete) == ("server-exited", 3, False)


def test_a_line_of_another_shape_is_told_with_its_number():
    with pytest.raises(TraceError, match="line 2: direction: expected c2s, s2c, stderr or meta"):
        api.load(rows(snoop("c2s", raw=PING), {"x": 1}))
    with pytest.raises(TraceError, match="line 2: column 9: no JSON"):
        api.load(rows(snoop("c2s", raw=PING)) + b'{"seq": }\n' + rows(snoop("s2c", raw=PONG)))


def test_a_last_line_that_is_cut_off_leaves_the_others():
    trace = api.load(rows(snoop("c2s", raw=PING), snoop("s2c", raw=PONG))[:-20])
    assert (len(trace.messages), trace.outcome.reason) == (1, "cut")


def test_a_dump_tells_its_command_and_keeps_the_bytes():
    trace = api.load(case("mcpdump"))
    assert trace.command == ["python3", "server.py"]
    assert trace.recorded_at == "2026-11-30T10:02:54.000Z"
    exact = next(message for message in trace.messages if message.raw and "1.0e2" in message.raw)
    assert exact.body["result"]["n"] == 100.0


def test_a_cassette_tells_an_address_and_that_heads_are_missing():
    document = json.loads(case("cassette").read_text())
    address = "https://u:pass-9x@s.example/mcp"
    trace = api.load(json.dumps({**document, "transport": "http", "server_url": address}).encode())
    assert trace.url == "https://•••@s.example/mcp"
    assert trace.missing == ["stderr", "heads"]
    with pytest.raises(TraceError, match=r"messages\.0\.sender: expected client or server"):
        api.load(json.dumps({**document, "messages": [{"payload": PING}]}).encode())


def entry(message: dict, **more: object) -> dict:
    return {"id": "e", "timestamp": "2026-11-03T10:00:00.000Z", "direction": "request", "message": message, **more}


def test_answers_of_the_inspector_come_when_they_came():
    trace = api.load(json.dumps([
        entry(PING, origin="client", response=PONG, duration=900),
        entry({**PING, "id": 2}, origin="client", timestamp="2026-11-03T10:00:00.500Z", clientError="Timed out"),
    ]).encode())  # fmt: skip
    assert [(each.kind, each.at) for each in trace.messages] == [("request", 0), ("request", 0.5), ("response", 0.9)]
    assert trace.messages[1].codes == ["client-error", "unanswered"]


def test_a_list_with_the_newest_first_is_in_the_order_of_its_times():
    later = entry({**PING, "id": 2}, origin="client", timestamp="2026-11-03T10:00:02.000Z")
    trace = api.load(json.dumps([later, entry(PING, origin="client")]).encode())
    assert [(each.body["id"], each.at) for each in trace.messages] == [(1, 0.0), (2, 2.0)]
    assert trace.recorded_at == "2026-11-03T10:00:00.000Z"


def test_a_missing_origin_is_told_by_the_method_or_not_at_all():
    asked = api.load(json.dumps([entry({**PING, "method": "roots/list"}, response=PONG)]).encode())
    assert [(each.sender, each.receiver) for each in asked.messages] == [("server", "client"), ("client", "server")]
    assert "directions" not in asked.missing
    assert "directions" in api.load(json.dumps([entry(PING)]).encode()).missing
    call = {**PING, "method": "tools/call", "params": {"_meta": {"progressToken": 5}}}
    progress = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 5, "progress": 1}}
    told = api.load(json.dumps([entry(call), entry(progress)]).encode())
    assert ([each.sender for each in told.messages], told.missing) == (["client", "server"], ["stderr"])
