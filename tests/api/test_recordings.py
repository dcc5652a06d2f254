"""`flowgen.record` and `flowgen.record_async`: a trace, whatever the server does."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

import flowgen
from flowgen.errors import ConfigError, UsageError

ODD = [sys.executable, str(Path(__file__).parent.parent / "record" / "servers" / "odd.py")]


def methods(trace):
    return [message.body["method"] for message in trace.messages if message.kind == "request"]


def test_without_a_server_the_demo_is_recorded():
    trace = flowgen.record()
    assert trace.outcome.complete and trace.title == "MCP Architecture - Client-Server Interaction Flow"
    assert methods(trace) == ["initialize", "tools/list", "tools/call", "tools/list"]


def test_calls_are_names_or_names_with_arguments():
    trace = flowgen.record(
        ODD, calls=["echo", ("echo", {"text": "hi"})], prompts=[("p", {"n": "x"})], reads=["a://b"],
        completes=["p:n=x"], lists="none", revision="2025-11-25",
    )  # fmt: skip
    bodies = [message.body for message in trace.messages if message.kind == "request"][1:]
    assert [(body["method"], body["params"].get("arguments")) for body in bodies] == [
        ("tools/call", {}), ("tools/call", {"text": "hi"}), ("resources/read", None), ("prompts/get", {"n": "x"}),
        ("completion/complete", None),
    ]  # fmt: skip


def test_the_public_names_are_found_before_they_are_loaded():
    code = "import flowgen, sys; print(dir(flowgen), 'pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == f"{sorted(flowgen.__all__)} False\n"


def test_a_server_that_cannot_be_started_is_a_trace_too():
    trace = flowgen.record(["/nowhere/no-such-server"])
    assert (trace.outcome.reason, trace.outcome.complete) == ("start-failed", False)


def test_a_command_may_be_one_string():
    assert flowgen.record(f"'{ODD[0]}' '{ODD[1]}'", revision="2025-11-25").outcome.reason == "done"


def test_variables_are_given_and_masked():
    script = "import os,sys; sys.stderr.write(os.environ['MY_SECRET'])"
    trace = flowgen.record([sys.executable, "-c", script], env={"MY_SECRET": "abcdefgh1"})
    assert [message.text for message in trace.messages if message.kind == "stderr"] == ["•••"]


def test_a_plan_that_wants_approval_is_approved_by_rule(tmp_path):
    (tmp_path / "plan.toml").write_text("[[step]]\ncall = 'echo'\napprove = true\n", "utf-8")
    trace = flowgen.record(ODD, script=tmp_path / "plan.toml", answers=("a", b"roots = []"))
    assert [message.body["event"] for message in trace.messages if message.kind == "note"] == [
        "fell-back", "plan-step", "approved", "plan-step",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("server", "options", "error"),
    [
        ("'python", {}, UsageError),
        ("", {}, UsageError),
        ([], {}, UsageError),
        (ODD, {"demo": "seed"}, UsageError),
        (ODD, {"calls": "echo"}, UsageError),
        (ODD, {"revision": "2020"}, UsageError),
        (ODD, {"timeout": 0}, UsageError),
        (ODD, {"startup_timeout": float("nan")}, UsageError),
        (ODD, {"lists": "tool"}, UsageError),
        (ODD, {"script": "/nowhere/plan.toml"}, UsageError),
        (ODD, {"script": ("p", b"titel = 1")}, ConfigError),
        (ODD, {"completes": ["x"]}, ConfigError),
        (None, {"demo": "sed"}, ConfigError),
    ],
)
def test_mistakes_of_the_caller_are_raised_before_anything_starts(server, options, error):
    with pytest.raises(error):
        flowgen.record(server, **options)


def test_it_runs_beside_other_tasks():
    async def main():
        ticks = []

        async def tick():
            while True:
                ticks.append(1)
                await anyio.sleep(0.01)

        async with anyio.create_task_group() as group:
            group.start_soon(tick)
            trace = await flowgen.record_async(demo="full")
            group.cancel_scope.cancel()
        return trace, len(ticks)

    trace, ticks = anyio.run(main)
    assert trace.outcome.complete and ticks > 5


def silent():
    return flowgen.record_async([*ODD, "silent", "cancelled-here"], calls=["echo"], revision="2025-11-25")


def nothing_is_left():
    processes = subprocess.run(["ps", "-axo", "args="], capture_output=True, text=True, check=True).stdout
    return "cancelled-here" not in processes


posix = pytest.mark.skipif(os.name != "posix", reason="looks at processes with ps")


@posix
def test_when_a_scope_cancels_it_the_server_is_ended_before_it_returns():
    async def main():
        with anyio.move_on_after(1.0) as scope:
            await silent()
        return scope.cancelled_caught

    assert anyio.run(main) and nothing_is_left()


@posix
def test_when_asyncio_cancels_it_the_server_is_ended_too():
    async def main():
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(silent(), 1.0)

    asyncio.run(main())
    assert nothing_is_left()


def test_an_interrupt_at_the_keyboard_ends_the_server_and_is_passed_on(monkeypatch):
    from flowgen.record._driver import Driver

    def interrupted(self, until=None):
        raise KeyboardInterrupt

    monkeypatch.setattr(Driver, "turn", interrupted)
    with pytest.raises(KeyboardInterrupt):
        flowgen.record([*ODD, "silent"])


def test_record_stays_a_function_though_a_folder_has_its_name():
    script = "import flowgen.record, flowgen; assert callable(flowgen.record); from flowgen.record import Recorded"
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
