"""`flowgen diff`: what differs, in which form, and which exit code it comes to."""

import json
from pathlib import Path

import pytest

from flowgen import api, diff, load
from tests.traces import SAMPLES

from .conftest import typed

SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
FILES = {"command": "npx", "args": ["-y", "files-mcp@1.2.0"]}
KEYED = {"url": "https://mcp.tracker.example/mcp", "headers": {"Authorization": f"Bearer {SECRET}"}}


@pytest.fixture
def beside(tmp_path):
    for name, servers in (("old.json", {"files": FILES, "tracker": KEYED}), ("new.json", {"files": FILES})):
        (tmp_path / name).write_text(json.dumps({"mcpServers": servers}))
    return tmp_path


@pytest.mark.parametrize("form", ["text", "json", "md", "svg"])
def test_a_difference_ends_with_3_and_shows_no_secret(beside, form):
    done = typed("diff", "old.json", "new.json", "-f", form, cwd=beside)
    assert (done.returncode, done.stderr) == (3, b"")
    assert b"tracker" in done.stdout and SECRET.encode() not in done.stdout


def test_equal_files_end_with_0(beside):
    done = typed("diff", "new.json", "new.json", cwd=beside)
    assert (done.returncode, done.stdout) == (0, "no differences: new.json → new.json\n".encode())


def test_the_suffix_tells_the_format_and_stdin_is_a_file(beside):
    words = ("diff", "-", "new.json", "-o", "diff.svg", "--lang", "zh")
    done = typed(*words, input=(beside / "old.json").read_bytes(), cwd=beside)
    assert (done.returncode, done.stdout) == (3, b"")
    assert "移除".encode() in (beside / "diff.svg").read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [(["old.json"], b"NEW"), (["-", "-"], b"both files are stdin"), (["old.json", "new.json", "-o", "x.html"], b"html"),
     (["old.json", "trace.json"], b"a recording: they cannot be compared"),
     (["old.json", "new.json", "-o", "old.json"], b"is made of this")],
)  # fmt: skip
def test_what_cannot_be_done_is_said_in_a_line(beside, words, said):
    (beside / "trace.json").write_bytes((SAMPLES / "seed.json").read_bytes())
    done = typed("diff", *words, cwd=beside)
    assert done.returncode == 2 and said in done.stderr and done.stdout == b""


def test_a_file_whose_path_tells_no_host_is_one_of_the_others(beside):
    (beside / "claude_desktop_config.json").write_bytes((beside / "old.json").read_bytes())
    done = typed("diff", "old.json", "claude_desktop_config.json", cwd=beside)
    assert done.returncode == 0 and b"no differences" in done.stdout


def test_a_file_that_is_not_there_ends_with_1(beside):
    assert typed("diff", "old.json", "none.json", cwd=beside).returncode == 1


def test_what_was_loaded_is_compared_too(beside):
    old, new = (beside / name for name in ("old.json", "new.json"))
    told = diff(load(old), load(new))
    assert isinstance(told, api.TopologyDifference)
    assert [(each.change, each.about) for each in told.changes] == [
        (each.change, each.about) for each in diff(old, new).changes
    ]
    assert told.files("svg")[0].startswith(b"<svg")


def test_two_recordings_are_compared_by_what_they_show():
    seed = SAMPLES / "seed.json"
    assert not diff(seed, seed) and diff(seed, SAMPLES / "sdk-handshake.json")


def test_what_two_recordings_say_is_compared_unless_another_view_is_asked_for(tmp_path):
    names = [str(SAMPLES / "sdk-handshake.json"), str(SAMPLES / "sdk-stateless.json")]
    said = typed("diff", *names, cwd=tmp_path)
    assert said.returncode == 3 and b"- message    elicitation/create request" in said.stdout
    who = typed("diff", *names, "--view", "architecture", cwd=tmp_path)
    assert who.returncode == 3 and b"message" not in who.stdout


def test_places_that_are_ignored_leave_equal_sessions_equal(tmp_path):
    document = json.loads((SAMPLES / "seed.json").read_bytes())
    answer = next(each for each in document["messages"] if each["kind"] == "response" and "content" in str(each))
    answer["body"]["result"]["content"][0]["text"] = "something else"
    answer.pop("raw", None)
    (tmp_path / "other.json").write_text(json.dumps(document))
    words = [str(SAMPLES / "seed.json"), str(tmp_path / "other.json")]
    assert typed("diff", *words, cwd=tmp_path).returncode == 3
    assert typed("diff", *words, "--ignore", "/result/content/*", cwd=tmp_path).returncode == 0


def test_two_recordings_are_drawn_beside_each_other(tmp_path):
    names = [str(SAMPLES / "sdk-handshake.json"), str(SAMPLES / "sdk-stateless.json")]
    assert typed("diff", *names, "-o", "changes.svg", cwd=tmp_path).returncode == 3
    assert (tmp_path / "changes.svg").read_text(encoding="utf-8").startswith("<svg")


def test_one_of_several_servers_in_another_tools_log_is_compared(tmp_path):
    logs = Path(__file__).parents[1] / "foreign"
    log = next(logs.rglob("two-servers-mcp.log"))
    alone = typed("diff", str(log), str(log), "--from", "claude-desktop-mcp", "--name", "NOBODY", cwd=tmp_path)
    assert alone.returncode == 2 and b"NOBODY" in alone.stderr


def test_what_is_ignored_is_a_place_or_the_times(beside):
    path = SAMPLES / "seed.json"
    done = typed("diff", path, path, "--ignore", "result", cwd=beside)
    assert (done.returncode, done.stdout) == (2, b"") and b"expected a place or times\nhint: " in done.stderr


def test_a_retry_in_a_stretch_that_is_folded_is_no_fault() -> None:
    file = SAMPLES / "http-2026-07-28" / "trace.json"
    document = json.loads(file.read_bytes())
    for message in document["messages"]:
        if message.get("http", {}).get("url"):
            message["http"]["url"] = "http://[x?a=b"
    assert b"<svg" in diff(file, load(json.dumps(document).encode(), view="flow")).files("svg")[0]
