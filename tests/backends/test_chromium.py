"""The picture in a real browser: every text lies inside its box, nothing outside the canvas, dark mode works."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from flowgen import api
from flowgen.trace import Trace
from tests.backends.test_svg import hostile_trace

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]

# Every text with the box that it must stay in: the rectangles of its own group that its middle lies in, the
# smallest of them; a text in no rectangle has the canvas.
INSIDE = """
() => {
  const svg = document.querySelector('svg');
  const canvas = svg.viewBox.baseVal;
  const rects = [...svg.querySelectorAll('rect')].map(r => r.getBBox());
  const faults = [];
  for (const text of svg.querySelectorAll('text')) {
    const box = text.getBBox();
    if (!box.width) continue;
    const x = box.x + 2, y = box.y + box.height / 2;
    const holds = r => r.x <= x && x <= r.x + r.width && r.y <= y && y <= r.y + r.height && r.height > 19;
    const home = rects.filter(holds).sort((a, b) => a.width * a.height - b.width * b.height)[0] || canvas;
    if (box.x < home.x - 1 || box.x + box.width > home.x + home.width + 1)
      faults.push([text.textContent.slice(0, 60), box.x, box.width, home.x, home.width]);
  }
  return faults;
}
"""


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page()
    yield opened
    opened.close()


def show(page: Page, trace: Trace, **options: Any) -> None:
    page.set_content(f"<!doctype html><body style='margin:0'>{api.drawing(trace, **options).svg}")


@pytest.mark.parametrize("lang", ["en", "zh", "en+zh"])
@pytest.mark.parametrize("notes", ["brief", "full"])
def test_every_text_lies_inside_its_box(page: Page, seed: Trace, lang: str, notes: str) -> None:
    show(page, seed, lang=lang, notes=notes, times="clock")
    assert page.evaluate(INSIDE) == []


def test_hostile_text_lies_inside_its_box_too(page: Page) -> None:
    show(page, hostile_trace(), notes="full", full=True)
    assert page.evaluate(INSIDE) == []


def test_nothing_lies_outside_the_canvas(page: Page, seed: Trace) -> None:
    show(page, seed, lang="en+zh", notes="full")
    box, view = json.loads(
        page.evaluate(
            "() => { const s = document.querySelector('svg'), b = s.getBBox(), v = s.viewBox.baseVal;"
            "return JSON.stringify([[b.x, b.y, b.x + b.width, b.y + b.height], [0, 0, v.width, v.height]]) }"
        )
    )
    assert box[0] >= view[0] and box[1] >= view[1] and box[2] <= view[2] and box[3] <= view[3]


def test_the_picture_follows_the_reader_s_dark_mode(page: Page, seed: Trace) -> None:
    show(page, seed)
    fill = "() => getComputedStyle(document.querySelector('svg rect')).fill"
    page.emulate_media(color_scheme="light")
    assert page.evaluate(fill) == "rgb(255, 255, 255)"
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(fill) == "rgb(13, 17, 23)"


def test_browser_and_cairo_agree_on_the_layout(page: Page, seed: Trace, tmp_path: Path) -> None:
    """Where one is inked the other is: rows of 40 px are compared, in the lanes and in the gutter."""
    import io

    from PIL import Image, ImageChops

    drawn = api.drawing(seed, theme="light")
    height = int(drawn.scene.height)
    page.set_viewport_size({"width": 1280, "height": height})
    show(page, seed, theme="light")
    seen = Image.open(io.BytesIO(page.screenshot())).convert("L")
    made = Image.open(io.BytesIO(drawn.png(2))).convert("L").resize(seen.size)
    difference = ImageChops.difference(seen, made).resize((32, height // 40))
    assert max(difference.tobytes()) < 90
    assert sum(difference.tobytes()) / len(difference.tobytes()) < 6


def test_a_link_inside_the_picture_leads_to_its_step(page: Page, seed: Trace, tmp_path: Path) -> None:
    file = tmp_path / "flow.svg"
    file.write_text(api.drawing(seed).svg, encoding="utf-8")
    page.goto(file.as_uri())
    page.click("a[href='#step-2']")
    assert page.url.endswith("#step-2")
