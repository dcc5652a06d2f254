"""Command lines: text to argv, argv to what the operating system starts. Never a shell.

Everything here is a pure function, what is special on Windows too, so that it is tested on every machine.
"""

import shlex
from collections.abc import Callable

from flowgen.errors import UsageError

_SAFE_IN_BATCH = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#$*+-./:?@\\_")


def split_command(text: str, windows: bool = False, option: str = "--server") -> list[str]:
    """The argv of a command written as one string, by the rules of a POSIX shell's quoting.

    On Windows a backslash is a part of a path and escapes nothing. Raises UsageError that names the option.
    """
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    if windows:
        lexer.escape = ""
    try:
        argv = list(lexer)
    except ValueError as error:
        raise UsageError(f"{option}: {error}: {text}", "close the quotation, or use `-- COMMAND ARG…`") from None
    if not argv:
        raise UsageError(f"{option} is empty", f"such as {option} 'python server.py'")
    return argv


def is_address(text: str) -> bool:
    """True for an http or https URL."""
    return text.lower().startswith(("http://", "https://"))


def startable(
    argv: list[str], which: Callable[[str], str | None], comspec: str = "cmd.exe"
) -> tuple[list[str] | str, str | None]:
    """What Windows is told to start: the command line or argv, and the program's path.

    Programs such as `npx` are `.cmd` files there, which only cmd.exe runs and whose arguments it reads once more.
    `which` looks a name up. Raises UsageError for an argument that cannot be handed over safely.
    """
    program = which(argv[0]) or argv[0]
    if program.lower().endswith((".cmd", ".bat")):
        return batch_line(program, argv[1:]), comspec
    return [program, *argv[1:]], None


def batch_line(program: str, arguments: list[str]) -> str:
    """The command line that makes cmd.exe hand these arguments to a batch file unchanged.

    cmd.exe expands `%NAME%` even inside quotes: a `%` is followed by an empty expansion that keeps it alone.
    """
    for argument in (program, *arguments):
        if any(sign in argument for sign in "\r\n\0"):
            raise UsageError("a .cmd file takes no argument with a line break", "start its program directly")
    if '"' in program:
        raise UsageError(f"not a path: {program}")
    words = " ".join(_batch_word(argument) for argument in arguments)
    return f'cmd.exe /e:ON /v:OFF /d /c ""{program}"{" " if words else ""}{words}"'


def _batch_word(argument: str) -> str:
    if argument and not argument.endswith("\\") and _SAFE_IN_BATCH.issuperset(argument):
        return argument
    word, slashes = "", 0
    for sign in argument:
        if sign == '"':
            word += "\\" * slashes + '"'  # a doubled quote stands for one, and the backslashes before it count twice
        elif sign == "%":
            word += "%%cd:~,"
        word += sign
        slashes = slashes + 1 if sign == "\\" else 0
    return f'"{word}{chr(92) * slashes}"'
