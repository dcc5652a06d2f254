"""Frames around groups and notes over lanes, in both forms: where their lines, tabs and conditions stand."""

from dataclasses import replace
from typing import Any

import pytest

from flowgen.flow import Branch, Flow, Group, Remark, Row, read
from flowgen.scene import Line, Path, Rect, Scene, Text, flat
from flowgen.trace import Trace
from tests.scene.flows import alt, entries, flow_of, loop, nested, paged, people, say, scene
from tests.scene.invariants import everything_holds
from tests.traces import answers, asks, tells, trace_of


def of(drawn: Scene, kind: type, style: str) -> list[Any]:
    return [shape for shape in flat(drawn.shapes) if isinstance(shape, kind) and shape.style == style]


def frames(drawn: Scene) -> list[Rect]:
    """The outlines, the outermost first; the legend's sample is smaller than any."""
    return sorted((each for each in of(drawn, Rect, "group") if each.width > 100), key=lambda each: each.x)


def said(drawn: Scene, style: str) -> list[str]:
    return [shape.text for shape in of(drawn, Text, style)]


def arrows(drawn: Scene, kind: str) -> list[float]:
    """The y of every arrow of a kind; those of the legend are short."""
    return [line.y1 for line in of(drawn, Line, f"line.{kind}") if abs(line.x2 - line.x1) > 100]


@pytest.mark.parametrize("form", ["auto", "ledger"])
def test_a_frame_spans_the_picture_and_those_inside_step_in(form: str) -> None:
    drawn = scene(nested(3), form=form)
    assert [frame.x for frame in frames(drawn)] == [26, 34, 42]
    rights = [frame.x + frame.width for frame in frames(drawn)]
    assert rights == [drawn.width - 26, drawn.width - 34, drawn.width - 34]


@pytest.mark.parametrize("form", ["auto", "ledger"])
def test_frames_hold_their_rows_and_each_other(form: str) -> None:
    drawn = scene(nested(3), form=form)
    outer, middle, inner = frames(drawn)
    assert inner.y - middle.y == middle.y - outer.y == 36
    assert outer.y + outer.height - middle.y - middle.height == 12
    ping, nope = arrows(drawn, "req")[1:3]
    assert inner.y + 36 < ping < inner.y + inner.height and nope > outer.y + outer.height


def test_the_tab_of_a_frame_has_one_corner_cut_and_the_condition_stands_beside_it_in_a_chip() -> None:
    drawn = scene(nested(1))
    (frame,) = frames(drawn)
    tab = next(path for path in of(drawn, Path, "group.tab") if path.x == frame.x)
    assert tab.y == frame.y and tab.d.endswith("L39.69 22 Z")
    assert said(drawn, "group.operator") == ["loop"] and said(drawn, "group.condition") == ["frame 0"]
    chip = min((each for each in of(drawn, Rect, "chip") if each.y > frame.y), key=lambda each: each.y)
    assert (chip.y, chip.height) == (frame.y + 3, 20) and chip.x > frame.x + 22


def test_branches_are_parted_by_a_line_over_the_whole_frame_and_named_else() -> None:
    drawn = scene(paged())
    outer, inner = frames(drawn)
    (line,) = of(drawn, Line, "group.part")
    assert (line.x1, line.x2) == (outer.x, outer.x + outer.width) and outer.y < line.y1 < inner.y
    assert said(drawn, "group.operator") == ["alt", "else", "loop"]
    first, second = arrows(drawn, "res")[:2]
    assert first < line.y1 < second - 30


def test_what_goes_on_at_the_same_time_is_parted_by_and() -> None:
    each = entries(trace_of(asks("a", 1), asks("b", 2)))
    together = Group("par", (Branch(None, (each[1],)), Branch(None, (each[2],))))
    drawn = scene(flow_of(trace_of(asks("a", 1), asks("b", 2)), [together]))
    assert said(drawn, "group.operator") == ["par", "and"] and not said(drawn, "group.condition")


def test_a_condition_is_said_in_the_language_of_the_picture_and_cut_where_it_is_long() -> None:
    trace = trace_of(asks("ping"), answers())
    each = entries(trace)
    group = Group("loop", (Branch(say("while it is so " * 40, "当……时"), (each[1], each[2])),))
    flow = flow_of(trace, [group])
    assert said(scene(flow, lang="zh"), "group.condition") == ["当……时"]
    (shown,) = of(scene(flow), Text, "group.condition")
    assert shown.text.endswith("…") and str(shown.cut).startswith("while it is so while")


def test_times_stay_right_of_the_frames_they_stand_in() -> None:
    trace = trace_of({**asks("ping"), "at": 12345.678}, {**answers(), "at": 99999.5})
    each = entries(trace)
    drawn = scene(flow_of(trace, [loop("a", loop("b", loop("c", each[1], each[2])))]), times="clock")
    (innermost,) = [frame for frame in frames(drawn) if frame.x == 42]
    times = [shape for shape in of(drawn, Text, "time") if shape.y > innermost.y]
    assert len(times) == 2 and all(shape.x - len(shape.text) * 6.623 > innermost.x for shape in times)


def test_no_note_of_a_lane_hangs_into_a_frame_below_it(seed: Trace) -> None:
    flow = read(seed, notes="full", full=True)
    step = flow.steps[0]
    rows: tuple[Row, ...] = (*step.rows[:1], loop("so", *step.rows[1:]))
    drawn = scene(replace(flow, steps=(replace(step, rows=rows),)))
    (frame,) = frames(drawn)
    cards = [card for side in ("client", "server") for card in of(drawn, Rect, f"lane.{side}.note")]
    edges = (frame.y, frame.y + frame.height)
    assert cards and not [card for card in cards for edge in edges if card.y < edge < card.y + card.height]


# Notes over lanes


def told(over: tuple[str, str]) -> Flow:
    trace = trace_of(
        asks("ping"), answers(),
        {"sender": "person", "receiver": "client", "kind": "note", "body": {"event": "approved", "data": {}}},
        participants=people("person", "client", "server"),
    )  # fmt: skip
    return flow_of(trace, [Remark(over, say("a fact", "一件事")), *entries(trace).values()])


@pytest.mark.parametrize(("over", "ends"), [
    (("client", "server"), (222, 554)), (("person", "server"), (46, 554)), (("server", "person"), (46, 554)),
    (("client", "client"), (222, 378)),
])  # fmt: skip
def test_a_remark_spans_the_lanes_it_is_about(over: tuple[str, str], ends: tuple[float, float]) -> None:
    (note,) = of(scene(told(over)), Rect, "over")
    assert (note.x, note.x + note.width) == ends and note.height == 30


def test_with_two_lanes_a_remark_stands_in_the_gutter() -> None:
    trace = trace_of(asks("ping"), answers())
    drawn = scene(flow_of(trace, [Remark(("client", "server"), say("a fact", "一件事"))]), lang="en+zh")
    (note,) = of(drawn, Rect, "over")
    assert (note.x, note.width) == (320, 640) and said(drawn, "over.text") == ["a fact", "一件事"]


# What a wait becomes in them


def bars(drawn: Scene) -> list[Rect]:
    return [each for each in of(drawn, Rect, "lane.server.wait") if each.height > 20]


def test_a_wait_that_ends_in_each_branch_goes_on_at_the_beginning_of_the_next_one() -> None:
    drawn = scene(paged())
    first, further = bars(drawn)[0], of(drawn, Path, "lane.server.wait")[0]
    (parting,) = of(drawn, Line, "group.part")
    assert first.y + first.height == arrows(drawn, "res")[0]
    assert further.x == first.x and parting.y1 < further.y < arrows(drawn, "res")[1]
    reach = arrows(drawn, "res")[1] - further.y
    assert further.d == f"M0 0 L0 {reach:g} L10 {reach:g} L10 0"


def test_a_place_is_free_between_the_ends_of_a_wait_in_two_branches() -> None:
    trace = trace_of(asks("a", 1), answers(1), asks("b", 2), answers(2), answers(1), asks("c", 3), answers(3))
    each = entries(trace)
    one, other = (each[2], each[3], each[4]), (each[6], replace(each[5], request=1, state=None), each[7])
    drawn = scene(flow_of(trace, [each[1], alt(("so", one), ("else", other))]), form="ledger")
    everything_holds(drawn)
    first, within, crossing = bars(drawn)
    assert within.x == first.x and crossing.x == first.x + 8


def test_a_wait_that_ends_in_one_branch_ends_there() -> None:
    trace = trace_of(asks("ping"), answers(), tells("a"))
    each = entries(trace)
    drawn = scene(flow_of(trace, [each[1], alt(("so", (each[2],)), ("else", (each[3],)))]), form="ledger")
    (bar,) = bars(drawn)
    assert bar.y + bar.height == arrows(drawn, "res")[0]
