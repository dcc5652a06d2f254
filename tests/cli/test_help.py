"""The help of the commands: sorted by purpose, nothing lost, with examples."""

import pytest

from flowgen.cli._help import Sorted
from flowgen.cli._record import record
from flowgen.cli._render import render
from tests.cli.conftest import typed


@pytest.mark.parametrize("command", [record, render], ids=["record", "render"])
def test_the_sections_of_the_help_name_options_that_there_are_once_each(command):
    assert isinstance(command, Sorted)
    named = " ".join(command.sections.values()).split()
    known = {option[2:] for param in command.params for option in param.opts if option.startswith("--")}
    assert len(named) == len(set(named)) and set(named) <= known
    assert known - set(named) <= {"output", "format", "verbose", "all"}, "options that no section takes in"


@pytest.mark.parametrize("command", [record, render], ids=["record", "render"])
def test_every_option_is_in_the_help_and_says_what_it_does(tmp_path, command):
    shown = typed(command.name, "--help", cwd=tmp_path).stdout.decode()
    for param in command.params:
        if param.param_type_name == "option":
            assert param.help, param.name
            assert f"{param.opts[-1]} " in shown or f"{param.opts[-1]}," in shown, param.name


@pytest.mark.parametrize(
    "words",
    [["demo"], ["record"], ["render"], ["check"], ["hosts"], ["themes"],
     ["themes", "show"], ["themes", "new"], ["schema"], ["completion"]],
    ids=" ".join,
)
def test_every_help_has_an_example(tmp_path, words):
    done = typed(*words, "--help", cwd=tmp_path)
    assert done.returncode == 0 and f"flowgen {words[0]}" in done.stdout.decode().partition("\n")[2]
