"""What the client's side answers when a server asks back, and what it notes of that."""

import json

import pytest

from flowgen import protocol
from flowgen.protocol import Manners, Refusal, Reply, Result, answers_from, respond
from flowgen.protocol._acts import AskPerson, OpenBrowser, RunModel

ANSWERS = b"""
roots = ["file:///home/ada", { uri = "file:///tmp", name = "tmp" }]

[[elicitation]]
when = { message = "*project*" }
accept = { key = "WEB" }

[[elicitation]]
when = { tool = "book*" }
cancel = true

[[elicitation]]
when = { message = "*page*" }
accept = {}

[[sampling]]
when = { message = "*short*" }
text = "Two lines."
model = "pocket"

[[sampling]]
when = { tool = "sum" }
command = ["/usr/bin/llm", "-m", "small"]
"""


@pytest.fixture
def asked(talk, client):
    """Lets a server of the handshake era ask; gives the decision and everything done for it."""

    def played(method, params=None, people=(), tool=None, file=ANSWERS, revision="2025-11-25", **options):
        who = client(revision, answers=answers_from(file, "answers.toml"), **options)
        who.calling = tool
        return talk(respond(who, {"id": 9, "method": method, "params": params}, 5), {}, people)

    return played


def form(message="Which project?", **more):
    return {"message": message, "requestedSchema": {"type": "object", "properties": {}}, **more}


def sampling(text="Make it short"):
    return {"messages": [{"role": "user", "content": {"type": "text", "text": text}}], "maxTokens": 10}


def data(kind, action, source):
    return {"about": 5, "kind": kind, "action": action, "source": source}


def test_ping_is_answered_with_nothing_in_it(asked):
    assert asked("ping").end == Result({}) and asked("ping").acts == []


@pytest.mark.parametrize("method", ["tasks/get", "server/discover", "", None, 7])
def test_what_we_do_not_know_is_not_found(asked, method):
    assert asked(method).end == Refusal(-32601, "Method not found")


def test_what_was_not_declared_is_not_found(asked):
    identity = protocol.Identity("x", "1", {}, {"elicitation": {}})
    assert asked("roots/list", identity=identity).end.code == -32601
    assert asked("sampling/createMessage", sampling(), identity=identity).end.code == -32601
    assert isinstance(asked("elicitation/create", form(), identity=identity).end, Result)


def test_an_old_revision_knows_no_elicitation(asked):
    assert asked("elicitation/create", form(), revision="2025-03-26").end.code == -32601


# roots


def test_roots_come_from_the_answers(asked):
    talk = asked("roots/list")
    assert talk.end == Result({"roots": [{"uri": "file:///home/ada"}, {"uri": "file:///tmp", "name": "tmp"}]})
    assert talk.notes == [("answered-from-file", data("roots", "accept", "answers"))]


def test_without_answers_there_are_no_roots(asked):
    talk = asked("roots/list", file=b"")
    assert talk.end == Result({"roots": []}) and talk.notes[0][1]["source"] == "default"


# elicitation


def test_the_first_rule_that_matches_answers(asked):
    talk = asked("elicitation/create", form())
    assert talk.end == Result({"action": "accept", "content": {"key": "WEB"}})
    assert talk.notes == [("answered-from-file", data("elicitation", "accept", "answers"))]
    note = talk.of(protocol.Note)[0]
    assert (note.sender, note.receiver) == ("client", "client")


def test_a_rule_may_look_at_the_tool_that_is_called(asked):
    assert asked("elicitation/create", form("How many?"), tool="book_table").end == Result({"action": "cancel"})
    assert asked("elicitation/create", form("How many?"), tool="other").end == Result({"action": "decline"})


def test_without_a_rule_elicitation_is_declined(asked):
    talk = asked("elicitation/create", form(), file=b"")
    assert talk.end == Result({"action": "decline"})
    assert talk.notes == [("answered-from-file", data("elicitation", "decline", "default"))]


def test_an_address_is_accepted_without_content(asked):
    talk = asked("elicitation/create", {"mode": "url", "message": "Open the page", "url": "https://a.example"})
    assert talk.end == Result({"action": "accept"}) and talk.of(OpenBrowser) == []


def test_a_mode_that_was_not_declared_is_an_invalid_param(asked):
    identity = protocol.Identity("x", "1", {}, {"elicitation": {}})
    assert asked("elicitation/create", {"mode": "url", "message": "x"}, identity=identity).end.code == -32602


def test_a_person_is_asked_where_no_rule_answers(asked):
    reply = Reply("accept", {"n": 1}, 2.5)
    talk = asked("elicitation/create", form(), [reply], file=b"", manners=Manners(ask=True))
    assert talk.end == Result({"action": "accept", "content": {"n": 1}})
    assert talk.notes == [
        ("asked-user", {"about": 5, "kind": "elicitation", "mode": "form"}),
        ("user-answered", {"about": 5, "kind": "elicitation", "action": "accept", "seconds": 2.5}),
    ]
    assert [(note.sender, note.receiver) for note in talk.of(protocol.Note)] == [
        ("client", "person"), ("person", "client"),
    ]  # fmt: skip


def test_a_page_that_a_person_accepts_is_opened(asked):
    params = {"mode": "url", "message": "Sign in", "url": "https://a.example/x"}
    talk = asked("elicitation/create", params, [Reply("accept", {}, 1.0)], file=b"", manners=Manners(ask=True))
    assert talk.end == Result({"action": "accept"})
    assert talk.of(OpenBrowser) == [OpenBrowser("https://a.example/x")]
    opened = {"url": "https://a.example/x", "reason": "elicitation", "about": 5, "by": "user"}
    assert talk.notes[2] == ("opened-browser", opened)


def test_a_page_that_a_person_declines_is_not_opened(asked):
    params = {"mode": "url", "message": "Sign in", "url": "https://a.example/x"}
    talk = asked("elicitation/create", params, [Reply("decline", None, 1.0)], file=b"", manners=Manners(ask=True))
    assert talk.end == Result({"action": "decline"}) and talk.of(OpenBrowser) == []


def test_rules_come_before_the_person(asked):
    assert asked("elicitation/create", form(), manners=Manners(ask=True)).of(AskPerson) == []


# sampling


def test_a_text_of_the_answers_file_is_what_the_model_says(asked):
    talk = asked("sampling/createMessage", sampling())
    assert talk.end == Result({
        "role": "assistant", "content": {"type": "text", "text": "Two lines."}, "model": "pocket",
        "stopReason": "endTurn",
    })  # fmt: skip
    assert talk.notes == [("answered-from-file", data("sampling", "accept", "answers"))]


def test_without_a_rule_sampling_is_refused(asked):
    talk = asked("sampling/createMessage", sampling(), file=b"")
    assert talk.end.code == -1 and talk.notes[0][1] == data("sampling", "decline", "default")


def test_a_command_stands_for_the_model_and_its_answer_is_approved_by_rule(asked):
    talk = asked("sampling/createMessage", sampling("Long"), [Reply("accept", "Hm.\n", 3.0)], tool="sum")
    run = talk.of(RunModel)[0]
    assert run.argv == ("/usr/bin/llm", "-m", "small") and run.question == sampling("Long")["messages"]
    assert talk.end.value["content"] == {"type": "text", "text": "Hm."} and talk.end.value["model"] == "llm"
    assert talk.notes == [
        ("consulted-model", {"by": "command", "about": 5, "seconds": 3.0}),
        ("approved", {"method": "sampling/createMessage", "about": 5, "by": "rule"}),
    ]
    assert [(note.sender, note.receiver) for note in talk.of(protocol.Note)] == [("host", "model"), ("host", "host")]


def test_a_command_may_print_a_whole_result_and_ask_for_a_tool(asked):
    content = [{"type": "tool_use", "id": "1", "name": "add", "input": {"a": 1}}]
    printed = json.dumps({"content": content, "stopReason": "toolUse"})
    talk = asked("sampling/createMessage", sampling("Long"), [Reply("accept", printed, 3.0)], tool="sum")
    assert talk.end.value == {"role": "assistant", "model": "llm", "content": content, "stopReason": "toolUse"}
    assert talk.notes[0][1]["wants"] == {"name": "add", "arguments": {"a": 1}}
    note = talk.of(protocol.Note)[0]
    assert (note.sender, note.receiver) == ("model", "host")


def test_a_command_that_fails_is_a_refusal(asked):
    talk = asked("sampling/createMessage", sampling("Long"), [Reply("cancel", "exit code 1", 0.1)], tool="sum")
    assert talk.end.code == -1 and "exit code 1" in talk.warnings[0]


def test_a_person_may_keep_a_models_answer_back(asked):
    people = [Reply("accept", None, 0.5), Reply("accept", "Secret.", 1.0), Reply("decline", None, 2.0)]
    talk = asked("sampling/createMessage", sampling("L"), people, tool="sum", manners=Manners(approve=True))
    assert talk.end.code == -1
    events = ["asked-user", "user-answered", "consulted-model", "asked-user", "declined"]
    assert [event for event, _ in talk.notes] == events
    assert talk.notes[0][1] == {"about": 5, "kind": "approval"}
    assert talk.notes[3][1] == {"about": 5, "kind": "sampling"}


def test_a_person_may_keep_the_question_from_the_model(asked):
    people = [Reply("decline", None, 0.5)]
    talk = asked("sampling/createMessage", sampling("L"), people, tool="sum", manners=Manners(approve=True))
    assert talk.end.code == -1 and not talk.of(RunModel)


def test_a_person_may_speak_for_the_model(asked):
    people = [Reply("accept", "Me.", 1.0)]
    talk = asked("sampling/createMessage", sampling(), people, file=b"", manners=Manners(ask=True))
    assert talk.end.value["content"]["text"] == "Me."
    assert [event for event, _ in talk.notes] == ["asked-user", "user-answered"]


@pytest.mark.parametrize("params", [None, [], {"messages": 1}, {"messages": [3]}, {"messages": [{"content": 3}]}])
def test_questions_of_another_shape_are_answered_all_the_same(asked, params):
    for method in ("sampling/createMessage", "elicitation/create", "roots/list"):
        assert asked(method, params, file=b"").end is not None


# input requests of the stateless era


def test_each_input_request_is_answered_under_its_key(talk, client):
    from flowgen.protocol._asked import fulfil

    requests = {"k1": {"method": "roots/list"}, "k2": {"method": "elicitation/create", "params": form()}}
    answer = protocol.Answer(5, {"result": {"resultType": "input_required", "inputRequests": requests}})
    played = talk(fulfil(client(answers=answers_from(ANSWERS, "a")), answer))
    assert list(played.end["inputResponses"]) == ["k1", "k2"]
    assert [note["key"] for _, note in played.notes] == ["k1", "k2"]
    assert played.end["inputResponses"]["k2"] == {"action": "accept", "content": {"key": "WEB"}}


@pytest.mark.parametrize("requests", [[], 3, {"k": 7}, {"k": {"method": "tools/call"}}, {"k": {}}])
def test_input_requests_that_are_none_end_the_matter(talk, client, requests):
    from flowgen.protocol._asked import fulfil

    answer = protocol.Answer(5, {"result": {"resultType": "input_required", "inputRequests": requests}})
    assert talk(fulfil(client(), answer)).end is None
