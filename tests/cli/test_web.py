"""`flowgen record` for servers with an address, as it is typed."""

import json
import os
import re

import pytest

from tests.cli.conftest import typed
from tests.record.servers.web import served


@pytest.fixture
def run(tmp_path):
    """Runs `flowgen record …` in an empty folder, with variables."""

    def started(*arguments, **variables):
        env = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")} | variables
        done = typed("record", *arguments, cwd=tmp_path, env=env)
        return done.returncode, done.stdout, done.stderr.decode()

    return started


@pytest.mark.parametrize("option", ["--url", "--server"])
def test_an_address_is_recorded(run, option):
    with served() as web:
        code, out, _ = run(option, web.url, "--call", 'echo={"text": "hi"}')
    document = json.loads(out)
    assert code == 0 and document["url"] == web.url and "command" not in document


def test_headers_and_tokens_come_from_variables_and_are_shown_nowhere(run):
    with served() as web:
        code, out, errors = run(
            "--url", web.url, "--header", "X-Key: env:KEY", "--header", "X-Two: a-${KEY}-b", "--bearer", "env:TOKEN",
            "-v", KEY="key-value-4711", TOKEN="token-value-0815",
        )  # fmt: skip
    sent = web.asked[0][2]
    assert code == 0 and sent["x-key"] == "key-value-4711" and sent["x-two"] == "a-key-value-4711-b"
    assert sent["authorization"] == "Bearer token-value-0815"
    assert b"4711" not in out and b"0815" not in out and "4711" not in errors and "0815" not in errors


def test_verbose_tells_what_http_alone_says(run):
    with served() as web:
        errors = run("--url", web.url, "--revision", "2025-06-18", "-v")[2]
    assert re.search(r"server → client +http +202", errors), errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--url", "host/mcp"], "--url 'host/mcp' is no address"),
        (["--url", "http://"], "is no address"),
        (["--url", "http://h/mcp", "--server", "x"], "--url and a command do not go together"),
        (["--url", "http://h/mcp", "--demo", "seed"], "do not go together"),
        (["--url", "http://h/mcp", "--header", "nothing"], "a name, a colon and a value"),
        (["--url", "http://h/mcp", "--header", "A: env:MISSING"], "there is no variable MISSING"),
        (["--url", "http://h/mcp", "--header", "A B: c"], "not a name and a value that HTTP can carry"),
        (["--url", "http://h/mcp", "--bearer", "the-secret-itself"], "takes the name of a variable"),
        (["--url", "http://h/mcp", "--client-secret", "env:HOME"], "a client secret without a client id"),
        (["--url", "http://h/mcp", "--proxy", "nothing"], "--proxy is no address"),
        (["--url", "http://h/mcp", "--cacert", "missing.pem"], "--cacert missing.pem"),
        (["--url", "http://h/mcp", "--env", "A=b"], "--env goes with a server that is started"),
        (["--header", "A: b", "--", "server"], "goes with a server that has an address"),
        (["--name", "x"], "--name names a server of a config file"),
        (["--config", "missing.json"], "missing.json: No such file"),
    ],
)
def test_what_cannot_be_followed_is_told_before_anything_is_sent(run, arguments, message):
    code, out, errors = run(*arguments)
    first = errors.splitlines()[0]
    assert (code, out) == (2, b"") and message in first and "Traceback" not in errors
    assert "the-secret-itself" not in errors


def test_insecure_is_loud(run):
    with served() as web:
        code, _, errors = run("--url", web.url, "--insecure")
    assert code == 0 and "WARNING" in errors


def test_a_sign_in_that_nobody_can_do_ends_at_once_and_says_what_would_help(run):
    with served("oauth") as web:
        code, out, errors = run("--url", web.url, "-o", "-")
    assert code == 3 and json.loads(out)["outcome"]["reason"] == "connect-failed"
    assert "nobody is here" in errors and "hint: --bearer env:NAME" in errors


def config(tmp_path, **servers):
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({"mcpServers": servers}))
    return file


def test_a_server_of_a_config_is_taken_by_its_name(run, tmp_path):
    with served() as web:
        entry = {"url": web.url, "headers": {"X-Key": "${KEY}"}}
        file = config(tmp_path, one=entry, two={"command": "no"})
        code, out, errors = run("--config", file, "--name", "one", KEY="k-4711-v")
    assert code == 0 and web.asked[0][2]["x-key"] == "k-4711-v" and b"k-4711-v" not in out, errors


def test_all_servers_of_a_config_are_started_only_when_somebody_agrees(run, tmp_path):
    with served() as web:
        file = config(tmp_path, one={"url": web.url}, two={"url": web.url})
        code, _, errors = run("--config", file)
        assert code == 2 and "--yes starts them" in errors and web.asked == []
        code, out, _ = run("--config", file, "--yes")
    assert code == 0 and {p["id"] for p in json.loads(out)["participants"]} == {
        "host", "client-one", "client-two", "server-one", "server-two",
    }  # fmt: skip
