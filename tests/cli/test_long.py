"""`flowgen render` of recordings that are abridged while they are read; here a hundred messages are long enough."""

import pytest

from tests.bench.session import jsonl
from tests.cli.conftest import typed

CALLS = 400


@pytest.fixture
def long(tmp_path, monkeypatch):
    monkeypatch.setattr("flowgen.trace._reading._MANY", 100)
    monkeypatch.setattr("flowgen.flow._abridged._RECENT", 20)
    (tmp_path / "long.jsonl").write_text("\n".join(jsonl(CALLS)) + "\n")
    return tmp_path


def drawn(folder, *words, **more):
    done = typed("render", *words, cwd=folder, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def test_file_pipe_and_folder_give_the_same_picture(long):
    whole = drawn(long, "long.jsonl")
    assert f"{CALLS - 2} more tools/call" in whole
    assert f"{2 * CALLS} messages" in whole
    assert drawn(long, "-", input=(long / "long.jsonl").read_bytes()) == whole
    drawn(long, ".", "-o", "pictures/", "--jobs", "1")
    assert (long / "pictures" / "long.svg").read_text() == whole


def test_numbers_and_counts_are_those_of_the_whole_recording(long, monkeypatch):
    short = drawn(long, "long.jsonl", "--times", "clock", "--fold", "3")
    monkeypatch.setattr("flowgen.trace._reading._MANY", 10_000)
    assert drawn(long, "long.jsonl", "--times", "clock", "--fold", "3") == short


def test_full_draws_every_message_of_a_long_recording(long):
    picture = drawn(long, "long.jsonl", "--full")
    assert all(f'id="m-{number}"' in picture for number in range(1, 2 * CALLS + 1))


def test_a_part_of_a_long_recording_is_counted_as_in_the_whole(long):
    assert f"{CALLS - 2} more tools/call" in drawn(long, "long.jsonl", "--only", "tools/*", "--steps", "1")
