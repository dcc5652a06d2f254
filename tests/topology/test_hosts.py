"""Which host a file belongs to, and which of its keys hold servers: every row of the table has a case here."""

import json

import pytest

from flowgen.backends import boundaries
from flowgen.check import judged
from flowgen.errors import ConfigError
from flowgen.scene import Options
from flowgen.topology import hosts, is_config, read

A = {"a": {"command": "x"}}
STDIO = "mcp_servers:\n  a:\n    command: x\n"
CASES = [
    ("Claude Desktop", "Library/Application Support/Claude/claude_desktop_config.json", {"mcpServers": A}),
    ("Claude Code", ".mcp.json", {"mcpServers": A}),
    ("Claude Code", "managed-mcp.json", {"mcpServers": A}),
    ("Claude Code", ".claude.json", {"numStartups": 1, "projects": {"/home/m/p": {"mcpServers": A}}}),
    ("Claude Code", ".claude-plugin/plugin.json", {"name": "p", "mcpServers": A}),
    ("Visual Studio", ".mcp.json", {"servers": A}),
    ("Cursor", "C:\\Users\\m\\.cursor\\mcp.json", {"mcpServers": A}),
    ("VS Code", ".vscode/mcp.json", {"servers": A}),
    ("VS Code", "Code/User/settings.json", {"mcp": {"servers": A, "gallery": {"url": "https://g.example"}}}),
    ("VS Code", ".vscode/settings.json", {"mcp.servers": A}),
    ("VS Code", "x.code-workspace", {"folders": [], "settings": {"mcp": {"servers": A}}}),
    ("VS Code", ".devcontainer.json", {"customizations": {"vscode": {"settings": {"mcp": {"servers": A}}}}}),
    ("Copilot CLI", ".copilot/mcp-config.json", {"mcpServers": A}),
    ("Copilot in JetBrains IDEs", "github-copilot/intellij/mcp.json", {"servers": A}),
    ("Copilot coding agent", ".github/mcp.json", {"mcpServers": A}),
    ("Devin Desktop (Windsurf)", ".codeium/windsurf/mcp_config.json", {"mcpServers": A}),
    ("Zed", "zed/settings.json", {"context_servers": {"a": {"command": {"path": "x", "args": []}}}}),
    ("Zed", "settings.json", {"context_servers": A}),
    ("Codex", ".codex/config.toml", '[mcp_servers.a]\ncommand = "x"\n'),
    ("Gemini CLI", ".gemini/settings.json", {"mcpServers": A, "mcp": {"allowed": ["a"]}}),
    ("Gemini CLI", "gemini-extension.json", {"name": "e", "mcpServers": A}),
    ("Qwen Code", ".qwen/settings.json", {"mcpServers": A}),
    ("Antigravity", ".gemini/antigravity/mcp_config.json", {"mcpServers": A}),
    ("Cline", "saoudrizwan.claude-dev/settings/cline_mcp_settings.json", {"mcpServers": A}),
    ("Roo Code", "rooveterinaryinc.roo-cline/settings/mcp_settings.json", {"mcpServers": A}),
    ("Kilo Code", ".kilocode/mcp.json", {"mcpServers": A}),
    ("Continue", ".continue/config.yaml", "mcpServers:\n - name: a\n   command: x\n"),
    ("Goose", ".config/goose/config.yaml", "extensions:\n  a:\n    type: stdio\n    cmd: x\n"),
    ("LM Studio", ".lmstudio/mcp.json", {"mcpServers": A}),
    ("Amazon Q", ".aws/amazonq/mcp.json", {"mcpServers": A}),
    ("Kiro", ".kiro/settings/mcp.json", {"mcpServers": A}),
    ("Junie", ".junie/mcp/mcp.json", {"mcpServers": A}),
    ("opencode", "opencode.jsonc", {"mcp": {"a": {"type": "local", "command": ["x"]}}}),
    ("opencode", "opencode.json", {"mcp": {"servers": {"a": {"type": "local", "command": ["x"]}}}}),
    ("Crush", "crush.json", {"mcp": {"a": {"type": "stdio", "command": "x"}}}),
    ("Amp", "amp/settings.json", {"amp.mcpServers": A}),
    ("Warp", ".warp/.mcp.json", A),
    ("Vibe", ".vibe/config.toml", '[[mcp_servers]]\nname = "a"\ntransport = "stdio"\ncommand = "x"\n'),
    ("Trae", "Trae/User/mcp.json", {"mcpServers": A}),
    ("Hermes", ".hermes/config.yaml", STDIO),
    ("Docker MCP catalogue", "catalog.yaml", "registry:\n  a:\n    image: x:1\n"),
    (
        "MCP registry",
        "server.json",
        {"name": "a", "packages": [{"registry_name": "npm", "name": "x", "version": "1.0"}]},
    ),
    (
        "MCP bundle",
        "manifest.json",
        {"dxt_version": "0.1", "name": "a", "server": {"mcp_config": {"command": "x"}}},
    ),
    ("FastMCP project", "fastmcp.json", {"$schema": "x", "source": {"path": "a.py"}}),
]


def text(value):
    return (value if isinstance(value, str) else json.dumps(value)).encode()


def names(value, path="mcp.json"):
    found = judged(read([(path, text(value))]))
    ignored = [
        finding.message.split(" ")[3].rstrip(",")
        for finding in found.findings
        if finding.code == "ignored-key"
    ]
    return [node.name for node in found.nodes if node.kind == "server"], ignored


@pytest.mark.parametrize(("title", "path", "value"), CASES)
def test_a_path_tells_the_host_and_its_servers_are_read(title, path, value):
    found = read([(path, text(value))])
    assert found.sources[0].host == title
    assert [node.name or "a" for node in found.nodes if node.kind == "server"] == ["a"]
    assert is_config(text(value), path)


def test_every_host_of_the_table_has_a_case():
    assert {host.title for host in hosts()} == {title for title, _, _ in CASES}


def test_every_known_place_leads_to_its_own_host():
    for host in hosts():
        for place in (place for _, places in host.places for place in places):
            found = read([(place, text({}))]).sources[0].host if place.endswith("json") else host.title
            assert found in (host.title, "Claude Code", None), place


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"mcpServers": {}, "servers": A}, (["a"], [])),
        ({"mcpServers": A, "servers": {"b": {"url": "https://v.example"}}}, (["a"], ["servers"])),
        ({"tools": {"mcpServers": A}}, (["a"], [])),
        ({"tools.mcpServers": A}, (["a"], [])),
        ({"unrelated": {"mcpServers": A}}, ([], [])),
        (
            {"name": "p", "scripts": {"x": "y"}, "repository": {"type": "git", "url": "https://v.example"}},
            ([], []),
        ),
        (
            {"providers": {"o": {"baseURL": "https://v.example"}}, "proxy": {"url": "http://v.example"}},
            ([], []),
        ),
        ({"proxy": {"url": "http://v.example"}}, ([], [])),
        ({"mcp": {"gallery": {"url": "https://v.example"}}}, ([], [])),
        ({"extensions": ["a.b"], "registry": "https://v.example"}, ([], [])),
        ({"command": "x", "args": []}, ([None], [])),
        ([{"name": "q", "command": "x"}], (["q"], [])),
        ({"_comment": "no", "$schema": "s", "q": {"command": "x"}}, (["q"], [])),
        (
            {"mcpServers": {"_note": "no", "q": {"command": "x"}, "r": {"command": ""}, "s": {}, "t": None}},
            (["q"], []),
        ),
        ({"mcpServers": None}, ([], [])),
        ({}, ([], [])),
    ],
)
def test_of_a_file_without_a_host_the_first_key_with_servers_counts(value, found):
    assert names(value) == found


def test_a_host_reads_its_own_key_and_the_other_map_is_told_as_ignored():
    assert names({"servers": A, "mcpServers": {"b": {"command": "y"}}}, ".vscode/mcp.json") == (
        ["a"],
        ["mcpServers"],
    )
    assert names({"mcpServers": {"b": {"command": "y"}}}, ".vscode/mcp.json") == ([], ["mcpServers"])


def test_projects_keep_their_folder_and_what_they_switch_off():
    project = {"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}, "disabledMcpServers": ["b"]}
    found = read([(".claude.json", text({"mcpServers": A, "projects": {"/home/maria/p": project}}))])
    servers = [(node.id, node.scope, node.disabled) for node in found.nodes if node.kind == "server"]
    assert servers == [("server:a", None, False), ("server:a#2", "~/p", False), ("server:b", "~/p", True)]


def test_a_user_may_name_the_host():
    assert read([("x.json", text({"mcpServers": A}))], host="gemini").sources[0].host == "Gemini CLI"
    with pytest.raises(ConfigError, match="there is no host 'nobody'"):
        read([("x.json", b"{}")], host="nobody")


@pytest.mark.parametrize("name", ["trace.json", "x.json"])
def test_a_recording_and_any_other_json_are_no_config(name):
    assert not is_config(b'{"format": "flowgen.trace/1", "mcpServers": {"a": {"command": "x"}}}', name)
    assert not is_config(b'{"hello": [1, 2]}', name) and not is_config(b"{", name)


def test_a_broken_file_of_a_known_host_is_a_config_all_the_same():
    assert is_config(b"{", "claude_desktop_config.json") and is_config(b"[", "x.toml")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".codex/config.toml", 'approval_policy = "never"\n[mcp_servers.git]\ncommand = "git-mcp"\n'),
        ("goose/config.yaml", "GOOSE_MODE: auto\nextensions:\n  git: {type: stdio, cmd: git-mcp, enabled: true}\n"),
        (".vscode/settings.json",
         '{"chat.tools.autoApprove": true, "mcp": {"servers": {"git": {"command": "git-mcp"}}}}'),
    ],
)  # fmt: skip
def test_a_host_that_asks_before_no_call_is_a_finding_and_nobody_approves(name, text):
    topology = judged(read([(name, text.encode())]))
    found = next(each for each in topology.findings if each.code == "auto-approved")
    assert (found.severity, found.where) == ("medium", f"{name}:1")
    person = next(node for node in topology.nodes if node.kind == "person")
    assert person.lines == ["is not asked"]
    pipe = next(row for row in boundaries(topology, Options()).splitlines() if "stdin / stdout" in row)
    assert "nobody named" in pipe


def test_a_host_that_asks_has_no_such_finding():
    text = 'approval_policy = "on-request"\n[mcp_servers.git]\ncommand = "git-mcp"\n'
    assert not judged(read([(".codex/config.toml", text.encode())])).findings
