"""`python -m flowgen.demo` and what the package tells of its demos."""

import os
import subprocess
import sys

import pytest

from flowgen.demo import answers, argv, names, plan
from flowgen.errors import ConfigError

DEMOS = ["create-issue", "eras", "full", "http", "oauth", "seed"]


def run(*arguments, **more):
    command = [sys.executable, "-m", "flowgen.demo", *arguments]
    return subprocess.run(command, capture_output=True, timeout=30, stdin=subprocess.DEVNULL, **more)


def test_list_tells_every_demo_in_a_line():
    done = run("--list")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.decode().splitlines()] == DEMOS


def test_help_tells_the_usage():
    assert run("--help").stdout.startswith(b"usage: python -m flowgen.demo")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--scenario", "ful"], 'flowgen.demo: no demo is called "ful"\nhint: did you mean "full"?\n'),
        (["--scenario=./none.toml"], "flowgen.demo: ./none.toml: cannot be read: No such file or directory\nhint: "),
        (["--http"], "flowgen.demo: cannot follow --http\nhint: python -m flowgen.demo --help\n"),
        (["--http", "x"], "flowgen.demo: --http x: this is no port\nhint: --http 0 takes a free one\n"),
        (["--http", "99999"], "flowgen.demo: port 99999 on 127.0.0.1: there is no such port\nhint: 0 takes a port"),
        (["--auth", "0"], "flowgen.demo: --auth and --until-eof go with --http\nhint: python -m flowgen.demo --http"),
        (["--scenarios"], "flowgen.demo: cannot follow --scenarios\nhint: python -m flowgen.demo --help\n"),
    ],
)
def test_what_cannot_be_followed_is_told_in_a_line_and_a_hint(arguments, message):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(message)


def test_without_a_client_it_ends_at_once_in_silence():
    done = run()
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_file_may_be_played(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('server = { name = "mine", version = "1" }')
    assert run("--scenario", str(path)).returncode == 0


def test_it_starts_without_what_it_does_not_need():
    script = "import sys, flowgen.demo.__main__, flowgen.demo._stdio; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=30, check=True).stdout.split()
    heavy = {"asyncio", "anyio", "pydantic", "click", "argparse", "httpx", "dataclasses", "importlib.resources", "hmac"}
    assert heavy & {name.decode() for name in loaded} == set()


def test_it_does_not_import_what_lies_in_the_folder_it_is_started_in(tmp_path):
    (tmp_path / "json.py").write_text("raise SystemExit('foreign code')")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(argv("seed"), cwd=tmp_path, env=environment, capture_output=True, timeout=30, input=b"")
    assert (done.returncode, done.stderr) == (0, b"")


def test_every_demo_has_a_plan_and_one_that_asks_has_answers():
    assert [name for name, about in names() if about] == DEMOS
    assert all(b"[[step]]" in plan(name) for name, _ in names())
    assert answers("seed") is None
    assert b"[[elicitation]]" in (answers("full") or b"")


def test_a_demo_that_is_not_there_is_told():
    for ask in (argv, plan):
        with pytest.raises(ConfigError, match="no demo is called"):
            ask("nope")
    with pytest.raises(ConfigError):
        plan("../plans/seed")
