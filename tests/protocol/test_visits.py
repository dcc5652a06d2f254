"""-32042 of 2025-11-25: pages that have to be visited before a call, and the call that follows."""

import pytest

from flowgen import protocol
from flowgen.protocol import Answers, Manners, Note, Reply, Step
from flowgen.protocol._acts import Pause
from flowgen.protocol._rules import answers_from
from flowgen.protocol._tour import _stepped

PAGE = {"mode": "url", "elicitationId": "e-1", "url": "https://host/connect", "message": "Connect your account"}
REQUIRED = {"code": -32042, "message": "URL elicitation required", "data": {"elicitations": [PAGE]}}
CALL = Step("call", "send", titles={"question": "Consent", "answer": "Once more"})


@pytest.fixture
def called(talk, client):
    def play(*answers, people=(), revision="2025-11-25", after=None, **options):
        who = client(revision, **options)
        if after:
            who.hear(after, 3)
        return talk(_stepped(who, CALL, 1), {"tools/call": list(answers)}, people)

    return play


def agreeing() -> Answers:
    return answers_from(b'[[elicitation]]\nwhen = { tool = "send" }\naccept = {}\n', "answers")


def test_after_consent_and_visit_the_call_is_made_again(called):
    talk = called(REQUIRED, {"content": []}, people=[Reply("accept", None, 2.0)], manners=Manners(ask=True))
    assert talk.said == ["tools/call", "tools/call"]
    assert [event for event, _ in talk.notes] == ["asked-user", "user-answered", "opened-browser"]
    first, second = (ask.params for ask in talk.of(protocol.Ask))
    assert first == second
    assert [(mark.title, mark.seq) for mark in talk.of(protocol.Mark)] == [("Consent", 2), ("Once more", None)]


def test_an_answers_file_may_agree_as_well(called):
    talk = called(REQUIRED, {"content": []}, answers=agreeing())
    assert talk.said == ["tools/call", "tools/call"]
    assert [(event, data["action"]) for event, data in talk.notes] == [("answered-from-file", "accept")]


def test_the_word_that_a_visit_is_complete_is_waited_for_unless_it_was_heard(called):
    told = {"method": "notifications/elicitation/complete", "params": {"elicitationId": "e-1"}}
    waiting = called(REQUIRED, {"content": []}, answers=agreeing()).of(Pause)
    assert len(waiting) == 1 and not waiting[0].wake(told | {"method": "other"})
    assert called(REQUIRED, {"content": []}, answers=agreeing(), after=told).of(Pause) == []


def test_with_a_plan_the_retry_has_a_note_of_its_own(called):
    talk = called(REQUIRED, {"content": []}, answers=agreeing(), named=True)
    steps = [note.data for note in talk.of(Note) if note.event == "plan-step"]
    assert steps == [{"step": 1, "does": "call", "name": "send"}] * 2


@pytest.mark.parametrize("reply", ["decline", "cancel"])
def test_without_consent_there_is_no_retry(called, reply):
    talk = called(REQUIRED, people=[Reply(reply, None, 1.0)], manners=Manners(ask=True))
    assert talk.said == ["tools/call"] and talk.warnings == []


def test_nobody_is_there_to_agree(called):
    assert called(REQUIRED).said == ["tools/call"]


@pytest.mark.parametrize("data", [None, {}, {"elicitations": []}, {"elicitations": "x"}, {"elicitations": [7]}, []])
def test_an_error_that_names_no_page_is_told(called, data):
    talk = called(REQUIRED | {"data": data}, answers=agreeing())
    assert talk.said == ["tools/call"] and "names none" in talk.warnings[0]


def test_a_client_that_shows_no_pages_makes_no_second_call(called):
    form_only = protocol.Identity("t", "1", {}, {"elicitation": {}})
    talk = called(REQUIRED, answers=agreeing(), identity=form_only)
    assert talk.said == ["tools/call"] and "refused" in talk.warnings[0]


@pytest.mark.parametrize("revision", ["2025-06-18", "2026-07-28"])
def test_other_revisions_have_no_such_error(called, revision):
    assert called(REQUIRED, answers=agreeing(), revision=revision).said == ["tools/call"]


def test_a_server_that_never_has_enough_is_given_up(called):
    talk = called(*[REQUIRED] * 20, answers=agreeing())
    assert talk.said.count("tools/call") == 11 and "more than 10 times" in talk.warnings[-1]
