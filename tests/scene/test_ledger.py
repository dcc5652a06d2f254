"""What the picture of three to six lanes promises, one test a sentence."""

import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import pytest

from flowgen import api
from flowgen.errors import UsageError
from flowgen.trace import Trace
from tests.traces import SVG, answers, asks, tells, text_message, trace_of

Draw = Callable[..., ET.Element]

BLUE, RED, GREY = "#1d4ed8", "#b91c1c", "#475569"
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientInfo": {"name": "a"}}


def people(*roles: str) -> list[dict[str, Any]]:
    return [{"id": role, "role": role, "title": f"{role} 1.0"} for role in roles]


def note(sender: str, receiver: str, event: str, **data: Any) -> dict[str, Any]:
    return {"sender": sender, "receiver": receiver, "kind": "note", "body": {"event": event, "data": data}}


def http(sender: str, receiver: str, exchange: int, body: Any = None, **half: Any) -> dict[str, Any]:
    row = {
        "sender": sender,
        "receiver": receiver,
        "kind": "http",
        "transport": "http",
        "exchange": exchange,
        "http": half,
    }
    return row if body is None else {**row, "body": body}


def session() -> Trace:
    return trace_of(
        asks("tools/call", 1, name="create", _meta=META),
        note("client", "person", "asked-user", kind="elicitation"),
        note("person", "client", "user-answered", kind="elicitation", action="accept", seconds=2),
        note("client", "client", "chose-issuer", issuer="https://auth.example", why="only-one", place="x"),
        http("client", "auth", 2, method="GET", url="https://auth.example/.well-known/oauth-authorization-server"),
        http("auth", "client", 2, {"issuer": "https://auth.example"}, status=200),
        answers(1, content=[]),
        text_message("stderr", "a line of the log"),
        participants=people("server", "auth", "client", "person"),
    )


def texts(root: ET.Element) -> list[str]:
    return ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]


def of(root: ET.Element, anchor: str) -> ET.Element:
    group = root.find(f".//{SVG}g[@id='{anchor}']")
    assert group is not None
    return group


def line_of(root: ET.Element, anchor: str) -> ET.Element:
    return next(line for line in of(root, anchor).iter(f"{SVG}line") if line.get("stroke-width") in ("2.5", "1.4"))


@pytest.fixture(scope="module")
def drawn(picture: Draw) -> ET.Element:
    return picture(session(), theme="light", show=["stderr"])


def test_lanes_stand_in_order_of_trust(drawn: ET.Element) -> None:
    names = {"".join(node.itertext()): float(node.get("x", 0)) for node in drawn.iter(f"{SVG}text")}
    places = [names[name] for name in ("User", "MCP Client", "Auth Server", "MCP Server")]
    assert places == sorted(places)


def test_the_canvas_grows_by_a_pitch_a_lane(picture: Draw, drawn: ET.Element) -> None:
    three = trace_of(
        asks("ping"),
        note("client", "person", "asked-user", kind="approval"),
        participants=people("client", "server", "person"),
    )
    assert (picture(three).get("width"), drawn.get("width")) == ("1236", "1412")


def test_every_message_shows_its_number_twice(drawn: ET.Element) -> None:
    assert texts(of(drawn, "m-1")).count("1") == 2


def test_a_card_stands_on_the_line_of_its_arrow(drawn: ET.Element) -> None:
    line, card = (
        line_of(drawn, "m-1"),
        [node for node in of(drawn, "m-1").iter(f"{SVG}circle") if node.get("r") == "10"],
    )
    assert {node.get("cy") for node in card} == {line.get("y1")}


def test_what_a_person_does_is_grey_and_dotted(drawn: ET.Element) -> None:
    line = line_of(drawn, "m-3")
    assert (line.get("stroke"), line.get("stroke-dasharray")) == (GREY, "2 5")
    assert "USER" in texts(of(drawn, "m-3"))


def test_the_pill_of_a_note_says_whose_doing_it_is(picture: Draw) -> None:
    trace = trace_of(
        asks("ping"),
        note("model", "host", "consulted-model", wants={"name": "get_weather"}),
        note("client", "browser", "opened-browser"),
        participants=people("client", "server", "host", "model", "browser"),
    )
    drawn = picture(trace)
    assert {"MODEL", "get_weather"} <= set(texts(of(drawn, "m-2"))) and "BROWSER" in texts(of(drawn, "m-3"))


def test_a_local_step_is_a_loop_without_a_number(drawn: ET.Element) -> None:
    assert "LOCAL" in texts(drawn) and "who issues tokens: https://auth.example" in texts(drawn)
    assert [path for path in drawn.iter(f"{SVG}path") if path.get("stroke-width") == "2.2"]


def test_the_word_on_the_arrow_is_short_and_true(drawn: ET.Element) -> None:
    assert "GET metadata" in texts(of(drawn, "m-4")) and "200" in texts(of(drawn, "m-5"))
    assert "tools/call" in texts(of(drawn, "m-1")) and "result" in texts(of(drawn, "m-6"))


def test_of_a_method_too_long_for_its_arrow_the_last_part_is_said(picture: Draw) -> None:
    notes = [note("person", "host", "approved"), note("host", "model", "consulted-model")]
    known = people("person", "host", "model", "client", "server")
    said = texts(picture(trace_of(asks("sampling/createMessage", 1), *notes, participants=known)))
    assert "createMessage" in said and "sampling/createMessage" not in said


def test_a_request_waits_on_the_receiver_s_lifeline_until_its_answer(drawn: ET.Element) -> None:
    bars = [node for node in drawn.iter(f"{SVG}rect") if node.get("stroke-width") == "1.2"]
    start, end = float(line_of(drawn, "m-1").get("y1", 0)), float(line_of(drawn, "m-6").get("y1", 0))
    assert (start, end - start) in {(float(bar.get("y", 0)), float(bar.get("height", 0))) for bar in bars}


def test_the_legend_explains_a_user_s_action_where_there_is_one(drawn: ET.Element, picture: Draw) -> None:
    assert "User action" in texts(drawn)
    assert "User action" not in texts(picture(trace_of(asks("ping"), answers()), form="ledger"))


def test_notes_stand_under_the_box_in_the_tint_of_their_owner(drawn: ET.Element) -> None:
    tints = {node.get("fill") for node in of(drawn, "m-1").iter(f"{SVG}rect") if node.get("width") == "600"}
    assert "#eff6ff" in tints


def test_two_lanes_can_be_drawn_as_a_ledger_and_many_never_as_a_duo(picture: Draw) -> None:
    assert picture(trace_of(asks("ping"), answers()), form="ledger").get("width") == "1060"
    with pytest.raises(UsageError, match="two lanes"):
        _ = api.drawing(session(), form="duo").scene


def test_a_retry_is_linked_and_its_chip_names_the_first_try(picture: Draw) -> None:
    first = asks("tools/call", 1, name="n", _meta=META)
    refused = {**http("server", "client", 1, status=401), "kind": "http"}
    trace = trace_of(
        {**first, "transport": "http", "exchange": 1, "http": {"method": "POST", "url": "http://s/mcp"}},
        refused,
        http("client", "auth", 2, method="GET", url="http://a/.well-known/oauth-authorization-server"),
        http("auth", "client", 2, {"issuer": "http://a"}, status=200),
        {**first, "transport": "http", "exchange": 3, "http": {"method": "POST", "url": "http://s/mcp"}},
        participants=people("client", "server", "auth"),
    )
    root = picture(trace, theme="light")
    assert "retry of 1" in texts(of(root, "m-5"))
    assert line_of(root, "m-2").get("stroke") == RED
    assert [
        path for path in root.iter(f"{SVG}path") if path.get("stroke-dasharray") == "1 5" and path.get("stroke") == BLUE
    ]


def test_heads_show_what_matters_once(picture: Draw) -> None:
    fields = [["Accept", "*/*"], ["MCP-Protocol-Version", "2026-07-28"], ["Mcp-Method", "ping"]]
    posts = [
        {**asks("ping", id), "transport": "http", "exchange": id,
         "http": {"method": "POST", "url": "http://s/mcp?x=1", "headers": fields}}
        for id in (1, 2)
    ]  # fmt: skip
    root = picture(trace_of(posts[0], answers(1), posts[1], answers(2), tells("a")), fold=9)
    first, second = "\n".join(texts(of(root, "m-1"))), "\n".join(texts(of(root, "m-3")))
    assert "POST /mcp?x=1" in first and "MCP-Protocol-Version: 2026-07-28" in first and "Accept" not in first
    assert "POST" not in second
    whole = picture(trace_of(*posts), headers="all", fold=9)
    assert "Accept: */*" in texts(of(whole, "m-2"))
    assert "POST" not in "".join(texts(picture(trace_of(*posts), headers="none", fold=9)))


def test_a_form_is_shown_field_by_field(picture: Draw) -> None:
    token = http(
        "client",
        "auth",
        1,
        method="POST",
        url="http://a/token",
        headers=[["content-type", "application/x-www-form-urlencoded"]],
    )
    token["text"] = "grant_type=authorization_code&code=%E2%80%A2%E2%80%A2%E2%80%A2&resource=http%3A%2F%2Fs%2Fmcp"
    root = picture(trace_of(token, asks("ping"), participants=people("client", "server", "auth")))
    assert {"grant_type: authorization_code", "code: •••", "resource: http://s/mcp"} <= set(texts(of(root, "m-1")))


def test_what_carries_no_json_rpc_is_thin_and_the_legend_says_so(drawn: ET.Element) -> None:
    assert (line_of(drawn, "m-4").get("stroke-width"), line_of(drawn, "m-1").get("stroke-width")) == ("1.4", "2.5")
    assert "HTTP only" in texts(drawn)


def test_a_stream_of_events_is_a_thin_bar_from_its_request_to_its_last_event(picture: Draw) -> None:
    post = {**asks("tools/call", 1, name="slow"), "transport": "http", "exchange": 1, "http": {"method": "POST"}}
    events = [{**row, "transport": "sse", "exchange": 1} for row in (tells("notifications/message"), answers(1))]
    root = picture(trace_of(post, *events), theme="light", form="ledger")
    bar = next(node for node in root.iter(f"{SVG}rect") if node.get("width") == "3")
    start, end = (float(line_of(root, anchor).get("y1", 0)) for anchor in ("m-1", "m-3"))
    assert float(bar.get("y", 0)) == start + 0 and float(bar.get("height", 0)) == pytest.approx(end - start)
    assert "open stream" in texts(root)


@pytest.mark.parametrize("form", ["duo", "ledger"])
def test_a_session_that_broke_off_says_how(picture: Draw, form: str) -> None:
    gone = {"complete": False, "reason": "server-exited", "exit_code": 3}
    trace = trace_of(asks("initialize"), answers(), asks("ping", 2), outcome=gone)
    said = "The session was not over: the server ended (3)"
    assert said in texts(picture(trace, form=form))
    assert said not in texts(picture(trace, form=form, only=["initialize"]))
    assert not [text for text in texts(picture(trace_of(asks("ping"), answers()), form=form)) if "not over" in text]


def test_of_several_servers_those_that_failed_are_named(picture: Draw) -> None:
    ends = [{"id": "s1", "name": "a\u202e", "reason": "start-failed"}, {"id": "s2", "name": "b", "reason": "timed-out"}]
    gone = {"complete": False, "reason": "connect-failed", "servers": ends}
    said = texts(picture(trace_of(asks("ping"), answers(), outcome=gone), form="ledger"))
    assert "aU+202E: The server could not be started · b: A time limit" in " ".join(said)


def crowd(count: int) -> Trace:
    ids = [f"shop-{number}" for number in range(count)]
    known = [{"id": "client", "role": "client"}, *({"id": id_, "role": "server", "title": f"{id_} 1.0"} for id_ in ids)]
    rows = [{**asks("ping", n), "receiver": id_} for n, id_ in enumerate(ids)]
    rows += [{**asks("tools/list", 100 + n), "receiver": id_} for n, id_ in enumerate(ids[3:])]
    return trace_of(*rows, participants=known)


def test_more_than_six_share_the_last_lane_and_keep_their_names(picture: Draw) -> None:
    root = picture(crowd(8), form="ledger", fold=99)
    said = texts(root)
    assert {"Others (4)", "shop-0 1.0"} <= set(said)
    assert root.get("width") == str(708 + 152 * 6)
    assert "shop-0 1.0" in texts(of(root, "m-1")) and "shop-4 1.0" not in texts(of(root, "m-5"))


def test_lanes_of_one_role_are_told_apart_by_their_ids(picture: Draw) -> None:
    assert {"shop-0: shop-0 1.0", "shop-1: shop-1 1.0"} <= {
        node.findtext(f"{SVG}title") or "".join(node.itertext()) for node in picture(crowd(2)).iter(f"{SVG}text")
    }


def test_in_chinese_lanes_have_short_names_and_the_whole_ones_for_who_points_at_them(picture: Draw) -> None:
    found = list(picture(session(), lang="zh").iter(f"{SVG}text"))
    whole = [node.findtext(f"{SVG}title") for node in found if "".join(node.itertext()).endswith("客户端")]
    assert whole == ["MCP Client（客户端）"]
