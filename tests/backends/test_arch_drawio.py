"""The architecture as a document of draw.io: everything once, where the picture has it, and texts stay texts."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

from hypothesis import given, settings

from flowgen import api
from flowgen.backends import drawio
from flowgen.scene import Graph, Options, Positions, clean_line, free_layout, layout, theme
from flowgen.topology import Topology
from tests import hostile
from tests.scene.arch_strategies import graphs
from tests.scene.topologies import empty, many, three, two_hosts

STYLE = re.compile(r"(\w+=(#[0-9a-f]{6}|[\w.]+|[\d. ]+);)+")
Place = tuple[float, float, float, float]


class _Label(HTMLParser):
    """The letters of a label and the tags in it."""

    def __init__(self, label: str) -> None:
        super().__init__()
        self.letters, self.tags = "", set[str]()
        self.feed(label)
        self.close()

    def handle_data(self, data: str) -> None:
        self.letters += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags |= {tag, *(name for name, _ in attrs if name != "style")}


def written(topology: Topology, look: str = "light") -> str:
    return drawio(topology, Options(), theme(look), layout(topology, Options()))


def cells_of(topology: Topology) -> dict[str, ElementTree.Element]:
    """Every cell by its id; each is used once, and what a cell refers to is there."""
    return read(written(topology))


def read(document: str) -> dict[str, ElementTree.Element]:
    found = [*ElementTree.fromstring(document).iter("mxCell")]
    cells = {cell.attrib["id"]: cell for cell in found}
    assert len(cells) == len(found) and [*cells][:2] == ["0", "1"]
    for cell in found[1:]:
        assert all(cell.attrib[name] in cells for name in ("parent", "source", "target") if name in cell.attrib)
        assert "style" not in cell.attrib or STYLE.fullmatch(cell.attrib["style"]), cell.attrib["style"]
    return cells


def place_of(name: str, cells: dict[str, ElementTree.Element]) -> Place:
    """Where a cell stands on the page."""
    geometry = cells[name].find("mxGeometry")
    assert geometry is not None
    x, y, wide, high = (float(geometry.attrib[part]) for part in ("x", "y", "width", "height"))
    parent = cells[name].attrib["parent"]
    if parent != "1":
        around = place_of(parent, cells)
        x, y = x + around[0], y + around[1]
    return x, y, wide, high


def nodes_of(cells: dict[str, ElementTree.Element]) -> list[str]:
    return [name for name in cells if re.fullmatch(r"n\d+", name)]


def letters(text: str) -> str:
    return re.sub(r"\s", "", text)


def test_every_node_stands_where_the_picture_has_it() -> None:
    for topology in (three(), two_hosts(), many(60)):
        cells, laid = cells_of(topology), layout(topology, Options())
        ids = [node.id for node in topology.nodes]
        assert len(nodes_of(cells)) == len(ids)
        for place in laid.nodes:
            shown = place_of(f"n{ids.index(place.box.node)}", cells)
            told = (place.x, place.y, place.wide, place.high)
            assert all(abs(one - other) < 0.05 for one, other in zip(shown, told, strict=True))


def test_nodes_are_children_of_their_zones_and_move_with_them() -> None:
    topology = two_hosts()
    cells = cells_of(topology)
    zones = {zone.id: zone.title for zone in topology.zones}
    for at, node in enumerate(topology.nodes):
        parent = cells[f"n{at}"].attrib["parent"]
        if node.zone is None:
            assert parent == "1"
        else:
            assert zones[node.zone].split(":")[-1].strip() in _Label(cells[parent].attrib["value"]).letters
            assert "container=1" in cells[parent].attrib["style"]


def test_what_is_inside_of_a_frame_ends_inside_of_it() -> None:
    cells = cells_of(many(20))
    for name in [name for name in cells if re.fullmatch(r"[nz]\d+", name)]:
        parent = cells[name].attrib["parent"]
        if parent != "1":
            x, y, wide, high = place_of(name, cells)
            left, top, room, down = place_of(parent, cells)
            assert left <= x and top <= y and x + wide <= left + room + 0.1 and y + high <= top + down + 0.1


def test_every_data_flow_is_tied_to_its_nodes_and_has_its_label() -> None:
    topology = three()
    cells = cells_of(topology)
    ids = [node.id for node in topology.nodes]
    for at, flow in enumerate(topology.flows):
        cell = cells[f"e{at}"]
        ends = cell.attrib["source"], cell.attrib["target"]
        assert ends == tuple(f"n{ids.index(end)}" for end in (flow.source, flow.target))
        assert letters("".join(flow.label)) == letters(_Label(cell.attrib["value"]).letters)


def test_findings_and_legend_stand_below_and_numbers_on_the_nodes() -> None:
    cells = cells_of(two_hosts())
    bottom = max(sum(place_of(name, cells)[1::2]) for name in nodes_of(cells))
    assert bottom <= place_of("findings", cells)[1] < place_of("legend", cells)[1]
    assert "HIGH" in cells["findings"].attrib["value"]
    numbers = {cell.attrib["value"] for name, cell in cells.items() if re.fullmatch(r"n\d+m\d+", name)}
    assert numbers == {"1", "2", "3", "4"}


def test_texts_of_strangers_stay_letters() -> None:
    cells = cells_of(Topology.model_validate(hostile.topology()))
    labels = [_Label(cell.attrib["value"]) for cell in cells.values() if "value" in cell.attrib]
    assert set().union(*(label.tags for label in labels)) <= {"b", "br", "span"}
    whole = letters("".join(label.letters for label in labels))
    told = [letters(clean_line(text, 200))[:40] for text in hostile.strings()]
    assert not [text for text in told if text not in whole]


def test_what_rows_have_no_place_for_stands_below() -> None:
    zones = [{"id": "a", "kind": "vendor", "title": "alone"}, {"id": "b", "kind": "vendor", "title": "with a store"}]
    loose = {"id": "t", "kind": "store", "title": "loose"}
    nodes = [{"id": "s", "kind": "store", "title": "ledger", "zone": "b"}, loose]
    cells = cells_of(Topology.model_validate({"zones": zones, "nodes": nodes}))
    assert len(nodes_of(cells)) == 2
    assert {"alone", "with a store"} <= {_Label(cell.attrib.get("value", "")).letters.removeprefix("Vendor: ")
                                         for cell in cells.values()}  # fmt: skip


def test_it_is_drawn_in_the_colours_of_a_theme() -> None:
    assert 'background="#ffffff"' in written(three()) and 'background="#ffffff"' not in written(three(), "dark")


def test_an_empty_config_has_a_document_too() -> None:
    assert len(nodes_of(cells_of(empty()))) == len(empty().nodes)


def test_editors_tell_it_by_its_first_letters() -> None:
    config = b'{"mcpServers": {"a": {"command": "uvx", "args": ["a@1.0"]}}}'
    assert api.architecture([("mcp.json", config)]).files("drawio")[0].startswith(b"<mxfile ")


@settings(max_examples=25, deadline=None)
@given(graphs())
def test_any_topology_is_written_whole_and_the_same_again(topology: Topology) -> None:
    cells = cells_of(topology)
    assert {f"n{at}" for at in range(len(topology.nodes))} <= {*nodes_of(cells)}
    assert sum(bool(re.fullmatch(r"e\d+", name)) for name in cells) == len(topology.flows)
    assert written(topology) == written(topology)


def test_of_many_servers_every_node_has_its_place_in_the_picture() -> None:
    for count in (30, 90):
        assert not [name for name in cells_of(many(count)) if re.fullmatch(r"r\d+", name)]


def test_a_graph_keeps_the_ways_of_its_lines_and_ties_those_of_zones_to_frames() -> None:
    zones = [{"id": "a", "kind": "vendor", "title": "a"}, {"id": "b", "kind": "private-network", "title": "b"}]
    nodes = [{"id": name, "kind": "server", "title": name, "zone": "ab"[at % 2]} for at, name in enumerate("stuv")]
    ends = [*("st", "tu", "uv", "vs", "sv"), ("s", "b")]
    flows = [{"source": source, "target": target, "kind": "http"} for source, target in ends]
    topology = Topology.model_validate({"zones": zones, "nodes": nodes, "flows": flows})
    laid = free_layout(topology, Options(), _in_a_row)
    cells = read(drawio(topology, Options(), theme("light"), laid))
    assert len(nodes_of(cells)) == 4 and cells["e5"].attrib["target"] in ("z0", "z1")
    for at, route in laid.routes.items():
        points = [(float(each.attrib["x"]), float(each.attrib["y"])) for each in cells[f"e{at}"].iter("mxPoint")]
        if at < 5:
            pairs = zip(points, route.points[1:-1], strict=True)
            assert all(abs(x1 - x2) + abs(y1 - y2) < 0.02 for (x1, y1), (x2, y2) in pairs)


def _in_a_row(graph: Graph) -> Positions:
    """A layout that needs no engine: nodes by their frames, one beside the other."""
    order = sorted(range(len(graph.vertices)), key=lambda at: graph.vertices[at].cluster or 0)
    middles = {at: 200.0 + 220 * place for place, at in enumerate(order)}
    held: list[list[float]] = [[] for _ in graph.clusters]
    for at, each in enumerate(graph.vertices):
        held[each.cluster or 0].append(middles[at])
    frames = tuple((min(xs) - 105, 20.0, max(xs) + 105, 300.0) for xs in held)
    return Positions(tuple((middles[at], 160.0) for at in range(len(graph.vertices))), frames)
