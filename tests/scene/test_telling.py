"""What a flow says without a picture: words, chips, payloads, names."""

import pytest

from flowgen import flow
from flowgen.flow import Entry
from flowgen.scene import Options, Telling, telling
from tests.traces import answers, asks, refuses, text_message, trace_of


def told(*messages: dict, lang: str = "en", **header: object) -> Telling:
    story = flow.read(trace_of(*messages, **header), show=["stderr", "process"], fold=99)
    return telling(story, Options(lang=lang))  # type: ignore[arg-type]


def entries(one: Telling) -> list[Entry]:
    return [row for step in one.flow.steps for row in step.open_rows if isinstance(row, Entry)]


def payload(one: Telling, entry: Entry, most: int = 12) -> str:
    lines = one.lines(entry, 60, most)
    return "\n".join("".join(text for _, _, text in line.tokens) for line in lines)


@pytest.mark.parametrize(
    ("message", "word"),
    [
        (asks("ping"), ""), (answers(), ""), (refuses(1, -32602), "ERROR −32602"),
        (answers(1, isError=True), "TOOL ERROR"), (text_message("stderr", "x"), "STDERR"),
        (text_message("noise", "x", "not-json"), "NOT JSON"),
    ],
)  # fmt: skip
def test_a_word_says_what_arrow_and_label_do_not(message, word):
    one = told(message)
    assert one.word(entries(one)[0]) == word


def test_a_payload_is_what_is_inside_of_the_envelope():
    one = told(asks("tools/call", 1, name="x"), answers(1, content=[]), asks("ping", 2), refuses(2), refuses(3))
    call, result, ping, error, _ = entries(one)
    assert payload(one, call) == '{ "name": "x" }' and payload(one, result) == '{ "content": [] }'
    assert payload(one, ping) == "" and payload(one, error) == ""


def test_an_error_is_shown_where_it_has_data():
    broken = refuses(1)
    broken["body"]["error"]["data"] = {"why": "x"}
    one = told(broken)
    assert '"data": { "why": "x" }' in payload(one, entries(one)[0])


def test_what_is_cut_tells_the_size_of_all():
    one = told(asks("x", 1, **{f"k{n}": "v" * 40 for n in range(12)}))
    last = payload(one, entries(one)[0], 4).splitlines()
    assert len(last) == 4 and last[-1] == "… 11 more lines · 626 B"


def test_participants_with_one_name_are_told_apart():
    known = [{"id": "client", "role": "client"}, {"id": "server", "role": "server"}, {"id": "other", "role": "server"}]
    one = told(asks("ping"), {**asks("ping", 2), "receiver": "other"}, participants=known)
    assert [one.name(lane.id) for lane in one.lanes] == ["MCP Client", "MCP Server (server)", "MCP Server (other)"]


def test_both_languages_are_said_where_both_are_asked_for():
    one = told(asks("tools/list"), answers(tools=[]), lang="en+zh")
    assert one.say(one.flow.steps[0].title) == "Tool Discovery · 工具发现"
