"""`flowgen hosts`: every known place, what is here, and what stands in it when that is asked for."""

import json

import pytest

from .conftest import typed

SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    (tmp_path / "home/.cursor").mkdir(parents=True)
    (tmp_path / "work").mkdir()
    entry = {"files": {"command": "npx", "args": ["f-mcp"], "env": {"TOKEN": SECRET}, "disabled": True},
             "tracker": {"url": "https://tracker.example/sse"}}  # fmt: skip
    (tmp_path / "home/.cursor/mcp.json").write_text(json.dumps({"mcpServers": entry}))
    return tmp_path


def test_known_places_are_listed_and_those_here_marked(home):
    done = typed("hosts", cwd=home / "work")
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0 and [line for line in lines if line.startswith("*")] == [
        next(line for line in lines if "~/.cursor/mcp.json" in line)
    ]
    assert str(home) not in done.stdout.decode() and any("Claude Desktop" in line for line in lines)


def test_nothing_is_read_unless_asked_for(home):
    (home / "home/.cursor/mcp.json").write_text("{")
    assert typed("hosts", cwd=home / "work").returncode == 0
    done = typed("hosts", "--discover", cwd=home / "work")
    assert done.returncode == 1 and b"~/.cursor/mcp.json: line 1" in done.stderr


def test_discovered_servers_are_listed_with_their_transport_and_no_secret(home):
    done = typed("hosts", "--discover", cwd=home / "work")
    assert done.stdout.decode() == "Cursor  ~/.cursor/mcp.json\n  files    stdio  disabled\n  tracker  sse\n"
    told = json.loads(typed("hosts", "--discover", "-f", "json", cwd=home / "work").stdout)
    assert [server["name"] for server in told["files"][0]["servers"]] == ["files", "tracker"]
    assert SECRET not in json.dumps(told)


def test_one_unreadable_file_does_not_hide_the_others(home):
    (home / "work/.mcp.json").write_text("{")
    done = typed("hosts", "--discover", cwd=home / "work")
    assert done.returncode == 1 and b"tracker" in done.stdout and b".mcp.json" in done.stderr


def test_paths_are_whole_when_asked_for(home):
    assert str(home).encode() in typed("hosts", "--show-paths", cwd=home / "work").stdout
