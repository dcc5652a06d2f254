"""Repeats of one shape, folded into runs."""

from flowgen.flow import Run, label


def test_a_long_row_of_equal_calls_folds_after_the_second(session, told):
    calls = session()
    for number in range(120):
        calls.call(location=f"city {number}")
    flow = calls.read()
    assert told.rows(flow) == ["1", "2", "3", "4", "pairs ×118 5–240"]
    run = flow.steps[0].rows[-1]
    assert isinstance(run, Run)
    assert label(run).en == "… 118 more tools/call (weather) · median 100 ms, max 100 ms · 23.5 s · all answered"
    assert label(run).zh == "… 另有 118 次 tools/call（weather） · 中位 100 ms，最长 100 ms · 23.5 s · 全部已响应"


def test_one_more_than_stands_open_is_not_worth_a_run(session, told):
    assert told.rows(session().call().call().call().read()) == ["1", "2", "3", "4", "5", "6"]


def test_fold_says_how_many_stand_open_and_full_folds_nothing(session, told):
    calls = session()
    for _ in range(6):
        calls.call()
    assert told.rows(calls.read(fold=1)) == ["1", "2", "pairs ×5 3–12"]
    assert told.rows(calls.read(fold=4)) == [*map(str, range(1, 9)), "pairs ×2 9–12"]
    assert len(told.rows(calls.read(full=True))) == 12


def test_another_tool_or_other_argument_names_end_a_run(session, told):
    calls = session().call("a").call("a").call("a").call("a").call("b").call("a").call("a", x=1)
    assert told.rows(calls.read()) == ["1", "2", "3", "4", "pairs ×2 5–8", *map(str, range(9, 15))]


def test_an_error_is_never_inside_a_run_which_goes_on_after_it(session, told):
    calls = session()
    for _ in range(4):
        calls.call()
    calls.ask("tools/call", params={"name": "weather", "arguments": {"location": "x"}}).fail()
    for _ in range(3):
        calls.call()
    assert told.rows(calls.read()) == ["1", "2", "3", "4", "pairs ×2 5–8", "9", "10", "pairs ×3 11–16"]


def test_a_tool_that_fails_is_an_error_to_folding(session, told):
    calls = session()
    for number in range(6):
        calls.call(result={"isError": number == 4, "content": []})
    rows = told.rows(calls.read())
    assert rows == ["1", "2", "3", "4", "pairs ×2 5–8", "9", "10", "11", "12"]


def test_progress_folds_to_one_card_with_its_range(session, told):
    call = session().ask("tools/call", 1)
    for step in range(1, 8):
        call.tell("notifications/progress", params={"progressToken": 2, "progress": step / 10})
    flow = call.reply({}, 1).read()
    assert told.rows(flow) == ["1", "repeat ×7 2–8", "9"]
    assert label(flow.steps[0].rows[1]).en == "notifications/progress  0.1 → 0.7"


def test_progress_of_two_requests_is_not_one_card(session, told):
    call = session()
    for token in ("a", "b", "a", "b"):
        call.tell("notifications/progress", params={"progressToken": token, "progress": 1})
    assert told.rows(call.read()) == ["1", "2", "3", "4"]


def test_stderr_folds_to_one_card(session, told):
    assert told.rows(session().ask("a").stderr().stderr().stderr().read(complete=False)) == [
        "1",
        "repeat ×3 2–4",
    ]


def test_stderr_between_calls_does_not_break_a_run(session, told):
    calls = session()
    for _ in range(6):
        calls.call().stderr("a call was served")
    assert told.rows(calls.read(complete=False))[-1] == "pairs ×4 7–18"


def test_exchanges_with_something_inside_fold_as_a_whole(session, told):
    calls = session()
    for number in range(5):
        calls.ask("tools/call", number, params={"name": "t", "arguments": {}})
        for _ in range(number + 1):
            calls.tell("notifications/progress", params={"progressToken": 1, "progress": number})
        calls.ask("roots/list", number, back=True).reply({}, number, back=False).reply({}, number)
    last = calls.read().steps[0].rows[-1]
    assert isinstance(last, Run) and (last.kind, last.count) == ("pairs", 3)


def test_notifications_fold_one_by_one(session, told):
    told_again = session().greeted()
    for _ in range(6):
        told_again.changed()
    assert told.rows(told_again.read()) == ["1", "2", "3", "4", "5", "repeat ×4 6–9"]


def test_requests_sent_at_once_and_their_answers_fold_as_messages(session, told):
    calls = session()
    for number in range(5):
        calls.ask("tools/call", number)
    for number in range(5):
        calls.reply({"n": number}, number)
    assert told.rows(calls.read()) == ["1", "2", "repeat ×3 3–5", "6", "7", "repeat ×3 8–10"]


def test_questions_back_retries_and_lists_asked_again_never_fold(session, told):
    asked = session("2026-07-28")
    params = {"name": "t", "arguments": {}}
    for number in range(4):
        asked.ask("tools/call", params=params).reply(
            {"resultType": "input_required", "requestState": f"{number}"}
        )
        params = params | {"requestState": f"{number}"}
    assert len(told.rows(asked.read())) == 8
    again = session().listed()
    for _ in range(4):
        again.changed().listed()
    assert len(told.rows(again.read())) == 14


def test_problems_are_part_of_the_shape(session, told):
    odd = {"problems": [{"code": "missing-jsonrpc"}]}
    calls = session()
    for number in range(6):
        calls.ask("tools/call").reply({}, **(odd if number > 2 else {}))
    assert told.rows(calls.read())[:6] == ["1", "2", "3", "4", "5", "6"]
    assert told.rows(calls.read())[-1] == "12"


def test_noise_folds(session, told):
    noisy = session().greeted()
    for _ in range(9):
        noisy.add("noise", True, text="log", problems=[{"code": "not-json"}])
    assert told.rows(noisy.read())[-1] == "repeat ×7 6–12"


def test_plain_http_folds_by_its_address_only(session, told):
    http = session(None, transport="http")
    for number, path in enumerate(["/a", "/b", "/c", "/d"]):
        http.add("http", exchange=number, http={"method": "GET", "url": f"https://x{path}"})
        http.add("http", True, exchange=number, http={"status": 200})
    assert len(told.rows(http.read())) == 8


def test_folding_hides_no_number(session, told):
    calls = session().greeted()
    for _ in range(50):
        calls.call()
    numbers = [entry.number for entry in told.entries(calls.ask("tools/call").fail().read())]
    assert numbers == list(range(1, 106))


def test_progress_and_pauses_between_calls_do_not_break_a_run(session, told):
    calls = session()
    for number in range(6):
        calls.call().tell("notifications/progress", params={"progressToken": f"x{number}", "progress": 1})
        calls.note("waited", seconds=1)
    assert told.rows(calls.read())[-1] == "pairs ×4 9–24"


def test_a_run_counts_calls_and_not_the_questions_inside_of_them(session):
    calls = session()
    for number in range(6):
        calls.ask("tools/call", number, params={"name": "t", "arguments": {}})
        calls.ask("roots/list", number, back=True).reply({}, number, back=False).reply({}, number)
    run = calls.read().steps[0].rows[-1]
    assert [entry.method for entry in run.openers] == ["tools/call"] * 4
    assert label(run).en.startswith("… 4 more tools/call (t) · ")


def test_a_run_without_times_says_how_many_and_what_became_of_them(session):
    calls = session(at=None)
    for _ in range(5):
        calls.call()
    assert label(calls.read().steps[0].rows[-1]).en == "… 3 more tools/call (weather) · all answered"


def test_a_run_says_its_median_and_longest_wait(session):
    calls = session()
    for wait in (1, 1, 0.009, 0.009, 2.5):
        start = len(calls.messages) * 10
        calls.ask("ping", at=start).reply({}, at=start + wait)
    run = calls.read().steps[0].rows[-1]
    assert label(run).en == "… 3 more ping · median 9 ms, max 2.5 s · 42.5 s · all answered"
    assert label(run).zh == "… 另有 3 次 ping · 中位 9 ms，最长 2.5 s · 42.5 s · 全部已响应"


def test_errors_of_another_code_are_not_equal(session, told):
    calls = session()
    for number in range(6):
        calls.ask("ping").fail(-32000 - number % 2)
    assert told.rows(calls.read()) == [str(seq) for seq in range(1, 13)]
