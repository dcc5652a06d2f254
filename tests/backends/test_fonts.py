"""Fonts that travel in a picture: only browsers see them, only letters of the picture are in them."""

import base64
import io
import re
import shutil
import sys
from typing import Any

import pytest
from fontTools.ttLib import TTFont
from playwright.sync_api import Page

from flowgen import api
from flowgen.errors import BackendMissing
from flowgen.trace import Trace
from tests.backends.test_svg import forbidden
from tests.traces import asks, trace_of

FACE = re.compile(r"@font-face\{font-family:(\S+?);font-weight:(\d+);src:url\(data:font/woff;base64,(\S+?)\)")


@pytest.fixture(autouse=True)
def fontconfig() -> None:
    if shutil.which("fc-match") is None:
        pytest.skip("fontconfig is not installed")


def faces(svg: str) -> dict[str, set[int]]:
    """`fg-sans 400` -> the letters in the face."""
    fonts = {
        f"{name.rpartition('-')[0]} {weight}": TTFont(io.BytesIO(base64.b64decode(data)))
        for name, weight, data in FACE.findall(svg)
    }
    return {name: set(font.getBestCmap()) for name, font in fonts.items()}


def without(svg: str) -> str:
    return re.sub(r"<style>.*?</style>|fg-[0-9a-f]{8}", "", svg, flags=re.S)


def test_faces_hold_the_letters_of_the_picture_and_few_others() -> None:
    found = faces(api.drawing(trace_of(asks("ping", 7), title="Ωmega"), embed_fonts=True).svg)
    assert set(found) == {"fg-sans 400", "fg-sans 700", "fg-mono 400", "fg-mono 700"}
    assert ord("Ω") in found["fg-sans 700"] and ord("Ω") not in found["fg-sans 400"]
    assert set(map(ord, '{}":,ping 7')) <= found["fg-mono 400"] | found["fg-mono 700"]
    assert all(len(letters) < 90 for letters in found.values())


def test_chinese_has_faces_of_its_own(seed: Trace) -> None:
    found = faces(api.drawing(seed, lang="zh", embed_fonts=True).svg)
    assert ord("请") in found["fg-cjk 700"] and not any(ord("请") in found[name] for name in found if "cjk" not in name)


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_all_that_embedding_adds_is_a_style_sheet(seed: Trace, theme: str) -> None:
    plain, rich = (api.drawing(seed, theme=theme, lang="en+zh", embed_fonts=embed).svg for embed in (False, True))
    assert re.sub(r' class="[^"]*"', "", without(rich)).split() == re.sub(r' class="[^"]*"', "", without(plain)).split()
    assert not forbidden(rich)
    sheet = re.search(r"<style>(.*?)</style>", rich, re.S)
    assert sheet is not None and not re.sub(r"@media [^{]*\{\n(?:[^@}].*\n|@font-face.*\n)*\}", "", sheet[1]).strip()


def test_the_same_picture_has_the_same_bytes(seed: Trace) -> None:
    assert api.drawing(seed, embed_fonts=True).svg == api.drawing(seed, embed_fonts=True).svg


def test_a_png_is_the_same_with_them(seed: Trace) -> None:
    first = api.drawing(seed, embed_fonts=True, steps="1").png(1)
    assert first == api.drawing(seed, steps="1").png(1)


def test_a_browser_loads_every_face(page: Page, seed: Trace) -> None:
    page.set_content(api.drawing(seed, lang="zh", embed_fonts=True).svg)
    loaded = "async () => { await document.fonts.ready; return [...document.fonts].map(f => [f.family, f.status]) }"
    found = page.evaluate(loaded)
    assert len(found) == 6 and {status for _, status in found} == {"loaded"}


def test_without_fonttools_the_extra_is_named(seed: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fontTools.subset", None)
    with pytest.raises(BackendMissing, match="fonttools") as error:
        _ = api.drawing(seed, embed_fonts=True).svg
    assert "mcp-flowgen[fonts]" in str(error.value.hint)


def test_without_fontconfig_it_is_named(seed: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere: Any = lambda name: None  # noqa: E731
    monkeypatch.setattr(shutil, "which", nowhere)
    with pytest.raises(BackendMissing, match="fontconfig"):
        _ = api.drawing(seed, embed_fonts=True).svg
