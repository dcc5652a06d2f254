"""How the demo is started over HTTP: as a process that tells its address, and from Python."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

import httpx
import pytest

from flowgen.demo import serve, transport
from flowgen.errors import BackendMissing, ConfigError, ServerError

DEADLINE = 30


@contextmanager
def running(*arguments, **more):
    command = [sys.executable, "-m", "flowgen.demo", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, **more) as process:
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def answers(url):
    body = {"jsonrpc": "2.0", "id": 1, "method": "x"}
    return httpx.post(url, json=body, headers={"accept": "*/*"}, verify=False, timeout=DEADLINE).status_code


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def test_it_tells_its_address_and_goes_on_without_stdin():
    with running("--http", "0") as (process, url):
        process.stdin.close()
        assert url.startswith("http://127.0.0.1:") and url.endswith("/mcp")
        assert answers(url) == 400
        process.send_signal(signal.SIGINT)
        assert process.wait(DEADLINE) == 130
        assert process.stdout.read() == "" and "Traceback" not in process.stderr.read()


def test_both_ports_may_be_given():
    port, auth = free_port(), free_port()
    with running("--scenario=oauth", f"--http={port}", f"--auth={auth}") as (_, url):
        assert url == f"http://127.0.0.1:{port}/mcp"
        place = f"http://127.0.0.1:{port}/.well-known/oauth-protected-resource/mcp"
        told = httpx.get(place, verify=False, timeout=DEADLINE).json()
        assert told["authorization_servers"] == [f"http://127.0.0.1:{auth}"]


def test_with_until_eof_it_ends_when_stdin_does_even_with_a_stream_open():
    with (
        running("--scenario", "full", "--http", "0", "--until-eof") as (process, url),
        httpx.stream("GET", url.replace("/mcp", "/sse"), verify=False, timeout=DEADLINE) as stream,
    ):
        lines = stream.iter_lines()
        assert next(lines) == "event: endpoint"
        process.stdin.close()
        assert process.wait(DEADLINE) == 0
        assert list(lines)[1:] == [""]


def test_a_port_that_is_taken_is_told():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with running("--http", str(port)) as (process, line):
            assert (line, process.wait(DEADLINE)) == ("", 2)
            told = process.stderr.read()
    assert (
        told
        == f"flowgen.demo: port {port} on 127.0.0.1: Address already in use\nhint: 0 takes a port that is free\n"
    )


def test_without_the_extra_it_says_which_is_missing(tmp_path):
    (tmp_path / "uvicorn.py").write_text("raise ImportError(name='uvicorn')")
    with running("--http", "0", env={**os.environ, "PYTHONPATH": str(tmp_path)}) as (process, _):
        assert process.wait(DEADLINE) == 4
        assert process.stderr.read() == (
            "flowgen.demo: serving over HTTP needs uvicorn, which is not installed\n"
            "hint: pip install 'mcp-flowgen[http]'\n"
        )


def test_serve_gives_the_address_of_a_process_that_ends_with_the_block():
    with serve("http") as url:
        assert answers(url) == 400
    with pytest.raises(httpx.ConnectError):
        answers(url)


def test_serve_ends_its_process_when_its_own_process_is_killed():
    script = "from flowgen.demo import serve\nwith serve('seed') as url: print(url, flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        url = parent.stdout.readline().strip()
        assert answers(url) == 400
        parent.kill()
    until = time.monotonic() + DEADLINE
    while time.monotonic() < until:
        try:
            answers(url)
        except httpx.HTTPError:
            return
    raise AssertionError("the demo outlives whoever started it")


def test_serve_tells_what_it_cannot_do(monkeypatch):
    with pytest.raises(ConfigError, match='no demo is called "htp"'):
        serve("htp")
    monkeypatch.setattr("sys.executable", "/bin/true")
    with pytest.raises(ServerError, match="did not start"), serve("http"):
        pass
    monkeypatch.setitem(sys.modules, "starlette", None)
    with pytest.raises(BackendMissing, match="needs starlette"), serve("http"):
        pass


def test_every_demo_says_how_it_is_meant_to_be_spoken_with():
    ways = {name: transport(name) for name in ("seed", "full", "http", "oauth", "create-issue")}
    assert ways == {"seed": "stdio", "full": "stdio", "http": "http", "oauth": "http", "create-issue": "http"}


def test_an_exit_step_ends_the_process(tmp_path):
    path = tmp_path / "exit.toml"
    path.write_text('server = { name = "x", version = "1" }\n[[on]]\nmethod = "x"\n[[on.step]]\nexit = 3\n')
    with running("--scenario", str(path), "--http", "0") as (process, url):
        head = {"accept": "*/*"}
        params = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "x", "version": "1"},
        }
        body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
        opened = httpx.post(url, json=body, headers=head, verify=False, timeout=DEADLINE)
        head["mcp-session-id"] = opened.headers["mcp-session-id"]
        with pytest.raises(httpx.HTTPError):
            httpx.post(
                url, json={"jsonrpc": "2.0", "method": "x"}, headers=head, verify=False, timeout=DEADLINE
            )
        assert process.wait(DEADLINE) == 3
