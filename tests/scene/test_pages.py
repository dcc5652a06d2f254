"""Pages: cut between rows, nothing lost and nothing in half, heads repeated, what runs through goes on."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flowgen import api
from flowgen.errors import UsageError
from flowgen.flow import Flow
from flowgen.scene import Code, Options, Paging, Rect, Scene, Text, alone, flat, groups, pages, span, swimlane
from flowgen.scene._extent import moved
from flowgen.trace import Trace
from tests.backends.test_svg import hostile_trace
from tests.scene.canvas import inside_the_canvas
from tests.scene.flows import nested, paged
from tests.scene.invariants import ids_are_unique, no_boxes_overlap, texts_inside_their_boxes
from tests.scene.strategies import flows
from tests.scene.test_ledger import session
from tests.traces import SAMPLES, answers, asks, trace_of

FEW = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
FOOT = 44  # px between the lanes of a page and its lower edge
SLIDE_FOOT = 32
HEADS = ("title", "subtitle", "page.", "lane.", "ledger.name", "ledger.title", "band", "ledger.band", "ledger.digit")


def sample(name: str, **options: Any) -> Scene:
    made = {"hostile": hostile_trace, "many lanes": session}
    return api.drawing(made[name]() if name in made else api.load(SAMPLES / name), **options).scene


def long_list(lines: int = 200) -> Trace:
    """One exchange whose answer is higher than any page."""
    return trace_of(asks("tools/list", 1), answers(1, tools=[{"name": f"tool number {n}"} for n in range(lines)]))


def told(scene: Scene) -> list[str]:
    """The letters of a picture that are no part of its heads and feet."""
    texts = [shape for shape in flat(scene.shapes) if isinstance(shape, Text) and not shape.style.startswith(HEADS)]
    lines = [shape for shape in flat(scene.shapes) if isinstance(shape, Code)]
    return [shape.text for shape in texts] + ["".join(token[2] for token in line.tokens) for line in lines]


def texts(scene: Scene, style: str) -> list[str]:
    return [shape.text for shape in flat(scene.shapes) if isinstance(shape, Text) and shape.style.startswith(style)]


def at_the_top(page: Scene) -> Scene:
    return replace(page, top=0, shapes=tuple(moved(shape, -page.top) for shape in page.shapes))


def all_holds(scene: Scene, paging: Paging, lang: Any = "en") -> None:
    """What is true of any picture in pages."""
    book = pages(scene, paging, lang)
    assert Counter(told(scene)) - Counter(text for page in book for text in told(page)) == Counter()
    for page in book:
        assert page.height <= max(paging.height, scene.height if len(book) == 1 else 0) + 0.01
        placed = at_the_top(page)
        inside_the_canvas(placed)
        texts_inside_their_boxes(placed)
        no_boxes_overlap(placed)
        ids_are_unique(placed)
    foot = SLIDE_FOOT if paging.slides else FOOT
    for page in book[:-1]:
        assert not [text for text in body_texts(page) if text[1] > page.top + page.height - foot]


def body_texts(page: Scene) -> list[tuple[float, float]]:
    found = [shape for shape in flat(page.shapes) if isinstance(shape, Text | Code)]
    return [span(shape) for shape in found if not (isinstance(shape, Text) and shape.style == "page.foot")]


NAMES = ["seed.json", "everything.json", "oauth/trace.json", "create-issue/trace.json", "hostile", "many lanes"]


@pytest.mark.parametrize("paging", [Paging(1600), Paging(905, True), Paging(720, True, True)])
@pytest.mark.parametrize("name", NAMES)
def test_every_sample_in_pages_is_whole(name: str, paging: Paging) -> None:
    all_holds(sample(name, full=True, times="clock"), paging)


@FEW
@given(flows(), st.sampled_from(["auto", "ledger"]), st.integers(700, 1800), st.booleans(), st.booleans())
def test_any_flow_in_pages_is_whole(flow: Flow, form: Any, height: int, filled: bool, by_step: bool) -> None:
    all_holds(swimlane(flow, Options(form=form)), Paging(height, filled, by_step))


def test_what_has_room_on_one_page_stays_as_it_is() -> None:
    scene = sample("seed.json")
    assert pages(scene, Paging(scene.height)) == [scene]


def test_a_sheet_of_paper_is_filled() -> None:
    scene = sample("seed.json", steps="4")
    [page] = pages(scene, Paging(1810, filled=True))
    assert page.height == 1810
    assert Rect(0, 0, 1280, 1810, "canvas") in page.shapes


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_each_page_tells_its_number_and_where_it_goes_on(lang: Any) -> None:
    book = pages(sample("everything.json", lang=lang), Paging(1600), lang)
    of, on = {"en": ("page {} of {}", "continues on page {}"), "zh": ("第 {} 页，共 {} 页", "下接第 {} 页")}[lang]
    for number, page in enumerate(book, 1):
        count = of.format(number, len(book))
        assert page.title.endswith(f" · {count}") and page.desc.startswith(count)
        assert texts(page, "page.count") == ([count] if number > 1 else [])
        last = number == len(book)
        assert [on.format(number + 1) in text for text in texts(page, "page.foot")] == ([] if last else [True])
        assert bool(texts(page, "legend")) is last


def test_each_page_repeats_title_and_lane_headers() -> None:
    book = pages(sample("many lanes"), Paging(900))
    names = texts(book[0], "ledger.name")
    assert len(book) > 1 and len(names) > 2
    for page in book[1:]:
        assert texts(page, "page.title") == texts(book[0], "title")
        assert texts(page, "ledger.name") == names
        assert texts(page, "legend.second")[:1] == texts(book[0], "legend.second")[:1]  # over the message column


def test_a_step_that_goes_on_repeats_its_band_and_says_so() -> None:
    book = pages(sample("everything.json"), Paging(1600))
    again = [page for page in book if texts(page, "band.again")]
    assert again and not texts(book[0], "band.again")
    for page in again:
        assert len(texts(page, "band.again")) == 1 and texts(page, "band.again") == ["(continued)"]


def test_no_page_ends_with_a_band() -> None:
    scene = sample("everything.json", full=True)
    for height in range(700, 1700, 50):
        for page in pages(scene, Paging(height))[:-1]:
            rows = [group for group in groups(page.shapes) if group.anchor and group.anchor.startswith("m-")]
            lowest = max(span(group)[1] for group in rows)
            assert all(band.y < lowest for band in rects(page, "band"))


def test_a_message_stands_on_one_page_with_its_label_and_box() -> None:
    scene = sample("everything.json")
    whole = {group.anchor: group for group in groups(scene.shapes) if group.anchor and group.anchor.startswith("m-")}
    found = [group for page in pages(scene, Paging(1600)) for group in groups(page.shapes) if group.anchor in whole]
    assert [group.anchor for group in found] == list(whole)
    assert all(group == whole[group.anchor] for group in found)


def test_lanes_and_lifelines_run_from_the_headers_to_the_foot_of_each_page() -> None:
    book = pages(sample("seed.json"), Paging(905, filled=True))
    for page in book[:-1]:
        foot = page.top + page.height - FOOT
        lanes = rects(page, "lane.client") + rects(page, "lane.server")
        assert len(lanes) == 2 and all(lane.y + lane.height > foot for lane in lanes)


def rects(page: Scene, style: str) -> list[Rect]:
    return [shape for shape in flat(page.shapes) if isinstance(shape, Rect) and shape.style == style]


def test_an_open_frame_has_no_lower_edge_at_the_cut_and_no_upper_one_after_it() -> None:
    book = pages(swimlane(paged(), Options()), Paging(700))
    cuts = [(one, other) for one, other in pairwise(book) if rects(one, "group") and rects(other, "group")]
    assert cuts
    for one, other in cuts:
        foot, head = one.top + one.height - FOOT, rects(other, "canvas")[1]
        assert any(frame.y + frame.height > foot for frame in rects(one, "group"))  # its lower edge is under the foot
        assert any(frame.y < head.y + head.height for frame in rects(other, "group"))  # its upper one under the head


def test_a_row_higher_than_a_page_is_torn_between_lines_and_says_so() -> None:
    scene = api.drawing(long_list(), full=True).scene
    book = pages(scene, Paging(900))
    assert len(book) > 3
    all_holds(scene, Paging(900))
    assert any("this message continues on page" in text for page in book for text in texts(page, "page.foot"))
    lines = [span(shape) for page in book for shape in flat(page.shapes) if isinstance(shape, Code)]
    assert len(lines) == sum(1 for shape in flat(scene.shapes) if isinstance(shape, Code))


def test_on_slides_every_step_begins_a_page() -> None:
    scene = sample("seed.json")
    book = pages(scene, Paging(720, filled=True, slides=True))
    assert not rects(book[0], "band")
    assert all(len(rects(page, "band")) == 1 for page in book[1:])


def test_links_stay_where_they_lead_within_a_page_only() -> None:
    scene = sample("seed.json")
    linked = {group.link for group in groups(scene.shapes) if group.link}
    assert linked
    for page in map(alone, pages(scene, Paging(900))):
        anchors = {group.anchor for group in groups(page.shapes)}
        assert all(group.link in anchors for group in groups(page.shapes) if group.link)


@pytest.mark.parametrize("height", [200, 370])
def test_pages_without_room_are_refused_and_the_error_names_the_option(height: float) -> None:
    with pytest.raises(UsageError, match="no room") as error:
        pages(sample("seed.json"), Paging(height))
    assert "--page-height" in str(error.value.hint)


def test_a_picture_that_may_not_be_cut_is_one_page() -> None:
    scene = Scene(100, 3000, "t", "d", (Rect(0, 0, 100, 3000, "canvas"),))
    assert pages(scene, Paging(500)) == [scene]


def test_frames_in_frames_are_cut_too() -> None:
    all_holds(swimlane(nested(9), Options()), Paging(800))


def test_what_passes_over_a_page_in_the_same_place_stands_there_once() -> None:
    waiting = [asks("tools/call", number, name=f"tool {number}") for number in range(150)]
    book = pages(api.drawing(trace_of(*waiting), full=True).scene, Paging(1600))
    passing = [shape for shape in flat(book[len(book) // 2].shapes) if getattr(shape, "style", "").endswith(".wait")]
    assert len(book) > 5
    assert len(passing) < 40
