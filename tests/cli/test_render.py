"""`flowgen render`: where the picture goes, what is refused, and what the refusal says."""

import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from tests.cli.conftest import typed
from tests.scene.test_images import pixels
from tests.traces import SAMPLES


@pytest.fixture
def run(tmp_path):
    """Runs `flowgen render …` beside a copy of the first recording."""
    shutil.copy(SAMPLES / "seed.json", tmp_path / "seed.json")

    def started(*arguments, **more):
        return typed("render", *arguments, cwd=tmp_path, **more)

    return started


def refusal(done):
    """What was said, the hint, and that nothing was drawn."""
    assert done.stdout == b""
    first, second = done.stderr.decode().splitlines()
    return first.removeprefix("flowgen: "), second.removeprefix("hint: ")


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["-o", "none/flow.svg"], "-o none/flow.svg: there is no such folder", "mkdir -p none"),
        (["-o", ""], "-o: the name is empty", "name a file"),
        (["-o", "flow.gif"], "no format 'gif'", "known: svg, png, pdf, html, txt"),
        (["-o", "./seed.json"], "-o ./seed.json: the picture is made of this", "give the picture a name"),
        (["--width", "wide"], "Invalid value for '--width': 'wide' is not a valid number.", "flowgen render --help"),
        (["--fold", "x"], "Invalid value for '--fold': 'x' is not a valid whole number.", "flowgen render --help"),
        (["--width", "nan"], "--width nan: expected a number from 1 to 1,000,000", "or leave --width out"),
        (["--width", "inf"], "--width inf: expected a number from 1 to 1,000,000", "or leave --width out"),
        (["--scale", "nan", "-f", "png"], "--scale nan: expected a number from 0.1 to 20", "or leave --scale out"),
        (["--only", "nothing/*"], "--only nothing/*: no message has such a method", "there are: initialize, notif"),
        (["--steps", "7"], "--steps 7: the picture has 4 steps", "numbers stand in the bands"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_or_written_is_told_at_once(run, tmp_path, arguments, message, hint):
    before = (tmp_path / "seed.json").read_bytes()
    done = run("seed.json", *arguments)
    said, way_out = refusal(done)
    assert (done.returncode, said) == (2, message)
    assert way_out.startswith(hint)
    assert [file.name for file in tmp_path.iterdir()] == ["seed.json"]
    assert (tmp_path / "seed.json").read_bytes() == before


@pytest.mark.parametrize("option", ["--template", "--logo", "--theme"])
def test_a_picture_does_not_take_the_place_of_what_it_is_drawn_with(run, tmp_path, option):
    (tmp_path / "own.toml").write_text("of its own")
    done = run("seed.json", "-o", "./own.toml", *(() if option == "--template" else ("-f", "svg")), option, "own.toml")
    assert refusal(done)[0] == "-o ./own.toml: the picture is made of this"
    assert (tmp_path / "own.toml").read_text() == "of its own"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("FLOWGEN_THEME", "nope", "no theme 'nope'"), ("FLOWGEN_STEPS", "x", "--steps x: 'x' is no step"),
        ("FLOWGEN_LOGO", "nope.png", "nope.png: No such file or directory"),
    ],
)  # fmt: skip
def test_an_error_about_a_value_that_was_not_typed_says_where_it_is_from(run, name, value, said):
    told = refusal(run("seed.json", env={name: value}))[0]
    assert told == f"{said} (from flowgen.toml, pyproject.toml or a variable)"


def test_a_format_that_is_typed_goes_before_a_template_that_is_set(run, tmp_path):
    (tmp_path / "own.j2").write_text("own {{ steps|length }}")
    (tmp_path / "flowgen.toml").write_text('[render]\ntemplate = "own.j2"\n')
    assert run("seed.json").stdout == b"own 4"
    assert run("seed.json", "-f", "json").stdout.startswith(b"{")
    assert run("seed.json", "-o", "flow.svg").returncode == 0
    assert (tmp_path / "flow.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("none.json", "none.json: No such file or directory"),
        ("flow.svg", "flow.svg: line 1, column 1: no JSON (Expecting value)"),
        ("log.txt", "log.txt: line 1, column 5: no JSON (Extra data)"),
        ("-", "stdin: the file is empty"),
    ],
)
def test_what_is_no_recording_is_named(run, tmp_path, given, message):
    (tmp_path / "flow.svg").write_text("<svg/>")
    (tmp_path / "log.txt").write_text("2026-11-30 10:00:00 [info] server started\n")
    done = run(given, input=b"")
    said, way_out = refusal(done)
    assert (done.returncode, said) == (1, message)
    assert "trace" in way_out


@pytest.mark.parametrize(
    ("name", "start"), [("a.SVG", b"<svg"), ("a", b"<svg"), ("a.PNG", b"\x89PNG"), ("a.pdf", b"%PDF")]
)
def test_the_suffix_tells_the_format_however_it_is_written(run, tmp_path, name, start):
    assert run("seed.json", "-o", name).returncode == 0
    assert (tmp_path / name).read_bytes().startswith(start)


def test_a_recording_can_come_in_through_a_pipe_and_the_picture_go_out(run, tmp_path):
    done = run("-", "-f", "JSON", "-o", "-", input=(tmp_path / "seed.json").read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"{")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a full disk that is always there")
def test_a_full_disk_is_an_error_in_a_line(run):
    done = run("seed.json", "-o", "/dev/full")
    assert done.returncode == 1
    assert refusal(done)[0] == "/dev/full: No space left on device"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a full disk that is always there")
def test_a_full_disk_behind_stdout_is_one_too(run):
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "flowgen", "render", str(SAMPLES / "seed.json")]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert (done.returncode, done.stderr.decode().splitlines()[0]) == (1, "flowgen: stdout: No space left on device")


@pytest.mark.skipif(os.name == "nt", reason="pipes close in another way there")
def test_a_reader_that_goes_away_is_no_error_to_tell(run, tmp_path):
    command = [sys.executable, "-m", "flowgen", "render", "seed.json"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        _, err = process.communicate(timeout=60)
    assert err == b""


def test_a_title_stands_in_every_format(run, tmp_path):
    assert b">Mine</title>" in run("seed.json", "--title", "Mine").stdout
    assert b'"title": "Mine"' in run("seed.json", "--title", "Mine", "-f", "json").stdout


def test_what_stands_around_the_lanes_can_be_given(run, tmp_path):
    (tmp_path / "logo.png").write_bytes(pixels("PNG"))
    around = ["--title", "T1", "--subtitle", "S1", "--date", "--footer", "F1", "--logo", "logo.png"]
    done = run("seed.json", *around, "--schema", "summary", "--images")
    assert done.returncode == 0
    shown = done.stdout.decode()
    assert all(f">{text}<" in shown for text in ("T1", "S1   ·   2026-11-30", "F1")) and "<image" in shown
    assert "metric|imperial|kelvin" in "".join(ET.fromstring(shown).itertext())


def test_a_logo_that_is_none_is_wrong_usage(run, tmp_path):
    (tmp_path / "logo.svg").write_text("<svg/>")
    done = run("seed.json", "--logo", "logo.svg")
    assert done.returncode == 2 and b"logo.svg: no image" in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-o", "a.svg", "--columns", "80"], "--columns changes nothing here: it is for txt, and this is svg"),
        (["-f", "txt", "--pages"], "--pages changes nothing here: it is for svg, png, pdf, and this is txt"),
        (["-f", "txt", "--columns", "80"], ""),
        (["-o", "a.svg", "--width", "600"], ""),
    ],
)
def test_a_typed_option_that_the_format_has_no_use_for_is_told(tmp_path, words, told):
    done = typed("render", SAMPLES / "seed.json", *words, cwd=tmp_path)
    assert done.returncode == 0 and done.stderr.decode() == (f"flowgen: {told}\n" if told else "")


def test_a_setting_that_the_format_has_no_use_for_waits_for_another_picture(tmp_path):
    (tmp_path / "flowgen.toml").write_text('[render]\ncolumns = 80\nwidth = 600\n')
    assert typed("render", SAMPLES / "seed.json", "-f", "json", cwd=tmp_path).stderr == b""
