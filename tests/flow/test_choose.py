"""What a picture shows, and what it leaves out when nobody asks."""

import pytest

from flowgen.errors import UsageError
from flowgen.flow import WORDS, alternatives, stacked


def _kinds(told, flow):
    return [entry.message.kind for entry in told.entries(flow)]


def _probed(session):
    probed = session("2026-07-28").ask("server/discover").fail(-32601)
    probed.note("fell-back", about=2, **{"from": "stateless"}, to="handshake", why="handshake-answer")
    probed.common["revision"] = "2025-06-18"
    return probed.greeted().listed()


def test_a_probe_that_fell_back_is_left_out_and_numbers_stay(session, told):
    flow = _probed(session).read()
    assert [entry.number for entry in told.entries(flow)] == [3, 4, 5, 6, 7]
    assert (flow.facts.revisions, flow.facts.messages) == (("2025-06-18",), 7)


def test_show_probe_shows_it(session, told):
    flow = _probed(session).read(show=["probe"])
    assert [entry.number for entry in told.entries(flow)] == [1, 2, 3, 4, 5, 6, 7]
    assert flow.facts.revisions == ("2026-07-28", "2025-06-18")


def test_a_probe_denied_for_want_of_a_token_stays_for_it_is_why_somebody_signed_in(session, told):
    denied = session("2026-07-28", transport="http").ask("server/discover", 1, exchange=1)
    denied.add("http", True, http={"status": 401}, exchange=1).note("chose-issuer", about=2)
    denied.ask("server/discover", 1, exchange=2).fail(-32601, exchange=2)
    flow = denied.note("fell-back", about=5, to="handshake").greeted().read()
    assert [entry.message.seq for entry in told.entries(flow)] == [1, 2, 3, 7, 8, 9]


def test_a_silent_probe_counts_as_unanswered_only_where_it_is_shown(session):
    silent = session("2026-07-28").ask("server/discover").note("fell-back", about=1, to="handshake").greeted()
    assert silent.read().facts.unanswered == 0
    assert silent.read(show=["probe"]).facts.unanswered == 1


def test_a_late_answer_to_the_probe_goes_with_it(session, told):
    late = session("2026-07-28").ask("server/discover", "p").greeted().reply({}, "p")
    assert [entry.message.seq for entry in told.entries(late.read())] == [2, 3, 4]


def test_what_the_server_asks_meanwhile_makes_no_difference_to_a_probe(session, told):
    probed = (
        session("2026-07-28")
        .ask("server/discover")
        .ask("roots/list", 0, back=True)
        .fail(-32601, id_=1)
        .greeted()
    )
    assert [entry.method for entry in told.entries(probed.read())][:2] == ["roots/list", "initialize"]


def test_a_discover_that_was_followed_by_no_handshake_is_no_probe(session, told):
    assert len(told.entries(session("2026-07-28").ask("server/discover").fail(-32601).read())) == 2


def test_a_handshake_after_other_requests_makes_no_probe_of_a_discover(session, told):
    odd = session("2026-07-28").ask("server/discover").reply({"a": 1}).listed().greeted()
    assert len(told.entries(odd.read())) == 7


def test_stderr_is_left_out_of_a_session_that_ran_to_its_end(session, told):
    asked = session().ask("a").stderr().reply()
    assert "stderr" not in _kinds(told, asked.read())
    assert "stderr" in _kinds(told, asked.read(show=["stderr"]))
    assert "stderr" in _kinds(told, asked.read(complete=False))


def _ended(session, **exited):
    signal = exited.pop("told", None)
    ended = session().process("started", argv=["x"]).greeted().process("stdin-closed")
    if signal:
        ended.process("signal-sent", signal=signal)
    return ended.process("exited", **exited)


def _events(told, flow):
    return [entry.message.body["event"] for entry in told.entries(flow) if entry.message.kind == "process"]


def test_a_process_that_starts_and_ends_in_peace_is_not_drawn(session, told):
    assert _events(told, _ended(session, exit_code=0).read()) == []
    assert len(_events(told, _ended(session, exit_code=0).read(show=["process"]))) == 3


@pytest.mark.parametrize(
    "exited", [{"exit_code": 1}, {"signal": "SIGSEGV"}, {"told": "SIGTERM", "exit_code": 0}]
)
def test_a_process_that_ends_otherwise_is_drawn_once(session, told, exited):
    assert _events(told, _ended(session, **exited).read()) == ["exited"]


def test_a_process_that_ends_by_itself_is_drawn(session, told):
    assert _events(told, session().greeted().process("exited", exit_code=0).read()) == ["exited"]


def test_a_signal_without_an_end_is_drawn(session, told):
    told_to_stop = session().greeted().process("stdin-closed").process("signal-sent", signal="SIGTERM")
    assert _events(told, told_to_stop.read()) == ["signal-sent"]


def test_events_with_problems_are_drawn(session, told):
    held = session().greeted().process("stdin-closed").process("exited", exit_code=0, problems=["pipe-held"])
    assert _events(told, held.read()) == ["exited"]


def test_the_steps_of_a_plan_are_left_out(session, told):
    planned = session().greeted().note("plan-step", "host", "client", step=1, does="list").listed()
    assert "note" not in _kinds(told, planned.read())
    assert "note" in _kinds(told, planned.read(show=["plan"]))


def test_streams_are_left_out_unless_something_was_wrong_with_them(session, told):
    http = session("2026-07-28", transport="http").ask("tools/list", 1, exchange=1)
    http.add("http", True, exchange=1, body={"event": "stream-opened"}, http={"status": 200})
    http.reply({}, exchange=1).add("http", True, exchange=1, body={"event": "stream-closed", "by": "server"})
    assert _kinds(told, http.read()) == ["request", "response"]
    assert len(_kinds(told, http.read(show=["stream"]))) == 4


@pytest.mark.parametrize("word", sorted(WORDS))
def test_every_word_can_be_hidden_and_shown(session, word):
    talk = session().greeted().listed().call().ask("ping").reply()
    talk.read(hide=[word])
    talk.read(show=[word])


def test_hide_takes_kinds_and_words_and_wins_over_show(session, told):
    talk = session().greeted().ask("ping").reply().listed().add("noise", True, text="x")
    assert _kinds(told, talk.read(hide=["ping", "noise"])) == [
        "request",
        "response",
        "notification",
        "request",
        "response",
    ]
    assert "request" not in _kinds(told, talk.read(hide=["request,response"], show=["request"]))


def test_an_unknown_word_names_the_nearest(session):
    with pytest.raises(UsageError) as raised:
        session().read(hide=["notifications"])
    assert "--hide notifications" in str(raised.value)
    assert raised.value.hint == "did you mean notification?"


def test_only_goes_by_method_and_answers_go_with_their_requests(session, told):
    talk = session().greeted().listed().call().changed().ask("prompts/list").fail()
    assert [entry.number for entry in told.entries(talk.read(only=["tools/*"]))] == [4, 5, 6, 7]
    assert [entry.number for entry in told.entries(talk.read(only=["notifications/*", "prompts/list"]))] == [
        3,
        8,
        9,
        10,
    ]


def test_steps_are_chosen_by_number_and_keep_it(session, told):
    talk = session().greeted().listed().call().changed().listed()
    assert [step.number for step in talk.read(steps="2-3").steps] == [2, 3]
    assert [step.number for step in talk.read(steps=" 1, 4").steps] == [1, 4]
    assert [step.number for step in talk.read(steps="3-").steps] == [3, 4]
    assert [entry.number for entry in told.entries(talk.read(steps="3"))] == [6, 7]


@pytest.mark.parametrize("steps", ["x", "1-x", "9", "0", "3-2", "²", ","])
def test_steps_that_are_none_are_told(session, steps):
    with pytest.raises(UsageError, match="--steps"):
        session().greeted().listed().read(steps=steps)


def test_a_range_of_steps_that_runs_backwards_is_turned_round_in_the_hint(session):
    with pytest.raises(UsageError, match="--steps 1,3-2: '3-2' runs backwards") as error:
        session().greeted().listed().read(steps="1,3-2")
    assert error.value.hint == "write 2-3"


def test_a_body_with_an_event_of_its_own_is_no_event_of_a_stream(session, told):
    http = session(transport="http").ask("tools/list", exchange=1)
    http.add("http", True, exchange=1, http={"status": 503}, body={"event": "maintenance"})
    flow = http.read()
    assert _kinds(told, flow) == ["request", "http"]
    assert (flow.facts.messages, told.by_seq(flow)[1].state) == (2, "answered")


def test_steps_that_have_no_message_of_the_methods_asked_for_are_told(session):
    talk = session().greeted().listed().call().changed().listed()
    with pytest.raises(UsageError, match=r"--steps 1 --only tools/\*: no message is left") as raised:
        talk.read(steps="1", only=["tools/*"])
    assert raised.value.hint == "there are such messages in steps 2, 3, 4"
    other = session().greeted().listed().call("other")
    for several in (stacked, alternatives):
        with pytest.raises(UsageError, match="no message is left"):
            several([talk.trace(), other.trace()], ["a", "b"], steps="1", only=["tools/*"], notes="none")


def test_methods_of_which_all_messages_are_left_out_are_told(session):
    with pytest.raises(UsageError, match="--only server/discover") as raised:
        _probed(session).read(only=["server/discover"])
    assert "--show" in raised.value.hint
