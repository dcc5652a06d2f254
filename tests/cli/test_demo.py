"""`flowgen demo`: from nothing to a picture."""

import json

import pytest

from flowgen.cli._demo import _next_step
from tests.cli.conftest import typed

DEMOS = ["create-issue", "eras", "full", "http", "oauth", "seed"]


@pytest.fixture
def run(tmp_path):
    """Runs `flowgen demo …` in an empty folder."""

    def started(*arguments):
        return typed("demo", *arguments, cwd=tmp_path)

    return started


def test_without_anything_it_draws_the_first_picture_into_flow_svg(run, tmp_path):
    done = run()
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.decode().startswith("flowgen: wrote flow.svg; next: flowgen demo full, or your own server: ")
    assert done.stderr.count(b"\n") == 1
    svg = (tmp_path / "flow.svg").read_text(encoding="utf-8")
    assert "MCP Architecture - Client-Server Interaction Flow" in svg and "weather_current" in svg


@pytest.mark.parametrize("revision", [None, "2025-11-25", "2024-11-05"])
def test_the_full_demo_runs_in_either_era(run, revision):
    done = run("full", "-o", "-", "-f", "json", *(["--revision", revision] if revision else []))
    assert done.returncode == 0, done.stderr
    flow = json.loads(done.stdout)
    assert flow["title"] == "A notebook server: every feature once"
    assert flow["facts"]["revisions"] == [revision or "2026-07-28"]


def test_the_demo_eras_draws_both_eras_of_one_server_beside_each_other(run, tmp_path):
    assert run("eras", "-o", "eras.svg").returncode == 0
    svg = (tmp_path / "eras.svg").read_text(encoding="utf-8")
    assert "initialize request" in svg and "server/discover request" in svg and "One server, two eras" in svg


def test_the_demo_eras_names_its_sides_in_the_language_of_the_picture(run):
    svg = run("eras", "-o", "-", "--lang", "zh").stdout.decode()
    assert "同一个 Server，两个时代" in svg and "握手方式" in svg and "One server" not in svg


def test_pages_are_told_by_the_names_of_the_first_and_the_last():
    pages = [f"full-{number}.png" for number in range(1, 20)]
    assert _next_step("full", pages).startswith("flowgen: wrote full-1.png … full-19.png; next: ")
    assert _next_step("seed", ["flow.svg"]).startswith("flowgen: wrote flow.svg; next: flowgen demo full")


def test_any_demo_is_drawn_in_both_eras_where_that_is_asked_for_and_in_one_where_a_revision_is(run):
    told = run("eras", "--both-eras", "-f", "text", "-o", "-").stdout.decode()
    assert "+ message    server/discover request" in told
    one = run("eras", "--revision", "2025-11-25", "-f", "json", "-o", "-")
    assert json.loads(one.stdout)["facts"]["revisions"] == ["2025-11-25"]


def test_both_eras_in_a_format_that_there_is_not_are_refused_before_anything_starts(run):
    done = run("eras", "-o", "x.puml")
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, b"flowgen: both eras are not drawn as puml")


def test_language_and_theme_are_passed_on(run):
    done = run("create-issue", "-o", "-", "--lang", "zh", "--theme", "dark")
    assert done.returncode == 0
    assert "工具发现" in done.stdout.decode()


def test_list_tells_the_demos_and_starts_nothing(run, tmp_path):
    done = run("--list")
    assert [line.split()[0] for line in done.stdout.decode().splitlines()] == DEMOS
    assert list(tmp_path.iterdir()) == []


def test_a_demo_that_does_not_speak_a_revision_says_what_to_leave_out(run):
    done = run("create-issue", "--revision", "2024-11-05")
    assert done.returncode == 1
    assert b"(no-common-revision)" in done.stderr and b"hint: leave --revision out" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["sed"], 'no demo is called "sed"', "did you mean seed?"),
        (["zzz"], 'no demo is called "zzz"', f"there are: {', '.join(DEMOS)}"),
        (["-o", "."], "-o .: this is a folder", "name a file: -o ./flow.svg"),
        (["-o", "none/flow.svg"], "-o none/flow.svg: there is no such folder", "mkdir -p none"),
        (["-f", "gif"], "no format 'gif'", "known: "),
    ],
)
def test_what_cannot_be_done_is_told_before_anything_starts(run, tmp_path, arguments, message, hint):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    first, second = done.stderr.decode().splitlines()
    assert first == f"flowgen: {message}" and second.startswith(f"hint: {hint}")
    assert list(tmp_path.iterdir()) == []
