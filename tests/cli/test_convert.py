"""`flowgen convert` and `flowgen cut`, and the options of every command that takes recordings."""

import json
from pathlib import Path

import pytest

from tests.traces import SAMPLES

from .conftest import typed

CASES = Path(__file__).parents[1] / "foreign" / "cases"
LOG = CASES / "two-servers-mcp.log"


def test_a_log_becomes_a_trace_on_stdout(tmp_path):
    done = typed("convert", LOG, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["missing"] == ["stderr"]


def test_stdin_is_read_and_what_is_lost_is_told_in_one_line(tmp_path):
    done = typed("convert", "-", "-o", "a.otlp.json", cwd=tmp_path, input=(CASES / "tides-server.log").read_bytes())
    assert done.returncode == 0
    assert done.stderr.decode().splitlines() == [
        "flowgen: a.otlp.json: cannot hold 4 messages of the recorder, 9 messages of stderr: left out"
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [(("convert", LOG, "-o", "x"), "x: the name does not tell the format"),
     (("convert", "none.log", "-o", "x.json"), "none.log: No such file or directory"),
     (("convert", LOG, "-o", "."), "-o .: this is no file"),
     (("convert", LOG, "--from", "hal"), "no format 'hal'"),
     (("render", LOG, "--name", "lawn"), f"{LOG}: no server is called 'lawn'"),
     (("cut", SAMPLES / "seed.json"), "nothing says which part")],
)  # fmt: skip
def test_what_cannot_be_done_is_one_line_and_a_hint(tmp_path, words, said):
    done = typed(*words, cwd=tmp_path)
    first, hint = done.stderr.decode().splitlines()
    assert done.returncode in (1, 2)
    assert first == f"flowgen: {said}" or first.startswith(f"flowgen: {said}")
    assert hint.startswith("hint: ")


def test_a_recording_is_not_written_over_itself(tmp_path):
    (tmp_path / "a.log").write_bytes(LOG.read_bytes())
    done = typed("convert", "a.log", "-o", "a.log", "--to", "json", cwd=tmp_path)
    assert done.returncode == 2
    assert (tmp_path / "a.log").read_bytes() == LOG.read_bytes()


def test_logs_are_drawn_each_into_a_folder_and_by_one_server(tmp_path):
    words = ("render", LOG, CASES / "both-revisions.har", "-o", "pictures/", "-f", "txt")
    done = typed(*words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "garden" in (tmp_path / "pictures/two-servers-mcp.txt").read_text()
    one = typed("render", LOG, "--name", "ledger", "-f", "txt", cwd=tmp_path)
    assert b"ledger" in one.stdout and b"garden" not in one.stdout


def test_a_part_is_written_and_drawn(tmp_path):
    assert typed("cut", SAMPLES / "seed.json", "--steps", "3", "-o", "part.jsonl", cwd=tmp_path).returncode == 0
    done = typed("render", "part.jsonl", "-f", "txt", cwd=tmp_path)
    assert "Excerpt: messages 6–7 of 10" in done.stdout.decode()
