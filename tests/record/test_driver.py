"""The client at work against a server that is a function: no process, real time only where time is the matter."""

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen import protocol
from flowgen.protocol import Plan, Step
from flowgen.record._driver import Driver
from flowgen.record._inbox import Event, Inbox
from flowgen.record._intake import Intake
from flowgen.record._pairs import Pairs
from flowgen.record._pipes import Pipes
from flowgen.record._recorder import Recorder
from flowgen.record._session import Limits
from flowgen.record._speaker import Letter, Speaker
from flowgen.trace import Mask, read_json, write_json

DISCOVERY = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "resultType": "complete"}
STATE = "v1.sealed"


class Clock:
    """Time that goes on when it is looked at, and jumps when it is told to."""

    def __init__(self):
        self.time = 0.0

    def __call__(self):
        self.time += 0.001
        return self.time


class Bench:
    """Everything but a process: what is sent goes to `server`, which answers with bodies or bytes."""

    def __init__(self, server, limits=None, answers=b"", manners=None):
        self.now = Clock()
        self.inbox = Inbox()
        self.server = server
        self.sent = []
        self.asked = []
        self.warnings = []
        self.recorder = Recorder(Mask(on=False), ["server"])
        self.pairs = Pairs()
        self.intake = Intake(self.inbox, self.now, self.recorder, self.pairs)
        self.pipes = Pipes(self.intake, self.now, 1 << 20)
        self.speaker = Speaker(self, self.recorder, self.pairs, self.intake, self.now)
        client = protocol.Client(
            protocol.Identity("tester", "1"), protocol.answers_from(answers, "a"), manners or protocol.Manners()
        )
        self.client = client
        self.driver = Driver(
            client, self.intake, self.speaker, self, limits or Limits(5.0, 5.0), self.now, self.recorder, self.pairs
        )

    # the channel
    def prepared(self, kind, body, revision):
        return Letter(kind, body, revision, {"transport": "stdio"})

    def withdraw(self, asked):
        return False

    def send(self, letter):
        body = read_json(write_json(letter.body)).value
        self.sent.append(body)
        for answer in self.server(body) or ():
            self.says(answer)

    def says(self, answer):
        data = answer if isinstance(answer, bytes) else write_json(answer) + b"\n"
        self.inbox.put(Event(self.now(), "stdout", data))

    # the desk
    def ask(self, ticket, question):
        self.asked.append((ticket, question))

    def open(self, url):
        self.warnings.append(url)

    def warn(self, text):
        self.warnings.append(text)

    def play(self, *steps, revision="2026-07-28", turns=500):
        self.driver.start(protocol.session(self.client, Plan(steps, revision=revision)))
        for _ in range(turns):
            if self.driver.ending is not None:
                return
            self.driver.turn(self.now() + 0.001)
        raise AssertionError("the session does not end")

    @property
    def story(self):
        """Kind and method or event of every message."""
        return [
            (message["kind"], message["body"].get("method") or message["body"].get("event"))
            for message in self.recorder.messages
        ]


def respond(body, **result):
    return {"jsonrpc": "2.0", "id": body["id"], "result": result}


def stateless(body):
    """A well-behaved server of the stateless era that asks for roots once."""
    match body:
        case {"method": "server/discover"}:
            return [respond(body, **DISCOVERY)]
        case {"method": "tools/call", "params": {"inputResponses": _, "requestState": state}} if state == STATE:
            return [respond(body, content=[], resultType="complete")]
        case {"method": "tools/call"}:
            asks = {"r": {"method": "roots/list"}}
            return [respond(body, resultType="input_required", inputRequests=asks, requestState=STATE)]
        case {"id": _}:
            return [respond(body, tools=[])]
    return []


def test_a_request_is_kept_before_its_answer_and_a_retry_has_a_new_id():
    bench = Bench(stateless)
    bench.play(Step("list", ("tools",)), Step("call", "x"))
    assert bench.story == [
        ("request", "server/discover"), ("response", None), ("request", "tools/list"), ("response", None),
        ("request", "tools/call"), ("response", None), ("note", "answered-from-file"), ("request", "tools/call"),
        ("response", None),
    ]  # fmt: skip
    assert [body["id"] for body in bench.sent] == [1, 2, 3, 4]
    assert bench.recorder.messages[6]["body"]["data"]["about"] == 6


def test_what_came_in_before_a_request_stands_before_it():
    def server(body):
        if body.get("method") == "tools/list":
            bench.inbox.put(Event(bench.now(), "stderr", b"listing\n"))
        return stateless(body)

    bench = Bench(server)
    bench.inbox.put(Event(bench.now(), "stderr", b"hello\n"))
    bench.play(Step("list", ("tools",)))
    texts = [message.get("text") or message["body"].get("method") for message in bench.recorder.messages]
    assert texts == ["hello", "server/discover", None, "tools/list", "listing", None]


def test_what_comes_together_with_an_answer_is_heard_before_the_next_step():
    changed = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}

    def server(body):
        answer = stateless(body)
        return [write_json(answer[0]) + b"\n" + write_json(changed) + b"\n"] if body["method"] == "ping" else answer

    bench = Bench(server)
    bench.play(Step("list", ("tools",)), Step("ping", True))
    assert [body["method"] for body in bench.sent] == ["server/discover", "tools/list", "ping", "tools/list"]


def test_the_progress_token_is_the_id_of_the_request():
    bench = Bench(stateless)
    bench.play(Step("ping", True, progress=True))
    meta = bench.sent[1]["params"]["_meta"]
    assert meta["progressToken"] == bench.sent[1]["id"] == 2 and list(meta)[-1] == "progressToken"


def test_requests_of_a_server_are_not_answered_in_the_stateless_era():
    def server(body):
        question = [{"jsonrpc": "2.0", "id": 1, "method": "roots/list"}] if body["method"] == "ping" else []
        return question + stateless(body)

    bench = Bench(server)
    bench.play(Step("ping", True))
    bench.pairs.finish()
    asked = bench.recorder.messages[3]
    assert asked["body"]["method"] == "roots/list" and asked["problems"][0]["code"] == "unanswered"
    assert all("method" in body for body in bench.sent)


def test_a_subscription_that_is_refused_does_not_wait_for_its_seconds():
    def server(body):
        if body["method"] == "subscriptions/listen":
            return [{"jsonrpc": "2.0", "id": body["id"], "error": {"code": -32601, "message": "no"}}]
        return stateless(body)

    bench = Bench(server)
    bench.play(Step("listen", None, seconds=1000.0))
    assert bench.now.time < 100


def test_a_script_that_is_woken_twice_at_once_goes_on_once():
    note = {"jsonrpc": "2.0", "method": "notifications/message"}

    def server(body):
        if body["method"] == "ping":
            threading.Timer(0.05, lambda: bench.says(write_json(note) + b"\n" + write_json(note) + b"\n")).start()
        return stateless(body)

    bench = Bench(server)
    bench.play(Step("ping", True), Step("wait", "notifications/message"), Step("list", ("tools",)), turns=5000)
    assert [body["method"] for body in bench.sent] == ["server/discover", "ping", "tools/list"]


# people and models


def handshake(body):
    match body:
        case {"method": "initialize"}:
            return [respond(body, protocolVersion="2025-11-25", capabilities={})]
        case {"method": "tools/call"}:
            params = {"message": "?", "requestedSchema": {}}
            return [{"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": params}]
        case {"id": "q", "result": _}:
            return [{"jsonrpc": "2.0", "id": 2, "result": {"content": []}}]
    return []


def test_the_time_that_a_person_takes_is_not_the_servers():
    bench = Bench(handshake, Limits(1.0, 1.0), manners=protocol.Manners(ask=True))
    bench.driver.start(protocol.session(bench.client, Plan((Step("call", "x"),), revision="2025-11-25")))
    while not bench.asked:
        bench.driver.turn(bench.now())
    bench.now.time += 60
    for _ in range(5):
        bench.driver.turn(bench.now())
    ticket, question = bench.asked[0]
    assert question.kind == "elicitation" and bench.driver.ending is None
    bench.inbox.put(Event(bench.now(), "reply", (ticket, protocol.Reply("accept", {"a": 1}, 60.0))))
    for _ in range(10):
        bench.driver.turn(bench.now())
    assert bench.driver.ending is not None and not bench.driver.timed_out
    assert [note["body"]["event"] for note in bench.recorder.messages if note["kind"] == "note"] == [
        "asked-user", "user-answered",
    ]  # fmt: skip


def test_another_question_is_answered_while_a_person_thinks():
    bench = Bench(handshake, manners=protocol.Manners(ask=True))
    bench.driver.start(protocol.session(bench.client, Plan((Step("call", "x"),), revision="2025-11-25")))
    while not bench.asked:
        bench.driver.turn(bench.now())
    bench.says({"jsonrpc": "2.0", "id": "p", "method": "ping"})
    bench.driver.turn(bench.now() + 1)
    assert bench.sent[-1] == {"jsonrpc": "2.0", "id": "p", "result": {}}


def test_after_the_end_nothing_is_answered():
    bench = Bench(handshake)
    bench.play(revision="2025-11-25")
    bench.driver.stop()
    bench.says({"jsonrpc": "2.0", "id": "p", "method": "ping"})
    bench.driver.turn(bench.now())
    assert bench.story[-1] == ("request", "ping") and bench.sent[-1]["method"] == "notifications/initialized"


# names and revisions


def test_participants_are_named_as_they_name_themselves_and_lanes_come_with_their_first_message():
    def server(body):
        answer = stateless(body)
        answer[0]["result"]["_meta"] = {"io.modelcontextprotocol/serverInfo": {"name": "demo", "version": "2.1"}}
        return answer

    bench = Bench(server, manners=protocol.Manners(approve=True, yes=True))
    bench.play(Step("call", "x"))
    participants = bench.recorder.document({})["participants"]
    assert participants == [
        {"id": "host", "role": "host"},
        {"id": "client", "role": "client"},
        {"id": "server", "role": "server", "title": "demo 2.1"},
    ]


def test_an_empty_version_leaves_no_space_behind_the_name():
    def server(body):
        info = {"name": "notes", "version": ""}  # what an SDK says for an author who gave none
        return [respond(body, protocolVersion="2025-11-25", capabilities={}, serverInfo=info)] if "id" in body else []

    bench = Bench(server)
    bench.play(revision="2025-11-25")
    assert bench.recorder.document({})["participants"][-1]["title"] == "notes"


@pytest.mark.parametrize("info", [None, 7, {}, {"name": 7}, {"name": "x", "version": 7}])
def test_a_server_that_names_itself_badly_is_no_trouble(info):
    def server(body):
        return [respond(body, protocolVersion="2025-11-25", capabilities={}, serverInfo=info)] if "id" in body else []

    bench = Bench(server)
    bench.play(revision="2025-11-25")
    assert bench.recorder.messages[1]["revision"] == "2025-11-25"


# whatever comes

PIECES = st.sampled_from(
    [b'{"jsonrpc":"2.0","id":1,"result":{}}\n', b'{"jsonrpc":"2.0","id":"1","error":{"code":1}}\n', b"\n", b"[", b"{",
     b'{"jsonrpc":"2.0","id":2,"method":"roots/list"}\n', b'{"id":2,"method":"elicitation/create","params":7}\n',
     b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{}}}\n', b"\xff\xfe\n", b"null\n",
     b'{"jsonrpc":"2.0","id":null,"result":1}\n', b'{"jsonrpc":"2.0","id":[1],"method":"ping"}\n', b'"\\ud800"\n',
     b'{"jsonrpc":"2.0","id":1.0,"result":{"resultType":"input_required","inputRequests":[]}}\n',
     b'{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":[]}\n']
)  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(st.lists(PIECES | st.binary(max_size=20), max_size=12))
def test_whatever_a_server_writes_there_is_a_loadable_trace(pieces):
    from flowgen.trace import Trace, document_bytes, load

    bench = Bench(lambda body: pieces if body.get("method") != "ping" else [], Limits(0.05, 0.05))
    bench.play(Step("list", ("tools",)), Step("call", "x"), revision="auto", turns=3000)
    bench.pipes.flush()
    bench.pairs.finish()
    document = bench.recorder.document({"complete": False, "reason": "timed-out"})
    assert isinstance(load(document_bytes(document), "trace.json"), Trace)
