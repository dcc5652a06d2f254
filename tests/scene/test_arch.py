"""The architecture picture: what is drawn of a topology, and where."""

from itertools import pairwise
from typing import Any

import pytest

from flowgen.backends import svg
from flowgen.scene import (
    Circle,
    Group,
    Line,
    Options,
    Paging,
    Rect,
    Scene,
    Text,
    architecture,
    flat,
    groups,
    is_chain,
    pages,
    theme,
)
from flowgen.topology import Topology
from tests.scene.arch_invariants import everything_holds, labels, nodes, zones
from tests.scene.topologies import TARGETS, Config, disabled, empty, gateway, many, nine, three, two_hosts

SIZES = {"three": (1748, 484), "nine": (1529, 1058), "two-hosts": (1469, 872), "gateway": (1726, 666),
         "disabled": (1374, 522)}  # fmt: skip


def drawn(topology: Topology, **options: Any) -> Scene:
    return architecture(topology, Options(**options))


def texts(scene: Scene, style: str = "") -> list[str]:
    return [
        text.text for text in flat(scene.shapes) if isinstance(text, Text) and text.style.startswith(style)
    ]


def rects(scene: Scene, style: str) -> list[Rect]:
    return [rect for rect in flat(scene.shapes) if isinstance(rect, Rect) and rect.style == style]


@pytest.mark.parametrize("name", SIZES)
def test_the_pictures_of_the_design_have_its_sizes(name: str) -> None:
    scene = drawn(TARGETS[name]())
    assert (round(scene.width), scene.height) == SIZES[name]


@pytest.mark.parametrize("name", TARGETS)
def test_a_picture_is_as_wide_as_a_screen_at_most(name: str) -> None:
    assert drawn(TARGETS[name]()).width <= (1760 if name in ("three", "gateway") else 1600)


def test_the_facts_under_the_title_count_what_is_drawn() -> None:
    facts = [texts(drawn(TARGETS[name]()), "arch.facts")[0].split("   ·   ") for name in TARGETS]
    assert facts == [
        ["my-ide", "3 servers", "protocol revision 2026-07-28", "no handshake, no session id"],
        ["1 file", "9 servers", "8 zones", "7 findings (2 high)"],
        ["2 files", "7 entries, 6 servers", "6 zones", "4 findings (2 high)"],
        ["1 file", "4 servers and a gateway", "4 zones", "no findings in this file"],
        ["1 file", "4 servers (2 disabled)", "4 zones", "2 findings"],
        ["1 file", "0 servers", "2 zones"],
    ]
    told = [(name, fact) for name, fact in zip(TARGETS, facts, strict=True) if "zones" in fact[2]]
    assert [int(fact[2][0]) for _, fact in told] == [len(zones(drawn(TARGETS[name]()))) for name, _ in told]


def test_servers_stand_in_the_order_of_the_file_and_remote_ones_last() -> None:
    names = [
        text for text in texts(drawn(nine()), "arch.title") if text in {node.name for node in nine().nodes}
    ]
    assert names == ["files", "history", "forge", "db", "browser", "boards", "crashlog", "archive", "build"]


def test_the_line_to_the_row_in_the_middle_is_straight() -> None:
    scene = drawn(nine())
    model, person = (rects(scene, f"arch.{kind}")[0] for kind in ("model", "person"))
    assert model.y + model.height / 2 == person.y + person.height / 2
    assert any(
        model.y + model.height / 2 == box.top + 23 for box in nodes(scene) if box.name == "arch.client"
    )


def test_one_server_needs_no_trunk() -> None:
    scene = drawn(many(1))
    assert not [line for line in flat(scene.shapes) if isinstance(line, Line) and line.x1 == line.x2]


def test_a_server_of_two_hosts_is_one_node_with_a_port_for_each() -> None:
    scene = drawn(two_hosts())
    shared = next(rect for rect in rects(scene, "arch.remote") if rect.height > 100)
    ports = [text for text in flat(scene.shapes) if isinstance(text, Text) and text.text.startswith("from ")]
    assert [port.text for port in ports] == ["from my-ide", "from desk-assistant"]
    assert all(shared.y < port.y < shared.y + shared.height for port in ports)
    assert "one server, two hosts" in texts(scene)


def test_what_hosts_share_that_are_no_neighbours_is_drawn_again_and_says_so() -> None:
    made = Config()
    made.remote("one", "one.example/mcp", made.vendor("one.example"), one=True)
    made.begin("b.json", "b").local("files", "uvx files")
    made.begin("c.json", "c").remote("one", "one.example/mcp", made.vendor("one.example"), one=True)
    scene = drawn(made.document())
    everything_holds(scene)
    assert len(rects(scene, "arch.remote")) == 2 and "same address as in my-ide above" in texts(scene)


def test_authorization_lines_make_way_for_a_shared_server() -> None:
    made = Config()
    for path, host in (("a.json", "a"), ("b.json", "b")):
        made.begin(path, host)
        made.remote("one", "one.example/mcp", made.vendor("one.example"), one=True)
        made.login("one", made.vendor("one.example"))
    scene = drawn(made.document())
    everything_holds(scene)
    assert len(rects(scene, "arch.remote")) == 1 and len(rects(scene, "arch.auth.inferred")) == 2
    assert texts(scene, "arch.second.middle").count("Streamable HTTP") == 2


def test_a_built_in_server_stands_in_its_clients_place() -> None:
    scene = drawn(gateway())
    clients, server = rects(scene, "arch.client"), rects(scene, "arch.server")
    assert len(clients) == 4 and [rect.x for rect in server].count(clients[0].x) == 1
    assert [text for text in texts(scene, "arch.title.middle") if text.startswith("Client")] == [
        f"Client {n}" for n in (1, 2, 3, 4)
    ]


def test_what_is_disabled_is_dotted_and_comes_last_of_its_kind() -> None:
    scene = drawn(disabled())
    assert texts(scene, "arch.label.off") == ["linter", "wiki", "not started", "not connected"]
    assert len(rects(scene, "arch.off")) == 4
    assert [badge for badge in texts(scene, "arch.badge") if badge == "disabled"] == ["disabled"] * 2


def test_what_is_only_likely_is_faint_and_says_so() -> None:
    scene = drawn(nine())
    faint = [
        line
        for line in flat(scene.shapes)
        if isinstance(line, Line) and line.style == "arch.line.oauth.inferred"
    ]
    assert len(faint) == 1 and rects(scene, "arch.auth.inferred")
    assert "OAuth (inferred)" in texts(scene) and "OAuth if asked" in texts(scene)


def test_an_address_without_encryption_is_red_unless_it_is_this_machine() -> None:
    kinds = {line.style for line in flat(drawn(nine()).shapes) if isinstance(line, Line)}
    plain = [
        line
        for line in flat(drawn(nine()).shapes)
        if isinstance(line, Line) and line.style == "arch.line.plain"
    ]
    assert len(plain) == 2 and "arch.line.http" in kinds  # the line and its swatch in the legend


def test_a_file_without_servers_says_so_and_what_it_holds() -> None:
    scene = drawn(empty())
    assert texts(scene, "arch.empty") == [
        "No MCP servers in this file", "Keys seen: theme, fontSize, telemetry", "This host reads: mcpServers",
    ]  # fmt: skip
    assert not texts(scene, "arch.legend") and rects(scene, "arch.zone.empty")
    assert "No MCP servers in this description" in texts(drawn(Topology()))


def test_a_file_that_only_offers_servers_has_no_chain() -> None:
    machine = {"id": "m", "kind": "machine", "title": "Developer machine"}
    server = {"id": "s", "kind": "server", "title": "offered", "zone": "m", "lines": ["npx offered"]}
    said = {"zones": [machine], "nodes": [server]}
    scene = drawn(Topology.model_validate(said))
    everything_holds(scene)
    assert [box.name for box in nodes(scene)] == ["arch.server"] and not labels(scene)


def test_a_store_beside_a_local_server_stands_in_the_machine() -> None:
    made = Config()
    server = made.local("notes", "python3 notes.py")
    made.flow(server, made.node("db", "store", "notes.db", "machine"), "own-token", "reads and writes")
    api = made.node("api", "api", "Search API", made.vendor("search.example"))
    made.flow(server, api, "own-token")
    topology = made.document()
    scene = drawn(topology)
    everything_holds(scene)
    machine, store = zones(scene)[0], next(box for box in nodes(scene) if box.name == "arch.store")
    assert is_chain(topology) and machine.holds(store) and "server's own token" in texts(scene)


def test_upstream_of_another_zone_has_a_frame_of_its_own() -> None:
    made = Config()
    server = made.remote("one", "one.example/mcp", made.vendor("one.example"))
    made.flow(server, made.node("api", "api", "Other API", made.vendor("other.example")), "own-token")
    scene = drawn(made.document())
    everything_holds(scene)
    assert ["Vendor: one.example", "Vendor: other.example"] == texts(scene, "arch.zone.vendor.title")


def test_what_rows_have_no_place_for_is_named_below() -> None:
    made = Config()
    one, other = made.local("one", "uvx one"), made.local("other", "uvx other")
    made.flow(made.client("third"), one, "stdio")
    made.flow(other, "person", "http", "tells")
    topology = made.document()
    scene = drawn(topology)
    assert not is_chain(topology) and "other → Developer: http (tells)" in texts(scene, "arch.block")


def test_the_note_of_zones_that_say_the_same_stands_once() -> None:
    note = "trust boundary: code and data outside your control"
    made = Config()
    for name in ("a", "b"):
        made.remote(name, f"{name}.example/mcp", made.vendor(f"{name}.example", note))
    assert texts(drawn(made.document()), "arch.zone.vendor.note") == [note]


def test_nodes_tell_where_they_are_known_from() -> None:
    tips = [group.tip for group in groups(drawn(nine()).shapes) if group.tip]
    assert "history\nuvx history-mcp-example@2.4.1\n.my-ide/mcp.json:7" in tips
    of_trace = [group.tip or "" for group in groups(drawn(three()).shapes)]
    assert any(tip.endswith("message 7 of the trace") for tip in of_trace)


def test_a_tip_is_a_title_in_svg() -> None:
    assert "<title>history\nuvx history-mcp-example@2.4.1\n.my-ide/mcp.json:7</title>" in svg(
        drawn(nine()), theme("light")
    )


def test_rows_of_many_servers_are_compact_and_say_the_rest_in_tips() -> None:
    full, compact = drawn(many(24)), drawn(many(25))
    assert {rect.height for rect in rects(full, "arch.client")} == {46}
    assert {rect.height for rect in rects(compact, "arch.client")} == {30}
    assert "npx -y server-1-example" not in texts(compact)
    assert any("npx -y server-1-example" in (group.tip or "") for group in groups(compact.shapes))
    assert not [badge for badge in texts(compact, "arch.badge") if badge.startswith("+")]


def test_more_than_sixty_fold_by_launcher_and_zone_but_for_grave_findings() -> None:
    scene = drawn(many(200))
    titles = texts(scene, "arch.title")
    assert {"uvx × 60", "npx × 59", "40 servers", "server-5"} <= {*titles}
    assert len(rects(scene, "arch.client")) < 16 and "200 servers" in texts(scene, "arch.facts")[0]
    assert len(rects(drawn(many(61), full=True), "arch.client")) == 61


def test_pages_begin_between_rows() -> None:
    scene = drawn(many(60))
    assert scene.cuts is not None
    seams = scene.cuts.parts[0].seams
    assert all(one < other for one, other in pairwise(seams)) and len(seams) > 30
    assert not [
        box for box in (*nodes(scene), *labels(scene)) for seam in seams if box.top < seam < box.bottom
    ]
    cut = pages(scene, Paging(1600))
    assert len(cut) > 2 and sum(len(rects(page, "arch.client")) for page in cut) == 60


def test_a_logo_and_a_footer_have_their_place() -> None:
    scene = drawn(nine(), footer="internal", subtitle="as of today", title="x" * 400)
    assert "internal" in texts(scene, "footer") and texts(scene, "arch.facts") == ["as of today"]
    assert texts(scene, "arch.heading")[0].endswith("…")
    everything_holds(scene)


def test_the_list_of_findings_leads_to_their_marks() -> None:
    scene = drawn(nine())
    lines = [group for group in groups(scene.shapes) if group.link]
    assert [line.link for line in lines] == [f"finding-{number}" for number in range(1, 8)]
    assert "Name a folder." in (lines[0].tip or "")
    discs = [
        disc for disc in flat(scene.shapes) if isinstance(disc, Circle) and disc.style.startswith("arch.mark")
    ]
    assert len(discs) == 14 and isinstance(lines[0], Group)


def test_an_authorization_server_of_the_same_machine_stands_below_its_server() -> None:
    made = Config()
    made.local("tracker", "127.0.0.1:3000/mcp", kind="http", label="http, loopback")
    made.login("tracker", "machine", "Authorization server", "127.0.0.1:4000", "OAuth 2.1 + PKCE")
    scene = drawn(made.document())
    (server,), (auth,), (client,) = (rects(scene, f"arch.{kind}") for kind in ("server", "auth", "client"))
    assert (auth.x, auth.width) == (server.x, server.width) and auth.y > server.y + server.height
    assert client.y <= server.y and client.y + client.height >= auth.y + auth.height
    assert "OAuth client" in texts(scene) and "Not drawn in rows" not in texts(scene) and is_chain(made.document())
