"""Each rule of config files: what fires it, what leaves it silent."""

import json

import pytest

from flowgen.check import findings, judged, rules
from flowgen.check._topology import RULES
from flowgen.topology import read

SECRET = "hG7dk29dkLs02jdk"
NPX = {"command": "npx", "args": ["-y", "foo@1.0.0"]}


def told(entry, path=".cursor/mcp.json"):
    return judged(read([(path, json.dumps({"mcpServers": {"s": entry}}).encode())]))


def codes(entry, path=".cursor/mcp.json"):
    return {finding.code for finding in told(entry, path).findings}


def program(*args, **more):
    return {"command": args[0], "args": list(args[1:]), **more}


FIRES = [
    (
        "secret-in-file",
        {"url": "https://v.example", "auth": {"type": "bearer", "token": SECRET}},
        {"url": "https://v.example", "auth": "oauth"},
    ),
    (
        "secret-in-file",
        {"url": "https://v.example", "apiKey": SECRET},
        {"url": "https://v.example", "apiKey": "${K}", "authorization": "oauth"},
    ),
    (
        "secret-in-file",
        program("x", env={"HEADER": f"Bearer {SECRET}"}),
        program("x", env={"HEADER": "Bearer ${T}"}),
    ),
    ("secret-in-file", program(f"API_KEY={SECRET} x"), program("API_KEY=$K x")),
    ("shell-wrapper", program("bash", "-o", "pipefail", "-c", "a | b"), program("bash", "-c", "exec a 2>&1")),
    (
        "shell-wrapper",
        program("powershell", "-ExecutionPolicy", "Bypass", "-Command", "a; b"),
        program("powershell", "-ExecutionPolicy", "Bypass", "-File", "a.ps1"),
    ),
    (
        "home-directory-access",
        program("docker", "run", "-itv", "/:/x", "a:1"),
        program("docker", "run", "-it", "-w", "/", "a:1"),
    ),
    ("unpinned-package", program("npx", "-y", "foo"), program("npx", "foo@1.2.3")),
    ("unpinned-package", program("uvx", "foo@latest"), program("uvx", "foo==1.2.3")),
    (
        "unpinned-package",
        program("uvx", "--from", "git+https://v.example/o/r", "t"),
        program("uvx", "--from", "git+https://v.example/o/r@1a2b3c4d", "t"),
    ),
    ("unpinned-package", program("npx", "mcp-remote", "https://v.example/mcp"), program("foo")),
    (
        "unpinned-image",
        program("docker", "run", "reg.example:5000/a"),
        program("docker", "run", "a@sha256:bb"),
    ),
    ("unpinned-image", program("docker", "run", "a:latest"), program("docker", "exec", "a", "b")),
    ("secret-in-file", program("x", env={"API_KEY": SECRET}), program("x", env={"API_KEY": "YOUR_API_KEY"})),
    ("secret-in-file", program("x", "--token", SECRET), program("x", "--token", "${TOKEN}")),
    (
        "secret-in-file",
        {"url": "https://v.example", "headers": {"Authorization": f"Bearer {SECRET}"}},
        {"url": "https://v.example", "headers": {"X-Version": "2026-01-01", "X-Team": "a1b2c3d4e5f6"}},
    ),
    (
        "secret-in-file",
        program("x", env={"API_KEY": f"${{API_KEY:-{SECRET}}}"}),
        program("x", env={"API_KEY": "${API_KEY:-}"}),
    ),
    (
        "secret-in-file",
        program("sh", "-c", f"TOKEN={SECRET} x"),
        program("sh", "-c", "TOKEN=$(op read op://a/b) x"),
    ),
    (
        "secret-in-file",
        program("x", env={"HEADERS": json.dumps({"Authorization": f"Bearer {SECRET}"})}),
        program(
            "x",
            env={"MAX_TOKENS": "4096", "AUTHOR": "me", "COMMIT": "39c2bd05d851efb144a4ae88cb9e0cdfd6a4bba9"},
        ),
    ),
    (
        "secret-in-file",
        program(
            "x", env={"SIGNER": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----"}
        ),
        program("x", env={"GOOGLE_APPLICATION_CREDENTIALS": "/home/maria/key.json"}),
    ),
    (
        "secret-in-file",
        {"url": "https://v.example", "oauth": {"clientId": "a", "clientSecret": SECRET}},
        {"url": "https://v.example", "oauth": {"clientId": "a"}},
    ),
    (
        "secret-in-url",
        {"url": f"https://v.example/mcp?api_key={SECRET}"},
        {"url": "https://v.example/mcp?profile=a&auth=oauth"},
    ),
    ("secret-in-url", {"url": f"https://u:{SECRET}@v.example/mcp"}, {"url": "https://u:${PW}@v.example/mcp"}),
    (
        "secret-in-url",
        program("x", "--db", f"postgres://u:{SECRET}@db.internal/d"),
        program("x", "https://v.example/mcp?key=YOUR_KEY"),
    ),
    ("plain-http", {"url": "http://v.example/mcp"}, {"url": "http://localhost:80/mcp"}),
    ("plain-http", program("mcp-remote", "http://10.0.0.5/mcp"), {"url": "http://host.docker.internal/mcp"}),
    ("deprecated-sse", {"url": "https://v.example/sse"}, {"type": "http", "url": "https://v.example/sse"}),
    ("deprecated-sse", program("mcp-remote", "https://v.example/sse"), {"url": "https://v.example/sse/mcp"}),
    ("home-directory-access", program("x", "/"), program("x", "/srv")),
    ("home-directory-access", program("x", "C:\\Users\\maria"), program("x", "C:\\Users\\maria\\x")),
    (
        "home-directory-access",
        program("docker", "run", "-v", "${HOME}:/d:ro", "a:1"),
        program("docker", "run", "-v", "${HOME}/x:/d", "a:1", "/"),
    ),
    ("shell-wrapper", program("bash", "-c", "a && b"), program("bash", "-c", "a")),
    ("shell-wrapper", program("sh", "-c", "a $(b)"), program("node", "x.js", "a && b; c | d")),
    ("dangerous-command", program("sudo", "x"), program("sudoku")),
    (
        "dangerous-command",
        program("sh", "-c", "curl -s https://v.example/i | bash"),
        program("sh", "-c", "curl -s https://v.example/i > f"),
    ),
    ("dangerous-command", program("sh", "-c", "rm -rf a && b"), program("x", "rm", "-rf")),
    (
        "privileged-container",
        program("docker", "run", "--privileged", "a:1"),
        program("docker", "run", "a:1", "--privileged"),
    ),
    (
        "host-network",
        program("docker", "run", "--net=host", "a:1"),
        program("docker", "run", "--network", "n", "-p", "1:1", "a:1"),
    ),
    (
        "docker-socket",
        program("docker", "run", "-v", "/var/run/docker.sock:/s", "a:1"),
        program("docker", "run", "-v", "/x:/s", "a:1"),
    ),
    (
        "loopback-without-token",
        {"url": "http://127.0.0.1:1/mcp"},
        {"url": "http://127.0.0.1:1/mcp", "headers": {"Authorization": "Bearer ${T}"}},
    ),
    ("loopback-without-token", program("mcp-remote", "http://localhost/mcp"), {"url": "unix:///run/x.sock"}),
    (
        "host-key-checking-off",
        program("ssh", "-o", "StrictHostKeyChecking=no", "b", "x"),
        program("ssh", "-o", "StrictHostKeyChecking=accept-new", "b", "x"),
    ),
    ("auto-approved", NPX | {"autoApprove": ["a"]}, NPX | {"autoApprove": []}),
    ("auto-approved", NPX | {"trust": True}, NPX | {"trust": False, "alwaysAllow": []}),
    (
        "allow-http-bridge",
        program("mcp-remote", "https://v.example/mcp", "--allow-http"),
        program("x", "--allow-http"),
    ),
]


@pytest.mark.parametrize(("code", "fires", "silent"), FIRES)
def test_a_rule_fires_and_stays_silent(code, fires, silent):
    assert code in codes(fires)
    assert code not in codes(silent)


def test_an_address_in_the_file_of_a_host_that_starts_programs_is_told():
    path = "claude_desktop_config.json"
    assert "remote-on-stdio-host" in codes({"url": "https://v.example/mcp"}, path)
    assert "remote-on-stdio-host" not in codes(program("mcp-remote", "https://v.example/mcp"), path)


def test_one_secret_in_two_servers_is_told_of_both():
    two = {
        "a": program("x", env={"KEY_TOKEN": SECRET}),
        "b": {"url": "https://v.example", "headers": {"Authorization": f"Bearer {SECRET}"}},
    }
    found = findings(read([("mcp.json", json.dumps({"mcpServers": two}).encode())]))
    assert [each.server for each in found if each.code == "shared-credential"] == ["a", "b"]
    two["b"]["headers"]["Authorization"] = "Bearer other-secret-9911"
    found = findings(read([("mcp.json", json.dumps({"mcpServers": two}).encode())]))
    assert not [each for each in found if each.code == "shared-credential"]


@pytest.mark.parametrize(
    ("entry", "severity"),
    [
        ({"url": "http://v.example/mcp"}, "high"),
        ({"url": "http://10.0.0.5/mcp"}, "medium"),
        ({"url": "http://10.0.0.5/mcp", "headers": {"Authorization": "Bearer ${T}"}}, "high"),
    ],
)
def test_plain_http_is_graver_with_a_token_and_to_everybody(entry, severity):
    assert [each.severity for each in told(entry).findings if each.code == "plain-http"] == [severity]


def test_a_finding_sits_on_the_node_that_it_is_about():
    found = told(program("npx", "mcp-remote", "http://v.example/sse")).findings
    assert {each.code: each.node for each in found} == {
        "plain-http": "server:s", "deprecated-sse": "server:s", "unpinned-package": "bridge:s",
    }  # fmt: skip


def test_findings_come_gravest_first_with_line_advice_and_source():
    found = told(program("sudo", "npx", "foo", "/", autoApprove=["x"], disabled=True)).findings
    assert [each.severity for each in found] == ["high", "high", "medium", "low"]
    assert all(
        each.server == "s" and each.where == ".cursor/mcp.json:1" and each.advice and each.source
        for each in found
    )
    assert not any("\n" in each.message or each.message.endswith(".") for each in found)


def test_every_rule_has_a_row_and_a_function_and_a_case_here():
    own = {"shared-credential", "ignored-key", "remote-on-stdio-host", "token-passthrough"}
    laid_over = {"undeclared-server", "undeclared-host", "disabled-but-seen", "never-seen", "unclear-match",
                 "not-as-declared"}  # fmt: skip
    assert set(rules()) == set(RULES) | {"shared-credential", "ignored-key", "token-passthrough"} | laid_over
    assert {code for code, _, _ in FIRES} | own | laid_over == set(rules())  # those have tests of their own


@pytest.mark.parametrize("code", list(RULES))
def test_no_message_holds_a_secret(code):
    for _, fires, _ in (case for case in FIRES if case[0] == code):
        text = told(fires).model_dump_json()
        assert SECRET not in text and "MIIEvQIBADANBg" not in text
