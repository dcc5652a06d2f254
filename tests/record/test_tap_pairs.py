"""Answers find their requests in sessions that last, and what does not fit is marked."""

import pytest

from flowgen.record import _tap_pairs
from flowgen.record._tap_pairs import TapPairs


class Talk:
    """Messages one after the other."""

    def __init__(self):
        self.pairs, self.messages = TapPairs(), []

    def said(self, sender, scope="", exchange=None, **body):
        kinds = {"result": "response", "error": "error"}
        kind = next((kinds[name] for name in kinds if name in body), "request" if "id" in body else "notification")
        message = {"seq": len(self.messages) + 1, "sender": sender, "kind": kind, "problems": []}
        if exchange is not None:
            message["exchange"] = exchange
        self.messages.append(message)
        self.pairs.take(message, body, scope)
        return [problem["code"] for problem in message["problems"]]

    def later(self):
        return {seq: [problem["code"] for problem in found] for seq, found in self.pairs.finish().items()}


@pytest.fixture
def talk():
    return Talk()


def test_a_request_and_its_answer_need_no_mark(talk):
    assert talk.said("client", id=1, method="a") == talk.said("server", id=1, result={}) == []
    assert talk.later() == {}


def test_ids_of_both_sides_are_apart(talk):
    talk.said("client", id=1, method="a")
    assert talk.said("server", id=1, method="roots/list") == []
    assert talk.said("client", id=1, result={}) == talk.said("server", id=1, result={}) == []


def test_answers_that_do_not_fit_are_marked(talk):
    talk.said("client", id=1, method="a")
    assert talk.said("server", id="1", result={}) == ["id-type-changed"]
    assert talk.said("server", id=1, result={}) == ["duplicate-response"]
    assert talk.said("server", id=7, result={}) == ["unknown-id"]
    assert talk.said("server", id=None, error={}) == []


def test_the_same_id_with_two_types_is_two_requests(talk):
    talk.said("client", id=1, method="a")
    assert talk.said("client", id="1", method="b") == []
    assert talk.said("server", id=1, result={}) == talk.said("server", id="1", result={}) == []


def test_an_id_that_is_used_while_it_waits_is_marked_and_the_first_stays_unanswered(talk):
    talk.said("client", id=1, method="a")
    assert talk.said("client", id=1, method="a") == ["duplicate-id"]
    assert talk.said("server", id=1, result={}) == []
    assert talk.later() == {"1": ["unanswered"]}


def test_what_the_server_says_before_the_handshake_is_over_is_too_early(talk):
    talk.said("client", id=1, method="initialize", params={"protocolVersion": "2025-11-25"})
    talk.said("server", id=9, method="roots/list")
    talk.said("server", method="notifications/message")
    talk.said("client", method="notifications/initialized")
    talk.said("server", method="notifications/tools/list_changed")
    assert talk.later() == {"1": ["unanswered"], "2": ["before-initialized", "unanswered"]}


def test_in_the_stateless_era_nothing_is_too_early(talk):
    meta = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}
    talk.said("client", id=1, method="subscriptions/listen", params=meta)
    talk.said("server", method="notifications/tools/list_changed")
    assert talk.messages[0]["revision"] == talk.messages[1]["revision"] == "2026-07-28"
    assert talk.later() == {"1": ["not-acknowledged"]}


def test_the_revision_is_the_one_that_was_agreed_on(talk):
    talk.said("client", id=1, method="initialize", params={"protocolVersion": "2025-11-25"})
    talk.said("server", id=1, result={"protocolVersion": "2025-06-18"})
    talk.said("client", id=2, method="tools/list")
    assert [message["revision"] for message in talk.messages] == ["2025-11-25", "2025-06-18", "2025-06-18"]


def test_in_another_scope_the_same_id_is_another_request(talk):
    assert talk.said("client", "s1", 1, id=1, method="a") == talk.said("client", "s2", 2, id=1, method="a") == []
    assert talk.said("server", "s2", 2, id=1, result={}) == talk.said("server", "s1", 1, id=1, result={}) == []
    talk.said("client", "#3", 3, id=5, method="a")
    assert talk.said("server", "#1", 1, id=5, result={}) == []


def test_a_refused_exchange_owes_nothing(talk):
    talk.said("client", "s", 1, id=1, method="a")
    talk.pairs.refuse(1)
    assert talk.said("client", "s", 2, id=1, method="a") == []
    assert talk.said("server", "s", 2, id=None, error={}) == []
    assert talk.later() == {}


def test_memory_is_bounded_however_long_it_lasts(talk, monkeypatch):
    for name in ("_OPEN", "_ANSWERED", "_LATER"):
        monkeypatch.setattr(_tap_pairs, name, 10)
    for id_ in range(100):
        talk.said("client", "s", id_, id=id_, method="a")
        talk.said("server", id=f"x{id_}", method="roots/list")
    for id_ in range(90, 100):
        talk.said("server", "s", id_, id=id_, result={})
    pairs = talk.pairs
    kept = (pairs._open, pairs._scopes, pairs._exchanges, pairs._answered)
    assert all(len(each) <= 10 for each in kept) and len(talk.later()) <= 10
