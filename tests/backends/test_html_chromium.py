"""The page in a real browser, from a disk: read, searched, walked through by keys, linked to, played, printed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from flowgen import api
from flowgen.topology import Topology
from flowgen.trace import Trace
from tests import hostile
from tests.backends.test_accessible import RUN, axe
from tests.traces import SAMPLES, answers, asks, trace_of

__all__ = ["axe"]
ACTING = "iframe, img, object, embed, form, base, [onload], [onerror], [onclick]"
Reader = tuple[Page, list[str]]


@pytest.fixture
def reader(browser: Browser) -> Iterator[Reader]:
    """A page, and everything that the browser complained about or that opened."""
    context = browser.new_context(viewport={"width": 1200, "height": 800}, accept_downloads=True)
    opened, said = context.new_page(), list[str]()
    opened.set_default_timeout(10_000)
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    opened.on("request", lambda asked: said.append(asked.url) if not asked.url.startswith(("file:", "data:")) else None)
    yield opened, said
    context.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def shown(reader: Reader, folder: Path, page: str, place: str = "") -> Page:
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    reader[0].goto(file.as_uri() + place)
    return reader[0]


def chosen(page: Page) -> str | None:
    return page.evaluate("(document.querySelector('.chosen') || {}).id")


def many(count: int) -> Trace:
    names = ("weather", "search", "write")
    pairs = ((asks("tools/call", n, name=names[n % 3]), answers(n, x="y" * 40)) for n in range(count // 2))
    return trace_of(*(row for pair in pairs for row in pair))


def test_a_message_opens_its_json_and_says_so(reader: Reader, folder: Path, seed: Trace) -> None:
    page = shown(reader, folder, api.drawing(seed).html())
    head = page.locator("#m-7 button.head")
    assert head.get_attribute("aria-expanded") == "false"
    head.click()
    assert page.locator("#m-7 button.head").get_attribute("aria-expanded") == "true"
    assert '"type": "text"' in page.locator("#m-7 pre").inner_text()
    assert page.locator("#m-6.pair, #m-7.pair").count() == 2
    page.locator("#m-7 button.head").click()
    assert page.locator("#m-7 pre").count() == 0
    assert reader[1] == []


def test_a_link_leads_to_its_message_and_opens_it(reader: Reader, folder: Path) -> None:
    page = shown(reader, folder, api.drawing(many(400)).html(), "#m-301")
    box = page.locator("#m-301.target")
    assert box.locator("pre").count() == 1
    place = box.bounding_box()
    assert place and 0 < place["y"] < 300
    page.evaluate("location.hash = '#step-1'")
    page.wait_for_function("document.querySelector('#step-1').getBoundingClientRect().top > 0")
    assert reader[1] == []


def test_keys_walk_open_and_search(reader: Reader, folder: Path, seed: Trace) -> None:
    page = shown(reader, folder, api.drawing(seed).html())
    for key, number in (("j", 1), ("j", 2), ("k", 1), ("r", 2), ("]", 4), ("]", 6), ("[", 4)):
        page.keyboard.press(key)
        assert chosen(page) == f"m-{number}"
    page.keyboard.press("Enter")
    assert page.locator("#m-4 pre").count() == 1
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 1
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("tool:weather*")
    assert page.locator(".row.message").evaluate_all("rows => rows.map(row => row.id)") == ["m-6", "m-7"]
    assert reader[1] == []


FOUND: dict[str, list[int]] = {
    "method:tools/list": [4, 5, 9, 10], "method:*list_ch": [8], "kind:notification": [3, 8], "id:3": [6, 7],
    "dir:server>client kind:notif": [8], "status:answered -id:1": [4, 6, 9], "san francisco kind:resp": [7],
    '"partly cloudy"': [7], "kind:error": [], "tool:weather_*": [6, 7],
}  # fmt: skip


def test_what_is_looked_for_is_found(reader: Reader, folder: Path, seed: Trace) -> None:
    page = shown(reader, folder, api.drawing(seed).html())
    for query, numbers in FOUND.items():
        page.fill("#search", query)
        found = page.locator(".row.message").evaluate_all("rows => rows.map(row => Number(row.id.slice(2)))")
        assert (query, found) == (query, numbers)
    assert page.locator("#found").inner_text() == "2 of 10 messages"


def test_only_rows_on_the_screen_are_there(reader: Reader, folder: Path) -> None:
    page = shown(reader, folder, api.drawing(many(3000), full=True).html())
    assert page.locator(".row").count() < 80
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_selector("#m-3000")
    assert page.locator(".row").count() < 80
    page.click("text=Open all")
    page.wait_for_selector(".row pre")
    page.keyboard.press("k")
    assert page.locator(".row").count() < 80
    assert reader[1] == []


def test_language_and_colours_are_switched(reader: Reader, folder: Path, seed: Trace) -> None:
    page = shown(reader, folder, api.drawing(seed).html())
    page.click("#language")
    assert page.locator("#step-1").inner_text().split() == ["1", "初始化"]
    assert page.evaluate("document.documentElement.lang") == "zh"
    page.locator("select").first.select_option("dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(13, 17, 23)"
    assert reader[1] == []


def test_the_session_is_played(reader: Reader, folder: Path, seed: Trace) -> None:
    page = shown(reader, folder, api.drawing(seed).html())
    page.click("#play")
    page.click("text=Pause")
    first = page.locator("output").last.inner_text()
    page.click("button:text-is('Next')")
    assert (first, page.locator("output").last.inner_text()) == ("Message 1 of 10", "Message 2 of 10")
    assert page.locator(".row.message.future").count() == 8
    page.keyboard.press("Escape")
    assert page.locator(".future").count() == 0


def test_what_is_saved_can_be_read_again(reader: Reader, folder: Path, seed: Trace) -> None:
    drawn = api.drawing(seed)
    page = shown(reader, folder, drawn.html())
    saved = {}
    for name in ("SVG", "JSON"):
        with page.expect_download() as waiting:
            page.click(f"button:text-is('{name}')")
        saved[name] = Path(waiting.value.path()).read_bytes()
    assert saved["SVG"].decode() == drawn.svg.strip()
    again = api.load(saved["JSON"], "saved")
    messages = [message for message in seed.messages if message.kind != "process"]
    assert [message.body for message in again.messages] == [message.body for message in messages]


def test_what_is_copied_is_what_was_written(reader: Reader, folder: Path, seed: Trace) -> None:
    reader[0].context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = shown(reader, folder, api.drawing(seed).html(), "#m-3")
    page.click("#m-3 .panel button")
    page.wait_for_selector("text=Copied")
    assert page.evaluate("navigator.clipboard.readText()") == '{"jsonrpc":"2.0","method":"notifications/initialized"}'
    page.click("text=Copy all")
    page.wait_for_selector(".tools >> text=Copied")
    assert len(api.load(page.evaluate("navigator.clipboard.readText()").encode(), "copied").messages) == 10


def test_everything_is_printed(reader: Reader, folder: Path) -> None:
    page = shown(reader, folder, api.drawing(many(300), full=True).html())
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".row.message").count() == 300
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".row.message").count() < 80


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_a_page(reader: Reader, axe: str, folder: Path, scheme: Any) -> None:
    """With everything open: what is judged, in a session over HTTP."""
    reader[0].emulate_media(color_scheme=scheme)
    page = shown(reader, folder, api.drawing(api.load(SAMPLES / "oauth" / "trace.json"), check=True).html(), "#m-4")
    page.click("text=Open all")
    page.evaluate(axe)
    assert page.evaluate(RUN) == []
    shown(reader, folder, api.architecture([SAMPLES / "architecture" / "mcp.json"]).html(), "#en-node-3")
    page.evaluate(axe)
    assert page.evaluate(RUN) == []


def test_a_stranger_s_strings_do_nothing(reader: Reader, folder: Path) -> None:
    drawn = api.drawing(hostile.trace(), check=True, full=True, show=["stderr", "process", "note"])
    page = shown(reader, folder, drawn.html())
    page.click("text=Open all")
    for _ in range(6):
        page.mouse.wheel(0, 3000)
    page.fill("#search", "alert")
    assert page.locator(".row pre").count() > 0
    assert page.locator(f"{ACTING}, .row a:not([href^='#'])").count() == 0
    shown(reader, folder, api.drawing(Topology.model_validate(hostile.topology())).html())
    assert page.locator(ACTING).count() == 0
    assert reader[1] == []


def test_numbers_stay_as_they_were_written(reader: Reader, folder: Path) -> None:
    trace = trace_of(asks("tools/call", 12345678901234567890, name="x", arguments={"n": 1.5}))
    page = shown(reader, folder, api.drawing(trace).html(), "#m-1")
    assert "12345678901234567890" in page.locator("#m-1 pre").inner_text()
    assert page.locator("#m-1 .chip").last.inner_text() == "id 12345678901234567890"


def test_without_scripts_messages_open_all_the_same(browser: Browser, folder: Path, seed: Trace) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    file = folder / "page.html"
    file.write_text(api.drawing(seed).html(), encoding="utf-8")
    page.goto(file.as_uri())
    page.click("summary >> nth=6")
    assert "partly cloudy" in page.locator("details[open] pre").inner_text()
    assert page.locator("svg").first.is_visible()
    context.close()


def test_a_click_on_a_server_tells_what_was_found_on_it(reader: Reader, folder: Path) -> None:
    config = {"mcpServers": {"files": {"command": "npx", "args": ["-y", "server-files"]}}}
    page = shown(reader, folder, api.architecture([("mcp.json", json.dumps(config).encode())]).html())
    assert page.locator("article:visible").count() == 0
    page.click(".side[lang=en] .spot[aria-label='About files']")
    card = page.locator("article:visible")
    assert "not pinned to a version" in card.inner_text()
    page.click("#language")
    assert "证据" in card.inner_text()
    assert reader[1] == []
