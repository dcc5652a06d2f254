"""What holds for every architecture picture: those of the design, of every size, and whatever hypothesis makes up."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flowgen.scene import Line, Options, Rect, Text, architecture, is_chain
from flowgen.topology import Topology
from tests.scene.arch_invariants import everything_holds, everything_is_told
from tests.scene.arch_strategies import chains, graphs
from tests.scene.topologies import TARGETS, many, nine

SIZES = [0, 1, 2, 3, 9, 20, 24, 25, 60]
FEW = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
LANGUAGES: Any = st.sampled_from(["en", "zh", "en+zh"])


def told(topology: Topology, **options: Any) -> None:
    scene = architecture(topology, Options(**options))
    everything_holds(scene)
    if is_chain(topology):
        everything_is_told(scene, topology)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", TARGETS)
def test_all_that_holds_for_pictures_holds_for_those_of_the_design(name: str, lang: str) -> None:
    topology = TARGETS[name]()
    assert is_chain(topology)
    told(topology, lang=lang)


@pytest.mark.parametrize("count", SIZES)
def test_all_that_holds_for_pictures_holds_for_every_size(count: int) -> None:
    told(many(count), full=True)


@pytest.mark.parametrize("count", [61, 200])
def test_all_that_holds_for_pictures_holds_where_rows_are_folded(count: int) -> None:
    everything_holds(architecture(many(count), Options()))


@FEW
@given(chains(), LANGUAGES, st.booleans())
def test_all_that_holds_for_pictures_holds_for_any_host_shaped_topology(
    topology: Topology, lang: Any, full: bool
) -> None:
    told(topology, lang=lang, full=full)


@FEW
@given(graphs(), LANGUAGES)
def test_any_document_at_all_has_a_picture(topology: Topology, lang: Any) -> None:
    scene = architecture(topology, Options(lang=lang))
    assert scene.width > 0 and scene.height > 0 and scene == architecture(topology, Options(lang=lang))


SPOILED: list[tuple[str, Any]] = [
    ("outside of the canvas", Rect(-5, 300, 50, 20, "arch.label.call", 5)),
    ("lies on", Rect(760, 170, 90, 30, "arch.label.stdio", 6)),
    ("lies on the title", Rect(250, 98, 60, 14, "arch.label.stdio", 6)),
    ("goes through", Line(10, 190, 1500, 190, "arch.line.http")),
    ("cuts", Rect(900, 180, 100, 100, "arch.zone.vendor", 12)),
    ("leaves", Text(790, 204, "W" * 26, "arch.title")),
]


@pytest.mark.parametrize(("said", "shape"), SPOILED, ids=[said for said, _ in SPOILED])
def test_a_picture_that_is_spoiled_is_found_out(said: str, shape: Any) -> None:
    scene = architecture(nine(), Options())
    everything_holds(scene)
    with pytest.raises(AssertionError, match=said):
        everything_holds(replace(scene, shapes=(*scene.shapes, shape)))
