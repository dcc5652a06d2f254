"""Manners that every command has, whoever wrote it: each test walks all of them."""

import json
import os
import shutil
import sys
import tempfile
from contextlib import suppress

import click
import pytest
from click.shell_completion import get_completion_class

from flowgen.cli import _completion, _main, _settings
from flowgen.cli._main import Row, main, run
from flowgen.cli._options import TypedOnly
from tests.cli.conftest import _Stream, typed
from tests.traces import SAMPLES

# what each command can do at once, with something on stdout; a command without a row tells its help
RUNS = {
    "demo": "--list",
    "record": "--demo seed",
    "render": "trace.json -f txt",
    "view": "trace.json -o -",
    "check": "mcp.json",
    "diff": "mcp.json mcp.new.json",
    "cut": "trace.json --messages 4-5",
    "convert": "trace.json",
    "embed": "page.md --check",
    "hosts": "",
    "schema": "",
    "completion": "zsh",
    "themes": "",
    "themes list": "",
    "themes show": "slides",
}


def walked(group=main, before=()):
    """Every command and those within it, by its words."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield " ".join([*before, name]), command
        if isinstance(command, click.Group):
            yield from walked(command, (*before, name))


COMMANDS = dict(walked())
EVERY = pytest.mark.parametrize("words", COMMANDS)
DONE = {words: f"{words} {RUNS.get(words, '--help')}".split() for words in COMMANDS}


def options_of(command):
    """Its options by their long names, without the help."""
    return {param.opts[-1].removeprefix("--"): param for param in command.params
            if isinstance(param, click.Option) and param.opts[-1].startswith("--") and param.name}  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Files for everything, and nobody's settings."""
    shutil.copy(SAMPLES / "seed.json", tmp_path / "trace.json")
    for name, version in (("mcp.json", ""), ("mcp.new.json", "@1.2.0")):
        server = {"command": "uvx", "args": [f"files-exämple→{version}"]}
        (tmp_path / name).write_text(json.dumps({"mcpServers": {"files": server}}, ensure_ascii=False), "utf-8")
    (tmp_path / "page.md").write_text("<!-- flowgen: trace.json -->\n<!-- /flowgen -->\n")
    (tmp_path / "garbage.json").write_bytes(b"\x00\xff{\x1b[31m" * 40)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in [name for name in os.environ if name.startswith("FLOWGEN_") and name != "FLOWGEN_REQUIRE_REAL"]:
        monkeypatch.delenv(name)
    return tmp_path


@EVERY
def test_the_help_has_examples_before_its_options(folder, words):
    done = typed(*words.split(), "--help", cwd=folder)
    shown = done.stdout.decode()
    assert done.returncode == 0 and done.stderr == b""
    assert f"flowgen {words}" in shown.partition("Options:")[0].partition("\n")[2]
    assert all(param.help for param in options_of(COMMANDS[words]).values())


@EVERY
def test_a_misspelt_option_or_command_is_told_the_nearest(folder, words):
    for name in [*options_of(COMMANDS[words])][:3]:
        wrong = f"--{name[:-1]}{'y' if name[-1] != 'y' else 'z'}"
        told = typed(*words.split(), wrong, cwd=folder)
        assert told.returncode == 2 and f"--{name}" in told.stderr.decode(), wrong
    if words not in ("tap install", "tap uninstall"):  # what is no command of tap is a server's
        told = typed(*words.split()[:-1], f"{words.split()[-1]}x", cwd=folder)
        assert told.returncode == 2 and f"id you mean {'' if ' ' not in words else chr(39)}" in told.stderr.decode()


@pytest.mark.parametrize("shell", _completion.SHELLS)
def test_every_command_and_option_is_offered_by_every_shell(shell):
    offering = get_completion_class(shell)(main, {}, "flowgen", "_FLOWGEN_COMPLETE")
    for words, command in COMMANDS.items():
        *before, last = words.split()
        named = offering.get_completions(before, last)
        assert [item.value for item in named] == [last] or last in [item.value for item in named]
        assert all(last in offering.format_completion(item) for item in named if item.value == last)
        offered = {item.value for item in offering.get_completions(words.split(), "--")}
        hidden = {param.name for param in command.params if getattr(param, "hidden", False)}
        assert {f"--{name}" for name, param in options_of(command).items() if param.name not in hidden} <= offered


def test_a_shell_completes_words_and_starts_in_a_folder_with_broken_settings(folder):
    (folder / "flowgen.toml").write_text("[render]\nfoo = [")
    assert b"complete" in typed("completion", "fish", cwd=folder).stdout
    for words, offered in (("flowgen render --the", b"--theme"), ("flowgen nope --x", b"")):
        env = os.environ | {"_FLOWGEN_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": "2"}
        done = typed(cwd=folder, env=env)
        assert offered in done.stdout and done.stderr == b""


def value_of(option):
    """A value that an option takes in a file."""
    if option.is_flag:
        return True
    one = 2 if isinstance(option.type, click.types.IntParamType | click.types.FloatParamType) else "x"
    return [one] if option.multiple else one


@pytest.mark.parametrize("name", [words for words in COMMANDS if " " not in words and words != "tap"])
def test_every_option_can_be_set_by_file_and_variable_unless_it_opens_a_door(folder, monkeypatch, name):
    names = [*main.list_commands(click.Context(main))]
    monkeypatch.chdir(folder)

    def settled():
        return _settings.defaults(name, names, lambda other: COMMANDS[other])

    for key, option in options_of(COMMANDS[name]).items():
        value = value_of(option)
        (folder / "flowgen.toml").write_text(f"[{name}]\n{key} = {json.dumps(value)}\n")
        if isinstance(option, TypedOnly):
            done = typed(name, "--help", cwd=folder)
            assert done.returncode == 2 and b"counts only where it is typed" in done.stderr
            continue
        if key in _settings._OWN.get(name, ()):
            done = typed(name, "--help", cwd=folder)
            assert done.returncode == 2 and b"no file says what is started, asked or trusted" in done.stderr
        else:
            assert settled() == {option.name: value}
        (folder / "flowgen.toml").unlink()
        with monkeypatch.context() as patch:
            patch.setenv(f"FLOWGEN_{name}_{key}".upper().replace("-", "_"), "x")
            assert settled() == {option.name: ["x"] if option.multiple else "x"}
    (folder / "flowgen.toml").unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("command", "setting"),
    [
        ("record", "server = 'touch started'"), ("record", "url = 'http://127.0.0.1:9/'"),
        ("record", "answers = 'answers.toml'"), ("record", "env = ['LD_PRELOAD=./own.so']"), ("record", "yes = true"),
        ("render", "scheduler = 'tcp://127.0.0.1:9'"), ("render", "output = '../written.svg'"),
        ("render", "output = 'link/written.svg'"), ("render", "template = '/etc/passwd'"),
        ("render", "logo = '../logo.png'"), ("render", "theme = '../own.toml:dark'"), ("demo", "output = '/tmp/x.svg'"),
        ("render", r"output = 'a\u0000b'".replace("'", '"')),
    ],
)  # fmt: skip
def test_settings_of_a_stranger_start_nothing_contact_nobody_and_reach_nothing_outside(folder, command, setting):
    tree = folder / "cloned"
    tree.mkdir()
    (tree / "link").symlink_to(folder)
    (tree / "flowgen.toml").write_text(f"[{command}]\n{setting}\n")
    done = typed(command, *(["../trace.json"] if command == "render" else []), cwd=tree)
    assert done.returncode == 2 and b"\nhint: type --" in done.stderr
    assert sorted(path.name for path in tree.iterdir()) == ["flowgen.toml", "link"]
    assert not (folder / "written.svg").exists()


def test_settings_may_name_files_of_their_repository(folder):
    (folder / ".git").mkdir()
    (folder / "docs").mkdir()
    (folder / "docs" / "flowgen.toml").write_text("[render]\noutput = '../flow.svg'\n")
    assert typed("render", folder / "trace.json", cwd=folder / "docs").returncode == 0
    assert (folder / "flow.svg").exists()


def test_these_options_open_a_door():
    doors = {f"{words} --{name}" for words, command in COMMANDS.items()
             for name, option in options_of(command).items() if isinstance(option, TypedOnly)}  # fmt: skip
    assert {"embed --allow-record", "mcp --allow-record", "mcp --allow-remote", "mcp --http", "mcp --root"} <= doors


@EVERY
@pytest.mark.parametrize("name", ["absent.json", "garbage.json", "."])
def test_what_a_user_gets_wrong_is_two_lines_without_a_traceback(folder, words, name):
    given = [name for param in COMMANDS[words].params if isinstance(param, click.Argument) and param.required]
    extra = {"cut": ["--messages", "1"], "convert": ["-o", "out.json"], "view": ["-o", "-"], "themes show": [name],
             "schema": [name], "demo": [name]}.get(words, [])  # fmt: skip
    if not given and not extra:
        return
    done = typed(*words.split(), *given, *extra, cwd=folder)
    told = done.stderr.decode()
    assert "Traceback" not in told and "a fault of flowgen" not in told and "\x1b" not in told
    assert done.returncode in (0, 1, 2)
    if done.returncode:
        assert told and all(line.startswith(("flowgen: ", "hint: ")) for line in told.splitlines())


@EVERY
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_legacy_encoding_stops_no_output(folder, words, encoding):
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    legacy, usual = typed(*DONE[words], cwd=folder, env=env), typed(*DONE[words], cwd=folder)
    assert legacy.returncode == usual.returncode and bool(legacy.stdout) == bool(usual.stdout)
    assert b"Error" not in legacy.stderr and b"Traceback" not in legacy.stderr


@EVERY
def test_nothing_is_coloured_or_drawn_over_where_there_is_no_terminal(folder, words):
    done = typed(*DONE[words], cwd=folder)
    assert b"\x1b" not in done.stdout + done.stderr and b"\r" not in done.stderr
    assert done.returncode in (0, 3), done.stderr


class Terminal(_Stream):
    """A stream that says that it is a terminal."""

    def isatty(self):
        return True


def shown(words, folder, encoding="utf-8", **env):
    """What a command writes to a terminal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, value in {"TERM": "xterm", "NO_COLOR": "", **env}.items():
            patch.setenv(name, value)
        stream = Terminal(b"", encoding)
        for name, value in {"stdin": _Stream(b"", "utf-8"), "stdout": stream, "stderr": _Stream(b"", "utf-8")}.items():
            patch.setattr(sys, name, value)
        patch.setattr(sys, "argv", ["flowgen", *words])
        with pytest.raises(SystemExit):
            run()
        return stream.all()


@EVERY
def test_no_color_is_heard_on_terminals(folder, words):
    assert b"\x1b" not in shown(DONE[words], folder, NO_COLOR="1")


def test_terminals_have_colours_otherwise(folder):
    assert b"\x1b[" in shown(["render", "trace.json", "-f", "txt"], folder)
    assert b"\x1b[" in shown(["themes", "show", "slides"], folder)
    assert b"\x1b[" not in shown(["render", "trace.json", "-f", "txt", "--color", "never"], folder)
    assert b"\x1b[" in typed(*["render", "trace.json", "-f", "txt", "--color", "always"], cwd=folder).stdout


def test_a_terminal_of_another_encoding_is_written_to_in_its_own(folder):
    diff = ["diff", "mcp.json", "mcp.new.json"]
    assert "files-exämple\\u2192".encode("cp1252") in shown(diff, folder, "cp1252")
    assert "files-exämple→".encode() in shown(diff, folder)


@EVERY
@pytest.mark.skipif(os.name == "nt", reason="pipes close in another way there")
def test_a_reader_that_went_away_is_no_error(folder, words):
    read, write = os.pipe()
    os.close(read)
    told = _Stream(b"", "utf-8")
    with suppress(BrokenPipeError), open(write, "w", encoding="utf-8") as gone, pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, value in {"stdin": _Stream(b"", "utf-8"), "stdout": gone, "stderr": told}.items():
            patch.setattr(sys, name, value)
        patch.setattr(sys, "argv", ["flowgen", *DONE[words]])
        with pytest.raises(SystemExit):
            run()
    said = [line for line in told.all().decode().splitlines() if "ipe" in line or "Error" in line]
    assert said == (["flowgen: stdout: Broken pipe"] if words == "record" else [])  # whose recording is kept elsewhere


def test_debugging_is_asked_for_before_the_command(folder, monkeypatch):
    (folder / "faulty.py").write_text("import click\n\n@click.command()\ndef play():\n    raise KeyError('x')\n")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setitem(_main.COMMANDS, "play", Row("faulty:play", "Fails."))
    plain = typed("play", cwd=folder)
    assert plain.returncode == 1 and b"flowgen --debug" in plain.stderr and b"Traceback" not in plain.stderr
    monkeypatch.setenv("FLOWGEN_DEBUG", "0")  # so that it is put back
    assert b"Traceback" in typed("--debug", "play", cwd=folder).stderr
    assert b"flowgen --debug" in typed("render", "--debug", cwd=folder).stderr
