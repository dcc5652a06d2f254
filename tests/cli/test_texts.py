"""`flowgen render` into text: formats by suffix, what a terminal decides, files beside a snippet, templates."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Done, typed
from tests.traces import SAMPLES

SEED = str(SAMPLES / "seed.json")


RENDER = [sys.executable, "-m", "flowgen", "render"]
CLEAN = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "TERM")}
KNOWN = {**CLEAN, "PYTHONPATH": str(SAMPLES.parent)}


def run(*arguments: str, cwd: Path = SAMPLES, **env: str) -> Done:
    return typed("render", *arguments, cwd=cwd, env={**KNOWN, **env})


def on_terminal(*arguments: str, **env: str) -> str:
    """What a terminal of 72 columns gets."""
    ours, theirs = pty.openpty()
    known = {**KNOWN, "TERM": "xterm", "COLUMNS": "72", **env}
    with subprocess.Popen([*RENDER, *arguments], stdout=theirs, env=known) as process:
        os.close(theirs)
        got = b"".join(iter(lambda: _some(ours), b""))
        assert process.wait(60) == 0
    os.close(ours)
    return got.decode().replace("\r\n", "\n")


def _some(file: int) -> bytes:
    try:
        return os.read(file, 65536)
    except OSError:  # the terminal is closed: Linux says so with EIO
        return b""


def test_without_a_terminal_text_is_plain_and_100_columns_wide():
    text = run(SEED, "-f", "txt").stdout.decode()
    assert "\x1b" not in text and max(map(len, text.splitlines())) == 100
    assert max(map(len, run(SEED, "-f", "txt", "--columns", "80").stdout.decode().splitlines())) == 80


def test_a_terminal_gets_its_columns_and_colours_unless_it_wants_none():
    text = on_terminal(SEED, "-f", "txt")
    assert "\x1b[94m" in text and max(len(re.sub(r"\x1b\[[\d;]*m", "", line)) for line in text.splitlines()) == 72
    assert "\x1b" not in on_terminal(SEED, "-f", "txt", NO_COLOR="1")


def test_colours_can_be_asked_for():
    assert b"\x1b[94m" in run(SEED, "-f", "txt", "--color", "always", NO_COLOR="1").stdout


def test_ascii_where_the_encoding_has_no_lines_or_it_is_asked_for():
    for done in (run(SEED, "-f", "txt", PYTHONIOENCODING="latin-1"), run(SEED, "-f", "txt", "--ascii")):
        assert done.stdout.isascii() and b"o====" in done.stdout


def test_a_snippet_comes_with_its_pictures(tmp_path):
    done = run(SEED, "-o", "flow.md", cwd=tmp_path)
    assert done.returncode == 0 and sorted(os.listdir(tmp_path)) == ["flow-dark.svg", "flow.md", "flow.svg"]
    snippet = (tmp_path / "flow.md").read_text("utf-8")
    assert 'src="flow.svg"' in snippet and 'srcset="flow-dark.svg"' in snippet
    light, dark = ((tmp_path / name).read_text("utf-8") for name in ("flow.svg", "flow-dark.svg"))
    assert light != dark and "<style" not in light + dark


def test_a_snippet_can_refer_to_pictures_that_are_there(tmp_path):
    done = run(SEED, "-o", "flow.md", "--image", "docs/a b.svg", cwd=tmp_path)
    assert done.returncode == 0 and os.listdir(tmp_path) == ["flow.md"]
    assert 'src="docs/a%20b.svg"' in (tmp_path / "flow.md").read_text("utf-8")
    assert b'src="flow.svg"' in run(SEED, "-f", "md").stdout


def test_snippets_of_many_have_pictures_each(tmp_path):
    done = run(SEED, str(SAMPLES / "sdk-stateless.json"), "-f", "md", "-o", "out/", "--jobs", "1", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert sorted(os.listdir(tmp_path / "out")) == [
        "sdk-stateless-dark.svg", "sdk-stateless.md", "sdk-stateless.svg", "seed-dark.svg", "seed.md", "seed.svg",
    ]  # fmt: skip
    assert 'src="seed.svg"' in (tmp_path / "out" / "seed.md").read_text("utf-8")


def test_notations_of_many_have_their_usual_suffix(tmp_path):
    assert run(SEED, "-f", "mermaid", "-o", "out/", "--jobs", "1", cwd=tmp_path).returncode == 0
    assert os.listdir(tmp_path / "out") == ["seed.mmd"]


def test_a_template_makes_a_text(tmp_path):
    (tmp_path / "own.txt.j2").write_text("{% for step in steps %}{{ step.title|say }}\n{% endfor %}", "utf-8")
    done = run(SEED, "--template", "own.txt.j2", "--lang", "zh", cwd=tmp_path)
    assert done.stdout.decode() == "初始化\n工具发现\n工具执行\n通知\n"
    assert run(SEED, "--template", "own.txt.j2", "-o", "out/", "--jobs", "1", cwd=tmp_path).returncode == 0
    assert (tmp_path / "out" / "seed.txt").read_text("utf-8").startswith("Initialization\n")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--template", "none.j2"], 1, "none.j2: No such file or directory"),
        (["--template", "bad.j2"], 1, "bad.j2:2: 'nix' is undefined"),
        (["--template", "bad.j2", "-f", "svg"], 2, "-f svg does not go with --template"),
    ],
)
def test_what_is_wrong_with_a_template_is_one_line(tmp_path, arguments, code, message):
    (tmp_path / "bad.j2").write_text("a\n{{ nix }}", "utf-8")
    done = run(SEED, *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (code, b"")
    assert done.stderr.decode().splitlines()[0] == f"flowgen: {message}"
