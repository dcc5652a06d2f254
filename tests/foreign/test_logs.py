"""Logs of Claude Desktop and VS Code: what stands between the messages, restarts, cuts, and several servers."""

import json

import pytest

from flowgen import api

TIME = "2026-04-11T06:30:0{}.000Z"


def own(*lines: str) -> str:
    """A server's own log of Claude Desktop; what has no time before it is stderr."""
    return "".join(line if line.startswith("!") else f"{TIME.format(1)} [tides] [info] {line}\n" for line in lines)


def message(side: str, **body: object) -> str:
    return f"Message from {side}: {json.dumps({'jsonrpc': '2.0', **body}, separators=(',', ':'))}"


ASKED, ANSWERED = message("client", id=0, method="ping"), message("server", id=0, result={})


def kinds(log: str) -> list[str]:
    return [each.kind for each in api.load(log.encode()).messages]


def test_metadata_behind_a_message_is_none_of_it():
    log = own(ASKED + " { metadata: undefined }", ANSWERED + ' { metadata: { a: 1 } }', message("client", method="x"))
    trace = api.load(log.encode())
    assert [each.kind for each in trace.messages] == ["request", "response", "notification"]
    assert all(not each.problems and not each.raw for each in trace.messages)


def test_stderr_has_no_time_and_is_the_servers_even_before_its_name_is_known():
    trace = api.load(("npm warn\nMessage from server: {}\n" + own(ASKED) + "bye\xff\n").encode("latin-1"))
    first, second, _, last = trace.messages
    assert {(each.kind, each.sender, each.at) for each in (first, second, last)} == {("stderr", "server-tides", None)}
    assert (last.encoding, last.codes) == ("base64", ["invalid-utf8"])


def test_another_name_is_what_a_server_wrote_to_stderr():
    log = own(ASKED, ANSWERED) + own(message("server", id=9, result={})).replace("[tides]", "[proxy]")
    assert kinds(log) == ["request", "response", "stderr"]


def test_a_log_that_is_cut_inside_a_message_says_so():
    trace = api.load(own(ASKED, ANSWERED).encode()[:-9])
    assert (trace.messages[-1].kind, trace.messages[-1].codes) == ("noise", ["truncated"])
    assert trace.outcome.reason == "cut"
    assert trace.messages[0].codes == ["unanswered"]


def test_a_server_that_is_started_anew_counts_from_0_again():
    greeting = message("client", id=0, method="initialize", params={})
    hello = message("server", id=0, result={})
    lost = message("client", id=1, method="tools/list")
    trace = api.load(own(greeting, hello, lost, greeting, hello, lost, message("server", id=1, result={})).encode())
    assert [each.codes for each in trace.messages] == [[], [], ["unanswered"], [], [], [], []]


def test_an_answer_whose_request_was_before_the_log_is_told():
    (answer, _, again) = api.load(own(message("server", id=7, result={}), ASKED, ANSWERED).encode()).messages
    assert (answer.codes, again.codes) == (["unknown-id"], [])


def test_words_of_the_log_are_shown_where_they_warn():
    log = own("Initializing server...", ASKED, ANSWERED)
    log += f"{TIME.format(2)} [tides] [error] Server disconnected.\n"
    text = api.drawing(api.load(log.encode())).txt()
    assert "log: Server disconnected." in text
    assert "Initializing" not in text
    assert "Initializing" in api.drawing(api.load(log.encode()), show=["note"]).txt()


def test_a_name_with_brackets_is_one():
    log = own(ASKED).replace("[tides]", "[my [own] server]")
    assert api.load(log.encode()).participants[1].id == "server-my [own] server"


VSCODE = "2026-09-02 11:20:00.{:03} [{}] {}\n"


@pytest.mark.parametrize(
    ("level", "to_server", "to_editor"),
    [("info", "[editor -> server]", "[server -> editor]"), ("信息", "[editor -> server]", "[server -> editor]"),
     ("info", "[Client Says]", "[Server Says]")],
)  # fmt: skip
def test_all_forms_of_vs_code_are_read_in_any_language(level, to_server, to_editor):
    asked, answered = (text.partition(": ")[2] for text in (ASKED, ANSWERED))
    log = VSCODE.format(1, level, f"{to_server} {asked}") + VSCODE.format(9, level, f"{to_editor} {answered}")
    trace = api.load(log.encode())
    assert [(each.kind, each.at) for each in trace.messages] == [("request", 0.0), ("response", 0.008)]
    assert trace.recorded_at == "2026-09-02T11:20:00.001"  # of the machine: no zone is made up


def test_what_vs_code_could_not_parse_is_noise_and_stderr_stays_stderr():
    asked = ASKED.partition(": ")[2]
    log = VSCODE.format(1, "info", "Starting server cat")
    log += VSCODE.format(2, "warning", '[server stderr] {"jsonrpc": "2.0", "id": 0, "result": {}}') + "second line\n"
    log += VSCODE.format(3, "warning", 'Failed to parse message: "{\\"jsonrpc\\": 1\\n"')
    log += VSCODE.format(4, "debug", f"[editor -> server] {asked}") + VSCODE.format(5, "info", "Starting server dog")
    trace = api.load(log.encode())
    assert [each.kind for each in trace.messages] == ["note", "stderr", "stderr", "noise", "request", "note"]
    assert trace.messages[4].transport == "stdio"
    assert trace.messages[3].text == '{"jsonrpc": 1'
    assert [who.id for who in trace.participants] == ["client-cat", "server-cat"]
