"""What holds for every architecture picture that rows can show, whatever the topology. A spoiled one is found out."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from flowgen.scene import Circle, Line, Rect, Scene, Text, flat, groups
from flowgen.topology import Node, Topology
from tests.scene.canvas import inside_the_canvas, letters

SLACK = 0.6  # px that two edges may share
_NODE = re.compile(
    r"arch\.(person|model|client|server|remote|bridge|gateway|auth|api|store|off)(\.inferred)?"
)
_LABEL = re.compile(r"arch\.label\.[a-z]+(\.inferred)?")
_ZONE = re.compile(r"arch\.zone\.[a-z-]+")
_LOCAL = ("server", "bridge", "gateway", "api", "store", "auth")


@dataclass(frozen=True)
class Box:
    """A rectangle by its edges."""

    left: float
    top: float
    right: float
    bottom: float
    name: str

    def meets(self, other: "Box") -> bool:
        across = self.left < other.right - SLACK and other.left < self.right - SLACK
        return across and self.top < other.bottom - SLACK and other.top < self.bottom - SLACK

    def holds(self, other: "Box") -> bool:
        across = self.left <= other.left + SLACK and other.right <= self.right + SLACK
        return across and self.top <= other.top + SLACK and other.bottom <= self.bottom + SLACK


def everything_holds(scene: Scene) -> None:
    """All checks that need the picture alone."""
    inside_the_canvas(scene)
    no_two_overlap(scene)
    no_words_on_a_title(scene)
    no_line_through_a_node(scene)
    frames_hold_or_part(scene)
    words_inside_their_boxes(scene)
    legend_tells_what_occurs(scene)


def no_two_overlap(scene: Scene) -> None:
    """Nodes, labels and marks; a mark may stand on the node that it belongs to."""
    last: list[Box] = []
    for box in sorted((*nodes(scene), *labels(scene), *blocks(scene)), key=lambda box: box.top):
        last = [other for other in last if other.bottom > box.top + SLACK]
        met = [other for other in last if box.meets(other)]
        assert not met, f"{box} lies on {met[0]}"
        last.append(box)
    discs = marks(scene)
    words = [*labels(scene), *badges(scene)]
    for number, disc in enumerate(discs):
        assert not [each for each in words if _touches(disc, each)], f"{disc} lies on words"
        assert all(_apart(disc, other) for other in discs[number + 1 :]), f"{disc} lies on another mark"


def no_words_on_a_title(scene: Scene) -> None:
    """Nothing lies on a frame's title or note."""
    others = [*nodes(scene), *labels(scene)]
    for title in titles(scene):
        met = [box for box in others if box.meets(title)]
        assert not met, f"{met[0]} lies on the title {title}"
        assert not [disc for disc in marks(scene) if _touches(disc, title)], (
            f"a mark lies on the title {title}"
        )


def no_line_through_a_node(scene: Scene) -> None:
    boxes = nodes(scene)
    for line in flat(scene.shapes):
        if isinstance(line, Line) and line.style.startswith("arch.line."):
            left, right = sorted((line.x1, line.x2))
            top, bottom = sorted((line.y1, line.y2))
            way = Box(left + 1, top - 1, right - 1, bottom + 1, line.style)
            met = [box for box in boxes if box.meets(way)]
            assert not met, f"{line} goes through {met[0]}"


def frames_hold_or_part(scene: Scene) -> None:
    """Two frames are apart, or one stands wholly in the other; a node is not cut by a frame."""
    found = zones(scene)
    for number, one in enumerate(found):
        for other in (*found[number + 1 :], *nodes(scene)):
            assert not one.meets(other) or one.holds(other) or other.holds(one), f"{one} cuts {other}"


def words_inside_their_boxes(scene: Scene) -> None:
    homes = [*nodes(scene), *labels(scene), *badges(scene)]
    homes.sort(key=lambda box: (box.right - box.left) * (box.bottom - box.top))
    for text in flat(scene.shapes):
        if isinstance(text, Text) and text.style.startswith(
            ("arch.title", "arch.second", "arch.label", "arch.badge")
        ):
            reach = _reach(text)
            middle = Box(
                (reach.left + reach.right) / 2, text.y - 5, (reach.left + reach.right) / 2 + 1, text.y - 4, ""
            )
            home = next(box for box in homes if box.holds(middle))
            assert home.left <= reach.left and reach.right <= home.right + SLACK, f"{text} leaves {home}"


def legend_tells_what_occurs(scene: Scene) -> None:
    """Every kind of line and of frame in the picture has one swatch, and no other has."""
    swatches = Counter(rect.style for rect in _rects(scene, _ZONE) if rect.width == 38)
    drawn = {rect.style for rect in _rects(scene, _ZONE) if rect.width != 38}
    assert set(swatches) == drawn - {"arch.zone.host", "arch.zone.empty"} or not swatches
    assert all(count == 1 for count in swatches.values())


# With the topology


def everything_is_told(scene: Scene, topology: Topology) -> None:
    """All checks against the document, for one that rows show wholly."""
    every_server_once(scene, topology)
    nodes_in_their_zones(scene, topology)
    every_finding_on_one_node(scene, topology)


def every_server_once(scene: Scene, topology: Topology) -> None:
    wanted = sum(node.kind in ("server", "bridge", "gateway") for node in topology.nodes)
    kinds = ("arch.server", "arch.remote", "arch.bridge", "arch.gateway")
    bars = [rect for rect in _rects(scene, re.compile(r"arch\.[a-z]+\.bar")) if rect.width == 4]
    texts = (text.text for text in flat(scene.shapes) if isinstance(text, Text))
    copies = sum("same address" in text or "地址相同" in text for text in texts)
    assert len(bars) - copies == wanted, f"{len(bars)} of {wanted} servers ({kinds})"


def nodes_in_their_zones(scene: Scene, topology: Topology) -> None:
    """Of every kind of frame there are as many nodes directly inside as the document has."""
    frames = sorted(zones(scene), key=lambda box: (box.right - box.left) * (box.bottom - box.top))
    inside: Counter[str] = Counter()
    for node in nodes(scene):
        home = next((frame for frame in frames if frame.holds(node)), None)
        inside[home.name.rpartition(".")[2].replace("empty", "host") if home else "none"] += 1
    kinds = {zone.id: zone.kind for zone in topology.zones}
    wanted = Counter(
        kinds.get(node.zone or "", "none")
        for node in topology.nodes
        if not _replaced(node, topology) and not _left_out(node, topology)
    )
    copies = inside - wanted
    assert not wanted - inside, f"missing in their zones: {wanted - inside}; too many: {copies}"


def _left_out(node: Node, topology: Topology) -> bool:
    """An authorization server that is only likely, where there are many rows: a word says so."""
    many = sum(each.kind == "client" for each in topology.nodes) >= 25
    return many and node.kind == "auth" and node.evidence is not None and node.evidence.kind == "inferred"


def _replaced(node: object, topology: Topology) -> bool:
    """A Client whose server is built in: that stands in its place."""
    builtin = {each.id for each in topology.nodes if each.transport == "builtin"}
    name = getattr(node, "id", "")
    client = getattr(node, "kind", "") == "client"
    return client and any(flow.source == name and flow.target in builtin for flow in topology.flows)


def every_finding_on_one_node(scene: Scene, topology: Topology) -> None:
    numbers = Counter(group.anchor for group in groups(scene.shapes) if group.anchor)
    lines = Counter(group.link for group in groups(scene.shapes) if group.link)
    listed = min(12, len(topology.findings))
    assert lines == Counter(f"finding-{number}" for number in range(1, listed + 1))
    assert all(count == 1 for count in numbers.values()) and set(numbers) <= set(lines)
    named = {node.name for node in topology.nodes if node.name}
    homeless = any(
        finding.server not in named for finding in topology.findings
    )  # it is about a file, or about nothing
    assert len(numbers) == listed or homeless


# What a picture consists of


def nodes(scene: Scene) -> list[Box]:
    return [_box(rect) for rect in _rects(scene, _NODE)]


def labels(scene: Scene) -> list[Box]:
    return [_box(rect) for rect in _rects(scene, _LABEL)]


def badges(scene: Scene) -> list[Box]:
    return [_box(rect) for rect in _rects(scene, re.compile(r"arch\.badge\.[a-z]+"))]


def blocks(scene: Scene) -> list[Box]:
    return [_box(rect) for rect in _rects(scene, re.compile(r"arch\.block"))]


def zones(scene: Scene) -> list[Box]:
    return [_box(rect) for rect in _rects(scene, _ZONE) if rect.width != 38]


def titles(scene: Scene) -> list[Box]:
    found = (
        text for text in flat(scene.shapes) if isinstance(text, Text) and text.style.startswith("arch.zone.")
    )
    return [_reach(text) for text in found]


def marks(scene: Scene) -> list[Circle]:
    return [each for each in flat(scene.shapes)
            if isinstance(each, Circle) and re.fullmatch(r"arch\.mark\.[a-z]+", each.style)]  # fmt: skip


def _rects(scene: Scene, style: "re.Pattern[str]") -> Iterator[Rect]:
    return (each for each in flat(scene.shapes) if isinstance(each, Rect) and style.fullmatch(each.style))


def _box(rect: Rect) -> Box:
    return Box(rect.x, rect.y, rect.x + rect.width, rect.y + rect.height, rect.style)


def _reach(text: Text) -> Box:
    return Box(*letters(text), text.text)


def _touches(disc: Circle, box: Box) -> bool:
    """Whether a disc lies on a box."""
    x = min(max(disc.x, box.left), box.right)
    y = min(max(disc.y, box.top), box.bottom)
    return (disc.x - x) ** 2 + (disc.y - y) ** 2 < (disc.radius - SLACK) ** 2


def _apart(one: Circle, other: Circle) -> bool:
    return (
        abs(one.x - other.x) >= one.radius + other.radius - SLACK
        or abs(one.y - other.y) >= 2 * one.radius - SLACK
    )
