"""Servers out of a host's config file."""

import json

import pytest

from flowgen.api._config import options_of, server_in, servers_in
from flowgen.api._servers import named, several
from flowgen.errors import ConfigError, UsageError
from flowgen.record import Server, Site, Unready

CONFIG = """\ufeff{
  // comments, and a comma too many
  "mcpServers": {
    "files": {"command": "npx", "args": ["-y", "server", "${userHome}/x"], "env": {"TOKEN": "${T}", "N": 3}},
    "web": {"type": "http", "url": "https://host/mcp", "headers": {"Authorization": "Bearer ${env:T}"}},
    "old": {"type": "sse", "url": "https://host/sse" /* inline */},
    "off": {"command": "nope", "disabled": true},
    "off too": {"command": "nope", "enabled": false},
  },
}"""


@pytest.fixture
def config(tmp_path, monkeypatch):
    monkeypatch.setenv("T", "secret-of-the-user")
    monkeypatch.setenv("HOME", "/home/ada")
    (tmp_path / ".vscode").mkdir()
    file = tmp_path / ".vscode" / "mcp.json"
    file.write_text(CONFIG, encoding="utf-8")
    return str(file)


def test_every_enabled_server_is_found_with_its_variables_in_place(config):
    found = several(config, {})
    assert list(found) == ["files", "web", "old"]
    assert found["files"] == Server(
        ("npx", "-y", "server", "/home/ada/x"), {"TOKEN": "secret-of-the-user", "N": "3"}, None
    )
    assert isinstance(found["web"], Site) and found["web"].url == "https://host/mcp"
    assert found["web"].headers == (("Authorization", "Bearer secret-of-the-user"),)
    assert [site.transport for site in (found["web"], found["old"])] == ["http", "sse"]


def test_a_server_with_a_mistake_does_not_keep_the_others_away(tmp_path, monkeypatch):
    monkeypatch.delenv("MISSING", raising=False)
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({"servers": {"a": {"command": "x"}, "b": {"url": "http://h/${MISSING}"}, "c": {}}}))
    found = several(str(file), {})
    assert found["a"] == Server(("x",), {}, None)
    assert found["b"] == Unready(f"{file}: b.url: there is no variable MISSING", "export MISSING=…")
    assert isinstance(found["c"], Unready) and "neither a command" in found["c"].why


def test_if_all_of_them_are_wrong_or_what_was_typed_is_nothing_is_started(tmp_path):
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({"servers": {"a": {}, "b": {"command": "x"}}}))
    with pytest.raises(UsageError, match="--client-key"):
        several(str(file), {"client_key": str(tmp_path / "none.pem")})
    file.write_text(json.dumps({"servers": {"a": {}}}))
    with pytest.raises(ConfigError, match="a: neither a command"):
        several(str(file), {})


def test_one_is_found_by_its_name_enabled_or_not(config):
    assert named(config, "off", {}) == Server(("nope",), {}, None)


def test_what_was_typed_is_added_to_what_the_file_says(config):
    site = named(config, "web", {"headers": (("X-A", "1"),), "env": {}, "cwd": None})
    assert isinstance(site, Site) and [name for name, _ in site.headers] == ["Authorization", "X-A"]
    server = named(config, "files", {"env": {"TOKEN": "typed"}, "headers": ()})
    assert isinstance(server, Server) and server.env == {"TOKEN": "typed", "N": "3"}


def test_a_name_that_is_not_there_is_told_with_the_nearest(config):
    with pytest.raises(ConfigError, match="no server is called 'wep'") as raised:
        server_in(config, "wep")
    assert raised.value.hint == "did you mean web?"


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ({"command": "${A}"}, "a"), ({"command": "${env:A}"}, "a"), ({"command": "${B:-b}"}, "b"),
        ({"command": "${B:-}"}, ""), ({"command": "x${A}y"}, "xay"), ({"command": "$A"}, "$A"),
    ],
)  # fmt: skip
def test_variables_are_written_as_hosts_write_them(monkeypatch, tmp_path, entry, value):
    monkeypatch.setenv("A", "a")
    monkeypatch.delenv("B", raising=False)
    assert options_of(entry, str(tmp_path / "mcp.json"), "n")[0] == [value]


def test_the_workspace_is_where_the_config_folder_stands(config, tmp_path):
    argv, _ = options_of({"command": "${workspaceFolder}/s"}, config, "n")
    assert argv == [f"{tmp_path}/s"]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"command": "${MISSING}"}, "n.command: there is no variable MISSING"),
        ({"command": "${input:key}"}, "only the host knows"),
        ({}, "neither a command with args nor a url"),
        ({"command": "a", "args": "b"}, "neither a command with args nor a url"),
        ({"command": "a", "env": ["b"]}, "env: an object of names and texts"),
        ({"command": "a", "args": [None]}, "args: a list of texts"),
        ({"command": "a", "url": "https://host/mcp"}, "both a command and a url"),
        ({"url": "ftp://ada:secret@host/"}, "'ftp://•••@host/' is no address"),
    ],
)
def test_what_cannot_be_followed_says_where(tmp_path, monkeypatch, entry, message):
    monkeypatch.delenv("MISSING", raising=False)
    with pytest.raises(ConfigError, match=message):
        options_of(entry, str(tmp_path / "mcp.json"), "n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "Expecting"),
        ("[" * 100_000, "recursion"),
        ("[]", "no JSON object"),
        ("{}", "no mcpServers"),
        ('{"mcpServers": {}}', "is enabled"),
    ],
)
def test_a_file_that_is_no_config_is_told(tmp_path, text, message):
    file = tmp_path / "mcp.json"
    file.write_text(text)
    with pytest.raises(ConfigError, match=message):
        servers_in(str(file))


@pytest.mark.parametrize("wrap", [lambda servers: {"servers": servers}, lambda servers: {"mcp": {"servers": servers}}])
def test_other_hosts_name_the_list_otherwise(tmp_path, wrap):
    file = tmp_path / "settings.json"
    file.write_text(json.dumps(wrap({"a": {"command": "x", "url": None}})))
    assert list(servers_in(str(file))) == ["a"]


def test_comment_signs_in_texts_are_texts(tmp_path):
    file = tmp_path / "mcp.json"
    file.write_text('{"servers": {"a": {"url": "http://h/mcp", "note": "/* x */, ]"}}} // end')
    assert servers_in(str(file))["a"] == {"url": "http://h/mcp", "note": "/* x */, ]"}


def test_beside_a_command_the_type_tells_which_is_meant():
    both = {"command": "x", "url": "https://host/mcp"}
    assert options_of(both | {"type": "stdio"}, "mcp.json", "n")[0] == ["x"]
    assert options_of(both | {"type": "http"}, "mcp.json", "n")[0] == "https://host/mcp"


def test_what_is_no_object_is_not_said_to_be_missing(tmp_path):
    file = tmp_path / "mcp.json"
    file.write_text('{"servers": {"a": 7}}')
    with pytest.raises(ConfigError, match="a: an object with a command or a url"):
        server_in(str(file), "a")
