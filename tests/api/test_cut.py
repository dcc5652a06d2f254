"""Excerpts: they say that they are one, and their picture has the numbers and titles of the whole."""

import pytest

from flowgen import api
from flowgen.errors import UsageError
from flowgen.flow import Entry, read
from flowgen.trace import Trace, document_bytes
from tests.traces import SAMPLES

SEED = SAMPLES / "seed.json"


def whole(path=SEED) -> Trace:
    return api.load(path, view="flow")


def again(trace: Trace) -> Trace:
    """Through a file."""
    return api.load(document_bytes(trace.model_dump(exclude_unset=True)), view="flow")


def bands(trace: Trace) -> dict[int | None, tuple[str, list[int | None]]]:
    """Number of each step -> its title and the numbers of its messages."""
    found = {}
    for step in read(trace, full=True).steps:
        numbers = [row.number for row in step.open_rows if isinstance(row, Entry)]
        found[step.number] = (step.title.en if step.title else "", numbers)
    return found


@pytest.mark.parametrize("path", [SEED, SAMPLES / "oauth/trace.json", SAMPLES / "everything.json"])
def test_steps_keep_their_numbers_titles_and_messages(path):
    trace = whole(path)
    steps = bands(trace)
    for asked, wanted in (("2-3", {2, 3}), ("2", {2}), ("-2", {1, 2}), (f"{max(steps)}-", {max(steps)})):
        part = again(api.cut(trace, steps=asked))
        assert bands(part) == {number: steps[number] for number in wanted}
        assert (part.outcome.complete, part.outcome.reason) == (False, "cut")


def test_a_part_says_what_it_is_of_the_whole():
    part = again(api.cut(whole(), messages="4-5"))
    assert part.excerpt and (part.excerpt.first, part.excerpt.last, part.excerpt.of) == (4, 5, 10)
    assert "Excerpt: messages 4–5 of 10" in api.drawing(part).txt()
    assert "节选：第 4–5 条消息，共 10 条" in api.drawing(part, lang="zh").txt()
    assert "cut off" not in api.drawing(part).txt()


def test_a_part_of_a_part_counts_as_the_whole_does():
    part = api.cut(again(api.cut(whole(), steps="2-3")), messages="6")
    assert part.excerpt and (part.excerpt.first, part.excerpt.of, part.excerpt.first_step) == (6, 10, 3)
    assert "Excerpt: message 6 of 10" in api.drawing(part).txt()


def test_an_answer_outside_of_the_part_is_not_told_as_missing():
    part = again(api.cut(whole(), messages="4"))
    (step,) = read(part).steps
    assert [row.state for row in step.open_rows if isinstance(row, Entry)] == ["open"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [({}, "nothing says which part"), ({"steps": "9"}, "there is no 9"), ({"steps": "1,3"}, "expected one range"),
     ({"messages": "5-4"}, "expected one range"), ({"steps": "1", "messages": "9"}, "no message is in both"),
     ({"messages": "x"}, "expected one range"), ({"messages": "99"}, "there is no 99")],
)  # fmt: skip
def test_what_there_is_not_is_told(asked, said):
    with pytest.raises(UsageError, match=said):
        api.cut(whole(), **asked)
