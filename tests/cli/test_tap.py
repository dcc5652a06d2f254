"""`flowgen tap` as it is typed, and taps in hosts' configs: only what must change does, and comes back as it was."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.cli._tap import tap as command
from flowgen.cli._tap_edit import entries, tapped, untapped
from flowgen.cli._tap_quick import quick
from flowgen.cli._tap_spots import NotRead, spots
from flowgen.errors import ConfigError
from tests.cli.conftest import typed

TAP = ["/bin/flowgen", "tap", "-o", "/t/{time}.jsonl", "--"]
KEYS = ("mcpServers", "servers", "mcp_servers", "mcp", "extensions", "projects.*.mcpServers", "mcp.servers")

FILES = {
    "claude.json": """{
  // what I use
  "mcpServers": {
    "github": {
      "command": "npx",
      "args": [
        "-y",   /* yes */
        "server-github"
      ],
      "env": {"A": "b"},
    },
  },
}
""",
    "one-line.json": '{"mcpServers": {"github": {"command":"npx","args":["-y","server-github"],"env":{}}}}',
    "one-argument.json": '{"servers": {"github": {"args": [\n  "server.js"\n ], "command": "node"}}}\n',
    "no-arguments.json": '{"mcpServers": {\n\t"github": {\n\t\t"command": "mcp-github",\n\t\t"env": {}\n\t}\n}}',
    "no-arguments-in-one-line.json": '{"mcpServers": {"github": {"command": "mcp-github"}}}',
    "empty.json": '{"mcpServers": {"github": {"command": "mcp-github", "args": [ ]}}}',
    "project.json": '{"projects": {"/a/b.c": {"mcpServers": {"github": {"command": "node", "args": ["x"]}}}}}',
    "list.json": '{"mcp": {"github": {"type": "local", "command": ["npx", "-y", "server-github"]}}}',
    "odd.json": '{"mcpServers": {"github": {"command": "/opt/my \\u0041pp/\\"x\\"", "args": ["--", "tap", "é"]}}}',
    "object.json": '{"servers": {"github": {"command": {"path": "npx", "args": ["-y"], "env": {}}, "settings": {}}}}',
    "bare-object.json": '{"servers": {"github": {\n  "command": {\n    "path": "npx"\n  }\n}}}',
    "nested.json": '{"servers": {"github": {"transport": {"type": "stdio", "command": "npx", "args": ["-y"]}}}}',
    "codex.toml": """# codex
model = "o3"

[mcp_servers.github]
command = 'npx'  # the package runner
args = ["-y", "server-github"]
startup_timeout_sec = 20

[mcp_servers.github.env]
A = "b"
""",
    "bare.toml": '[mcp_servers.github]\ncommand = "mcp-github" # here\nenv = { A = "b" }\n',
    "inline.toml": '[mcp_servers]\ngithub = { command = "mcp-github", env = { A = "b" } }\n',
    "dotted.toml": 'mcp_servers.github.command = "npx"\nmcp_servers.github.args = [\n  "-y", # yes\n  "x",\n]\n',
    "goose.yaml": """extensions:
  github:
    cmd: npx   # runs packages
    args:
      - -y
      - "server-github"
    enabled: true
""",
    "continue.yaml": "mcpServers:\n- name: github\n  command: npx\n  args: [-y, server-github]\n",
    "bare.yaml": "mcpServers:\n  github:\n    command: mcp-github  # here\n    env: {A: b}\n",
}
READ = {".json": None, ".toml": tomllib.loads, ".yaml": yaml.safe_load}


def entry_of(name, text):
    (found,) = entries(name, text, KEYS)
    return found


def there_and_back(name, text):
    before = entry_of(name, text)
    new = tapped(name, text, before, TAP)
    entry = entry_of(name, new)
    assert entry.tapped and not before.tapped
    assert entry.words == [*TAP, *before.words]
    return new, untapped(new, entry, before.args is not None)


@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("name", FILES)
def test_a_tap_comes_into_every_kind_of_file_and_out_again_without_a_trace(name, ends):
    text = FILES[name].replace("\n", ends)
    new, back = there_and_back(name, text)
    assert back == text
    read = READ[os.path.splitext(name)[1]]
    if read is not None:
        read(new)
    assert all(comment in new for comment in re.findall(r"#.*|//.*|/\*.*?\*/", text))


UNSAFE = {
    "null.json": '{"mcpServers": {"github": {"command": "npx", "args": null}}}',
    "text.json": '{"mcpServers": {"github": {"command": "npx", "args": "-y x"}}}',
    "text.toml": '[mcp_servers.github]\ncommand = "npx"\nargs = "x"\n',
    "nothing.yaml": "extensions:\n  github:\n    cmd: npx\n    args:\n",
    "block.yaml": "extensions:\n  github:\n    cmd: >-\n      npx\n    args:\n    - a\n",
    "dotted.toml": 'mcp_servers.github.command = "npx"\n',
    "shared.yaml": "extensions:\n  a: {cmd: npx, args: &x [a]}\n  github: {cmd: npx, args: *x}\n",
}


@pytest.mark.parametrize("name", UNSAFE)
def test_what_cannot_be_edited_safely_is_refused(name, tmp_path):
    file = tmp_path / name
    file.write_text(UNSAFE[name])
    ended = typed("tap", "install", "--config", file, "--name", "github", "--yes", cwd=tmp_path)
    assert ended.returncode == 1 and b"hint: write the command" in ended.stderr
    assert file.read_text() == UNSAFE[name] and list(tmp_path.iterdir()) == [file]


@settings(max_examples=60)
@given(st.sampled_from(sorted(FILES)), st.text(max_size=20), st.integers(0, 300))
def test_whatever_a_file_holds_it_is_read_or_refused(name, noise, place):
    text = FILES[name]
    place %= len(text)
    try:
        for entry in entries(name, text[:place] + noise + text[place:], KEYS):
            assert 0 <= entry.spot.start <= len(text) + len(noise) or entry.spot.block
    except ConfigError:
        pass


@pytest.mark.parametrize("name", ["deep.json", "deep.yaml", "deep.toml"])
def test_a_file_that_nests_without_end_is_refused(name):
    with pytest.raises(NotRead):
        spots(name, ("a = " if name.endswith("toml") else "") + "[" * 5000)


# as it is typed


@pytest.fixture
def config(tmp_path):
    """A host's config with comments, in the home of somebody."""
    file = tmp_path / ".config" / "Claude" / "claude_desktop_config.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"\xef\xbb\xbf" + FILES["claude.json"].replace('"env"', '"url2": 1, "env"').encode())
    file.chmod(0o640)
    return file


def tap(tmp_path, *words, **more):
    return typed("tap", *words, cwd=tmp_path, env={**os.environ, "HOME": str(tmp_path)}, **more)


def test_a_tap_is_installed_once_shown_first_and_taken_out_again(tmp_path, config):
    before = config.read_bytes()
    host = ("--host", "claude-desktop", "--name", "github", "--yes")
    done = tap(tmp_path, "install", *host)
    assert done.returncode == 0 and b'-      "command": "npx"' in done.stderr
    after = config.read_bytes()
    words = entry_of("claude.json", after.decode("utf-8-sig")).words
    assert Path(words[0]).is_absolute()
    where = f"{tmp_path}/flowgen/github-{{time}}-{{pid}}.jsonl"
    assert words[words.index("tap") :] == ["tap", "-o", where, "--", "npx", "-y", "server-github"]
    assert config.stat().st_mode & 0o777 == 0o640
    (copy,) = config.parent.glob("*.before-tap")
    assert copy.read_bytes() == before
    again = tap(tmp_path, "install", *host)
    assert again.returncode == 0 and b"already" in again.stderr and config.read_bytes() == after
    assert tap(tmp_path, "uninstall", *host).returncode == 0
    assert config.read_bytes() == before
    assert b"has no tap" in tap(tmp_path, "uninstall", *host).stderr


def test_nothing_is_written_unasked(tmp_path, config):
    before = config.read_bytes()
    done = tap(tmp_path, "install", "--host", "Claude Desktop")
    assert done.returncode == 2 and b"hint: --yes" in done.stderr and config.read_bytes() == before


def test_secrets_beside_what_changes_are_not_shown(tmp_path):
    file = tmp_path / "mcp.json"
    entry = {"command": "npx", "env": {"TOKEN": "ghp_Zq7Wm2Xc9Vb4Nl6Kj8Hg1Fd3Sa5Po0Iu2Yt4"}}
    file.write_text(json.dumps({"mcpServers": {"a": entry}}))
    done = tap(tmp_path, "install", "--config", file, "--yes")
    assert done.returncode == 0 and b"ghp_" not in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["install"], b"whose config?"),
        (["install", "--host", "nobody-knows"], b"does not know this host"),
        (["install", "--host", "cursor"], b"has no config here"),
        (["install", "--config", "m.json"], b"which server?"),
        (["install", "--config", "m.json", "--name", "c"], b"there is no server c"),
        (["install", "--config", "m.json", "--name", "far"], b"reached by an address"),
        (["install", "--config", "m.json", "--name", "odd"], b"no command that could be tapped"),
        (["install", "--config", "m.json", "--name", "line"], b"its command is a whole line"),
        (["install", "--config", "broken.json"], b"cannot be read at character"),
        (["install", "--config", "nowhere.json"], b"No such file"),
        (["-o", "t.jsonl"], b"no server to pass things to"),
        (["--", "server"], b"-o FILE is missing"),
        (["-o", "-", "--", "server"], b"the protocol's"),
        (["-o", "t.jsonl", "--listen", "127.0.0.1:0"], b"go together"),
        (["-o", "t.jsonl", "--listen", "0.0.0.0:0", "--upstream", "http://a/"], b"others than this machine"),
        (["-o", "t.jsonl", "--listen", "x", "--upstream", "http://a/"], b"expected HOST:PORT"),
        (["-o", "t.jsonl", "--listen", "127.0.0.1:0", "--upstream", "a.b"], b"expected an address"),
        (["-o", "t.jsonl", "--max-size", "100", "--", "b"], b"x>=8192"),
        (["-o", "t.jsonl", "--listen", "127.0.0.1:0", "--upstream", "http://a b/"], b"expected an address"),
        (["-o", "t.jsonl", "--listen", "127.0.0.1:0", "--upstream", "http://u:p@a/"], b"no place in an address"),
        (["-o", "t.jsonl", "--listen", "127.0.0.1:0", "--upstream", "http://a/", "--", "b"], b"leave one of them out"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_done_is_told_in_a_line_with_advice(tmp_path, words, said):
    servers = {"a": {"command": "x"}, "odd": {"command": 7}, "line": {"command": "npx -y server"}}
    servers["far"] = {"url": "https://a.example/mcp"}
    (tmp_path / "m.json").write_text(json.dumps({"mcpServers": servers}))
    (tmp_path / "broken.json").write_text('{"mcpServers": {')
    done = tap(tmp_path, *words)
    assert done.returncode in (1, 2) and said in done.stderr, done.stderr
    assert done.stderr.startswith(b"flowgen: ") and done.stderr.count(b"\n") <= 2
    assert not (tmp_path / "t.jsonl").exists()


def test_the_help_has_sections_examples_and_both_commands(tmp_path):
    named = " ".join(command.sections.values()).split()
    known = {param.opts[-1].removeprefix("--") for param in command.params}
    assert len(named) == len(set(named)) and known - set(named) == {"output", "live"} and set(named) <= known
    shown = tap(tmp_path, "--help").stdout.decode()
    assert "Examples:" in shown and "uninstall" in shown
    assert all(param.help and param.opts[-1] in shown for param in command.params)
    for name in ("install", "uninstall"):
        assert f"flowgen tap {name}" in tap(tmp_path, name, "--help").stdout.decode().partition("\n")[2]


def test_a_stray_settings_file_does_not_keep_a_session_from_beginning(tmp_path):
    (tmp_path / "flowgen.toml").write_text("no = [such")
    assert b"-o FILE is missing" in tap(tmp_path, "--", "server").stderr


@pytest.mark.parametrize("words", [
    [], ["tap"], ["tap", "install"], ["tap", "--help"], ["tap", "-o", "t.jsonl", "server"],
    ["tap", "-o", "-", "--", "x"], ["tap", "-o", "t.jsonl", "--"],
    ["tap", "-o", "/dev/stdout", "--", "x"], ["tap", "--live", "-o", "t", "--", "x"],
])  # fmt: skip
def test_only_the_very_form_that_hosts_use_goes_the_short_way(words):
    assert quick(words) is None


def test_the_short_way_loads_nothing_that_reads_a_command_line(tmp_path):
    script = "from flowgen.cli import main; main()"
    argv = [sys.executable, "-X", "importtime", "-c", script, "tap", "-o", str(tmp_path / "t.jsonl"), "--", "true"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=20)
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert done.returncode == 0 and "flowgen.record._tap_pump" in loaded
    assert not loaded & {"click", "pydantic", "anyio", "httpx", "asyncio"}


def test_the_word_install_behind_the_dashes_is_a_server(tmp_path):
    done = tap(tmp_path, "-o", "-", "--", "install")
    assert b"the protocol's" in done.stderr
