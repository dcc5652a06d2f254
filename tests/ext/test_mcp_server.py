"""`flowgen mcp` as agents use it: the SDK's client over its transports, the Inspector, and who wants to get out."""

import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import tomllib
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, get_args

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client, MCPError, StdioServerParameters, stdio_client

from flowgen import api
from flowgen.errors import UsageError
from flowgen.ext import _mcp_draw, _mcp_reach, _mcp_record, _mcp_samples, _mcp_serve
from flowgen.ext.mcp_server import Looks, server
from flowgen.scene import theme_names
from tests.cli.conftest import typed
from tests.traces import SAMPLES

ROOT = SAMPLES.parent
SERVER = [sys.executable, "-m", "flowgen.demo", "--scenario", "seed"]
SECONDS = 60


def asked(questions: Any, *arguments: Any) -> Any:
    """What `questions(client)` gives, asked of a server in this process."""

    async def ask() -> Any:
        with anyio.fail_after(SECONDS):
            async with Client(server(*arguments)) as client:
                return await questions(client)

    return anyio.run(ask)


def called(tool: str, *arguments: Any, **given: Any) -> Any:
    """The result of one tool."""
    return asked(lambda client: client.call_tool(tool, given), *(arguments or ([str(SAMPLES)],)))


def text(result: Any) -> str:
    return result.content[0].text


# tools


def test_a_recording_is_drawn_as_mermaid_unless_something_else_is_asked_for():
    drawn = called("draw", path="seed.json")
    assert not drawn.is_error and "sequenceDiagram" in text(drawn) and len(text(drawn)) < 4000


@pytest.mark.parametrize(("form", "sign"), [("txt", "tools/call"), ("svg", "</svg>"), ("json", '"steps"')])
def test_a_recording_is_drawn_in_other_formats(form, sign):
    assert sign in text(called("draw", path="seed.json", format=form, limit=100_000))


def test_a_png_is_an_image():
    (block,) = called("draw", path="seed.json", format="png", steps="1").content
    assert (block.type, block.mime_type) == ("image", "image/png")
    assert base64.b64decode(block.data).startswith(b"\x89PNG")


def test_configs_and_descriptions_are_drawn_from_their_text_too():
    config = json.dumps({"mcpServers": {"files": {"command": "uvx", "args": ["files-example@1.2.0"]}}})
    drawn = called("draw", text=config, format="txt")
    assert not drawn.is_error and "files-example" in text(drawn)
    description = "flowgen: topology\nhost my-ide:\n  servers:\n    files: uvx files-example@1.2.0\n"
    assert "my-ide" in text(called("draw", text=description))


def test_what_is_too_large_says_how_to_ask_for_less():
    told = called("draw", path="seed.json", format="svg")
    assert told.is_error and "more than the limit of 20,000 (take a part" in text(told)


def test_what_was_started_with_holds_where_nothing_else_is_asked_for():
    drawn = called("draw", [str(SAMPLES)], (), Looks("dark", "zh"), path="seed.json", format="txt")
    assert "初始化" in text(drawn)


def test_findings_come_as_text_and_as_data():
    server = {"command": "npx", "args": ["-y", "a-mcp"], "env": {"TOKEN": "s3cr3tvalue"}}
    config = json.dumps({"mcpServers": {"a": server}})
    told = called("check", text=config, most=1)
    (finding,) = told.structured_content["findings"]
    assert finding["severity"] == "high" and finding["code"] in text(told) and "s3cr3tvalue" not in str(told)
    assert told.structured_content["left_out"] > 0 and "more: most=" in text(told)
    assert text(called("check", path="seed.json")) == "no findings"


def test_recordings_are_laid_over_a_config():
    laid = {"path": "architecture/mcp.json", "seen": ["architecture/trace.json"]}
    drawn, plain = called("draw", **laid, format="txt"), called("draw", path="architecture/mcp.json", format="txt")
    assert not drawn.is_error and text(drawn) != text(plain)
    config = json.dumps({"mcpServers": {"files": {"command": "uvx", "args": ["files-example@1.2.0"]}}})
    told = called("check", text=config, seen=["seed.json"]).structured_content["findings"]
    assert "undeclared-server" in [each["code"] for each in told]


def test_two_sessions_are_compared():
    told = called("diff", old="flowgen://samples/handshake", new="flowgen://samples/stateless")
    assert told.structured_content == {"different": True} and "2025-11-25 → 2026-07-28" in text(told)
    same = called("diff", old="seed.json", new="seed.json")
    assert same.structured_content == {"different": False}


def test_every_tool_tells_what_it_does_and_what_it_touches():
    tools = asked(lambda client: client.list_tools(), [str(SAMPLES)], ["any"]).tools
    assert [tool.name for tool in tools] == ["draw", "check", "diff", "record"]
    for tool in tools:
        assert tool.title and tool.description and tool.annotations.read_only_hint is (tool.name != "record")
        assert tool.output_schema or tool.name == "draw"
        assert not [name for name, each in tool.input_schema["properties"].items() if not each.get("description")]
    given_ = tools[0].input_schema["properties"]
    assert all(given_[name]["type"] == "string" and given_[name]["description"] for name in ("path", "text"))


def test_themes_are_those_that_there_are():
    assert {*get_args(_mcp_draw.ThemeName)} == {"auto", "light", "dark", *theme_names()} - {"default"}


# recording


def test_nothing_is_recorded_unless_it_was_allowed():
    tools = asked(lambda client: client.list_tools()).tools
    assert "record" not in [tool.name for tool in tools]
    assert called("record", demo="seed").is_error


def test_a_server_that_was_named_is_recorded_and_its_recording_has_an_address():
    import shlex

    async def record_and_draw(client: Any) -> Any:
        refused = await client.call_tool("record", {"command": ["sh", "-c", "echo"]})
        made = await client.call_tool("record", {"command": SERVER, "lists": "all"})
        address = made.structured_content["address"]
        drawn = await client.call_tool("draw", {"path": address, "format": "txt"})
        return refused, made, drawn, await client.read_resource(address)

    refused, made, drawn, kept = asked(record_and_draw, ["."], [shlex.join(SERVER)])
    assert refused.is_error and "may not be recorded (allowed are:" in text(refused)
    assert made.structured_content["complete"] and "sequenceDiagram" in made.content[1].text
    assert "tools/list" in text(drawn)
    assert json.loads(kept.contents[0].text)["format"] == "flowgen.trace/1"


@pytest.mark.parametrize(
    ("words", "given_"),
    [
        (["python server.py"], {"command": ["python", "server.py", "--more"]}),
        (["python server.py"], {"command": ["python server.py"]}),
        (["https://a.example/mcp"], {"url": "https://a.example/mcp?x"}),
        (["https://a.example/mcp"], {"command": ["https://a.example/mcp"]}),
        (["any"], {"demo": "../seed.toml"}),
        (["any"], {"command": []}),
        (["any"], {}),
        (["any"], {"demo": "seed", "url": "https://a.example"}),
    ],
)
def test_what_is_not_what_was_named_is_refused(words, given_):
    asked_ = {"command": [], "url": "", "demo": "", **given_}
    with pytest.raises(UsageError):
        _mcp_record.Allowed(words).checked(**asked_)


def test_the_oldest_recording_goes_first(seed):
    recordings = _mcp_record.Recordings()
    addresses = [recordings.keep(seed) for _ in range(_mcp_record.KEPT + 1)]
    assert len({*addresses}) == len(addresses)
    assert json.loads(recordings.read(addresses[-1]))
    with pytest.raises(UsageError, match="no such recording"):
        recordings.read(addresses[0])


# resources


def test_samples_are_resources_and_pictures():
    async def read(client: Any) -> Any:
        listed = (await client.list_resources()).resources
        texts = [(await client.read_resource(each.uri)).contents[0].text for each in listed]
        with pytest.raises(MCPError):
            await client.read_resource("flowgen://samples/..%2Fmake.py/svg")
        return texts, (await client.read_resource("flowgen://samples/seed/txt")).contents[0].text

    texts, picture = asked(read)
    assert len(texts) == len(_mcp_samples.SAMPLES) and all(texts) and "tools/call" in picture


def test_the_wheel_holds_the_samples():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    shipped = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for row in _mcp_samples.SAMPLES.values():
        assert shipped[f"samples/{row.file}"] == f"flowgen/samples/{row.file}"


# what lies outside


@pytest.fixture
def inside(tmp_path):
    """A folder that may be read, with ways out of it."""
    root = tmp_path / "inside"
    root.mkdir()
    shutil.copy(SAMPLES / "seed.json", root / "good.json")
    (tmp_path / "secret.json").write_text("secret")
    if os.name == "posix":
        (root / "link.json").symlink_to(tmp_path / "secret.json")
        (root / "up").symlink_to(tmp_path)
        (root / "fine.json").symlink_to("good.json")
        os.mkfifo(root / "pipe.json")
    return root


def reach(root: Path) -> _mcp_reach.Reach:
    return _mcp_reach.Reach(_mcp_reach.rooted((str(root),)), _mcp_samples.sample)


@pytest.mark.parametrize("path", ["../secret.json", "link.json", "up/secret.json", "/etc/passwd", "pipe.json", ".",
                                  "absent.json", "good.json/x", "a\0b", "~/x", "/dev/zero", "x" * 5000])  # fmt: skip
def test_what_lies_outside_is_told_as_what_is_not_there(inside, path):
    with pytest.raises(UsageError, match="no such file below"):
        reach(inside).file(path, "")


@pytest.mark.parametrize("path", ["good.json", "./up/inside/good.json", "{root}/good.json", "fine.json"])
def test_what_lies_below_a_root_is_read_however_it_is_named(inside, path):
    assert reach(inside).file(path.format(root=inside), "")[1] == (SAMPLES / "seed.json").read_bytes()


PARTS = st.sampled_from(["..", ".", "", "up", "link.json", "fine.json", "good.json", "secret.json", "inside", "~", "/"])


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PARTS | st.text(max_size=3), max_size=8).map("/".join))
def test_no_path_leads_out(inside, path):
    try:
        name, data = reach(inside).file(path or ".", "")
    except UsageError as problem:
        assert "no such file below" in str(problem)
    else:
        assert name == path and data == (SAMPLES / "seed.json").read_bytes()


def test_too_much_is_refused(inside, monkeypatch):
    monkeypatch.setattr(_mcp_reach, "LARGEST", 10)
    with pytest.raises(UsageError, match="larger than"):
        reach(inside).file("good.json", "")
    with pytest.raises(UsageError, match="characters, more than"):
        reach(inside).file("", "x" * (_mcp_reach.LONGEST + 1))
    with pytest.raises(UsageError, match="either a path or a text"):
        reach(inside).file("good.json", "x")


@settings(max_examples=25)
@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), lambda each: st.dictionaries(st.text(), each))
       .map(json.dumps))  # fmt: skip
def test_whatever_is_sent_along_there_is_a_picture_or_a_plain_error(sent):
    from flowgen.errors import FlowgenError

    try:
        assert _mcp_draw.drawn(reach(SAMPLES).file("", sent), "txt", "auto", None, 1.0, {})
    except FlowgenError as problem:
        assert str(problem)


def test_hostile_arguments_are_errors_of_the_tool_and_the_server_lives():
    async def ask(client: Any) -> list[Any]:
        attacks = [{"path": 7}, {"path": "seed.json", "theme": "/etc/passwd"}, {"path": "seed.json", "steps": "9-1"},
                   {"path": "seed.json", "scale": 1e9, "format": "png"}, {"path": "seed.json", "limit": -1},
                   {"text": "{" * 5000}, {"text": "\ud800"}, {"path": "flowgen://samples/../make.py"},
                   {"path": "flowgen://recordings/x"}, {"path": "file:///etc/passwd"}, {},
                   {"path": "a" * 99_999}, {"path": "seed.json", "only": ["[" * 99_999]}]  # fmt: skip
        told = [await client.call_tool("draw", each) for each in attacks]
        return [*told, await client.call_tool("draw", {"path": "seed.json"})]

    *told, last = asked(ask, [str(SAMPLES)])
    assert [result.is_error for result in told] == [True] * len(told) and not last.is_error
    assert all("root:" not in text(result) and "Traceback" not in text(result) for result in told)
    assert all(len(text(result)) < 3000 for result in told)  # whatever was sent is not sent back


# over its transports


def test_the_sdks_client_speaks_to_it_over_stdio():
    async def ask() -> Any:
        command = StdioServerParameters(command=sys.executable, args=["-m", "flowgen", "mcp", "--root", str(SAMPLES)])
        with anyio.fail_after(SECONDS):
            async with Client(stdio_client(command)) as client:
                return await client.call_tool("draw", {"path": "seed.json"})

    assert "sequenceDiagram" in text(anyio.run(ask))


@pytest.mark.skipif(os.name != "posix", reason="signals as a terminal sends them")
def test_an_interrupt_ends_it_while_it_waits_for_its_client():
    command = [sys.executable, "-m", "flowgen", "mcp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130


@asynccontextmanager
async def listening(*words: str) -> Any:
    """`flowgen mcp --http` on a free port; gives its address."""
    command = [sys.executable, "-m", "flowgen", "mcp", "--root", str(SAMPLES), "--http", "127.0.0.1:0", *words]
    async with await anyio.open_process(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        assert process.stderr
        said = (await process.stderr.receive()).decode()
        yield said.split()[-1]
        process.terminate()


def test_the_sdks_client_speaks_to_it_over_http_and_strangers_do_not():
    import httpx

    async def ask() -> Any:
        with anyio.fail_after(SECONDS):
            async with listening() as url, Client(url, mode="legacy") as client, httpx.AsyncClient() as web:
                told = await client.call_tool("draw", {"path": "seed.json"})
                led = await web.post(url, json={}, headers={"Host": "evil.example"})
                page = await web.post(url, json={}, headers={"Origin": "https://evil.example"})
                return told, led.status_code, page.status_code

    told, led, page = anyio.run(ask)
    assert "sequenceDiagram" in text(told) and led == 421 and page == 403


def test_the_inspector_speaks_to_it():
    folder = os.environ.get("FLOWGEN_NODE_SERVERS", "/nonexistent")
    program = Path(folder) / "node_modules" / ".bin" / "mcp-inspector"
    if not program.exists():
        needed = "the Inspector is missing: npm install @modelcontextprotocol/inspector"
        pytest.fail(needed) if os.environ.get("FLOWGEN_REQUIRE_REAL") else pytest.skip(needed)
    command = [str(program), "--cli", sys.executable, "-m", "flowgen", "mcp", "--root", str(SAMPLES)]
    call = ["--method", "tools/call", "--tool-name", "draw", "--tool-arg", "path=seed.json"]
    done = subprocess.run([*command, *call], capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    assert "sequenceDiagram" in json.loads(done.stdout)["content"][0]["text"]


# the command


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--http", "0.0.0.0:0"], "other machines could reach it"),
        (["--http", "nowhere"], "expected HOST:PORT"),
        (["--http", "127.0.0.1:99999"], "expected HOST:PORT"),
        (["--allow-remote"], "--allow-remote goes with --http"),
        (["--http", "0.0.0.0:0", "--allow-remote", "--allow-record", "any"], "could start any program"),
        (["--allow-record", "'"], "--allow-record"),
        (["--allow-record", ""], "--allow-record is empty"),
        (["--root", "absent"], "no such folder"),
    ],
)
def test_wrong_usage_is_told_before_anything_is_served(tmp_path, words, told):
    done = typed("mcp", *words, cwd=tmp_path)
    assert done.returncode == 2 and told in done.stderr.decode()


def test_no_file_in_a_folder_opens_a_door(tmp_path):
    (tmp_path / "flowgen.toml").write_text('[mcp]\nallow-record = ["any"]\n')
    done = typed("mcp", cwd=tmp_path)
    assert done.returncode == 2
    assert b"allow-record: counts only where it is typed\nhint: flowgen mcp --allow-record" in done.stderr


def test_a_missing_sdk_is_told_with_the_extra():
    script = "import sys; sys.modules['mcp'] = None; sys.argv = ['flowgen', 'mcp']; import flowgen.cli as c; c.main()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=SECONDS, check=False)
    assert done.returncode == 4
    assert b"needs the official SDK" in done.stderr and b"pip install 'mcp-flowgen[mcp]'" in done.stderr


def test_a_port_that_is_taken_is_told():
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = typed("mcp", "--http", f"127.0.0.1:{port}", cwd=SAMPLES)
    assert done.returncode == 1 and f"--http 127.0.0.1:{port}: Address already in use".encode() in done.stderr


@pytest.mark.parametrize(("text_", "host", "local"), [("8900", "127.0.0.1", True), ("[::1]:1", "::1", True),
                                                      ("example.org:80", "example.org", False)])  # fmt: skip
def test_an_address_is_this_machine_unless_it_says_another(text_, host, local):
    found = _mcp_serve.address(text_, allow_remote=True)
    assert (found.host, found.local) == (host, local)


def test_a_recording_keeps_what_it_is_when_it_is_saved(seed, tmp_path):
    api.save(seed, tmp_path / "copy.jsonl")
    assert api.load(tmp_path / "copy.jsonl", view="flow") == seed


def test_its_own_session_keeps_the_rules():
    assert list(api.check(SAMPLES / "mcp" / "trace.json")) == []
