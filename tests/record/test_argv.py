"""Command lines, also those of a Windows that is not here."""

import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.errors import UsageError
from flowgen.record import is_address, split_command
from flowgen.record._argv import batch_line, startable


@pytest.mark.parametrize(
    ("text", "argv"),
    [
        ("python server.py --port 3", ["python", "server.py", "--port", "3"]),
        ("'my server' \"a b\"c", ["my server", "a bc"]),
        ('server --name "" #1', ["server", "--name", "", "#1"]),
        ("server $HOME `id` ; rm | x > y", ["server", "$HOME", "`id`", ";", "rm", "|", "x", ">", "y"]),
        (r"a\ b 'c\d' e\"f", ["a b", r"c\d", 'e"f']),
    ],
)
def test_a_command_is_split_like_a_shell_quotes_and_nothing_is_expanded(text, argv):
    assert split_command(text) == argv


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=10), min_size=1))
def test_what_shlex_joins_comes_apart_again(argv):
    assert split_command(shlex.join(argv)) == argv


def test_a_backslash_is_part_of_a_path_on_windows():
    assert split_command(r'C:\tools\node.exe "C:\my dir\s.js" x', windows=True) == [
        r"C:\tools\node.exe", r"C:\my dir\s.js", "x",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "   ", "python 'x", 'python "x'])
def test_what_is_no_command_is_a_usage_error(text):
    with pytest.raises(UsageError, match="--server"):
        split_command(text)


@pytest.mark.parametrize(("text", "yes"), [("https://a.example/mcp", True), ("HTTP://x", True), ("python", False)])
def test_addresses_are_told_from_commands(text, yes):
    assert is_address(text) is yes


FOUND = {"npx": r"C:\node\npx.CMD", "python": r"C:\py\python.exe", "run": r"C:\my tools\run.bat"}


def test_windows_starts_programs_by_the_path_that_was_found():
    assert startable(["python", "s.py"], FOUND.get) == ([r"C:\py\python.exe", "s.py"], None)
    assert startable(["nowhere", "x"], FOUND.get) == (["nowhere", "x"], None)


def test_windows_runs_batch_files_through_cmd_exe_with_every_argument_quoted():
    line, program = startable(["npx", "-y", "@scope/pkg", "a b"], FOUND.get, r"C:\Windows\cmd.exe")
    assert program == r"C:\Windows\cmd.exe"
    assert line == 'cmd.exe /e:ON /v:OFF /d /c ""C:\\node\\npx.CMD" -y @scope/pkg "a b""'


@pytest.mark.parametrize(
    ("argument", "word"),
    [
        ("plain-1.0", "plain-1.0"),
        ("", '""'),
        ("a b", '"a b"'),
        ("x & calc", '"x & calc"'),
        ('say "hi"', '"say ""hi"""'),
        ("%PATH%", '"%%cd:~,%PATH%%cd:~,%"'),
        ("C:\\dir\\", '"C:\\dir\\\\"'),
        ('a\\"b', '"a\\\\""b"'),
        ("^|<>!", '"^|<>!"'),
    ],
)
def test_nothing_in_an_argument_means_something_to_cmd_exe(argument, word):
    assert batch_line("x.cmd", [argument]) == f'cmd.exe /e:ON /v:OFF /d /c ""x.cmd" {word}"'


@pytest.mark.parametrize("arguments", [["a\nb"], ["a\rb"], ["a\0b"]])
def test_a_line_break_cannot_be_given_to_a_batch_file(arguments):
    with pytest.raises(UsageError):
        batch_line("x.cmd", arguments)


def test_a_batch_file_without_arguments():
    assert batch_line(r"C:\my tools\run.bat", []) == 'cmd.exe /e:ON /v:OFF /d /c ""C:\\my tools\\run.bat""'
