"""What was seen over what was declared: by address, launch line or name, and nothing declared is lost."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen import api
from flowgen.check import judged
from flowgen.scene import Options, architecture
from flowgen.topology import overlaid, read
from tests.scene.arch_invariants import everything_holds
from tests.traces import answers, asks, trace_of

CLIENT = {"id": "client", "role": "client", "title": "my-ide 1.4.0"}
TRACKER = {"id": "server", "role": "server", "title": "tracker 2.1.0"}
LOGIN = {"id": "login", "role": "auth"}
FILES = ["npx", "-y", "files-mcp@1.2.0", "/srv/docs"]
URL = "https://mcp.tracker.example/mcp"
CONFIG = {
    "files": {"command": FILES[0], "args": FILES[1:]},
    "tracker": {"type": "http", "url": URL},
}


def config(servers=None):
    text = json.dumps({"mcpServers": CONFIG if servers is None else servers}, indent=1)
    return read([(".cursor/mcp.json", text.encode())])


def spoken(*tools, command=FILES, title="files 3.0"):
    people = [CLIENT, {**TRACKER, "title": title}]
    calls = [each for at, tool in enumerate(tools) for each in (asks("tools/call", at, name=tool), answers(at))]
    return trace_of(asks("initialize", 99), *calls, participants=people, command=command)


def posted(*headers, url=URL, to="server", title=None, kind="request", **more):
    http = {"method": "POST", "url": url, "headers": [*headers]}
    return {**asks("tools/call", name="get"), "receiver": to, "transport": "http", "http": http, **more}


def remote(*messages, people=(CLIENT, TRACKER)):
    return trace_of(*messages, participants=[*people], command=None)


def refused():
    return {"sender": "server", "receiver": "client", "kind": "http", "transport": "http", "http": {"status": 401}}


def laid(declared, *traces):
    return judged(overlaid(declared, [(f"t{at}.json", trace) for at, trace in enumerate(traces)]))


def node(found, name):
    return next(each for each in found.nodes if each.id == name)


def flow(found, target, kind=None):
    return next(each for each in found.flows if each.target == target and kind in (None, each.kind))


def codes(found):
    return {(each.code, each.server) for each in found.findings}


def test_tools_that_were_called_stand_on_the_edge_and_the_servers_own_name_in_its_node():
    found = laid(config(), spoken("read", "write", "move"))
    call = flow(found, "client:files", "tool-call")
    assert call.label == ["read", "write +1"] and call.evidence.kind == "trace"
    files = node(found, "server:files")
    assert files.lines == ["npx -y files-mcp@1.2.0 /srv/docs", "files 3.0, seen"] and files.seen == "seen"
    assert files.title == "files" and files.evidence.kind == "file"


def test_a_declared_server_that_was_never_seen_says_so_on_its_node_and_in_a_finding():
    found = laid(config(), spoken("read"))
    assert node(found, "server:tracker").badges[0] == "never seen"
    assert ("never-seen", "tracker") in codes(found) and ("never-seen", "files") not in codes(found)
    where = next(each.where for each in found.findings if each.code == "never-seen")
    assert where.startswith(".cursor/mcp.json:")


def test_a_server_that_nobody_declared_is_drawn_in_the_host_marked_and_found():
    found = laid(config(), spoken("run", command=["evil"], title="shell 1.0"))
    other = node(found, "server:shell")
    client = flow(found, other.id, "stdio").source
    assert other.badges[0] == "undeclared" and other.zone == "machine"
    assert node(found, client).title == "Client 3" and node(found, client).zone == "host"
    assert flow(found, client).source == "model" and flow(found, client).label == ["run"]
    assert ("undeclared-server", "shell") in codes(found)


def test_a_name_does_not_make_up_for_another_address():
    found = laid(config(), remote(posted(url="https://tracker.elsewhere.example/mcp")))
    assert ("undeclared-server", "tracker") in codes(found) and ("never-seen", "tracker") in codes(found)
    assert {zone.id: zone.seen for zone in found.zones}["vendor:elsewhere.example"] == "undeclared"


def test_a_server_without_address_or_launch_line_is_known_by_its_name():
    found = laid(config({"github-mcp": {"command": "run"}}), spoken("x", command=None, title="GitHub MCP Server 1.0"))
    assert flow(found, "client:github-mcp").label == ["x"] and not codes(found)


def test_a_tap_that_stands_before_a_server_does_not_hide_it():
    tapped = {"command": "flowgen", "args": ["tap", "-o", "t.jsonl", "--", *FILES]}
    found = laid(config({"x": tapped}), spoken("read", title="other"))
    assert flow(found, "client:x").label == ["read"] and not codes(found)


@pytest.mark.parametrize("url", [URL, URL + "/", "HTTPS://MCP.tracker.example:443/mcp?x=1"])
def test_an_address_is_the_same_in_every_spelling(url):
    assert not {code for code, _ in codes(laid(config(), remote(posted(url=url)), spoken("x")))}


def test_variables_of_a_file_stand_for_what_was_seen():
    servers = {"docs": {"command": "npx", "args": ["-y", "files-mcp@1", "${workspaceFolder}/docs"]},
               "tracker": {"url": "https://${TENANT}.tracker.example/mcp"}}  # fmt: skip
    seen = remote(posted()), spoken("x", command=["npx", "-y", "files-mcp@1", "/srv/x/docs"], title="other")
    found = laid(config(servers), *seen)
    assert {each.seen for each in found.nodes if each.kind == "server"} == {"seen"}


def test_a_bearer_that_the_file_does_not_show_is_told_and_one_that_is_missing_too():
    found = laid(config(), remote(posted(("Authorization", "Bearer abcdefghijkl"))))
    assert flow(found, "server:tracker").label == ["POST /mcp", "Bearer ••••, not in the file"]
    declared = config({"tracker": {"url": URL, "headers": {"Authorization": "Bearer ${TOKEN}"}}})
    assert flow(laid(declared, remote(posted())), "server:tracker").label == ["POST /mcp", "no token seen"]
    sent = remote(posted(("Authorization", "Bearer abcdefghijkl")))
    assert flow(laid(declared, remote(posted()), sent), "server:tracker").label[1] == "Bearer by reference"
    kept = laid(declared, remote(posted(("Authorization", "Bearer abcdefghijkl"))))
    assert flow(kept, "server:tracker").label == ["POST /mcp", "Bearer by reference"]


def test_an_inferred_authorization_server_becomes_a_fact_or_goes():
    login = {"sender": "client", "receiver": "login", "kind": "http", "transport": "http",
             "http": {"method": "GET", "url": "https://id.other.example/.well-known/x"}}  # fmt: skip
    found = laid(config(), remote(posted(), refused(), login, people=(CLIENT, TRACKER, LOGIN)))
    auth = node(found, "auth:tracker")
    assert auth.lines == ["id.other.example"] and auth.evidence.kind == "trace" and auth.zone == "idp:other.example"
    assert auth.badges == ["undeclared"]
    assert flow(found, auth.id).evidence.kind == "trace" and "OAuth client" in node(found, "client:tracker").lines
    assert [each.node for each in found.findings if each.code == "undeclared-host"] == ["client:tracker"]
    gone = laid(config(), remote(posted()))
    assert not [each for each in gone.nodes if each.kind == "auth"]
    assert node(gone, "client:tracker").lines == ["Streamable HTTP"]


def test_what_fits_two_entries_alike_is_said_and_not_guessed():
    twice = config({"a": CONFIG["files"], "b": CONFIG["files"]})
    found = laid(twice, spoken("read", title="other"))
    assert {each.seen for each in found.nodes if each.kind == "server"} == {"unclear"}
    assert codes(found) == {("unclear-match", "a"), ("unclear-match", "b")}
    assert flow(found, "client:a").label == ["a"]
    assert flow(laid(twice, spoken("read", title="b")), "client:b").label == ["read"]  # its name tells


def test_of_a_server_that_two_hosts_share_only_what_is_known_of_each_is_told():
    tracker = {"url": URL, "headers": {"Authorization": "Bearer ${TOKEN}"}}
    files = [(".cursor/mcp.json", {"mcpServers": {"tracker": {"url": URL}}}),
             (".vscode/mcp.json", {"servers": {"tracker": {"type": "http", **tracker}}})]  # fmt: skip
    both = read([(name, json.dumps(document).encode()) for name, document in files])
    call = posted(("Authorization", "Bearer abcdefghijkl"))
    found = laid(both, remote(call))
    (server,) = (each for each in found.nodes if each.kind == "server")
    assert "called: get" in server.lines
    assert [each.label[1] for each in found.flows if each.target == server.id] == [
        "no token in the file", "Bearer by reference",
    ]  # fmt: skip
    known = laid(both, remote(call, people=({**CLIENT, "title": "cursor-vscode 1.0"}, TRACKER)))
    assert [each.label[1] for each in known.flows if each.target == server.id] == [
        "Bearer ••••, not in the file", "Bearer by reference",
    ]  # fmt: skip
    assert next(each.label for each in known.flows if each.kind == "tool-call") == ["get"]


def test_of_a_file_that_only_offers_a_server_the_tools_stand_on_the_server():
    document = {"$schema": "https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json",
                "name": "example/tracker", "version": "1.0.0", "description": "x",
                "remotes": [{"type": "streamable-http", "url": URL}]}  # fmt: skip
    found = laid(read([("server.json", json.dumps(document).encode())]), remote(posted()))
    (server,) = (each for each in found.nodes if each.kind == "server")
    assert server.seen == "seen" and "called: get" in server.lines


def test_servers_behind_a_described_gateway_are_known_and_others_are_not():
    text = b"""flowgen: topology
host my-ide: {servers: {}}
private-network office.internal:
  gateway Tools: tools.office.internal/mcp
  server reports: {lines: [reports:8000/mcp]}
flows:
  - Tools -> reports: http, POST /mcp
"""
    titles = {"server": "Tools 1.0", "one": "reports 2", "two": "more 2"}
    people = [{"id": name, "role": "server", "title": title} for name, title in titles.items()]
    people = [CLIENT, {**people[0], "role": "gateway"}, *people[1:]]
    inner = [{**posted(("Authorization", "Bearer b"), url=url, to=to), "sender": "server"}
             for to, url in (("one", "https://reports:8000/mcp"), ("two", "https://more.internal/mcp"))]  # fmt: skip
    asked = posted(url="https://tools.office.internal/mcp")
    found = laid(read([("system.yaml", text)]), remote(asked, *inner, people=people))
    assert {each.title: each.seen for each in found.nodes if each.kind in ("server", "gateway")} == {
        "Tools": "seen", "reports": "seen", "more 2": "undeclared",
    }  # fmt: skip
    assert flow(found, "server:reports").label == ["POST /mcp", "Bearer ••••"]
    assert ("undeclared-server", "more 2") in codes(found) or ("undeclared-server", "more") in codes(found)


def test_a_disabled_server_that_was_spoken_to_is_found():
    found = laid(config({"files": {**CONFIG["files"], "disabled": True}}), spoken("x"))
    assert ("disabled-but-seen", "files") in codes(found)
    assert flow(found, "server:files").label == ["disabled, but seen"]


def test_another_program_under_the_name_of_a_declared_server_is_found():
    other = {"files": {"command": "npx", "args": ["-y", "evil@1"]}}
    called_so = spoken("x", title="files")
    assert codes(laid(config(other), called_so)) == {("not-as-declared", "files")}
    far = {"files": {"command": f"/usr/local/bin/{FILES[0]}", "args": [*FILES[1:], "--debug"]}}
    assert codes(laid(config(far), called_so)) == set()


def test_upstream_services_are_drawn_with_the_token_and_a_passed_on_one_is_found():
    api_ = {"id": "api", "role": "api", "title": "Tracker API"}
    marks = {"fingerprints": {"/http/headers/authorization": "aa"}}
    behind = {"sender": "server", "receiver": "api", "kind": "http", "transport": "http",
              "http": {"method": "GET", "url": "https://api.far.example/x", "headers": [("Authorization", "Bearer b")]},
              **marks}  # fmt: skip
    people = (CLIENT, TRACKER, api_)
    found = laid(config(), remote(posted(("Authorization", "Bearer b"), **marks), behind, people=people))
    far = next(each for each in found.nodes if each.kind == "api")
    assert far.zone == "vendor:far.example" and flow(found, far.id).source == "server:tracker"
    assert {"token-passthrough", "undeclared-host"} <= {code for code, _ in codes(found)}


def test_configs_and_recordings_together_are_the_same_as_with():
    text = json.dumps({"mcpServers": CONFIG}).encode()
    seen = spoken("read").model_dump_json(exclude_none=True).encode()
    one = api.architecture([("mcp.json", text)], seen=[("t.json", seen)]).json()
    assert one == api.architecture([("mcp.json", text), ("t.json", seen)]).json()


TITLES = st.sampled_from(["files 1.0", "tracker", "other", "files mcp", None])
COMMANDS = st.sampled_from([FILES, ["npx", "-y", "files-mcp@1.2.0", "/x"], ["other"], ["${X}"], None])
KEYS = st.sampled_from(["files", "tracker", "other", "x"])
ENTRIES = st.one_of(
    st.sampled_from([FILES, ["other"], ["npx", "${X}"]]).map(lambda line: {"command": line[0], "args": line[1:]}),
    st.sampled_from([URL, "http://localhost:3000/sse", "https://${X}.tracker.example/"]).map(lambda url: {"url": url}),
    st.just({"command": "npx", "args": ["-y", "mcp-remote", URL]}),
)  # fmt: skip


SESSIONS = st.lists(st.tuples(TITLES, COMMANDS, st.booleans()), max_size=3)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(KEYS, ENTRIES, max_size=4), SESSIONS, st.sampled_from(["en", "zh"]))
def test_no_declared_server_is_ever_lost_and_every_seen_one_is_told(servers, sessions, lang):
    declared = config(servers)
    traces = []
    for title, command, far in sessions:
        people = (CLIENT, {**TRACKER, "title": title})
        traces.append(remote(posted(), people=people) if far else spoken("x", command=command, title=title or "y"))
    found = laid(declared, *traces)
    ours = {each.id for each in declared.nodes if each.kind != "auth"}
    assert ours <= {each.id for each in found.nodes}
    ids, zones = {each.id for each in found.nodes}, {each.id for each in found.zones}
    assert all({each.source, each.target} <= ids for each in found.flows)
    assert all(each.zone is None or each.zone in zones for each in found.nodes)
    assert len(ids) == len(found.nodes)
    fronts = [each for each in found.nodes if each.kind in ("server", "bridge") and each.id in ours]
    told = {each.id for each in fronts if each.seen}
    assert not traces or {each.front for each in declared.reading.servers} - told <= {
        each.front for each in declared.reading.servers if each.behind in told or each.facts.disabled
    }
    everything_holds(architecture(found, Options(lang=lang)))
