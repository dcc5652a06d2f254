"""What became of everything is drawn with a sign and a word beside its colour, and covers nothing."""

import json
import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from flowgen.check import compared, judged
from flowgen.scene import Circle, Options, Rect, Text, architecture, flat
from flowgen.topology import read
from tests.scene.arch_invariants import Box, every_server_once, everything_holds
from tests.scene.canvas import letters

URL = "https://mcp.tracker.example/mcp"
ENTRIES = st.sampled_from([
    {"command": "npx", "args": ["-y", "files-mcp@1.2.0", "/srv/docs"]}, {"url": URL}, {"url": URL, "disabled": True},
    {"url": URL, "headers": {"Authorization": "Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345"}},
    {"command": "npx", "args": ["-y", "mcp-remote", URL]}, {"command": "docker", "args": ["run", "-i", "img"]},
    {"command": "docker", "args": ["mcp", "gateway", "run"]}, {"command": "ssh", "args": ["box.internal", "x"]},
])  # fmt: skip
SERVERS = st.dictionaries(st.sampled_from(["files", "tracker", "a", "b"]), ENTRIES, max_size=4)


def topology(servers):
    return judged(read([(".cursor/mcp.json", json.dumps({"mcpServers": servers}, indent=1).encode())]))


def drawn(old, new, **options):
    both = compared(topology(old), topology(new))
    return both, architecture(both, Options(**options))


def rects(scene, style):
    return [each for each in flat(scene.shapes) if isinstance(each, Rect) and re.fullmatch(style, each.style)]


def box(rect):
    return Box(rect.x, rect.y, rect.x + rect.width, rect.y + rect.height, rect.style)


def texts(scene):
    return [each for each in flat(scene.shapes) if isinstance(each, Text)]


def test_every_change_has_its_sign_and_word_and_the_legend_names_it():
    files, other = {"command": "npx", "args": ["-y", "x@1"]}, {"url": URL}
    third = {"url": "https://mcp.other.example/mcp"}
    _, scene = drawn({"f": files, "t": other}, {"f": {**files, "args": ["-y", "x"]}, "n": third})
    said = [text.text for text in texts(scene)]
    assert {"+ added", "− removed", "~ changed", "was: npx -y x@1"} <= set(said)
    assert {text.text for text in texts(scene) if text.style == "arch.legend"} >= {"added", "removed", "changed"}
    assert "f: npx -y x@1 → npx -y x" in said


def test_the_legend_tells_of_no_change_that_there_is_not():
    _, scene = drawn({}, {"n": {"url": URL}})
    legend = {text.text for text in texts(scene) if text.style == "arch.legend"}
    assert legend & {"added", "removed", "changed"} == {"added"}
    _, same = drawn({"n": {"url": URL}}, {"n": {"url": URL}})
    assert not rects(same, r"arch\.change\..*") and "No differences" in [text.text for text in texts(same)]


def test_a_chinese_picture_tells_changes_in_chinese():
    keyed = {"url": URL, "headers": {"X-Api-Key": "k3jh4k5jh34kj5hk34j5h3"}}
    _, scene = drawn({"t": {"url": URL}}, {"t": keyed}, lang="zh")
    said = " ".join(text.text for text in texts(scene))
    assert "变化：" in said and "凭据" in said and "added" not in said
    assert not [english for english in ("added", "in the file", "client of") if english in said]


def test_a_chinese_list_of_changes_has_no_english_zone_and_chinese_brackets():
    container = {"command": "docker", "args": ["run", "-i", "--rm", "example/files:1.0"]}
    _, scene = drawn({}, {"files": container}, lang="zh")
    said = "".join(text.text for text in texts(scene))
    assert "沙箱：容器" in said and "container" not in said


@settings(max_examples=40, deadline=None)
@given(SERVERS, SERVERS, st.sampled_from(["en", "zh"]))
@example({}, {"a": {"command": "docker", "args": ["run", "-i", "img"]}}, "zh")  # the frame's tab and the node's
def test_all_that_holds_for_pictures_holds_for_differences_and_no_tab_lies_on_words(old, new, lang):
    both, scene = drawn(old, new, lang=lang)
    everything_holds(scene)
    every_server_once(scene, both)
    words = [Box(*letters(text), text.text) for text in texts(scene) if not text.style.startswith("arch.change.")]
    tabs = [box(each) for each in rects(scene, r"arch\.change\.[a-z]+")]
    for number, tab in enumerate(tabs):
        assert not [each for each in words if tab.meets(each)], tab
        assert not [each for each in tabs[number + 1 :] if tab.meets(each)], tab


def test_of_many_servers_those_that_changed_keep_their_rows_and_show_a_sign():
    many = {f"s{n}": {"command": "npx", "args": ["-y", f"p{n}@1"]} for n in range(90)}
    _, scene = drawn(many, {**many, "s7": {"command": "npx", "args": ["-y", "p7@2"]}, "new": {"url": URL}})
    everything_holds(scene)
    said = [text.text for text in texts(scene)]
    assert {"s7", "new"} <= set(said) and "s8" not in said and said.count("~") >= 2
    words = [Box(*letters(text), text.text) for text in texts(scene) if not text.style.startswith("arch.change.")]
    signs = [each for each in flat(scene.shapes) if isinstance(each, Circle) and each.style.startswith("arch.change.")]
    boxes = [Box(each.x - 7, each.y - 7, each.x + 7, each.y + 7, each.style) for each in signs]
    assert not [(sign, word) for sign in boxes for word in words if sign.meets(word)]
