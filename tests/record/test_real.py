"""Servers that others wrote, as people run them: the official SDK in both eras, fastmcp, npm's server-everything.

FLOWGEN_NODE_SERVERS names a folder whose node_modules holds @modelcontextprotocol/server-everything.
With FLOWGEN_REQUIRE_REAL=1 a missing server fails instead of being skipped.
"""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

import pytest

from flowgen.protocol import KINDS, Step, answers_from, completion
from tests.record.conftest import SERVERS

ANSWERS = b"""
roots = ["file:///home/ada"]
[[elicitation]]
when = { tool = "book" }
accept = { guests = 3 }
[[elicitation]]
accept = { name = "Ada", check = true }
[[sampling]]
text = "Tables are flat."
"""


def missing(what: str) -> None:
    if os.environ.get("FLOWGEN_REQUIRE_REAL") == "1":
        pytest.fail(f"{what}, and FLOWGEN_REQUIRE_REAL is set")
    pytest.skip(what)


def python_server(name: str, module: str) -> list[str]:
    if importlib.util.find_spec(module) is None:
        missing(f"{module} is not installed")
    return [sys.executable, str(SERVERS / name)]


@pytest.fixture
def everything() -> list[str]:
    """The argv of server-everything."""
    folder = os.environ.get("FLOWGEN_NODE_SERVERS", "")
    script = Path(folder, "node_modules/@modelcontextprotocol/server-everything/dist/index.js")
    if not folder or not script.is_file() or shutil.which("node") is None:
        missing("FLOWGEN_NODE_SERVERS names no folder with server-everything, or node is missing")
    return [str(shutil.which("node")), str(script), "stdio"]


def texts(seen):
    """The first text of every result of a call, in order."""
    results = [message["body"]["result"] for message in seen.of("response") if message["sender"] == "server"]
    return [result["content"][0].get("text") for result in results if result.get("content")]


SDK_STEPS = (
    Step("call", "weather", arguments={"city": "Zürich"}),
    Step("call", "book", arguments={"day": "Monday"}),
    Step("call", "praise"),
    Step("call", "folders"),
    Step("call", "cook", arguments={"steps": 2}, progress=True),
    Step("call", "burn"),
    Step("read", "note://menu"),
    Step("get", "greet", arguments={"name": "Ada"}),
    Step("complete", completion("greet:name=A", "")),
)


@pytest.mark.parametrize("revision", ["2025-06-18", "2025-11-25", "2026-07-28", "auto"])
def test_the_official_sdk_in_both_eras(record, revision):
    argv = python_server("sdk_server.py", "mcp")
    steps = (*SDK_STEPS, Step("listen", {"toolsListChanged": True}), Step("call", "open_kitchen"))
    seen = record(
        argv, steps, revision, timeout=20.0, startup=20.0, lists=KINDS, answers=answers_from(ANSWERS, "a")
    )
    assert (seen.exit_code, seen.outcome["reason"]) == (0, "done"), seen.recording.verdict
    assert [code for code in seen.codes() if code != "unanswered"] == []
    said = texts(seen)
    assert said[:2] == ["Sunny in Zürich", "Monday: a table for 3"]
    assert "Tables are flat." in said[2] and said[3] == "file:///home/ada"
    assert len(seen.of("notification", method="notifications/progress")) == 2
    assert seen.document["participants"][1]["title"] == "sdk server 3.1"
    stateless = revision in ("auto", "2026-07-28")
    assert ("initialize" in seen.methods) is not stateless
    assert len(seen.of("notification", method="notifications/tools/list_changed")) == stateless
    assert seen.methods.count("tools/list") == 1 + stateless
    assert {note["body"]["event"] for note in seen.of("note")} == {"answered-from-file"}


def test_fastmcp(record):
    seen = record(
        python_server("fast_server.py", "fastmcp"),
        (Step("call", "add", arguments={"a": 2, "b": 3}), Step("read", "note://one")),
        "auto", timeout=20.0, startup=25.0, lists=KINDS,
    )  # fmt: skip
    assert (seen.exit_code, texts(seen)) == (0, ["5"]), seen.recording.verdict
    assert seen.document["participants"][1]["title"] == "fast server 0.9"


@pytest.mark.parametrize("revision", ["auto", "2025-03-26"])
def test_server_everything(record, everything, revision):
    steps = (
        Step("call", "echo", arguments={"message": "hi"}),
        Step("call", "get-sum", arguments={"a": 2, "b": 3}),
        Step("call", "trigger-sampling-request", arguments={"prompt": "x"}),
        Step("set-level", "debug"),
        Step("get", "simple-prompt"),
        Step("ping", True),
    )
    seen = record(
        everything, steps, revision, timeout=20.0, startup=20.0, lists=KINDS, answers=answers_from(ANSWERS, "a")
    )
    assert (seen.exit_code, seen.outcome["reason"]) == (0, "done"), seen.recording.verdict
    assert texts(seen)[0] == "Echo: hi" and "5" in texts(seen)[1]
    assert len(seen.of("request", method="sampling/createMessage")) == 1
    # it asks for roots some time after the handshake, and may be asking while the session ends
    asked = [message for message in seen.of("request") if message["sender"] == "client"]
    assert all(seen.codes(message) == [] for message in asked + seen.of("response"))
    assert seen.document["participants"][1]["title"].startswith("mcp-servers/everything ")
