"""The system of samples/architecture as config, as description and as recording: three pictures, one story.

What only one of them can know stands in DIFFERENCES, with the evidence that makes it so.
"""

from pathlib import Path

import pytest

from flowgen.api import load
from flowgen.topology import from_traces, read

SAMPLES = Path(__file__).parents[2] / "samples" / "architecture"
KINDS = ("config", "description", "recording")

# what differs -> why, in terms of evidence
DIFFERENCES = {
    ("config", "title of the host"): "a file in a folder of no known host does not name its host",
    ("config", "tools"): "a config names servers; which tools are called shows only when they are",
    ("config", "authorization server"): "the file has an address and no token: that there may be one is inferred",
    ("config", "api"): "what a server calls is on no side of the file",
    ("recording", "api"): "the recorder stands at the clients; nobody recorded what the tracker asks of its API",
    ("recording", "model"): "no message shows the model: it is inferred",
}


def topologies():
    def one(name):
        return read([(name, (SAMPLES / name).read_bytes())])

    trace = load(SAMPLES / "trace.json")
    return dict(zip(KINDS, (one("mcp.json"), one("system.yaml"), from_traces([("trace.json", trace)])), strict=True))


STORIES = topologies()
FULL = STORIES["description"]


def nodes(found, *kinds):
    return [node for node in found.nodes if node.kind in kinds]


def zone(found, node):
    (own,) = [zone for zone in found.zones if zone.id == node.zone]
    return own.kind


def parties(found):
    """Server by server: name, zone, transport, and how it is started or where it is."""
    return [(node.name, zone(found, node), node.transport, node.lines) for node in nodes(found, "server")]


def crossing(found):
    """What flows from whom to whom, by the names of servers and the kinds of others."""
    called = {node.id: f"{node.kind} {node.name}" if node.name else node.kind for node in found.nodes}
    return [(called[flow.source], flow.kind, called[flow.target]) for flow in found.flows]


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_servers_in_the_same_order_and_zones_by_the_same_transports(kind):
    assert parties(STORIES[kind]) == parties(FULL)
    assert [(node.name, node.title) for node in nodes(STORIES[kind], "client")] == [
        ("filesystem", "Client 1"), ("git", "Client 2"), ("tracker", "Client 3"),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_zones(kind):
    told = [(zone.kind, zone.title) for zone in STORIES[kind].zones if zone.kind != "host"]
    assert told == [("machine", "Developer machine"), ("vendor", "tracker.example")]
    titles = [zone.title for zone in STORIES[kind].zones if zone.kind == "host"]
    assert titles == (["Host"] if (kind, "title of the host") in DIFFERENCES else ["my-ide"])


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_data_flows_but_for_the_api_which_only_the_description_knows(kind):
    full = [flow for flow in crossing(FULL) if flow[1] != "own-token" or (kind, "api") not in DIFFERENCES]
    assert sorted(crossing(STORIES[kind])) == sorted(full)


@pytest.mark.parametrize("kind", KINDS)
def test_the_tools_that_are_called_are_told_by_all_but_the_config(kind):
    labels = [flow.label for flow in STORIES[kind].flows if flow.kind == "tool-call"]
    names = [["filesystem"], ["git"], ["tracker"]]
    assert labels == (names if (kind, "tools") in DIFFERENCES else [["read_file"], ["git_diff"], ["create_issue"]])


@pytest.mark.parametrize("kind", KINDS)
def test_the_authorization_server_is_known_or_supposed(kind):
    (auth,) = nodes(STORIES[kind], "auth")
    inferred = (kind, "authorization server") in DIFFERENCES
    assert (auth.evidence.kind == "inferred", zone(STORIES[kind], auth)) == (inferred, "vendor")
    assert auth.lines == (["found at run time"] if inferred else ["auth.tracker.example"])


@pytest.mark.parametrize("kind", KINDS)
def test_everything_crosses_the_network_encrypted(kind):
    over = [flow.tls for flow in STORIES[kind].flows if flow.kind == "http"]
    assert over == [True]


@pytest.mark.parametrize("kind", KINDS)
def test_evidence_is_of_its_kind(kind):
    own = {"config": "file", "description": "described", "recording": "trace"}[kind]
    assert {node.evidence.kind for node in nodes(STORIES[kind], "server", "client")} == {own}
    (model,) = nodes(STORIES[kind], "model")
    inferred = model.evidence is not None and model.evidence.kind == "inferred"
    assert inferred == ((kind, "model") in DIFFERENCES)
