"""Two sessions beside each other in one picture."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen import api
from flowgen.flow import compared
from flowgen.scene import Group, Options, Rect, Scene, Text, beside, flat
from flowgen.scene._beside_cells import cells
from flowgen.trace import Trace
from tests.hostile import strings
from tests.scene.canvas import inside_the_canvas
from tests.traces import SAMPLES, answers, asks, tells, trace_of

_NAMES = ("old.json", "new.json")


def _picture(old: Trace, new: Trace, **options) -> Scene:
    return beside(compared(old, new), _NAMES, Options(**options))


def _sample(name: str) -> Trace:
    return api.load(SAMPLES / name)


def _call(id: int, tool: str, text: str = "ok"):
    return asks("tools/call", id, name=tool, arguments={}), answers(id, content=[{"type": "text", "text": text}])


def _signs(scene: Scene) -> list[str]:
    return [shape.text for shape in flat(scene.shapes) if isinstance(shape, Text) and shape.style.endswith(".sign")]


def test_the_two_eras_of_one_server_stand_beside_each_other():
    scene = _picture(_sample("sdk-handshake.json"), _sample("sdk-stateless.json"))
    assert scene.width <= 1600
    assert {"=", "≠", "+", "−"} == set(_signs(scene))
    inside_the_canvas(scene)


@pytest.mark.parametrize("lang", ["zh", "en+zh"])
def test_every_language_fits(lang):
    inside_the_canvas(_picture(_sample("seed.json"), _sample("sdk-stateless.json"), lang=lang))


def test_the_name_of_a_narrow_lane_is_whole_in_every_language():
    for lang in ("en", "zh", "en+zh"):
        scene = _picture(trace_of(*_call(1, "a")), trace_of(*_call(1, "a")), lang=lang)
        names = [shape.text for shape in flat(scene.shapes) if isinstance(shape, Text) and "lane.name" in shape.style]
        assert len(names) == 4 and not any("…" in name for name in names)


def test_what_means_the_same_stands_at_one_height():
    scene = _picture(trace_of(*_call(1, "a")), trace_of(tells("notifications/x"), *_call(1, "a")))
    at = [shape.y for shape in flat(scene.shapes) if isinstance(shape, Text) and "tools/call request" in shape.text]
    assert len(at) == 2 and at[0] == at[1]


def test_a_sign_stands_for_everything_that_occurs_and_the_legend_explains_only_that():
    moved = _picture(trace_of(*_call(1, "a"), *_call(2, "b")), trace_of(*_call(2, "b"), *_call(1, "a")))
    assert set(_signs(moved)) == {"=", "⇅"}
    assert "in another order" in [shape.text for shape in flat(moved.shapes) if isinstance(shape, Text)]
    same = _picture(trace_of(*_call(1, "a")), trace_of(*_call(1, "a")))
    assert set(_signs(same)) == {"="}


def test_what_differs_is_told_below_the_boxes_and_underlaid_in_them():
    scene = _picture(trace_of(*_call(1, "a", "old words")), trace_of(*_call(1, "a", "new words")))
    texts = [shape.text for shape in flat(scene.shapes) if isinstance(shape, Text)]
    assert '− /result/content/0/text: "old words"' in texts and '+ /result/content/0/text: "new words"' in texts
    assert any(isinstance(shape, Rect) and shape.style == "mark" for shape in flat(scene.shapes))


def test_a_long_stretch_that_is_the_same_folds_unless_everything_is_asked_for():
    rows = [row for number in range(20) for row in _call(number, f"t{number}")]
    told = compared(trace_of(*rows), trace_of(*rows))
    assert [cell.folded for cell in cells(told, full=False) if cell.folded] == [36]
    assert len(cells(told, full=True)) == 40


def test_every_message_of_the_newer_session_has_its_anchor_once():
    scene = _picture(_sample("sdk-handshake.json"), _sample("sdk-stateless.json"), full=True)
    anchors = [shape.anchor for shape in scene.shapes if isinstance(shape, Group) and shape.anchor]
    assert len(anchors) == len(set(anchors)) == 18


def test_messages_with_others_than_the_two_are_not_drawn_as_if_they_were():
    scene = _picture(_sample("oauth/trace.json"), _sample("oauth/trace.json"), full=True)
    titles = [shape.text for shape in flat(scene.shapes) if isinstance(shape, Text) and shape.style == "label"]
    assert titles and not any("token" in title.lower() and "POST" in title for title in titles)


def test_an_empty_session_beside_another_is_a_picture():
    inside_the_canvas(_picture(trace_of(), _sample("seed.json")))
    inside_the_canvas(_picture(trace_of(), trace_of()))


@settings(max_examples=8)
@given(st.sampled_from(strings()), st.sampled_from(strings()))
def test_hostile_texts_stay_inside(one, other):
    old, new = trace_of(*_call(1, one, other), title=one), trace_of(*_call(1, other, one), title=other)
    inside_the_canvas(beside(compared(old, new), (one, other), Options()))


def test_messages_with_others_are_told_to_be_missing():
    people = [{"id": f"{role}-{name}", "role": role} for name in ("one", "two") for role in ("client", "server")]
    rows = [{**row, **{end: f"{row[end]}-{name}" for end in ("sender", "receiver")}}
            for name in ("one", "two") for row in _call(1, "a")]  # fmt: skip
    told = api.diff(trace_of(*rows, participants=people), trace_of(*rows[2:], *rows[:2], participants=people))
    assert not told
    with pytest.warns(UserWarning, match="4 messages with others than the first client and server"):
        picture = told.svg
    assert "⇅" not in picture
