"""Reasons, exit codes and verdicts: the contract's table, row by row."""

import pytest

from flowgen.protocol import Ending
from flowgen.record._outcome import Ended, verdict

DONE = Ending()
NONE = Ending("no-common-revision", "no revision in common", "--revision auto")


@pytest.mark.parametrize(
    ("ended", "reason", "code"),
    [
        (Ended(ending=DONE, answered=True), "done", 0),
        (Ended(interrupted=True, timed_out=True, answered=True), "interrupted", 130),
        (Ended(start_error="x: No such file"), "start-failed", 3),
        (Ended(ending=NONE, answered=True), "no-common-revision", 3),
        (Ended(ending=Ending("connect-failed", "refused")), "connect-failed", 3),
        (Ended(lost="server-exited"), "server-exited", 3),
        (Ended(lost="server-failed"), "server-failed", 3),
        (Ended(ending=DONE, timed_out=True, answered=True), "timed-out", 4),
        (Ended(lost="server-exited", timed_out=True, answered=True), "timed-out", 4),
        (Ended(lost="server-exited", timed_out=True), "server-exited", 3),
        (Ended(ending=Ending("timed-out", "no answer"), timed_out=True), "timed-out", 4),
        (Ended(lost="server-exited", answered=True), "server-exited", 1),
        (Ended(lost="server-failed", answered=True), "server-failed", 1),
    ],
)
def test_the_first_row_that_fits_counts(ended, reason, code):
    assert (ended.reason, ended.exit_code) == (reason, code)
    assert ended.outcome({"exit_code": 7}) == {"complete": code == 0, "reason": reason, "exit_code": 7}


def document(*messages, **outcome):
    return {"command": ["python", "server.py"], "messages": list(messages), "outcome": outcome}


def stderr(text):
    return {"seq": 1, "kind": "stderr", "sender": "server", "text": text, "problems": []}


def test_what_went_well_needs_no_verdict():
    assert verdict(Ended(ending=DONE, answered=True), document()) == []


def test_a_verdict_tells_what_was_seen_last_how_it_ended_the_tail_of_stderr_and_what_to_try():
    request = {"seq": 4, "kind": "request", "sender": "client", "body": {"id": 1, "method": "tools/call"}}
    last = {**request, "problems": [{"code": "unanswered", "message": ""}]}
    lines = verdict(
        Ended(lost="server-exited", answered=True),
        document(last, stderr("one"), stderr(" "), stderr("two\x1b[31m"), stderr("three"), exit_code=3),
    )
    assert lines == [
        "flowgen: `python server.py` ended early, exit code 3",
        "  last seen: message 4, request tools/call of the client (unanswered)",
        "  stderr: two<U+001B>[31m",
        "  stderr: three",
        "hint: the trace holds everything up to its end: flowgen render draws it",
    ]


@pytest.mark.parametrize(
    "ended",
    [
        Ended(interrupted=True),
        Ended(start_error="x: No such file"),
        Ended(ending=NONE),
        Ended(lost="server-exited"),
        Ended(lost="server-failed", answered=True),
        Ended(ending=DONE, timed_out=True),
    ],
)
def test_a_verdict_has_at_most_five_lines_whatever_was_seen(ended):
    noise = {"seq": 1, "kind": "noise", "sender": "server", "text": "x", "problems": []}
    large = {"seq": 2, "kind": "response", "sender": "server", "text": "x", "head": {"id": 1}, "problems": []}
    lines = verdict(ended, document(noise, large, *[stderr("x" * 5000)] * 9))
    assert 1 <= len(lines) <= 5 and all(len(line) < 260 for line in lines)
    assert lines[0].startswith("flowgen: ")
