"""Servers that others wrote, over HTTP as people run them: the official SDK in both eras and over SSE, fastmcp,
npm's server-everything. See `test_real` for where they are found.
"""

import os
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager

import pytest

from flowgen.protocol import KINDS, Step, answers_from, completion
from tests.record.conftest import visited
from tests.record.test_real import ANSWERS, everything, missing, python_server, texts

__all__ = ["everything"]  # a fixture


@contextmanager
def listening(argv, port, env=None):
    """Runs a server until it listens, and ends it."""
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(argv, env={**os.environ, **(env or {})}, **quiet) as process:
        try:
            until = time.monotonic() + 25
            while not answers(port):
                assert process.poll() is None and time.monotonic() < until, "the server does not start"
                time.sleep(0.05)
            yield
        finally:
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()


def answers(port):
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


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


@pytest.fixture(scope="module")
def sdk():
    """The SDK's server over Streamable HTTP: its address."""
    port = free_port()
    argv = [*python_server("sdk_server.py", "mcp"), "streamable-http", str(port)]
    with listening(argv, port):
        yield f"http://127.0.0.1:{port}/mcp"


@pytest.mark.parametrize("revision", ["2025-03-26", "2025-11-25", "2026-07-28", "auto"])
def test_the_official_sdk_in_both_eras(sdk, revision):
    stateless = revision in ("auto", "2026-07-28")
    steps = (*SDK_STEPS, *((Step("listen", {"toolsListChanged": True}),) if stateless else ()))
    seen = visited(sdk, steps, revision, timeout=20.0, lists=KINDS, answers=answers_from(ANSWERS, "a"))
    assert (seen.exit_code, seen.outcome["reason"]) == (0, "done"), seen.recording.verdict
    assert set(seen.codes()) <= {"http-error"}, seen.codes()
    said = texts(seen)
    if revision != "2025-03-26":  # which knows no elicitation
        assert said[:2] == ["Sunny in Zürich", "Monday: a table for 3"]
        assert "Tables are flat." in said[2] and said[3] == "file:///home/ada"
    assert len(seen.of("notification", method="notifications/progress")) == 2
    assert ("initialize" in seen.methods) is not stateless
    assert seen.statuses()[-1] == 200 and all(message["transport"] != "stdio" for message in seen.of("response"))


def test_the_official_sdk_over_the_transport_of_2024():
    port = free_port()
    with listening([*python_server("sdk_server.py", "mcp"), "sse", str(port)], port):
        seen = visited(
            f"http://127.0.0.1:{port}/sse", SDK_STEPS, "auto", timeout=20.0, answers=answers_from(ANSWERS, "a")
        )
    assert (seen.exit_code, seen.outcome["reason"]) == (0, "done"), seen.recording.verdict
    assert texts(seen)[:2] == ["Sunny in Zürich", "Monday: a table for 3"]


def test_fastmcp():
    port = free_port()
    with listening([*python_server("fast_server.py", "fastmcp"), str(port)], port):
        seen = visited(
            f"http://127.0.0.1:{port}/mcp",
            (Step("call", "add", arguments={"a": 2, "b": 3}), Step("read", "note://one")),
            "auto", timeout=20.0, lists=KINDS,
        )  # fmt: skip
    assert (seen.exit_code, texts(seen)) == (0, ["5"]), seen.recording.verdict


@pytest.mark.parametrize("transport", ["streamableHttp", "sse"])
def test_server_everything(everything, transport):
    if shutil.which("node") is None:
        missing("node is missing")
    port, path = free_port(), {"streamableHttp": "/mcp", "sse": "/sse"}[transport]
    steps = (
        Step("call", "echo", arguments={"message": "hi"}),
        Step("call", "get-sum", arguments={"a": 2, "b": 3}),
        Step("call", "trigger-sampling-request", arguments={"prompt": "x"}),
        Step("call", "trigger-long-running-operation", arguments={"duration": 0.3, "steps": 3}, progress=True),
        Step("get", "simple-prompt"),
        Step("ping", True),
    )
    with listening([*everything[:2], transport], port, {"PORT": str(port)}):
        seen = visited(
            f"http://127.0.0.1:{port}{path}", steps, "auto", timeout=20.0, lists=KINDS,
            answers=answers_from(ANSWERS, "a"),
        )  # fmt: skip
    assert (seen.exit_code, seen.outcome["reason"]) == (0, "done"), seen.recording.verdict
    assert texts(seen)[0] == "Echo: hi" and "5" in texts(seen)[1]
    assert len(seen.of("request", method="sampling/createMessage")) == 1
    assert len(seen.of("notification", method="notifications/progress")) == 3
    ours = [message for message in seen.of("request") if message["sender"] == "client"]
    assert all("unanswered" not in seen.codes(message) for message in ours)
    assert seen.document["participants"][1]["title"].startswith("mcp-servers/everything ")
