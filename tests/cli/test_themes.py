"""`flowgen themes`: the list, one theme as TOML, the beginning of one's own."""

import sys
import tomllib
from pathlib import Path

import pytest

from flowgen.cli import _main
from flowgen.scene import theme, theme_names


@pytest.fixture
def flowgen(tmp_path, monkeypatch, capsys):
    """Runs the command line: gives code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def call(*args):
        monkeypatch.setattr(sys, "argv", ["flowgen", *args])
        with pytest.raises(SystemExit) as ended:
            _main.run()
        return ended.value.code, *capsys.readouterr()

    return call


@pytest.mark.parametrize("command", [["themes"], ["themes", "list"]])
def test_the_themes_are_listed_with_what_they_are_for(flowgen, command):
    lines = flowgen(*command)[1].splitlines()
    assert [line.split()[0] for line in lines] == theme_names()
    assert all(len(line.split()) > 3 for line in lines)


@pytest.mark.parametrize("name", [*theme_names(), "slides:dark", "contrast"])
def test_what_is_shown_is_a_theme_again(flowgen, tmp_path: Path, name: str):
    own = tmp_path / "own.toml"
    own.write_text(flowgen("themes", "show", name)[1], "utf-8")
    found = theme(str(own))
    assert (found.light, found.dark, found.weight) == (theme(name).light, theme(name).dark, theme(name).weight)


def test_an_unknown_theme_is_told_with_those_there_are(flowgen):
    code, _, err = flowgen("themes", "show", "nope")
    assert code == 1 and "high-contrast" in err


def test_a_theme_of_ones_own_begins_without_changing_anything(flowgen, tmp_path: Path):
    file = tmp_path / "own.toml"
    code, out, err = flowgen("themes", "new", str(file))
    assert (code, out) == (0, "") and "--theme" in err
    assert theme(str(file)).light == theme().light
    begun = file.read_text("utf-8")
    changed = begun.replace('# req = ["#1d4ed8"', 'req = ["#000080"')
    assert changed != begun
    file.write_text(changed, "utf-8")
    assert theme(str(file)).light["req"] == "#000080"


def test_every_line_of_a_new_theme_can_be_taken_out_of_its_comment(flowgen):
    begun = flowgen("themes", "new", "-")[1]
    opened = "\n".join(line.removeprefix("# ") if " = " in line else line for line in begun.splitlines())
    assert len(tomllib.loads(opened)["lane"]) == 9


def test_a_file_that_is_there_is_never_written_over(flowgen, tmp_path: Path):
    file = tmp_path / "own.toml"
    file.write_text("mine")
    code, _, err = flowgen("themes", "new", str(file))
    assert (code, file.read_text()) == (2, "mine") and "is there already" in err


def test_a_place_that_cannot_be_written_is_told(flowgen, tmp_path: Path):
    code, _, err = flowgen("themes", "new", str(tmp_path / "no" / "own.toml"))
    assert code == 2 and "hint:" in err
