"""PDF: pages of paper with text that can be found, links that lead there, bookmarks, the same bytes each time."""

import importlib
import io
from dataclasses import replace
from typing import Any

import pytest
from pypdf import PdfReader

from flowgen import api
from flowgen.api._paper import fitting
from flowgen.backends import pdf
from flowgen.errors import BackendMissing, FlowgenError, UsageError
from flowgen.scene import Scene, theme
from flowgen.trace import Trace
from tests.traces import SAMPLES, answers, asks, trace_of

A4 = (595, 842)


@pytest.fixture(scope="module")
def everything() -> bytes:
    return api.drawing(api.load(SAMPLES / "everything.json")).pdf()


def read(data: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(data))


def sizes(data: bytes) -> set[tuple[int, int]]:
    return {(round(page.mediabox.width), round(page.mediabox.height)) for page in read(data).pages}


def test_a_pdf_has_pages_of_a4_whose_text_can_be_found(everything: bytes) -> None:
    reader = read(everything)
    assert len(reader.pages) > 1 and sizes(everything) == {A4}
    assert "initialize request" in reader.pages[0].extract_text()
    assert f"page 2 of {len(reader.pages)}" in reader.pages[1].extract_text()


@pytest.mark.parametrize(
    ("options", "size"),
    [
        ({"page_size": "letter"}, (612, 792)),
        ({"page_size": "A3"}, (842, 1191)),
        ({"landscape": True}, (842, 595)),
        ({"page_size": "letter", "landscape": True}, (792, 612)),
        ({"page_size": "16:9"}, (960, 540)),
        ({"page_size": "200x150"}, (567, 425)),
        ({"page_size": "200x150mm"}, (567, 425)),
    ],
)
def test_paper_has_the_size_that_was_asked_for(seed: Trace, options: Any, size: tuple[int, int]) -> None:
    assert sizes(api.drawing(seed, **options).pdf()) == {size}


def test_a_page_that_fits_is_as_large_as_the_picture(seed: Trace) -> None:
    drawn = api.drawing(seed, page_size="fit")
    assert sizes(drawn.pdf()) == {(round(drawn.scene.width * 0.75), round(drawn.scene.height * 0.75))}


def test_pages_of_a_height_are_as_wide_as_the_picture(seed: Trace) -> None:
    found = sizes(api.drawing(seed, page_height=1000).pdf())
    assert len(found) > 1 and all(wide == 960 and high <= 750 for wide, high in found)


def test_a_picture_taller_than_readers_show_has_pages_even_where_it_is_to_fit(seed: Trace) -> None:
    scene = api.drawing(seed).scene
    assert fitting({}, replace(scene, height=19200), 19200).height == 19200
    assert fitting({}, replace(scene, height=19201), 19200).height == 1600


def test_a_page_that_no_reader_shows_whole_is_refused_before_it_is_drawn() -> None:
    scene = Scene(1280, 19201, "t", "d", ())
    with pytest.raises(FlowgenError, match="14401 pt long, a pdf can have 14400") as error:
        pdf([scene], theme(), "t")
    assert "--page-size" in str(error.value.hint)


def test_bookmarks_lead_to_the_title_and_to_every_step(seed: Trace) -> None:
    reader = read(api.drawing(seed).pdf())
    title, steps = reader.outline
    assert "Interaction Flow" in title.title
    assert [each.title[:6] for each in steps] == ["Step 1", "Step 2", "Step 3", "Step 4"]
    places = [(reader.get_destination_page_number(each), -each.top) for each in steps]
    assert places == sorted(places) and len(set(places)) == 4


def links(reader: PdfReader) -> list[Any]:
    return [note.get_object() for page in reader.pages for note in page.get("/Annots", [])]


def test_the_loop_back_leads_to_the_step_it_names(seed: Trace) -> None:
    reader = read(api.drawing(seed).pdf())
    second = reader.outline[1][1]
    page, _, _, top, _ = links(reader)[0]["/Dest"]
    assert second.title.startswith("Step 2")
    assert (page, float(top)) == (second.page, second.top)


def test_same_as_2_leads_to_message_2() -> None:
    listed = {"tools": [{"name": "a" * 90}]}
    rows = [row for number in (1, 2) for row in (asks("tools/list", number), answers(number, **listed))]
    drawn = api.drawing(trace_of(*rows))
    assert 'href="#m-2"' in drawn.svg
    [link] = links(read(drawn.pdf()))
    left, low, right, high = map(float, link["/Rect"])
    assert 0 < left < right < A4[0] and 0 < low < high < A4[1] and high - low < 15


def test_a_pdf_names_its_title_and_pages_and_no_date(everything: bytes) -> None:
    reader = read(everything)
    assert reader.metadata is not None
    assert reader.metadata.title and reader.metadata.creation_date is None
    assert reader.page_labels == [str(number) for number in range(1, len(reader.pages) + 1)]


def test_the_same_picture_is_the_same_file(everything: bytes) -> None:
    assert api.drawing(api.load(SAMPLES / "everything.json")).pdf() == everything


def test_a_hostile_title_is_text_in_a_pdf_too() -> None:
    title = "(a) \\ <</JS (app.alert(1))>> ) endobj 中文"
    reader = read(api.drawing(trace_of(asks("ping"), answers(), title=title)).pdf())
    assert reader.metadata is not None and reader.metadata.title == title
    assert reader.outline[0].title == title and "/OpenAction" not in reader.root_object


def test_a_pdf_warns_of_writing_that_it_cannot_join() -> None:
    with pytest.warns(UserWarning, match="right to left"):
        api.drawing(trace_of(asks("tools/call", 1, name="القاهرة"))).pdf()


@pytest.mark.parametrize("part", ["cairosvg", "pypdf"])
def test_without_its_parts_the_error_names_the_extra(seed: Trace, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    real = importlib.import_module

    def pretend(name: str, package: str | None = None) -> Any:
        if name == part:
            raise ImportError(name)
        return real(name, package)

    monkeypatch.setattr(importlib, "import_module", pretend)
    with pytest.raises(BackendMissing) as error:
        api.drawing(seed).pdf()
    assert "mcp-flowgen[png]" in str(error.value.hint)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"page_size": "a7"}, "there is no 'a7'"),
        ({"page_size": "5x300"}, "from 20 to 5080 mm"),
        ({"page_size": "a4", "page_height": 900}, "paper has a height"),
        ({"landscape": True, "page_height": 900}, "paper has a height"),
        ({"page_size": "fit", "landscape": True}, "no other side"),
        ({"page_height": 10}, "expected px from 200"),
        ({"page_height": float("nan")}, "expected px from 200"),
        ({"page_size": "400x40"}, "no room"),
    ],
)
def test_pages_that_cannot_be_are_refused_with_the_way_out(seed: Trace, options: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said) as error:
        api.drawing(seed, **options).pdf()
    assert error.value.hint
