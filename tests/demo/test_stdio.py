"""Hostile input: whatever stands on stdin, only JSON lines stand on stdout, and the demo ends with stdin."""

import json
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.demo._messages import line_of
from flowgen.demo._scenario import load
from flowgen.demo._server import Server

METHODS = [
    "initialize", "server/discover", "ping", "tools/list", "tools/call", "resources/list", "resources/read",
    "resources/templates/list", "resources/subscribe", "resources/unsubscribe", "prompts/list", "prompts/get",
    "completion/complete", "logging/setLevel", "subscriptions/listen", "notifications/cancelled",
    "notifications/initialized", "notifications/roots/list_changed", "x",
]  # fmt: skip
NAMES = [
    "calculator_arithmetic", "publish_note", "summarize_note", "list_folders", "tidy_slowly", "check_spelling",
    "edit_note", "enable_search", "review", "note://todo", "note://a/b", "2025-03-26", "2026-07-28",
]  # fmt: skip
KEYS = [
    "name", "arguments", "uri", "cursor", "_meta", "protocolVersion", "capabilities", "clientInfo", "ref", "argument",
    "value", "level", "notifications", "requestId", "requestState", "inputResponses", "expression", "text", "tone",
    "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities", "progressToken",
    "elicitation", "sampling", "roots", "resourceSubscriptions", "type",
]  # fmt: skip

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.sampled_from(NAMES),
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner, max_size=5)
    ),
)
ids = st.one_of(st.integers(1, 4), st.text(max_size=2), st.none(), values)
messages = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | values,
        "id": ids,
        "method": st.sampled_from(METHODS) | values,
        "params": st.dictionaries(st.sampled_from(KEYS), values, max_size=6) | values,
        "result": values,
        "error": values,
    },
)
CAPABLE = {"elicitation": {}, "sampling": {}, "roots": {}}
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": CAPABLE}
requests = st.builds(
    lambda method, id, params, meta: {"jsonrpc": "2.0", "id": id, "method": method, "params": {**params, **meta}},
    st.sampled_from(METHODS), st.integers(1, 4),
    st.dictionaries(st.sampled_from(KEYS), st.sampled_from(NAMES) | values, max_size=5),
    st.sampled_from([{}, {"_meta": META}]),
)  # fmt: skip
OPENING = [
    {"jsonrpc": "2.0", "id": 0, "method": "initialize",
     "params": {"protocolVersion": "2025-03-26", "capabilities": CAPABLE, "clientInfo": {"name": "x", "version": "1"}}},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
]  # fmt: skip


class Recorded:
    """A transport that keeps what is sent and does later jobs when told to."""

    def __init__(self):
        self.sent, self.jobs, self.told = [], [], []

    def send(self, message):
        self.sent.append(line_of(message))

    def cut(self, seconds):
        raise AssertionError("no step cuts the line in this scenario")

    def forget(self):
        raise AssertionError("no step ends the session in this scenario")

    def later(self, seconds, job):
        self.jobs.append(job)

    def tell(self, words):
        self.told.append(words)

    def leave(self, code):
        raise AssertionError("no step ends this scenario")

    def do_all(self):
        while self.jobs:
            self.jobs.pop(0)()


def played(lines):
    line = Recorded()
    server = Server(load("full"), line)
    for each in lines:
        server.receive(each)
        line.do_all()
    server.close()
    return [json.loads(sent) for sent in line.sent]


def lines_of(some):
    return [json.dumps(message).encode() for message in some]


@settings(max_examples=80, deadline=None)
@given(st.booleans(), st.lists(st.one_of(messages, requests, st.lists(messages | requests, max_size=3)), max_size=6))
def test_any_messages_are_answered_with_messages(opened, some):
    for sent in played(lines_of([*OPENING * opened, *some])):
        for message in sent if isinstance(sent, list) else [sent]:
            assert message["jsonrpc"] == "2.0"
            assert ("method" in message) + ("result" in message) + ("error" in message) == 1


@settings(max_examples=80, deadline=None)
@given(requests)
def test_every_well_formed_request_of_the_stateless_era_is_answered_once(request):
    request["params"]["_meta"] = META
    sent = played(lines_of([request]))
    answers = [message for message in sent if "method" not in message]
    assert [message["id"] for message in answers] == [request["id"]]
    assert answers[0].get("error", {}).get("code") != -32603


@settings(max_examples=15, deadline=None)
@given(st.lists(st.binary(max_size=200) | messages.map(lambda message: json.dumps(message).encode()), max_size=30))
def test_any_bytes_on_stdin_leave_only_json_lines_on_stdout(chunks):
    done = subprocess.run(
        [sys.executable, "-m", "flowgen.demo", "--scenario", "full"],
        input=b"\n".join(chunks), capture_output=True, timeout=30,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"" or done.stdout.endswith(b"\n")
    for line in done.stdout.splitlines():
        assert isinstance(json.loads(line), (dict, list))


def test_a_line_of_many_megabytes_is_read(talk):
    server = talk("full", "2026-07-28")
    text = "x" * 20_000_000
    assert server.call("edit_note", text=text)["content"]
    assert server.result("resources/read", uri="note://todo")["contents"][0]["text"] == text


def test_deep_values_are_answered(talk):
    server = talk("full", "2025-11-25")
    for depth in (200, 900, 980, 990, 995):
        deep = b"[" * depth + b"]" * depth
        server.write(
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"edit_note","arguments":' + deep + b"}}\n"
        )
        assert "jsonrpc" in server.next()
        server.write(b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":' + deep + b"}}\n")
        assert "error" in server.next()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_it_leaves_quietly_when_interrupted_or_when_nobody_reads(talk):
    import signal

    server = talk("seed", "2025-06-18")
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(20) == 130
    assert server.process.stderr.read() == b""
    other = subprocess.Popen(
        [sys.executable, "-m", "flowgen.demo"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    other.stdout.close()
    deadline = time.monotonic() + 20
    while other.poll() is None and time.monotonic() < deadline:
        try:
            other.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
            other.stdin.flush()
        except OSError:
            break
    assert other.wait(20) == 0
    assert other.stderr.read() == b""
    other.stderr.close()
    with suppress(OSError):
        other.stdin.close()
