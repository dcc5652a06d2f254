"""The steps of a session: chapters that a good teacher would make."""

import itertools

import pytest

from flowgen.flow import Say
from flowgen.flow._phases import MOST
from flowgen.flow._titles import TITLES, title_of
from flowgen.flow._titles import told as told_title


def test_the_first_picture_has_its_four_steps(session, told):
    flow = session().greeted().listed().call().changed().listed().read()
    assert told.steps(flow) == {
        "Initialization": [1, 2, 3],
        "Tool Discovery": [4, 5],
        "Tool Execution": [6, 7],
        "Notification": [8, 9, 10],
    }
    assert [step.number for step in flow.steps] == [1, 2, 3, 4]
    assert [step.title.zh for step in flow.steps] == ["初始化", "工具发现", "工具执行", "通知"]


def test_what_comes_before_the_first_request_belongs_to_the_first_step(session, told):
    begun = session().process("started").stderr("starting").add("noise", True, text="hi").greeted().listed()
    assert told.steps(begun.read(show=["process", "stderr"]))["Initialization"] == [1, 2, 3, 4, 5, 6]


def test_the_end_of_the_process_belongs_to_the_last_step(session, told):
    ended = session().greeted().listed().process("stdin-closed").process("exited", exit_code=1)
    assert told.steps(ended.read(show=["process"]))["Tool Discovery"] == [4, 5, 6, 7]


def test_the_stateless_era_begins_with_discovery(session, told):
    stateless = session("2026-07-28").ask("server/discover").reply({"supportedVersions": []}).listed().call()
    assert told.titles(stateless.read()) == ["Discovery", "Tool Discovery", "Tool Execution"]


def test_a_probe_that_fell_back_and_the_handshake_are_one_step(session, told):
    probed = (
        session("2026-07-28").ask("server/discover").fail(-32601).note("fell-back", about=2, to="handshake")
    )
    flow = probed.greeted().listed().read(show=["probe"])
    assert told.steps(flow) == {"Initialization": [1, 2, 4, 5, 6], "Tool Discovery": [7, 8]}


def test_a_request_and_its_answer_never_part(session, told):
    flow = session().ask("tools/list", 1).ask("resources/list", 2).ask("prompts/list", 3)
    flow = flow.reply({}, 3).reply({}, 2).reply(None, 1).call().read()
    assert told.steps(flow) == {"Feature Discovery": [1, 2, 3, 4, 5, 6], "Tool Execution": [7, 8]}


def test_what_the_server_asks_during_a_call_stays_in_its_step(session, told):
    flow = session().greeted().listed().ask("tools/call", 10).ask("sampling/createMessage", 0, back=True)
    flow = flow.reply({}, 0, back=False).tell("notifications/progress").reply({}, 10).read()
    assert told.titles(flow) == ["Initialization", "Tool Discovery", "Tool Execution"]


def test_what_the_server_asks_right_after_the_opening_is_a_step(session, told):
    flow = (
        session()
        .greeted()
        .ask("roots/list", 0, back=True)
        .reply({"roots": []}, 0, back=False)
        .listed()
        .read()
    )
    assert told.titles(flow) == ["Initialization", "Server Requests", "Tool Discovery"]


def test_a_ping_opens_a_step_only_after_the_opening(session, told):
    flow = session().greeted().ask("ping").reply().listed().ask("ping").reply().call().read()
    assert told.titles(flow) == ["Initialization", "Ping", "Tool Discovery", "Tool Execution"]


def test_a_change_during_a_call_stays_there_and_the_list_asked_again_is_a_step(session, told):
    flow = (
        session("2025-11-25").greeted().listed().ask("tools/call", 7).changed().reply({}, 7).listed().read()
    )
    assert told.steps(flow) == {
        "Initialization": [1, 2, 3],
        "Tool Discovery": [4, 5],
        "Tool Execution": [6, 7, 8],
        "List Refresh": [9, 10],
    }


def test_a_change_of_what_nobody_asked_for_is_no_step(session, told):
    flow = session().greeted().changed().changed("prompts").changed("resources").listed().read()
    assert told.steps(flow) == {"Initialization": [1, 2, 3, 4, 5, 6], "Tool Discovery": [7, 8]}


def test_the_pages_of_a_list_are_one_step_also_when_it_is_asked_again(session, told):
    again = session().greeted().listed().changed().listed().ask("tools/list", params={"cursor": "2"}).reply()
    assert told.titles(again.read()) == ["Initialization", "Tool Discovery", "Notification"]


def test_a_subscription_and_what_comes_of_it(session, told):
    listening = session("2026-07-28").listed().ask("subscriptions/listen")
    flow = listening.tell("notifications/subscriptions/acknowledged").changed().listed().read()
    assert told.steps(flow) == {"Tool Discovery": [1, 2], "Subscription": [3, 4], "Notification": [5, 6, 7]}


def test_an_updated_resource_is_read_in_the_step_of_its_notification(session, told):
    uri = {"params": {"uri": "note://1"}}
    read = session().listed("resources").ask("resources/subscribe", **uri).reply()
    flow = read.tell("notifications/resources/updated", **uri).ask("resources/read", **uri).reply().read()
    assert told.steps(flow) == {"Resources": [1, 2, 3, 4], "Notification": [5, 6, 7]}


def test_a_note_stands_with_what_it_leads_to(session, told):
    noted = session("2026-07-28").listed().note("consulted-model", "model", "host", wants={"name": "weather"})
    noted.note("approved", "person", "host", method="tools/call", name="weather", by="user").call()
    assert told.steps(noted.read())["Tool Execution"] == [3, 4, 5, 6]


def test_titles_of_the_trace_win(session, told):
    marked = session().greeted().ask("tools/list", step={"title": "What is there"}).reply(TOOLLESS).call()
    marked.ask("tools/call", step={"title": "tool execution"}).reply()
    flow = marked.read()
    assert told.titles(flow) == ["Initialization", "What is there", "Tool Execution"]
    assert flow.steps[1].title == Say("What is there", "What is there")
    assert flow.steps[2].title.zh == "工具执行"


TOOLLESS = {"tools": []}


def test_a_title_on_the_first_request_takes_in_what_came_before(session, told):
    marked = session().process("started").ask("initialize", step={"title": "Start"}).reply({})
    assert told.steps(marked.read(show=["process"])) == {"Start": [1, 2, 3]}


def test_two_things_in_turn_are_one_step_about_both(session, told):
    turns = session().greeted()
    for _ in range(20):
        turns.listed().call()
    assert told.titles(turns.read()) == ["Initialization", "Tools"]


def test_calls_and_reads_in_turn_are_one_step_about_both(session, told):
    turns = session().greeted().listed()
    for _ in range(10):
        turns.call().ask("resources/read", params={"uri": "a://b"}).reply()
    assert told.titles(turns.read()) == ["Initialization", "Tool Discovery", "Tools and Resources"]


def test_once_back_and_forth_is_no_turn(session, told):
    flow = (
        session().greeted().listed().call().ask("resources/read", params={"uri": "a:b"}).reply().call().read()
    )
    assert told.titles(flow)[2:] == ["Tool Execution", "Resources", "Tool Execution"]


@pytest.mark.parametrize("rounds", [5, 30, 200])
def test_a_long_session_has_few_steps(session, told, rounds):
    long = session().greeted().listed()
    for _ in range(rounds):
        long.call().ask("resources/read", params={"uri": "a:b"}).reply().ask("prompts/get").reply()
        long.ask("completion/complete").reply()
    titles = told.titles(long.read())
    assert titles[0] == "Initialization" and len(titles) <= MOST
    assert all(one != other for one, other in itertools.pairwise(titles))


def test_there_is_at_most_one_step_per_two_messages(session, told):
    alone = session().ask("tools/call").ask("resources/read").ask("prompts/get")
    assert told.titles(alone.read()) == ["Tools, Resources and Prompts"]
    assert told.titles(session().ask("initialize").read(complete=False)) == ["Initialization"]


def test_a_request_that_is_refused_opens_the_authorization(session, told):
    http = session("2026-07-28", transport="http").ask("server/discover", 1, exchange=1)
    http.add("http", True, exchange=1, http={"status": 401})
    url = "https://a.example/.well-known/oauth-protected-resource"
    http.add("http", exchange=2, http={"method": "GET", "url": url}).add(
        "http", True, exchange=2, http={"status": 200}
    )
    flow = http.ask("server/discover", 1, exchange=3).reply({"a": 1}, exchange=3).read()
    assert told.titles(flow) == ["Authorization", "Discovery"]


def test_a_trace_that_asks_nothing_has_no_step(session):
    (step,) = session().add("noise", True, text="hello").stderr().read(complete=False).steps
    assert (step.number, step.title, len(step.rows)) == (None, None, 2)


def test_an_empty_trace_has_no_rows(session):
    assert session().read().steps == ()


def test_merged_titles_name_up_to_three_things():
    assert title_of(["tool-discovery", "tool-execution"]).en == "Tools"
    assert title_of(["tool-execution", "notification"]).zh == "工具与通知"
    assert title_of(["resources", "prompts", "completion"]) == Say(
        "Resources, Prompts and Completion", "资源、提示与补全"
    )
    assert title_of(["resources", "prompts", "completion", "tasks"]).en == "Session"
    assert title_of(["resources", "prompts", "completion", "tool-execution"]).zh == "Server 功能"


def test_a_title_of_the_trace_that_is_ours_is_said_in_both_languages():
    assert told_title("tools") == Say("Tools", "工具")
    assert told_title("Feature Discovery").zh == "功能发现"
    assert told_title("连接") == Say("连接", "连接")


def test_every_title_is_said_in_both_languages():
    for say in TITLES.values():
        assert say.en.isascii() and say.zh and say.en != say.zh


def test_bands_may_open_inside_a_call_and_its_exchanges_stay_whole(session, told):
    asked = session("2026-07-28").ask("tools/call", 1, step={"title": "Tool Execution"})
    asked.reply({"resultType": "input_required"}, 1, step={"title": "Confirmation"}).ask("tools/call", 2)
    flow = asked.reply({}, 2, step={"title": "Result"}).read()
    assert told.steps(flow) == {"Tool Execution": [1], "Confirmation": [2, 3], "Result": [4]}
    assert [step.title.zh for step in flow.steps] == ["工具执行", "确认", "结果"]
    by_seq = told.by_seq(flow)
    assert (by_seq[1].answer, by_seq[3].answer, by_seq[3].retry_of) == (2, 4, 1)
