"""Pictures in Markdown files: what belongs between the comments, and what is left as it is."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from flowgen import api
from flowgen.errors import FlowgenError
from flowgen.ext.embed import Embedder
from flowgen.trace import save
from tests.hostile import MARKUP
from tests.traces import SAMPLES, asks, trace_of

PAGE = """# A server

<!-- flowgen: traces/call.json notes -->
<!-- /flowgen -->

more
"""


@pytest.fixture
def folder(tmp_path):
    """A repository with a recording, a config file and a page."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "traces").mkdir()
    (tmp_path / "docs").mkdir()
    shutil.copy(SAMPLES / "seed.json", tmp_path / "traces" / "call.json")
    shutil.copy(SAMPLES / "architecture" / "mcp.json", tmp_path / "mcp.json")
    (tmp_path / "README.md").write_text(PAGE)
    return tmp_path


def embedded(document, text=None, **options):
    """The page after it was embedded, and the names of what was written."""
    if text is not None:
        document.write_bytes(text if isinstance(text, bytes) else text.encode())
    changed = [file for file in Embedder(**options).files(document) if file.is_stale]
    for file in changed:
        file.path.write_bytes(file.after)
    return document.read_bytes().decode(), sorted(file.path.name for file in changed)


def test_a_page_gets_the_picture_for_light_and_dark_readers_and_its_messages(folder):
    page, written = embedded(folder / "README.md")
    assert written == ["README.md", "call-dark.svg", "call.svg"]
    picture = api.drawing(api.load(folder / "traces" / "call.json"))
    assert (folder / "traces" / "call.svg").read_text() == picture.in_mode("light")
    assert (folder / "traces" / "call-dark.svg").read_text() == picture.in_mode("dark")
    assert page.startswith(PAGE.partition("<!-- /flowgen")[0]) and page.endswith("<!-- /flowgen -->\n\nmore\n")
    assert 'srcset="traces/call-dark.svg"' in page and 'src="traces/call.svg"' in page
    shown = MarkdownIt("commonmark").render(page)
    assert shown.count("<ol>") == 1 and "4 steps, 10 messages" in shown and "<p>more</p>" in shown


def test_twice_is_as_good_as_once(folder):
    once, _ = embedded(folder / "README.md")
    assert embedded(folder / "README.md") == (once, [])


def test_what_stands_outside_of_the_comments_stays_byte_for_byte(folder):
    marked = "\ufeff# A\r\n\r\n  <!-- flowgen: traces/call.json list -->\r\nold\r\n<!-- /flowgen -->\r\n"
    before = f"{marked}\tx  \r\n```\r\n<!-- flowgen: x -->\r\n```"
    page, _ = embedded(folder / "crlf.md", before)
    head, end = before.split("old\r\n<!-- /flowgen -->")
    assert page.startswith(head) and page.endswith(f"<!-- /flowgen -->{end}")
    assert page.count("\n") == page.count("\r\n") and "\r\n  <picture>\r\n" in page and "old" not in page


def test_a_marker_without_an_end_gets_one(folder):
    for text in ("<!-- flowgen: mcp.json -->", "<!-- flowgen: mcp.json -->\n", "a\r\n<!-- flowgen: mcp.json -->"):
        page, _ = embedded(folder / "page.md", text)
        assert page.startswith(text.rstrip("\r\n")) and page.rstrip("\r\n").endswith("<!-- /flowgen -->")
        assert embedded(folder / "page.md") == (page, [])


def test_an_architecture_lists_what_crosses_a_boundary(folder):
    page, _ = embedded(folder / "page.md", "<!-- flowgen: mcp.json list -->\n")
    assert "| Developer machine → Vendor: tracker.example | POST /mcp |" in page


def test_a_static_theme_has_one_picture_and_mdx_no_html(folder):
    page, written = embedded(folder / "page.md", '<!-- flowgen: mcp.json theme=dark width=600 alt="who & where" -->\n')
    assert '\n<img alt="who &amp; where" src="mcp.svg" width="600">\n' in page and written == ["mcp.svg", "page.md"]
    page, _ = embedded(folder / "page.mdx", "{/* flowgen: traces/call.json alt='[a] `b`' */}\n")
    assert "![\\[a\\] \\`b\\`](traces/call.svg)\n{/* /flowgen */}" in page


def test_addresses_count_from_the_page_or_begin_with_the_one_given(folder):
    page, _ = embedded(folder / "docs" / "page.md", "<!-- flowgen: ../traces/call.json -->\n")
    assert 'src="../traces/call.svg"' in page
    page, _ = embedded(folder / "docs" / "page.md", base_url="https://x.example/raw/")
    assert 'src="https://x.example/raw/traces/call.svg"' in page and "raw/traces/call-dark.svg" in page
    page, _ = embedded(folder / "docs" / "page.md", "<!-- flowgen: /mcp.json out='/docs/a b,c.svg' -->\n")
    assert 'src="a%20b%2Cc.svg"' in page and (folder / "docs" / "a b,c.svg").exists()


@pytest.mark.parametrize(("marker", "says"), [
    ("../elsewhere.json", "outside of"),
    ("a\0.json", "no name of a file"),
    ("ring.json", "no name of a file"),
    (f"{'a' * 300}.json", "no name of a file"),
    (f"mcp.json out={'a' * 248}.svg", "no name of a file"),
    ("mcp.json out=folder.svg", "no file, so it stays"),
    (f"mcp.json fold={'9' * 5000}", "fold: expected a whole number"),
    ("link.json", "outside of"),
    ("mcp.json out=../picture.svg", "outside of"),
    ("mcp.json theme=../own.toml", "outside of"),
    ("mcp.json out=logo.svg", "no picture of flowgen, so it stays"),
    ("mcp.json out=server.py", "no name of an SVG"),
    ("mcp.json out=nowhere/a.svg", "no folder"),
    ("nothing.json", "No such file"),
    ("", "nothing to draw"),
    ("logo.svg", "logo.svg"),
])  # fmt: skip
def test_what_a_page_may_not_have_or_cannot_is_told_with_its_line(folder, marker, says):
    (folder / "logo.svg").write_text("<svg/>")
    (folder.parent / "elsewhere.json").write_text((SAMPLES / "seed.json").read_text())
    (folder / "link.json").symlink_to(folder.parent / "elsewhere.json")
    (folder / "ring.json").symlink_to("ring.json")
    (folder / "folder.svg").mkdir()
    with pytest.raises(FlowgenError, match=f"page.md:3: .*{says}"):
        embedded(folder / "page.md", f"# A\n\n<!-- flowgen: {marker} -->\n")
    assert (folder / "logo.svg").read_text() == "<svg/>"


@pytest.mark.parametrize("name", ["call.svg", "call-dark.svg"])
def test_no_link_leads_a_picture_out_of_the_tree(folder, name):
    planted = folder.parent / "planted"
    (folder / "traces" / name).symlink_to(planted)
    with pytest.raises(FlowgenError, match=rf"README\.md:3: {name}: outside of"):
        embedded(folder / "README.md")
    (folder / "linked.md").symlink_to(folder.parent / "elsewhere.md")
    with pytest.raises(FlowgenError, match=r"linked\.md: outside of"):
        Embedder().files(folder / "linked.md")


def test_a_larger_tree_can_be_allowed(folder):
    (folder.parent / "up.json").write_text((SAMPLES / "seed.json").read_text())
    page, _ = embedded(folder / "page.md", "<!-- flowgen: ../up.json out=up.svg -->", root=folder.parent)
    assert 'src="up.svg"' in page


def test_two_pictures_never_share_a_place(folder):
    page, first = folder / "page.md", "<!-- flowgen: traces/call.json -->\n\n"
    with pytest.raises(FlowgenError, match=r"page.md:3: .*call.svg: the place of another picture \(.*page.md:1\)"):
        embedded(page, f"{first}<!-- flowgen: traces/call.json lang=zh -->")
    _, written = embedded(page, f"{first}<!-- flowgen: traces/call.json list -->")
    assert written == ["call-dark.svg", "call.svg", "page.md"]


def test_a_hostile_recording_stays_text(folder):
    rows = [asks("tools/call", number, name=text, arguments={text: text}) for number, text in enumerate(MARKUP)]
    hostile = trace_of(*rows, title="--> <script>x</script> <!-- /flowgen -->")
    save(hostile.model_dump(exclude_unset=True), str(folder / "traces" / "call.json"))
    page, _ = embedded(folder / "README.md")
    assert embedded(folder / "README.md") == (page, [])
    assert "<script" not in MarkdownIt("commonmark").render(page) and page.endswith("<!-- /flowgen -->\n\nmore\n")


RECORDS = "<!-- flowgen: traces/live.json record='python -m flowgen.demo' list -->\n"


def test_a_page_starts_no_program_unless_it_may(folder):
    with pytest.raises(FlowgenError, match=r"README\.md:1: this marker starts a program: python") as told:
        embedded(folder / "README.md", RECORDS)
    assert "stranger" in str(told.value.hint) and "--allow-record" in str(told.value.hint)


def test_a_page_that_may_follows_the_server_and_keeps_its_recording_while_the_picture_stays(folder, monkeypatch):
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    page, written = embedded(folder / "README.md", RECORDS, allow_record=True)
    assert written == ["README.md", "live-dark.svg", "live.json", "live.svg"] and "tools/list request" in page
    assert api.load(folder / "traces" / "live.json", view="flow").outcome.complete
    assert embedded(folder / "README.md", allow_record=True) == (page, [])
    with pytest.raises(FlowgenError, match="did not run to its end"):
        embedded(folder / "README.md", "<!-- flowgen: record='python -c exit()' -->", allow_record=True)
