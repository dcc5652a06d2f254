"""What holds for every picture: over all samples, hostile traces, and what hypothesis makes up, in both forms."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flowgen import api
from flowgen.flow import Flow
from flowgen.scene import Group, Line, Options, Path, Rect, Text, swimlane
from flowgen.trace import Trace
from tests.backends.test_svg import hostile_trace
from tests.scene.flows import nested, paged
from tests.scene.invariants import anchors_of, bars_end_in_their_branch, everything_holds
from tests.scene.strategies import flows, traces
from tests.scene.test_ledger import crowd, session
from tests.test_samples import MAKE
from tests.traces import SAMPLES, answers, asks, trace_of

MADE = {"hostile": hostile_trace, "many lanes": session, "a crowd": lambda: crowd(9)}
TRACES = [path for path in SAMPLES.rglob("*.json") if '"flowgen.trace/1"' in path.read_text("utf-8")[:400]]
NAMES = sorted(path.relative_to(SAMPLES).as_posix() for path in TRACES) + list(MADE)
LOOKS: list[dict[str, Any]] = [
    {},
    {"form": "ledger", "times": "latency", "lang": "en+zh"},
    {"times": "clock", "lang": "zh", "notes": "full", "gap": 0.01},
    {"full": True, "form": "ledger", "notes": "full", "times": "clock"},
    {"theme": "slides", "lang": "en+zh"},
]
CHOICES = {
    "lang": st.sampled_from(["en", "zh", "en+zh"]), "times": st.sampled_from(["none", "latency", "clock"]),
    "full": st.booleans(), "form": st.sampled_from(["auto", "ledger"]), "headers": st.sampled_from(["none", "all"]),
}  # fmt: skip
FEW = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def trace_called(name: str) -> Trace:
    return MADE[name]() if name in MADE else api.load(SAMPLES / name)


@pytest.mark.parametrize("look", LOOKS, ids=["plain", "ledger", "zh and clock", "full ledger", "slides"])
@pytest.mark.parametrize("name", NAMES)
def test_all_that_holds_for_pictures_holds_for_each_sample(name: str, look: dict[str, Any]) -> None:
    everything_holds(api.drawing(trace_called(name), show=["stderr", "process", "probe"], **look).scene)


@pytest.mark.parametrize("look", [{}, {"times": "clock", "lang": "zh"}, {"form": "ledger", "times": "clock"}])
@pytest.mark.parametrize("flow", [paged(), nested(), nested(9)], ids=["alternative", "three frames", "nine frames"])
def test_all_that_holds_for_pictures_holds_with_frames_in_them(flow: Flow, look: dict[str, Any]) -> None:
    everything_holds(swimlane(flow, Options(**look)))


@FEW
@given(traces(), st.fixed_dictionaries({**CHOICES, "theme": st.sampled_from(["auto", "slides"])}))
def test_all_that_holds_for_pictures_holds_for_any_trace(trace: Trace, look: dict[str, Any]) -> None:
    everything_holds(api.drawing(trace, show=["stderr", "process", "probe"], notes="full", **look).scene)


@FEW
@given(flows(), st.fixed_dictionaries({**CHOICES, "slides": st.booleans()}))
def test_all_that_holds_for_pictures_holds_for_any_flow(flow: Flow, look: dict[str, Any]) -> None:
    everything_holds(swimlane(flow, Options(**look)))


def test_all_that_holds_for_pictures_holds_for_the_book() -> None:
    """Recordings set together too, each in its own look; the bars of each end in it."""
    for names, options in MAKE.BOOK_PICTURES.values():
        drawn = api.drawing([api.load(SAMPLES / name) for name in names], **options).scene
        everything_holds(drawn)
        bars_end_in_their_branch(drawn)


SPOILED: list[tuple[str, Any]] = [
    ("outside of the canvas", Rect(-5, 300, 50, 20, "chip", 5)),
    ("its box at", Text(330, 350, "W" * 60, "label")),
    ("lies on", Rect(700, 330, 300, 15, "box", 8)),
    ("goes through", Line(292, 340, 980, 340, "line.req")),
    ("crosses a lifeline", Text(280, 240, "tools/list", "ledger.word")),
    ("a link goes", Group((Text(400, 240, "tools", "ledger.word"), Path(420, 220, "M0 0 L0 50", "retry")))),
    ("twice", Group((), anchor="m-1")),
]


@pytest.mark.parametrize(("said", "shape"), SPOILED, ids=[said for said, _ in SPOILED])
def test_a_picture_that_is_spoiled_is_found_out(said: str, shape: Any) -> None:
    scene = api.drawing(trace_of(asks("initialize"), answers())).scene
    everything_holds(scene)
    with pytest.raises(AssertionError, match=said):
        everything_holds(replace(scene, shapes=(*scene.shapes, shape)))


@pytest.mark.parametrize("name", NAMES)
def test_anchors_lead_to_the_same_messages_and_steps_in_an_excerpt(name: str) -> None:
    trace = trace_called(name)
    last = [message.body["method"] for message in trace.messages if message.kind == "request"][-1]
    whole, part = (anchors_of(api.drawing(trace, full=True, **only).scene) for only in ({}, {"only": [last]}))
    assert part and {name: whole[name].partition(" (")[0] for name in part} == {  # what is retried may be left out
        name: said.partition(" (")[0] for name, said in part.items()
    }
