"""What the README says holds: its commands run as they are written, its options are those that there are.

A block under `<!-- run -->` is run, one after the other in one folder that holds a server and some recordings.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from flowgen.cli._main import main
from flowgen.cli._record import record
from flowgen.cli._render import render
from tests.traces import SAMPLES

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("README.md", "README.zh-CN.md")
SERVER = """
from mcp.server.mcpserver import MCPServer
server = MCPServer("calc", version="1.0")

@server.tool()
def add(a: int, b: int) -> int:
    "Adds two numbers."
    return a + b

server.run()
"""


def text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, language: str, before: str = "") -> list[str]:
    return re.findall(rf"{re.escape(before)}```{language}\n(.*?)```", text(page), re.DOTALL)


def every_command(group: click.Group) -> Iterator[click.Command]:
    """The commands and those within them."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield command
        if isinstance(command, click.Group):
            yield from every_command(command)


@pytest.fixture
def folder(tmp_path):
    """A folder of somebody who reads the README: a server, recordings of a good and of a bad day, two config files."""
    (tmp_path / "server.py").write_text(SERVER)
    (tmp_path / "traces").mkdir()
    places = ("good.json", "bad.json", "old.json", "traces/one.json", "traces/two.json")
    for name, sample in zip(places, ("seed", "sdk-handshake") * 3, strict=False):
        shutil.copy(SAMPLES / f"{sample}.json", tmp_path / name)
    for name, version in (("mcp.json", ""), ("mcp.new.json", "@1.2.0")):
        server = {"command": "uvx", "args": [f"files-example{version}"]}
        (tmp_path / name).write_text(json.dumps({"mcpServers": {"files": server}}))
    return tmp_path


def ran(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    env = {name: value for name, value in os.environ.items() if not name.startswith("FLOWGEN_")} | {"PATH": path}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60)


@pytest.mark.skipif(os.name != "posix", reason="the blocks are written for a shell of POSIX")
@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_the_readme_run_as_they_are_written(folder, page):
    shell = blocks(page, "sh", "<!-- run -->\n")
    assert len(shell) >= 3
    for block in shell:
        done = ran(["sh", "-ec", block], folder)
        assert done.returncode == 0, f"{block}\n{done.stderr}"
    promised = re.findall(r"-o (\S+)", " ".join(shell))
    assert [name for name in promised if not (folder / name).exists()] == []


def test_the_python_of_the_readme_runs_as_it_is_written(folder):
    (block,) = blocks("README.md", "python", "<!-- run -->\n")
    done = ran([sys.executable, "-c", block], folder)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
    assert (folder / "flow.svg").exists()


def test_the_toml_of_the_readme_can_be_read():
    assert [bool(tomllib.loads(block)) for block in blocks("README.md", "toml")] == [True] * 3


@pytest.mark.parametrize("command", [record, render], ids=["record", "render"])
def test_every_option_is_in_the_readme(command):
    said = set(re.findall(r"--[a-z][a-z-]*|-[a-z]\b", text("README.md")))
    for param in command.params:
        if param.param_type_name == "option":
            assert said & {*param.opts, *param.secondary_opts}, param.name


@pytest.mark.parametrize("page", PAGES)
def test_every_option_of_the_readme_is_one(page):
    known = {way for command in (main, *every_command(main)) for param in command.params
             for way in (*param.opts, *param.secondary_opts)} | {"--flowgen", "--flowgen-all"}  # pytest's
    lines = [line for line in text(page).splitlines() if "pip install" not in line]
    said = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", "\n".join(lines)))
    assert said - known <= {"--help"}, "options that no command has"


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_the_readme_links_to_is_there(page):
    prose = re.sub(r"^(`{3,})[^`]*$.*?^\1$|`[^`\n]+`", "", text(page), flags=re.DOTALL | re.MULTILINE)
    links = re.findall(r"\]\(([^)#]+)\)|(?:src|srcset)=\"([^\"]+)\"", prose)
    assert links
    files = [name for pair in links for name in pair if name and "://" not in name]
    assert [name for name in files if not (ROOT / name).exists()] == []
