"""Whether callers of an older tool break on a newer one."""

from typing import Any

import pytest

from flowgen.check._tool_changes import judgements

_PLACE = {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]}


def _takes(**changes: Any) -> dict[str, Any]:
    return {"name": "weather", "inputSchema": _PLACE | changes}


def _property(**schema: Any) -> dict[str, Any]:
    return {"name": "t", "inputSchema": {"type": "object", "properties": {"x": schema}}}


def _answers(**schema: Any) -> dict[str, Any]:
    return {"name": "t", "inputSchema": {}, "outputSchema": {"type": "object", "properties": {"x": {}}} | schema}


def _breaks(old: dict[str, Any], new: dict[str, Any]) -> bool:
    found = judgements(old, new)
    assert found, "a change is told"
    return any(each.breaking for each in found)


def test_a_tool_that_is_the_same_is_not_judged():
    assert judgements(_takes(), _takes()) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (_takes(), _takes(required=["place", "units"], properties={"place": {"type": "string"}, "units": {}})),
        (_takes(required=[]), _takes()),
        (_takes(), _takes(properties={})),
        (_takes(), _takes(additionalProperties=False)),
        (_property(type="string"), _property(type="integer")),
        (_property(type="number"), _property(type="integer")),
        (_property(type=["string", "null"]), _property(type="string")),
        (_property(), _property(type="string")),
        (_property(enum=["a", "b"]), _property(enum=["a"])),
        (_property(), _property(enum=["a"])),
        (_property(maximum=9), _property(maximum=5)),
        (_property(minLength=1), _property(minLength=2)),
        (_property(), _property(pattern="^a")),
        (_property(type="array", items={"type": "string"}), _property(type="array", items={"type": "object"})),
    ],
)
def test_a_tool_that_takes_less_breaks_its_callers_and_one_that_takes_more_does_not(old, new):
    assert _breaks(old, new)
    if new["inputSchema"].get("properties"):
        assert not _breaks(new, old) or _gone(new, old)


def _gone(new: dict[str, Any], old: dict[str, Any]) -> bool:
    """Where the way back takes less as well: another type, a member less."""
    return any("gone" in each.sentence or "no longer" in each.sentence for each in judgements(new, old))


@pytest.mark.parametrize(
    ("old", "new", "breaking"),
    [
        (_answers(required=["x"]), _answers(), True),
        (_answers(), _answers(required=["x"]), False),
        (_answers(), _answers(properties={}), True),
        (_answers(), _answers(properties={"x": {}, "y": {}}), False),
        (_answers(properties={"x": {"type": "string"}}), _answers(properties={"x": {"type": ["null", "string"]}}),
         True),
        (_answers(properties={"x": {"enum": ["a"]}}), _answers(properties={"x": {"enum": ["a", "b"]}}), True),
        (_answers(), {"name": "t", "inputSchema": {}}, True),
        ({"name": "t", "inputSchema": {}}, _answers(), False),
    ],
)  # fmt: skip
def test_what_a_tool_answers_may_grow_narrower_but_not_wider(old, new, breaking):
    assert _breaks(old, new) is breaking


def test_a_hint_that_says_less_harmless_breaks_whoever_approved_by_it():
    old, new = {"annotations": {"readOnlyHint": True}}, {"annotations": {"readOnlyHint": False}}
    assert _breaks(old, new) and not _breaks(new, old)


def test_other_words_break_nothing():
    assert not _breaks(_takes() | {"description": "a"}, _takes() | {"description": "b"})


@pytest.mark.parametrize("odd", [None, 7, [], "x", {"type": 7}, {"properties": []}, {"required": {"a": 1}},
                                 {"enum": 5}, {"maximum": "9"}, {"items": [{}]}])  # fmt: skip
def test_schemas_that_are_none_are_compared_all_the_same(odd):
    for old, new in ((odd, _PLACE), (_PLACE, odd), (odd, odd)):
        assert isinstance(judgements({"inputSchema": old}, {"inputSchema": new}), list)
