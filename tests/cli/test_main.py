import json
import os
import subprocess
import sys

import pytest

from flowgen import __version__
from flowgen.cli import _main
from flowgen.cli._main import Row, run

HEAVY = ["pydantic", "httpx", "jinja2", "anyio", "asyncio", "cairosvg", "wcwidth"]

PLAY = """
import click, errno
from flowgen.errors import BackendMissing, ServerError, TraceError

@click.command()
@click.argument("what")
@click.option("--theme", default="auto")
@click.option("--form", "-f", "shape", type=click.IntRange(0, 9), default=0)
@click.option("--hide", multiple=True)
@click.option("--full/--no-full", default=False)
@click.option("--logo", type=click.Path())
def play(what, theme, shape, hide, full, logo):
    "Do what is asked."
    match what:
        case "trace": raise TraceError("a.json: kind:\\n bad \\x1b[31m \\u202e", "say it\\tso")
        case "server": raise ServerError("no such program")
        case "extra": raise BackendMissing("cairo is missing", "install mcp-flowgen[png]")
        case "bug": raise KeyError("x")
        case "group": raise ExceptionGroup("tasks", [ExceptionGroup("more", [ServerError("within")])])
        case "interrupt": raise KeyboardInterrupt
        case "question": raise click.Abort from EOFError()
        case "pipe": raise BrokenPipeError(errno.EPIPE, "gone")
        case "four": click.get_current_context().exit(4)
        case "five": return 5
        case "logo": return click.echo(logo)
    click.echo(f"{theme} {shape} {list(hide)} {full}")
"""


@pytest.fixture
def flowgen(tmp_path, monkeypatch, capsys):
    """Runs the command line with one command more: gives code, stdout, stderr."""
    (tmp_path / "play_command.py").write_text(PLAY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(_main.COMMANDS, "play", Row("play_command:play", "Do what is asked."))
    monkeypatch.setitem(_main.COMMANDS, "absent", Row("flowgen.cli._absent:absent", "Is not written yet."))

    def call(*args):
        monkeypatch.setattr(sys, "argv", ["flowgen", *args])
        with pytest.raises(SystemExit) as ended:
            run()
        return ended.value.code, *capsys.readouterr()

    return call


def test_the_help_names_every_command_that_is_there(flowgen):
    code, out, _ = flowgen("--help")
    assert code == 0
    assert "render" in out
    assert "Do what is asked." in out
    assert "absent" not in out


def test_without_a_command_the_help_is_an_error(flowgen):
    code, out, err = flowgen()
    assert (code, out) == (2, "")
    assert "Commands:" in err


def test_the_version_is_one_line(flowgen):
    assert flowgen("--version") == (0, f"flowgen {__version__}\n", "")


def test_a_misspelt_command_is_told_the_nearest(flowgen):
    assert flowgen("rendr") == (2, "", "flowgen: there is no command 'rendr'\nhint: did you mean render?\n")
    assert flowgen("absent")[0] == 2


def test_an_error_is_two_lines_without_control_characters(flowgen):
    code, out, err = flowgen("play", "trace")
    assert (code, out) == (1, "")
    assert err == "flowgen: a.json: kind:  bad \\x1b[31m \\u202e\nhint: say it\\tso\n"


@pytest.mark.parametrize(
    ("what", "code", "text"),
    [
        ("server", 3, "no such program"), ("extra", 4, "cairo"), ("group", 3, "within"), ("interrupt", 130, ""),
        ("question", 1, "the input ended"), ("pipe", 1, ""), ("four", 4, ""), ("five", 5, ""), ("fine", 0, ""),
    ],
)  # fmt: skip
def test_every_end_has_its_exit_code(flowgen, what, code, text):
    ended, _, err = flowgen("play", what)
    assert ended == code
    assert text in err if text else "flowgen:" not in err


def test_a_fault_of_ours_is_one_line_and_how_to_report_it(flowgen):
    code, _, err = flowgen("play", "bug")
    assert code == 1
    assert err.startswith("flowgen: KeyError: 'x'\nhint: ")
    assert "FLOWGEN_DEBUG=1" in err
    assert "Traceback" not in err


def test_debugging_shows_where_it_happened(flowgen, monkeypatch):
    monkeypatch.setenv("FLOWGEN_DEBUG", "1")
    assert "Traceback" in flowgen("play", "bug")[2]


@pytest.mark.parametrize("args", [["play"], ["play", "x", "--thme", "y"], ["play", "x", "-f", "99"], ["--nothing"]])
def test_wrong_usage_is_exit_2_with_the_way_to_the_help(flowgen, args):
    code, out, err = flowgen(*args)
    assert (code, out) == (2, "")
    assert err.startswith("flowgen: ")
    assert err.splitlines()[1].endswith("--help")


def test_an_option_without_its_value_leads_to_the_help_of_its_command(flowgen):
    assert flowgen("play", "x", "--theme")[2].splitlines()[1] == "hint: flowgen play --help"


def test_a_list_of_choices_is_one_readable_line(flowgen):
    assert "Choose from: bash, zsh, fish, powershell" in flowgen("completion")[2].splitlines()[0]


def test_settings_are_taken_from_the_strongest_place(flowgen, monkeypatch, tmp_path):
    def theme(*args):
        return flowgen("play", "x", *args)[1].split()[0]

    assert theme() == "auto"
    (tmp_path / "pyproject.toml").write_text('[tool.flowgen]\ntheme = "project"\n')
    assert theme() == "project"
    (tmp_path / "flowgen.toml").write_text('theme = "file"\n')
    assert theme() == "file"
    (tmp_path / "flowgen.toml").write_text('theme = "file"\n[play]\ntheme = "own"\n')
    assert theme() == "own"
    monkeypatch.setenv("FLOWGEN_THEME", "variable")
    assert theme() == "variable"
    monkeypatch.setenv("FLOWGEN_PLAY_THEME", "closer")
    assert theme() == "closer"
    assert theme("--theme", "typed") == "typed"


def test_settings_of_every_kind_fit_their_options(flowgen, monkeypatch, tmp_path):
    (tmp_path / "flowgen.toml").write_text('[play]\nform = 3\nhide = ["a", "b"]\nfull = true\n')
    assert flowgen("play", "x")[1] == "auto 3 ['a', 'b'] True\n"
    (tmp_path / "flowgen.toml").write_text('hide = "a"\nlang = "zh"\n')  # lang is for other commands
    monkeypatch.setenv("FLOWGEN_FORM", "4")
    monkeypatch.setenv("FLOWGEN_FULL", "1")
    assert flowgen("play", "x")[1] == "auto 4 ['a'] True\n"
    monkeypatch.setenv("FLOWGEN_HIDE", "c d")
    assert flowgen("play", "x")[1] == "auto 4 ['c', 'd'] True\n"


def test_the_nearest_folder_upwards_with_settings_counts(flowgen, monkeypatch, tmp_path):
    (tmp_path / "flowgen.toml").write_text('theme = "above"\n')
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    assert flowgen("play", "x")[1].startswith("above")
    (tmp_path / "inner" / "pyproject.toml").write_text("")
    assert flowgen("play", "x")[1].startswith("auto")


def test_a_file_that_settings_name_is_looked_for_beside_them(flowgen, monkeypatch, tmp_path):
    (tmp_path / "flowgen.toml").write_text('theme = "own.toml"\n[play]\nlogo = "pictures/logo.png"\n')
    assert flowgen("play", "logo")[1] == "pictures/logo.png\n"
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    assert flowgen("play", "logo")[1] == f"{tmp_path / 'pictures/logo.png'}\n"
    assert flowgen("play", "x")[1].split()[0] == str(tmp_path / "own.toml")
    assert flowgen("play", "logo", "--logo", "typed.png")[1] == "typed.png\n"
    (tmp_path / "flowgen.toml").write_text('theme = "dark"\n[play]\nlogo = "-"\n')
    assert (flowgen("play", "logo")[1], flowgen("play", "x")[1].split()[0]) == ("-\n", "dark")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[play]\nthme = 1\n", "flowgen.toml: play.thme: play has no such option\nhint: did you mean theme?"),
        ("[pley]\ntheme = 1\n", "flowgen.toml: pley: there is no such command\nhint: did you mean play?"),
        ("thme = 1\n", "flowgen.toml: thme: no command has such an option\nhint: did you mean theme?"),
        ("play = 1\n", "play: no command has such an option\nhint: a command's settings are a table: [play]"),
        ("theme = [1]\n", "flowgen.toml: theme: expected one value, found [1]"),
        ("full = 1\n", "flowgen.toml: full: expected true or false, found 1\nhint: --help tells of --full"),
        ("form = true\n", "flowgen.toml: form: expected a text or a number, found true"),
        ("form = 2.5\n", "flowgen.toml: form: expected a whole number, found 2.5"),
        ("[play]\nhide = { a = 1 }\n", "flowgen.toml: hide: expected a list, found {'a': 1}"),
        ("theme = \n", "flowgen.toml: Invalid value (at line 1, column 9)"),
        ("theme = " + "[" * 5000, "flowgen.toml: maximum recursion depth exceeded"),
        ("[play]\nform = 99\n", "(from flowgen.toml, pyproject.toml or a variable)"),
    ],
)
def test_a_setting_that_cannot_be_is_named(flowgen, tmp_path, text, told):
    (tmp_path / "flowgen.toml").write_text(text)
    code, _, err = flowgen("play", "x")
    assert code == 2
    assert told in err


def test_a_setting_that_is_no_table_is_named(flowgen, tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool]\nflowgen = 1\n")
    assert flowgen("play", "x")[0] == 2
    (tmp_path / "pyproject.toml").write_text("tool = 1\n")
    assert flowgen("play", "x")[0] == 0


def test_a_variable_is_called_as_the_option_is(flowgen, monkeypatch):
    monkeypatch.setenv("FLOWGEN_PLAY_FORM", "3")
    assert flowgen("play", "x")[1] == "auto 3 [] False\n"
    monkeypatch.setenv("FLOWGEN_PLAY_FORM", "99")
    assert "(from flowgen.toml, pyproject.toml or a variable)" in flowgen("play", "x")[2]


@pytest.mark.parametrize("name", ["trace", "plan", "answers", "scenario"])
def test_every_file_format_has_a_schema(flowgen, name):
    code, out, _ = flowgen("schema", name)
    assert code == 0
    assert json.loads(out)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_the_themes_are_listed(flowgen):
    assert flowgen("themes")[1].startswith("default ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_every_shell_has_its_completion(flowgen, shell):
    code, out, _ = flowgen("completion", shell)
    assert code == 0
    assert "_FLOWGEN_COMPLETE" in out


def child(*args, **variables):
    argv = [sys.executable, "-m", "flowgen", *args]
    return subprocess.run(argv, capture_output=True, timeout=60, env={**os.environ, **variables})


def test_powershell_is_answered_word_by_word():
    done = child(_FLOWGEN_COMPLETE="powershell_complete", COMP_WORDS="flowgen schema tr", COMP_CWORD="tr")
    assert (done.returncode, done.stdout.decode().splitlines()) == (0, ["trace"])


def test_powershell_is_answered_inside_a_quotation_too():
    done = child(_FLOWGEN_COMPLETE="powershell_complete", COMP_WORDS='flowgen render "a b --th', COMP_CWORD="--th")
    assert (done.returncode, done.stderr, b"--theme" in done.stdout) == (0, b"", True)


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("demo se", ["plain,seed"]),
        ("record --demo se", ["plain,seed"]),
        ("demo --theme da", ["plain,dark"]),
        ("demo -o x", ["file,x"]),
        ("record --script x", ["file,x"]),
    ],
)
def test_a_shell_is_offered_names_and_files(words, offered):
    typed = f"flowgen {words}"
    done = child(_FLOWGEN_COMPLETE="bash_complete", COMP_WORDS=typed, COMP_CWORD=str(typed.count(" ")))
    assert done.stdout.decode().splitlines() == offered


def loaded_by(code):
    """Which of the heavy modules are there after the code ran."""
    told = f"print([name for name in {HEAVY} if name in sys.modules])"
    code = f"import atexit, sys; atexit.register(lambda: {told}); {code}"
    done = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, timeout=60, check=True)
    return done.stdout.decode().splitlines()[-1]


def test_the_help_loads_none_of_the_heavy_modules():
    assert loaded_by("import flowgen.cli; flowgen.cli.main()") == "[]"


def test_wire_and_trace_load_none_of_them_before_a_trace_is_read():
    assert loaded_by("import flowgen.wire, flowgen.trace") == "[]"
    assert loaded_by("from flowgen.trace import load") == "['pydantic']"


def test_a_legacy_encoding_cannot_stop_the_output():
    done = child("schema", "nö…\U0001f600", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="pipes close in another way there")
def test_a_reader_that_went_away_is_no_error():
    with subprocess.Popen(
        [sys.executable, "-m", "flowgen", "schema"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        process.stdout.close()
        _, err = process.communicate(timeout=60)
    assert err == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a full disk that is always there")
@pytest.mark.parametrize("args", [["themes"], ["schema"], ["--help"], ["--version"], ["completion", "zsh"]])
def test_a_full_disk_behind_stdout_is_an_error_in_two_lines(args):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([sys.executable, "-m", "flowgen", *args], stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 1
    said, hint = done.stderr.decode().splitlines()
    assert said == "flowgen: the output cannot be written: No space left on device"
    assert hint == "hint: make room, or write elsewhere"


@pytest.mark.skipif(os.name == "nt", reason="a shell that closes streams")
@pytest.mark.parametrize(("closed", "code"), [("<&-", 0), (">&-", 1), ("2>&-", 0), (">&- 2>&-", 1)])
def test_a_stream_that_is_closed_is_no_fault(closed, code):
    command = f"{sys.executable} -m flowgen themes {closed}"
    done = subprocess.run(command, shell=True, capture_output=True, timeout=60, check=False)
    assert done.returncode == code
    assert b"Traceback" not in done.stderr and b"a fault" not in done.stderr
    assert done.stdout.startswith(b"default ") == (code == 0)
