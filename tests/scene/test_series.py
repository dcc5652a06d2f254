"""Progress as ticks on a track, lists asked again as what became of them, and the legend of what is new."""

import json
from dataclasses import replace
from typing import Any

import pytest

from flowgen.flow import Entry, Flow, ListChange, Run
from flowgen.scene import Circle, Code, Line, Rect, Scene, Text, flat
from tests.backends.test_svg import HOSTILE
from tests.scene.flows import entries, flow_of, nested, scene
from tests.scene.invariants import everything_holds
from tests.traces import answers, asks, tells, trace_of


def of(drawn: Scene, kind: type, style: str) -> list[Any]:
    return [shape for shape in flat(drawn.shapes) if isinstance(shape, kind) and shape.style == style]


def legend(drawn: Scene) -> set[str]:
    return {shape.text for shape in of(drawn, Text, "legend.name")}


# Progress


def series(*steps: dict[str, Any]) -> Flow:
    trace = trace_of(asks("tools/call", 1, name="n"), *(tells("notifications/progress", **step) for step in steps))
    first, *told = entries(trace).values()
    return flow_of(trace, [first, Run("repeat", tuple(told))])


def drawn_series(*values: Any, **more: Any) -> Scene:
    return scene(series(*({"progress": value, **more} for value in values)))


def ticks(drawn: Scene) -> list[float]:
    """How far along its track each tick stands."""
    track = max(of(drawn, Line, "series.track"), key=lambda line: line.x2 - line.x1)
    found = [line.x1 for line in of(drawn, Line, "series.tick") if line.y1 < track.y1 < line.y2]
    return [round((x - track.x1) / (track.x2 - track.x1), 2) for x in found]


def test_every_value_has_a_tick_between_the_lowest_and_the_highest() -> None:
    assert ticks(drawn_series(1, 2, 3, 5)) == [0, 0.25, 0.5, 1]


def test_with_a_total_the_track_ends_there() -> None:
    drawn = drawn_series(0, 25, 50, total=100)
    assert ticks(drawn) == [0, 0.25, 0.5]
    assert [shape.text for shape in of(drawn, Text, "series.number.end")] == ["50 / 100"]


def test_the_first_and_the_last_value_stand_at_the_ends_and_the_last_words_below() -> None:
    drawn = scene(series({"progress": 0.1, "message": "starting"}, {"progress": 0.7, "message": "nearly \u202e"}))
    assert [shape.text for shape in of(drawn, Text, "series.number")] == ["0.1"]
    assert [shape.text for shape in of(drawn, Text, "series.number.end")] == ["0.7"]
    assert [shape.text for shape in of(drawn, Text, "note.text")] == ["nearly U+202E"]


def test_two_more_outlines_stand_behind_a_series_and_its_number_is_a_range() -> None:
    flow = series({"progress": 1}, {"progress": 2}, {"progress": 3})
    assert len(of(scene(flow), Rect, "box.behind")) == 2
    assert "2–4" in [shape.text for shape in of(scene(flow, form="ledger"), Text, "number")]


@pytest.mark.parametrize("values", [
    [5, 5, 5], [3, 1, 2], [-1e308, 1e308], [0, 10**300], [0.5] * 40, list(range(4000)),
])  # fmt: skip
def test_whatever_the_values_the_ticks_stand_on_the_track_and_apart(values: list[float]) -> None:
    drawn = drawn_series(*values)
    everything_holds(drawn)
    assert all(0 <= share <= 1 for share in ticks(drawn)) and len(ticks(drawn)) < 320
    marks = [shape for shape in of(drawn, Circle, "bar.ntf") if shape.radius == 4]
    assert all(336 <= mark.x <= 944 for mark in marks[:1])


def test_progress_without_a_number_has_its_json_drawn() -> None:
    drawn = drawn_series("much", True, None)
    assert not of(drawn, Line, "series.track")
    assert any('"much"' in line for line in codes(drawn))


# Lists asked again


def codes(drawn: Scene) -> list[str]:
    found = [shape for shape in flat(drawn.shapes) if isinstance(shape, Code)]
    return ["".join(token[2] for token in code.tokens) for code in found]


def relisted(change: ListChange, **options: Any) -> Scene:
    tools = [{"name": name} for name in ("a", "b", "c")]
    more = answers(2, tools=tools, nextCursor="n")
    trace = trace_of(asks("tools/list", 1), answers(1, tools=tools), asks("tools/list", 2), more)
    rows: list[Entry] = [*entries(trace).values()]
    rows[3] = replace(rows[3], same_as=None, change=change)
    return scene(flow_of(trace, rows), **options)


CHANGE = ListChange(2, ("new",), ("old",), ("other",), 12)


@pytest.mark.parametrize("form", ["auto", "ledger"])
def test_what_became_of_a_list_stands_in_a_line_for_each_name(form: str) -> None:
    shown = codes(relisted(CHANGE, form=form))
    assert shown[-4:] == ["+ new", "- old", "~ other", "= 12 the same as in 2"]


def test_the_rest_of_the_answer_stands_there_as_usual_with_a_remark_in_place_of_the_list() -> None:
    shown = "\n".join(codes(relisted(CHANGE)))
    assert '"tools": [{ … 3 items, what changed stands below }]' in shown and '"nextCursor": "n"' in shown
    assert '"id": 2' in shown


def test_each_sign_has_a_colour_of_its_own_and_the_words_are_in_the_language_of_the_picture() -> None:
    drawn = relisted(CHANGE, lang="zh")
    kinds = [shape.tokens[0][1] for shape in flat(drawn.shapes) if isinstance(shape, Code)][-4:]
    assert kinds == ["added", "removed", "changed", "mut"] and codes(drawn)[-1] == "= 12项与2相同"


def test_full_shows_the_list_and_so_does_a_picture_without_the_list_before() -> None:
    assert not [line for line in codes(relisted(CHANGE, full=True)) if line.startswith(("+", "="))]
    gone = replace(CHANGE, since=99)
    assert not [line for line in codes(relisted(gone)) if line.startswith(("+", "="))]


def test_a_difference_points_at_the_list_itself_and_at_none_that_only_points_further() -> None:
    tools = [{"name": "a"}]
    asked = [each for n in (1, 2, 3) for each in (asks("tools/list", n), answers(n, tools=tools))]
    rows: list[Entry] = [*entries(trace_of(*asked)).values()]
    rows[3] = replace(rows[3], same_as=2)
    rows[5] = replace(rows[5], same_as=None, change=replace(CHANGE, since=4))
    assert codes(scene(flow_of(trace_of(*asked), rows)))[-1] == "= 12 the same as in 2"


def test_a_difference_too_long_is_cut_and_counted() -> None:
    shown = codes(relisted(replace(CHANGE, added=tuple(f"tool{number}" for number in range(100)))))
    assert shown[-1] == "… 56 more lines" and len([line for line in shown if line.startswith("+ ")]) == 47


def test_hostile_names_stay_in_their_box_and_secrets_are_masked() -> None:
    token = "ghp_" + "a1B2" * 9
    drawn = relisted(ListChange(2, (HOSTILE * 9, "x" * 900, "中文" * 90), (token,), ("a\nb",), 0))
    everything_holds(drawn)
    assert token not in json.dumps(codes(drawn))


# The legend


NEW = {"folded run", "progress", "what changed", "belongs together", "pause", "sent again"}


def test_the_legend_explains_each_of_these_where_it_occurs_and_nowhere_else() -> None:
    assert legend(drawn_series(1, 2)) & NEW == {"progress"}
    assert legend(relisted(CHANGE)) & NEW == {"what changed"} and not legend(relisted(CHANGE, full=True)) & NEW
    assert legend(scene(nested(1))) & NEW == {"belongs together"}
    late = trace_of(asks("ping"), {**answers(), "at": 60})
    rows = [*entries(late).values()]
    assert legend(scene(flow_of(late, rows), times="clock")) & NEW == {"pause"}
    assert not legend(scene(flow_of(late, rows))) & NEW
    folded = flow_of(late, [Run("pairs", tuple(rows))])
    assert legend(scene(folded)) & NEW == {"folded run"}
