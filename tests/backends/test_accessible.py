"""The picture for who listens to it: axe-core finds nothing in it where it stands in a page.

axe-core comes from npm; FLOWGEN_ENGINES names the folder that holds its node_modules.
"""

import os
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from flowgen import api
from flowgen.backends import svg
from flowgen.trace import Trace
from tests.backends.test_svg import hostile_trace
from tests.scene.test_images import content, pixels
from tests.traces import SAMPLES, SVG, answers, asks, trace_of

RUN = """async () => {
  const found = await axe.run(document, {resultTypes: ['violations']});
  return found.violations.map(each => [each.id, each.nodes[0].html.slice(0, 120), each.nodes[0].failureSummary]);
}"""


@pytest.fixture(scope="module")
def axe() -> str:
    """The text of axe-core."""
    file = Path(os.environ.get("FLOWGEN_ENGINES", "")) / "node_modules" / "axe-core" / "axe.min.js"
    if not file.is_file():
        missing = "axe-core is not in the folder that FLOWGEN_ENGINES names"
        pytest.fail(missing) if os.environ.get("FLOWGEN_REQUIRE_REAL") else pytest.skip(missing)
    return file.read_text("utf-8")


def images() -> Trace:
    return trace_of(asks("tools/call", 1), answers(1, content=[content(pixels("PNG")), content(pixels("GIF"))]))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", ["seed.json", "oauth/trace.json", "hostile", "images"])
def test_axe_finds_nothing_in_pictures_of_a_page(page: Page, axe: str, name: str, lang: Any) -> None:
    """Two of them, for their ids must not meet."""
    trace = {"hostile": hostile_trace, "images": images}.get(name, lambda: api.load(SAMPLES / name))()
    shown: list[Any] = ["stderr", "process", "probe"]
    drawn = api.drawing(trace, show=shown, lang=lang, images=True, logo=pixels("PNG"))
    pictures = "".join(svg(drawn.scene, drawn.theme, inline=f"p{number}-") for number in (1, 2))
    page.set_content(f"<!doctype html><html lang=en><title>A page</title><main><h1>Pictures</h1>{pictures}</main>")
    page.evaluate(axe)
    assert page.evaluate(RUN) == []


def test_the_browser_gives_its_listeners_the_lists(page: Page, seed: Trace) -> None:
    page.set_content(f"<!doctype html><html lang=en><title>A page</title><main>{api.drawing(seed).svg}</main>")
    tree = page.locator("main").aria_snapshot()
    assert 'list "Step 2: Tool Discovery"' in tree
    assert 'listitem "4. MCP Client to MCP Server: tools/list request (id 2)"' in tree
    assert 'link "back to step 2: re-list tools"' in tree


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_message_has_a_label_in_a_labelled_list(seed: Trace, lang: str) -> None:
    root = ET.fromstring(api.drawing(seed, lang=lang).svg)  # type: ignore[arg-type]
    lists = [node for node in root.iter(f"{SVG}g") if node.get("role") == "list"]
    items = [item for node in lists for item in node.iter(f"{SVG}g") if item.get("role") == "listitem"]
    assert (len(lists), len(items)) == (4, 10)
    assert all(node.get("aria-label") for node in [*lists, *items])
    assert root.get("aria-describedby") == root[1].get("id")
