"""`flowgen render` into pages: what they are called, and what is refused."""

from pathlib import Path

import pytest

from tests.cli.conftest import Done, typed
from tests.traces import SAMPLES


def render(folder: Path, *arguments: str) -> Done:
    return typed("render", SAMPLES / "seed.json", *arguments, cwd=folder)


def test_pages_are_numbered_files(tmp_path: Path) -> None:
    done = render(tmp_path, "--pages", "--page-height", "1000", "-o", "flow.svg")
    assert (done.returncode, done.stderr) == (0, b"")
    names = sorted(file.name for file in tmp_path.iterdir())
    assert names == [f"flow-{number}.svg" for number in range(1, len(names) + 1)] and len(names) > 3


def test_pages_do_not_fit_through_stdout(tmp_path: Path) -> None:
    done = render(tmp_path, "--pages")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"pages, too many for stdout" in done.stderr and b"-o FILE" in done.stderr


def test_a_picture_of_one_page_keeps_its_name(tmp_path: Path) -> None:
    assert render(tmp_path, "--pages", "--steps", "4", "-o", "flow.svg").returncode == 0
    assert [file.name for file in tmp_path.iterdir()] == ["flow.svg"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--page-size", "a9"], "--page-size: there is no 'a9'"),
        (["--page-size", "a4", "--page-height", "900"], "--page-height does not go with --page-size a4"),
        (["--page-height", "300"], "have no room for messages under their heads"),
    ],
)
def test_pages_that_cannot_be_are_told(tmp_path: Path, arguments: list[str], said: str) -> None:
    done = render(tmp_path, *arguments, "-o", "flow.svg")
    assert done.returncode == 2 and not list(tmp_path.iterdir())
    assert said in done.stderr.decode() and "hint: " in done.stderr.decode()
