"""The picture in a real browser: every text lies inside its box, nothing outside the canvas, dark mode works."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from flowgen import api
from flowgen.trace import Trace
from tests.backends.test_svg import hostile_trace
from tests.scene.test_images import content, pixels
from tests.traces import SAMPLES, answers, asks, trace_of

# Every text with the box that it must stay in: the rectangles of its own group that its middle lies in, the
# smallest of them; a text in no rectangle has the canvas. Words on arrows
# (11.5 px) stand between lanes.
INSIDE = """
() => {
  const svg = document.querySelector('svg');
  const canvas = svg.viewBox.baseVal;
  const rects = [...svg.querySelectorAll('rect')].map(r => r.getBBox()).filter(r => r.width > 19 && r.height > 19);
  const faults = [];
  for (const text of svg.querySelectorAll('text:not([font-size="11.5"])')) {
    const box = text.getBBox();
    if (!box.width) continue;
    const x = box.x + 2, y = box.y + box.height / 2;
    const holds = r => r.x <= x && x <= r.x + r.width && r.y <= y && y <= r.y + r.height;
    const home = rects.filter(holds).sort((a, b) => a.width * a.height - b.width * b.height)[0] || canvas;
    if (box.x < home.x - 1 || box.x + box.width > home.x + home.width + 1)
      faults.push([text.textContent.slice(0, 60), box.x, box.width, home.x, home.width]);
  }
  return faults;
}
"""


def show(page: Page, trace: Trace, **options: Any) -> None:
    page.set_content(f"<!doctype html><body style='margin:0'>{api.drawing(trace, **options).svg}")


PICTURES: dict[str, tuple[str, dict[str, Any]]] = {
    "seed": ("seed.json", {"notes": "full", "times": "clock", "date": True, "footer": "A footer"}),
    "seed in Chinese": ("seed.json", {"lang": "zh", "notes": "full", "subtitle": "一次会话的录制，按时间顺序"}),
    "seed in both": ("seed.json", {"lang": "en+zh", "times": "clock"}),
    "schemas in brief": ("seed.json", {"form": "ledger", "schema": "summary", "theme": "slides"}),
    "oauth": ("oauth/trace.json", {"times": "latency", "headers": "all"}),
    "oauth in Chinese": ("oauth/trace.json", {"lang": "zh", "full": True}),
    "create-issue": ("create-issue/trace.json", {"lang": "en+zh", "notes": "full", "times": "clock"}),
    "over HTTP": ("http-2026-07-28/trace.json", {"full": True, "theme": "high-contrast"}),
    "everything": ("everything.json", {"full": True, "notes": "full"}),
    "hostile": ("", {"full": True, "notes": "full", "title": "\u202e" * 9}),
    "hostile on cards": ("", {"form": "ledger", "notes": "full", "times": "clock"}),
}


@pytest.mark.parametrize("name", PICTURES)
def test_every_text_lies_inside_its_box(page: Page, name: str) -> None:
    file, options = PICTURES[name]
    show(page, api.load(SAMPLES / file) if file else hostile_trace(), **options)
    assert page.evaluate(INSIDE) == []


def test_thumbnails_and_logo_are_shown_in_their_size(page: Page) -> None:
    contents = [content(pixels(form, 90, 60)) for form in ("PNG", "JPEG", "GIF", "WEBP")]
    trace = trace_of(asks("tools/call", 1), answers(1, content=contents))
    show(page, trace, images=True, logo=pixels("PNG", 50, 50))
    loaded = """() => Promise.all([...document.querySelectorAll('image')].map(async node => {
        const image = new Image();
        image.src = node.href.baseVal;
        await image.decode();
        return [image.naturalWidth, image.naturalHeight, node.width.baseVal.value];
    }))"""
    assert page.evaluate(loaded) == [[50, 50, 50], *[[90, 60, 90]] * 4]


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
