import re
import unicodedata
import xml.etree.ElementTree as ET
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.scene._clean import clean, clean_line, head, pieces

hostile = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from(
            "\t\n\r\x00\x1b\x7f\x85\u202e\u200b\u200d\ufe0f\ufeff\ufffe\ud83d😀❤👩#1\u0301\U000e0041"
        ),
    ),
    max_size=80,
)
_HIDDEN = [
    *range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0), 0xAD, 0x61C, 0x180E, 0x200B, 0x200C, 0x200E, 0x200F,
    0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2060, 0x2070), *range(0xFDD0, 0xFDF0), 0xFEFF,
    *range(0xFFF9, 0xFFFC), 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xF0000, 0x10FFFD, 0xE0001, 0xE0041, 0xE01EF, 0xE0FFF,
    *(plane << 16 | last for plane in range(17) for last in (0xFFFE, 0xFFFF)),
]  # fmt: skip


@pytest.mark.parametrize("code", _HIDDEN)
def test_what_cannot_be_seen_is_shown_as_its_code_point(code: int) -> None:
    assert clean(f"a{chr(code)}b") == f"aU+{code:04X}b"


def test_a_bidirectional_control_cannot_turn_text_around() -> None:
    assert clean("gpj.\u202eexe") == "gpj.U+202Eexe"


def test_terminal_sequences_become_text() -> None:
    assert clean("\x1b[31mred\x1b]8;;http://x\x07") == "U+001B[31mredU+001B]8;;http://xU+0007"


def test_a_prompt_hidden_in_tag_characters_comes_to_light() -> None:
    assert clean("ok" + "".join(chr(0xE0000 + ord(sign)) for sign in "hi")) == "okU+E0068U+E0069"


def test_a_tab_is_four_spaces_and_a_newline_stays() -> None:
    assert clean("a\tb\nc") == "a    b\nc"
    assert clean("字\tb\nc") == "字    b\nc"


@pytest.mark.parametrize(
    "text", ["👨‍👩‍👧", "❤️", "1️⃣", "👩🏽‍⚕️", "naïve", "e\u0301", "工具（表）", "مرحبا", "“text”"]
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert clean(text) == text
    assert pieces(text) == [(text, False)]


def test_joiners_stay_between_emoji_only() -> None:
    assert clean("a\u200db") == "aU+200Db"
    assert clean("a\ufe0fb") == "aU+FE0Fb"
    assert clean("👩\u200d") == "👩U+200D"


def test_accents_are_not_piled_up_over_other_lines() -> None:
    assert clean("z" + "\u0301" * 9).startswith("z\u0301\u0301\u0301U+0301")


def test_the_parts_tell_which_of_them_was_hidden() -> None:
    assert pieces("a\u202eb\t") == [("a", False), ("U+202E", True), ("b    ", False)]
    assert pieces("") == []


@settings(deadline=None)
@given(hostile)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@settings(deadline=None)
@given(hostile)
def test_the_parts_together_are_the_cleaned_text(text: str) -> None:
    assert "".join(part for part, _ in pieces(text)) == clean(text)


@settings(deadline=None)
@given(hostile)
def test_clean_text_is_well_formed_xml_and_utf8(text: str) -> None:
    assert ET.fromstring(f"<a>{escape(clean(text))}</a>".encode()).tag == "a"


@settings(deadline=None)
@given(hostile)
def test_no_control_is_left_in_clean_text(text: str) -> None:
    left = re.sub("[\n\u200d]", "", clean(text))
    assert not [sign for sign in left if unicodedata.category(sign) in ("Cc", "Cs")]


def test_a_label_is_one_line_without_needless_space() -> None:
    assert clean_line("  a\n\n b\r\n\tc ", 20) == "a b c"
    assert clean_line("a\x1bb", 20) == "aU+001Bb"


def test_a_label_is_cut_at_its_limit() -> None:
    assert clean_line("a" * 21, 20) == "a" * 19 + "…"
    assert clean_line("a" * 20, 20) == "a" * 20
    assert clean_line("👨‍👩‍👧" * 5, 12) == "👨‍👩‍👧" * 2 + "…"


def test_a_name_of_a_million_signs_costs_nothing() -> None:
    assert clean_line("9" * 1_000_000, 40) == "9" * 39 + "…"


@settings(deadline=None)
@given(hostile, st.integers(0, 40))
def test_a_label_is_never_longer_than_its_limit(text: str, limit: int) -> None:
    line = clean_line(text, limit)
    assert len(line) <= limit
    assert "\n" not in line


@settings(deadline=None)
@given(hostile, st.integers(0, 40))
def test_the_head_of_a_text_is_its_beginning(text: str, limit: int) -> None:
    assert text.startswith(head(text, limit))
    assert len(head(text, limit)) <= limit
