"""`flowgen render` with several inputs: a folder of pictures, or one picture of all."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import typed
from tests.traces import SAMPLES

UNIX = pytest.mark.skipif(os.name == "nt", reason="signals and terminals are others there")
RENDER = [sys.executable, "-m", "flowgen", "render"]


@pytest.fixture
def beside(tmp_path):
    """Two recordings in a folder, and what is no recording beside them."""
    (tmp_path / "traces").mkdir()
    shutil.copy(SAMPLES / "seed.json", tmp_path / "traces" / "a.json")
    shutil.copy(SAMPLES / "sdk-stateless.json", tmp_path / "traces" / "b.json")
    (tmp_path / "odd.json").write_text("{")
    return tmp_path


def run(beside, *arguments, **more):
    done = typed("render", *arguments, cwd=beside, **more)
    return done.returncode, done.stderr.decode().splitlines(), done.stdout


def drawn(beside, folder="out"):
    return sorted(file.name for file in (beside / folder).iterdir())


def test_a_folder_takes_a_picture_of_each(beside):
    assert run(beside, "traces/a.json", "traces/b.json", "-o", "out/") == (0, [], b"")
    assert drawn(beside) == ["a.svg", "b.svg"]
    assert run(beside, "traces/a.json", "-o", "out", "-f", "json") == (0, [], b"")
    assert drawn(beside) == ["a.json", "a.svg", "b.svg"]


def test_a_folder_as_input_stands_for_the_traces_in_it(beside):
    assert run(beside, "traces", "-o", "traces") == (0, [], b"")
    assert drawn(beside, "traces") == ["a.json", "a.svg", "b.json", "b.svg"]


def test_one_bad_input_stops_no_other_and_is_a_line(beside):
    code, said, _ = run(beside, "odd.json", "traces", "nothing.json", "-o", "out/", "--jobs", "2")
    assert (code, drawn(beside)) == (1, ["a.svg", "b.svg"])
    assert sorted(line.partition(" (")[0] for line in said[:2]) == [
        "flowgen: nothing.json: No such file or directory", "flowgen: odd.json: line 1, column 2: no JSON",
    ]  # fmt: skip
    assert {line.partition(":")[0] for line in said[2:-1]} == {"hint"}
    assert said[-1] == "flowgen: 2 of 4 drawn into out/"


def test_stdin_can_be_one_of_them_and_nothing_is_drawn_twice(beside):
    stdin = (SAMPLES / "seed.json").read_bytes()
    code, said, _ = run(beside, "-", "traces/a.json", "./traces/a.json", "-", "-o", "out/", input=stdin)
    assert (code, drawn(beside)) == (0, ["a.svg", "stdin.svg"])
    assert said == ["flowgen: ./traces/a.json: named twice, drawn once", "flowgen: -: named twice, drawn once"]


def test_a_file_takes_one_picture_of_all(beside):
    assert run(beside, "traces", "-o", "both.svg") == (0, [], b"")
    svg = (beside / "both.svg").read_text("utf-8")
    assert "Recording 1 of 2: a.json" in svg and "Recording 2 of 2: b.json" in svg


def test_a_way_to_set_them_together_makes_stdout_a_place(beside):
    code, said, out = run(beside, "traces/a.json", "traces/b.json", "--together", "alt")
    assert (code, said) == (0, []) and b">alt<" in out


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        ([], "2 inputs and no place for pictures", "-o pictures/ draws a picture of each, -o pictures.svg one of all"),
        (["-o", "out"], "-o out: a file or a folder?", "-o out/ draws a picture of each, -o out.svg one of all"),
        (["-o", "out/", "--together", "alt"], "--together is for one picture, and out/ is a folder", "-o FILE"),
        (["-o", "traces", "-f", "json"], "traces/a.json: this is what is to be drawn", "choose another folder"),
        (["-o", "b.svg", "--together", "near"], "Invalid value for '--together': 'near'", "flowgen render --help"),
        (["-o", "out/", "--jobs", "0"], "Invalid value for '--jobs': '0' is neither", "flowgen render --help"),
        (["-o", "out/", "-f", "gif"], "no format 'gif'", "known: svg"),
        (["-o", "odd.json", "odd.json"], "-o odd.json: the picture is made of this", "give the picture a name"),
    ],
)  # fmt: skip
def test_what_is_not_clear_is_told_at_once(beside, arguments, message, hint):
    code, said, out = run(beside, "traces/a.json", "traces/b.json", *arguments)
    assert (code, out, len(said)) == (2, b"", 2)
    assert said[0].removeprefix("flowgen: ").startswith(message)
    assert said[1].removeprefix("hint: ").startswith(hint)
    assert not (beside / "out").exists()


def test_a_folder_without_traces_is_told(beside):
    (beside / "empty").mkdir()
    assert run(beside, "empty", "-o", "out/")[:2] == (2, [
        "flowgen: empty: a folder without traces (*.json, *.jsonl)",
        "hint: name a trace, or a folder with some; config files by their names: flowgen hosts --discover",
    ])  # fmt: skip


def test_a_setting_for_one_picture_does_not_stand_in_the_way_of_many(beside):
    (beside / "flowgen.toml").write_text('[render]\ntogether = "alt"\njobs = 1\n')
    assert run(beside, "traces", "-o", "out/")[0] == 0


@UNIX
def test_a_bar_is_drawn_on_a_terminal_only_and_taken_away(beside):
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen([*RENDER, "traces", "odd.json", "-o", "out/"], cwd=beside, stderr=theirs) as process:
        os.close(theirs)
        told = b""
        while True:
            try:
                told += os.read(ours, 4096)
            except OSError:  # how the end of a terminal shows on Linux
                break
        assert process.wait(timeout=30) == 1
    os.close(ours)
    bars = told.decode().split("\r\x1b[K")
    assert any(bar.startswith("[" + "#" * 8) and "1/3 " in bar for bar in bars)
    assert bars[-1].splitlines()[-1] == "flowgen: 2 of 3 drawn into out/"


@UNIX
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interruption_ends_at_once_and_leaves_no_half_file(beside, jobs):
    names = [f"{number}.json" for number in range(40)]
    for name in names:
        shutil.copy(SAMPLES / "seed.json", beside / name)
    command = [*RENDER, *names, "-o", "out/", "-f", "png", "--scale", "0.5", "--jobs", jobs]
    with subprocess.Popen(command, cwd=beside, stderr=subprocess.PIPE, start_new_session=True) as process:
        deadline = time.monotonic() + 30
        while not [*Path(beside, "out").glob("*.png")] and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        try:
            _, said = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, said.strip()) == (130, b"")
    files = [*(beside / "out").iterdir()]
    assert 0 < len(files) < 40
    assert all(file.read_bytes().endswith(b"IEND\xaeB`\x82") for file in files)


def test_recordings_of_one_name_are_called_with_their_folders(beside):
    (beside / "other").mkdir()
    shutil.copy(beside / "traces" / "b.json", beside / "other" / "a.json")
    assert run(beside, "traces/a.json", "other/a.json", "-o", "both.svg")[0] == 0
    svg = (beside / "both.svg").read_text("utf-8")
    assert "Recording 1 of 2: traces/a.json" in svg and "Recording 2 of 2: other/a.json" in svg
    assert str(beside) not in svg


CONFIG = '{"mcpServers": {"files": {"command": "uvx", "args": ["files-example@1.0"]}}}'


@pytest.fixture
def mixed(beside):
    """The same with a host's config file, and another one that hides as its host has it."""
    (beside / "traces" / "mcp.json").write_text(CONFIG)
    (beside / ".cursor").mkdir()
    (beside / ".cursor" / "mcp.json").write_text(CONFIG)
    return beside


def test_each_input_of_a_folder_gets_its_own_kind_of_picture(mixed):
    assert run(mixed, "traces", ".cursor/mcp.json", "-o", "out/") == (0, [], b"")
    assert drawn(mixed) == ["a.svg", "b.svg", "cursor-mcp.svg", "traces-mcp.svg"]
    assert "files-example@1.0" in (mixed / "out" / "cursor-mcp.svg").read_text()
    assert run(mixed, "traces/a.json", "--view", "architecture", "-f", "json", "-o", "out/") == (0, [], b"")
    assert '"format": "flowgen.topology/1"' in (mixed / "out" / "a.json").read_text()


def test_several_configs_are_a_picture_each_in_a_folder_and_one_in_a_file(mixed):
    configs = ("traces/mcp.json", ".cursor/mcp.json")
    assert run(mixed, *configs, "-o", "out/", "--jobs", "2") == (0, [], b"")
    assert run(mixed, *configs, "-o", "both.svg") == (0, [], b"")
    assert drawn(mixed) == ["cursor-mcp.svg", "traces-mcp.svg"]
    assert len((mixed / "both.svg").read_text()) > len((mixed / "out" / "cursor-mcp.svg").read_text())


def test_a_boundary_table_has_its_pictures_beside_it(mixed):
    assert run(mixed, ".cursor/mcp.json", "-o", "who.md") == (0, [], b"")
    assert 'srcset="who-dark.svg"' in (mixed / "who.md").read_text()
    assert "<svg" in (mixed / "who.svg").read_text() and "<svg" in (mixed / "who-dark.svg").read_text()
    assert b"<picture>" not in run(mixed, ".cursor/mcp.json", "-f", "md")[2]
    assert run(mixed, ".cursor/mcp.json", "-o", "again.md", "--image", "a b.svg") == (0, [], b"")
    assert 'src="a%20b.svg"' in (mixed / "again.md").read_text() and not (mixed / "again.svg").exists()


def test_whether_configs_are_one_picture_or_many_must_be_clear(mixed):
    code, lines, _ = run(mixed, "traces/mcp.json", ".cursor/mcp.json", "-o", "out")
    assert code == 2 and "a file or a folder?" in lines[0]
    code, lines, _ = run(mixed, ".cursor/mcp.json", "-o", "look.svg", "--logo", "look.svg")
    assert code == 2


def test_a_config_may_come_in_at_stdin(mixed):
    servers = {f"server-{n}": {"command": "uvx", "args": [f"tool-{n}@1.0"]} for n in range(400)}
    for data in (CONFIG.encode(), json.dumps({"mcpServers": servers}).encode()):
        code, lines, out = run(mixed, "-", "-f", "json", input=data)
        assert (code, lines) == (0, []) and json.loads(out)["format"] == "flowgen.topology/1"
    trace = (mixed / "traces" / "a.json").read_bytes()
    assert b"flowgen.topology" not in run(mixed, "-", "-f", "json", input=trace)[2]
    assert run(mixed, "-", input=b"{")[0] == 1
