"""Slides: one for the title, then at least one for every step; letters larger than on paper."""

import io
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from flowgen import api
from flowgen.flow import Flow
from flowgen.scene import Code, Options, Paging, Scene, Text, flat, groups, pages, span, swimlane
from tests.scene.strategies import flows
from tests.scene.test_pages import NAMES, all_holds, rects, sample, texts
from tests.traces import SAMPLES, answers, asks, trace_of

FEW = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
SLIDE = {"page_size": "16:9"}


def deck(scene: Scene, lang: Any = "en") -> list[Scene]:
    return pages(scene, paging(scene), lang)


def paging(scene: Scene) -> Paging:
    return Paging(scene.width * 9 / 16, filled=True, slides=True)


@pytest.mark.parametrize("lang", ["en", "zh", "en+zh"])
@pytest.mark.parametrize("name", NAMES)
def test_every_sample_on_slides_is_whole(name: str, lang: Any) -> None:
    scene = sample(name, lang=lang, **SLIDE)
    all_holds(scene, paging(scene), lang)


@FEW
@given(flows(), st.sampled_from(["auto", "ledger"]), st.booleans())
def test_any_flow_on_slides_is_whole(flow: Flow, form: Any, full: bool) -> None:
    scene = swimlane(flow, Options(form=form, full=full, slides=True))
    all_holds(scene, paging(scene))


@pytest.mark.parametrize(("form", "share"), [("duo", 1.3), ("ledger", 1.2)])
def test_letters_are_larger_on_a_screen_of_the_same_width(form: Any, share: float) -> None:
    assert sample("seed.json", form=form).width > share * sample("seed.json", form=form, **SLIDE).width


def test_the_slide_of_the_title_lists_the_steps_that_lead_to_their_slides() -> None:
    first, *others = deck(sample("seed.json", **SLIDE))
    assert texts(first, "title") and texts(first, "legend.head") and not texts(first, "lane.name")
    assert texts(first, "page.step") == ["Initialization", "Tool Discovery", "Tool Execution", "Notification"]
    linked = [group.link for group in groups(first.shapes) if group.link]
    assert linked == ["step-1", "step-2", "step-3", "step-4"]
    anchors = {group.anchor for page in others for group in groups(page.shapes)}
    assert set(linked) <= anchors and not [page for page in others if texts(page, "legend.head")]


def test_steps_that_have_no_room_in_the_list_are_left_out_of_it() -> None:
    rows = [row for n in range(40) for row in (asks(f"{'abc'[n % 3]}/list", n), answers(n))]
    trace = trace_of(*({**row, "step": {"title": f"Phase {n // 2}"}} for n, row in enumerate(rows)))
    scene = api.drawing(trace, **SLIDE).scene  # type: ignore[arg-type]
    all_holds(scene, paging(scene))
    listed = texts(deck(scene)[0], "page.step")
    assert len(listed) < 40 and listed[0] == "Phase 0" and listed[-1] == "…"


def test_the_band_of_a_step_stands_with_the_lane_headers() -> None:
    for name in ("seed.json", "oauth/trace.json"):
        for page in deck(sample(name, **SLIDE))[1:]:
            [band] = rects(page, "band")
            header = max(
                (r for r in flat(page.shapes) if getattr(r, "style", "").endswith(".header")), key=lambda r: r.y
            )
            assert page.top <= band.y < header.y + header.height


def test_a_slide_that_goes_on_says_where_and_the_last_one_of_a_step_does_not() -> None:
    book = deck(sample("seed.json", **SLIDE))
    for number, page in enumerate(book[1:], 2):
        [foot] = texts(page, "page.foot")
        goes_on = number < len(book) and bool(texts(book[number], "band.again"))
        assert f"page {number} of {len(book)}" in foot and (f"page {number + 1}" in foot) is goes_on


def test_boxes_are_low_enough_for_a_slide_unless_all_is_asked_for() -> None:
    def most(**options: Any) -> int:
        scene = sample("everything.json", **options)
        rows = [group for group in groups(scene.shapes) if (group.anchor or "").startswith("m-")]
        return max(sum(isinstance(shape, Code) for shape in flat(row.shapes)) for row in rows)

    assert most(**SLIDE) == 13 and most(full=True, **SLIDE) > 48


@pytest.mark.parametrize(
    ("options", "sizes"),
    [
        ({"theme": "slides"}, {(960, 540)}),
        ({"theme": "slides:dark"}, {(960, 540)}),
        ({"theme": "slides", "page_size": "a4"}, {(595, 842)}),
    ],
)
def test_the_theme_for_slides_makes_slides_where_no_other_paper_is_asked_for(options: Any, sizes: Any) -> None:
    reader = PdfReader(io.BytesIO(api.drawing(api.load(SAMPLES / "seed.json"), **options).pdf()))
    assert {(round(page.mediabox.width), round(page.mediabox.height)) for page in reader.pages} == sizes


def test_slides_as_svg_are_asked_for_with_pages() -> None:
    seed = api.load(SAMPLES / "seed.json")
    assert len(api.drawing(seed, theme="slides").svg_pages()) == 1
    assert len(api.drawing(seed, theme="slides", pages=True).svg_pages()) > 4


@pytest.mark.parametrize(("name", "lang"), [("seed.json", "zh"), ("create-issue/trace.json", "en+zh")])
def test_no_slide_has_a_box_with_nothing_in_it(name: str, lang: Any) -> None:
    scene = sample(name, lang=lang, notes="full", **SLIDE)
    for page in deck(scene, lang):
        lines = [span(shape) for shape in flat(page.shapes) if isinstance(shape, Code | Text)]
        for top, bottom in map(span, rects(page, "box")):
            assert any(top <= line[0] and line[1] <= bottom for line in lines)
