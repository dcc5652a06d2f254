"""Secrets wherever a config may hold them: found, and shown nowhere; what only looks like one is left alone."""

import json

import pytest

from flowgen.check import judged
from flowgen.topology import read

SECRET = "correct-horse-battery"
RANDOM = "q7RkZ2pLx9VbN4mTf8Wc"


def told(entry):
    return judged(read([(".cursor/mcp.json", json.dumps({"mcpServers": {"s": entry}}).encode())]))


def program(*words, **more):
    return {"command": words[0], "args": list(words[1:]), **more}


HELD = [
    program("uvx", "mcp-proxy==1", "--headers", "Authorization", f"Bearer {SECRET}", "https://v.example/sse"),
    program("x", "-H", "X-API-Key", SECRET),
    program("x", f"Bearer {SECRET}"),
    program("x", "-u", f"admin:{SECRET}"),
    program("sshpass", "-p", SECRET, "ssh", "u@h.example", "node", "x"),
    program("bash", "-c", f"curl -u admin:{SECRET} https://v.example/a && node y.js"),
    program("powershell", "-Command", f"$env:API_TOKEN = '{SECRET}'; node x.js"),
    program("ssh", f"ssh://u:{SECRET}@h.example", "node", "x"),
    program("x", "--connection-string", f"Server=db;Password={SECRET}"),
    program("x", "--config=" + json.dumps({"apiKey": SECRET})),
    program("x", env={"CREDENTIALS_B64": "dXNlcjpUcm91YjRkb3ImMw"}),
    {"url": f"https://v.example/mcp;token={SECRET}"},
    {"url": f"https://v.example/mcp#access_token={SECRET}"},
    {"url": f"https://{RANDOM}@v.example/mcp"},
    {"url": f"https://v.example/{RANDOM}/mcp"},
    {"url": "https://v.example/${API_TOKEN:-" + SECRET + "}/mcp"},
    {"url": "https://v.example/mcp", "headers": [f"Authorization: Bearer {SECRET}"]},
    {"url": "https://v.example/mcp", "auth": f"Bearer {SECRET}"},
    {"url": "https://v.example/mcp", "requestOptions": {"headers": {"Authorization": f"Bearer {SECRET}"}}},
    {"source": "extension", "settings": {"database_url": f"postgres://u:{SECRET}@db.example/x"}},
    {"settings": {"database_url": f"postgres://u:{SECRET}@db.example/x"}},
]


@pytest.mark.parametrize("entry", HELD, ids=json.dumps)
def test_a_secret_is_found_and_is_in_no_document(entry):
    topology = told(entry)
    text = topology.model_dump_json()
    assert {"secret-in-file", "secret-in-url"} & {finding.code for finding in topology.findings}
    assert SECRET not in text and RANDOM not in text and "dXNlcjpUcm91" not in text


SHOWN_NOWHERE = [
    program("docker", "run", "-i", f"u:{SECRET}@reg.example.com/img:1"),
    program("x", "-k", SECRET),
    program("x", "--cookie", f"a=1&session_token={SECRET}"),
]


@pytest.mark.parametrize("entry", SHOWN_NOWHERE, ids=json.dumps)
def test_what_may_be_a_secret_is_in_no_document(entry):
    assert SECRET not in told(entry).model_dump_json()


HARMLESS = [
    program("docker", "run", "-i", "-u", "node:node", "ghcr.io/a/b:1.2.3"),
    program("docker", "run", "-i", "python:3.12@sha256:" + "ab" * 32),
    program("deno", "run", "--allow-net=v.example", "npm:server@latest"),
    program("python", "-u", "C:\\srv\\x.py"),
    program("curl", "-k", "https://v.example/mcp"),
    program("x", "-H", "Accept", "text/plain"),
    program("x", "--filter", "Name=web;State=running"),
    {"url": "https://v.example/mcp;v=2?tab=key#top"},
    {"url": "https://v.example/mcp", "auth": "oauth"},
    {"url": "https://v.example/mcp", "auth": "required"},
    program("x", env={"A_TOKEN": "keyring:acme/token", "B_TOKEN": "file:/run/secrets/x", "C_SECRET": "xxx"}),
    {"url": "https://v.example/mcp", "api_key_header": "Authorization"},
    {"url": "https://v.example/mcp", "headers": ["Accept: text/event-stream"]},
]


@pytest.mark.parametrize("entry", HARMLESS, ids=json.dumps)
def test_what_only_looks_like_a_secret_is_no_finding(entry):
    topology = told(entry)
    assert not {"secret-in-file", "secret-in-url"} & {finding.code for finding in topology.findings}
    assert "••••" not in topology.model_dump_json()


def test_the_default_of_an_input_is_looked_into_wherever_it_goes():
    default = f"postgresql://app:{SECRET}@db.example/app"
    config = {"inputs": [{"type": "promptString", "id": "db", "default": default}],
              "servers": {"s": program("psql-mcp", "${input:db}")}}  # fmt: skip
    topology = judged(read([(".vscode/mcp.json", json.dumps(config).encode())]))
    assert [finding.code for finding in topology.findings] == ["secret-in-url"]
    assert SECRET not in topology.model_dump_json()


def test_a_program_that_says_the_headers_is_a_reference():
    topology = told({"url": "https://v.example/mcp", "headersHelper": "/opt/bin/headers.sh"})
    assert [node.auth for node in topology.nodes if node.kind == "server"] == ["reference"]


def test_a_server_of_an_extension_is_drawn():
    found = [node for node in told({"source": "extension", "settings": {}}).nodes if node.kind == "server"]
    assert [(node.name, node.zone, node.lines) for node in found] == [("s", "machine", ["an extension of the host"])]
