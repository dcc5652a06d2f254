"""Command lines written for a shell, and programs that cannot be started: each says what to try."""

import os

import pytest

from flowgen.record._starting import shell_words, start_hint

posix = pytest.mark.skipif(os.name != "posix", reason="bits of POSIX say what may be executed")


@pytest.fixture
def folder(tmp_path):
    """A folder with a script, a text, a program without an interpreter, and a folder."""
    (tmp_path / "server.py").touch()
    (tmp_path / "notes").touch()
    (tmp_path / "tool").write_text("#!/nowhere/x\n")
    (tmp_path / "tool").chmod(0o755)
    (tmp_path / "src").mkdir()
    return str(tmp_path)


@posix
@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (["./server.py"], "such as `python ./server.py`, or chmod +x ./server.py"),
        (["server.py"], "such as `python server.py`"),
        (["./notes"], "the file may not be executed: chmod +x ./notes"),
        (["tool"], "a program in this folder is named with it: ./tool"),
        (["./tool"], "its first line, such as #!/usr/bin/env python3, must name a program that is there"),
        (["./src"], "./src is a folder: name the program in it"),
        (["FOO=1", "B=a b", "python", "C=3"], "no shell runs this; variables go in with --env FOO=1 --env 'B=a b'"),
        (["python server.py"], "this is one word: give --server 'COMMAND ARG…', or -- COMMAND ARG…"),
        (["nowhere"], "check the program's name and that it is on the PATH"),
        ([""], "check the program's name and that it is on the PATH"),
    ],
)
def test_the_hint_names_what_would_start(folder, argv, hint):
    assert start_hint(argv, folder, lambda name: f"/bin/{name}") == hint


@posix
def test_where_python_is_called_python3_the_hint_says_so(folder):
    def only_three(name):
        return "/bin/python3" if name == "python3" else None

    assert start_hint(["server.py"], folder, only_three) == "such as `python3 server.py`"
    assert start_hint(["python", "server.py"], folder, only_three) == "here it is called python3"


@pytest.mark.parametrize("sign", ["|", "||", "&&", "&", ";", ">", ">>", "2>", "2>&1", "2>/dev/null", "&>", "<"])
def test_signs_of_a_shell_as_words_of_their_own_are_told(sign):
    warning = f"no shell runs this: {sign} x go to the server as arguments"
    assert shell_words(["python", "server.py", sign, "x"]) == warning


@pytest.mark.parametrize("word", ["a|b", "a;", ">=1.0", "--x=>", "", "-", "<stdin>"])
def test_signs_within_words_are_the_servers_own(word):
    assert shell_words(["python", word]) is None


@posix
def test_a_recording_tells_both(record, tmp_path):
    heard = []
    from flowgen.record import Watch

    seen = record("", watch=Watch(warn=heard.append))
    assert heard == [] and seen.exit_code == 0
    seen = record(["true", "|", "tee"], watch=Watch(warn=heard.append))
    assert heard[0] == "no shell runs this: | tee go to the server as arguments"
    seen = record(["TOKEN=0123456789abcdef", "true"])
    assert seen.exit_code == 3 and seen.recording.verdict[-1].endswith("--env 'TOKEN=•••'")
