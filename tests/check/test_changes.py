"""What a change of a config means: told by host and key, the gravest first, and never a secret's value."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flowgen import api
from flowgen.check import compared, judged
from flowgen.topology import read
from tests.scene.arch_strategies import chains
from tests.scene.free_strategies import systems

HERE = Path(__file__).parent.parent / "topology" / "cases"
BROKEN = ("026", "027", "044")
CASES = sorted(path for path in HERE.glob("*/**/*") if path.is_file() and path.relative_to(HERE).parts[0] not in BROKEN)
SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
URL = "https://mcp.tracker.example/mcp"
FILES = {"command": "npx", "args": ["-y", "files-mcp@1.2.0", "/srv/docs"]}
TRACKER = {"url": URL}


def topology(servers, name=".cursor/mcp.json"):
    return judged(read([(name, json.dumps({"mcpServers": servers}, indent=1).encode())]))


def changes(old, new):
    return compared(topology(old), topology(new)).changes


def told(old, new):
    return {(each.change, each.about, each.name) for each in changes(old, new)}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.relative_to(HERE).parts[0])
def test_a_file_differs_in_nothing_from_itself_and_every_server_is_told_once_when_all_come_or_go(path):
    name, data = str(path), path.read_bytes()
    file = judged(read([(name, data)]))
    same = compared(file, file)
    assert same.changes == [] and not any(each.change for each in (*same.nodes, *same.flows, *same.zones))
    nothing = file.model_copy(update={"nodes": [], "zones": [], "flows": [], "findings": []})
    for old, new, done in ((file, nothing, "removed"), (nothing, file, "added")):
        both = compared(old, new)
        servers = sorted(each.name for each in both.changes if each.about == "server")
        fronts = {drawn.front for drawn in file.reading.servers}
        assert len(servers) == len(fronts)
        assert {each.change for each in both.nodes} <= {done}
        assert len(both.nodes) == len(file.nodes) and len(both.flows) == len(file.flows)


def test_lines_and_order_of_a_file_make_no_difference():
    assert not changes({"a": FILES, "b": TRACKER}, {"b": TRACKER, "a": FILES})


def test_what_grew_more_dangerous_comes_first_and_no_secret_is_told():
    old = {"files": FILES, "tracker": TRACKER}
    new = {"files": FILES, "tracker": {**TRACKER, "headers": {"Authorization": f"Bearer {SECRET}"}}}
    found = changes(old, new)
    assert [(each.about, each.graver) for each in found[:2]] == [("finding", True), ("credential", True)]
    assert found[1].was == "no token in the file" and found[1].now == "Authorization (in the file)"
    for one, two in ((old, new), (new, old)):
        both = compared(topology(one), topology(two))
        assert SECRET not in both.model_dump_json()


def test_a_pin_that_went_is_a_finding_and_a_launch_line():
    loose = {**FILES, "args": ["-y", "files-mcp", "/srv/docs"]}
    assert told({"f": FILES}, {"f": loose}) == {("added", "finding", "f"), ("changed", "launch", "f")}
    assert told({"f": loose}, {"f": FILES}) == {("removed", "finding", "f"), ("changed", "launch", "f")}


def test_a_server_that_moves_to_a_vendor_crosses_a_new_boundary():
    found = changes({"files": FILES}, {"files": TRACKER})
    assert {("changed", "boundary", "files"), ("added", "boundary", "vendor tracker.example"),
            ("changed", "launch", "files")} <= {(each.change, each.about, each.name) for each in found}  # fmt: skip
    both = compared(topology({"files": FILES}), topology({"files": TRACKER}))
    server = next(node for node in both.nodes if node.kind == "server")
    assert server.change == "changed" and server.was == ["npx -y files-mcp@1.2.0 /srv/docs"]
    assert {each.change for each in both.flows if each.kind == "http"} == {"changed"}


def test_a_part_of_a_command_that_is_not_drawn_makes_a_difference_too():
    line = {"command": "docker", "args": ["run", "-i", "--rm", "img:1"]}
    more = {"command": "docker", "args": ["run", "-i", "--rm", "-v", "/srv:/srv", "img:1"]}
    assert ("changed", "launch", "d") in told({"d": line}, {"d": more})


def test_what_is_never_shown_makes_a_difference_and_stays_hidden():
    old = {"command": "bash", "args": ["-c", "node a.js"], "env": {"BASE": "https://a.example", "API_KEY": SECRET}}
    env = {"BASE": "https://b.example", "API_KEY": SECRET[::-1]}
    new = {"command": "bash", "args": ["-c", "node b.js"], "env": env}
    (found,) = changes({"s": old}, {"s": new})
    assert found.message == "differs in what is not shown: command, variable BASE, variable API_KEY"
    keyed = {**old, "env": {"BASE": "https://a.example"}}
    assert {each.about for each in changes({"s": keyed}, {"s": old})} == {"finding", "credential"}


def test_switching_a_server_on_is_told_first():
    found = changes({"f": {**FILES, "disabled": True}}, {"f": FILES})
    assert [(each.about, each.was, each.now, each.graver) for each in found] == [
        ("state", "switched off", "switched on", True)
    ]


def test_clients_are_counted_through_and_what_is_gone_stands_where_it_stood():
    both = compared(topology({"a": FILES, "b": FILES, "c": FILES}), topology({"a": FILES, "c": FILES}))
    clients = [(node.title, node.name, node.change) for node in both.nodes if node.kind == "client"]
    assert clients == [("Client 1", "a", None), ("Client 2", "b", "removed"), ("Client 3", "c", None)]


def test_hosts_are_told_apart_where_there_are_several():
    one, two = ((".cursor/mcp.json", ["a", "b"]), (".vscode/mcp.json", ["a"]))
    files = [(name, json.dumps({key: dict.fromkeys(names, FILES)}).encode())
             for (name, names), key in ((one, "mcpServers"), (two, "servers"))]  # fmt: skip
    less = [files[0], (two[0], b'{"servers": {}}')]
    found = compared(judged(read(files)), judged(read(less))).changes
    assert [(each.change, each.about, each.name) for each in found] == [("removed", "server", "a")]
    assert found[0].host == "VS Code"


def test_descriptions_are_known_by_kind_zone_and_title():
    zones = [{"id": "v", "kind": "vendor", "title": "far.example"}]
    api_ = {"id": "x", "kind": "api", "title": "Ledger", "zone": "v"}
    server = {"id": "s", "kind": "server", "title": "books", "zone": "v"}
    flow = {"source": "s", "target": "x", "kind": "own-token", "label": ["own token"], "tls": True}

    def described(**more):
        document = {"format": "flowgen.topology/1", "zones": zones, "nodes": [server, api_], "flows": [flow], **more}
        return read([("t.json", json.dumps(document).encode())])

    renamed = described(nodes=[server, {**api_, "id": "y"}], flows=[{**flow, "target": "y"}])
    assert not compared(described(), renamed).changes
    plain = compared(described(), described(flows=[{**flow, "tls": False}])).changes
    assert [(each.about, each.graver) for each in plain] == [("data flow", True)]
    gone = compared(described(), described(flows=[])).changes
    assert [(each.change, each.about) for each in gone] == [("removed", "data flow")]


def test_a_difference_is_text_data_and_a_table(tmp_path):
    paths = [tmp_path / name for name in ("old.json", "new.json")]
    for path, servers in zip(paths, ({"f": FILES}, {"f": FILES, "t|x": TRACKER}), strict=True):
        path.write_text(json.dumps({"mcpServers": servers}))
    found = api.diff(*paths)
    assert found and not api.diff(paths[0], paths[0])
    document = json.loads(found.json())
    assert document["format"] == "flowgen.changes/1" and document["counts"]["added"] == len(document["changes"])
    assert "! + server     t|x: added: mcp.tracker.example/mcp in vendor tracker.example" in found.text()
    assert "t\\|x" in found.markdown()


ENTRIES = st.sampled_from([
    FILES, TRACKER, {**TRACKER, "headers": {"Authorization": f"Bearer {SECRET}"}}, {**FILES, "disabled": True},
    {"command": "npx", "args": ["-y", "mcp-remote", URL]}, {"command": "docker", "args": ["run", "-i", "img"]},
    {"url": "http://localhost:3000/mcp"}, {"command": "files", "env": {"API_KEY": SECRET}},
])  # fmt: skip
SERVERS = st.dictionaries(st.sampled_from("abcd"), ENTRIES, max_size=4)


@settings(max_examples=60, deadline=None)
@given(SERVERS, SERVERS)
def test_every_server_of_either_side_is_told_exactly_once(old, new):
    one, two = topology(old), topology(new)
    both = compared(one, two)
    found = [(each.change, each.name) for each in both.changes if each.about == "server"]
    named = {each.was: each.name for each in both.changes if each.about == "name"}
    assert all(old[was] == new[now] for was, now in named.items())
    come, gone = new.keys() - old.keys() - {*named.values()}, old.keys() - new.keys() - {*named}
    assert sorted(found) == sorted([("added", name) for name in come] + [("removed", name) for name in gone])
    assert not compared(two, two).changes
    assert {each.name for each in both.changes} >= {name for name in old.keys() & new.keys() if old[name] != new[name]}
    clients = [node.name for node in both.nodes if node.kind == "client"]
    assert sorted(clients) == sorted((old.keys() | new.keys()) - named.keys())
    ids, zones = [node.id for node in both.nodes], {zone.id for zone in both.zones}
    assert len(ids) == len(set(ids)) and all(node.zone is None or node.zone in zones for node in both.nodes)
    assert all({flow.source, flow.target} <= {*ids, *zones} for flow in both.flows)
    assert all(zone.parent is None or zone.parent in zones for zone in both.zones)
    assert SECRET not in both.model_dump_json()


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.one_of(systems(), chains()), st.one_of(systems(), chains()))
def test_any_system_differs_in_nothing_from_itself_and_nothing_of_either_is_lost(old, new):
    same = compared(new, new)
    assert not same.changes and not any(each.change for each in (*same.nodes, *same.flows, *same.zones))
    both = compared(old, new)
    ids = [node.id for node in both.nodes]
    assert len(ids) == len(set(ids)) and {node.id for node in new.nodes} <= set(ids)
    assert len(ids) <= len(old.nodes) + len(new.nodes)
    assert len(both.flows) >= len(new.flows) and {zone.id for zone in new.zones} <= {zone.id for zone in both.zones}


@pytest.mark.parametrize("path", CASES[::4], ids=lambda path: path.relative_to(HERE).parts[0])
def test_a_file_differs_in_nothing_from_its_own_document(path):
    file = judged(read([(str(path), path.read_bytes())]))
    document = judged(read([("document.json", file.model_dump_json(exclude_none=True).encode())]))
    assert not compared(file, document).changes and not compared(document, file).changes


def test_a_server_with_another_key_and_nothing_else_is_the_same_one():
    risky = {**FILES, "args": ["files-mcp", "/"]}
    assert told({"a": risky, "t": TRACKER}, {"b": risky, "t": TRACKER}) == {("changed", "name", "b")}
    two = told({"a": FILES, "b": FILES}, {"c": FILES, "d": FILES})  # nobody can tell which is which
    assert {each[:2] for each in two} == {("added", "server"), ("removed", "server")}
    secret = {**FILES, "env": {"API_TOKEN": SECRET}}
    assert ("changed", "name", "b") not in told({"a": FILES}, {"b": secret})
