"""The pytest plugin in a pytest of its own: what it keeps of tests that fail, and nothing without its option."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from importlib.metadata import entry_points
from types import SimpleNamespace

import pytest

import flowgen
from flowgen import api
from flowgen.ext.pytest_plugin import Sessions, _Keeper, named

SUITE = """
import anyio, pytest, sys
from mcp import Client, ClientSession, StdioServerParameters, stdio_client
from mcp.server.mcpserver import MCPServer

calc = MCPServer("calc", version="1.0", log_level="ERROR")

@calc.tool()
def add(a: int, b: int) -> int:
    return a + b

async def ask(transport):
    async with Client(transport, mode="legacy") as client:
        return (await client.call_tool("add", {"a": 2, "b": 3})).structured_content["result"]

def test_right(flowgen_sessions):
    assert anyio.run(ask, flowgen_sessions.transport(calc)) == 5

def test_wrong(flowgen_sessions):
    assert anyio.run(ask, flowgen_sessions.transport(calc)) == 6

@pytest.mark.parametrize("name", ["a/b: c"])
def test_streams(flowgen_sessions, name):
    async def ask():
        command = StdioServerParameters(command=sys.executable, args=["-m", "flowgen.demo"])
        async with stdio_client(command) as (read, write):
            async with ClientSession(*flowgen_sessions.streams(read, write)) as session:
                await session.initialize()
                await session.list_tools()
    anyio.run(ask)
    assert not name

def test_two_sessions_and_a_broken_end(flowgen_sessions, broken):
    async def ask():
        command = StdioServerParameters(command=sys.executable, args=["-m", "flowgen.demo"])
        async with Client(flowgen_sessions.transport(command)) as client:
            await client.list_tools()
    anyio.run(ask)
    assert flowgen_sessions.record(demo="seed").outcome.complete

@pytest.fixture
def broken():
    yield
    raise RuntimeError("at the end")

@pytest.mark.xfail
def test_known(flowgen_sessions):
    assert anyio.run(ask, flowgen_sessions.transport(calc)) == 6

def test_none(flowgen_sessions):
    assert False
"""


SMALL = """
import asyncio

class Message:
    def model_dump_json(self, **how):
        return '{"jsonrpc": "2.0", "method": "notifications/initialized"}'

class Item:
    message = Message()

class Stream:
    async def send(self, item):
        pass

def test_right(flowgen_sessions):
    stream = Stream()
    read, write = flowgen_sessions.streams(None, stream)
    asyncio.run(write.send(Item()))
    assert (write is not stream) is LISTENED
"""


def run(folder, *words, suite=SUITE):
    """pytest in a folder with a suite: its exit code and what it printed."""
    (folder / "test_calc.py").write_text(suite)
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "FLOWGEN"))}
    env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # of others: they take longer than the tests
    command = [sys.executable, "-m", "pytest", "-p", "flowgen", "-p", "no:cacheprovider", "-q", "test_calc.py", *words]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """What a run with `--flowgen` left."""
    folder = tmp_path_factory.mktemp("kept")
    code, printed = run(folder, "--flowgen", "sessions", "--junit-xml", "report.xml")
    assert code == 1, printed
    return folder, printed


def test_failing_tests_leave_a_recording_and_a_picture(kept):
    folder, _ = kept
    (streams,) = (path.stem for path in (folder / "sessions").glob("*streams*.json"))
    broken = "test_calc.py-test_two_sessions_and_a_broken_end"
    names = ["test_calc.py-test_wrong", streams, broken, f"{broken}+2"]  # no name of another test has a +
    assert {path.name for path in (folder / "sessions").iterdir()} == {
        f"{name}{suffix}" for name in names for suffix in (".json", ".svg")
    }


def test_the_recording_holds_what_the_sdk_said_and_heard(kept):
    trace = api.load(kept[0] / "sessions" / "test_calc.py-test_wrong.json", view="flow")
    methods = [message.body["method"] for message in trace.messages if message.kind == "request"]
    assert methods == ["initialize", "tools/call"] or methods == ["initialize", "tools/call", "tools/list"]
    assert [each.title for each in trace.participants] == ["mcp 0.1.0", "calc 1.0"]
    assert trace.title == "test_calc.py::test_wrong" and trace.missing == ["heads", "stderr"]
    assert not [code for message in trace.messages for code in message.codes]


def test_the_paths_are_properties_in_junit_and_lines_at_the_end(kept):
    folder, printed = kept
    cases = {case.get("name"): case for case in ET.parse(folder / "report.xml").iter("testcase")}
    told = {each.get("name"): each.get("value") for each in cases["test_wrong"].iter("property")}
    assert told["flowgen.picture"] == os.path.join("sessions", "test_calc.py-test_wrong.svg")
    assert (folder / told["flowgen.trace"]).exists() and f"flowgen: {told['flowgen.picture']}" in printed
    assert not list(cases["test_right"].iter("property")) and not list(cases["test_none"].iter("property"))


def test_without_the_option_nothing_is_listened_to(tmp_path):
    code, printed = run(tmp_path, suite=SMALL.replace("LISTENED", "False"))
    assert code == 0 and "flowgen:" not in printed
    assert [path.name for path in tmp_path.iterdir() if path.suffix] == ["test_calc.py"]


def test_passing_tests_leave_theirs_when_all_are_asked_for(tmp_path):
    code, printed = run(tmp_path, "--flowgen", "all", "--flowgen-all", suite=SMALL.replace("LISTENED", "True"))
    assert code == 0, printed
    assert json.loads((tmp_path / "all" / "test_calc.py-test_right.json").read_text())["messages"]


def test_a_folder_that_cannot_be_written_fails_no_test(tmp_path, seed, monkeypatch):
    (tmp_path / "taken").write_text("")
    sessions, report = Sessions(True), SimpleNamespace(sections=[])
    monkeypatch.setattr(flowgen, "record", lambda *_: seed)
    assert sessions.record() is seed
    assert _Keeper(tmp_path / "taken", True)._kept(sessions, "a.py::test", report) == []
    assert report.sections[0][1].startswith("not kept: ")


def test_the_plugin_is_found_and_loads_nothing_beyond_pytest():
    (found,) = (each for each in entry_points(group="pytest11") if each.name == "flowgen")
    assert found.value == "flowgen.ext.pytest_plugin"
    script = "import pytest, sys; a = {*sys.modules}; import flowgen.ext.pytest_plugin; print(*{*sys.modules} - a)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    ours = {name for name in done.stdout.split() if name.partition(".")[0] == "flowgen"}
    assert {*done.stdout.split()} == ours and "flowgen.api" not in ours


def test_names_of_files_are_plain_and_their_own():
    assert named("tests/test_a.py::test_b[x-1]") == "tests.test_a.py-test_b-x-1"
    hostile = ["a.py::t[../../etc]", "a.py::t[..-..-etc]", "a.py::t[\0]", "a.py::t[é]", "a.py::t[" + "x" * 999 + "]"]
    names = [named(each) for each in hostile]
    assert len({*names}) == len(names) and all(len(name) < 120 and name.isascii() and "/" not in name for name in names)
