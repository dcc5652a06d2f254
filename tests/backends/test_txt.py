"""The swim lane as text: what it shows, how wide it is, what a terminal never gets."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcswidth

from flowgen import api, flow
from flowgen.backends import txt
from flowgen.flow import Branch, Flow, Group, Remark, Say, Step
from flowgen.scene import Options
from tests import hostile
from tests.scene.flows import nested
from tests.scene.strategies import flows
from tests.traces import SAMPLES, answers, asks, refuses, tells, text_message, trace_of

PLAIN = Options()


def told(*messages: dict, options: Options = PLAIN, **how: object) -> str:
    return txt(flow.read(trace_of(*messages), notes="none", show=["stderr"]), options, **how)


def sample(name: str, notes: str = "none") -> Flow:
    return flow.read(api.load(SAMPLES / name), notes=notes)


def wide(text: str) -> int:
    return max(wcswidth(line) for line in text.splitlines())


def test_kinds_are_told_by_line_and_head():
    text = told(asks("ping"), answers(), tells("notifications/x"), asks("no", 2), refuses(2))
    arrows = [line for line in text.splitlines() if line.count("●") == 1 and "│" in line]
    request, response, notification, _, error = arrows
    assert re.search(r"●─+▶", request) and re.search(r"◁─+●", response) and re.search(r"<╌+●", notification)
    assert re.search(r"◁─+●", error) and "ERROR −32601 Method not found" in text


def test_a_request_and_its_number_stand_outside_of_its_lifeline():
    lines = told(asks("ping"), answers()).splitlines()
    assert any(re.match(r" *1 ●─+▶│$", line) for line in lines) and any(re.match(r" *│◁─+● 2$", line) for line in lines)


def test_the_receiver_of_an_open_request_waits_until_its_answer():
    lines = told(asks("ping"), answers()).splitlines()
    first, last = (next(n for n, line in enumerate(lines) if head in line) for head in ("▶", "◁"))
    assert [line.count("┃") for line in lines[first + 1 : last]] == [1] * (last - first - 1)
    assert not any("┃" in line for line in lines[last : last + 2])


def test_a_payload_is_what_arrow_and_label_do_not_tell():
    text = told(asks("tools/call", name="add", arguments={"a": 2}), answers(content=[]))
    assert '{ "name": "add", "arguments": { "a": 2 } }' in text and '{ "content": [] }' in text
    assert "jsonrpc" not in text and '"jsonrpc": "2.0"' in told(asks("ping"), options=Options(full=True))


def test_a_long_payload_is_cut_and_its_size_told():
    rows = asks("tools/call", name="x", arguments={f"key{n}": "value" * 9 for n in range(40)})
    assert re.search(r"… \d+ more lines · 2\.\d KB", told(rows)) and "key39" in told(rows, options=Options(full=True))


def test_a_band_stands_over_the_lanes_with_its_number_in_a_box():
    text = txt(sample("seed.json"), Options())
    for number, title in enumerate(["Initialization", "Tool Discovery", "Tool Execution", "Notification"], 1):
        assert f"┫ {number} ┣━━ {title} ━" in text


def test_loops_remarks_runs_logs_noise_and_ends_have_their_marks():
    call = [row for n in range(9) for row in (asks("tools/call", n, name="x"), answers(n))]
    crash = {"sender": "server", "receiver": "client", "kind": "process", "body": {"event": "exited", "exit_code": 1},
             "problems": [{"code": "crashed", "message": "x"}]}  # fmt: skip
    assert "┊" in told(*call) and "more tools/call" in told(*call)
    text = told(text_message("stderr", "careful"), text_message("noise", "hello", "not-json"), crash)
    assert "STDERR" in text and "┆ careful" in text and "··│" in text
    assert re.search(r"×┄+●", text) and "NOT JSON" in text and "EXIT 1" in text and "┷" in text


def test_frames_go_around_their_rows_and_close():
    story = sample("seed.json")
    rows = story.steps[1].rows
    alt = Group("alt", (Branch(Say("yes", "是"), rows), Branch(Say("no " * 60, "否"), ())))
    loop = Group("loop", (Branch(Say("until done", "直到"), (alt,)),))
    step = Step(1, Say("a", "a"), (loop, Remark(("client", "server"), Say("hm", "嗯"))))
    framed = Flow(story.title, story.lanes, (step,), story.facts, story.outcome, story.sides)
    text = txt(framed, Options(), wide=80)
    assert "┌╌ loop ╌ until done ╌" in text and "┌╌ alt ╌ yes ╌" in text and "├╌ else ╌" in text and "no no no" in text
    assert text.count("┌╌") == text.count("└╌") == 2 and re.search(r"│ +hm +│", text)
    assert wide(text) <= 80


@pytest.mark.parametrize("columns", [60, 80, 100, 140])
@pytest.mark.parametrize("name", ["seed.json", "oauth/trace.json", "create-issue/trace.json"])
def test_no_line_is_wider_than_asked_for(name, columns):
    for lang in ("en", "zh", "en+zh"):
        text = txt(sample(name, "full"), Options(lang=lang, times="clock", headers="all"), wide=columns)
        assert wide(text) <= columns


def test_many_lanes_are_narrow_columns_with_texts_beside_them():
    text = txt(sample("oauth/trace.json"), Options(), wide=80)
    assert re.search(r"│ +●─+┼─+▶│ +1 server/discover request", text)
    assert re.search(r"│ +│◁─+┼─+● +2 401 a valid token is needed", text) and "www-authenticate: Bearer" in text


def test_lifelines_stay_in_their_columns_beside_chinese():
    lines = txt(sample("seed.json"), Options(lang="zh"), wide=80).splitlines()
    ends = {wcswidth(line) for line in lines if line.rstrip().endswith(("│", "┃", "┥")) and "╮" not in line}
    assert len({end for end in ends if end > 70}) <= 2  # the right lifeline, and the card of a name


def test_ascii_is_enough():
    text = txt(sample("seed.json"), Options(lang="zh"), wide=80, ascii_only=True)
    assert text.isascii() and wide(text) <= 80 and re.search(r"o=+>\|", text) and re.search(r"<-+o", text)
    assert re.search(r"<(- )+-?o", text) and "\\u" in text


def test_colours_stand_where_they_are_asked_for_and_nowhere_else():
    coloured, plain = (txt(sample("seed.json"), Options(), colour=colour) for colour in (True, False))
    assert "\x1b" not in plain and "\x1b[94m" in coloured and "\x1b[32m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


def test_times_go_left_of_the_lanes():
    text = txt(sample("seed.json"), Options(times="clock"))
    assert re.search(r"^ *\d\.\d{3} +1 ●", text, re.MULTILINE)


@pytest.mark.parametrize("how", [{}, {"ascii_only": True}, {"colour": True}])
def test_nothing_of_a_hostile_trace_acts_in_a_terminal(how):
    for options in (Options(), Options(full=True, times="clock", form="ledger")):
        text = txt(flow.read(hostile.trace(), notes="full", fold=1000), options, wide=80, **how)
        bare = re.sub(r"\x1b\[[\d;]*m", "", text) if how.get("colour") else text
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", bare)
        assert wide(bare) <= 80


def test_words_of_frames_are_spelt_in_ascii_too():
    text = txt(nested(), Options(lang="zh"), ascii_only=True)
    assert text.isascii() and r"\u5faa\u73af" in text


@settings(max_examples=25, deadline=None)
@given(flows(), st.sampled_from([60, 80, 120]), st.sampled_from(["en", "zh"]), st.booleans())
def test_any_flow_is_told_within_its_columns_and_the_same_again(story, columns, lang, plain):
    options = Options(lang=lang, times="clock" if plain else "none")
    text = txt(story, options, wide=columns, ascii_only=plain)
    assert text == txt(story, options, wide=columns, ascii_only=plain)
    assert wide(text) <= columns and not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
    assert text.isascii() or not plain
