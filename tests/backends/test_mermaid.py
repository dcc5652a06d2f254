"""The Mermaid diagram: what it says, what strangers cannot say in it, how long it gets."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen import api, flow
from flowgen.backends import mermaid
from flowgen.scene import Options
from tests import hostile
from tests.scene.strategies import flows
from tests.traces import SAMPLES, answers, asks, tells, trace_of

OURS = re.compile(
    r"sequenceDiagram$|title \S|(?:participant|actor) p\d+ as \S|p\d+(?:->>|-->>|--\)|--x)p\d+: \S"
    r"|Note (?:over p\d+(?:,p\d+)?|right of p\d+): \S|rect rgba|loop \S|alt \S|opt \S|par \S|else \S|and \S|end$"
)


def seed(**options: object) -> str:
    return mermaid(flow.read(api.load(SAMPLES / "seed.json"), notes="none"), Options(**options))  # type: ignore[arg-type]


def body(text: str) -> list[str]:
    """The lines below configuration and comment, which are always the same."""
    head, made, rest = text.partition("%% Made by flowgen")
    assert head.startswith("---\nconfig:\n") and head.endswith("---\n") and made
    return rest.splitlines()[1:]


def test_kinds_are_told_by_their_arrows_and_numbers_are_ours():
    lines = body(seed())
    assert "p1->>p2: 1. initialize request (id\xa01)" in lines and "p2-->>p1: 2. initialize response (id\xa01)" in lines
    assert "p2--)p1: 8. notifications/tools/list_changed (no\xa0id)" in lines and "autonumber" not in lines


def test_steps_are_bands_and_payloads_are_notes():
    lines = body(seed())
    assert "Note over p1,p2: 2 · Tool Discovery" in lines and lines.count("end") == 4
    assert 'Note over p1,p2: {<br/>\xa0\xa0"name": "weather_current",' in "\n".join(lines)


def test_a_person_is_an_actor_and_payloads_stand_beside_many_lanes():
    story = flow.read(api.load(SAMPLES / "oauth" / "trace.json"), notes="none")
    person = story.lanes[0].model_copy(update={"role": "person"})
    text = mermaid(replace(story, lanes=(person, *story.lanes[1:])), Options())
    assert "actor p1 as User" in text and "Note right of p4: POST /mcp<br/>" in text


def test_what_acts_is_written_as_its_number():
    acts = "a;b #c %%{init}%% <b> & `x` $$y$$ \\n ~~~ style: x classDef y"
    text = mermaid(flow.read(trace_of(tells(acts)), notes="none"), Options())
    shown = "a#59;b #35;c #37;#37;{init}#37;#37; #60;b#62; #38; #96;x#96; #36;#36;y#36;#36; #92;n #126;#126;#126; "
    assert f"1. {shown}#115;tyle: x #99;lassDef y (no" in text.replace("<br/>", " ")


def test_payloads_are_cut_so_that_engines_read_the_text_unless_all_is_asked_for():
    long = {f"k{i}": "v" * 50 for i in range(11)}
    calls = [row for n in range(90) for row in (asks("tools/call", n, **long), answers(n))]
    story = flow.read(trace_of(*calls), notes="none", fold=1000)
    assert len(mermaid(story, Options())) < 50_000
    with pytest.warns(UserWarning, match="Mermaid reads 50,000 unless maxTextSize is raised"):
        assert len(mermaid(story, Options(full=True))) > 50_000


@pytest.mark.filterwarnings("ignore:the diagram has")
def test_no_hostile_text_begins_a_line_or_ends_a_fence():
    for options in (Options(), Options(lang="zh", full=True)):
        text = mermaid(flow.read(hostile.trace(), notes="full", fold=1000), options)
        assert not [line for line in body(text) if not OURS.match(line)]
        assert "`" not in text and "~" not in text and not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
        said = "".join(re.sub(r"^p\d+\S+: ", "", line) for line in body(text)).replace("<br/>", "")
        assert "<" not in said and ">" not in said and "%%" not in said


@settings(max_examples=25, deadline=None)
@given(flows(), st.sampled_from(["en", "zh", "en+zh"]))
def test_any_flow_gives_a_balanced_text_and_the_same_again(story, lang):
    text = mermaid(story, Options(lang=lang))
    lines = body(text)
    assert text == mermaid(story, Options(lang=lang)) and not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
    opened = sum(line.split(" ")[0] in ("rect", "loop", "alt", "opt", "par") for line in lines)
    assert opened == lines.count("end") and not [line for line in lines if not OURS.match(line)]
