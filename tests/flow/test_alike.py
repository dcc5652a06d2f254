"""What makes two recordings go different ways, and what does not."""

from flowgen.flow import alternatives
from flowgen.flow._alike import content
from tests.traces import trace_of

TWO = [{"id": "client", "role": "client"}, {"id": "server", "role": "server"}]


def talk(*more):
    asked = {"sender": "client", "receiver": "server", "kind": "request", "revision": "2026-07-28"}
    return trace_of({**asked, "body": {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}}, *more, participants=TWO)


def note(**data):
    body = {"event": "user-answered", "data": data}
    return {"sender": "client", "receiver": "client", "kind": "note", "body": body, "transport": "stdio"}


def groups(*traces):
    flow = alternatives(traces, [str(at) for at in range(len(traces))])
    return [row for step in flow.steps for row in step.rows if type(row).__name__ == "Group"]


def test_what_a_user_decides_parts_recordings_and_how_long_it_took_does_not():
    accepts, late, declines = (note(action=a, seconds=s) for a, s in (("accept", 1), ("accept", 9), ("decline", 1)))
    assert groups(talk(accepts), talk(late)) == []
    assert len(groups(talk(accepts), talk(declines))) == 1


def test_the_same_request_in_another_revision_is_another_one():
    row = {"sender": "client", "receiver": "server", "kind": "request"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "server/discover"}
    revisions = ("2026-07-28", "1900-01-01")
    one, other = (trace_of({**row, "revision": each, "body": body}, participants=TWO) for each in revisions)
    assert len(groups(one, other)) == 1


def test_the_port_of_a_server_on_this_machine_is_no_difference():
    def said(url):
        row = {"sender": "client", "receiver": "server", "kind": "request"}
        return content(trace_of({**row, "body": {"method": "x", "params": {"url": url}}}, participants=TWO).messages[0])

    assert said("http://127.0.0.1:1234/a") == said("http://127.0.0.1:80/a") != said("http://127.0.0.1:80/b")
    assert said("http://example.com:1/a") != said("http://example.com:2/a")
