"""Which message answers which."""

import pytest


def test_every_request_finds_its_answer_whatever_the_order(session, told):
    flow = session().ask("a", 1).ask("b", 2).ask("c", 3).reply({}, 3).reply({}, 1).fail(id_=2).read()
    by_seq = told.by_seq(flow)
    assert [by_seq[seq].answer for seq in (1, 2, 3)] == [5, 6, 4]
    assert [by_seq[seq].request for seq in (4, 5, 6)] == [3, 1, 2]
    assert {by_seq[seq].state for seq in (1, 2, 3)} == {"answered"}
    assert (by_seq[4].method, by_seq[6].method) == ("c", "b")


def test_ids_of_the_two_sides_never_mix(session, told):
    flow = (
        session()
        .ask("tools/call", 1)
        .ask("roots/list", 1, back=True)
        .reply({"roots": []}, 1, back=False)
        .reply({"content": []}, 1)
        .read()
    )
    by_seq = told.by_seq(flow)
    assert (by_seq[3].request, by_seq[4].request) == (2, 1)
    assert (by_seq[3].method, by_seq[4].method) == ("roots/list", "tools/call")


def test_an_answer_with_the_other_id_type_is_paired_when_none_has_this_type(session, told):
    flow = session().ask("a", 1).ask("b", "1").reply({}, "1").reply({}, "1").read()
    by_seq = told.by_seq(flow)
    assert (by_seq[3].request, by_seq[4].request) == (2, 1)


@pytest.mark.parametrize(
    ("asked", "answered"), [(1, "1"), (1, 1.0), ("7", 7), ("x", "x"), (1.5, 1.5), (-3, -3)]
)
def test_ids_that_differ_in_type_only_are_one(session, told, asked, answered):
    assert told.by_seq(session().ask("a", asked).reply({}, answered).read())[2].request == 1


@pytest.mark.parametrize(("asked", "answered"), [(1, True), (1, 2), ("a", "A"), (1, [1]), (10**30, "1")])
def test_ids_that_are_not_the_same_are_not_paired(session, told, asked, answered):
    by_seq = told.by_seq(session().ask("a", asked).reply({}, answered).read())
    assert (by_seq[1].state, by_seq[2].request) == ("unanswered", None)


def test_a_second_answer_points_at_its_request_and_the_first_one_counts(session, told):
    by_seq = told.by_seq(session().ask("a", 1).reply({}, 1).reply({}, 1).reply({}, "1").read())
    assert (by_seq[1].answer, by_seq[3].request, by_seq[4].request) == (2, 1, 1)


def test_a_late_answer_is_an_answer(session, told):
    late = session().ask("a", 1, problems=[{"code": "timed-out"}]).ask("b", 2).reply({}, 2)
    by_seq = told.by_seq(late.reply({}, 1, problems=[{"code": "late"}]).read())
    assert (by_seq[1].state, by_seq[1].answer) == ("answered", 4)


def test_an_open_subscription_is_not_unanswered(session, told):
    flow = session("2026-07-28").ask("subscriptions/listen", "l").ask("tools/call", 2).read()
    by_seq = told.by_seq(flow)
    assert (by_seq[1].state, by_seq[2].state) == ("open", "unanswered")
    assert (flow.facts.unanswered, flow.facts.cancelled) == (1, 0)


def test_a_cancelled_request_tells_what_ended_it_even_if_an_answer_comes_after_all(session, told):
    asked = session().ask("tools/call", 1).ask("tools/call", 2)
    cancel = {"params": {"requestId": 1, "reason": "enough"}, "back": False}
    by_seq = told.by_seq(asked.tell("notifications/cancelled", **cancel).reply({}, 1).read())
    assert (by_seq[1].state, by_seq[1].ended_by, by_seq[1].answer) == ("cancelled", 3, 4)
    assert by_seq[2].state == "unanswered"


def test_an_id_used_again_after_a_cancellation_is_that_of_the_new_request(session, told):
    cancel = {"params": {"requestId": 1}, "back": False}
    asked = session().ask("tools/call", 1).tell("notifications/cancelled", **cancel).ask("tools/call", 1)
    by_seq = told.by_seq(asked.tell("notifications/progress").reply({}, 1).reply({}, 1).read())
    assert (by_seq[1].state, by_seq[3].state, by_seq[5].request) == ("cancelled", "answered", 3)
    assert (by_seq[6].request, by_seq[1].answer) == (1, 6)


def test_two_requests_with_one_id_are_cancelled_one_after_the_other(session, told):
    asked = session().ask("tools/call", 1).ask("tools/call", 1)
    for _ in range(3):
        asked.tell("notifications/cancelled", params={"requestId": 1}, back=False)
    by_seq = told.by_seq(asked.read())
    assert (by_seq[1].ended_by, by_seq[2].ended_by) == (3, 4)


def test_what_the_recorder_called_a_second_answer_answers_nothing_else(session, told):
    asked = session().ask("a", 1).ask("b", "1").reply({}, "1")
    by_seq = told.by_seq(asked.reply({}, "1", problems=[{"code": "duplicate-response"}]).read())
    assert (by_seq[4].request, by_seq[1].state) == (2, "unanswered")


def test_a_cancellation_after_the_answer_changes_nothing(session, told):
    gone = {"params": {"requestId": 1}, "back": False}
    by_seq = told.by_seq(session().ask("a", 1).reply({}, 1).tell("notifications/cancelled", **gone).read())
    assert (by_seq[1].state, by_seq[1].ended_by) == ("answered", None)


def test_one_side_cannot_cancel_what_the_other_asked_but_for_a_subscription(session, told):
    listening = session("2026-07-28").ask("subscriptions/listen", "l").ask("tools/call", 2)
    listening.tell("notifications/cancelled", params={"requestId": 2})
    by_seq = told.by_seq(listening.tell("notifications/cancelled", params={"requestId": "l"}).read())
    assert (by_seq[1].state, by_seq[1].ended_by, by_seq[2].state) == ("cancelled", 4, "unanswered")


def test_the_end_of_the_process_ends_the_wait(session, told):
    flow = session().ask("a", 1).process("exited", exit_code=1, problems=["crashed"]).read(complete=False)
    assert told.by_seq(flow)[1].ended_by == 2


def test_an_http_exchange_links_what_ids_cannot(session, told):
    http = (
        session("2026-07-28", transport="http")
        .ask("tools/list", 1, exchange=1)
        .ask("tools/list", 1, exchange=2)
    )
    http.add("error", True, exchange=2, body={"error": {"code": -32600, "message": "no"}, "id": None})
    by_seq = told.by_seq(http.reply({}, 1, exchange=1).read())
    assert (by_seq[3].request, by_seq[4].request) == (2, 1)


def test_a_status_alone_is_an_answer_but_202_is_none(session, told):
    http = session("2026-07-28", transport="http").ask("tools/list", 1, exchange=1)
    http.add("http", True, exchange=1, http={"status": 401})
    http.ask("tools/list", 1, exchange=2).add("http", True, exchange=2, http={"status": 202})
    by_seq = told.by_seq(http.read())
    assert (by_seq[1].state, by_seq[1].answer, by_seq[2].method) == ("answered", 2, "tools/list")
    assert (by_seq[3].state, by_seq[4].request) == ("unanswered", 3)


def test_the_answer_to_a_request_of_the_server_may_come_in_another_exchange(session, told):
    http = session("2025-11-25", transport="http").ask("tools/call", 1, exchange=1)
    http.ask("roots/list", 1, back=True, exchange=1).reply({"roots": []}, 1, back=False, exchange=2)
    http.add("http", True, exchange=2, http={"status": 202}).reply({"content": []}, 1, exchange=1)
    by_seq = told.by_seq(http.read())
    assert (by_seq[3].request, by_seq[4].request, by_seq[5].request) == (2, 3, 1)


def test_a_stream_closed_by_the_client_cancels_its_request(session, told):
    http = session("2026-07-28", transport="http").ask("tools/call", 1, exchange=1)
    closed = http.add("http", exchange=1, body={"event": "stream-closed", "by": "client"}, sender="server",
                      receiver="client")  # fmt: skip
    assert told.by_seq(closed.read(show=["stream"]))[1].state == "cancelled"


def test_plain_http_exchanges_are_paired_by_their_number(session, told):
    http = session(None, transport="http").add(
        "http", exchange=1, http={"method": "GET", "url": "https://a/b"}
    )
    by_seq = told.by_seq(http.add("http", True, exchange=1, http={"status": 200}, body={"x": 1}).read())
    assert (by_seq[1].state, by_seq[1].answer, by_seq[2].request) == ("answered", 2, 1)


def test_a_message_too_large_to_keep_is_paired_by_its_head(session, told):
    big = session().ask("a", 5).add("response", True, head={"id": 5, "method": None}, text="{", size=99)
    assert told.by_seq(big.read())[2].request == 1


def test_latency_is_told_where_the_times_are_known(session, told):
    by_seq = told.by_seq(
        session().ask("a", 1, at=1.0).ask("b", 2, at=None).reply({}, 1, at=1.25).reply({}, 2).read()
    )
    assert (by_seq[3].latency, by_seq[4].latency) == (0.25, None)
    backwards = session().ask("a", 1, at=5.0).reply({}, 1, at=1.0).read()
    assert told.by_seq(backwards)[2].latency is None


def test_a_source_that_knows_no_directions_is_paired_by_id_alone(session, told):
    from flowgen.flow import read

    both = session().ask("a", 1).reply({}, 1, back=False)
    assert told.by_seq(read(both.trace(missing=["directions"])))[2].request == 1
    assert told.by_seq(read(both.trace()))[2].request is None


def test_numbers_run_over_what_is_drawn_as_an_arrow(session, told):
    flow = (
        session()
        .process("started")
        .stderr()
        .ask("a", 1)
        .add("noise", True, text="hello")
        .note("waited", seconds=1)
        .note("user-answered", "person", "client", action="accept")
        .reply({}, 1)
        .tell("x")
        .read(show=["process", "stderr"])
    )
    assert [entry.number for entry in told.entries(flow)] == [None, None, 1, None, None, 2, 3, 4]
    assert flow.facts.messages == 4


def test_names_are_those_of_tools_prompts_and_resources(session, told):
    asked = session().call("weather").ask("resources/read", params={"uri": "note://1"}).reply({})
    asked.ask("completion/complete", params={"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {}})
    assert [entry.name for entry in told.entries(asked.read())] == [
        "weather",
        "weather",
        "note://1",
        "note://1",
        "greet",
    ]


def test_closing_the_stream_cancels_whoever_is_named_as_its_sender(session, told):
    for swap in (True, False):
        talk = session("2026-07-28", transport="http").ask("tools/call", 1, exchange=1)
        talk.add("http", True, exchange=1, body={"event": "stream-opened", "by": "server"}, http={"status": 200})
        flow = talk.add("http", swap, exchange=1, body={"event": "stream-closed", "by": "client"}).read(show=["http"])
        asked = told.by_seq(flow)[1]
        assert (asked.state, asked.ended_by) == ("cancelled", 3)


def test_a_get_stream_is_open_until_the_server_closes_it(session, told):
    def streamed(by):
        talk = session(transport="http").add("http", exchange=1, http={"method": "GET", "url": "https://x/mcp"})
        talk.add("http", True, exchange=1, http={"status": 200}, body={"event": "stream-opened", "by": "server"})
        talk.add("http", True, exchange=1, body={"event": "stream-closed", "by": by})
        return told.by_seq(talk.read(show=["stream"]))[1].state

    assert streamed("client") == "open"
    assert streamed("server") == "answered"


def test_an_event_without_a_message_answers_nothing(session, told):
    talk = session(transport="http").ask("tools/call", 1, exchange=1)
    talk.add("http", True, exchange=1, transport="sse", sse={"id": "e-1"}, http={})
    flow = talk.reply({}, 1, exchange=1, transport="sse").read()
    request, event, answer = told.entries(flow)
    assert (request.answer, event.request, event.latency, answer.request) == (3, None, None, 1)
    assert event.method == "tools/call"


def test_without_exchanges_an_http_answer_without_an_id_is_that_of_the_request_before_it(session, told):
    talk = session(transport="http")
    for _ in range(2):
        talk.ask("tools/list", 1)
        talk.add("error", True, body={"id": None, "error": {"code": -32600}}, http={"status": 400})
    talk.ask("tools/list", 1).reply({}, 1, http={"status": 200})
    assert [entry.request for entry in told.entries(talk.read())] == [None, 1, None, 3, None, 5]


def test_on_stdio_an_answer_without_an_id_belongs_to_nothing(session, told):
    talk = session().ask("tools/list", 1).add("error", True, body={"id": None, "error": {}})
    assert told.entries(talk.read())[1].request is None
