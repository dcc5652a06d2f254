"""Every config file beside this test: its host, its servers with zone, transport and credentials, its findings."""

import json
import re
from pathlib import Path

import pytest

from flowgen.check import judged
from flowgen.errors import ConfigError
from flowgen.topology import read

HERE = Path(__file__).parent
CASES = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))
HOSTED = [
    number
    for number, case in CASES.items()
    if case.get("nodes") and not case["host"].startswith(("MCP ", "Doc"))
]


def data(number):
    return (HERE / "cases" / number / CASES[number]["file"]).read_bytes()


def topology(number):
    return judged(read([(CASES[number]["file"], data(number))]))


def told(node):
    words = [node.id, "in", node.zone, node.transport, node.auth, "disabled" if node.disabled else ""]
    return " ".join(filter(None, words))


@pytest.mark.parametrize("number", [number for number, case in CASES.items() if "error" not in case])
def test_a_case_gives_its_servers_and_its_findings(number):
    case, found = CASES[number], topology(number)
    assert found.sources[0].host == case["host"]
    assert [told(node) for node in found.nodes if node.kind in ("server", "bridge", "gateway")] == case[
        "nodes"
    ]
    findings = [f"{each.code} {each.node or ''} {each.where}".replace("  ", " ") for each in found.findings]
    assert findings == case["findings"]


@pytest.mark.parametrize("number", [number for number, case in CASES.items() if "error" in case])
def test_what_cannot_be_read_is_one_error_with_file_and_line(number):
    with pytest.raises(ConfigError) as problem:
        topology(number)
    assert str(problem.value) == CASES[number]["error"]


@pytest.mark.parametrize("number", [number for number, case in CASES.items() if case.get("secrets")])
def test_no_secret_is_in_the_document_nor_in_an_error(number):
    try:
        text = topology(number).model_dump_json()
    except ConfigError as problem:
        text = f"{problem} {problem.hint}"
    assert not [secret for secret in CASES[number]["secrets"] if secret in text or secret[:12] in text]


@pytest.mark.parametrize("number", HOSTED)
def test_every_server_of_a_host_has_its_chain(number):
    found = topology(number)
    flows = {(flow.source, flow.target): flow.kind for flow in found.flows}
    assert flows["person", "model"] == "approval"
    for client in (node for node in found.nodes if node.kind == "client"):
        assert flows["model", client.id] == "tool-call"
        assert [target for source, target in flows if source == client.id and not target.startswith("auth")]
    fronts = {flow.target for flow in found.flows if flow.source.startswith(("client:", "model"))}
    assert all(node.id in fronts for node in found.nodes if node.kind in ("bridge", "gateway"))


@pytest.mark.parametrize("number", HOSTED)
def test_every_id_is_known_and_every_zone_lies_in_a_known_one(number):
    found = topology(number)
    zones, nodes = {zone.id for zone in found.zones}, {node.id for node in found.nodes}
    assert len(zones) == len(found.zones) and len(nodes) == len(found.nodes)
    assert {zone.parent for zone in found.zones} <= zones | {None}
    assert {node.zone for node in found.nodes} <= zones | {None}
    assert {end for flow in found.flows for end in (flow.source, flow.target)} <= nodes
    assert {finding.node for finding in found.findings} <= nodes | {None}


@pytest.mark.parametrize("number", HOSTED)
def test_evidence_is_a_line_of_the_file(number):
    count = len(re.split(rb"\r\n|\n|\r", data(number)))
    for node in topology(number).nodes:
        if node.evidence and node.evidence.kind == "file":
            path, _, line = node.evidence.where.rpartition(":")
            assert path == CASES[number]["file"] and 1 <= int(line) <= count


@pytest.mark.parametrize("number", [number for number, case in CASES.items() if "notes" in case])
def test_frames_say_what_their_boundary_lets_in_and_out(number):
    found = {zone.id: [*filter(None, [zone.note]), *zone.lines] for zone in topology(number).zones}
    assert {name: told for name, told in found.items() if told} == CASES[number]["notes"]
