"""Names of many pictures in one folder."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.api._places import places


@pytest.mark.parametrize(
    ("inputs", "names"),
    [
        (["a.json", "traces/b.jsonl"], ["a.svg", "b.svg"]),
        (["x/trace.json", "y/trace.json", "a.json"], ["x-trace.svg", "y-trace.svg", "a.svg"]),
        (["p/x/t.json", "q/x/t.json"], ["p-x-t.svg", "q-x-t.svg"]),
        (["a.json", "a.jsonl"], ["a.json.svg", "a.jsonl.svg"]),
        (["A.json", "sub/a.json"], None),
        (["stdin", "sub/stdin"], None),
        ([".mcp.json", "x/.cursor/mcp.json"], None),
        ([".cursor/mcp.json", ".vscode/mcp.json"], ["cursor-mcp.svg", "vscode-mcp.svg"]),
        (["a.b.json", "noname"], ["a.b.svg", "noname.svg"]),
    ],
)
def test_each_input_has_a_name_of_its_own(inputs, names):
    found = [os.path.relpath(place, "out") for place in places(inputs, "out", "svg")]
    assert names is None or found == names
    assert len({name.casefold() for name in found}) == len(inputs)


@given(st.lists(st.sampled_from(["a", "a-2", "x/a", "x/A", "x-a", "a.json", "a.jsonl", "y/x/a.json"]), max_size=8))
@settings(max_examples=200)
def test_no_two_are_ever_the_same(inputs):
    found = places(inputs, "out", "svg")
    assert len({place.casefold() for place in found}) == len(inputs)
    assert all(os.path.dirname(place) == "out" for place in found)
