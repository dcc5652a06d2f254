"""A topology written as a short description is the same topology when it is read again."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.api import load
from flowgen.errors import ConfigError
from flowgen.topology import Topology, emitted, from_traces, read
from tests.scene.arch_strategies import chains, graphs
from tests.scene.topologies import TARGETS, many
from tests.traces import SAMPLES

HERE = Path(__file__).parent
CASES = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))
GOOD = [number for number, case in CASES.items() if "error" not in case]


def topology(number):
    name = CASES[number]["file"]
    return read([(name, (HERE / "cases" / number / name).read_bytes())])


def again(text):
    return read([("system.yaml", text.encode())])


def plain(found):
    """Everything but where it was seen, and what is judged anew; lone halves of characters cannot be written."""
    told = whole(found.model_dump(exclude={"findings", "sources", "changes"}))
    for part in (*told["zones"], *told["nodes"], *told["flows"]):
        part["evidence"] = (part["evidence"] or {}).get("kind") == "inferred" if "evidence" in part else None
    for key in ("zones", "nodes", "flows"):
        told[key].sort(key=str)
    return told


def whole(value):
    if isinstance(value, str):
        return re.sub(r"[\ud800-\udfff]", "\ufffd", value)
    if isinstance(value, dict):
        return {key: whole(each) for key, each in value.items()}
    return [whole(each) for each in value] if isinstance(value, list) else value


def checked(topology):
    """A document that a file may hold: every id once, every end and every zone there."""
    zones = {zone.id: zone for zone in reversed(topology.zones)}
    order = list(zones)
    kept = [zone.model_copy(update={"parent": zone.parent if zone.parent in order[:at] else None})
            for at, zone in enumerate(zones.values())]  # fmt: skip
    nodes = {node.id: node.model_copy(update={"zone": node.zone if node.zone in zones else None})
             for node in topology.nodes if node.id not in zones}  # fmt: skip
    flows = [flow for flow in topology.flows if {flow.source, flow.target} <= {*zones, *nodes}]
    return topology.model_copy(update={"zones": kept, "nodes": [*nodes.values()], "flows": flows})


@pytest.mark.parametrize("number", GOOD)
def test_a_config_written_as_a_description_is_the_same_topology(number):
    found = topology(number)
    text = emitted(found, CASES[number]["file"])
    assert plain(again(text)) == plain(found)


@pytest.mark.parametrize("name", TARGETS)
def test_a_document_written_as_a_description_is_the_same_topology(name):
    found = TARGETS[name]()
    assert plain(again(emitted(found, name))) == plain(found)


def test_a_long_document_is_written_too():
    assert plain(again(emitted(many(60), "many"))) == plain(many(60))


@pytest.mark.parametrize("name", ["architecture/trace.json", "oauth/trace.json", "seed.json", "everything.json"])
def test_a_recording_written_as_a_description_is_the_same_topology(name):
    found = from_traces([(name, load(SAMPLES / name))])
    text = emitted(found, name)
    assert "servers:" in text and plain(again(text)) == plain(found)


def test_a_data_flow_to_a_zone_is_kept():
    zones = [{"id": each, "kind": "vendor", "title": each} for each in ("v", "w")]
    nodes = [{"id": "b", "kind": "bridge", "title": "b", "name": "b"}, {"id": "c", "kind": "client", "title": "c"}]
    flows = [{"source": "c", "target": "b", "kind": "stdio"}, {"source": "b", "target": "w", "kind": "http"}]
    made = Topology.model_validate({"zones": zones, "nodes": nodes, "flows": flows})
    assert plain(again(emitted(made, "x"))) == plain(made)


@settings(max_examples=60, deadline=None)
@given(chains())
def test_whatever_hosts_hold_is_kept(made):
    assert plain(again(emitted(made, "x"))) == plain(made)


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_whatever_a_document_holds_is_kept(made):
    made = checked(made)
    assert plain(again(emitted(made, "x"))) == plain(made)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60), st.lists(st.text(max_size=20), max_size=3))
def test_whatever_texts_are_in_it_they_come_back(title, note, label):
    zone = {"id": title, "kind": "vendor", "title": title, "note": note}
    nodes = [{"id": f"n{title}", "kind": "api", "title": note, "zone": title}]
    flow = {"source": title, "target": f"n{title}", "kind": "http", "label": label}
    made = Topology.model_validate({"title": "t" + note, "zones": [zone], "nodes": nodes, "flows": [flow]})
    assert plain(again(emitted(made, note))) == plain(made)


def test_servers_of_a_host_are_lines_of_a_list():
    text = emitted(topology("001"), "claude_desktop_config.json")
    assert "  servers:\n    notes: npx -y @quarry-example/files-mcp ~\n" in text and "flows:" not in text
    assert "claude_desktop_config.json" in text.splitlines()[0]


@pytest.mark.parametrize("number", [number for number in GOOD if CASES[number].get("secrets")])
def test_no_secret_is_written(number):
    text = emitted(topology(number), "x")
    assert not [secret for secret in CASES[number]["secrets"] if secret in text]


def test_names_of_users_in_paths_and_tokens_in_texts_are_not_written():
    token = "ghp_" + "a1B2" * 9
    node = {"id": "a", "kind": "store", "title": token, "lines": ["node /home/ada/x.js", r"C:\Users\ada\x"]}
    text = emitted(Topology.model_validate({"nodes": [node], "title": "/Users/ada/mcp.json"}), "/home/ada/mcp.json")
    assert token not in text and "ada" not in text and "~/x.js" in text


def test_what_is_inferred_stays_inferred():
    found = again(emitted(topology("003"), "x"))
    assert {each.evidence.kind for each in found.nodes} <= {"described", "inferred"}
    assert all(re.fullmatch(r"system\.yaml:\d+", each.evidence.where) for each in found.nodes if each.evidence.where)


def test_further_fields_of_a_document_are_kept():
    made = Topology.model_validate({"owner": "Ada", "nodes": [{"id": "a", "kind": "api", "title": "A", "cost": 3}]})
    found = again(emitted(made, "x"))
    assert (found.model_extra, found.nodes[0].model_extra) == ({"owner": "Ada"}, {"cost": 3})


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_after_the_mark_end_in_a_topology_or_one_error(data):
    for head in (b"", b"host a:\n  servers:\n    x: ", b"flows:\n- "):
        try:
            read([("x.yaml", b"flowgen: topology\n" + head + data)])
        except ConfigError as problem:
            assert str(problem).startswith("x.yaml")
