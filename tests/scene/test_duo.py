"""What the two-lane picture promises, one test a sentence. Places and colours are read from the SVG it becomes."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from flowgen import api
from flowgen.errors import UsageError
from flowgen.scene import STYLES, Form, Rect, Text, flat, width
from flowgen.trace import Trace
from tests.traces import SVG, answers, asks, refuses, tells, text_message, trace_of

Draw = Callable[..., ET.Element]

BLUE, GREEN, ORANGE, RED, BROWN = "#1d4ed8", "#15803d", "#c2410c", "#b91c1c", "#92400e"
CLIENT_LIFELINE, SERVER_LIFELINE = 292.0, 988.0
GREET = [asks("initialize", 1, protocolVersion="2025-11-25", capabilities={}), answers(1, protocolVersion="2025-11-25")]


def texts(root: ET.Element) -> list[str]:
    return ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]


def arrows(root: ET.Element, anchor: str) -> ET.Element:
    """The line of the arrow of one message."""
    group = root.find(f".//{SVG}g[@id='{anchor}']")
    assert group is not None
    lines = [line for line in group.iter(f"{SVG}line") if line.get("stroke-width") == "2.5"]
    assert len(lines) == 1
    return lines[0]


def runs_right(line: ET.Element) -> bool:
    return float(line.get("x2", 0)) > float(line.get("x1", 0))


def group_text(root: ET.Element, anchor: str) -> str:
    group = root.find(f".//{SVG}g[@id='{anchor}']")
    assert group is not None
    return "\n".join("".join(node.itertext()) for node in group.iter(f"{SVG}text"))


@pytest.fixture(scope="module")
def drawn(seed: Trace, picture: Draw) -> ET.Element:
    return picture(seed, theme="light")


def test_requests_are_blue_and_solid_and_go_from_client_to_server(drawn: ET.Element) -> None:
    line = arrows(drawn, "m-1")
    assert (line.get("stroke"), line.get("stroke-dasharray")) == (BLUE, None)
    assert runs_right(line) and float(line.get("x1", 0)) == CLIENT_LIFELINE


def test_responses_are_green_and_solid_and_go_back(drawn: ET.Element) -> None:
    line = arrows(drawn, "m-2")
    assert (line.get("stroke"), line.get("stroke-dasharray")) == (GREEN, None)
    assert not runs_right(line) and float(line.get("x1", 0)) == SERVER_LIFELINE


def test_notifications_are_orange_and_dashed(drawn: ET.Element) -> None:
    line = arrows(drawn, "m-3")
    assert (line.get("stroke"), line.get("stroke-dasharray")) == (ORANGE, "9 6")


def test_a_notification_of_the_server_goes_from_right_to_left(drawn: ET.Element) -> None:
    assert not runs_right(arrows(drawn, "m-8"))


def test_errors_are_red_and_name_their_code(picture: Draw) -> None:
    root = picture(trace_of(*GREET, asks("nope", 2), refuses(2, -32601, "Method not found")), theme="light")
    assert arrows(root, "m-4").get("stroke") == RED
    assert "ERROR −32601" in texts(root)


def test_a_tool_that_failed_is_a_green_answer_with_a_red_pill(picture: Draw) -> None:
    failed = answers(2, content=[{"type": "text", "text": "no such city"}], isError=True)
    root = picture(trace_of(*GREET, asks("tools/call", 2, name="weather"), failed), theme="light")
    assert arrows(root, "m-4").get("stroke") == GREEN
    assert "TOOL ERROR" in texts(root)


def test_every_kind_has_a_head_of_its_own(drawn: ET.Element) -> None:
    """Filled, hollow and open: colour is never the only carrier."""
    heads = []
    for anchor in ("m-1", "m-2", "m-3"):
        group = drawn.find(f".//{SVG}g[@id='{anchor}']")
        assert group is not None
        path = next(group.iter(f"{SVG}path"))
        heads.append((path.get("fill") != "none", path.get("stroke") is not None, path.get("d", "").endswith("Z")))
    assert len(set(heads)) == 3


def test_steps_have_big_numbers_and_their_title(drawn: ET.Element) -> None:
    digits = [node.text for node in drawn.iter(f"{SVG}text") if node.get("font-size") == "26"]
    assert digits == ["1", "2", "3", "4"]
    for title in ("Initialization", "Tool Discovery", "Tool Execution", "Notification"):
        assert title in texts(drawn)


def test_the_first_message_of_a_step_carries_its_number(drawn: ET.Element) -> None:
    labels = [node.text for node in drawn.iter(f"{SVG}text") if node.get("font-size") == "14.5"]
    assert labels == [
        "1. initialize request", "initialize response", "notifications/initialized",
        "2. tools/list request", "tools/list response",
        "3. tools/call request", "tools/call response",
        "4. notifications/tools/list_changed", "tools/list request", "tools/list response",
    ]  # fmt: skip


def test_the_id_of_a_message_stands_in_a_chip(drawn: ET.Element) -> None:
    assert "id 3" in group_text(drawn, "m-6").splitlines()


def test_a_message_without_id_says_so(drawn: ET.Element) -> None:
    assert "no id" in group_text(drawn, "m-8").splitlines()


def test_a_text_id_is_told_from_a_number(picture: Draw) -> None:
    root = picture(trace_of(*GREET, asks("ping", "1"), answers("1")))
    assert 'id "1"' in group_text(root, "m-3").splitlines()


def test_the_json_stands_below_its_arrow(drawn: ET.Element) -> None:
    assert '"name": "weather_current"' in group_text(drawn, "m-6")


def test_json_is_drawn_as_it_was_written(picture: Draw) -> None:
    call = asks("tools/call", 2, name="n", arguments={"a": 1.0, "b": 100000.0})
    call["raw"] = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"n","arguments":{"a":1.0,"b":1e5}}}'
    drawn = group_text(picture(trace_of(*GREET, call)), "m-3")
    assert '"a": 1.0' in drawn and '"b": 1e5' in drawn


def test_key_fields_lie_on_yellow(drawn: ET.Element) -> None:
    marks = [node for node in drawn.iter(f"{SVG}rect") if node.get("fill") == "#fef3c7"]
    assert len(marks) >= 9


def test_an_answer_equal_to_an_earlier_one_is_one_line(drawn: ET.Element) -> None:
    assert "same as in step 2" in group_text(drawn, "m-10")
    assert "weather_current" not in group_text(drawn, "m-10")


def test_full_draws_an_equal_answer_again(seed: Trace, picture: Draw) -> None:
    assert "weather_current" in group_text(picture(seed, full=True), "m-10")


def test_the_second_list_is_tied_back_to_its_step(drawn: ET.Element) -> None:
    link = drawn.find(f".//{SVG}a[@href='#step-2']")
    assert link is not None
    assert "back to step 2: re-list tools" in "".join(link.itertext())


def test_messages_and_steps_have_stable_anchors(drawn: ET.Element) -> None:
    ids = {node.get("id") for node in drawn.iter() if node.get("id")}
    assert {f"m-{number}" for number in range(1, 11)} | {f"step-{number}" for number in range(1, 5)} <= ids


def test_hiding_a_message_moves_no_number(seed: Trace, picture: Draw) -> None:
    root = picture(seed, only=["tools/call"])
    ids = {node.get("id") for node in root.iter() if (node.get("id") or "").startswith("m-")}
    assert ids == {"m-6", "m-7"}


def test_only_some_steps_keep_their_numbers(seed: Trace, picture: Draw) -> None:
    root = picture(seed, steps="3")
    assert [node.text for node in root.iter(f"{SVG}text") if node.get("font-size") == "26"] == ["3"]


def test_an_unanswered_request_says_so_and_has_a_bar_that_stays_open(picture: Draw) -> None:
    root = picture(trace_of(*GREET, asks("tools/list", 2)), theme="light")
    assert "no answer" in group_text(root, "m-3")
    bars = [path for path in root.iter(f"{SVG}path") if path.get("stroke-width") == "1.2"]
    assert len(bars) == 1 and not (bars[0].get("d") or "").endswith("Z")


def test_a_cancelled_request_ends_in_a_cross(picture: Draw) -> None:
    stop = tells("notifications/cancelled", sender="client", requestId=2, reason="stop")
    root = picture(trace_of(*GREET, asks("tools/call", 2, name="slow"), stop), theme="light")
    assert "cancelled" in group_text(root, "m-3").splitlines()
    assert [path for path in root.iter(f"{SVG}path") if path.get("stroke-width") == "2.2"]


def test_an_open_subscription_is_not_called_unanswered(picture: Draw) -> None:
    listen = asks("subscriptions/listen", 2, notifications={"toolsListChanged": True})
    root = picture(trace_of(asks("server/discover", 1), answers(1), listen))
    assert "open" in group_text(root, "m-3").splitlines()
    assert not any("no answer" in text for text in texts(root))


def test_stderr_has_dots_and_no_arrow(picture: Draw) -> None:
    log = text_message("stderr", "loading\n")
    root = picture(trace_of(*GREET, log), show=["stderr"], theme="light")
    assert "STDERR" in texts(root) and "loading" in texts(root)
    assert len([node for node in root.iter(f"{SVG}circle") if node.get("r") == "1.8"]) == 3


def test_noise_reaches_nobody_and_ends_in_a_cross(picture: Draw) -> None:
    banner = text_message("noise", "Ready on stdio!", "not-json")
    root = picture(trace_of(*GREET, banner), theme="light")
    line = next(line for line in root.iter(f"{SVG}line") if line.get("stroke") == BROWN)
    assert line.get("stroke-dasharray") == "1 5"
    assert float(line.get("x2", 0)) > CLIENT_LIFELINE + 24
    assert "NOT JSON" in texts(root) and "not-json" in texts(root)


def test_a_crash_ends_the_lifeline_of_the_server(picture: Draw) -> None:
    crash = {
        "sender": "server", "receiver": "client", "kind": "process", "body": {"event": "exited", "exit_code": 1},
        "problems": [{"code": "crashed", "message": "ended early"}],
    }  # fmt: skip
    root = picture(trace_of(*GREET, asks("tools/list", 2), crash), theme="light")
    assert "EXIT 1" in texts(root) and "crashed" in texts(root)
    life = [
        float(line.get("y2", 0)) for line in root.iter(f"{SVG}line") if line.get("x1") == line.get("x2") == "988"
    ]
    other = [
        float(line.get("y2", 0)) for line in root.iter(f"{SVG}line") if line.get("x1") == line.get("x2") == "292"
    ]
    assert max(life) < max(other)


def test_problem_codes_stand_in_chips_two_at_most(picture: Draw) -> None:
    odd = answers(2)
    odd["problems"] = [{"code": code, "message": code} for code in ("bom", "crlf", "id-type-changed")]
    drawn = group_text(picture(trace_of(*GREET, asks("ping", 2), odd)), "m-4").splitlines()
    assert [line for line in drawn if line in ("bom", "crlf", "id-type-changed", "+1")] == ["bom", "crlf", "+1"]


def test_a_series_of_progress_is_one_card(picture: Draw) -> None:
    series = [tells("notifications/progress", progressToken=1, progress=value / 10) for value in range(1, 8)]
    root = picture(trace_of(*GREET, asks("tools/call", 2, name="slow"), *series, answers(2, content=[])))
    labels = [text for text in texts(root) if text.startswith("notifications/progress")]
    assert labels == ["notifications/progress 0.1 → 0.7"]
    assert "×7" in texts(root)


def test_the_legend_tells_of_what_occurs_and_nothing_else(seed: Trace, picture: Draw) -> None:
    names = texts(picture(seed))
    assert {"Legend", "Request", "Response", "Notification", "Client", "Server", "key field"} <= set(names)
    assert "Error" not in names
    assert "Error" in texts(picture(trace_of(*GREET, asks("nope", 2), refuses(2))))


def test_times_are_chips_at_answers_and_a_column(seed: Trace, picture: Draw) -> None:
    plain, chips, column = (picture(seed, times=times) for times in ("none", "latency", "clock"))
    assert not any(text.endswith(" ms") for text in texts(plain))
    assert any(text.endswith(" ms") for text in texts(chips))
    assert "time" in texts(column)
    assert float(column.get("width", 0)) == float(plain.get("width", 0)) + 64


def test_a_pause_is_a_break_with_its_length(picture: Draw) -> None:
    late = {**asks("ping", 2), "at": 5.0}
    root = picture(trace_of(*GREET, late, {**answers(2), "at": 5.01}), times="latency")
    assert any(text.startswith("pause 5.0 s") for text in texts(root))


def test_from_which_length_on_a_pause_is_shown_can_be_chosen(picture: Draw) -> None:
    calls = trace_of(*GREET, {**asks("ping", 2), "at": 1.5}, {**answers(2), "at": 9.0})
    told = {gap: texts(picture(calls, times="latency", gap=gap)) for gap in (1, 2.0, 60)}
    assert [[text for text in told[gap] if text.startswith("pause ")] for gap in told] == [
        ["pause 1.5 s", "pause 7.5 s"], ["pause 7.5 s"], [],
    ]  # fmt: skip
    with pytest.raises(UsageError, match="--gap"):
        api.drawing(calls, gap=0)


def test_notes_stand_in_the_lane_of_the_party_they_are_about(seed: Trace, picture: Draw) -> None:
    root = picture(seed, theme="light", notes="brief")
    where = {"".join(node.itertext()): float(node.get("x", 0)) for node in root.iter(f"{SVG}text")}
    assert where["Version negotiation"] < CLIENT_LIFELINE
    assert where['"listChanged": true'] > SERVER_LIFELINE


def test_without_notes_no_note_is_drawn(seed: Trace, picture: Draw) -> None:
    assert "Version negotiation" not in texts(picture(seed, notes="none"))


def test_english_holds_no_chinese(seed: Trace, picture: Draw) -> None:
    assert not re.search("[\u3000-\u9fff\uff00-\uffef]", "".join(texts(picture(seed, notes="full", lang="en"))))


def test_chinese_keeps_the_names_of_the_protocol(seed: Trace, picture: Draw) -> None:
    drawn = texts(picture(seed, lang="zh"))
    assert {"初始化", "工具发现", "工具执行", "通知", "图例"} <= set(drawn)
    assert any("tools/list" in text for text in drawn)


def test_both_languages_stand_side_by_side(seed: Trace, picture: Draw) -> None:
    drawn = texts(picture(seed, lang="en+zh"))
    assert {"Initialization", "初始化", "协议版本协商", "请求 · 实线"} <= set(drawn)


def test_the_lanes_say_who_it_was(drawn: ET.Element) -> None:
    assert {"MCP Client", "example-client 1.0.0", "MCP Server", "example-server 1.0.0"} <= set(texts(drawn))


def test_the_title_can_be_given(seed: Trace, picture: Draw) -> None:
    assert picture(seed, title="Mine & yours").findtext(f"{SVG}title") == "Mine & yours"


def boxes(root: ET.Element) -> Iterator[tuple[float, float, float, float]]:
    for node in root.iter(f"{SVG}rect"):
        x, y, width, height = (float(node.get(name, 0)) for name in ("x", "y", "width", "height"))
        yield x, y, x + width, y + height


def test_nothing_lies_outside_the_canvas(drawn: ET.Element) -> None:
    width, height = float(drawn.get("width", 0)), float(drawn.get("height", 0))
    for left, top, right, bottom in boxes(drawn):
        assert left >= 0 and top >= 0 and right <= width and bottom <= height


def test_a_trace_without_messages_is_a_picture_all_the_same(picture: Draw) -> None:
    assert "MCP Client" in texts(picture(trace_of()))


def test_width_is_the_size_on_display_and_leaves_the_drawing_alone(seed: Trace, picture: Draw) -> None:
    root = picture(seed, width=640)
    assert root.get("width") == "640" and (root.get("viewBox") or "").startswith("0 0 1280 ")


def stateless(method: str, id: int, **params: object) -> dict[str, object]:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test-client", "version": "1.0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    return asks(method, id, **params, _meta=meta)


def test_a_meta_that_stands_above_already_is_not_drawn_again(picture: Draw) -> None:
    trace = trace_of(stateless("server/discover", 1), answers(1), stateless("tools/list", 2), answers(2))
    root = picture(trace)
    assert "test-client" in group_text(root, "m-1") and "test-client" not in group_text(root, "m-3")
    assert "… as in step 1" in group_text(root, "m-3")
    assert "test-client" in group_text(picture(trace, full=True), "m-3")


def test_a_remark_never_points_at_a_box_that_is_not_drawn(seed: Trace, picture: Draw) -> None:
    assert "same as" not in group_text(picture(seed, steps="4"), "m-10")
    trace = trace_of(stateless("server/discover", 1), answers(1), stateless("tools/list", 2), answers(2))
    assert "test-client" in group_text(picture(trace, only=["tools/*"]), "m-3")


def test_a_retry_is_linked_to_the_answer_that_asked_for_more(picture: Draw) -> None:
    more = answers(2, resultType="input_required", requestState="s", inputRequests={"a": {"method": "roots/list"}})
    again = stateless("tools/call", 3, name="n", requestState="s", inputResponses={"a": {"roots": []}})
    trace = trace_of(stateless("server/discover", 1), answers(1), stateless("tools/call", 2, name="n"), more, again)
    root = picture(trace, theme="light")
    assert "retry" in group_text(root, "m-5").splitlines()
    links = [path for path in root.iter(f"{SVG}path") if path.get("stroke-dasharray") == "1 5"]
    assert [link.get("stroke") for link in links] == [BLUE, BLUE]  # the link, and its sample in the legend


def test_a_long_note_reaches_beside_the_next_message_and_never_into_the_next_note(picture: Draw) -> None:
    root = picture(trace_of(*GREET, tells("notifications/initialized", sender="client")), notes="full", theme="light")
    for x in ("52", "1010"):
        cards = sorted(
            (float(node.get("y", 0)), float(node.get("height", 0)))
            for node in root.iter(f"{SVG}rect") if node.get("x") == x and node.get("width") == "218"
        )  # fmt: skip
        assert all(top + high < below for (top, high), (below, _) in pairwise(cards))


def test_an_excerpt_says_how_many_of_the_messages_it_shows(seed: Trace, picture: Draw) -> None:
    assert "10 messages" in subtitle(picture(seed))
    root = picture(seed, steps="1")
    assert "3 of 10 messages" in subtitle(root)
    assert "1 step, 3 of 10 messages between" in (root.findtext(f"{SVG}desc") or "")
    assert "0 of 10 messages" in subtitle(picture(seed, hide=["request,response,notification"]))
    assert "3 / 10 条消息" in subtitle(picture(seed, steps="1", lang="zh"))


def subtitle(root: ET.Element) -> str:
    return next(text for text in texts(root) if text.startswith("JSON-RPC"))


def test_a_subtitle_stays_on_the_canvas_whatever_the_revisions_are_called() -> None:
    rows = [{**message, "revision": sign * 30} for message, sign in zip([*GREET, *GREET], "国字典z", strict=True)]
    (shown,) = [
        shape.text for shape in flat(api.drawing(trace_of(*rows)).scene.shapes)
        if isinstance(shape, Text) and shape.style == "subtitle"
    ]  # fmt: skip
    assert width(shown, 13.5) <= 1200 and shown.endswith("…")


def test_where_messages_are_left_out_no_pause_is_told_of(picture: Draw) -> None:
    calls = [*GREET, {**asks("ping", 2), "at": 9.0}, {**answers(2), "at": 9.1}, {**asks("tools/list", 3), "at": 9.2}]
    assert any(text.startswith("pause") for text in texts(picture(trace_of(*calls), times="latency")))
    root = picture(trace_of(*calls), times="latency", hide=["ping"])
    assert not any(text.startswith("pause") for text in texts(root))


@pytest.mark.parametrize("ats", [[86400.5, 172800.25], [0, -5], [1e9, 1e12], [1e30, -1e300], [3, 1], [99999.96, 1e5]])
def test_times_stay_left_of_the_lanes_however_large(ats: list[float], picture: Draw) -> None:
    calls = [message for number in range(12) for message in (asks("ping", number), answers(number))]
    timed = [{**message, "at": ats[row % len(ats)]} for row, message in enumerate(calls)]
    root = picture(trace_of(*timed), times="clock")
    times = [node for node in root.iter(f"{SVG}text") if node.get("text-anchor") == "end"]
    assert len(times) > 5
    assert all(len(node.text or "") * 6.623 <= float(node.get("x", 0)) for node in times)


def bars(root: ET.Element) -> list[tuple[float, float, float]]:
    """The closed bars of requests that were given up: middle, top, bottom."""
    frames = [node for node in root.iter(f"{SVG}rect") if node.get("stroke-width") == "1.2"]
    found = [[float(node.get(name, 0)) for name in ("x", "y", "width", "height")] for node in frames]
    return [(x + wide / 2, y, y + high) for x, y, wide, high in found if high > 20]  # the legend's is shorter


def crosses(root: ET.Element) -> list[tuple[float, float]]:
    found = [path for path in root.iter(f"{SVG}path") if path.get("stroke-width") == "2.2"]
    return [tuple(map(float, re.findall(r"[\d.]+", path.get("transform") or ""))) for path in found]  # type: ignore[misc]


TWO_GIVEN_UP = [
    *GREET, asks("tools/call", 2, name="a"), asks("tools/call", 3, name="b"),
    tells("notifications/cancelled", sender="client", requestId=2),
    tells("notifications/cancelled", sender="client", requestId=3), asks("ping", 4), answers(4),
]  # fmt: skip


def test_each_cancelled_request_ends_in_a_cross_on_its_own_bar(picture: Draw) -> None:
    root = picture(trace_of(*TWO_GIVEN_UP), theme="light")
    assert crosses(root) == [(x, bottom) for x, _, bottom in bars(root)]
    assert len({x for x, _ in crosses(root)}) == 2


def test_a_cancellation_that_is_left_out_still_ends_the_wait_where_it_came(picture: Draw) -> None:
    root = picture(trace_of(*TWO_GIVEN_UP), theme="light", hide=["notification"])
    ping = float(arrows(root, "m-7").get("y1", 0))
    assert [bottom for _, _, bottom in bars(root)] == [ping, ping]
    assert [y for _, y in crosses(root)] == [ping, ping]


def test_a_remark_never_points_at_a_box_that_only_points_further(picture: Draw) -> None:
    meta = {"io.example/served-by": "a machine with a name long enough to be worth the remark", "n": 1}
    other = {**meta, "n": 2}
    lists = [
        message for number, shown in enumerate((meta, other, other), 1)
        for message in (asks("tools/list", number), answers(number, tools=[{"name": "t"}], _meta=shown))
    ]  # fmt: skip
    calls = [asks("tools/call", 9, name="t"), answers(9, content=[], _meta=other)]
    root = picture(trace_of(*GREET, *lists, *calls))
    for number in (6, 8):
        group = root.find(f".//{SVG}g[@id='m-{number}']")
        assert group is not None and "same as in step 2" in group_text(root, f"m-{number}")
        assert [each.get("href") for each in group.iter(f"{SVG}a")] == ["#m-4"]
    assert "a machine with a name" in group_text(root, "m-10")


def test_a_loop_back_links_only_to_a_step_that_is_drawn(seed: Trace, picture: Draw) -> None:
    root = picture(seed, steps="4")
    assert any(text == "back to step 2: re-list tools" for text in texts(root))
    assert not list(root.iter(f"{SVG}a"))


def test_a_loop_back_names_the_list_in_full(picture: Draw) -> None:
    again = [asks("resources/templates/list", 2), answers(2, resourceTemplates=[])]
    root = picture(trace_of(*GREET, *again, tells("notifications/resources/list_changed"), *again))
    assert any(text.endswith("re-list resources/templates") for text in texts(root))


def test_a_pause_stands_below_the_notes_that_reach_down_beside_it() -> None:
    late = {**answers(1, protocolVersion="2025-11-25"), "at": 9.0}
    shapes = list(flat(api.drawing(trace_of(GREET[0], late), notes="full", times="latency").scene.shapes))
    (pause,) = [shape for shape in shapes if isinstance(shape, Text) and shape.text.startswith("pause ")]
    cards = [shape for shape in shapes if isinstance(shape, Rect) and shape.style == "lane.client.note"]
    assert cards and max(card.y + card.height for card in cards) < pause.y - 14


@pytest.mark.parametrize("form", ["duo", "ledger"])
def test_the_number_of_a_step_stays_in_its_disc(form: Form) -> None:
    rows = [{**tells("a"), "step": {"title": f"Part {number}"}} for number in range(1, 1001)]
    shapes = list(flat(api.drawing(trace_of(*rows), form=form, notes="none").scene.shapes))
    styles = {"band.digit", "ledger.digit", "band.digits", "band.digits.many"}
    numbers = [shape for shape in shapes if isinstance(shape, Text) and shape.style in styles]
    assert [int(shape.text) for shape in numbers] == list(range(1, 1001))
    assert all(width(shape.text, STYLES[shape.style].size, 700) <= 40 for shape in numbers)


def test_a_folded_row_has_a_range_that_tells_its_two_ends_apart(picture: Draw) -> None:
    progress = [tells("notifications/progress", progressToken=1, progress=value) for value in range(7)]
    for apart, told in ((0.002, "2.50–2.51"), (0.02, "2.5–2.6"), (2, "2.5–14.5"), (40_000, "2.5–240002.5")):
        rows = [{**message, "at": 2.5 + apart * number} for number, message in enumerate(progress)]
        assert told in texts(picture(trace_of(*rows), times="clock"))
