"""Asking at the terminal and running what stands for a model: replies come back through the inbox."""

import os
import sys

import pytest

from flowgen.protocol import AskPerson, RunModel
from flowgen.record import _desk
from flowgen.record._desk import Desk
from flowgen.record._stdio import Inbox


@pytest.fixture
def desk():
    """A desk, and a function that waits for its reply."""
    inbox = Inbox()
    made = Desk(inbox, lambda: 1.0, lambda text: None)
    yield made, lambda: inbox.get(timeout=30).value
    made.close()


def model(script, *arguments):
    return RunModel((sys.executable, "-c", script, *arguments), [{"role": "user"}])


def test_a_command_gets_the_messages_on_stdin_and_its_stdout_is_the_answer(desk):
    desk[0].ask(3, model("import sys; print(sys.stdin.read().upper())"))
    ticket, reply = desk[1]()
    assert ticket == 3 and (reply.action, reply.value) == ("accept", '[{"ROLE": "USER"}]\n')


def test_a_command_that_fails_says_why(desk):
    desk[0].ask(1, model("import sys; sys.stderr.write('no\\nkey\\n'); sys.exit(2)"))
    assert desk[1]()[1].value == "exit code 2 key" and desk[0]._models[0].returncode == 2


def test_a_command_that_is_not_there_is_a_reply_too(desk):
    desk[0].ask(1, RunModel(("/nowhere/llm",), []))
    assert desk[1]()[1].action == "cancel"


def test_a_command_that_takes_too_long_is_ended(desk, monkeypatch):
    monkeypatch.setattr(_desk, "MODEL_SECONDS", 0.3)
    desk[0].ask(1, model("import time; time.sleep(60)"))
    assert "no answer in" in desk[1]()[1].value


def test_a_command_still_running_at_the_end_is_ended(desk):
    desk[0].ask(1, model("import time; print('x', flush=True); time.sleep(60)"))
    while not desk[0]._models:
        os.sched_yield()
    desk[0].close()
    assert desk[1]()[1].action == "cancel"


def test_only_pages_of_the_web_are_opened(desk, monkeypatch):
    opened = Inbox()
    monkeypatch.setattr("webbrowser.open", opened.put)
    for url in ("file:///etc/passwd", "javascript:alert(1)", "https://a.example/", "HTTP://b.example/"):
        desk[0].open(url)
    assert {opened.get(timeout=30), opened.get(timeout=30)} == {"https://a.example/", "HTTP://b.example/"}
    assert opened.empty()


@pytest.mark.skipif(os.name != "posix", reason="a terminal of POSIX")
def test_a_person_answers_at_the_terminal(desk, monkeypatch, capsys):
    ours, theirs = os.openpty()
    monkeypatch.setattr("os.read", lambda fd, count, read=os.read: read(theirs if fd == 0 else fd, count))
    os.write(ours, b"a\nyes\n")
    field = {"properties": {"sure": {"type": "boolean"}}, "required": ["sure"]}
    desk[0].ask(1, AskPerson("elicitation", "Sure?", field))
    reply = desk[1]()[1]
    os.close(ours), os.close(theirs)
    assert (reply.action, reply.value) == ("accept", {"sure": True})
    assert "Sure?" in capsys.readouterr().err
