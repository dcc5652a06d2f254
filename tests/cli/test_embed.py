"""`flowgen embed` as it is typed."""

import shutil

import pytest

from tests.cli.conftest import typed
from tests.traces import SAMPLES

PAGE = "# A\n\n<!-- flowgen: call.json list -->\n"


@pytest.fixture
def folder(tmp_path):
    shutil.copy(SAMPLES / "seed.json", tmp_path / "call.json")
    (tmp_path / "README.md").write_text(PAGE)
    return tmp_path


def test_a_page_is_stale_then_written_then_fresh(folder):
    stale = typed("embed", "--check", "README.md", cwd=folder)
    assert (stale.returncode, (folder / "README.md").read_text()) == (3, PAGE)
    assert b"+++ README.md" in stale.stdout and b'+  <img alt="' in stale.stdout and b"+++ call.svg" in stale.stdout
    assert b"README.md: stale" in stale.stderr and b"more lines" in stale.stdout
    written = typed("embed", "README.md", cwd=folder)
    assert (written.returncode, written.stdout) == (0, b"") and b"call-dark.svg: written" in written.stderr
    for _ in range(2):
        fresh = typed("embed", "--check", ".", cwd=folder)
        assert (fresh.returncode, fresh.stdout, fresh.stderr) == (0, b"", b"")


def test_a_picture_that_somebody_changed_is_stale_but_not_for_the_ends_of_its_lines(folder):
    typed("embed", "README.md", cwd=folder)
    picture = folder / "call.svg"
    fresh = picture.read_bytes()
    picture.write_bytes(fresh.replace(b"\n", b"\r\n"))
    assert typed("embed", "--check", "README.md", cwd=folder).returncode == 0
    picture.write_bytes(fresh.replace(b"Tool Discovery", b"Tools"))
    stale = typed("embed", "--check", "README.md", cwd=folder)
    assert stale.returncode == 3 and b"+++ call.svg" in stale.stdout and b"--- README.md" not in stale.stdout
    shown = typed("embed", "--diff", "README.md", cwd=folder)
    assert shown.returncode == 0 and b"--- call.svg" in shown.stdout and picture.read_bytes() == fresh


def test_a_folder_stands_for_the_markdown_in_it(folder):
    for place in ("docs", ".hidden", "node_modules"):
        (folder / place).mkdir()
        (folder / place / "page.md").write_text("<!-- flowgen: missing.json -->\n")
    told = typed("embed", ".", cwd=folder)
    assert told.returncode == 1 and told.stderr.count(b": missing.json") == 1
    assert b"docs/page.md:1: missing.json: No such file" in told.stderr and b"README.md: written" in told.stderr
    assert typed("embed", ".hidden/..", "nothing", cwd=folder / "docs").returncode == 1


@pytest.mark.parametrize("setting", ["[embed]\nallow-record = true", "[embed]\nroot = '/'", "allow-record = true"])
def test_a_file_of_settings_opens_no_doors(folder, setting):
    (folder / "flowgen.toml").write_text(setting)
    (folder / "README.md").write_text("<!-- flowgen: ../up.json record='touch planted' -->\n")
    told = typed("embed", "README.md", cwd=folder)
    assert told.returncode == 2 and not (folder / "planted").exists()
    assert b"--allow-record" in told.stderr or b"flowgen.toml" in told.stderr


def test_what_is_wrong_with_a_page_is_one_line(folder):
    (folder / "README.md").write_text("<!-- flowgen: call.json lnag=zh -->\n")
    told = typed("embed", "README.md", cwd=folder)
    said = ["flowgen: README.md:1: there is no word 'lnag'", "hint: did you mean lang?"]
    assert told.stderr.decode().splitlines() == said
    (folder / "latin.md").write_bytes(b"\xe9 <!-- flowgen: call.json -->")
    assert b"latin.md: not UTF-8 (byte 0)" in typed("embed", "latin.md", cwd=folder).stderr
    (folder / "README.md").write_text("<!-- flowgen: record='touch planted' -->\n")
    told = typed("embed", "README.md", cwd=folder)
    assert told.returncode == 2 and b"--allow-record" in told.stderr and not (folder / "planted").exists()


def test_a_page_whose_markers_are_none_is_told_where_it_was_named(folder):
    (folder / "page.md").write_text("1.  A\n\n    <!-- flowgen: call.json -->\n")
    told = typed("embed", "page.md", cwd=folder)
    assert told.returncode == 0 and b"page.md: no marker in it" in told.stderr
    assert b"no marker" not in typed("embed", ".", cwd=folder).stderr
