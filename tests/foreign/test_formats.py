"""Every format: told by its content, read whole, the servers apart, nothing made up, no secret kept."""

import shutil

import pytest

from flowgen import api, foreign
from flowgen.errors import TraceError, UsageError
from tests.foreign.cases_of import CASES, EXPECTED, RPC, case
from tests.traces import SAMPLES

NAMES = {
    "claude-desktop-server-log": "claude-desktop", "claude-desktop-mcp-log": "claude-desktop-mcp",
    "vscode-output": "vscode", "har": "har", "otlp-json": "otlp", "mcpsnoop-jsonl": "mcpsnoop",
    "mcpdump-jsonl": "mcpdump", "glassport-jsonl": "glassport", "mcp-cassette-json": "mcp-cassette",
    "inspector-protocol-json": "inspector",
}  # fmt: skip


@pytest.mark.parametrize("entry", EXPECTED, ids=[entry["format"] for entry in EXPECTED])
def test_a_recording_holds_what_it_held(entry):
    trace = api.load(CASES / entry["file"])
    spoken = [message for message in trace.messages if message.kind in RPC]
    bodies = [message.body or message.head for message in spoken]
    assert len(spoken) == entry["messages"]
    assert [body["method"] for body in bodies if "method" in body] == entry["methods"]
    assert [body["id"] for message, body in zip(spoken, bodies, strict=True)
            if "unanswered" in message.codes] == entry["unanswered"]  # fmt: skip
    servers = [f"{who.id} {who.title}" for who in trace.participants if who.role == "server"]
    assert len(servers) == len(entry["servers"])
    assert all(any(name in server for server in servers) for name in entry["servers"])
    kept = trace.model_dump_json() + api.drawing(trace, full=True).svg
    assert not [secret for secret in entry.get("secrets", ()) if secret in kept]


@pytest.mark.parametrize("entry", EXPECTED, ids=[entry["format"] for entry in EXPECTED])
def test_the_content_tells_the_format_in_any_encoding(entry):
    data = (CASES / entry["file"]).read_bytes()
    text = data.decode("utf-8-sig")
    for head in (data, b"\xef\xbb\xbf" + data, text.replace("\n", "\r\n").encode(), text.encode("utf-16")):
        form = foreign.told(head[: foreign.HEAD])
        assert form is not None and form.name == NAMES[entry["format"]]
    sides = [message.kind for message in api.load(text.replace("\n", "\r\n").encode("utf-16")).messages]
    assert sides == [message.kind for message in api.load(data).messages]


@pytest.mark.parametrize("sample", ["seed.json", "oauth/trace.json"])
def test_our_own_traces_are_nobody_elses(sample):
    assert not foreign.fits((SAMPLES / sample).read_bytes()[: foreign.HEAD])


def test_a_name_of_a_format_goes_before_what_the_content_tells(tmp_path):
    renamed = tmp_path / "renamed.txt"
    shutil.copy(case("tides"), renamed)
    assert len(api.load(renamed, source_format="claude-desktop").messages) == len(api.load(renamed).messages)
    with pytest.raises(TraceError, match="VS Code's MCP output: no message in it"):
        api.load(b"nothing of it\n", source_format="vscode", name="x.log").messages  # noqa: B018
    with pytest.raises(TraceError, match=r"format: expected|no JSON"):
        api.load(renamed, source_format="flowgen")
    with pytest.raises(UsageError, match="no format 'hal'"):
        api.load(renamed, source_format="hal")


def test_one_of_several_servers_is_taken_by_the_name_that_people_call_it():
    log = case("two-servers")
    garden = api.load(log, server="Garden")
    assert {who.id for who in garden.participants} == {"client-garden", "server-garden"}
    whole = api.load(log)
    assert len(garden.messages) + len(api.load(log, server="ledger 1.4.0").messages) == len(whole.messages)
    with pytest.raises(UsageError, match="no server is called 'lawn'") as told:
        api.load(log, server="lawn")
    assert told.value.hint == "there are: ledger, garden"


def test_a_recording_in_pieces_is_the_same_as_in_one():
    data = case("two-servers").read_bytes()
    assert api.load(data, fold=2).messages == api.load(data).messages
