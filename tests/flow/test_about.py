"""Which request a message belongs to without answering it, and which requests wait at the same time."""

import pytest


def _about(told, flow):
    return {entry.message.seq: entry.about for entry in told.entries(flow) if entry.about is not None}


def _progress(talk, token, **more):
    return talk.tell("notifications/progress", params={"progressToken": token, "progress": 1}, **more)


def test_progress_belongs_to_the_request_with_its_token(session, told):
    talk = session()
    for id_, token in ((1, "a"), (2, 7)):
        talk.ask("tools/call", id_, params={"_meta": {"progressToken": token}})
    _progress(_progress(_progress(talk, 7), "a"), "7")
    assert _about(told, talk.read()) == {3: 2, 4: 1}


def test_a_token_used_again_is_that_of_the_newer_request(session, told):
    talk = session()
    for id_ in (1, 2):
        _progress(talk.ask("tools/call", id_, params={"_meta": {"progressToken": 1}}), 1).reply({}, id_)
    assert _about(told, talk.read()) == {2: 1, 5: 4}


def test_a_token_belongs_to_who_asked_with_it(session, told):
    talk = session().ask("tools/call", 1, params={"_meta": {"progressToken": 1}})
    assert _about(told, _progress(talk, 1, sender="client", receiver="server").read()) == {}


def test_a_cancellation_belongs_to_what_it_cancels(session, told):
    talk = session().ask("tools/call", 1).tell("notifications/cancelled", back=False, params={"requestId": 1})
    assert _about(told, talk.read()) == {2: 1}


def test_what_comes_on_a_subscription_belongs_to_it(session, told):
    talk = session("2026-07-28").ask("subscriptions/listen", "l-1").ask("subscriptions/listen", 1)
    for id_ in ("l-1", 1, "1"):
        meta = {"_meta": {"io.modelcontextprotocol/subscriptionId": id_}}
        talk.tell("notifications/tools/list_changed", params=meta)
    assert _about(told, talk.read()) == {3: 1, 4: 2}


def test_what_comes_on_the_stream_of_an_answer_belongs_to_its_request(session, told):
    talk = session(transport="sse").ask("tools/call", 1, transport="http", exchange=1)
    talk.ask("elicitation/create", 0, back=True, exchange=1).tell("notifications/message", exchange=1)
    talk.reply({}, 0, back=False, transport="http", exchange=2).tell("notifications/message", exchange=3)
    assert _about(told, talk.reply({}, 1, exchange=1).read()) == {2: 1, 3: 1}


def test_a_stream_taken_up_again_is_still_that_of_its_request(session, told):
    talk = session(transport="sse").ask("tools/call", 1, transport="http", exchange=1)
    talk.add("http", True, exchange=1, sse={"id": "e-1"})
    get = {"method": "GET", "url": "http://x/mcp", "headers": [["Last-Event-ID", "e-1"]]}
    talk.add("http", transport="http", exchange=2, http=get).tell("notifications/message", exchange=2)
    flow = talk.reply({}, 1, exchange=2).read()
    assert _about(told, flow) == {2: 1, 3: 1, 4: 1}
    assert told.by_seq(flow)[1].answer == 5 and told.by_seq(flow)[5].request == 1


def test_requests_of_one_batch_do_not_belong_to_each_other(session, told):
    talk = session(transport="http").ask("a", 1, exchange=1).ask("b", 2, exchange=1)
    assert _about(told, talk.reply({}, 1, exchange=1).reply({}, 2, exchange=1).read()) == {}


@pytest.mark.parametrize("meta", [None, 3, [], {"progressToken": None}, {"progressToken": {"a": [1]}}])
def test_odd_tokens_do_no_harm(session, told, meta):
    talk = _progress(session().ask("tools/call", 1, params={"_meta": meta}), meta)
    assert _about(told, talk.read()) == {}


def _overlapping(told, flow):
    return [entry.message.seq for entry in told.entries(flow) if entry.overlaps]


def test_requests_that_wait_at_the_same_time_are_marked(session, told):
    talk = session().ask("a", 1).reply({}, 1).ask("b", 2).ask("c", 3).reply({}, 3).reply({}, 2).ask("d", 4).reply({}, 4)
    assert _overlapping(told, talk.read()) == [3, 4]


def test_three_that_overlap_one_after_the_other_are_all_marked(session, told):
    talk = session().ask("a", 1).ask("b", 2).reply({}, 2).ask("c", 3).reply({}, 3).reply({}, 1).ask("d", 4).reply({}, 4)
    assert _overlapping(told, talk.read()) == [1, 2, 4]


def test_a_question_back_does_not_overlap_the_call_that_it_belongs_to(session, told):
    talk = session().ask("tools/call", 1).ask("roots/list", 1, back=True).reply({}, 1, back=False).reply({}, 1)
    assert _overlapping(told, talk.read()) == []


def test_subscriptions_and_what_never_ends_overlap_nothing(session, told):
    talk = session("2026-07-28").ask("subscriptions/listen", 1).ask("silent", 2).call().call()
    assert _overlapping(told, talk.read()) == []


def test_a_cancelled_request_waits_until_it_is_cancelled(session, told):
    talk = session().ask("a", 1).ask("b", 2)
    talk.tell("notifications/cancelled", back=False, params={"requestId": 1}).reply({}, 2).ask("c", 3).reply({}, 3)
    assert _overlapping(told, talk.read()) == [1, 2]


def _listening(session, confirmed=True, **common):
    talk = session("2026-07-28", **common).ask("subscriptions/listen", 1)
    meta = {"_meta": {"io.modelcontextprotocol/subscriptionId": 1}}
    return talk.tell("notifications/subscriptions/acknowledged", params=meta) if confirmed else talk


def _cancelled(talk):
    return talk.tell("notifications/cancelled", back=False, params={"requestId": 1})


def test_a_subscription_that_was_confirmed_is_closed_by_its_end_and_not_cancelled(session, told):
    listen = told.by_seq(_cancelled(_listening(session)).read())[1]
    assert (listen.state, listen.ended_by) == ("closed", 3)
    assert told.by_seq(_cancelled(_listening(session, confirmed=False)).read())[1].state == "cancelled"
    assert told.by_seq(_listening(session).read())[1].state == "open"


def test_a_subscription_is_open_until_the_end_of_the_process(session, told):
    talk = _listening(session).process("exited", exit_code=0)
    assert told.by_seq(talk.read())[1].state == "open"


@pytest.mark.parametrize(("by", "unconfirmed"), [("client", "cancelled"), ("server", "unanswered")])
def test_whoever_closes_its_stream_closes_a_subscription(session, told, by, unconfirmed):
    for confirmed, state in ((True, "closed"), (False, unconfirmed)):
        talk = _listening(session, confirmed, transport="sse", exchange=1)
        talk.add("http", by == "server", transport="http", body={"event": "stream-closed", "by": by})
        listen = told.by_seq(talk.read())[1]
        assert (listen.state, listen.stream_end) == (state, len(talk.messages))


def test_the_end_of_a_stream_is_told_though_it_is_hidden(session, told):
    talk = session("2026-07-28", transport="sse", exchange=1).ask("tools/call", 1).reply()
    flow = talk.add("http", True, transport="http", body={"event": "stream-closed", "by": "server"}).read()
    assert told.by_seq(flow)[1].stream_end == 3 and 3 not in told.by_seq(flow)
