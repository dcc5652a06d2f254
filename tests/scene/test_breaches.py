"""Rules that a recording does not keep, marked in its picture and listed below it."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from flowgen import api
from flowgen.errors import UsageError
from flowgen.scene import Rect, Text, flat
from tests.scene.canvas import inside_the_canvas
from tests.traces import SAMPLES, answers, asks, trace_of

_ERRORS = Path(__file__).parents[1] / "check" / "captures" / "stdio-errors.jsonl"


def _judged(**options):
    return api.drawing(api.load(_ERRORS), check=True, **options)


def _texts(scene) -> list[str]:
    return [shape.text for shape in flat(scene.shapes) if isinstance(shape, Text)]


def _numbers(scene) -> list[str]:
    styles = ("chip.error.text", "chip.warning.text", "chip.info.text")
    return [shape.text for shape in flat(scene.shapes) if isinstance(shape, Text) and shape.style in styles]


@pytest.mark.parametrize("form", ["duo", "ledger"])
@pytest.mark.parametrize("lang", ["en", "zh", "en+zh"])
def test_every_breach_has_its_number_at_a_message_and_in_the_list(form, lang):
    told = _judged(form=form, lang=lang)
    inside_the_canvas(told.scene)
    marked, listed = _numbers(told.scene), [str(each.number) for each in told.breaches]
    assert listed and {f"!{number}" for number in listed} <= set(marked)
    assert set(listed) <= set(_texts(told.scene))


def test_what_nobody_judged_has_neither_marks_nor_a_list():
    told = api.drawing(api.load(_ERRORS))
    assert not _numbers(told.scene) and not any("Rules not kept" in text for text in _texts(told.scene))


def test_a_recording_that_keeps_the_rules_says_so():
    told = api.drawing(api.load(SAMPLES / "seed.json"), check=True)
    assert "No rule of the protocol is broken" in _texts(told.scene) and not _numbers(told.scene)


def test_a_message_that_breaks_a_rule_does_not_fold():
    rows = [row for id in range(20) for row in (asks("ping", id), answers(id))]
    rows[20]["body"]["jsonrpc"] = "1.0"
    told = api.drawing(trace_of(*rows), check=True)
    assert "!1" in _numbers(told.scene)


def test_each_line_of_the_list_leads_to_its_message():
    root = ElementTree.fromstring(_judged().svg)
    links = {each.get("href") for each in root.iter() if each.get("href", "").startswith("#m-")}
    anchors = {f"#{each.get('id')}" for each in root.iter() if each.get("id")}
    assert links and links <= anchors


@pytest.mark.parametrize("form", ["txt", "md", "mermaid", "plantuml"])
def test_texts_list_them_too(form):
    text = _judged().files(form)[0].decode()
    assert "Rules not kept: " in text and "meta-version-missing" in text


def test_the_data_of_the_flow_hold_them():
    found = json.loads(_judged().json())["breaches"]
    assert found[0]["number"] == 1 and found[0]["level"] in ("error", "warning", "info") and found[0]["seq"]


def test_several_recordings_in_one_picture_are_not_judged():
    with pytest.raises(UsageError, match="one recording at a time"):
        api.drawing([api.load(_ERRORS), api.load(_ERRORS)], check=True)


def test_marks_are_framed_in_the_colour_of_how_grave_they_are():
    styles = {shape.style for shape in flat(_judged().scene.shapes) if isinstance(shape, Rect)}
    assert "chip.error" in styles and "chip.info" in styles


def test_in_a_recording_so_long_that_everything_folds_the_run_tells_the_numbers():
    rows = [row for id in range(900) for row in (asks("ping", id), answers(id))]
    for row in rows[::2]:
        row["body"]["jsonrpc"] = "1.0"
    told = api.drawing(trace_of(*rows), check=True)
    inside_the_canvas(told.scene)
    assert any("!1" in text for text in _texts(told.scene))
