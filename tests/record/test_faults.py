"""Servers that misbehave on the wire: every fault is kept, marked, and stops nothing that it need not stop."""

import base64
import json
import os
import subprocess
import sys

import pytest

from flowgen.protocol import Plan, Step, answers_from, tour
from flowgen.record import Limits, Recorded, Server, Session, Watch, _driver, _ending, _surplus
from tests.record.conftest import CALL, SERVERS, Seen, deadlined, is_a_trace

quick = pytest.mark.usefixtures("quick_steps")
posix = pytest.mark.skipif(os.name != "posix", reason="signals and process groups of POSIX")


def text_of(message):
    return message["body"]["result"]["content"][0]["text"]


def test_a_server_that_behaves_is_recorded_without_a_problem(record):
    seen = record()
    assert (seen.exit_code, seen.outcome) == (0, {"complete": True, "reason": "done", "exit_code": 0})
    assert seen.codes() == [] and seen.recording.verdict == []
    assert seen.events == ["started", "stdin-closed", "exited"]
    assert seen.methods == ["initialize", "notifications/initialized", "tools/list", "tools/call"]
    assert [p.get("title", "").split()[0] for p in seen.document["participants"]] == ["flowgen", "odd"]


# what comes over stdout


def test_text_for_people_on_stdout_is_noise_in_its_place(record):
    seen = record("banner")
    noise = seen.of("noise")
    assert [message["text"] for message in noise] == ["★ ready", "[2026-01-01 12:00] [INFO] up", "{"]
    assert seen.exit_code == 0 and set(seen.codes()) == {"not-json"}
    assert noise[0]["seq"] < seen.of("response")[0]["seq"]


def test_bom_and_crlf_are_marked_and_read_over(record):
    seen = record("bom+crlf")
    assert seen.exit_code == 0 and {"bom", "crlf"} == set(seen.codes()) and len(seen.of("response")) == 3


def test_pretty_printed_answers_are_put_together(record):
    seen = record("pretty")
    assert seen.exit_code == 0 and seen.codes() == ["split-message"] * 3


def test_bytes_that_are_not_utf8_are_kept_and_the_rest_is_read(record):
    seen = record("latin1")
    answer = seen.of("response")[-1]
    assert seen.exit_code == 0 and set(seen.codes(answer)) == {"invalid-utf8", "lone-surrogate"}
    assert answer["raw_encoding"] == "base64" and b"Ger\xe4t \\ud83d" in base64.b64decode(answer["raw"])
    assert text_of(answer) == "Ger\ufffdt \ud83d"


@pytest.mark.parametrize("fault", ["batch", "two_in_a_line"])
def test_several_messages_at_once_are_messages_of_their_own(record, fault):
    seen = record(fault)
    code = {"batch": "batch", "two_in_a_line": "several-on-a-line"}[fault]
    assert seen.exit_code == 0 and seen.codes() == [code, code]
    assert len(seen.of("notification", method="notifications/message")) == 1


def test_a_huge_line_is_counted_cut_and_paired(record):
    seen = record("huge")
    answer = seen.of("response")[-1]
    assert seen.exit_code == 0 and seen.codes() == ["too-large"]
    assert answer["size"] > 12 << 20 and len(answer["text"]) == 65536 and answer["head"] == {"id": 3}
    whole = record("huge", max_message=64 << 20)
    assert whole.codes() == [] and len(text_of(whole.of("response")[-1])) == 12 << 20


def test_a_deep_answer_is_paired(record):
    seen = record("deep")
    assert seen.exit_code == 0 and seen.codes() == ["too-deep"]


def test_a_last_line_without_newline_is_an_answer(record):
    seen = record("no_newline")
    assert seen.exit_code == 0 and seen.codes() == ["unterminated"] and text_of(seen.of("response")[-1]) == "hi"


# what does not fit together


@pytest.mark.parametrize("fault", ["id_as_text", "id_as_fraction"])
def test_an_id_of_another_type_is_paired_all_the_same(record, fault):
    seen = record(fault, timeout=20.0)
    assert seen.exit_code == 0 and set(seen.codes()) == {"id-type-changed"}


def test_what_lacks_jsonrpc_is_paired_where_it_can_be(record):
    seen = record("no_jsonrpc", timeout=0.5)
    assert seen.exit_code == 4 and len(seen.of("noise")) == 1
    assert set(seen.codes()) == {"missing-jsonrpc", "not-json-rpc", "timed-out", "unanswered"}
    call = seen.of("request", method="tools/call")[0]
    assert seen.codes(call) == ["timed-out", "unanswered"]
    assert seen.outcome == {"complete": False, "reason": "timed-out", "exit_code": 0}


def test_the_first_answer_counts_and_the_others_stay(record):
    seen = record("thrice")
    assert seen.exit_code == 0 and seen.outcome["complete"]
    late = [seen.codes(message) for message in seen.messages if message.get("body", {}).get("id") == 3][2:]
    assert late == [["duplicate-response"], ["result-and-error", "duplicate-response"]]


def test_answers_to_nobody_are_marked(record):
    seen = record("stranger")
    codes = ["unknown-id", "invalid-id", "unknown-id", "invalid-id", "unknown-id"]
    assert (seen.exit_code, seen.codes()) == (0, codes)


def test_an_answer_to_a_notification_is_told_from_one_that_lost_its_id(record):
    seen = record("answered_notification")
    assert seen.exit_code == 0 and set(seen.codes()) == {"invalid-id", "response-to-notification"}


def test_two_open_requests_of_one_side_may_not_share_an_id(record):
    seen = record("same_id_twice")
    asked = seen.of("request", method="roots/list")
    assert [seen.codes(message) for message in asked] in ([[], ["duplicate-id"]], [[], []])
    assert seen.exit_code == 0 and len(seen.of("response", id=5)) == 2


# what comes at the wrong time


def test_ids_belong_to_their_side_and_early_questions_are_marked_and_answered(record):
    seen = record("question", revision="auto")
    early = seen.of("request", method="roots/list")[0]
    assert seen.exit_code == 0 and seen.codes(early) == ["before-initialized"] == seen.codes()
    assert [message["body"]["id"] for message in seen.of("response") if message["sender"] == "client"] == [1, 2]


def test_silence_is_marked_cancelled_and_the_next_step_tried(record):
    seen = record("silent", (CALL, Step("list", ("tools",))), timeout=0.3)
    call = seen.of("request", method="tools/call")[0]
    assert (seen.exit_code, seen.outcome["reason"]) == (4, "timed-out") and not seen.outcome["complete"]
    assert seen.codes(call) == ["timed-out", "unanswered"]
    assert seen.methods[-2:] == ["notifications/cancelled", "tools/list"]
    cancelled = seen.of("notification", method="notifications/cancelled")[0]
    assert cancelled["body"]["params"]["requestId"] == call["body"]["id"]
    note = seen.of("note", event="cancelled")[0]["body"]["data"]
    assert note == {"about": call["seq"], "why": "timeout", "by": "notification"}
    assert len(seen.recording.verdict) <= 5
    assert seen.recording.verdict[0] == f"flowgen: tools/call echo (message {call['seq']}) got no answer within 0.3 s"


def test_an_unanswered_initialize_is_never_cancelled_and_ends_the_session(record):
    seen = record("mute", startup=0.3)
    assert seen.exit_code == 4 and seen.methods == ["initialize"]
    assert seen.recording.verdict[0] == "flowgen: initialize (message 2) got no answer within 0.3 s"


def test_progress_starts_the_limit_anew(record):
    slow = CALL._replace(progress=True)
    seen = record("slow", (slow,), timeout=0.5)
    assert seen.exit_code == 0 and len(seen.of("notification", method="notifications/progress")) == 6
    assert record("slow", (CALL,), timeout=0.5).exit_code == 4


def test_an_answer_that_comes_late_is_marked_and_not_missing(record):
    seen = record("late", (CALL, Step("wait", 0.8)), timeout=0.3)
    call, answer = seen.of("request", method="tools/call")[0], seen.of("response", id=3)[0]
    assert seen.exit_code == 4 and seen.codes(call) == ["timed-out"] and seen.codes(answer) == ["late"]


def test_a_plan_may_take_a_request_back(record):
    seen = record("silent", (CALL._replace(cancel_after=0.2),))
    note = seen.of("note", event="cancelled")[0]["body"]["data"]
    assert (seen.exit_code, note["why"]) == (0, "plan")
    assert seen.codes(seen.of("request", method="tools/call")[0]) == ["unanswered"]


def test_a_server_that_announces_after_every_list_does_not_hold_us(record):
    seen = record("storm")
    assert seen.exit_code == 0 and seen.methods.count("tools/list") == 3


@quick
@pytest.mark.parametrize("fault", ["flood", "babble"])
def test_a_server_that_never_stops_talking_does_not_stop_the_clock(record, fault):
    seen = record(fault, timeout=0.5, lists=())
    assert (seen.exit_code, seen.methods[-1]) == (4, "notifications/cancelled")


@quick
def test_a_flood_of_tiny_lines_moves_no_limit_and_costs_little(record):
    seen = record("yes", timeout=0.5, lists=())
    assert seen.exit_code == 4 and seen.of("note", event="cancelled")
    counted = [message for message in seen.of("noise") if "size" in message]
    assert len(seen.of("noise")) <= _surplus.LINES + _surplus.LAST + 1 and len(counted) == 1
    assert counted[0]["size"] > 2 and seen.codes(counted[0]) == ["not-json", "too-large"]
    assert "pipe-held" not in seen.codes()


def test_last_words_after_a_flood_are_kept_and_what_is_counted_adds_up(record):
    seen = record("yell")
    lines = seen.of("stderr")
    counted = next(line for line in lines if "size" in line)
    assert lines[-1]["text"] == "last words" and "  stderr: last words" in seen.recording.verdict
    assert len(lines) == _surplus.LINES + 1 + _surplus.LAST
    assert counted["size"] == 2 * (60001 - _surplus.LINES - _surplus.LAST)
    assert f"{counted['size'] // 2} lines" in counted["problems"][0]["message"]


ANSWERS = b'roots = ["file:///x"]\n[[elicitation]]\naccept = { a = 1 }\n[[sampling]]\ntext = "hm"'


def test_everything_a_server_asks_during_a_call_is_answered(record):
    seen = record("needy", answers=answers_from(ANSWERS, "a"))
    told = json.loads(text_of(seen.of("response")[-1]))
    assert [answer["id"] for answer in told] == ["a", "b", "c", "d", "e"]
    assert told[0]["result"] == {"action": "accept", "content": {"a": 1}}
    assert told[1]["result"]["content"]["text"] == "hm" and told[2]["result"]["roots"] == [{"uri": "file:///x"}]
    assert told[3]["result"] == {} and told[4]["error"]["code"] == -32601
    assert [note["body"]["data"]["kind"] for note in seen.of("note")] == ["elicitation", "sampling", "roots"]
    assert seen.codes() == []


def test_without_answers_the_defaults_are_noted(record):
    seen = record("needy")
    notes = [note["body"]["data"] for note in seen.of("note", event="answered-from-file")]
    assert [(note["kind"], note["action"], note["source"]) for note in notes] == [
        ("elicitation", "decline", "default"), ("sampling", "decline", "default"), ("roots", "accept", "default"),
    ]  # fmt: skip


# the probe


def test_the_probe_is_kept_and_the_handshake_follows(record):
    seen = record(revision="auto")
    assert seen.exit_code == 0 and seen.methods[:2] == ["server/discover", "initialize"]
    assert seen.of("note", event="fell-back")[0]["body"]["data"]["why"] == "handshake-answer"
    revisions = [message.get("revision") for message in seen.messages if message["kind"] in ("request", "error")]
    assert revisions[:3] == ["2026-07-28", "2026-07-28", "2025-11-25"]


def test_silence_with_signs_of_life_is_given_up_after_a_while_on_the_same_connection(record, monkeypatch):
    monkeypatch.setattr(_driver, "PROBE_SECONDS", 0.4)
    seen = record("words+probe_unheard", revision="auto", startup=20.0)
    probe = seen.of("request", method="server/discover")[0]
    assert seen.exit_code == 0 and seen.codes(probe) == ["timed-out", "unanswered"]
    assert seen.of("note", event="fell-back")[0]["body"]["data"] == {
        "from": "stateless", "to": "handshake", "why": "silence",
    }  # fmt: skip
    assert seen.events.count("started") == 1 and seen.of("notification", method="notifications/cancelled") == []


def test_silence_without_any_sign_of_life_waits_for_the_startup_timeout(record):
    seen = record("probe_unheard", revision="auto", startup=0.5)
    assert seen.exit_code == 0
    assert seen.of("note", event="fell-back")[0]["body"]["data"]["why"] == "startup-timeout"


def test_a_client_fixed_to_the_stateless_era_says_that_there_is_nothing_in_common(record):
    seen = record(revision="2026-07-28")
    assert (seen.exit_code, seen.outcome["reason"]) == (3, "no-common-revision")
    assert seen.methods == ["server/discover"] and "--revision auto" in seen.recording.verdict[-1]


# what happens to the process


def test_a_program_that_is_not_there_is_told_with_its_name(record):
    seen = record(["/nowhere/no-such-server", "--token=abcdefgh12345678"])
    assert (seen.exit_code, seen.outcome) == (3, {"complete": False, "reason": "start-failed"})
    assert "no-such-server" in seen.recording.verdict[0]
    assert seen.document["command"] == ["/nowhere/no-such-server", "--token=•••"]
    assert seen.events == ["start-failed"]


def test_a_crash_at_the_start_shows_the_tail_of_stderr_without_its_secrets(record):
    seen = record("crash")
    assert (seen.exit_code, seen.outcome["reason"], seen.outcome["exit_code"]) == (3, "server-exited", 1)
    verdict = "\n".join(seen.recording.verdict)
    assert "DATABASE_URL" in verdict and "exit code 1" in verdict and len(seen.recording.verdict) <= 5
    assert "sk-live" not in json.dumps(seen.document) + verdict
    assert seen.codes(seen.of("process", event="exited")[0]) == ["crashed"]


def test_an_end_without_a_word_is_no_crash_but_no_session_either(record):
    seen = record("quiet_end")
    assert (seen.exit_code, seen.outcome["reason"]) == (3, "server-exited") and "crashed" not in seen.codes()


def test_half_an_answer_is_truncated_and_its_call_waits_for_no_timeout(record):
    seen = record("crash_in_call", timeout=25.0)
    assert (seen.exit_code, seen.outcome["reason"], seen.outcome["exit_code"]) == (1, "server-exited", 3)
    assert set(seen.codes()) == {"truncated", "unanswered", "crashed"}
    half = seen.messages[-2]
    assert half["kind"] == "noise" and half["text"].endswith('"content":[{"typ')
    assert seen.codes(seen.messages[-1]) == ["crashed"]


@posix
def test_a_signal_of_its_own_is_a_crash(record):
    seen = record("abort", timeout=25.0)
    assert (seen.exit_code, seen.outcome["signal"]) == (1, "SIGABRT") and "crashed" in seen.codes()


def test_the_steps_of_the_end_are_those_of_the_contract(monkeypatch):
    monkeypatch.undo()
    assert (_ending.STEP_SECONDS, _driver.PROBE_SECONDS) == (2.0, 5.0)
    assert Limits() == (30.0, 60.0)


@quick
@posix
def test_a_server_that_stays_is_told_to_go(record):
    seen = record("stays")
    assert seen.exit_code == 0 and seen.outcome["signal"] == "SIGTERM" and seen.codes() == ["had-to-be-killed"]
    assert seen.events == ["started", "stdin-closed", "signal-sent", "exited"]


@quick
@posix
def test_a_server_that_stays_whatever_is_said_is_made_to_go(record):
    seen = record("stays_whatever_is_said")
    assert (seen.exit_code, seen.outcome["reason"], seen.outcome["signal"]) == (0, "done", "SIGKILL")
    sent = [message["body"]["signal"] for message in seen.of("process", event="signal-sent")]
    assert sent == ["SIGTERM", "SIGKILL"]


@quick
@posix
def test_a_closed_stdout_ends_the_session_though_the_server_lives(record):
    seen = record("closes_stdout", timeout=25.0)
    assert (seen.exit_code, seen.outcome["reason"]) == (1, "server-failed")
    closed = seen.of("process", event="stdout-closed")[0]
    assert closed["sender"] == "server" and seen.codes(closed) == ["stdout-closed"]


@quick
@posix
def test_a_closed_stdin_ends_the_session_though_the_server_lives(record):
    seen = record("closes_stdin", (CALL, CALL, CALL), timeout=25.0)
    assert (seen.exit_code, seen.outcome["reason"]) == (1, "server-failed")
    assert seen.codes(seen.of("process", event="stdin-closed")[0]) == ["stdin-closed"]


@quick
def test_a_server_that_stops_reading_holds_nobody(record):
    big = Step("call", "echo", arguments={"text": "x" * (1 << 20)})
    seen = record("stops_reading", (CALL, big, big), timeout=0.4)
    assert seen.exit_code == 4 and seen.methods.count("tools/call") == 3


@quick
@posix
def test_a_grandchild_that_holds_the_pipes_is_ended_and_holds_nobody(record):
    seen = record("child")
    assert seen.exit_code == 0 and seen.codes(seen.of("process", event="exited")[0]) == ["pipe-held"]
    left = subprocess.run(["ps", "-axo", "args="], capture_output=True, text=True, check=True).stdout
    assert "odd-grandchild" not in left


@quick
@posix
def test_a_grandchild_that_no_signal_reaches_holds_nobody_either(record):
    seen = record("daemon")
    assert seen.exit_code == 0 and "pipe-held" in seen.codes()


def test_a_flood_on_stderr_blocks_nobody_and_is_kept_line_by_line(record):
    seen = record("loud")
    lines = seen.of("stderr")
    assert seen.exit_code == 0 and len(lines) == 402 and lines[-1]["text"] == "no newline"
    assert seen.codes(lines[-2]) == ["invalid-utf8"] and base64.b64decode(lines[-2]["text"]) == b"caf\xe9"


# what is no server, and what cannot be read


@posix
@pytest.mark.parametrize("revision", ["auto", "2025-11-25", "2026-07-28"])
def test_a_program_that_sends_everything_back_is_told_from_a_server_that_refuses(record, revision):
    seen = record(["cat"], revision=revision)
    assert (seen.exit_code, seen.outcome["reason"]) == (3, "connect-failed")
    assert seen.recording.verdict[0] == "flowgen: the program sends our own messages back, so it is no MCP server"


@pytest.mark.parametrize(("revision", "method"), [("auto", "server/discover"), ("2025-11-25", "initialize")])
def test_a_first_answer_larger_than_the_limit_is_said_to_be(record, revision, method):
    seen = record("", revision=revision, max_message=50)
    assert seen.exit_code == 3 and seen.codes(seen.messages[2]) == ["too-large"]
    assert seen.recording.verdict[0] == f"flowgen: the answer to {method} is larger than --max-message"
    assert seen.recording.verdict[-1] == "hint: larger ones are read with --max-message BYTES"


def test_a_list_larger_than_the_limit_is_told(record):
    heard = []
    seen = record("", max_message=150, steps=(), watch=Watch(warn=heard.append))
    assert heard == [] and seen.exit_code == 0
    seen = record("many", max_message=200, steps=(), watch=Watch(warn=heard.append))
    assert heard == ["the answer to tools/list is larger than --max-message: nothing is listed from it"]


# interrupts


def interrupted(fault, count, steps=(CALL,), after="tools/call", event=""):
    """Records, and interrupts so many times once the method was sent, or the event of the process seen."""
    plan = Plan(tour(("tools",), steps, as_declared=True, safe=False, listen=None), revision="2025-11-25")

    def on_message(message):
        body = message.get("body", {})
        if (after and body.get("method") == after) or (event and body.get("event") == event):
            for _ in range(count):
                recorded.interrupt()

    argv = (sys.executable, str(SERVERS / "odd.py"), fault)
    recorded = Recorded(Server(argv), Session(plan, limits=Limits(20.0)), Watch(on_message))
    seen = Seen(deadlined(recorded))
    is_a_trace(seen.document)
    return seen


def test_an_interrupt_ends_the_session_and_keeps_what_was_seen():
    seen = interrupted("silent", 1)
    assert (seen.exit_code, seen.outcome["reason"], seen.outcome["complete"]) == (130, "interrupted", False)
    assert "unanswered" in seen.codes(seen.of("request", method="tools/call")[0])
    assert seen.of("note", event="cancelled")[0]["body"]["data"]["why"] == "interrupt"


@quick
@posix
def test_a_second_interrupt_ends_the_patience_with_the_server(monkeypatch):
    seen = interrupted("stays_whatever_is_said", 0, after="")
    closed, *_, end = seen.of("process")[1:]
    assert end["at"] - closed["at"] > 2 * _ending.STEP_SECONDS and seen.outcome["signal"] == "SIGKILL"
    monkeypatch.setattr(_ending, "STEP_SECONDS", 20.0)
    seen = interrupted("stays_whatever_is_said", 1, after="", event="stdin-closed")
    closed, *_, end = seen.of("process")[1:]
    assert end["at"] - closed["at"] < _ending.STEP_SECONDS and seen.outcome["signal"] == "SIGKILL"
