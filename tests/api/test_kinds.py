"""Values of the wrong kind: one error of ours, whatever a program gives."""

import io
from pathlib import Path
from typing import Any

import pytest

import flowgen
from tests.traces import SAMPLES

SEED = SAMPLES / "seed.json"
TRACE: Any = flowgen.load(SEED)
SYSTEM: Any = flowgen.load(SAMPLES / "architecture" / "mcp.json")
STRANGE: list[Any] = [
    1, 1.5, True, "a\0b", "\ud800", "a" * 300, b"\xff", {"a": 1}, [1], (1, 2), object(), io.BytesIO(b"x"),
    io.StringIO("x"), Path("a\0b"), float("nan"), len, type,
]  # fmt: skip
LOOKS = (
    "title subtitle footer date logo theme lang notes form steps start_step only hide show fold full headers times gap "
    "schema images check embed_fonts columns color ascii layout width template"
)
ASKED = (
    "calls reads prompts completes lists revision timeout startup_timeout script answers env redact_keys max_message "
    "demo"
)


def tried(function: Any, *given: Any, **options: Any) -> None:
    """It does what it is for, or says what is wrong."""
    try:
        function(*given, **options)
    except flowgen.FlowgenError as problem:
        assert str(problem) and len(str(problem)) < 1000


@pytest.mark.parametrize("value", [None, *STRANGE], ids=lambda value: ascii(value)[:20])
def test_sources_places_and_options_of_a_wrong_kind_are_told(tmp_path: Path, value: Any) -> None:
    for function in (flowgen.load, flowgen.check, flowgen.drawing, flowgen.topology, flowgen.record):
        if function is not flowgen.record or (value is not None and not isinstance(value, str)):
            tried(function, value)
    tried(flowgen.diff, value, TRACE)
    tried(flowgen.cut, value, messages="1")
    tried(flowgen.cut, TRACE, steps=value)
    tried(flowgen.render, value, tmp_path / "x.svg")
    tried(flowgen.save, value, tmp_path / "x.json")
    tried(flowgen.convert, value, tmp_path / "x.har")
    if not isinstance(value, str | io.BytesIO):  # else it is a place
        tried(flowgen.render, TRACE, value)
        tried(flowgen.save, TRACE, value)
        tried(flowgen.convert, SEED, value)
    for name in ("view", "fold", "source_format", "host", "show_paths"):
        tried(flowgen.load, SEED, **{name: value})
    for name in ("ignore", "seen", "server"):
        tried(flowgen.check, SEED, **{name: value})


@pytest.mark.parametrize("name", LOOKS.split())
def test_looks_of_a_wrong_kind_are_told(name: str) -> None:
    part: Any = flowgen.cut(TRACE, messages="1")
    for value in STRANGE:
        tried(lambda value=value: flowgen.drawing(part, **{name: value}).svg)
        tried(lambda value=value: flowgen.drawing(SYSTEM, **{name: value}).svg)


@pytest.mark.parametrize("name", ASKED.split())
def test_what_is_asked_of_a_recording_is_told_before_it_begins(name: str) -> None:
    for value in (each for each in STRANGE if not isinstance(each, bool | float | int)):
        tried(flowgen.record, ["no-such-program"], **{name: value})


@pytest.mark.parametrize("asked", [
    {"calls": [("add", {"a": object()})]}, {"calls": [("add", {1: 2})]}, {"nope": 1}, {"headers": [1]},
    {"headers": [("a", 1)]}, {"transport": "x"}, {"headers": [("a", "b\r\nc: d")]},
])  # fmt: skip
@pytest.mark.parametrize("server", ["http://127.0.0.1:9/mcp", "http://["])
def test_what_nobody_can_be_asked_is_told_before_anything_is_said(server: str, asked: Any) -> None:
    with pytest.raises(flowgen.FlowgenError):
        flowgen.record(server, **asked)


@pytest.mark.parametrize("pattern", ["[" * 99_999, "*" * 99_999])
def test_no_pattern_takes_minutes(pattern: str) -> None:
    with pytest.raises(flowgen.FlowgenError, match="1,000 signs"):
        flowgen.drawing(TRACE, only=[pattern])
    with pytest.raises(flowgen.FlowgenError, match="1,000 signs"):
        flowgen.diff(TRACE, TRACE, ignore=[f"/{pattern}"])


def test_a_file_that_is_linked_with_itself_is_no_place_to_fear(tmp_path: Path) -> None:
    (tmp_path / "ring.json").symlink_to("ring.json")
    tried(flowgen.save, TRACE, tmp_path / "ring.json")
    tried(flowgen.load, tmp_path / "ring.json")


def test_what_is_no_address_is_told() -> None:
    with pytest.raises(flowgen.FlowgenError, match="no address"):
        flowgen.record("http://[")
