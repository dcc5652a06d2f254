"""Recordings of what a program said and heard itself."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen import api
from flowgen.errors import TraceError

SECRET = {"name": "sign_in", "arguments": {"password": "hunter2"}}
REQUEST = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": SECRET}


def spoken(*messages, **told):
    return api.spoken([api.Spoken(at, sender, json.dumps(body)) for at, sender, body in messages], **told)


def test_messages_keep_order_sender_and_time_and_nothing_is_made_up():
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"content": []}}
    trace = spoken((100.0, "client", REQUEST), (100.25, "server", answer), title="mine")
    assert [(each.kind, each.sender, each.at, each.transport) for each in trace.messages] == [
        ("request", "client", 0.0, None), ("response", "server", 0.25, None),
    ]  # fmt: skip
    assert (trace.title, trace.missing, trace.command, trace.url) == ("mine", ["heads", "stderr"], None, None)


def test_secrets_are_masked_and_what_was_not_answered_says_so():
    (message,) = spoken((0.0, "client", REQUEST)).messages
    assert "hunter2" not in message.model_dump_json() and message.redacted == ["/body/params/arguments/password"]
    assert message.codes == ["unanswered"]


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(["client", "server"]), st.text(max_size=40)), min_size=1, max_size=5))
def test_whatever_was_said_can_be_drawn(said):
    try:
        trace = api.spoken([api.Spoken(float(number), sender, text) for number, (sender, text) in enumerate(said)])
    except TraceError:
        assert not any(text.strip() for _, text in said)
        return
    assert api.drawing(trace).txt()
