"""The command `flowgen`: a table of commands, each imported when it is called, and the one place where errors become
exit codes.
"""

import errno
import importlib
import importlib.util
import os
import sys
from functools import cache
from typing import Any, NamedTuple, NoReturn

import click

from flowgen.errors import FlowgenError, UsageError
from flowgen.version import __version__

from ._output import say

_SET = " (from flowgen.toml, pyproject.toml or a variable)"
_NAMED = ("theme", "logo", "template", "file_format")  # errors about them begin with the file or the name
# started by a host or a shell in whatever folder: a file there must not keep a session or a shell from beginning
_UNSET = ("tap", "completion")
_DEBUG = "FLOWGEN_DEBUG"
ISSUES = "https://github.com/mcp-flowgen/mcp-flowgen/issues"


class Row(NamedTuple):
    """A command: where its function stands, and its line in the help."""

    place: str
    summary: str


COMMANDS = {
    "demo":       Row("flowgen.cli._demo:demo",       "Record the bundled server and draw it: the first thing to try."),
    "record":     Row("flowgen.cli._record:record",   "Talk to an MCP server and write down everything seen."),
    "tap":        Row("flowgen.cli._tap:tap",         "Pass a client's own session through, and write it down."),
    "render":     Row("flowgen.cli._render:render",   "Draw a recording as a swim lane."),
    "view":       Row("flowgen.cli._view:view",       "Explore a recording or a config file in the browser."),
    "check":      Row("flowgen.cli._check:check",     "Judge recordings and config files; findings can fail a build."),
    "diff":       Row("flowgen.cli._diff:diff",       "Tell what a change of a config means, in text or a picture."),
    "cut":        Row("flowgen.cli._cut:cut",         "Write a part of a recording, for a page of docs."),
    "convert":    Row("flowgen.cli._convert:convert", "Write a recording in another tool's format, or as a trace."),
    "embed":      Row("flowgen.cli._embed:embed",     "Refresh pictures in Markdown files, or say which are stale."),
    "hosts":      Row("flowgen.cli._hosts:hosts",     "Where hosts keep their config files, and which are here."),
    "mcp":        Row("flowgen.cli._mcp:mcp",         "Serve flowgen's tools to agents, as an MCP server."),
    "themes":     Row("flowgen.cli._themes:themes",   "The themes of the pictures: list, show, new."),
    "schema":     Row("flowgen.cli._more:schema",     "Print the JSON Schema of a file format."),
    "completion": Row("flowgen.cli._more:completion", "Print the completion script of a shell."),
}  # fmt: skip


@cache
def _is_there(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


class Commands(click.Group):
    """Commands out of the table; a row whose module is not there is no command."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return [name for name, row in COMMANDS.items() if _is_there(row.place.partition(":")[0])]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module, _, function = COMMANDS[cmd_name].place.partition(":")
        command = getattr(importlib.import_module(module), function)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help's list, from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name].summary) for name in self.list_commands(ctx)])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command, with the settings of files and environment as its defaults."""
        if ctx.resilient_parsing:  # a word is being completed: nobody asked for an error
            return super().resolve_command(ctx, args)
        name = args[0] if args else ""
        if name not in self.list_commands(ctx) and not name.startswith("-"):
            raise UsageError(f"there is no command {name!r}", _nearest(name, self.list_commands(ctx)))
        found = super().resolve_command(ctx, args)
        if found[1] is not None and name not in _UNSET:
            from ._settings import defaults

            names = self.list_commands(ctx)
            ctx.default_map = {name: defaults(name, names, lambda other: self.get_command(ctx, other))}
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """Run it; an error about a value that was not typed says where it is from."""
        try:
            return super().invoke(ctx)
        except FlowgenError as raised:
            set_ = (pair for values in (ctx.default_map or {}).values() for pair in values.items())
            if any(_is_about(str(raised), name, value) for name, value in set_):
                raised.args = (f"{raised}{_SET}",)
            raise


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={
        "help_option_names": ["-h", "--help"], "max_content_width": 100,
    },
)  # fmt: skip
@click.version_option(__version__, message="flowgen %(version)s", allow_from_autoenv=False)
@click.option("--debug", is_flag=True, expose_value=False, callback=lambda *given: _debug(given[-1]),
              help="Where flowgen itself has a fault, show the place.")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Record what really goes over the wire between an MCP client and server, and draw it.

    \b
    flowgen demo                                               the first picture
    flowgen record -o trace.json -- python server.py           your own server
    flowgen render trace.json -o flow.svg
    flowgen COMMAND --help                                     more of a command
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(2)


def _debug(asked: bool) -> None:
    """Known to whatever runs in this process and in those that it starts."""
    if asked:
        os.environ[_DEBUG] = "1"


def run() -> NoReturn:
    """Run the command line and exit: with what the command says, or with the code of its error."""
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a legacy code page cannot write every name
            stream.reconfigure(errors="backslashreplace")
    if os.environ.get("_FLOWGEN_COMPLETE", "").startswith("powershell"):
        from . import _completion  # noqa: F401  # click knows three shells, this one is ours
    sys.exit(_flushed(_status()))


def _open_streams() -> None:
    """Streams that whoever started us has closed: nothing comes in, what goes out is an error, errors are for nobody.

    They are opened in the order of their numbers, so that no file of ours becomes number 1 by chance.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115  # as long as the process lives
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _status() -> int:
    try:
        result = main.main(prog_name="flowgen", standalone_mode=False)
    except BaseException as raised:
        if isinstance(raised, SystemExit):
            raise
        return _explain(_innermost(raised))
    return result if isinstance(result, int) else 0


def _innermost(raised: BaseException) -> BaseException:
    """Out of what a task group raised, the one that says most."""
    if not isinstance(raised, BaseExceptionGroup):
        return raised
    inner = [_innermost(each) for each in raised.exceptions]
    return next((each for each in inner if isinstance(each, KeyboardInterrupt | FlowgenError)), inner[0])


def _explain(raised: BaseException) -> int:
    """Say what went wrong on stderr, and with which code to end."""
    match raised:
        case FlowgenError():
            return _tell(str(raised), raised.hint, raised.exit_code)
        case click.Abort() if isinstance(raised.__cause__, EOFError):
            return _tell("the input ended before the question was answered", "answer it, or give --yes", 1)
        case KeyboardInterrupt() | click.Abort():
            return 130
        case BrokenPipeError():
            return 1
        case MemoryError():
            return _tell("this needs more memory than there is", "take a shorter recording", 1)
        case OSError(errno=errno.ENOSPC | errno.EBADF | errno.EIO, filename=None):
            return _tell(f"the output cannot be written: {raised.strerror}", "make room, or write elsewhere", 1)
        case click.UsageError():
            said = " ".join(raised.format_message().split())
            return _tell(said + _origin(raised), _help_of(raised), raised.exit_code)
        case click.ClickException():
            return _tell(raised.format_message(), None, raised.exit_code)
    return _unexpected(raised)


def _unexpected(raised: BaseException) -> int:
    if os.environ.get(_DEBUG) == "1":
        import traceback

        traceback.print_exception(raised)
        hint = f"please report what stands above: {ISSUES}"
    else:
        hint = f"a fault of flowgen; flowgen --debug (or {_DEBUG}=1) shows where, please report it: {ISSUES}"
    return _tell(f"{type(raised).__name__}: {raised}", hint, 1)


def _tell(message: str, hint: str | None, code: int) -> int:
    say(message)
    if hint:
        say(hint, "hint")
    return code


def _help_of(error: click.UsageError) -> str:
    if isinstance(error, click.NoSuchOption) and error.option_name == "--debug":
        return "it stands before the command: flowgen --debug …"
    if error.ctx:
        return f"{error.ctx.command_path} --help"
    typed = [word for word in sys.argv[1:2] if word in COMMANDS]  # click does not tell for an option without its value
    return " ".join(["flowgen", *typed, "--help"])


def _origin(error: click.UsageError) -> str:
    """Where a bad value comes from, when it was not typed."""
    param, context = getattr(error, "param", None), error.ctx
    source = context.get_parameter_source(param.name) if param is not None and context is not None else None
    return _SET if source and source.name == "DEFAULT_MAP" else ""


def _is_about(message: str, name: str, value: Any) -> bool:
    """Whether an error is about this value of an option: it begins with the option, or the value names a file."""
    told = [str(each) for each in (value if isinstance(value, list | tuple) else [value])]
    begins = message.startswith(f"--{name.replace('_', '-')}") or name in _NAMED
    return begins and any(each and each in message for each in told)


def _nearest(name: str, names: list[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, names, 1)
    return f"did you mean {close[0]}?" if close else f"there are: {', '.join(names)}"


def _flushed(code: int) -> int:
    """Write out what is buffered; whoever reads may be gone, which is no error to tell."""
    try:
        sys.stdout.flush()
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return code or _explain(problem)
    return code
