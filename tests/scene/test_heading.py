"""Title, subtitle, logo and footer: facts of the trace, words of the user, and never one over the other."""

from pathlib import Path
from typing import Any

import pytest

from flowgen import api
from flowgen.errors import UsageError
from flowgen.scene import Image, Rect, Text, flat, width
from flowgen.trace import Trace
from tests.scene.test_images import pixels
from tests.traces import answers, asks, trace_of


def line(trace: Trace, style: str, **options: Any) -> Text:
    (found,) = [
        shape for shape in flat(api.drawing(trace, **options).scene.shapes)
        if isinstance(shape, Text) and shape.style == style
    ]  # fmt: skip
    return found


def test_the_subtitle_tells_transport_revision_server_and_size(seed: Trace) -> None:
    assert line(seed, "subtitle").text == (
        "JSON-RPC 2.0   ·   stdio   ·   protocol 2025-06-18   ·   example-server 1.0.0   ·   10 messages"
    )


def test_the_day_of_the_recording_is_told_only_when_asked_for(seed: Trace) -> None:
    assert seed.recorded_at and seed.recorded_at[:10] not in line(seed, "subtitle").text
    assert line(seed, "subtitle", date=True).text.endswith(f"   ·   {seed.recorded_at[:10]}")
    assert line(seed, "subtitle", date="2026-01-02").text.endswith("   ·   2026-01-02")


def test_a_recording_without_a_date_tells_none() -> None:
    trace = trace_of(asks("ping"), answers(), recorded_at=None)
    assert line(trace, "subtitle", date=True).text.endswith("2 messages")


def test_a_subtitle_of_ones_own_takes_the_place_of_the_facts(seed: Trace) -> None:
    assert line(seed, "subtitle", subtitle="Release 3").text == "Release 3"
    assert line(seed, "subtitle", subtitle="Release 3", date=True).text == "Release 3   ·   2026-11-30"
    assert line(seed, "subtitle", subtitle="").text == ""


@pytest.mark.parametrize("form", ["duo", "ledger"])
@pytest.mark.parametrize("text", ["Internal", "word " * 200, "\u202eevil\x00", "中文" * 200])
def test_a_footer_ends_at_the_lanes_right_edge_and_lies_below_the_legend(seed: Trace, form: Any, text: str) -> None:
    scene = api.drawing(seed, footer=text, form=form).scene
    shown = line(seed, "footer", footer=text, form=form)
    legend = max(shape.y + shape.height for shape in flat(scene.shapes) if getattr(shape, "style", "") == "legend")
    assert (shown.x, legend + 12 < shown.y < scene.height) == (scene.width - 40, True)
    assert width(shown.text, 12) <= scene.width - 80
    assert "\u202e" not in shown.text and "\x00" not in shown.text


@pytest.mark.parametrize("form", ["duo", "ledger"])
@pytest.mark.parametrize("title", [None, "T", "title " * 30])
def test_a_logo_and_the_title_never_meet(seed: Trace, form: Any, title: str | None) -> None:
    options: dict[str, Any] = {"title": title, "form": form, "logo": pixels("PNG", 400, 80)}
    (logo,) = [shape for shape in flat(api.drawing(seed, **options).scene.shapes) if isinstance(shape, Image)]
    assert (logo.x, logo.width, logo.height) == (40, 200, 40) and 40 <= logo.y and logo.y + logo.height <= 118
    for style, size, weight in (("title", 27, 700), ("subtitle", 13.5, 400)):
        shown = line(seed, style, **options)
        assert shown.x - width(shown.text, size, weight) / 2 >= logo.x + logo.width + 8


def test_a_logo_leaves_the_rows_where_they_were(seed: Trace) -> None:
    plain, adorned = (api.drawing(seed, logo=logo).scene for logo in (None, pixels("PNG")))
    rects = [[shape for shape in flat(scene.shapes) if isinstance(shape, Rect)] for scene in (plain, adorned)]
    assert rects[0] == rects[1]


def test_a_logo_is_read_from_a_file(seed: Trace, tmp_path: Path) -> None:
    file = tmp_path / "logo.png"
    file.write_bytes(pixels("PNG"))
    assert "<image" in api.drawing(seed, logo=file).svg


@pytest.mark.parametrize(
    ("data", "said"),
    [(None, "No such file"), (b"<svg/>", "no image"), (b"", "no image"), (b"x" * 600_000, "more than 512 KB")],
)
def test_a_logo_that_is_none_is_told_in_one_line(seed: Trace, tmp_path: Path, data: bytes | None, said: str) -> None:
    file = tmp_path / "logo.png"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(UsageError, match=said) as error:
        api.drawing(seed, logo=file)
    assert error.value.hint and "logo.png" in str(error.value)


@pytest.mark.parametrize(("lang", "told"), [("en", "1,202 messages"), ("zh", "1,202 条消息")])
def test_numbers_that_count_have_commas_in_every_language(lang: Any, told: str) -> None:
    trace = trace_of(*[each for id_ in range(601) for each in (asks("ping", id_), answers(id_))])
    scene = api.drawing(trace, lang=lang).scene
    assert line(trace, "subtitle", lang=lang).text.endswith(told) and "1,202" in scene.desc


@pytest.mark.parametrize(
    ("lang", "told"), [("en", "A notebook server: every feature once"), ("zh", "笔记本 Server：每项功能各一次")]
)
def test_titles_of_our_own_plans_are_said_in_the_language_of_the_picture(lang: Any, told: str) -> None:
    trace = trace_of(asks("ping"), answers(), title="A notebook server: every feature once")
    assert line(trace, "title", lang=lang).text == told
    assert line(trace, "title", lang=lang, title="Mine").text == "Mine"
