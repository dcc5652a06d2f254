import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flowgen.scene as scene
from flowgen.scene._clean import clean
from flowgen.scene._text import (
    MONO,
    cjk_family,
    columns,
    has_cjk,
    shorten,
    shorten_columns,
    width,
    wrap,
    wrap_columns,
)

texts = st.text(max_size=200)
mixed = st.text(alphabet="ab 字，。（）「」éж👩‍\u0301/=-", max_size=120)


def test_latin_is_measured_by_dejavu_times_0_96() -> None:
    assert width("A", 2048) == 1401 * 0.96
    assert width("A", 2048, 700) == 1585 * 0.96
    assert width("AB", 10) == width("A", 10) + width("B", 10)


def test_greek_cyrillic_and_symbols_are_in_the_table_too() -> None:
    assert width("ж", 2048) == 1845 * 0.96
    assert width("π", 2048) == 1233 * 0.96
    assert width("→", 2048) == 1716 * 0.96


def test_a_kind_pill_is_as_wide_as_in_the_target() -> None:
    assert width("REQUEST", 10, 700) + 18 == pytest.approx(68, abs=0.5)


def test_chinese_kana_and_hangul_are_one_em_wide() -> None:
    for sign in "字かカ한，（":
        assert width(sign, 12) == 12


def test_an_emoji_is_one_and_a_quarter_em_however_many_people_it_joins() -> None:
    for emoji in ("😀", "👨‍👩‍👧", "❤️", "🇨🇳", "👍🏽"):
        assert width(emoji, 16) == 20


def test_an_accent_adds_nothing_to_its_letter() -> None:
    assert width("e\u0301", 16) == width("e", 16)
    assert width("\u0301", 16) == 0


def test_other_scripts_get_a_common_width() -> None:
    assert width("ก", 100) == 65


def test_a_monospace_column_is_7_526_px_at_12_5() -> None:
    assert round(MONO * 12.5, 3) == 7.526


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("abc", 3),
        ("né", 2),
        ("жук", 3),
        ("字", 2),
        ("a字b", 4),
        ("👨‍👩‍👧", 2),
        ("e\u0301", 1),
        ("…•", 2),
    ],
)
def test_wide_signs_take_two_columns(text: str, count: int) -> None:
    assert columns(text) == count


@settings(deadline=None)
@given(texts)
def test_any_text_can_be_measured(text: str) -> None:
    assert width(text, 12) >= 0
    assert width(text, 12, 700) >= 0
    assert columns(clean(text)) >= 0


def test_ordinary_chinese_needs_no_search_for_clusters() -> None:
    code = (
        "import sys; from flowgen.scene._text import columns, width, wrap;"
        "width('工具发现：tools/list', 12); columns('工具 a'); wrap('工具，资源' * 9, 12, 90);"
        "sys.exit('wcwidth' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0


def test_a_lone_surrogate_can_be_measured() -> None:
    assert width("a\ud800", 12) > 0


def test_text_breaks_at_spaces_and_drops_them() -> None:
    assert wrap("one two three", 10, width("one two", 10)) == ["one two", "three"]


def test_newlines_are_respected() -> None:
    assert wrap("one\n\ntwo", 10, 500) == ["one", "", "two"]
    assert wrap("", 10, 500) == [""]


def test_chinese_notes_break_as_in_the_target() -> None:
    text = "服务器命名空间内该工具的唯一标识符，是工具执行的主键。"
    assert wrap(text, 12, 190) == ["服务器命名空间内该工具的唯一标", "识符，是工具执行的主键。"]
    text = "由 inputSchema 定义：location 必需，units 可选，默认为 metric。"
    assert wrap(text, 12, 190) == ["由 inputSchema 定义：location", "必需，units 可选，默认为", "metric。"]


def test_no_line_begins_with_closing_or_ends_with_opening_punctuation() -> None:
    lines = wrap("工具（见「表」），资源：提示。" * 4, 12, 12 * 7)
    assert len(lines) > 4
    assert not any(line[0] in "，。：」）" for line in lines)
    assert not any(line[-1] in "（「" for line in lines)


def test_a_word_longer_than_the_line_breaks_after_a_joint() -> None:
    lines = wrap_columns("see https://example.com/some/long/path?query=value now", 20)
    assert lines == ["see https://example.", "com/some/long/path?", "query=value now"]


def test_a_word_without_joints_breaks_anywhere() -> None:
    assert wrap_columns("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]


@settings(deadline=None)
@given(texts | mixed, st.integers(30, 300))
def test_no_wrapped_line_is_wider_than_its_limit(text: str, limit: int) -> None:
    for line in wrap(text, 12, limit):
        assert width(line, 12) <= limit


@settings(deadline=None)
@given(texts | mixed, st.integers(2, 60))
def test_wrapping_loses_nothing_but_spaces_at_line_ends(text: str, limit: int) -> None:
    lines = wrap_columns(text, limit)
    squeezed = str.maketrans("", "", " \u3000\n")
    assert "".join(lines).translate(squeezed) == text.translate(squeezed)


def test_text_that_fits_is_not_shortened() -> None:
    assert shorten("tools/list", 12, 200) == "tools/list"


def test_shortening_at_the_end_and_in_the_middle() -> None:
    assert shorten_columns("toolbox gateway --profile=default", 12) == "toolbox gat…"
    assert shorten_columns("toolbox gateway --profile=default", 13, "middle") == "toolbo…efault"


@settings(deadline=None)
@given(texts | mixed, st.floats(0, 300), st.sampled_from(["end", "middle"]))
def test_shortened_text_is_never_wider_than_its_limit(text: str, limit: float, where: str) -> None:
    assert width(shorten(text, 12, limit, where=where), 12) <= max(limit, 0)  # type: ignore[arg-type]


def test_a_family_of_emoji_is_never_torn() -> None:
    assert shorten_columns("👨‍👩‍👧👨‍👩‍👧", 3) == "👨‍👩‍👧…"


def test_cjk_text_names_one_family_by_its_script() -> None:
    assert not has_cjk("naïve → “text” ж 😀")
    assert has_cjk("id：1") and has_cjk("工具")
    assert cjk_family("工具") == "Noto Sans CJK SC"
    assert cjk_family("道具です") == "Noto Sans CJK JP"
    assert cjk_family("도구") == "Noto Sans CJK KR"


def test_the_table_names_its_font_and_covers_latin_greek_cyrillic_in_both_weights() -> None:
    table = json.loads(Path(scene.__file__).with_name("widths.json").read_text("utf-8"))
    assert table["font"].startswith("DejaVu Sans")
    for weight in ("regular", "bold"):
        assert len(table[weight]["near"]) == len(table["near"])
        assert {"370", "400"} & {run.partition(":")[0] for run in table[weight]["far"].split(";")}


@settings(max_examples=30, deadline=None)
@given(st.text(alphabet=st.characters(max_codepoint=0x2BFF), min_size=1, max_size=40))
def test_bold_text_is_measured_by_its_own_table(text: str) -> None:
    assert width(clean(text), 12, 700) >= 0.8 * width(clean(text), 12)


@pytest.mark.parametrize("sign", "“”’…→①★·×≠√│")
def test_a_sign_that_a_font_with_chinese_draws_wide_is_wide_beside_chinese(sign: str) -> None:
    assert columns(sign * 10) == 10 and columns("中" + sign * 10) == 22
    assert width(sign * 10, 10) < 100 <= width("中" + sign * 10, 10) - 10 + 1e-9


def test_lines_and_cuts_of_a_chinese_text_count_its_quotes_as_wide() -> None:
    text = "“模型”“上下文”“协议”“工具”" * 6
    assert all(width(line, 12, cjk=True) <= 190 for line in wrap(text, 12, 190))
    assert all(columns(line, cjk=True) <= 30 for line in wrap_columns(text, 30))
    assert width(shorten(text, 12, 190), 12, cjk=True) <= 190
    assert columns(shorten_columns(text, 30), cjk=True) <= 30


@pytest.mark.parametrize("text", ["नमस्ते दुनिया", "สวัสดีชาวโลก", "བོད་སྐད་", "မြန်မာ", "ខ្មែរ"])
def test_scripts_that_no_table_knows_have_room_for_every_sign(text: str) -> None:
    assert columns(text) == len(text)
