"""The SVG that every renderer draws alike: what it may hold, what it never holds, the same bytes each time."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen import api
from flowgen.trace import Trace
from tests.traces import SAMPLES, SVG, answers, asks, refuses, tells, text_message, trace_of

NEVER = [
    "<script", "<foreignObject", "<image", "<filter", "<mask", "<marker", "textLength", "dominant-baseline",
    "baseline-shift", "paint-order", "text-decoration", "context-stroke", "javascript:", "style=", "opacity=\"5",
    "href=\"http", "url(", "@import", "var(", "light-dark(", "oklch", "color-mix", "hsl(", "rem",
]  # fmt: skip
HOSTILE = (
    '</text><script>alert(1)</script> " \' & <!-- ]]> \x00\x1b[31m \u202eevil\u2066 '
    "\ud83d \ufffe \ufdd0 \U000e0041 \u200b javascript:alert(1) &#0; 𠀀 العربية 👩‍👩‍👧 ﷽ 中文"
)


HIDDEN = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\u202a-\u202e\u2066-\u2069\ufffe\U000e0000-\U000e007f]"


def hostile_trace() -> Trace:
    return trace_of(
        asks("initialize", 1, protocolVersion=HOSTILE, clientInfo={HOSTILE: HOSTILE}),
        answers(1, protocolVersion=HOSTILE, **{HOSTILE: [HOSTILE] * 3}),
        asks(HOSTILE, HOSTILE, name=HOSTILE),
        refuses(HOSTILE, -(10**30), HOSTILE),
        tells(HOSTILE, data=HOSTILE),
        text_message("stderr", HOSTILE),
        text_message("noise", HOSTILE, HOSTILE),
        title=HOSTILE,
        participants=[
            {"id": "client", "role": "client", "title": HOSTILE},
            {"id": "server", "role": "server", "title": HOSTILE * 20},
        ],
    )


def forbidden(svg: str) -> list[str]:
    """Constructs that some renderer draws otherwise or not at all, outside the one style sheet."""
    body = re.sub(r"<style>.*?</style>", "", svg, flags=re.S)
    markup = re.sub(r">[^<]*<", "><", body)  # what a server said is text, and may say anything
    return [word for word in NEVER if word in markup] + re.findall(r"\son\w+=", markup)


@pytest.mark.parametrize("theme", ["auto", "light", "dark", "slides"])
def test_the_file_holds_nothing_that_renderers_disagree_about(seed: Trace, theme: str) -> None:
    assert not forbidden(api.drawing(seed, theme=theme, notes="full", lang="en+zh").svg)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_static_themes_have_no_style_sheet_and_no_classes(seed: Trace, theme: str) -> None:
    svg = api.drawing(seed, theme=theme).svg
    assert "<style" not in svg and "class=" not in svg


def test_every_rule_of_the_style_sheet_stands_in_a_media_block_and_starts_at_an_ancestor(seed: Trace) -> None:
    sheet = re.search(r"<style>(.*?)</style>", api.drawing(seed).svg, re.S)
    assert sheet is not None
    outside = re.sub(r"@media [^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}", "", sheet[1])
    assert not outside.strip()
    assert all(rule.startswith(":root ") for rule in re.findall(r"^(?!@media|\})(.+)\{", sheet[1], re.M))


def test_paints_are_six_digit_colours(seed: Trace) -> None:
    root = ET.fromstring(api.drawing(seed).svg)
    paints = {node.get(name) for node in root.iter() for name in ("fill", "stroke")} - {None, "none"}
    assert all(re.fullmatch("#[0-9a-f]{6}", str(paint)) for paint in paints)


def test_a_font_family_is_one_name(seed: Trace) -> None:
    root = ET.fromstring(api.drawing(seed, lang="en+zh").svg)
    assert not [node for node in root.iter() if "," in (node.get("font-family") or "")]


def test_middle_and_end_anchors_stand_on_plain_texts_only(seed: Trace) -> None:
    root = ET.fromstring(api.drawing(seed).svg)
    assert not [node for node in root.iter(f"{SVG}text") if node.get("text-anchor") and node.find(f"{SVG}tspan")]


def test_the_picture_says_what_it_shows_to_who_cannot_see_it(seed: Trace) -> None:
    root = ET.fromstring(api.drawing(seed).svg)
    ids = [root.get("aria-labelledby"), root.get("aria-describedby")]
    assert root.get("role") == "graphics-document document" and [child.get("id") for child in root[:2]] == ids
    assert "4 steps, 10 messages between MCP Client and MCP Server" in (root.findtext(f"{SVG}desc") or "")


def test_two_pictures_have_different_ids(seed: Trace) -> None:
    first, second = (ET.fromstring(api.drawing(seed, title=title).svg)[0].get("id") for title in ("a", "b"))
    assert first != second


def test_the_same_trace_gives_the_same_bytes_whatever_the_hash_seed() -> None:
    script = "import sys; from flowgen import api; sys.stdout.write(api.drawing(api.load(sys.argv[1])).svg)"
    call = [sys.executable, "-X", "utf8", "-c", script, str(SAMPLES / "seed.json")]
    outputs = {
        subprocess.run(call, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, timeout=60).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1 and b"</svg>" in outputs.pop()


def test_one_element_a_line_so_that_differences_can_be_read(seed: Trace) -> None:
    lines = api.drawing(seed).svg.splitlines()
    assert all(line.count("<rect") + line.count("<text") <= 1 for line in lines)


@pytest.mark.parametrize("options", [{}, {"full": True}, {"lang": "zh"}, {"theme": "dark"}, {"times": "clock"}])
def test_hostile_text_stays_text(options: dict[str, Any]) -> None:
    svg = api.drawing(hostile_trace(), notes="full", **options).svg
    root = ET.fromstring(svg)
    shown = "".join(root.itertext())
    assert not forbidden(svg)
    assert not re.search(HIDDEN, shown)
    assert "<script>" in shown
    svg.encode("utf-8")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
kinds = st.sampled_from(["request", "response", "error", "notification", "noise", "stderr", "process", "note", "http"])
messages = st.lists(
    st.fixed_dictionaries({"kind": kinds, "sender": st.sampled_from(["client", "server"]), "body": json_values}),
    max_size=5,
)


@settings(max_examples=60, deadline=None)
@given(messages, st.booleans())
def test_any_messages_give_a_well_formed_picture(rows: list[dict[str, Any]], full: bool) -> None:
    trace = trace_of(*({**row, "receiver": "client" if row["sender"] == "server" else "server"} for row in rows))
    ET.fromstring(api.drawing(trace, full=full, show=["process", "stderr"]).svg.encode("utf-8"))


@settings(max_examples=60, deadline=None)
@given(st.text(), st.text())
def test_any_string_gives_a_well_formed_picture(text: str, other: str) -> None:
    noise = text_message("noise", text)
    trace = trace_of(asks(text, other, name=text), answers(other, **{text: other}), noise, title=other)
    ET.fromstring(api.drawing(trace, notes="full").svg.encode("utf-8"))


def test_in_a_box_every_word_beside_chinese_stands_at_its_own_column() -> None:
    """A space of a font with Chinese is narrower than a column, and Latin letters keep the font of all others."""
    root = ET.fromstring(api.drawing(trace_of(asks("a", 1, name="模型 model 二"))).svg)
    texts = {"".join(node.itertext()).strip(' "'): node for node in root.iter(f"{SVG}text")}
    x = {word: float(texts[word][0].get("x") or "") for word in ("模型", "model", "二")}
    assert [round((x[word] - x["模型"]) / 7.526) for word in ("model", "二")] == [6, 12]
    assert texts["model"].get("font-family") is None and "CJK" in (texts["二"].get("font-family") or "")


@pytest.mark.parametrize("name", ["title", "body"])
def test_chinese_is_drawn_in_the_reader_s_own_fonts_where_there_are_others(name: str) -> None:
    """The attribute names the one font that static renderers look for; a browser without it reads the style sheet."""
    chinese = "模型 model"
    trace = trace_of(asks("tools/call", 1, name=chinese), title=chinese)
    place = {"title": "27", "body": None}[name]
    root = ET.fromstring(api.drawing(trace).svg)
    found = [
        node for node in root.iter(f"{SVG}text")
        if "模型" in "".join(node.itertext()) and node.get("font-size") == place
    ]  # fmt: skip
    assert found and all("CJK" in (node.get("font-family") or "") for node in found)
    stack = "fg-sans" if name == "title" else "fg-mono"
    assert all(stack in (node.get("class") or "").split() for node in found)
