"""A tap between pipes is to both sides as if it were not there, whatever they do and whatever the recording does."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from flowgen.trace import load
from tests.record.servers.tapped import COMPLAINTS, ODD

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the tap runs on POSIX")

SERVER = Path(__file__).parent / "servers" / "tapped.py"
FLOWGEN = Path(sys.executable).with_name("flowgen")
DEADLINE = 20.0
CALL = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}\n'
TO_SERVER = b"".join([
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n', b"no json\n\n\n", b"\xff\xfe \x00 nul\n",
    b'{"jsonrpc":"2.0","method":"notifications/large","params":"' + b"c" * (1 << 20) + b'"}\r\n',
    b'{"jsonrpc":"2.0","method":"notifications/last"}',
])  # fmt: skip


class Tapped:
    """A session through the tap with `tapped.py KIND`."""

    def __init__(self, folder: Path, kind: str, *more: str, trace: str | None = None, **options):
        self.log, self.trace = folder / "log", Path(trace or folder / "trace.jsonl")
        argv = [FLOWGEN, "tap", "-o", self.trace, "--", sys.executable, SERVER, kind, self.log, *more]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        self.process = subprocess.Popen(list(map(str, argv)), bufsize=0, start_new_session=True, **pipes)
        self._watchdog = threading.Timer(DEADLINE, self.process.kill)
        self._watchdog.start()

    def said(self, data: bytes) -> None:
        self.process.stdin.write(data)

    def line(self) -> bytes:
        """The next line for the client."""
        data = b""
        while not data.endswith(b"\n") and (byte := self.process.stdout.read(1)):
            data += byte
        return data

    def ended(self, data: bytes = b"") -> tuple[int, bytes, bytes]:
        """Exit code, what came out and what was complained, after the client said this and nothing more."""
        out, complaints = self.process.communicate(data)
        self._watchdog.cancel()
        return self.process.returncode, out, complaints

    def rows(self) -> list[dict]:
        return [json.loads(row) for row in self.trace.read_bytes().split(b"\n")[:-1]]

    def kinds(self) -> list[str]:
        return [message.kind for message in load(self.trace.read_bytes()).messages]


@pytest.fixture
def tapped(tmp_path):
    started = []

    def start(kind, *more, **options):
        started.append(Tapped(tmp_path, kind, *more, **options))
        return started[-1]

    yield start
    for each in started:
        each._watchdog.cancel()
        each.process.kill()
        for pipe in (each.process.stdin, each.process.stdout, each.process.stderr):
            if pipe:
                pipe.close()
        each.process.wait()


def eventually(holds, what="in time"):
    until = time.monotonic() + DEADLINE
    while not (found := holds()):
        assert time.monotonic() < until, what
        time.sleep(0.01)
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_every_byte_passes_unchanged_in_both_directions_and_so_do_complaints_and_exit_code(tapped):
    session = tapped("odd")
    code, out, complaints = session.ended(TO_SERVER)
    assert out == b"".join(ODD)
    assert session.log.read_bytes() == TO_SERVER
    assert complaints == COMPLAINTS
    assert code == 7
    trace = load(session.trace.read_bytes())
    assert trace.outcome.exit_code == 7 and trace.outcome.reason == "done"
    codes = {problem.code for message in trace.messages for problem in message.problems}
    assert {"bom", "crlf", "invalid-utf8", "batch", "not-json", "duplicate-key", "unterminated"} <= codes


def test_the_recording_is_json_lines_readable_by_its_owner_only(tapped):
    session = tapped("echo")
    for number in range(3):
        session.said(CALL % number)
        assert json.loads(session.line())["id"] == number
    assert session.ended()[0] == 0
    header, *messages, last = session.rows()
    assert header["format"] == "flowgen.trace/1" and header["command"][1:3] == [str(SERVER), "echo"]
    assert [row["body"]["id"] for row in messages if row["kind"] in ("request", "response")] == [0, 0, 1, 1, 2, 2]
    assert last == {"outcome": {"complete": True, "reason": "done", "exit_code": 0}}
    assert session.trace.stat().st_mode & 0o777 == 0o600


def test_answers_come_through_after_the_client_has_ended_its_input(tapped):
    session = tapped("late")
    code, out, _ = session.ended(CALL % 1 * 3)
    assert (code, out.count(b"\n"), session.log.read_text()) == (0, 500, "3")


def test_a_server_that_closes_its_output_is_still_spoken_to(tapped):
    session = tapped("mute")
    assert b"last" in session.line() and session.line() == b""
    assert session.process.poll() is None
    assert session.ended(b"x" * 100000)[0] == 4
    assert session.log.read_text() == "100000"


def test_the_tap_ends_with_the_server_though_its_client_would_go_on(tapped):
    session = tapped("leaves")
    assert session.process.wait(DEADLINE) == 5
    assert load(session.trace.read_bytes()).outcome.reason == "server-exited"


def test_a_server_that_is_killed_is_told_to_the_client_as_such(tapped):
    session = tapped("dies")
    assert session.process.wait(DEADLINE) == -signal.SIGKILL
    outcome = load(session.trace.read_bytes()).outcome
    assert (outcome.signal, outcome.complete) == ("SIGKILL", False)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGUSR1"])
def test_signals_go_on_to_the_server(tapped, name):
    session = tapped("hears")
    session.line()
    session.process.send_signal(getattr(signal, name))
    assert session.process.wait(DEADLINE) == 9
    assert session.log.read_text() == name
    trace = load(session.trace.read_bytes())
    events = [message.body for message in trace.messages if message.kind == "process"]
    assert {"event": "signal-sent", "signal": name} in events
    assert trace.outcome.reason == ("server-exited" if name == "SIGUSR1" else "interrupted")


def test_neither_side_blocks_the_other(tapped):
    session = tapped("flood")
    code, out, _ = session.ended(b"g" * (4 << 20))
    assert (code, len(out), session.log.read_text()) == (0, 4 << 20, str(4 << 20))


def test_arguments_folder_and_variables_are_the_servers(tapped, tmp_path):
    odd = ["two words", "", "*", "$HOME", 'quo"te', "-o", "--", "ünï"]
    session = tapped("told", *odd, env={**os.environ, "TAPPED": "yes"}, cwd=tmp_path)
    assert session.ended()[0] == 0
    assert session.log.read_text() == repr((odd, str(tmp_path), "yes"))


def test_secrets_pass_and_are_not_written_down(tapped):
    session = tapped("secret")
    asked = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"password":"Zebra-77q"}}}\n'
    code, out, complaints = session.ended(asked)
    assert session.log.read_bytes() == asked and b"ghp_Zq7" in out and b"sk-live" in complaints
    written = session.trace.read_bytes()
    assert code == 0 and not [word for word in (b"Zebra", b"ghp_", b"sk-live") if word in written]


def test_a_program_that_is_not_there_ends_as_in_a_shell_and_says_so(tmp_path):
    argv = [FLOWGEN, "tap", "-o", tmp_path / "t.jsonl", "--", tmp_path / "nobody"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=DEADLINE, stdin=subprocess.DEVNULL)
    assert done.returncode == 127 and done.stderr.startswith("flowgen: cannot start")
    assert load((tmp_path / "t.jsonl").read_bytes()).outcome.reason == "start-failed"


# the recording is not the session


@pytest.mark.parametrize("place", ["/dev/full", "/proc/nowhere/trace.jsonl"])
def test_where_nothing_can_be_written_the_session_goes_on_and_a_line_says_so(tapped, place):
    session = tapped("echo", trace=place)
    session.said(CALL % 1)
    assert json.loads(session.line())["id"] == 1
    code, _, complaints = session.ended()
    assert code == 0 and complaints.startswith(b"flowgen: ") and complaints.count(b"\n") == 1


def test_a_second_tap_does_not_write_over_the_file_of_the_first(tapped, tmp_path):
    first = tapped("echo")
    first.said(CALL % 1)
    first.line()
    second = tapped("echo")
    second.said(CALL % 2)
    second.line()
    assert (first.ended()[0], second.ended()[0]) == (0, 0)
    ids = [json.loads(row)["body"]["id"] for name in ("trace.jsonl", "trace-2.jsonl")
           for row in (tmp_path / name).read_text().splitlines() if '"request"' in row]  # fmt: skip
    assert ids == [1, 2]


# the end of one of the three


def test_a_killed_tap_leaves_what_it_saw_and_no_server(tapped):
    session = tapped("stubborn")
    session.line()
    server = int(session.log.read_text())
    session.said(CALL % 1)
    eventually(lambda: b"tools/call" in session.trace.read_bytes())
    session.process.kill()
    session.process.wait()
    eventually(lambda: not alive(server), "the server lives on")
    eventually(lambda: b'"outcome"' in session.trace.read_bytes())
    assert session.kinds() == ["process", "notification", "request"]
    assert load(session.trace.read_bytes()).outcome.reason == "cut"


def test_a_killed_client_ends_the_session_as_it_would_without_a_tap(tapped, tmp_path):
    argv = [FLOWGEN, "tap", "-o", tmp_path / "trace.jsonl", "--", sys.executable, SERVER, "echo", tmp_path / "log"]
    started = f"subprocess.Popen({list(map(str, argv))!r}, stdin=subprocess.PIPE)"
    script = f"import subprocess, time; {started}; time.sleep(60)"
    client = subprocess.Popen([sys.executable, "-c", script])
    eventually((tmp_path / "trace.jsonl").exists)
    client.kill()
    client.wait()
    eventually((tmp_path / "log").exists)
    eventually(lambda: b'"outcome"' in (tmp_path / "trace.jsonl").read_bytes())
    assert load((tmp_path / "trace.jsonl").read_bytes()).outcome.complete


def test_a_tap_whose_writer_is_killed_passes_everything_on(tapped):
    session = tapped("echo")
    session.said(CALL % 1)
    session.line()
    children = Path(f"/proc/{session.process.pid}/task/{session.process.pid}/children")
    if not children.exists():
        pytest.skip("the system does not tell whose child is who")
    asides = [int(pid) for pid in children.read_text().split()
              if b"tapped.py\0echo" in Path(f"/proc/{pid}/cmdline").read_bytes()
              and b"tap\0-o" in Path(f"/proc/{pid}/cmdline").read_bytes()]  # fmt: skip
    eventually(lambda: session.trace.read_bytes())
    os.kill(asides[0], signal.SIGKILL)
    for number in range(2, 200):
        session.said(CALL % number)
        assert json.loads(session.line())["id"] == number
    code, _, complaints = session.ended()
    assert code == 0 and b"part of the session only" in complaints
    load(session.trace.read_bytes())


def test_a_real_client_runs_its_session_through_the_tap_unharmed(tmp_path):
    """The official SDK, client and server."""
    pytest.importorskip("mcp")
    import anyio
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    trace = tmp_path / "sdk.jsonl"
    server = str(SERVER.with_name("sdk_server.py"))
    params = StdioServerParameters(command=str(FLOWGEN), args=["tap", "-o", str(trace), "--", sys.executable, server])

    async def session() -> int:
        with anyio.fail_after(DEADLINE):
            async with stdio_client(params) as (reading, writing), ClientSession(reading, writing) as client:
                await client.initialize()
                return len((await client.list_tools()).tools)

    assert anyio.run(session) > 0
    recorded = load(trace.read_bytes())
    methods = [message.body["method"] for message in recorded.messages if message.kind == "request"]
    assert methods[:2] == ["initialize", "tools/list"]
    assert [who.title is not None for who in recorded.participants] == [True, True]
    assert recorded.outcome.complete
    assert {message.revision for message in recorded.messages if message.kind == "response"} != {None}


def test_a_host_that_ignores_the_end_of_children_does_not_hold_the_tap(tmp_path):
    argv = [FLOWGEN, "tap", "-o", tmp_path / "t.jsonl", "--", sys.executable, SERVER, "leaves", tmp_path / "log"]
    ignoring = "import os, signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)"
    script = f"{ignoring}; os.execv({str(FLOWGEN)!r}, {list(map(str, argv))!r})"
    assert subprocess.run([sys.executable, "-c", script], timeout=DEADLINE, stdout=subprocess.DEVNULL).returncode == 5


def test_a_closed_standard_input_is_the_end_of_it(tmp_path):
    shell = shutil.which("sh")
    argv = f"exec {FLOWGEN} tap -o {tmp_path}/t.jsonl -- {sys.executable} {SERVER} echo {tmp_path}/log <&-"
    assert subprocess.run([shell, "-c", argv], timeout=DEADLINE).returncode == 0
    assert load((tmp_path / "t.jsonl").read_bytes()).outcome.complete


def test_a_folder_that_is_gone_and_a_closed_standard_error_do_not_disturb_the_session(tmp_path):
    gone = tmp_path / "gone"
    argv = f"{FLOWGEN} tap -o t.jsonl -- {sys.executable} -c 'print(1)'"
    run = subprocess.run(
        ["sh", "-c", f"mkdir {gone}; cd {gone}; rmdir {gone}; {argv}"], capture_output=True, timeout=DEADLINE
    )
    assert (run.returncode, run.stdout) == (0, b"1\n") and b"nothing is recorded: t.jsonl" in run.stderr
    run = subprocess.run(
        ["sh", "-c", f"{argv} 2>&-"], capture_output=True, timeout=DEADLINE, cwd=tmp_path, stdin=subprocess.DEVNULL
    )
    assert (run.returncode, run.stdout) == (0, b"1\n")
    assert load((tmp_path / "t.jsonl").read_bytes()).outcome.exit_code == 0


def test_a_server_without_a_name_is_told_in_a_line(tmp_path):
    argv = [FLOWGEN, "tap", "-o", tmp_path / "t.jsonl", "--", ""]
    run = subprocess.run(argv, capture_output=True, timeout=DEADLINE, stdin=subprocess.DEVNULL)
    assert (run.returncode, run.stderr.count(b"\n")) == (127, 1) and b"cannot start" in run.stderr
