"""Lanes, sides and the facts of the subtitle."""

from flowgen.flow import read
from flowgen.trace import Trace

DONE = {"complete": True, "reason": "done"}


def _message(sender, receiver, kind="request", **fields):
    return {"seq": 1, "sender": sender, "receiver": receiver, "kind": kind} | fields


def _flow(participants, *messages):
    known = [{"id": id_, "role": role} for id_, role in participants.items()]
    return read(Trace(participants=known, messages=list(messages), outcome=DONE))


def _lanes(flow):
    return [(who.id, who.role) for who in flow.lanes]


def test_lanes_stand_in_the_order_of_trust_whatever_the_file_says(session):
    known = {"s": "server", "g": "gateway", "c": "client"}
    flow = _flow(known, _message("c", "g"), _message("g", "s"))
    assert _lanes(flow) == [("c", "client"), ("g", "gateway"), ("s", "server")]
    assert flow.sides == {"s": "server", "g": "server", "c": "client"}


def test_who_neither_sends_nor_receives_has_no_lane():
    flow = _flow({"c": "client", "s": "server", "t": "server"}, _message("c", "s"))
    assert _lanes(flow) == [("c", "client"), ("s", "server")]


def test_everybody_who_has_a_part_gets_a_lane_in_order_of_trust():
    known = {
        "p": "person",
        "m": "model",
        "h": "host",
        "b": "browser",
        "c": "client",
        "s": "server",
        "a": "auth",
    }
    flow = _flow(known, _message("c", "s"), _message("c", "p", "note"), _message("c", "a", "http"))
    assert _lanes(flow) == [("p", "person"), ("c", "client"), ("a", "auth"), ("s", "server")]
    assert {id_ for id_, side in flow.sides.items() if side == "client"} == {"p", "m", "h", "b", "c"}


def test_there_are_two_lanes_even_if_nobody_spoke():
    assert _lanes(_flow({"s": "server", "c": "client"})) == [("c", "client"), ("s", "server")]
    assert _lanes(_flow({})) == [("client", "client"), ("server", "server")]
    assert _lanes(_flow({"client": "server"}, _message("client", "client", "process"))) == [
        ("client 1", "client"),
        ("client", "server"),
    ]


def test_strangers_get_a_role_from_what_they_do():
    flow = _flow({}, _message("b", "a", "stderr"), _message("a", "b"))
    assert _lanes(flow) == [("a", "client"), ("b", "server")]
    assert _lanes(_flow({"s": "server"}, _message("s", "x", "notification")))[0] == ("x", "client")


def test_facts_count_messages_and_name_transports_and_revisions_in_order(session):
    talk = session("2026-07-28", transport="sse").ask("subscriptions/listen").ask("a", transport="http")
    flow = talk.ask("b", transport="stdio", revision="2025-11-25").read()
    assert flow.facts.transports == ("http", "stdio")
    assert flow.facts.revisions == ("2026-07-28", "2025-11-25")
    assert (flow.facts.messages, flow.facts.unanswered) == (3, 2)


def test_revisions_that_no_recorder_noted_are_taken_from_the_messages(session):
    flow = session(None).ask("initialize").reply({"protocolVersion": "2025-03-26"}).read()
    assert flow.facts.revisions == ("2025-03-26",)
    meta = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}
    assert session(None).ask("tools/list", params=meta).read().facts.revisions == ("2026-07-28",)


def test_a_revision_that_http_turned_away_is_nobodys(session):
    denied = session("2026-07-28", transport="http").ask("server/discover", 1, exchange=1)
    denied.add("http", True, http={"status": 401}, exchange=1)
    assert denied.read().facts.revisions == ()
    denied.ask("server/discover", 1, exchange=2).reply({"supportedVersions": []}, 1, exchange=2)
    assert denied.read().facts.revisions == ("2026-07-28",)


def test_a_revision_that_the_server_does_not_speak_is_nobodys(session):
    meta = {"_meta": {"io.modelcontextprotocol/protocolVersion": "1900-01-01"}}
    refused = session(None).ask("server/discover", 1, params=meta).fail(-32022)
    assert refused.read().facts.revisions == ()


def test_a_subscription_that_the_client_ends_is_not_counted_as_cancelled(session):
    talk = session("2026-07-28").ask("subscriptions/listen", 1).ask("tools/call", 2)
    subscription = {"_meta": {"io.modelcontextprotocol/subscriptionId": 1}}
    talk.tell("notifications/subscriptions/acknowledged", params=subscription)
    for id_ in (1, 2):
        talk.tell("notifications/cancelled", back=False, params={"requestId": id_})
    assert talk.read().facts.cancelled == 1
