"""`flowgen render` of config files: which view is meant, what is told of files that cannot be read."""

import json
import os
import shutil
import threading

import pytest

from tests.traces import SAMPLES

from .conftest import typed

SERVERS = b'{"mcpServers": {"files": {"command": "npx", "args": ["-y", "files-mcp"]}}}'
SECRET = b"hG7dk29dkLs02jdk"


@pytest.fixture
def beside(tmp_path):
    (tmp_path / "mcp.json").write_bytes(SERVERS)
    (tmp_path / "config.toml").write_text('[mcp_servers.files]\nurl = "https://mcp.tracker.example/mcp"\n')
    shutil.copy(SAMPLES / "seed.json", tmp_path / "trace.json")
    return tmp_path


def test_recordings_are_laid_over_a_config_and_what_cannot_be_is_said(beside):
    one = typed("render", "mcp.json", "--with", "trace.json", "-f", "json", cwd=beside)
    both = typed("render", "trace.json", "mcp.json", "-f", "json", cwd=beside)
    assert one.stdout == both.stdout and b"undeclared" in one.stdout and b"never seen" in one.stdout
    for form in ("svg", "txt", "md", "mermaid", "dot"):
        done = typed("render", "mcp.json", "--with", "trace.json", "-f", form, cwd=beside)
        assert done.returncode == 0 and b"never" in done.stdout
    found = typed("check", "mcp.json", "--with", "trace.json", "--fail-on", "medium", cwd=beside)
    assert found.returncode == 3 and b"undeclared-server" in found.stdout
    recording = (beside / "trace.json").read_bytes()
    piped = typed("render", "mcp.json", "--with", "-", "-f", "txt", cwd=beside, input=recording)
    assert piped.returncode == 0 and b"never seen" in piped.stdout
    for words in (["trace.json", "--with", "trace.json"], ["mcp.json", "--with", "mcp.json"],
                  ["mcp.json", "--view", "flow", "--with", "trace.json"]):  # fmt: skip
        done = typed("render", *words, cwd=beside)
        assert done.returncode == 2 and b"--with" in done.stderr


def test_the_input_tells_the_view(beside):
    done = typed("render", "mcp.json", "-f", "json", cwd=beside)
    assert json.loads(done.stdout)["format"] == "flowgen.topology/1"
    done = typed("render", "trace.json", "-f", "json", cwd=beside)
    assert "steps" in json.loads(done.stdout)


def test_several_files_are_one_topology(beside):
    told = json.loads(typed("render", "mcp.json", "config.toml", "-f", "json", cwd=beside).stdout)
    assert [source["path"] for source in told["sources"]] == ["mcp.json", "config.toml"]
    assert told["title"] == "mcp.json + config.toml"


def test_a_document_from_stdin_is_drawn_again(beside):
    first = typed("render", "mcp.json", "-f", "json", cwd=beside).stdout
    again = typed("render", "-", "--view", "architecture", "-f", "json", cwd=beside, input=first).stdout
    assert json.loads(again) == json.loads(first)


def test_a_host_can_be_named_and_an_unknown_one_is_told(beside):
    told = typed("render", "mcp.json", "--host", "cursor", "-f", "json", cwd=beside).stdout
    assert json.loads(told)["sources"][0]["host"] == "Cursor"
    done = typed("render", "mcp.json", "--host", "nobody", "-f", "json", cwd=beside)
    assert done.returncode == 1 and done.stderr.startswith(b"flowgen: there is no host 'nobody'\nhint: known: Claude")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("claude_desktop_config.json", b'{"a": "%b" 1}' % SECRET, b"line 1, column 26: expected a comma or }"),
        ("config.yaml", b"a: '%b\n" % SECRET, b"line 2, column 1: not YAML: a text without its closing quotes"),
        ("mcp.jsonc", b"", b"the file is empty"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line_without_its_text(beside, name, data, said):
    (beside / name).write_bytes(data)
    done = typed("render", name, "-o", "x.svg", cwd=beside)
    first, hint = done.stderr.splitlines()
    assert (done.returncode, first) == (1, b"flowgen: %b: %b" % (name.encode(), said)) and hint.startswith(b"hint: ")
    assert SECRET not in done.stderr and not (beside / "x.svg").exists()


def test_a_recording_shows_who_was_seen(beside):
    done = typed("render", "trace.json", "--view", "architecture", "-f", "json", cwd=beside)
    told = json.loads(done.stdout)
    assert {node["kind"] for node in told["nodes"]} == {"person", "model", "client", "server"}
    assert [flow["label"] for flow in told["flows"] if flow["kind"] == "tool-call"] == [["weather_current"]]


def test_a_missing_file_is_told(beside):
    done = typed("render", "none.json", "--view", "architecture", "-f", "json", cwd=beside)
    assert done.returncode == 1 and b"none.json: No such file or directory" in done.stderr


def test_a_description_is_emitted_drawn_and_judged(beside):
    done = typed("render", "mcp.json", "--emit", "yaml", "-o", "system.yaml", cwd=beside)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    text = (beside / "system.yaml").read_bytes()
    assert b"files: npx -y files-mcp\n" in text and b"from mcp.json." in text
    assert b"files" in typed("render", "system.yaml", cwd=beside).stdout
    found = typed("check", "system.yaml", "--fail-on", "medium", cwd=beside)
    assert found.returncode == 3 and b"system.yaml:" in found.stdout and b"unpinned-package" in found.stdout
    assert typed("render", "trace.json", "--emit", "yaml", cwd=beside).stdout.count(b"servers:") == 1
    piped = typed("render", "-", "--view", "architecture", "-f", "txt", cwd=beside, input=text)
    assert piped.returncode == 0 and b"files" in piped.stdout


@pytest.mark.parametrize("name", ["mcp.json", "trace.json"])
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have no names here")
def test_what_comes_through_a_pipe_is_read_once(beside, name):
    os.mkfifo(beside / "pipe")
    data = (beside / name).read_bytes()
    writer = threading.Thread(target=(beside / "pipe").write_bytes, args=[data], daemon=True)
    writer.start()
    done = typed("render", "pipe", "-f", "txt", cwd=beside)
    writer.join(10)
    assert done.returncode == 0 and (b"files" in done.stdout or b"tools/list" in done.stdout)


def test_toml_from_stdin_is_known_by_its_text(beside):
    done = typed("render", "-", "-f", "txt", cwd=beside, input=(beside / "config.toml").read_bytes())
    assert done.returncode == 0 and b"mcp.tracker.example" in done.stdout
