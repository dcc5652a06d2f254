"""`flowgen.load`, `drawing`, `render` and `check` of recordings, config files and topologies alike."""

import io
import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flowgen
from flowgen.errors import ConfigError, FlowgenError, TraceError, UsageError
from tests.traces import SAMPLES

CONFIG = b'{"mcpServers": {"files": {"command": "npx", "args": ["-y", "files-example"]}}}'
SEED = SAMPLES / "seed.json"


@pytest.fixture
def config(tmp_path):
    (tmp_path / ".cursor").mkdir()
    path = tmp_path / ".cursor" / "mcp.json"
    path.write_bytes(CONFIG)
    return path


def test_a_file_is_what_it_holds(config):
    assert isinstance(flowgen.load(SEED), flowgen.Trace)
    topology = flowgen.load(config)
    assert isinstance(topology, flowgen.Topology)
    assert [zone.title for zone in topology.zones if zone.kind == "host"] == ["Cursor"]
    assert [finding.code for finding in topology.findings] == ["unpinned-package"]


def test_bytes_and_open_files_are_too():
    for make in (bytes, io.BytesIO, lambda data: io.BufferedReader(io.BytesIO(data))):
        assert isinstance(flowgen.load(make(CONFIG), "mcp.json"), flowgen.Topology)
        assert isinstance(flowgen.load(make(SEED.read_bytes())), flowgen.Trace)


def test_a_pipe_that_cannot_go_back_is_read_once():
    script = "import sys, flowgen; print(type(flowgen.load(sys.stdin.buffer)).__name__)"
    for data, name in ((CONFIG, "Topology"), (SEED.read_bytes(), "Trace")):
        done = subprocess.run([sys.executable, "-c", script], input=data, capture_output=True, timeout=60, check=True)
        assert done.stdout.decode().strip() == name


def test_a_view_says_as_what_it_is_wanted(config):
    seen = flowgen.load(SEED, view="architecture")
    assert {node.kind for node in seen.nodes} >= {"client", "server"}
    with pytest.raises(TraceError):
        flowgen.load(config, view="flow")


def test_the_host_of_a_file_can_be_said():
    topology = flowgen.load(CONFIG, "settings.txt.json", host="Zed")
    assert any(zone.title == "Zed" for zone in topology.zones)
    with pytest.raises(ConfigError, match="there is no host"):
        flowgen.load(CONFIG, "mcp.json", host="Nobody's")


def test_a_document_comes_back_as_it_was(config):
    topology = flowgen.load(config)
    again = flowgen.load(flowgen.drawing(topology).json().encode(), "again.json")
    assert again.nodes == topology.nodes and again.findings == topology.findings


def test_a_topology_is_drawn_and_a_recording_as_one(config, tmp_path):
    topology, trace = flowgen.load(config), flowgen.load(SEED)
    assert "files-example" in flowgen.drawing(topology, lang="zh", title="t").svg
    assert "stdin / stdout" in flowgen.drawing(trace, view="architecture").svg
    assert "stdin / stdout" in flowgen.drawing([trace, trace], view="architecture", names=["a", "b"]).svg
    with pytest.raises(UsageError, match="has no flow"):
        flowgen.drawing(topology, view="flow")


def test_pictures_show_themselves_in_notebooks(config):
    for told in (flowgen.load(config), flowgen.load(SEED)):
        assert flowgen.drawing(told)._repr_svg_().startswith("<svg")


def test_render_takes_a_path_a_trace_or_a_topology(config, tmp_path):
    for number, source in enumerate((config, str(SEED), flowgen.load(config), flowgen.load(SEED))):
        out = tmp_path / f"{number}.svg"
        flowgen.render(source, out)
        assert out.read_text().startswith("<svg")
    flowgen.render(config, tmp_path / "who.drawio")
    flowgen.render(SEED, tmp_path / "who.puml", view="architecture")
    assert (tmp_path / "who.drawio").read_text().startswith("<mxfile")
    assert "C4_Container" in (tmp_path / "who.puml").read_text()
    with pytest.raises(UsageError, match="swim lane"):
        flowgen.render(SEED, tmp_path / "no.drawio")


def test_check_takes_the_same_and_its_findings_say_where_and_what(config):
    for source in (config, flowgen.load(config), [config], ("mcp.json", CONFIG)):
        (finding,) = flowgen.check(source)
        assert isinstance(finding, flowgen.Finding)
        said = "mcp.json:1: medium unpinned-package [files]: package files-example is not pinned to a version"
        assert str(finding).endswith(said)
    assert not [*flowgen.check(flowgen.load(SEED))] and not [*flowgen.check([SEED, flowgen.load(SEED)])]
    assert not [*flowgen.check(config, ignore=["unpinned-package"])]


def test_names_of_folders_stay_functions(config):
    flowgen.check(config)
    assert callable(flowgen.check) and callable(flowgen.record)


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.binary(max_size=200), st.recursive(st.text(max_size=5) | st.integers() | st.none(), lambda each: (
    st.lists(each, max_size=3) | st.dictionaries(st.sampled_from(["mcpServers", "servers", "command", "format"]), each,
    max_size=3)), max_leaves=8).map(lambda value: json.dumps(value).encode())))  # fmt: skip
def test_whatever_the_bytes_are_they_are_one_of_the_two_or_an_error(data):
    try:
        told = flowgen.load(data, "x.json")
    except FlowgenError:
        return
    assert isinstance(told, flowgen.Trace | flowgen.Topology)
