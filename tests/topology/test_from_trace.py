"""A topology from a recording: every fact has the message that shows it, and nothing is there that was not seen."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.check import findings
from flowgen.topology import from_traces, read
from flowgen.trace import load
from tests import hostile
from tests.traces import SAMPLES, answers, asks, trace_of

CLIENT = {"id": "client", "role": "client", "title": "my-ide 1.4.0"}
SERVER = {"id": "server", "role": "server", "title": "tracker 2.1.0"}
URL = "https://mcp.tracker.example/mcp"


def topology(*messages, people=(CLIENT, SERVER), **header):
    return from_traces([("trace.json", trace_of(*messages, participants=[*people], **header))])


def posted(message, *headers, url=URL, **more):
    return {**message, "transport": "http", "http": {"method": "POST", "url": url, "headers": [*headers]}, **more}


def status(code, sender="server", receiver="client"):
    return {"sender": sender, "receiver": receiver, "kind": "http", "transport": "http", "http": {"status": code}}


def exchange(sender, receiver, url, *headers, **more):
    http = {"method": "GET", "url": url, "headers": [*headers]}
    return {"sender": sender, "receiver": receiver, "kind": "http", "transport": "http", "http": http, **more}


def nodes(found):
    return {node.id: node for node in found.nodes}


def flow(found, kind):
    return next(each for each in found.flows if each.kind == kind)


def test_a_command_is_told_as_from_a_config_and_every_fact_has_its_message():
    found = topology(asks("tools/call", name="read"), answers(), asks("tools/call", 2, name="write"), answers(2),
                     command=["npx", "-y", "files-mcp"])  # fmt: skip
    server, call = nodes(found)["server:tracker"], flow(found, "tool-call")
    assert (server.title, server.transport, server.badges) == ("tracker 2.1.0", "stdio", ["unpinned"])
    assert server.lines == ["npx -y files-mcp"] and server.evidence.kind == "trace" and server.evidence.where == "1"
    assert call.label == ["read", "write"] and call.evidence.where == "1"
    assert found.zones[1].title == "my-ide" and flow(found, "stdio").evidence.kind == "trace"


def test_who_was_not_seen_is_inferred_and_a_person_who_was_asked_is_not():
    call = asks("tools/call", name="x")
    found = topology(call, command=["x"])
    assert [nodes(found)[who].evidence.kind for who in ("person", "model")] == ["inferred", "inferred"]
    note = {"sender": "client", "receiver": "client", "kind": "note", "body": {"event": "approved", "data": {}}}
    found = topology(note, call, command=["x"])
    assert nodes(found)["person"].evidence.where == "1" and flow(found, "approval").evidence.kind == "trace"


def test_a_server_without_a_call_has_an_inferred_edge_with_its_name():
    call = flow(topology(asks("tools/list"), command=["x"]), "tool-call")
    assert (call.label, call.evidence.kind) == (["tracker"], "inferred")


def test_of_many_tools_some_are_named_and_the_rest_counted():
    calls = [asks("tools/call", number, name=f"t{number}") for number in range(1, 6)]
    assert flow(topology(*calls, command=["x"]), "tool-call").label == ["t1", "t2 +3"]


@pytest.mark.parametrize(
    ("headers", "said", "auth"),
    [([], "no token", "none"), ([("Authorization", "Bearer •••")], "Bearer ••••", None),
     ([("X-Api-Key", "•••")], "X-Api-Key ••••", None), ([("Accept", "text/plain")], "no token", "none")],
)  # fmt: skip
def test_what_goes_along_is_told_by_its_name_alone(headers, said, auth):
    found = topology(posted(asks("tools/list"), *headers), answers())
    assert flow(found, "http").label == ["POST /mcp", said] and flow(found, "http").tls
    assert nodes(found)["server:tracker"].zone == "vendor:tracker.example"
    assert nodes(found)["server:tracker"].auth == auth
    assert not [each for each in found.nodes if each.kind == "auth"], "never inferred: it was not spoken to"


def test_a_401_leads_to_the_authorization_server_that_was_asked():
    auth = {"id": "auth", "role": "auth", "title": "login.example"}
    bearer = ("Authorization", "Bearer •••")
    found = topology(
        posted(asks("tools/list")), status(401),
        exchange("client", "auth", "https://login.idp.example/.well-known/oauth-authorization-server"),
        exchange("client", "auth", "https://login.idp.example/authorize?code_challenge=x"),
        posted(asks("tools/list", 2), bearer), answers(2), people=(CLIENT, SERVER, auth),
    )  # fmt: skip
    issuer, login = nodes(found)["auth:tracker"], flow(found, "oauth")
    assert (issuer.zone, issuer.lines, issuer.evidence.where) == ("idp:idp.example", ["login.idp.example"], "3")
    assert (login.source, login.label[0], login.evidence.where) == ("client:tracker", "OAuth 2.1 + PKCE", "2")
    assert nodes(found)["server:tracker"].auth == "oauth" and flow(found, "http").label[1] == "Bearer ••••"


@pytest.mark.parametrize(("mark", "codes"), [("aaaa0000", ["token-passthrough"]), ("bbbb1111", [])])
def test_an_upstream_is_there_when_it_was_spoken_to_and_a_token_that_goes_on_is_found(mark, codes):
    api = {"id": "api", "role": "api", "title": "store"}
    head, at = ("Authorization", "Bearer •••"), "/http/headers/authorization"
    found = topology(
        posted(asks("tools/call", name="x"), head, fingerprints={at: "aaaa0000"}),
        exchange("server", "api", "https://api.store.example/v1", head, fingerprints={at: mark}),
        answers(), people=(CLIENT, SERVER, api),
    )  # fmt: skip
    (upstream,) = [node for node in found.nodes if node.kind == "api"]
    assert (upstream.zone, upstream.evidence.where) == ("vendor:store.example", "2")
    assert flow(found, "own-token").source == "server:tracker"
    assert [each.code for each in findings(found)] == codes


def test_several_recordings_stand_below_each_other():
    other = {**CLIENT, "title": "other-ide 2"}
    one = trace_of(posted(asks("tools/call", name="a")), participants=[CLIENT, SERVER])
    two = trace_of(posted(asks("tools/call", name="b")), participants=[other, SERVER])
    found = from_traces([("a.json", one), ("b.json", two)])
    assert [zone.title for zone in found.zones if zone.kind == "host"] == ["my-ide", "other-ide"]
    assert sum(node.kind == "server" for node in found.nodes) == 1, "one address is one server"
    assert [each.label for each in found.flows if each.kind == "tool-call"] == [["a"], ["b"]]


def test_what_lies_behind_a_bridge_was_not_seen():
    found = topology(asks("tools/list"), command=["npx", "mcp-remote@0.1.0", URL])
    assert nodes(found)["bridge:tracker"].transport == "stdio"
    assert flow(found, "http").label == ["POST /mcp"] and nodes(found)["server:tracker"].auth is None


@pytest.mark.parametrize("path", sorted(SAMPLES.rglob("*.json")), ids=lambda path: str(path.relative_to(SAMPLES)))
def test_every_sample_has_a_topology_without_loose_ends(path):
    data = path.read_bytes()
    if b'"flowgen.trace/' not in data[:400]:
        return
    found = from_traces([(path.name, load(data, path.name))])
    ids = [node.id for node in found.nodes]
    assert len(ids) == len({*ids}) and {node.zone for node in found.nodes} <= {None, *(zone.id for zone in found.zones)}
    assert {end for each in found.flows for end in (each.source, each.target)} <= {*ids}
    assert all(each.evidence and each.evidence.kind in ("trace", "inferred") for each in (*found.nodes, *found.flows))


def test_hostile_words_and_lone_surrogates_end_in_a_document():
    found = from_traces([("trace.json", hostile.trace(title="\ud800"))])
    assert found.model_dump_json().encode()
    bad = {**SERVER, "title": "\ud800 1"}
    assert topology(asks("tools/call", name="\udfff"), people=(CLIENT, bad), command=["\ud800"]).model_dump_json()
    assert topology(people=(CLIENT,)).nodes and topology(people=()).zones


odd = st.sampled_from([URL, "http://[::1", "https://${X}/y?a=b", "unix:/x", "npx", "docker", "-"])
words = st.text(max_size=30) | odd
ends = st.sampled_from(["client", "server", "auth", "api", "gateway", "browser", "nobody"])


@given(
    st.lists(st.tuples(ends, ends, words, words, st.sampled_from([None, 200, 401]), words), max_size=8),
    st.lists(words, max_size=4), words,
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_whatever_was_recorded_there_is_a_topology_that_can_be_read_again(rows, command, title):
    messages = [
        {"sender": sender, "receiver": receiver, "kind": "http", "transport": "http",
         "http": {"url": url, "status": code, "headers": [("Authorization", token)]}, "text": text}
        for sender, receiver, url, token, code, text in rows
    ]  # fmt: skip
    people = [{"id": role, "role": role, "title": title} for role in ("client", "server", "auth", "api", "gateway")]
    found = topology(*messages, people=people, command=command)
    document = found.model_dump_json(exclude_none=True).encode()
    again = read([("again.json", document)])
    assert again.nodes == found.nodes and again.flows == found.flows


def test_a_secret_of_a_recording_without_masks_is_not_told():
    secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    head = ("Authorization", f"Bearer {secret}"), ("X-Api-Key", secret)
    server = {**SERVER, "title": f"{secret} 1"}
    posts = posted(asks("tools/call", name=secret), *head, url=f"{URL}?key={secret}")
    assert secret not in topology(posts, people=(CLIENT, server)).model_dump_json()
    assert secret not in topology(asks("ping"), command=["npx", "--token", secret, secret]).model_dump_json()


def test_a_server_alone_belongs_to_the_authorization_server_that_was_asked_before_any_401():
    auth = {"id": "auth", "role": "auth"}
    token = exchange("client", "auth", "https://login.idp.example/token")
    people = (CLIENT, SERVER, auth)
    found = topology(token, posted(asks("tools/list"), ("Authorization", "Bearer •••")), answers(1), people=people)
    login = flow(found, "oauth")
    assert (login.label, login.evidence.where) == (["OAuth"], "1")
    assert "OAuth client" in nodes(found)["client:tracker"].lines
    other = {"id": "other", "role": "server", "title": "files 1.0"}
    two = topology(token, posted(asks("tools/list")), posted(asks("x", 2), receiver="other"), people=(*people, other))
    assert not [each for each in two.flows if each.kind == "oauth"], "whose it is was not seen"
