"""The short form of a topology: what a person writes, what it stands for, and what its errors say."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.check import judged
from flowgen.errors import ConfigError
from flowgen.topology import emitted, is_config, is_document, read

README = Path(__file__).parents[2] / "README.md"

SYSTEM = """\
flowgen: topology
host my-ide:
  servers:
    files: uvx files-example@1.2.0
    tracker:
      url: https://mcp.tracker.example/mcp
      tools: create_issue
      oauth: auth.tracker.example
      api: Tracker API
"""


def short(text, name="system.yaml"):
    return read([(name, text.encode())])


def nodes(found):
    return {node.id: node for node in found.nodes}


def flows(found):
    return {f"{flow.source} {flow.kind} {flow.target}": " / ".join(flow.label) for flow in found.flows}


def fault(text, name="system.yaml"):
    with pytest.raises(ConfigError) as problem:
        short(text, name)
    return str(problem.value), problem.value.hint


def test_a_host_with_servers_stands_for_the_whole_chain():
    found = short(SYSTEM)
    assert [zone.id for zone in found.zones] == ["machine", "host", "vendor:tracker.example"]
    assert flows(found) == {
        "person approval model": "prompt / approval",
        "model tool-call client:files": "files",
        "client:files stdio server:files": "stdin / stdout",
        "model tool-call client:tracker": "create_issue",
        "client:tracker http server:tracker": "POST /mcp / Bearer",
        "client:tracker oauth auth:tracker": "OAuth 2.1 + PKCE / only without a valid token",
        "server:tracker own-token api:tracker": "server's own token / no passthrough",
    }


def test_everything_is_described_and_says_on_which_line():
    evidence = [node.evidence for node in short(SYSTEM).nodes]
    assert {each.kind for each in evidence} == {"described"}
    assert nodes(short(SYSTEM))["api:tracker"].evidence.where == "system.yaml:9"


def test_servers_are_judged_as_those_of_a_config_are():
    found = judged(short("flowgen: topology\nhost a:\n  servers:\n    files: npx -y files-example ~\n"))
    assert {(each.code, each.where) for each in found.findings} == {
        ("unpinned-package", "system.yaml:4"), ("home-directory-access", "system.yaml:4"),
    }  # fmt: skip


def test_the_servers_of_a_config_can_be_pasted_and_their_secrets_stay_hidden():
    secret = "ghp_" + "a1B2" * 9
    entry = {"url": "https://mcp.a.example/mcp", "headers": {"Authorization": f"Bearer {secret}"}}
    found = short(json.dumps({"flowgen": "topology", "host a": {"servers": {"a": entry}}}), "system.json")
    assert nodes(found)["server:a"].auth == "literal" and secret not in found.model_dump_json()


def test_findings_of_ones_own_stand_beside_those_of_the_rules():
    text = "findings:\n  - {code: no-audit, severity: high, message: nobody reads the log}\n"
    found = judged(short(f"flowgen: topology\n{text}host a:\n  servers:\n    files: npx -y files-example\n"))
    assert [each.code for each in found.findings] == ["no-audit", "unpinned-package"]
    assert judged(found).findings == found.findings


def test_a_token_that_is_passed_on_is_found_where_it_is_told():
    text = "client a:\nvendor v:\n  server s:\n  api b:\nflows:\n  - a -> s\n  - s -> b: {same_token: true}\n"
    assert [each.code for each in judged(short(f"flowgen: topology\n{text}")).findings] == ["token-passthrough"]


def test_a_data_flow_that_a_host_stands_for_may_be_told_anew():
    found = short(f"{SYSTEM}flows:\n  - client files -> server files: stdio, a pipe\n")
    assert flows(found)["client:files stdio server:files"] == "a pipe" and len(found.flows) == 7


@pytest.mark.parametrize("auth", ["none", "literal", "reference", "placeholder", "oauth"])
def test_a_credential_may_be_told_by_its_kind_alone(auth):
    found = short(f"flowgen: topology\nhost a:\n  servers:\n    x: {{url: https://a.example/mcp, auth: {auth}}}\n")
    assert nodes(found)["server:x"].auth == auth


def test_who_signs_in_and_sends_another_token_too_is_told_whole():
    said = "{url: https://a.example/mcp, oauth: login.b.example, headers: {X-Api-Key: '${KEY}'}}"
    found = short(f"flowgen: topology\nhost h:\n  servers:\n    x: {said}\n")
    assert [node.zone for node in found.nodes if node.kind == "auth"] == ["idp:b.example"]


def test_a_server_on_this_machine_may_sign_in_on_it():
    found = short("""
flowgen: topology
machine Desk:
  host ide:
    servers: {x: {url: 'http://localhost:8000/mcp', oauth: 'http://localhost:9000'}}
""")
    assert {node.zone for node in found.nodes if node.kind in ("auth", "server")} == {"machine:Desk"}
    assert {zone.title for zone in found.zones} == {"Desk", "ide"}


def test_zones_stand_in_zones_at_will_and_hosts_may_stand_anywhere():
    found = short("""
flowgen: topology
other-machine office:
  machine Desk:
    host ide:
      servers: {a: uvx a, b: docker run -i --rm b-example}
""")
    parents = {zone.title: zone.parent for zone in found.zones}
    assert parents["ide"] == "machine:Desk" and parents["Desk"] == "other-machine:office"
    assert nodes(found)["server:a"].zone == "machine:Desk" and "machine" not in {zone.id for zone in found.zones}
    sandbox = next(zone for zone in found.zones if zone.kind == "sandbox")
    assert (sandbox.parent, nodes(found)["server:b"].zone) == ("machine:Desk", sandbox.id)


def test_two_hosts_that_reach_one_address_share_the_server():
    found = short("""
flowgen: topology
host one: {servers: {wiki: https://mcp.wiki.example/mcp}}
host two: {servers: {wiki: https://mcp.wiki.example/mcp}}
""")
    assert sum(node.kind == "server" for node in found.nodes) == 1
    assert sum(node.kind == "client" for node in found.nodes) == 2


def test_a_thing_that_a_host_stands_for_may_be_written_out():
    found = short("flowgen: topology\nperson:\n  title: Operator\nhost a: {servers: {x: uvx x}}\n")
    assert nodes(found)["person"].title == "Operator" and len(found.nodes) == 4


def test_a_text_is_what_stands_below_the_title():
    found = short("flowgen: topology\nvendor a.example:\n  server wiki: a.example/mcp\nunknown:\n  auth Login:\n")
    assert nodes(found)["server:wiki"].lines == ["a.example/mcp"]
    assert (nodes(found)["server:wiki"].transport, nodes(found)["server:wiki"].name) == ("http", "wiki")
    assert nodes(found)["auth:Login"].zone == "unknown"


@pytest.mark.parametrize(("flow", "kind", "label", "tls"), [
    ("a -> b", "http", ["POST /x"], True),
    ("a -> b: http, POST, Bearer", "http", ["POST", "Bearer"], True),
    ("a -> b: {tls: false}", "http", ["HTTP, not encrypted"], False),
    ("client a -> server b: {label: ['a, b']}", "http", ["a, b"], True),
    ("{from: a, to: b, kind: sse}", "sse", ["HTTPS, HTTP+SSE"], True),
    ("a -> c", "own-token", ["server's own token"], None),
    ("a -> v.example: socket", "socket", ["unix socket"], None),
])  # fmt: skip
def test_a_data_flow_is_a_line_or_a_table(flow, kind, label, tls):
    text = f"flowgen: topology\nclient a:\nvendor v.example:\n  server b: v.example/x\n  store c:\nflows:\n  - {flow}\n"
    (found,) = short(text).flows
    assert (found.kind, found.label, found.tls) == (kind, label, tls)


def test_the_same_in_toml_and_json():
    toml = 'flowgen = "topology"\nflows = ["a -> b: http, x"]\n["vendor v"]\n"client a" = "stdio"\n"server b" = "v"\n'
    said = {"flowgen": "topology", "flows": ["a -> b: http, x"], "vendor v": {"client a": "stdio", "server b": "v"}}
    in_toml, in_json = short(toml, "system.toml"), short(json.dumps(said), "system.json")
    assert [node.title for node in in_toml.nodes] == [node.title for node in in_json.nodes] == ["Client 1", "b"]
    assert flows(in_toml) == flows(in_json) == {"client:a http server:b": "x"}


@pytest.mark.parametrize(("text", "where", "hint"), [
    ("vendr a.example:", "system.yaml:2: unknown word 'vendr a.example'", ""),
    ("vendor a:\n  servr x:", "system.yaml:3: unknown word 'servr x'", ""),
    ("api a: {titel: x}", "system.yaml:2: unknown word 'titel'", "did you mean title?"),
    ("server a: {auth: litteral}", "system.yaml:2: unknown auth 'litteral'", "did you mean literal?"),
    ("server a: {disabled: maybe}", "system.yaml:2: disabled: expected true or false", "disabled: true"),
    ("host a:\n  servers:\n    x: {rnu: uvx x}", "system.yaml:4: unknown word 'rnu'", "did you mean run?"),
    ("host a:\n  servers:\n    x: {tools: y}", "system.yaml:4: server x: not said how", "run or url"),
    ("host a:\n  servers:\n    x: {run: uvx x, oauth: b.example}", "system.yaml:4: oauth: goes with a server", "url"),
    ("api a:\nvendor v:\n  api a:", "system.yaml:4: 'api a' stands in line 2 already", "id"),
    ("api a:\napi b:\nflows:\n  - a -> bb", "system.yaml:5: there is no 'bb'", "did you mean b?"),
    ("api a:\nstore a:\nflows:\n  - a -> a", "system.yaml:5: 'a' may be several things", "api:a or store:a"),
    ("api a:\napi b:\nflows:\n  - a -> b: htp", "system.yaml:5: unknown kind of data flow 'htp'", "http"),
    ("api a:\nflows:\n  - a b", "system.yaml:4: flows: expected SOURCE -> TARGET", "client files -> server files"),
    ("flows: {a: b}", "system.yaml:2: flows: expected a list", "- client"),
    ("findings: [{code: x}]", "system.yaml:2: findings: one has no severity", "message"),
])  # fmt: skip
def test_what_is_wrong_is_told_with_its_line_and_what_to_do(text, where, hint):
    said, help_ = fault(f"flowgen: topology\n{text}\n")
    assert said.startswith(where) and hint in help_


def test_a_kind_that_is_misspelled_is_guessed():
    assert "did you mean vendor a.example?" in fault("flowgen: topology\nvendr a.example:\n")[1]


def test_another_form_is_named():
    assert fault("flowgen: topologie\n") == ("system.yaml:1: unknown form 'topologie'", "did you mean topology?")


def test_nested_without_end_is_one_error():
    text = "flowgen: topology\n" + "".join(f"{'  ' * at}vendor v{at}:\n" for at in range(90))
    assert "nested too deeply" in fault(text)[0]


def test_an_error_quotes_little_of_the_file():
    said, help_ = fault(f"flowgen: topology\napi a: {{{'x' * 500}: 1}}\n")
    assert len(said) < 120 and len(help_) < 200


@pytest.mark.parametrize(("name", "text", "told"), [
    ("system.yaml", SYSTEM, True),
    ("x.json", '{"flowgen": "topology"}', True),
    ("x.yaml", "format: flowgen.topology/1\nvendor a:\n", True),
    ("config.yaml", "extensions:\n  files: {type: stdio, cmd: npx, args: [x]}\n", False),
    ("config.yaml", "# topology\nmcpServers:\n  - name: files\n    command: npx\n", False),
    ("flowgen.toml", "flowgen = { topology = true }\n", False),
])  # fmt: skip
def test_a_description_is_known_by_what_is_in_it(name, text, told):
    assert is_document(name, text.encode()) is told
    assert is_config(text.encode(), name)


@pytest.mark.parametrize("text", [SYSTEM, 'title = "x"\nflowgen = "topology"\n', '{"flowgen": "topology"}'])
def test_a_description_needs_no_ending(text):
    assert read([("stdin", text.encode())]).findings == []


def test_a_full_document_in_yaml_is_still_one():
    found = short("format: flowgen.topology/1\nnodes:\n- {id: a, kind: api, title: A}\n")
    assert [node.title for node in found.nodes] == ["A"]


def test_the_description_of_the_readme_is_drawn_as_it_is_written():
    text = README.read_text(encoding="utf-8")
    (example,) = re.findall(r"```yaml\n(flowgen: topology\n.*?)```", text, re.DOTALL)
    found = short(example)
    assert {zone.title for zone in found.zones} >= {"office.internal", "cluster", "tracker.example"}
    assert "client:tracker http gateway:Tools" in flows(found)
    assert nodes(found)["server:reports"].auth == "reference"
    assert next(flow for flow in found.flows if flow.label == ["own account"]).evidence.kind == "inferred"


WORDS = st.sampled_from([
    "", "a", "s -> a", "s -> a: http, x", "npx -y x", "https://a.example/mcp", "unix:/x.sock", "http", "stdio",
    "ssh b c", "docker run x", "inferred", "file x:1", "npx mcp-remote https://a.example", "none", "a, b", "\ud800",
    "v", "s", "high",
])  # fmt: skip
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=6,
)


def tables(words):
    return st.dictionaries(st.sampled_from(words.split()), VALUES, max_size=3)


SERVERS = st.one_of(WORDS, tables(
    "run url tools oauth api store label badges auth title lines type disabled env headers command args"
))  # fmt: skip
NODES = st.one_of(st.none(), WORDS, tables(
    "id title name lines transport auth disabled badges scope evidence inferred more"
))  # fmt: skip
PARTS = st.sampled_from(
    ["host a", "vendor v", "machine", "sandbox", "server s", "client s", "api a", "auth", "note", "x"]
)
THINGS = st.recursive(NODES, lambda inner: st.dictionaries(PARTS, inner, max_size=4), max_leaves=8)
ENDS = st.sampled_from(["s -> a", "client s -> server s", "person -> model", "from", "to", "kind", "label"])
SYSTEMS = st.fixed_dictionaries({}, optional={
    "host x": st.fixed_dictionaries({"servers": st.dictionaries(st.sampled_from("stu"), SERVERS, max_size=3)}),
    "vendor v": THINGS, "machine": THINGS, "api a": NODES, "server s": NODES, "title": VALUES,
    "flows": st.lists(st.one_of(WORDS, st.dictionaries(ENDS, VALUES, max_size=3)), max_size=3),
    "findings": st.lists(tables("code severity message server where"), max_size=2),
})  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(SYSTEMS)
def test_whatever_its_words_hold_is_a_topology_or_one_error_and_is_written_again(said):
    text = json.dumps({"flowgen": "topology", **said})
    try:
        found = short(text, "system.json")
    except ConfigError as problem:
        assert re.match(r"system\.json(:\d+)?: ", str(problem)) and problem.hint
        return
    judged(found)
    short(emitted(found, "system.json"))


def test_a_data_flow_to_a_zone_is_encrypted_as_one_to_a_node_in_it():
    text = """flowgen: topology
private-network corp.internal:
  gateway Hub: hub.corp.internal/mcp
  sandbox k8s:
    server a: {lines: [a:80]}
flows:
  - Hub -> a
  - Hub -> k8s: http
"""
    flows = read([("system.yaml", text.encode())]).flows
    assert [flow.tls for flow in flows] == [True, True] and "loopback" not in str(flows)
