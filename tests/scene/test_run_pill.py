"""The pill of a long run: its words in as many lines as they need."""

from flowgen.scene._run_pill import RunPill, run_pill
from flowgen.scene._shapes import Rect, Text
from flowgen.scene._text import width


def _texts(pill: RunPill) -> list[str]:
    return [shape.text for shape in pill.at(0, 0) if isinstance(shape, Text)]


def test_few_words_stand_on_one_line() -> None:
    pill = run_pill("… 118 more tools/call (a) · median 9 ms, max 1.2 s · all answered")
    assert (len(pill.lines), pill.height, pill.whole) == (1, 28, None)


def test_many_words_are_parted_at_their_dots_and_none_is_lost() -> None:
    text = "… 9,998 more tools/call (weather_current, files_search, orders, …) · median 13 ms · 24 s · all answered"
    pill = run_pill(text)
    assert " · ".join(_texts(pill)) == text
    assert (len(pill.lines), pill.height) == (2, 44)


def test_a_word_without_end_is_cut_and_the_whole_is_its_title() -> None:
    text = f"… 3 more {'x' * 400} · all answered"
    pill = run_pill(text)
    assert pill.whole == text and pill.lines[1] == "all answered"
    box = next(shape for shape in pill.at(0, 0) if isinstance(shape, Rect))
    assert all(width(line, 12, 700) < box.width for line in pill.lines)


def test_words_without_end_have_four_lines() -> None:
    text = " · ".join(["x" * 70] * 9)
    assert len(run_pill(text).lines) == 4 and run_pill(text).whole == text
