"""The page as a file: what stands in it, what it lets run, what it is without scripts. Browsers: test_html_chromium."""

import hashlib
import json
import re
from base64 import b64encode
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from flowgen import api
from flowgen.topology import Topology
from flowgen.trace import Trace
from tests import hostile
from tests.traces import SAMPLES, answers, asks, trace_of

OURS = {"html", "head", "meta", "link", "title", "style", "body", "header", "h1", "p", "main", "noscript", "section",
        "h2", "h3", "details", "summary", "b", "small", "pre", "script", "figure", "div", "a", "article", "ul", "li",
        "span", "table", "thead", "tbody", "tr", "th", "td"}  # fmt: skip
DRAWN = {"svg", "g", "rect", "line", "path", "circle", "text", "tspan", "desc", "image"}


class Elements(HTMLParser):
    """The names of all elements and the attributes that could act, as a reader without scripts sees them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.acting: list[tuple[str, str | None]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        refers = {"href", "src", "xlink:href", "action", "srcset"}
        self.acting += [pair for pair in attrs if pair[0].startswith("on") or (pair[0] in refers and not _own(pair[1]))]


def _own(address: str | None) -> bool:
    return (address or "").startswith(("#", "data:"))


def data_of(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def pages() -> dict[str, str]:
    shown = ["stderr", "process", "note"]
    return {
        "flow": api.drawing(hostile.trace(), show=shown, check=True, full=True).html(),
        "architecture": api.drawing(Topology.model_validate(hostile.topology())).html(),
    }


@pytest.fixture(scope="module")
def hostile_pages() -> dict[str, str]:
    return pages()


@pytest.mark.parametrize("kind", ["flow", "architecture"])
def test_no_string_of_a_stranger_is_markup(hostile_pages: dict[str, str], kind: str) -> None:
    found = Elements(hostile_pages[kind])
    assert found.names <= OURS | DRAWN
    assert found.acting == []


@pytest.mark.parametrize("kind", ["flow", "architecture"])
def test_the_policy_names_the_only_script_and_no_place_elsewhere(hostile_pages: dict[str, str], kind: str) -> None:
    page = hostile_pages[kind]
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy.replace("&#39;", "'") == (
        f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert not re.search(r"@import|url\((?!data:)", re.findall(r"<style>(.*?)</style>", page, re.DOTALL)[0])


def test_the_script_builds_no_markup() -> None:
    from flowgen.backends._html import script
    from flowgen.backends._html_arch import _SCRIPTS

    text = script() + script(_SCRIPTS)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\(|new Function|setHTML", text)


def test_the_data_holds_every_message_as_it_was_written() -> None:
    """Numbers that no browser can count, and what ends a script element."""
    odd = "</script><!-- \u2028 \ud800"
    trace = trace_of(asks("tools/call", 12345678901234567890, name="x", arguments={"a": odd}), answers(1, x=odd))
    page = api.drawing(trace).html()
    page.encode()  # no lone surrogates
    rows = [row for row in data_of(page)["rows"] if row["row"] == "message"]
    assert [json.loads(row["body"]) for row in rows] == [message.body for message in trace.messages]
    assert '"id":12345678901234567890' in rows[0]["body"]
    assert "<" not in page.partition('id="data">')[2].partition("</script>")[0]


def test_secrets_of_a_recording_that_was_not_masked_are_not_passed_on() -> None:
    token, key = "ghp_" + "a1B2" * 9, "hunter2-hunter2"
    trace = trace_of(asks("tools/call", 1, name="x", arguments={"token": token, "password": key}), answers(1, x=token))
    page = api.drawing(trace, full=True).html()
    assert token not in page and key not in page
    assert '"password":"•••"' in data_of(page)["rows"][1]["body"]


def test_both_languages_ride_along(seed: Trace) -> None:
    data = data_of(api.drawing(seed, lang="zh").html())
    assert data["lang"] == "zh"
    step, first = data["rows"][:2]
    assert step["title"] == ["Initialization", "初始化"]
    assert first["title"] == ["initialize request", "initialize 请求"]
    assert data["words"]["en"].keys() == data["words"]["zh"].keys()


def test_without_scripts_there_is_the_picture_and_every_message(seed: Trace) -> None:
    drawn = api.drawing(seed)
    page = drawn.html()
    plain = "".join(re.findall(r"<noscript[^>]*>(.*?)</noscript>", page, re.DOTALL))
    assert drawn.svg.strip() in plain
    assert plain.count("<details>") == len(seed.messages) - 3  # of the process, which the picture does not show either
    assert "Current weather in San Francisco" in plain


def test_folded_messages_are_in_the_page() -> None:
    calls = [row for n in range(20) for row in (asks("tools/call", n, name="x"), answers(n, content=[]))]
    data = data_of(api.drawing(trace_of(*calls)).html())
    (run,) = [row for row in data["rows"] if row["row"] == "run"]
    assert len(run["rows"]) == 36
    assert run["rows"][0]["n"] == 5


def test_colours_are_those_of_the_theme(seed: Trace) -> None:
    contrast = api.drawing(seed, theme="high-contrast:dark")
    page = contrast.html()
    assert f"--req:{contrast.theme.dark['req']};" in page
    assert '<html lang="en" data-theme="dark">' in page


def test_the_same_recording_gives_the_same_page(seed: Trace) -> None:
    assert api.drawing(seed).html() == api.drawing(seed).html()


def test_a_page_of_several_recordings_has_their_branches(seed: Trace) -> None:
    other = api.load(SAMPLES / "sdk-handshake.json")
    rows = data_of(api.drawing([seed, other], together="alt", names=["a", "b"]).html())["rows"]
    kinds = [row["row"] for row in rows]
    assert (kinds.count("open"), kinds.count("else"), kinds.count("close")) == (1, 1, 1)


def test_an_architecture_tells_of_each_node_in_both_languages() -> None:
    page = api.architecture([SAMPLES / "architecture" / "mcp.json"]).html()
    for lang, word in (("en", "Evidence"), ("zh", "证据")):
        assert f'<a class="spot" href="#{lang}-node-0"' in page
        card = page.partition(f'<article id="{lang}-node-3"')[2].partition("</article>")[0]
        assert f"<b>{word}</b>" in card
    assert data_of(page)["document"].startswith('{\n "format": "flowgen.topology/1"')


def test_what_mends_a_finding_is_told_in_the_language_of_its_side(tmp_path: Path) -> None:
    config = tmp_path / "mcp.json"
    config.write_text('{"mcpServers": {"files": {"command": "uvx", "args": ["files-example"]}}}')
    page = api.architecture([config]).html()
    assert "How to mend it: Name the exact version" in page and "如何修复：写明确切版本" in page
    assert "提示，审批" in page and "如何修复：Name" not in page
