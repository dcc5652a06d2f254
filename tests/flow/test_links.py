"""Retries, equal results, lists asked for again."""

from tests.costs import instructions


def _asks_back(session, state="s1"):
    back = {"resultType": "input_required", "inputRequests": {"k": {}}, "requestState": state}
    first = {"name": "deploy", "arguments": {"to": "prod"}}
    return session("2026-07-28").ask("tools/call", params=first).reply(back), first


def test_a_retry_is_found_by_method_name_arguments_and_state(session, told):
    asked, first = _asks_back(session)
    retry = {"inputResponses": {"k": {}}, "requestState": "s1"} | first
    assert told.by_seq(asked.ask("tools/call", params=retry).reply({}).read())[3].retry_of == 1


def test_another_state_or_other_arguments_make_no_retry(session, told):
    asked, first = _asks_back(session)
    asked.ask("tools/call", params=first | {"requestState": "s2"})
    asked.ask("tools/call", params=first | {"arguments": {}, "requestState": "s1"})
    by_seq = told.by_seq(asked.read())
    assert (by_seq[3].retry_of, by_seq[4].retry_of) == (None, None)


def test_each_round_of_questions_is_a_retry_of_the_round_before(session, told):
    asked, first = _asks_back(session)
    again = {"resultType": "input_required", "requestState": "s2"}
    asked.ask("tools/call", params=first | {"requestState": "s1"}).reply(again)
    by_seq = told.by_seq(asked.ask("tools/call", params=first | {"requestState": "s2"}).read())
    assert (by_seq[3].retry_of, by_seq[5].retry_of) == (1, 3)


def test_the_same_call_after_401_or_another_revision_is_a_retry(session, told):
    http = session("2026-07-28", transport="http").ask("tools/list", 1, exchange=1)
    http.add("http", True, exchange=1, http={"status": 401}).ask("tools/list", 1, exchange=2)
    http.fail(-32022, exchange=2).ask("tools/list", 2, exchange=3)
    by_seq = told.by_seq(http.read())
    assert (by_seq[3].retry_of, by_seq[5].retry_of) == (1, 3)


def test_a_call_after_an_ordinary_error_is_no_retry(session, told):
    flow = session().ask("tools/call").fail(-32603).ask("tools/call").read()
    assert told.by_seq(flow)[3].retry_of is None


def test_a_result_equal_to_an_earlier_one_of_its_method_names_its_number(session, told):
    flow = session().greeted().listed().call().changed().listed().read()
    assert [(entry.number, entry.same_as) for entry in told.entries(flow) if entry.same_as] == [(10, 5)]


def test_meta_and_the_order_of_members_make_no_difference(session, told):
    one = {"tools": [{"name": "a", "title": "A"}], "_meta": {"n": 1}}
    two = {"_meta": {"n": 2}, "tools": [{"title": "A", "name": "a"}]}
    assert told.by_seq(session().listed(result=one).listed(result=two).read())[4].same_as == 2


def test_results_that_differ_in_type_order_of_items_or_method_are_not_the_same(session, told):
    flow = (
        session()
        .listed(result={"tools": [1, True]})
        .listed(result={"tools": [True, 1]})
        .listed(result={"tools": [1, 1]})
        .listed("prompts", {"tools": [1, True]})
        .read()
    )
    assert not [entry for entry in told.entries(flow) if entry.same_as]


def test_empty_results_are_not_worth_the_remark(session, told):
    flow = session().ask("ping").reply({}).ask("ping").reply({"_meta": {}, "resultType": "complete"}).read()
    assert not [entry for entry in told.entries(flow) if entry.same_as]


def test_masked_values_are_equal_only_where_their_fingerprints_are(session, told):
    def masked(**fields):
        return {"redacted": ["/body/result/token"]} | fields

    prints = {"fingerprints": {"/body/result/token": "0a0a0a0a"}}
    flow = (
        session()
        .ask("x").reply({"token": "•••"}, **masked())
        .ask("x").reply({"token": "•••"}, **masked())
        .ask("x").reply({"token": "•••"}, **masked(**prints))
        .ask("x").reply({"token": "•••"}, **masked(**prints))
        .read()
    )  # fmt: skip
    assert [entry.same_as for entry in told.entries(flow) if entry.answer is None] == [None, None, None, 6]


def test_a_list_asked_again_after_its_change_goes_back_to_its_first_step(session, told):
    flow = session().greeted().listed().call().changed().listed().read()
    assert [(entry.number, entry.back_to) for entry in told.entries(flow) if entry.back_to] == [(9, 2)]


def test_a_list_asked_again_without_a_change_or_after_the_change_of_another_does_not(session, told):
    flow = session().greeted().listed().listed("prompts").changed("prompts").listed().listed().read()
    assert not [entry for entry in told.entries(flow) if entry.back_to]


def test_templates_follow_the_change_of_resources(session, told):
    flow = (
        session()
        .listed("resources/templates")
        .call()
        .changed("resources")
        .listed("resources/templates")
        .read()
    )
    assert [entry.back_to for entry in told.entries(flow) if entry.back_to] == [1]


def test_a_retry_brings_equal_arguments_however_they_are_written(session, told):
    back = {"resultType": "input_required", "requestState": {"n": 1}}
    for again, retry in (({"a": 1.0, "b": [2]}, 1), ({"b": [2], "a": 1}, 1), ({"a": True, "b": [2]}, None)):
        first = {"name": "n", "arguments": {"a": 1, "b": [2]}}
        talk = session("2026-07-28").ask("tools/call", params=first).reply(back)
        talk.ask("tools/call", params={"name": "n", "arguments": again, "requestState": {"n": 1}})
        assert told.by_seq(talk.read())[3].retry_of == retry


def _refused(talk, count):
    for number in range(count):
        talk.ask("tools/call", params={"name": "n", "arguments": {"n": number}})
        talk.reply({"resultType": "input_required", "requestState": f"s{number}"})
    return talk.ask("tools/call", params={"name": "n", "arguments": {"n": 5}, "requestState": "s5"})


def test_many_refused_requests_are_looked_through_once(session, told):
    small, large = (_refused(session("2026-07-28"), count) for count in (100, 400))
    assert told.by_seq(small.read())[201].retry_of == told.by_seq(large.read())[801].retry_of == 11
    assert instructions(large.read) < 5 * instructions(small.read)  # not each with each


def test_a_value_that_is_not_all_that_was_sent_is_not_called_the_same(session, told):
    lost = [{"code": "duplicate-key"}]
    flow = session().ask("x").reply({"a": 1}).ask("x").reply({"a": 1}, problems=lost).ask("x").reply({"a": 1}).read()
    assert [entry.same_as for entry in told.entries(flow) if entry.request] == [None, None, 2]


def test_a_list_changes_for_the_two_that_speak_of_it_only(session, told):
    """A gateway asks a server behind it again; its own client does not."""
    behind = {"sender": "gateway", "receiver": "server"}
    talk = session().listed().ask("tools/list", 7, **behind).reply({}, 7, sender="server", receiver="gateway")
    talk.tell("notifications/tools/list_changed", sender="server", receiver="gateway").listed()
    talk.ask("tools/list", 8, **behind)
    by_seq = told.by_seq(talk.read())
    assert (by_seq[6].back_to, by_seq[8].back_to) == (None, 1)


def test_the_same_call_after_a_page_was_visited_is_a_retry(session, told):
    asked = session("2025-11-25").call("send").ask("tools/call", 3, params={"name": "send"}).fail(-32042)
    asked.tell("notifications/elicitation/complete").note("answered-from-file", about=4)
    by_seq = told.by_seq(asked.ask("tools/call", 4, params={"name": "send"}).reply({}).read())
    assert by_seq[7].retry_of == 3
