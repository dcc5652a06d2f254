"""PNG: whole, sharp, in pages, or one clear error."""

import importlib
import io
from functools import cache
from typing import Any

import pytest
from PIL import Image, ImageChops

from flowgen import api
from flowgen.errors import BackendMissing, FlowgenError
from flowgen.trace import Trace
from tests.traces import SAMPLES, answers, asks, trace_of


def image(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


@cache
def shown(theme: str, *scale: float) -> Image.Image:
    """The PNG of the first recording, drawn once for all tests."""
    return image(api.drawing(api.load(SAMPLES / "seed.json"), theme=theme).png(*scale))


def test_a_png_is_twice_the_size_of_the_picture(seed: Trace) -> None:
    scene = api.drawing(seed).scene
    assert shown("light").size == (2 * scene.width, 2 * scene.height)


def test_a_png_shows_lanes_and_arrows_in_their_colours() -> None:
    drawn = shown("light")
    assert drawn.getpixel((2 * 50, 2 * 170)) == (0x1D, 0x4E, 0xD8)  # the client's header
    assert drawn.getpixel((2 * 1230, 2 * 170)) == (0x15, 0x80, 0x3D)  # the server's
    assert drawn.getpixel((2 * 600, 2 * 312)) == (0x1D, 0x4E, 0xD8)  # the first arrow
    assert drawn.getpixel((4, 4)) == (255, 255, 255)


def test_a_dark_png_is_dark(seed: Trace) -> None:
    assert image(api.drawing(seed, theme="dark").png(1)).getpixel((4, 4)) == (0x0D, 0x11, 0x17)


def test_an_auto_picture_becomes_a_light_png() -> None:
    assert shown("auto", 1).tobytes() == shown("light", 1).tobytes()


def test_a_png_too_long_for_cairo_is_refused_before_it_is_drawn(seed: Trace) -> None:
    with pytest.raises(FlowgenError, match="32767") as error:
        api.drawing(seed).png(scale=20)
    assert "--scale" in str(error.value.hint)


def test_a_png_that_would_need_gigabytes_is_refused_before_it_is_drawn(seed: Trace) -> None:
    with pytest.raises(FlowgenError, match=r"25600 × .* px would need more than 1 GB"):
        api.drawing(seed, steps="4").png(scale=20)


@pytest.mark.parametrize(("scale", "width"), [(0.1, 128), (1 / 3, 427), (1, 1280)])
def test_a_png_can_be_small(seed: Trace, scale: float, width: int) -> None:
    assert abs(image(api.drawing(seed).png(scale)).size[0] - width) <= 1


def test_a_png_in_pages_is_one_file_for_each(seed: Trace) -> None:
    drawn = api.drawing(seed, pages=True)
    sizes = [image(data).size for data in drawn.files("png")]
    assert len(sizes) > 1 and all(wide == 2560 and high <= 3200 for wide, high in sizes)


def test_a_png_too_tall_for_one_piece_is_cut_into_pages_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = [row for number in range(24) for row in (asks(f"tools/call{number}", number), answers(number, a={"b": 1}))]
    drawn = api.drawing(trace_of(*calls), full=True, notes="none")
    monkeypatch.setattr("flowgen.backends.SURFACE", 6000)
    with pytest.warns(UserWarning, match="cut into pages"):
        files = drawn.files("png", 1.0)
    assert len(files) > 1 and all(image(data).size[1] <= 1600 for data in files)


def without(monkeypatch: pytest.MonkeyPatch, *missing: str) -> None:
    real = importlib.import_module

    def pretend(name: str, package: str | None = None) -> Any:
        if name in missing:
            raise OSError(f"no library called {name!r} was found")
        return real(name, package)

    monkeypatch.setattr(importlib, "import_module", pretend)


def test_without_the_cairo_library_resvg_draws_the_png(seed: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "cairosvg")
    drawn = api.drawing(seed, theme="light")
    seen = image(drawn.png())
    assert seen.size == (2 * drawn.scene.width, 2 * drawn.scene.height)
    assert seen.getpixel((2 * 600, 2 * 312)) == (0x1D, 0x4E, 0xD8)


def inked(data: bytes) -> int:
    """How many pixels of the title's place are dark."""
    place = image(data).convert("L").crop((400, 80, 2160, 160))
    return sum(1 for value in place.tobytes() if value < 128)


@pytest.mark.filterwarnings("ignore:no font here")
@pytest.mark.parametrize("title", ["مرحبا بالعالم", "שלום עולם", "a 🌤 b"])
def test_writing_that_cairo_cannot_join_is_drawn_by_resvg(monkeypatch: pytest.MonkeyPatch, title: str) -> None:
    drawn = api.drawing(trace_of(title=title), theme="light")
    whole = inked(drawn.png())
    without(monkeypatch, "resvg_py")
    assert whole > 200 and inked(drawn.png()) != whole


def test_letters_that_no_font_here_has_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flowgen.backends._renderers._no_font", lambda pattern: pattern == ":charset=e01")
    with pytest.warns(UserWarning, match=r"no font here has the letters of the picture around U\+0E01:"):
        api.drawing(trace_of(title="กา שלום"), theme="light").png()


def test_a_small_png_keeps_the_columns_of_code_apart() -> None:
    """Cairo rounds letters to whole pixels: at scale 1 they are 6 % too wide."""
    small = shown("light", 1)
    large = shown("light").resize(small.size)
    difference = ImageChops.difference(small.convert("L"), large.convert("L")).resize((32, small.size[1] // 40))
    assert max(difference.tobytes()) < 60


def test_without_any_renderer_the_error_names_the_extra(seed: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "cairosvg", "resvg_py")
    for draw in (api.drawing(seed).png, api.drawing(seed).pdf):
        with pytest.raises(BackendMissing) as error:
            draw()
        assert "mcp-flowgen[png]" in str(error.value.hint) and error.value.exit_code == 4
