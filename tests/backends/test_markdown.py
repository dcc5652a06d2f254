"""The Markdown snippet, and what a reader of Markdown makes of it."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt

from flowgen import api, flow
from flowgen.backends import markdown
from flowgen.scene import Options, clean_line
from tests import hostile
from tests.scene.strategies import flows
from tests.traces import SAMPLES, tells, trace_of

OURS = {"picture", "source", "img", "ol", "li", "ul", "p", "strong", "em"}


class Read(HTMLParser):
    """Tags and letters of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.letters = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)

    def handle_data(self, data):
        self.letters += data


def page(text: str) -> Read:
    return Read(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(text))


def seed(image: str = "flow.svg", notes: str = "none") -> str:
    return markdown(flow.read(api.load(SAMPLES / "seed.json"), notes=notes), Options(), image)


def test_the_picture_comes_in_light_and_dark_with_its_description():
    text = seed("docs/flow.svg")
    assert '<source media="(prefers-color-scheme: dark)" srcset="docs/flow-dark.svg">' in text
    assert '<img alt="4 steps, 10 messages between MCP Client and MCP Server.' in text
    assert 'src="docs/flow.svg">' in text


@pytest.mark.parametrize(
    ("image", "light", "dark"),
    [
        ("my flow, 50%.svg", "my%20flow%2C%2050%25.svg", "my%20flow%2C%2050%25-dark.svg"),
        ("https://x.y/a.svg?raw=1", "https://x.y/a.svg?raw=1", "https://x.y/a-dark.svg?raw=1"),
        ('"><b>.svg', "%22%3E%3Cb%3E.svg", "%22%3E%3Cb%3E-dark.svg"),
        ("流程", "%E6%B5%81%E7%A8%8B", "%E6%B5%81%E7%A8%8B-dark"),
    ],
)
def test_names_of_pictures_are_addresses(image, light, dark):
    assert f'src="{light}"' in seed(image) and f'srcset="{dark}"' in seed(image)


def test_steps_are_a_numbered_list_with_their_messages():
    text = seed()
    assert "2. **Tool Discovery**\n   - **4** MCP Client → MCP Server: tools/list request (id 2)\n" in text
    assert "   - **8** MCP Server → MCP Client: notifications/tools/list\\_changed (no id)" in text
    assert "     - *name*: Must be exactly the name of a tool" in seed(notes="brief") and page(text).tags <= OURS


def test_numbers_of_steps_stay_what_they_are_where_steps_are_left_out():
    story = flow.read(api.load(SAMPLES / "seed.json"), steps="1,3", notes="none")
    assert 'start="3"' in MarkdownIt().render(markdown(story, Options(), "x.svg"))


def test_links_are_not_made_of_what_strangers_say():
    text = markdown(flow.read(trace_of(tells("@you #12 GH-7 https://x.y www.x.y a@b.c"))), Options(), "x.svg")
    said = "@<!-- -->you #<!-- -->12 GH-<!-- -->7 https:<!-- -->//x.y www.<!-- -->x.y a@<!-- -->b.c"
    assert said in text


def test_hostile_texts_are_letters():
    for lang in ("en", "zh"):
        read = page(markdown(flow.read(hostile.trace(), notes="full", fold=1000), Options(lang=lang), "x.svg"))
        assert read.tags <= OURS
        shown = re.sub(r"\s", "", read.letters)
        told = [re.sub(r"\s", "", clean_line(text.replace("\n", " "), 200))[:40] for text in hostile.strings()]
        assert not [text for text in told if text not in shown]


@settings(max_examples=20, deadline=None)
@given(flows())
def test_any_flow_gives_a_safe_list_and_the_same_again(story):
    text = markdown(story, Options(), "x.svg")
    assert text == markdown(story, Options(), "x.svg") and not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
    assert page(text).tags <= OURS


def test_a_list_in_chinese_has_the_stops_of_chinese():
    told = markdown(flow.read(api.load(SAMPLES / "seed.json"), notes="full"), Options(lang="zh"), "x.svg")
    assert "**1** MCP Client（客户端） → MCP Server（服务器）：initialize 请求（id 1）" in told
    assert "*name*：必须与发现响应中的工具名称完全匹配。" in told
