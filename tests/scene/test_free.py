"""Free-form graphs: what holds for all of them, what lines do, what a picture says."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flowgen.backends import svg
from flowgen.engine import place
from flowgen.scene import Graph, Line, Options, Paging, Positions, Scene, Text, flat, free, is_chain, pages, theme
from flowgen.topology import Topology
from tests.backends.test_svg import HOSTILE
from tests.scene.arch_invariants import labels, marks, nodes, zones
from tests.scene.free_invariants import everything_holds_of_a_graph
from tests.scene.free_strategies import company, systems
from tests.scene.topologies import TARGETS

SOME = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def drawn(topology: Topology, **options: Any) -> Scene:
    return free(topology, Options(**options), place)


def said(scene: Scene, style: str = "") -> list[str]:
    return [text.text for text in flat(scene.shapes) if isinstance(text, Text) and text.style.startswith(style)]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_all_that_holds_for_graphs_holds_for_a_company(lang: Any) -> None:
    assert not is_chain(company())
    everything_holds_of_a_graph(drawn(company(), lang=lang), company())


@pytest.mark.parametrize("name", TARGETS)
def test_all_that_holds_for_graphs_holds_for_what_rows_could_show(name: str) -> None:
    everything_holds_of_a_graph(drawn(TARGETS[name]()), TARGETS[name]())


@SOME
@given(systems(), st.sampled_from(["en", "zh"]))
def test_all_that_holds_for_graphs_holds_for_any_system(topology: Topology, lang: Any) -> None:
    everything_holds_of_a_graph(drawn(topology, lang=lang), topology)


def test_the_same_document_gives_the_same_bytes() -> None:
    one, other = (svg(drawn(company()), theme("auto")) for _ in range(2))
    assert one == other


def test_nothing_of_a_document_is_in_the_question_for_places() -> None:
    asked: list[Graph] = []

    def listening(graph: Graph) -> Positions:
        asked.append(graph)
        return place(graph)

    free(company(), Options(), listening)
    assert "acme" not in repr(asked) and "Developer" not in repr(asked) and asked[0].vertices


def test_a_line_to_a_zone_ends_at_its_frame() -> None:
    scene = drawn(company())
    maps = next(zone for zone in zones(scene) if "maps.example" in str(said_in(scene, zone)))
    ends = [line.x2 for line in lines(scene) if maps.top < line.y1 < maps.bottom and abs(maps.left - line.x2) < 12]
    assert ends, "no line comes to the frame of maps.example"


def test_a_finding_stands_on_its_node_and_in_the_list() -> None:
    scene = drawn(company())
    assert len(marks(scene)) == 2 and "Findings: 1 high, 1 medium" in said(scene, "arch.block")
    search = next(node for node in nodes(scene) if "search" in said_in(scene, node))
    assert search.top - 10 < next(mark for mark in marks(scene) if mark.style.endswith("high")).y < search.bottom


def test_the_facts_count_what_is_drawn() -> None:
    assert said(drawn(company()), "arch.facts")[0].startswith("5 servers and a gateway   ·   8 zones   ·   2 findings")


def test_data_flows_that_lead_nowhere_are_told_in_words() -> None:
    told = company().model_copy(update={"flows": [company().flows[0].model_copy(update={"target": "nobody"})]})
    assert any("Developer → nobody" in text for text in said(drawn(told)))


def test_a_zone_in_which_nothing_stands_has_a_frame() -> None:
    told = Topology.model_validate({"zones": [{"id": "z", "kind": "vendor", "title": "empty.example"}]})
    assert len(zones(drawn(told))) == 1
    assert drawn(Topology()).width > 0


def test_hostile_words_are_drawn_as_words() -> None:
    node = company().nodes[0].model_copy(update={"title": HOSTILE})
    told = company().model_copy(update={"nodes": [node], "flows": []})
    assert "<script" not in svg(drawn(told), theme("dark")).lower().replace("&lt;script", "")


def test_a_graph_has_pages_that_cut_no_node() -> None:
    scene = drawn(company())
    assert scene.cuts is not None and len(pages(scene, Paging(700), "en")) > 1
    seams = scene.cuts.parts[0].seams
    whole = (*nodes(scene), *labels(scene))
    assert len(seams) > 5 and not [box for box in whole for seam in seams if box.top < seam < box.bottom]


def test_a_line_through_a_card_or_aslant_is_found_out() -> None:
    scene = drawn(company())
    card = labels(scene)[0]
    through = Line(card.left - 5, card.top + 4, card.right + 5, card.top + 4, "arch.line.http")
    for spoiled, what in ((through, "through the card"), (Line(100, 100, 120, 130, "arch.line.http"), "aslant")):
        with pytest.raises(AssertionError, match=what):
            everything_holds_of_a_graph(replace(scene, shapes=(*scene.shapes, spoiled)), company())


def said_in(scene: Scene, box: Any) -> list[str]:
    return [
        text.text for text in flat(scene.shapes)
        if isinstance(text, Text) and box.left <= text.x <= box.right and box.top <= text.y <= box.bottom
    ]  # fmt: skip


def lines(scene: Scene) -> list[Line]:
    return [shape for shape in flat(scene.shapes) if isinstance(shape, Line) and shape.style.startswith("arch.line.")]
