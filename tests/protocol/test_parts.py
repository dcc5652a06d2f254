"""Bands inside a call: where each part of it begins, in both eras."""

import pytest

from flowgen import protocol
from flowgen.protocol import Mark, Note, Step, respond
from flowgen.protocol._tour import _stepped

ALL = {"approval": "Ask first", "question": "Asked back", "answer": "Said", "result": "Done"}
CALL = Step("call", "a", title="The call", approve=True, titles=ALL)
INPUT = {"resultType": "input_required", "inputRequests": {"k": {"method": "roots/list"}}}


def order(talk):
    """Titles, and between them what they stand over."""
    told = []
    for act in talk.acts:
        match act:
            case Mark(title, seq):
                told.append(title if seq is None else f"{title} @{seq}")
            case Note(event):
                told.append(event)
            case protocol.Ask(method):
                told.append(method)
    return told


@pytest.fixture
def played(talk, client):
    def play(step, server, **options):
        return talk(_stepped(client(**options), step, 1), server)

    return play


def test_approval_call_question_answer_and_result_are_bands_of_their_own(played):
    talk = played(CALL, {"tools/call": [INPUT, {"content": []}]}, manners=protocol.Manners(yes=True))
    assert order(talk) == [
        "Ask first", "approved", "The call", "tools/call", "Asked back @3", "answered-from-file", "Said", "tools/call",
        "Done @6",
    ]  # fmt: skip


def test_what_does_not_happen_opens_no_band(played):
    talk = played(CALL._replace(approve=False), {"tools/call": {"content": []}})
    assert order(talk) == ["The call", "tools/call", "Done @2"]


def test_a_call_that_is_not_approved_has_one_band(talk, client):
    who = client(manners=protocol.Manners())
    declined = talk(_stepped(who, CALL, 1), {}, [protocol.Reply("decline", None, 1.0)])
    assert order(declined) == ["Ask first", "asked-user", "declined"]


def test_without_a_title_of_the_call_the_approval_goes_on(played):
    talk = played(CALL._replace(title=None, titles={"approval": "Ask first"}), {}, manners=protocol.Manners(yes=True))
    assert order(talk) == ["Ask first", "approved", "tools/call"]


def test_in_the_handshake_era_the_servers_request_is_the_question(talk, client):
    who = client("2025-11-25")
    who.begin_step(CALL, 1)
    asked = talk(respond(who, {"method": "roots/list"}, about=7))
    assert order(asked) == ["Asked back @7", "answered-from-file", "Said"]
    who.begin_step(Step("list", ("tools",)), 2)
    assert order(talk(respond(who, {"method": "roots/list"}, about=9))) == ["answered-from-file"]
