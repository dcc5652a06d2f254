"""Several files in one topology, what is inferred, and any bytes at all."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flowgen.check import judged
from flowgen.errors import ConfigError
from flowgen.topology import is_config, read

URL = "https://mcp.tracker.example/mcp"
SECRET = "hG7dk29dkLs02jdk"


def file(path, **servers):
    return path, json.dumps({"mcpServers": servers}).encode()


TWO = [
    file(
        ".cursor/mcp.json",
        files={"command": "x"},
        tracker={"url": URL, "headers": {"Authorization": "Bearer ${T}"}},
    ),
    file(
        "claude_desktop_config.json",
        files={"command": "x"},
        tracker={"url": f"{URL}/", "headers": {"Authorization": f"Bearer {SECRET}"}},
    ),
]


def test_two_hosts_share_a_remote_server_and_no_local_one():
    found = judged(read(TWO))
    servers = [node for node in found.nodes if node.kind == "server"]
    assert [node.id for node in servers] == ["server:files", "server:tracker", "server:files#2"]
    assert servers[1].lines == ["mcp.tracker.example/mcp", "one server, two hosts"]
    assert [zone.title for zone in found.zones if zone.kind == "host"] == ["Cursor", "Claude Desktop"]
    assert [source.zone for source in found.sources] == ["host:Cursor", "host:Claude Desktop"]
    labels = [flow.label for flow in found.flows if flow.target == "server:tracker"]
    assert labels == [["POST /mcp", "Bearer by reference"], ["POST /mcp/", "Bearer ••••"]]
    assert (
        sum(node.kind == "person" for node in found.nodes) == 1
        and sum(node.kind == "model" for node in found.nodes) == 2
    )


def test_what_is_about_one_hosts_entry_sits_on_that_hosts_client():
    found = {finding.code: finding for finding in judged(read(TWO)).findings}
    assert found["secret-in-file"].node == "client:tracker#2"
    assert found["secret-in-file"].host == "Claude Desktop"


def test_a_remote_server_without_a_token_may_ask_for_oauth_and_that_is_inferred():
    found = read(
        [file("mcp.json", a={"url": URL}, b={"url": URL + "2", "headers": {"Authorization": "Bearer ${T}"}})]
    )
    assert [(node.id, node.evidence.kind, node.zone) for node in found.nodes if node.kind == "auth"] == [
        ("auth:a", "inferred", "vendor:tracker.example")
    ]
    assert [flow.evidence.kind for flow in found.flows if flow.kind == "oauth"] == ["inferred"]


def test_declared_oauth_is_a_fact_and_an_issuer_elsewhere_has_its_own_zone():
    oauth = {"clientId": "c", "authorizationUrl": "https://login.idp.example/authorize"}
    found = read([file("mcp.json", a={"url": URL, "oauth": oauth})])
    auth = next(node for node in found.nodes if node.kind == "auth")
    assert (auth.evidence.kind, auth.zone, auth.lines) == (
        "file",
        "idp:idp.example",
        ["login.idp.example/authorize"],
    )


def test_a_file_without_servers_still_has_its_host_and_what_it_reads():
    found = read([("zed/settings.json", b'{"theme": "x", "context_servers": {}}')])
    assert [node.kind for node in found.nodes] == ["person", "model"]
    assert (found.sources[0].reads, found.sources[0].keys) == (
        "context_servers",
        ["theme", "context_servers"],
    )


def test_user_names_in_paths_become_a_tilde_unless_paths_are_to_be_shown():
    path = "/home/maria/.cursor/mcp.json"
    assert "maria" not in read([file(path, a={"command": "x"})]).model_dump_json()
    assert read([file(path, a={"command": "x"})], show_paths=True).sources[0].path == path


@pytest.mark.parametrize(
    ("entry", "transport", "label"),
    [
        ({"url": "unix:///run/x.sock"}, "socket", ["unix socket"]),
        ({"url": "pipe:///pipe/x"}, "socket", ["named pipe"]),
        ({"url": "http://localhost:1/mcp"}, "http", ["http, loopback"]),
        ({"url": "${URL}"}, "http", ["POST, TLS not known", "no token in the file"]),
        ({"url": "http://10.0.0.5/mcp"}, "http", ["HTTP, not encrypted", "no token in the file"]),
        ({"url": URL, "headers": {"X-API-Key": "YOUR_KEY"}}, "http", ["POST /mcp", "X-API-Key: placeholder"]),
        ({"url": URL + "?key=${K}"}, "http", ["POST /mcp", "key in the URL by reference"]),
        ({"url": "https://tracker.example/sse"}, "sse", ["HTTPS, HTTP+SSE", "no token in the file"]),
        ({"url": URL, "auth": "oauth"}, "http", ["POST /mcp", "Bearer, OAuth declared"]),
        ({"url": URL, "disabled": True}, "http", ["not connected"]),
        ({"command": "x", "enabled": False}, "stdio", ["not started"]),
        ({"command": "ssh", "args": ["b", "x"]}, "stdio", ["stdio over ssh"]),
        ({"type": "sse", "url": URL}, "sse", ["HTTPS, HTTP+SSE", "no token in the file"]),
        (
            {"type": "streamableHttp", "url": "https://tracker.example/sse"},
            "http",
            ["POST /sse", "no token in the file"],
        ),
    ],
)
def test_a_data_flow_says_transport_and_token(entry, transport, label):
    found = read([file("mcp.json", a=entry)])
    server = next(node for node in found.nodes if node.kind == "server")
    flow = next(flow for flow in found.flows if flow.target == server.id)
    assert (server.transport, flow.label) == (transport, label)


ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "command": st.sampled_from(["npx", "docker", "bash", "ssh", "uvx -y a", "", "mcp-remote"])
        | st.text(max_size=8),
        "args": st.lists(
            st.sampled_from(
                ["run", "-c", "-e", "A_KEY=b", "--", "${X}", "https://v.example/sse", "-v", "/:/x"]
            )
            | st.text(max_size=6)
            | st.integers()
            | st.none(),
            max_size=5,
        )
        | st.none()
        | st.text(max_size=5),
        "env": st.dictionaries(st.text(max_size=6), st.text(max_size=8) | st.none(), max_size=3)
        | st.lists(st.text(max_size=5)),
        "url": st.sampled_from(["https://v.example", "${X}", "unix:/x", "http://[::1", "://"])
        | st.text(max_size=9),
        "type": st.text(max_size=4) | st.sampled_from(["http", "sse", "builtin"]),
        "headers": st.dictionaries(st.text(max_size=6), st.text(max_size=8), max_size=2),
        "transport": st.none()
        | st.fixed_dictionaries({"type": st.just("sse"), "url": st.just("https://v.example")}),
        "oauth": st.booleans() | st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=2),
        "autoApprove": st.lists(st.text(max_size=3), max_size=2),
        "disabled": st.booleans() | st.text(max_size=2),
    },
)
PATHS = st.sampled_from(
    ["mcp.json", ".vscode/mcp.json", "server.json", "manifest.json", "catalog.yaml", "fastmcp.json", "x.toml"]
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=60)
@given(st.dictionaries(st.text(max_size=5), ENTRIES | st.text(max_size=3) | st.none(), max_size=4), PATHS,
       st.sampled_from(["mcpServers", "servers", "mcp", "packages", "server", "registry", "source"]))  # fmt: skip
def test_any_entries_are_a_topology_that_can_be_judged(servers, path, key):
    path = path if path.endswith("json") else "mcp.json"
    found = judged(read([(path, json.dumps({key: servers, "name": "n"}).encode())]))
    assert json.loads(found.model_dump_json())["format"] == "flowgen.topology/1"


@settings(deadline=None, max_examples=60)
@given(
    st.binary(max_size=50)
    | st.recursive(
        st.none() | st.text(max_size=4) | st.integers(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["mcpServers", "servers", "command", "url", "args", "env", "registry", "packages", "x"]
                ),
                inner,
                max_size=4,
            )
        ),
    ).map(lambda value: json.dumps(value).encode()),
    PATHS,
)
def test_any_bytes_are_a_topology_or_one_error(data, path):
    is_config(data, path)
    try:
        judged(read([(path, data)]))
    except ConfigError as problem:
        assert str(problem).startswith(f"{path}: ")


@pytest.mark.parametrize("sign", ["<a", "%A", "/", "${", "://@", "a;", "curl x|", '"', "a_", "A:"])
def test_a_hostile_text_is_read_to_its_end(sign):
    text = sign * 20_000
    entries = [
        {"url": text},
        {"command": "bash", "args": ["-c", text]},
        {"command": "x", "args": [text], "env": {"KEY": text}},
    ]
    assert judged(read([file("mcp.json", **{f"s{at}": entry for at, entry in enumerate(entries)})]))


def test_a_document_is_read_again_as_it_was_written():
    found = judged(read(TWO))
    again = judged(read([("x.json", found.model_dump_json().encode())]))
    assert again.model_dump() == found.model_dump() and is_config(found.model_dump_json().encode(), "x.json")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"zones": [{"id": "a", "kind": "machine", "title": "A", "parent": "b"}]},
            "zones: 'a' lies in an unknown zone",
        ),
        (
            {"zones": [{"id": "a", "kind": "machine", "title": "A", "parent": "a"}]},
            "zones: 'a' lies in itself",
        ),
        ({"nodes": [{"id": "a", "kind": "x", "title": "A"}]}, "nodes.0.kind: input should be 'person'"),
        ({"nodes": [{"id": "a", "kind": "api", "title": "A"}] * 2}, "nodes: two with the id 'a'"),
        ({"flows": [{"source": "a", "target": "b", "kind": "http"}]}, "flows.0: 'a' is no node and no zone"),
        ({"format": "flowgen.topology/9"}, "format: input should be 'flowgen.topology/1'"),
        ({"format": "flowgen.trace/1"}, "a recording, not a config file"),
    ],
)
def test_a_document_with_a_mistake_is_told_with_its_field(change, said):
    with pytest.raises(ConfigError) as problem:
        read([("x.json", json.dumps({"format": "flowgen.topology/1"} | change).encode())])
    assert str(problem.value).startswith(f"x.json: {said}")


def test_a_file_that_two_hosts_read_is_drawn_with_both_and_nothing_of_it_is_ignored():
    entry = '{"command": "npx", "args": ["-y", "a@1.0.0"]}'
    text = f'{{"mcpServers": {{"a": {entry}}}, "servers": {{"b": {entry}}}, "mcp_servers": {{"c": {entry}}}}}'
    found = judged(read([(".mcp.json", text.encode())]))
    assert [source.host for source in found.sources] == ["Claude Code", "Visual Studio"]
    assert [node.name for node in found.nodes if node.kind == "server"] == ["a", "b"] and found.title == ".mcp.json"
    assert {each.message for each in found.findings} == {"1 server under mcp_servers, which this host does not read"}
    alone = read([(".mcp.json", text.encode())], host="Visual Studio")
    assert [node.name for node in alone.nodes if node.kind == "server"] == ["b"]
