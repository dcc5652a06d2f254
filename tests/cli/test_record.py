"""`flowgen record`, as it is typed."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from flowgen.cli._watch import failures
from tests.cli.conftest import typed

SERVERS = Path(__file__).parent.parent / "record" / "servers"
ODD = [sys.executable, str(SERVERS / "odd.py")]
DEADLINE = 60


@pytest.fixture
def run(tmp_path):
    """Runs `flowgen record …` in an empty folder."""

    def started(*arguments, **options):
        return typed("record", *arguments, cwd=tmp_path, **options)

    return started


def sent(document):
    return [
        message["body"]["method"]
        for message in document["messages"]
        if message["sender"] == "client" and "method" in message["body"]
    ]


def test_without_anything_the_demo_goes_to_stdout_and_nothing_else(run):
    done = run()
    document = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, b"")
    assert sent(document) == [
        "initialize", "notifications/initialized", "tools/list", "tools/call", "tools/list",
    ]  # fmt: skip
    assert document["title"] == "MCP Architecture - Client-Server Interaction Flow"
    assert document["outcome"] == {"complete": True, "reason": "done", "exit_code": 0}


def test_the_full_demo_runs_with_its_own_answers(run):
    done = run("--demo", "full", "-o", "full.jsonl")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_file_is_readable_by_its_owner_only(run, tmp_path):
    done = run("-o", "trace.json")
    assert (done.returncode, done.stdout) == (0, b"")
    assert os.name != "posix" or (tmp_path / "trace.json").stat().st_mode & 0o077 == 0


def test_json_lines_have_a_header_messages_and_an_outcome(run, tmp_path):
    run("-o", "trace.jsonl")
    first, *messages, last = map(json.loads, (tmp_path / "trace.jsonl").read_text("utf-8").splitlines())
    assert first["format"] == "flowgen.trace/1" and "messages" not in first
    assert [message["seq"] for message in messages] == list(range(1, len(messages) + 1))
    assert last["outcome"]["complete"]


def test_what_is_asked_for_is_done_in_the_order_typed(run):
    done = run(
        "--list", "none", "--read", "a://b", "--call", 'echo={"text": "hi"}', "--prompt", 'p={"n": "x"}',
        "--call", "echo", "--complete", "p:n=x", "--revision", "2025-06-18", "--", *ODD,
    )  # fmt: skip
    document = json.loads(done.stdout)
    bodies = [m["body"] for m in document["messages"] if m["kind"] == "request"][1:]
    assert [(body["method"], body["params"].get("arguments")) for body in bodies] == [
        ("resources/read", None), ("tools/call", {"text": "hi"}), ("prompts/get", {"n": "x"}),
        ("tools/call", {}), ("completion/complete", None),
    ]  # fmt: skip
    assert done.returncode == 0


def test_a_command_needs_no_dashes_before_it(run):
    document = json.loads(run("--revision", "2025-06-18", *ODD, "-v", "--list").stdout)
    assert document["command"] == [*ODD, "-v", "--list"]


def test_an_option_after_the_command_is_the_servers_and_stderr_says_so(run):
    done = run(*ODD, "-o", "t.json", "--env=A=secret")
    assert b"flowgen: -o stands after the command and goes to the server; ours stand before it\n" in done.stderr
    assert json.loads(done.stdout)["command"][2:4] == ["-o", "t.json"] and b"secret" not in done.stderr
    assert b"stands after" not in run("--", *ODD, "-o", "t.json").stderr


@pytest.mark.parametrize(
    ("settings", "typed", "recorded"),
    [
        ({"FLOWGEN_SERVER": "nowhere"}, ["--", *ODD], ODD),
        ({"FLOWGEN_RECORD_DEMO": "full"}, ["--", *ODD], ODD),
        ({"FLOWGEN_DEMO": "full"}, ["--server", f"'{ODD[0]}' '{ODD[1]}'"], ODD),
        ({"FLOWGEN_RECORD_SERVER": f"{ODD[0]}  {ODD[1]}"}, [], ODD),
    ],
)
def test_a_server_that_is_typed_wins_over_that_of_the_settings(run, monkeypatch, settings, typed, recorded):
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert json.loads(run(*typed).stdout)["command"] == recorded


def test_server_is_split_like_a_shell_would(run):
    done = run("--server", f"'{ODD[0]}' \"{ODD[1]}\" 'a b'")
    assert json.loads(done.stdout)["command"] == [*ODD, "a b"]


def test_an_answer_that_is_an_error_is_told_in_a_line_and_the_code_is_0(run):
    done = run("--read", "nix:\x1b[31m", "--", *ODD)
    assert done.returncode == 0 and b"\x1b" not in done.stderr
    assert b"[31m was answered with: error -32601 Method not found\n" in done.stderr


def test_of_many_failures_the_first_are_told_and_openings_are_none():
    def pair(number, method, **answer):
        way = {"sender": "client", "receiver": "server"}
        yield way | {"kind": "request", "body": {"id": number, "method": method, "params": {"name": f"t{number}"}}}
        yield {"sender": "server", "receiver": "client", "kind": "response", "body": {"id": number} | answer}

    error = {"error": {"code": -1, "message": "no\u202eway"}}
    tool = {"result": {"isError": True, "content": [{"type": "text", "text": "why"}]}}
    odd = [{"kind": "noise", "text": "x"}, {"kind": "error", "body": {"id": {}}}, {"kind": "response", "body": []}]
    messages = [*pair(1, "server/discover", **error), *pair(2, "tools/call", **tool), *pair(3, "x", result={}), *odd]
    assert failures({"messages": messages}) == ["flowgen: tools/call t2 was answered with: tool error: why"]
    many = [message for number in range(9) for message in pair(number, "tools/call", **error)]
    told = failures({"messages": many})
    assert len(told) == 4 and told[3] == "flowgen: and 6 more answers with errors" and "\u202e" not in told[0]


def test_when_nothing_is_called_stderr_says_how_to(run):
    assert b"flowgen: no tool was called: name some with --call" in run("--", *ODD).stderr
    assert b"no tool was called" not in run("--call", "echo", "--", *ODD).stderr


def test_a_name_that_was_not_listed_is_called_with_a_warning(run):
    done = run("--call", "ecko", "--", *ODD)
    assert b"`ecko` is not among the tools of the server; the nearest is `echo`" in done.stderr
    assert done.returncode == 0


def test_call_safe_calls_what_is_marked_and_says_when_there_is_none(run):
    assert b"none was called" in run("--call-safe", "--", *ODD).stderr


def test_verbose_is_a_line_a_message_without_control_signs(run):
    done = run("-v", "--call", 'echo={"text": "\\u001b[31m"}', "--", *ODD, "banner")
    lines = done.stderr.decode().splitlines()
    assert len(lines) == len(json.loads(done.stdout)["messages"])
    assert any("client → server" in line and "tools/call echo #4" in line for line in lines)
    assert lines[-1].endswith("exited with code 0")
    assert any("[not-json]" in line for line in lines) and "\x1b" not in done.stderr.decode()


@pytest.mark.skipif(os.name != "posix", reason="a terminal of POSIX")
def test_a_person_at_a_terminal_is_told_what_was_written_and_was_odd(tmp_path):
    terminal, shown = os.openpty()
    command = [sys.executable, "-m", "flowgen", "record", "--call", "echo", "-o", "my t.json", "--", *ODD, "banner"]
    done = subprocess.run(command, timeout=DEADLINE, cwd=tmp_path, stdin=subprocess.DEVNULL, stderr=shown)
    said = os.read(terminal, 65536).decode().replace("\r\n", "\n").rpartition("\x1b[K")[2]
    os.close(terminal)
    os.close(shown)
    assert done.returncode == 0
    assert said.startswith("flowgen: wrote 'my t.json': ") and "messages, not-json (3); next: " in said
    assert said.endswith(" flowgen render 'my t.json' -o flow.svg\n")


def test_variables_for_the_server_are_given_and_masked(run):
    script = "import os,sys; sys.stderr.write(os.environ['API_KEY'] + ' ' + os.environ['PLAIN_WORD'])"
    environment = {**os.environ, "PLAIN_WORD": "inherited-value-12"}
    done = run("--env", "API_KEY=hunter2", "--env", "PLAIN_WORD", "--", sys.executable, "-c", script, env=environment)
    assert done.returncode == 3
    assert b"hunter2" not in done.stdout + done.stderr and b"inherited-value-12" not in done.stdout + done.stderr
    kept = run("--no-redact", "--env", "API_KEY=hunter2", "--", sys.executable, "-c", script, env=environment)
    assert b"hunter2" in kept.stdout


def test_a_key_of_the_user_is_masked_too(run):
    done = run("--redact-key", "text", "--call", 'echo={"text": "plain"}', "--", *ODD)
    call = next(m for m in json.loads(done.stdout)["messages"] if m.get("body", {}).get("method") == "tools/call")
    assert call["body"]["params"]["arguments"]["text"] == "•••"
    assert call["redacted"] == ["/body/params/arguments/text"]


def test_the_server_runs_in_the_folder_asked_for(run, tmp_path):
    (tmp_path / "here").mkdir()
    script = "import os,sys; sys.stderr.write(os.getcwd())"
    done = run("--cwd", "here", "--", sys.executable, "-c", script)
    texts = [message["text"] for message in json.loads(done.stdout)["messages"] if message["kind"] == "stderr"]
    assert texts == [str((tmp_path / "here").resolve())]


PLAN = """
title = "Mine"
revision = "2025-11-25"
[[step]]
title = "Talk"
call = "echo"
arguments = { text = "hi" }
approve = true
"""


def test_a_script_replaces_the_tour_and_announces_its_steps(run, tmp_path):
    (tmp_path / "plan.toml").write_text(PLAN, "utf-8")
    document = json.loads(run("--script", "plan.toml", "--yes", "--", *ODD).stdout)
    assert document["title"] == "Mine" and sent(document) == ["initialize", "notifications/initialized", "tools/call"]
    notes = [message for message in document["messages"] if message["kind"] == "note"]
    assert [note["body"]["event"] for note in notes] == ["plan-step", "approved", "plan-step"]
    assert notes[0]["step"] == {"title": "Talk"}
    assert [person["id"] for person in document["participants"]] == ["host", "client", "server"]


def test_a_script_and_answers_may_come_from_stdin(run):
    done = run("--script", "-", "--yes", "--", *ODD, input=PLAN.encode())
    assert json.loads(done.stdout)["title"] == "Mine"


def test_answers_are_given(run, tmp_path):
    (tmp_path / "answers.toml").write_text('[[elicitation]]\naccept = { a = 7 }\n', "utf-8")
    done = run("--answers", "answers.toml", "--call", "echo", "--", *ODD, "needy")
    assert b'"content": {"a": 7}' in done.stdout


def test_a_demo_with_calls_of_ones_own(run):
    document = json.loads(run("--demo", "seed", "--call", 'calculator_arithmetic={"expression": "1+1"}').stdout)
    assert sent(document)[2:] == ["tools/list", "tools/call"]
    assert document["messages"][1]["body"]["params"]["clientInfo"]["name"] == "example-client"


@pytest.mark.parametrize(
    ("fault", "arguments", "code", "reason"),
    [
        ("", [], 0, "done"),
        ("crash_in_call", [], 1, "server-exited"),
        ("crash", [], 3, "server-exited"),
        ("", ["--revision", "2026-07-28"], 3, "no-common-revision"),
        ("silent", ["--timeout", "0.3"], 4, "timed-out"),
    ],
)
def test_the_exit_code_says_how_it_went_and_the_trace_is_written(run, tmp_path, fault, arguments, code, reason):
    done = run("--call", "echo", *arguments, "-o", "t.json", "--", *ODD, fault)
    document = json.loads((tmp_path / "t.json").read_bytes())
    assert (done.returncode, document["outcome"]["reason"]) == (code, reason)
    assert document["outcome"]["complete"] is (code == 0)
    lines = done.stderr.decode().splitlines()
    assert len(lines) <= 5 and (code == 0 or lines[0].startswith("flowgen: "))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--server", "x", "--demo", "seed"], "a server and a demo do not go together"),
        (["--server", "x", "--", "y"], "--server and a command after -- do not go together"),
        (["--server", ""], "--server is empty"),
        (["--server", "", "--", "y"], "--server and a command after -- do not go together"),
        (["--server", "'x"], "--server: No closing quotation"),
        (["--demo", "sed"], 'no demo is called "sed"'),
        (["--call", "x=[1]"], "--call x: the arguments are no JSON object"),
        (["--call", "x={"], "--call x: the arguments are not JSON"),
        (["--call", "=1"], "--call '=1': a name is missing"),
        (["--call", 'x {"a": "="}'], "--call x: = is missing between name and arguments"),
        (["--complete", "x"], "--complete: `x` is not REF:ARG=VALUE"),
        (["--list", "tool"], "--list tool: no such list"),
        (["--revision", "2020"], "'2020' is not one of"),
        (["--env", "NOWHERE_SET"], "--env NOWHERE_SET: there is no such variable"),
        (["--env", "=x"], "a variable needs a name"),
        (["--cwd", "nowhere"], "Directory 'nowhere' does not exist"),
        (["-o", "nowhere/t.json"], "-o nowhere/t.json: there is no folder nowhere"),
        (["-o", "."], "-o .: this is a folder"),
        (["--script", "nowhere.toml"], "nowhere.toml: No such file"),
        (["--script", "bad.toml"], "bad.toml: unknown key `titel`"),
        (["--answers", "bad.toml"], "bad.toml: unknown key `titel`"),
        (["--script", "plan.toml", "--call", "x"], "a script replaces the tour"),
        (["--script", "plan.toml"], "a person is to be asked before calls, but there is no terminal"),
        (["--approve", "--call", "x"], "a person is to be asked before calls, but there is no terminal"),
        (["--ask"], "--ask asks at the terminal, and stdin is none"),
        (["--timeout", "0"], "0.0 is not in the range x>0"),
        (["--timeout", "5s"], "'5s' is not a valid number of seconds"),
        (["--max-message", "0"], "0 is not in the range x>=1"),
    ],
)
def test_what_cannot_be_followed_is_told_before_anything_starts(run, tmp_path, arguments, message):
    (tmp_path / "bad.toml").write_text("titel = 'x'", "utf-8")
    (tmp_path / "plan.toml").write_text(PLAN, "utf-8")
    server = [] if {"--server", "--demo", "--"} & set(arguments) else ["--", sys.executable, "-c", "open('ran', 'w')"]
    done = run(*arguments, *server)
    lines = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout) == (2, b"") and message in lines[0]
    assert lines[0].startswith("flowgen: ") and lines[1].startswith("hint: ") and len(lines) == 2
    assert not (tmp_path / "ran").exists()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_being_told_to_stop_still_writes_the_trace(tmp_path, number):
    target = tmp_path / "t.json"
    options = ["-v", "--call", "echo", "-o", str(target)]
    command = [sys.executable, "-m", "flowgen", "record", *options, "--", *ODD, "silent"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    try:
        for line in process.stderr:
            if b"tools/call" in line:
                break
        process.send_signal(number)
        _, errors = process.communicate(timeout=DEADLINE)
    finally:
        process.kill()
    document = json.loads(target.read_bytes())
    assert (process.returncode, document["outcome"]["reason"]) == (130, "interrupted")
    assert b"flowgen: interrupted" in errors and b"Traceback" not in errors


def test_a_trace_that_cannot_be_written_is_kept_elsewhere(tmp_path, monkeypatch):
    from flowgen.cli import _record
    from flowgen.errors import FlowgenError, TraceError
    from flowgen.record import Recording

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    places = []

    def save(document, path):
        places.append(path)
        if len(places) == 1:
            raise TraceError(f"{path}: cannot be written: No space left on device")
        Path(path).write_text("{}")

    monkeypatch.setattr("flowgen.trace.save", save)
    with pytest.raises(FlowgenError) as told:
        _record._save(Recording({}, 0, []), "full.json")
    assert "No space left" in str(told.value) and places[1] in told.value.hint and Path(places[1]).exists()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a full disk that is always there")
def test_a_trace_that_does_not_fit_on_stdout_is_kept_elsewhere(tmp_path):
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "flowgen", "record"]
        environment = {**os.environ, "TMPDIR": str(tmp_path)}
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=DEADLINE, env=environment)
    kept = next(tmp_path.glob("flowgen-*.json"))
    assert done.stderr.decode().splitlines() == [
        "flowgen: stdout: No space left on device", f"hint: the recording is in {kept}",
    ]  # fmt: skip
    assert done.returncode == 1 and json.loads(kept.read_bytes())["outcome"]["complete"]


def test_every_option_of_record_has_a_word_of_help():
    from flowgen.cli._record import record

    assert all(option.help for option in record.params if isinstance(option, click.Option))
    shown = CliRunner().invoke(record, ["--help"])
    assert shown.exit_code == 0 and "Exit codes:" in shown.output


def test_recording_needs_neither_pydantic_nor_jinja_nor_httpx_nor_asyncio():
    script = (
        "import sys; from flowgen.cli._main import main; main.main(['record', '-o', '-'], standalone_mode=False);"
        "sys.stderr.write(' '.join(sorted({'pydantic', 'jinja2', 'httpx', 'asyncio', 'anyio'} & set(sys.modules))))"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, timeout=DEADLINE, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stderr) == (0, b"")


class Terminal:
    """A command with a terminal of its own: `expect` waits for a text, `types` answers, `end` gives the exit code."""

    def __init__(self, *arguments):
        import pty

        self._pid, self._fd = pty.fork()
        if self._pid == 0:
            os.execv(sys.executable, [sys.executable, "-m", "flowgen", "record", *arguments])
        self.shown = b""

    def expect(self, text):
        while text not in self.shown:
            assert select.select([self._fd], [], [], DEADLINE)[0], self.shown
            self.shown += os.read(self._fd, 65536)

    def types(self, text):
        os.write(self._fd, text)

    def end(self):
        try:
            while select.select([self._fd], [], [], DEADLINE)[0] and (piece := os.read(self._fd, 65536)):
                self.shown += piece
        except OSError:  # the other side of a terminal is gone
            pass
        os.close(self._fd)
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])


@pytest.fixture
def terminal(tmp_path):
    pytest.importorskip("pty")

    def started(*arguments):
        return Terminal("-o", str(tmp_path / "t.json"), *arguments), tmp_path / "t.json"

    return started


def notes(path):
    return [m["body"]["event"] for m in json.loads(path.read_bytes())["messages"] if m["kind"] == "note"]


def test_a_person_approves_at_the_terminal(terminal):
    shown, path = terminal("--approve", "--call", 'echo={"text": "hi"}', "--", *ODD)
    shown.expect(b'Call echo with {"text": "hi"}?')
    shown.expect(b"[c]ancel: ")
    shown.types(b"a\n")
    assert shown.end() == 0 and notes(path) == ["fell-back", "asked-user", "approved"]


def test_a_person_answers_what_the_server_asks(terminal):
    shown, path = terminal("--ask", "--call", "echo", "--revision", "2025-11-25", "--", *ODD, "needy")
    shown.expect(b"The server asks: Which?")
    shown.types(b"d\n")
    shown.expect(b"The server asks the model:")
    shown.types(b"a\n")
    shown.expect(b"text: ")
    shown.types(b"Hm.\n")
    assert shown.end() == 0
    assert notes(path) == ["asked-user", "user-answered", "asked-user", "user-answered", "answered-from-file"]
    assert b"Hm." in path.read_bytes()


@pytest.mark.parametrize("arguments", [["--call", "echo"], ["--call", "echo", "--approve"]])
def test_ctrl_c_at_the_terminal_ends_the_session(terminal, arguments):
    shown, path = terminal(*arguments, "--", *ODD, "silent")
    shown.expect(b"[c]ancel: " if "--approve" in arguments else b"tools/call echo")
    shown.types(b"\x03")
    assert shown.end() == 130 and json.loads(path.read_bytes())["outcome"]["reason"] == "interrupted"
    assert b"flowgen: interrupted" in shown.shown


@pytest.mark.parametrize(
    "address",
    [
        "ftp://me:hunter2pass@host/x?token=hunter2pass",
        "http://me:hunter2pass@:1/x?token=hunter2pass",
        "http://me:hunter2pass@host:99999/x?token=hunter2pass",
        "http://me:hunter2pass@[::1/x?token=hunter2pass",
    ],
)
def test_what_is_no_address_is_told_without_its_secrets(run, address):
    done = run("--url", address, "-o", "trace.json")
    assert done.returncode == 2 and b"is no address" in done.stderr and b"hunter2" not in done.stderr


def test_both_eras_are_two_traces_beside_each_other(tmp_path):
    done = typed("record", "--demo", "eras", "--both-eras", "-o", "trace.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = {file.name: json.loads(file.read_bytes()) for file in tmp_path.iterdir()}
    assert sorted(found) == ["trace.handshake.json", "trace.stateless.json"]
    opening = {name: next(each["body"] for each in trace["messages"] if each["kind"] == "request")["method"]
               for name, trace in found.items()}  # fmt: skip
    assert opening == {"trace.handshake.json": "initialize", "trace.stateless.json": "server/discover"}


@pytest.mark.parametrize("more", [["-o", "-"], ["-o", "x.json", "--revision", "2025-11-25"]])
def test_both_eras_need_two_places_and_no_revision(more, tmp_path):
    done = typed("record", "--demo", "eras", "--both-eras", *more, cwd=tmp_path)
    assert done.returncode == 2 and done.stderr.count(b"\n") == 2 and not list(tmp_path.iterdir())
