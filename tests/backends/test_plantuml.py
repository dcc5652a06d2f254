"""The PlantUML diagram: what it says, and what strangers cannot say in it."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen import api, flow
from flowgen.backends import plantuml
from flowgen.scene import Options
from tests import hostile
from tests.scene.strategies import flows
from tests.traces import SAMPLES, tells, trace_of

OURS = re.compile(
    r"@startuml$|' Made by flowgen|title \S|hide footbox$|skinparam noteFontName Monospaced$|@enduml$"
    r'|(?:participant|actor) "[^"]*" as p\d+$|p\d+ (?:->|-->|-->>|-->x) p\d+ : \S|r?note over p\d+(?:, p\d+)? : \S'
    r"|== \S.* ==$|loop \S|alt \S|opt \S|par \S|else \S|end$"
)


def test_kinds_are_told_by_their_arrows_steps_by_bands_payloads_by_notes():
    lines = plantuml(flow.read(api.load(SAMPLES / "seed.json"), notes="none"), Options()).splitlines()
    assert "p1 -> p2 : 1. initialize request (id\xa01)" in lines
    assert "p2 --> p1 : 2. initialize response (id\xa01)" in lines
    assert "p1 -->> p2 : 3. notifications/initialized (no\xa0id)" in lines and "== 2 · Tool Discovery ==" in lines
    assert any(line.startswith('rnote over p1, p2 : {\\n\xa0\xa0"name": "weather_current",') for line in lines)
    assert 'participant "MCP Client\\nexample-client 1.0.0" as p1' in lines
    assert (lines[0], lines[-1]) == ("@startuml", "@enduml")


def test_what_acts_is_written_as_its_code_point():
    acts = "%getenv(x) !include $v 'c' <img:x> &#65; ~ \\n @enduml |a| [[l]] **b** {{ ]]>"
    text = plantuml(flow.read(trace_of(tells(acts)), notes="none"), Options()).replace("\\n", " ")
    shown = re.search(r"1\. (.*) \(no", text)
    assert shown and not re.search(r"[%!$'&~\\@|]|<(?!U\+|/?plain>)|\[\[|\*\*|\{\{|\]\]|]<U\+003E>", shown[1])
    assert re.sub(r"<U\+([0-9A-F]{4})>", lambda code: chr(int(code[1], 16)), re.sub("</?plain>", "", shown[1])) == acts


def test_no_hostile_text_begins_a_line():
    for options in (Options(), Options(lang="zh", full=True)):
        text = plantuml(flow.read(hostile.trace(), notes="full", fold=1000), options)
        assert not [line for line in text.splitlines() if not OURS.match(line)]
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", text) and text.count("@enduml") == 1


@settings(max_examples=25, deadline=None)
@given(flows(), st.sampled_from(["en", "zh", "en+zh"]))
def test_any_flow_gives_a_balanced_text_and_the_same_again(story, lang):
    text = plantuml(story, Options(lang=lang))
    assert text == plantuml(story, Options(lang=lang)) and not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
    lines = text.splitlines()
    opened = sum(line.split(" ")[0] in ("loop", "alt", "opt", "par") for line in lines)
    assert opened == lines.count("end") and not [line for line in lines if not OURS.match(line)]
