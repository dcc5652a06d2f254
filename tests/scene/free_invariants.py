"""What holds for every picture of a free-form graph, beyond what holds for all of architecture."""

import re
from collections import Counter

from flowgen.scene import Line, Rect, Scene, flat
from flowgen.topology import Topology
from tests.scene.arch_invariants import Box, everything_holds, labels, nodes, titles, zones

_TAB = re.compile(r"arch\.change\.[a-z]+")
_LINE = re.compile(r"arch\.line\.([a-z]+)(\.inferred)?")


def everything_holds_of_a_graph(scene: Scene, topology: Topology) -> None:
    everything_holds(scene)
    lines_keep_to_their_cards(scene)
    no_line_through_a_title(scene)
    every_node_in_its_zone(scene, topology)
    every_data_flow_has_a_card(scene, topology)
    no_tab_on_anothers_words(scene)
    assert len(zones(scene)) == len(topology.zones)


def ways(scene: Scene) -> list[Box]:
    """The straight lines, as boxes without room."""
    found = []
    for line in flat(scene.shapes):
        if isinstance(line, Line) and _LINE.fullmatch(line.style) and not _is_swatch(line, scene):
            left, right = sorted((line.x1, line.x2))
            top, bottom = sorted((line.y1, line.y2))
            assert left == right or top == bottom, f"{line} goes aslant"
            found.append(Box(left - 0.7, top - 0.7, right + 0.7, bottom + 0.7, line.style))
    return found


def _is_swatch(line: Line, scene: Scene) -> bool:
    return line.y1 == line.y2 and line.y1 > scene.height - 110 and abs(line.x2 - line.x1) in (29, 38)


def lines_keep_to_their_cards(scene: Scene) -> None:
    """No line goes through a card: both parts of one end at its sides."""
    for way in ways(scene):
        inner = Box(way.left + 2, way.top, way.right - 2, way.bottom, way.name)
        met = [label for label in labels(scene) if label.meets(inner)]
        assert not met, f"{way} goes through the card {met[0]}"


def no_line_through_a_title(scene: Scene) -> None:
    """A line that has to pass a title goes under its ground."""
    plates = [each for each in flat(scene.shapes) if isinstance(each, Rect) and each.style.endswith(".plate")]
    grounds = [Box(each.x, each.y, each.x + each.width, each.y + each.height, each.style) for each in plates]
    bare = [title for title in titles(scene) if not any(ground.holds(title) for ground in grounds)]
    for way in ways(scene):
        met = [title for title in bare if title.meets(way)]
        assert not met, f"{way} goes through the title {met[0]}"


def no_tab_on_anothers_words(scene: Scene) -> None:
    """What tells of a change stands on the edge of its own part."""
    found = [each for each in flat(scene.shapes) if isinstance(each, Rect) and _TAB.fullmatch(each.style)]
    for tab in (Box(each.x, each.y, each.x + each.width, each.y + each.height, each.style) for each in found):
        met = [label for label in (*labels(scene), *titles(scene)) if label.meets(tab)]
        assert not met, f"the tab {tab} lies on {met[0]}"
        assert len([node for node in nodes(scene) if node.meets(tab)]) <= 1, f"the tab {tab} lies on two nodes"


def every_node_in_its_zone(scene: Scene, topology: Topology) -> None:
    """The frames around a node are those of its zone and of the zones around that, and no other."""
    kinds = {zone.id: zone.kind for zone in topology.zones}
    parents = {zone.id: zone.parent for zone in topology.zones}

    def around(zone: str | None) -> tuple[str, ...]:
        return (*around(parents[zone]), kinds[zone]) if zone is not None else ()

    wanted = Counter(around(node.zone) for node in topology.nodes)
    frames = sorted(zones(scene), key=lambda box: -(box.right - box.left) * (box.bottom - box.top))
    found = Counter(
        tuple(frame.name.removeprefix("arch.zone.") for frame in frames if frame.holds(node)) for node in nodes(scene)
    )
    assert found == wanted


def every_data_flow_has_a_card(scene: Scene, topology: Topology) -> None:
    assert len(labels(scene)) == len(topology.flows)
