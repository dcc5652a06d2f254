"""The actions of a plan, each as a conversation."""

import itertools

import pytest

from flowgen import protocol
from flowgen.protocol import Plan, Step
from flowgen.protocol._acts import Pause
from flowgen.protocol._tour import _stepped
from tests.protocol.conftest import DISCOVERY, HANDSHAKE, IDENTITY, NOT_FOUND, SILENT


@pytest.fixture
def steps(talk, client):
    """Plays steps in one settled session."""

    def played(*todo, server=None, people=(), **options):
        who = options.pop("who", None) or client(**options)

        def script():
            for number, step in enumerate(todo, 1):
                yield from _stepped(who, step, number)

        return talk(script(), server, people)

    return played


def params_of(talk, method):
    return [ask.params for ask in talk.of(protocol.Ask) if ask.method == method]


def without_meta(params):
    return {name: value for name, value in params.items() if name != "_meta"}


# lists


def test_a_list_is_read_to_its_last_page_and_the_empty_cursor_is_one(steps):
    pages = [{"tools": [{"name": "a"}], "nextCursor": ""}, {"tools": [], "nextCursor": "x"}, {"tools": [{"name": "b"}]}]
    talk = steps(Step("list", ("tools",)), server={"tools/list": pages})
    assert [without_meta(params) for params in params_of(talk, "tools/list")] == [{}, {"cursor": ""}, {"cursor": "x"}]


def test_a_cursor_that_comes_again_ends_the_list(steps):
    pages = ({"tools": [], "nextCursor": "again"} for _ in itertools.count())
    talk = steps(Step("list", ("tools",)), server={"tools/list": lambda params: next(pages)})
    assert talk.said.count("tools/list") == 2 and "does not end" in talk.warnings[0]


def test_cursors_without_end_are_followed_for_a_while_only(steps):
    count = itertools.count()
    talk = steps(Step("list", ("tools",)), server={"tools/list": lambda params: {"nextCursor": str(next(count))}})
    assert talk.said.count("tools/list") == 1001 and len(talk.warnings) == 1


def test_only_what_the_server_declares_is_listed_unless_it_is_named(steps):
    everything = Step("list", protocol.KINDS, as_declared=True)
    talk = steps(everything, capabilities={"prompts": {}})
    assert talk.said == ["prompts/list"]
    assert talk.warnings == [f"the server declares no {kind}: not listed" for kind in ("tools", "resources")]
    assert steps(Step("list", ("tools",)), capabilities={}).said == ["tools/list"]


def test_templates_belong_to_resources(steps):
    talk = steps(Step("list", protocol.KINDS, as_declared=True), capabilities={"resources": {}})
    assert talk.said == ["resources/list", "resources/templates/list"]


def test_an_error_or_silence_ends_a_list_and_not_the_session(steps):
    server = {"tools/list": NOT_FOUND, "prompts/list": SILENT}
    talk = steps(Step("list", ("tools", "prompts", "resources")), server=server)
    assert talk.said == ["tools/list", "prompts/list", "resources/list"]


@pytest.mark.parametrize("result", [{}, {"tools": 7}, {"tools": [1, None]}, {"tools": [], "nextCursor": 3}])
def test_a_list_of_another_shape_is_no_trouble(steps, result):
    assert steps(Step("list", ("tools",)), server={"tools/list": result}).said == ["tools/list"]


# changes


def changed(kind):
    return {"jsonrpc": "2.0", "method": f"notifications/{kind}/list_changed"}


def test_a_changed_list_is_read_again_after_the_step_and_several_changes_count_as_one(steps, client):
    who = client()

    def announce(params):
        for _ in range(3):
            who.hear(changed("tools"), 1)
        return {"content": []}

    talk = steps(Step("list", ("tools",)), Step("call", "x"), server={"tools/call": announce}, who=who)
    assert talk.said == ["tools/list", "tools/call", "tools/list"]


def test_a_server_that_announces_after_every_list_is_followed_once_a_step(steps, client):
    who = client()

    def announce(params):
        who.hear(changed("tools"), 1)
        return {"tools": []}

    talk = steps(Step("list", ("tools",)), Step("ping", True), server={"tools/list": announce}, who=who)
    assert talk.said == ["tools/list", "tools/list", "ping", "tools/list"]


def test_a_list_that_was_never_read_is_not_read_when_it_changes(steps, client):
    who = client()
    who.hear(changed("prompts"), 1)
    assert steps(Step("list", ("tools",)), who=who).said == ["tools/list"]


def test_changed_resources_mean_templates_too(steps, client):
    who = client()

    def announce(params):
        who.hear(changed("resources"), 1)
        return {}

    both = Step("list", ("resources", "templates"))
    talk = steps(both, Step("call", "x"), server={"tools/call": announce}, who=who)
    assert talk.said[3:] == ["resources/list", "resources/templates/list"]


# calls


def test_a_call_says_name_and_arguments(steps):
    talk = steps(Step("call", "add", arguments={"a": 1}))
    assert without_meta(params_of(talk, "tools/call")[0]) == {"name": "add", "arguments": {"a": 1}}


def test_a_name_that_was_not_listed_is_called_all_the_same_and_the_nearest_named(steps):
    server = {"tools/list": {"tools": [{"name": "weather_current"}, {"name": "add"}]}}
    talk = steps(Step("list", ("tools",)), Step("call", "weather_curent"), server=server)
    assert talk.said == ["tools/list", "tools/call"]
    assert talk.warnings == ["`weather_curent` is not among the tools of the server; the nearest is `weather_current`"]


def test_without_a_list_nothing_is_said_of_names(steps):
    assert steps(Step("call", "x"), Step("read", "a://b"), Step("get", "p")).warnings == []


def test_a_uri_may_come_from_a_template_so_only_servers_without_any_are_doubted(steps):
    doubted = steps(Step("list", ("resources", "templates")), Step("read", "a://b"))
    assert len(doubted.warnings) == 1
    server = {"resources/templates/list": {"resourceTemplates": [{"uriTemplate": "a://{x}"}]}}
    assert steps(Step("list", ("resources", "templates")), Step("read", "a://b"), server=server).warnings == []


def test_progress_and_taking_back_are_asked_for_with_the_request(steps):
    talk = steps(Step("call", "slow", progress=True, cancel_after=0.3))
    assert (talk.of(protocol.Ask)[0].progress, talk.of(protocol.Ask)[0].cancel_after) == (True, 0.3)


def test_read_only_tools_are_called_with_made_up_arguments_and_others_are_not(steps):
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    tools = [
        {"name": "weather", "annotations": {"readOnlyHint": True}, "inputSchema": schema},
        {"name": "delete", "inputSchema": schema},
        {"name": "maybe", "annotations": {"readOnlyHint": "yes"}},
    ]
    talk = steps(Step("list", ("tools",)), Step("call-safe", None), server={"tools/list": {"tools": tools}})
    calls = params_of(talk, "tools/call")
    assert [without_meta(params) for params in calls] == [{"name": "weather", "arguments": {"city": "example"}}]


def test_a_tool_that_was_called_is_not_called_again_as_safe(steps):
    tools = [{"name": "weather", "annotations": {"readOnlyHint": True}}]
    todo = (Step("list", ("tools",)), Step("call", "weather"), Step("call-safe", None))
    assert steps(*todo, server={"tools/list": {"tools": tools}}).said.count("tools/call") == 1


def test_without_read_only_tools_the_user_is_told(steps):
    talk = steps(Step("list", ("tools",)), Step("call-safe", None))
    assert "tools/call" not in talk.said and "read-only" in talk.warnings[0]


# approval

YES, NO = protocol.Reply("accept", None, 1.5), protocol.Reply("decline", None, 2.0)
WHAT = {"method": "tools/call", "name": "add", "arguments": {"a": 1}}
ADD = Step("call", "add", arguments={"a": 1})


def test_a_person_approves_a_call(steps):
    talk = steps(ADD, people=[YES], manners=protocol.Manners(approve=True))
    assert talk.notes == [
        ("asked-user", {"kind": "approval"}),
        ("approved", {**WHAT, "by": "user", "seconds": 1.5}),
    ]
    assert [(note.sender, note.receiver) for note in talk.of(protocol.Note)] == [
        ("client", "person"), ("person", "host"),
    ]  # fmt: skip
    assert talk.said == ["tools/call"]


def test_a_call_that_a_person_declines_is_not_sent(steps):
    talk = steps(ADD, Step("ping", True), people=[NO], manners=protocol.Manners(approve=True))
    assert talk.notes[1][0] == "declined" and talk.said == ["ping"]


def test_yes_approves_by_rule(steps):
    talk = steps(ADD, manners=protocol.Manners(approve=True, yes=True))
    note = talk.of(protocol.Note)[0]
    assert (note.event, note.data, note.sender, note.receiver) == ("approved", {**WHAT, "by": "rule"}, "host", "host")


def test_a_plan_may_want_approval_for_one_step_only(steps):
    talk = steps(ADD._replace(approve=True), Step("call", "add"), people=[YES])
    assert [event for event, _ in talk.notes] == ["asked-user", "approved"]


# input_required (2026-07-28 basic/patterns/mrtr)


def wants(requests=None, state=None):
    more = {"inputRequests": requests} if requests is not None else {}
    return {"resultType": "input_required", **more, **({"requestState": state} if state is not None else {})}


ROOTS = {"method": "roots/list"}


def test_a_retry_repeats_the_request_and_hands_the_state_back_as_it_came(steps):
    state = 'v1.\u00e4"\\ \ud83d'
    server = {"tools/call": [wants({"r": ROOTS}, state), {"content": []}]}
    first, second = params_of(steps(ADD, server=server), "tools/call")
    assert without_meta(first) == {"name": "add", "arguments": {"a": 1}}
    assert without_meta(second) == {
        **without_meta(first), "inputResponses": {"r": {"roots": []}}, "requestState": state,
    }  # fmt: skip


def test_no_state_is_made_up(steps):
    server = {"tools/call": [wants({"r": ROOTS}), {"content": []}]}
    assert "requestState" not in params_of(steps(ADD, server=server), "tools/call")[1]


def test_a_state_alone_is_retried_at_once(steps):
    server = {"tools/call": [wants(state=""), {"content": []}]}
    second = params_of(steps(ADD, server=server), "tools/call")[1]
    assert second["requestState"] == "" and "inputResponses" not in second


def test_the_next_round_hands_back_the_next_state_only(steps):
    server = {"tools/call": [wants({"a": ROOTS}, "one"), wants({"b": ROOTS}), {"content": []}]}
    third = params_of(steps(ADD, server=server), "tools/call")[2]
    assert list(third["inputResponses"]) == ["b"] and "requestState" not in third


def test_a_server_that_asks_for_ever_is_given_up_after_ten_retries(steps):
    talk = steps(ADD, server={"tools/call": lambda params: wants(state="x")})
    assert talk.said.count("tools/call") == 11 and "given up" in talk.warnings[0]


def test_neither_requests_nor_state_is_no_reason_to_retry(steps):
    assert steps(ADD, server={"tools/call": wants()}).said == ["tools/call"]


def test_what_is_refused_ends_the_request_without_a_retry(steps):
    asks = wants({"m": {"method": "sampling/createMessage", "params": {"messages": []}}}, "s")
    talk = steps(ADD, server={"tools/call": asks})
    assert talk.said == ["tools/call"] and "no retry" in talk.warnings[0]


def test_prompts_and_resources_may_ask_back_too(steps):
    server = {"prompts/get": [wants(state="p"), {}], "resources/read": [wants(state="r"), {}]}
    talk = steps(Step("get", "greet", arguments={"n": "x"}), Step("read", "a://b"), server=server)
    assert talk.said == ["prompts/get"] * 2 + ["resources/read"] * 2


def test_the_handshake_era_knows_no_retries(steps):
    assert steps(ADD, server={"tools/call": wants(state="x")}, revision="2025-11-25").said == ["tools/call"]


# the other requests


def test_the_eras_ask_for_log_messages_in_their_own_ways(steps):
    talk = steps(Step("set-level", "warning"), Step("ping", True))
    assert talk.said == ["ping"]
    assert talk.of(protocol.Ask)[0].params["_meta"]["io.modelcontextprotocol/logLevel"] == "warning"
    old = steps(Step("set-level", "warning"), revision="2025-11-25")
    assert params_of(old, "logging/setLevel") == [{"level": "warning"}]


def test_requests_of_the_handshake_era_carry_nothing_and_no_params_where_there_are_none(steps):
    talk = steps(Step("ping", True), Step("list", ("tools",)), Step("get", "p"), revision="2025-06-18")
    assert [ask.params for ask in talk.of(protocol.Ask)] == [None, None, {"name": "p"}]


def test_complete_sends_reference_and_argument(steps):
    params = protocol.completion("greet:name=Ad", "x")
    talk = steps(Step("complete", params), revision="2025-11-25")
    assert params_of(talk, "completion/complete") == [
        {"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "name", "value": "Ad"}}
    ]


def test_any_notification_can_be_sent_by_hand(steps):
    talk = steps(Step("notify", "notifications/odd", arguments={"a": 1}))
    assert talk.of(protocol.Tell) == [protocol.Tell("notifications/odd", {"a": 1}, "2026-07-28")]
    assert steps(Step("notify", "notifications/odd")).of(protocol.Tell)[0].params is None


def test_changed_roots_are_announced_in_the_handshake_era(steps, client):
    who = client("2025-11-25")
    talk = steps(Step("change-roots", ["file:///new"]), who=who)
    assert talk.said == ["notifications/roots/list_changed"] and who.roots == ({"uri": "file:///new"},)
    assert steps(Step("change-roots", ["file:///new"])).said == []


# listening


def test_subscribing_is_a_listen_in_the_stateless_era(steps):
    talk = steps(Step("subscribe", "note://x"))
    assert talk.said == ["subscriptions/listen"]
    assert talk.of(protocol.Open)[0].params["notifications"] == {"resourceSubscriptions": ["note://x"]}
    assert steps(Step("subscribe", "note://x"), revision="2025-11-25").said == ["resources/subscribe"]


def test_listen_without_a_filter_asks_for_every_change_that_is_announced(steps):
    resources = {"listChanged": True, "subscribe": True}
    capabilities = {"tools": {"listChanged": True}, "prompts": {}, "resources": resources}
    server = {"resources/list": {"resources": [{"uri": "note://a"}]}}
    todo = (Step("list", ("resources",)), Step("listen", None, seconds=0))
    talk = steps(*todo, server=server, capabilities=capabilities)
    assert talk.of(protocol.Open)[0].params["notifications"] == {
        "toolsListChanged": True, "resourcesListChanged": True, "resourceSubscriptions": ["note://a"],
    }  # fmt: skip


def test_listen_waits_its_seconds_and_stays_open(steps):
    talk = steps(Step("listen", {"toolsListChanged": True}, seconds=2.0))
    assert talk.of(Pause)[0].seconds == 2.0 and talk.of(protocol.TakeBack) == []


def test_listen_without_seconds_waits_for_the_acknowledgement_only(steps):
    pause = steps(Step("listen", {"toolsListChanged": True})).of(Pause)[0]
    meta = {"io.modelcontextprotocol/subscriptionId": 1}
    acknowledged = {"method": "notifications/subscriptions/acknowledged", "params": {"_meta": meta}}
    assert pause.wake(acknowledged)
    assert not pause.wake({**acknowledged, "params": {"_meta": {"io.modelcontextprotocol/subscriptionId": 2}}})
    assert pause.wake({"id": 1, "error": NOT_FOUND}) and not pause.wake({"id": 2, "result": {}})
    assert not pause.wake({"method": "notifications/tools/list_changed"})


def test_a_listen_may_be_taken_back(steps):
    talk = steps(Step("listen", {"toolsListChanged": True}, cancel_after=1.0))
    assert talk.of(protocol.TakeBack) == [protocol.TakeBack(1)]


def test_the_handshake_era_only_waits(steps):
    talk = steps(Step("listen", None, seconds=1.5), revision="2025-11-25")
    assert talk.said == [] and talk.of(Pause)[0].seconds == 1.5


# waiting


def test_wait_takes_a_message_of_the_step_before(steps, client):
    who = client()

    def announce(params):
        who.hear({"method": "notifications/message"}, 7)
        return {}

    todo = (Step("call", "x"), Step("wait", "notifications/message", title="Logged"))
    talk = steps(*todo, server={"tools/call": announce}, who=who)
    assert talk.of(Pause) == [] and talk.of(protocol.Mark) == [protocol.Mark("Logged", 7)]


def test_wait_forgets_what_came_before_the_last_step(steps, client):
    who = client()
    who.hear({"method": "notifications/message"}, 7)
    talk = steps(Step("ping", True), Step("ping", True), Step("wait", "notifications/message", seconds=1.0), who=who)
    assert talk.of(Pause)[0].seconds == 1.0


def test_wait_is_over_after_five_seconds_and_then_says_so(steps):
    talk = steps(Step("wait", "notifications/message"))
    pause = talk.of(Pause)[0]
    assert pause.seconds == 5.0 and pause.wake({"method": "notifications/message"}) and not pause.wake({"id": 1})
    assert talk.notes == [("waited", {"seconds": 5.0, "why": "plan"})]


def test_wait_may_be_mere_seconds(steps):
    talk = steps(Step("wait", 0.5))
    assert talk.of(Pause)[0].seconds == 0.5 and talk.notes == [("waited", {"seconds": 0.5, "why": "plan"})]


# the session around the steps


def test_a_session_opens_goes_through_its_plan_and_is_done(talk):
    client = protocol.Client(IDENTITY)
    plan = Plan((Step("list", ("tools",), title="Tools"), Step("call", "x")))
    played = talk(protocol.session(client, plan), {"server/discover": NOT_FOUND, "initialize": HANDSHAKE})
    assert played.said == [
        "server/discover", "initialize", "notifications/initialized", "tools/list", "tools/call",
    ]  # fmt: skip
    assert played.end == protocol.Ending() and played.of(protocol.Mark) == [protocol.Mark("Tools")]
    assert [event for event, _ in played.notes] == ["fell-back"]


def test_a_plan_of_the_user_announces_its_steps(talk):
    client = protocol.Client(IDENTITY, named=True)
    plan = Plan((Step("call", "x"), Step("list", ("tools",))))
    played = talk(protocol.session(client, plan), {"server/discover": DISCOVERY})
    assert played.notes == [
        ("plan-step", {"step": 1, "does": "call", "name": "x"}),
        ("plan-step", {"step": 2, "does": "list"}),
        ("plan-step", {"step": 3, "does": "end"}),
    ]
    assert {(note.sender, note.receiver) for note in played.of(protocol.Note)} == {("host", "client")}


def test_a_session_that_does_not_open_asks_for_nothing(talk):
    client = protocol.Client(IDENTITY)
    played = talk(protocol.session(client, Plan((Step("call", "x"),), revision="2025-06-18")), {"initialize": SILENT})
    assert played.said == ["initialize"] and played.end.reason == "timed-out"


def test_the_tour_lists_then_asks_then_listens():
    steps = protocol.tour(("tools",), (ADD,), as_declared=True, safe=True, listen=2.0)
    assert [step.action for step in steps] == ["list", "call", "call-safe", "listen"]
    assert protocol.tour((), (), as_declared=True, safe=False, listen=None) == ()
