"""Messages and steps are called by the same numbers in every format, whatever of a recording is asked for."""

import json
import re
from typing import Any

import pytest

from flowgen import api
from flowgen.trace import Trace
from tests.traces import answers, asks, tells, trace_of

# format -> how the number of a message stands there
NUMBERS = {
    "svg": r'id="m-(\d+)"',
    "mermaid": r"p\d--?>>p\d: (\d+)\. ",
    "plantuml": r"p\d --?> p\d : (\d+)\. ",
    "md": r"^ *- \*\*(\d+)\*\* ",
    "json": r'"number": (\d+),\n +"method"',
}
PARTS: list[dict[str, Any]] = [
    {},
    {"only": ["tools/*"]},
    {"steps": "2-3"},
    {"hide": ["response"]},
    {"fold": 9},
    {"full": True},
    {"start_step": 5},
    {"start_step": 5, "steps": "7", "only": ["tools/call"]},
]


@pytest.fixture(scope="module")
def talk() -> Trace:
    tools = {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}
    version = {"protocolVersion": "2025-06-18", "capabilities": {}}
    calls = [part for id_ in range(3, 10) for part in (asks("tools/call", id_, name="a"), answers(id_, content=[]))]
    return trace_of(
        asks("initialize", 1, **version), answers(1, **version), asks("tools/list", 2), answers(2, **tools), *calls,
        tells("notifications/tools/list_changed"), asks("tools/list", 10), answers(10, tools=[]),
    )  # fmt: skip


def _text(trace: Trace, form: str, **options: Any) -> str:
    (text,) = api.drawing(trace, **options).files(form)
    return text.decode()


def _titles(trace: Trace, **options: Any) -> dict[int, str]:
    """The numbers and labels of a picture's messages, those in runs too."""
    data = json.loads(_text(trace, "json", **options))
    rows = [row for step in data["steps"] for row in step["rows"]]
    entries = [entry for row in rows for entry in row.get("entries", [row])]
    return {entry["number"]: entry["message"]["seq"] for entry in entries}


@pytest.mark.parametrize("options", PARTS, ids=str)
def test_a_message_has_one_number_in_all_formats(talk: Trace, options: dict[str, Any]) -> None:
    whole = _titles(talk)
    part = _titles(talk, **options)
    assert part and part.items() <= whole.items()
    for form, number in NUMBERS.items():
        found = [int(text) for text in re.findall(number, _text(talk, form, **options), re.M)]
        assert found == sorted(found), form
        assert found and set(found) <= part.keys(), form


@pytest.mark.parametrize("options", PARTS, ids=str)
def test_a_step_has_one_number_in_all_formats(talk: Trace, options: dict[str, Any]) -> None:
    data = json.loads(_text(talk, "json", **options))
    steps = [(step["number"], step["title"]["en"]) for step in data["steps"]]
    first = options.get("start_step", 1)
    known = ["Initialization", "Tool Discovery", "Tool Execution", "Notification"]
    assert steps and all(title == known[number - first] for number, title in steps)
    svg = _text(talk, "svg", **options)
    assert re.findall(r'id="step-(\d+)"', svg) == [str(number) for number, _ in steps]
    for number, title in steps:
        assert f"{number} · {title}" in _text(talk, "mermaid", **options)
        assert f"{number}. **{title}**" in _text(talk, "md", **options)
