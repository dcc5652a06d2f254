"""Bars of requests that wait and of streams, in places beside each other; words on arrows."""

from dataclasses import replace
from typing import Any

import pytest

from flowgen import api
from flowgen.flow import Flow
from flowgen.scene import Line, Rect, Scene, Text, flat
from tests.scene.flows import alt, entries, flow_of, scene
from tests.scene.invariants import everything_holds
from tests.traces import answers, asks, tells, trace_of

CLIENT, SERVER = 292.0, 988.0  # lifelines of the duo
CROSSED = [asks("a", 1), asks("b", 2), answers(2), answers(1)]


def of(drawn: Scene, kind: type, style: str) -> list[Any]:
    return [shape for shape in flat(drawn.shapes) if isinstance(shape, kind) and shape.style == style]


def bars(drawn: Scene, side: str = "server") -> list[Rect]:
    return [each for each in of(drawn, Rect, f"lane.{side}.wait") if each.height > 20]


def overlapping(*messages: dict[str, Any]) -> Flow:
    """A flow in which every request overlaps another one."""
    trace = trace_of(*messages)
    rows = [replace(each, overlaps=each.state is not None) for each in entries(trace).values()]
    return flow_of(trace, rows)


def arrow(drawn: Scene, kind: str, number: int) -> Line:
    return [line for line in of(drawn, Line, f"line.{kind}") if abs(line.x2 - line.x1) > 100][number]  # type: ignore[no-any-return]


def test_in_the_duo_only_waits_that_overlap_have_bars() -> None:
    trace = trace_of(*CROSSED)
    alone = [replace(each, overlaps=False) for each in entries(trace).values()]
    assert not bars(scene(flow_of(trace, alone))) and len(bars(scene(overlapping(*CROSSED)))) == 2


@pytest.mark.parametrize("form", ["auto", "ledger"])
def test_a_second_wait_stands_further_out_from_its_request_to_its_answer(form: str) -> None:
    drawn = scene(overlapping(*CROSSED), form=form)
    first, second = bars(drawn)
    assert second.x - first.x == 8
    requests, responses = [[arrow(drawn, kind, n).y1 for n in (0, 1)] for kind in ("req", "res")]
    assert [first.y, second.y] == requests
    assert [second.y + second.height, first.y + first.height] == responses


@pytest.mark.parametrize("form", ["auto", "ledger"])
def test_an_arrow_ends_at_its_own_bar_and_the_answer_starts_there(form: str) -> None:
    drawn = scene(overlapping(*CROSSED), form=form)
    assert arrow(drawn, "req", 1).x2 - arrow(drawn, "req", 0).x2 == 8
    assert arrow(drawn, "res", 0).x1 - arrow(drawn, "res", 1).x1 == 8
    assert arrow(drawn, "res", 0).x2 == arrow(drawn, "res", 1).x2


def test_in_the_duo_the_client_s_bars_go_left_into_its_lane() -> None:
    back = [{**message, "sender": message["receiver"], "receiver": message["sender"]} for message in CROSSED]
    first, second = bars(scene(overlapping(*back)), "client")
    assert first.x + 5 == CLIENT and second.x == first.x - 8


def test_a_place_is_taken_again_when_its_wait_is_over() -> None:
    again = [asks("c", 3), asks("d", 4), answers(3), answers(4)]
    assert [bar.x for bar in bars(scene(overlapping(*CROSSED, *again)))] == [983, 991, 983, 991]


def test_more_than_three_waits_share_the_last_place() -> None:
    many = [asks("a", number) for number in range(6)] + [answers(number) for number in range(6)]
    drawn = scene(overlapping(*many), form="ledger")
    assert [bar.x - bars(drawn)[0].x for bar in bars(drawn)] == [0, 8, 16, 16, 16, 16]


@pytest.mark.parametrize("form", ["auto", "ledger"])
def test_a_break_goes_through_all_bars_beside_each_other(form: str) -> None:
    late = [asks("a", 1), asks("b", 2), {**answers(2), "at": 9}, {**answers(1), "at": 9}]
    drawn = scene(overlapping(*late), times="latency", form=form)
    widths = sorted({round(line.x2 - line.x1) for line in of(drawn, Line, "break")})
    assert widths == [18, 26]


# Subscriptions and streams


def on_stream(message: dict[str, Any]) -> dict[str, Any]:
    return {**message, "transport": "sse", "exchange": 1}


def listening(*after: dict[str, Any]) -> list[dict[str, Any]]:
    told = tells("notifications/subscriptions/acknowledged", _meta={"io.modelcontextprotocol/subscriptionId": 1})
    return [on_stream(asks("subscriptions/listen", 1)), on_stream(told), *after]


def stream_closes(by: str) -> dict[str, Any]:
    return {**half(by, {}), "transport": "http", "exchange": 1, "body": {"event": "stream-closed", "by": by}}


def half(sender: str, http: dict[str, Any]) -> dict[str, Any]:
    receiver = "client" if sender == "server" else "server"
    return {"sender": sender, "receiver": receiver, "kind": "http", "http": http}


def streams(drawn: Scene) -> list[Rect]:
    return [each for each in of(drawn, Rect, "lane.server.stream") if each.height != 18]  # one is the legend's


@pytest.mark.parametrize("form", ["duo", "ledger"])
def test_a_subscription_that_was_closed_says_so_and_has_no_cross(form: str) -> None:
    drawn = api.drawing(trace_of(*listening(stream_closes("client"))), form=form).scene
    said = [shape.text for shape in flat(drawn.shapes) if isinstance(shape, Text)]
    assert "closed" in said and "cancelled" not in said
    assert not [shape for shape in flat(drawn.shapes) if "cancel" in getattr(shape, "style", "")]


@pytest.mark.parametrize("form", ["duo", "ledger"])
def test_a_stream_lasts_until_it_is_closed_and_its_subscription_waits_so_long(form: str) -> None:
    later = [asks("tools/list", 2), answers(2), stream_closes("client"), asks("ping", 3), answers(3)]
    drawn = api.drawing(trace_of(*listening(*later)), form=form).scene
    (stream,) = streams(drawn)
    wait = max(bars(drawn), key=lambda each: each.height)
    assert stream.y == wait.y == arrow(drawn, "req", 0).y1
    assert stream.y + stream.height == wait.y + wait.height == arrow(drawn, "req", 2).y1


@pytest.mark.parametrize("form", ["duo", "ledger"])
def test_a_stream_that_is_closed_after_all_else_lasts_to_the_lane_end(form: str) -> None:
    drawn = api.drawing(trace_of(*listening(asks("ping", 2), answers(2), stream_closes("client"))), form=form).scene
    (stream,), (lane,) = streams(drawn), of(drawn, Rect, "lane.server")[:1]
    assert stream.y + stream.height == lane.y + lane.height


def test_a_stream_that_ends_with_its_answer_ends_there() -> None:
    call = [on_stream(asks("tools/call", 1, name="n")), on_stream(answers(1)), stream_closes("server")]
    drawn = api.drawing(trace_of(*call, asks("ping", 2), answers(2))).scene
    (stream,) = streams(drawn)
    assert stream.y + stream.height == arrow(drawn, "res", 0).y1


def two_branches() -> Flow:
    """A subscription in each branch; that of the first one ends after all that is drawn of it."""
    heard = [on_stream(asks("subscriptions/listen", 1)), on_stream(tells("notifications/resources/updated"))]
    again = [{**message, "exchange": 2} for message in heard]
    trace = trace_of(*heard, *again, {**on_stream(answers(1)), "exchange": 2}, asks("ping", 9))
    each = entries(trace)
    each[1] = replace(each[1], state="closed", answer=None, ended_by=3, stream_end=3)
    each[3] = replace(each[3], state="answered", answer=5)
    return flow_of(trace, [alt(("by the client", (each[1], each[2])), ("by the server", (each[3], each[4], each[5])))])


@pytest.mark.parametrize("form", ["duo", "ledger"])
def test_what_waits_and_streams_in_a_branch_ends_in_this_branch(form: str) -> None:
    drawn = scene(two_branches(), form=form)
    everything_holds(drawn)
    (parting,) = of(drawn, Line, "group.part")
    first, _ = streams(drawn)
    for bar in (first, bars(drawn)[0]):
        assert arrow(drawn, "ntf.dashed", 0).y1 < bar.y + bar.height < parting.y1 < arrow(drawn, "req", 1).y1


def test_a_place_that_was_taken_in_one_branch_is_free_in_the_next_one() -> None:
    first, second = bars(scene(two_branches(), form="ledger"))
    assert first.x == second.x


@pytest.mark.parametrize("form", ["duo", "ledger"])
def test_a_wait_without_an_end_fades_in_its_own_branch(form: str) -> None:
    trace = trace_of(asks("a", 1), asks("ping", 2), answers(2))
    each = entries(trace)
    drawn = scene(flow_of(trace, [alt(("silent", (each[1],)), ("well", (each[2], each[3])))]), form=form)
    fading = [line for line in of(drawn, Line, "lane.server.wait.fading") if line.y2 - line.y1 == 24]
    (parting,) = of(drawn, Line, "group.part")
    assert fading and all(line.y2 < parting.y1 for line in fading)


@pytest.mark.parametrize(("lang", "word"), [("en", "open URL"), ("zh", "打开 URL")])
def test_words_of_our_own_on_arrows_are_in_the_language_of_the_picture(lang: str, word: str) -> None:
    note = {"sender": "client", "receiver": "browser", "kind": "note", "body": {"event": "opened-browser", "data": {}}}
    known = [{"id": id_, "role": id_} for id_ in ("browser", "client", "server")]
    drawn = api.drawing(trace_of(note, asks("ping"), answers(), participants=known), lang=lang).scene
    assert word in [shape.text for shape in flat(drawn.shapes) if isinstance(shape, Text)]
