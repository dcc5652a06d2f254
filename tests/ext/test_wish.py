"""The words of a page, read into options."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.api import DrawingOptions
from flowgen.errors import FlowgenError
from flowgen.ext import WORDS, wished
from flowgen.ext._marked import marked


def test_words_become_options_of_the_right_kind():
    words = {"lang": "zh", "start_step": "3", "gap": "0.5", "full": "", "only": "tools/*, ping", "date": ""}
    wish = wished(["a.json"], {**words, "from": "har", "with": "b.json c.json"})
    assert wish.options == {
        "lang": "zh", "start_step": 3, "gap": 0.5, "full": True, "only": ["tools/*", "ping"], "date": True,
    }  # fmt: skip
    assert (wish.sources, wish.seen, wish.asked) == (("a.json",), ("b.json", "c.json"), {"source_format": "har"})


def test_every_word_of_a_look_is_an_option_of_a_drawing():
    asked = {"view", "host", "show-paths", "from", "server", "with"}
    looks = {word.replace("-", "_") for word in WORDS if word not in asked}
    assert looks <= set(DrawingOptions.__annotations__)


@pytest.mark.parametrize(("words", "says"), [
    ({"lnag": "zh"}, "there is no word 'lnag'"),
    ({"fold": "many"}, "fold: expected a whole number, found 'many'"),
    ({"gap": ""}, "gap: expected a number, found nothing"),
    ({"full": "perhaps"}, "full: expected true or false"),
    ({"view": "side"}, "view: there is no 'side'"),
])  # fmt: skip
def test_what_cannot_be_asked_for_is_told(words, says):
    with pytest.raises(FlowgenError, match=says):
        wished(["a.json"], words)


def test_a_marker_tells_files_looks_and_what_is_listed():
    said = marked(' traces/a.json notes lang=zh title="Two words" width=80% out=flow.svg ')
    assert (said.wish.sources, said.wish.options) == (("traces/a.json",), {"lang": "zh", "title": "Two words"})
    assert (said.listed, said.width, said.out, said.record) == ("notes", "80%", "flow.svg", None)
    assert (marked("a.json list").listed, marked("a.json notes=full").listed) == ("messages", "none")


def test_a_marker_that_records_tells_what_is_called():
    said = marked("""record="python server.py" call='add={"a": 2}' call=now read=file:///x timeout=5 call-safe""")
    calls = [("add", {"a": 2}), ("now", {})]
    assert said.record == "python server.py"
    assert said.options == {"calls": calls, "reads": ["file:///x"], "timeout": 5.0, "call_safe": True}


@pytest.mark.parametrize(("words", "says"), [
    ('a.json title="x', "quotes that are not closed"),
    ("a.json lang", "lang: a text is missing"),
    ("a.json call=add", "call is for a marker that records"),
    ("record=x a.json b.json", "keeps one file at most"),
    ("record=x call=add={a}", "call add: no JSON"),
    ("record=x call=add=[]", "expected a name and an object"),
    ("record=x timeout=soon", "timeout: expected seconds"),
    ("a.json width=wide", "width: expected px or a share"),
])  # fmt: skip
def test_what_a_marker_cannot_say_is_told(words, says):
    with pytest.raises(FlowgenError, match=says):
        marked(words)


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_whatever_a_marker_says_it_is_understood_or_told(words):
    try:
        marked(words)
    except FlowgenError as problem:
        assert str(problem)
