"""How soon the page is there and how long it takes to move in it: `python -m tests.bench.page`, in Chromium.

Of sessions of the other measurements, folded and not; the median of several openings from a disk.
"""

import shutil
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from flowgen import api
from tests.bench.session import trace

CALLS = (100, 1000, 5000)
TURNS = 5
SHOWN = "performance.getEntriesByName('shown')[0].startTime"
# ms from a jump to another place until the second frame behind it, as the slowest of sixty
JUMPS = """async () => {
  const frame = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  let slowest = 0;
  for (let turn = 0; turn < 60; turn += 1) {
    const began = performance.now();
    scrollTo(0, document.body.scrollHeight * (turn * 37 % 60) / 60);
    await frame();
    slowest = Math.max(slowest, performance.now() - began);
  }
  return slowest;
}"""
SEARCH = """() => {
  const began = performance.now(), field = document.getElementById('search');
  field.value = 'tool:calculator result';
  field.dispatchEvent(new Event('input'));
  return performance.now() - began;
}"""


def measured(browser: Browser, file: Path) -> tuple[float, float, float]:
    """Milliseconds until rows are there, of the slowest jump, of a search."""
    found = []
    for _ in range(TURNS):
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        page.goto(file.as_uri())
        found.append((page.evaluate(SHOWN), page.evaluate(JUMPS), page.evaluate(SEARCH)))
        page.close()
    first, jump, search = (median(column) for column in zip(*found, strict=True))
    return first, jump, search


def main() -> None:
    """Prints a line for each session."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for calls in CALLS:
            source = api.load("".join(trace(calls)).encode(), "session")
            for full in (False, True):
                file = Path(folder) / "page.html"
                file.write_text(api.drawing(source, full=full).html(), encoding="utf-8")
                first, jump, search = measured(browser, file)
                size = file.stat().st_size / 1e6
                how = " unfolded" if full else ""
                print(f"{2 * calls:6,} messages{how:9} {size:6.1f} MB: first rows {first:5.0f} ms, "
                      f"slowest of 60 jumps {jump:4.0f} ms, search {search:4.0f} ms")  # fmt: skip


if __name__ == "__main__":
    main()
