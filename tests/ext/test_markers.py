"""Where pictures stand in a Markdown file."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.errors import ConfigError
from flowgen.ext._markers import markers

PIECES = (
    "<!-- flowgen: a.json -->", "<!-- /flowgen -->", "<!-- flowgen: a.json", "-->", "```", "~~~", "````", "text", "",
    "  <!-- flowgen: b.json x=1 -->", "    <!-- flowgen: c.json -->", "- ```py", "{/* flowgen: d.json */}", "> ```",
)  # fmt: skip


def found(text: str) -> list[tuple[int, int, bool]]:
    return [(each.line, each.end + 1, each.closed) for each in markers(text.split("\n"))]


def test_a_marker_goes_from_its_comment_to_its_end():
    text = "# A\n<!-- flowgen: a.json -->\nold\nold\n<!-- /flowgen -->\nmore\n<!-- flowgen: b.json -->\n"
    assert found(text) == [(2, 5, True), (7, 8, False)]


def test_a_marker_may_take_several_lines():
    (marker,) = markers(["<!-- flowgen: a.json", "     lang=zh", "-->", "<!-- /flowgen -->"])
    assert (marker.words.split(), marker.body, marker.end) == (["a.json", "lang=zh"], 3, 3)


@pytest.mark.parametrize("fence", ["```", "~~~", "````md", "- ```", "> ```", "   ~~~~", "1. ```text"])
def test_what_a_code_fence_holds_is_no_marker(fence):
    sign = fence.strip("- >1.mdtex")
    assert found(f"{fence}\n<!-- flowgen: a.json -->\n{sign[:2]}\n<!-- /flowgen -->\n{sign}\n") == []


def test_a_fence_is_open_until_one_of_its_kind_and_length_ends_it():
    text = "````\n```\n<!-- flowgen: a.json -->\n~~~~\n````\n<!-- flowgen: b.json -->"
    assert found(text) == [(6, 7, False)]


def test_code_by_four_spaces_and_code_in_a_line_are_no_markers():
    assert found("    <!-- flowgen: a.json -->\n`<!-- flowgen: a.json -->`\ntext <!-- flowgen: a.json -->") == []


def test_mdx_has_comments_of_its_own():
    (marker,) = markers(["{/* flowgen: a.json */}", "{/* /flowgen */}"])
    assert (marker.closed, marker.ending) == (True, "{/* /flowgen */}")


@pytest.mark.parametrize(("text", "says"), [
    ("x\n<!-- /flowgen -->", "2: the end of a marker that begins nowhere"),
    ("<!-- flowgen: a.json\ntext", "1: a marker that is not closed"),
    ("<!-- flowgen: a.json --> <img>", "1: a marker stands alone on its lines"),
])  # fmt: skip
def test_what_is_wrong_with_a_marker_is_told_with_its_line(text, says):
    with pytest.raises(ConfigError, match=says):
        found(text)


@settings(max_examples=60)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=12)), max_size=14))
def test_whatever_a_file_holds_markers_stand_one_after_the_other(lines):
    lines = [part for line in lines for part in line.split("\n")]
    try:
        told = markers(lines)
    except ConfigError:
        return
    at = 0
    for marker in told:
        assert at <= marker.first < marker.body <= marker.end <= len(lines)
        at = marker.end + marker.closed
