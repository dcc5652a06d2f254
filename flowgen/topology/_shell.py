"""Command lines as shells take them: words, commands in a shell text, what of a text is a variable.

Nothing is expanded and nothing raises: a text with unbalanced quotes is cut at its spaces.
"""

import re
import shlex
from typing import NamedTuple

_LONGEST = 20_000  # characters of a line that are split into words
OPERATORS = frozenset(["&&", "||", ";", "|", "&", "|&", ";;"])
_SEPARATE = re.compile(r"\r\n|\n|\r")
_SUBSTITUTION = re.compile(r"\$\((?!\()|`[^`]+`")
_REDIRECTED = re.compile(r"\d*[<>]&[-\d]*|&>>?")  # its & joins no commands
_CONTINUED = re.compile(r"\\\r?\n")
_WINDOWS = re.compile(r"[A-Za-z]:\\|\\\\[\w.]")
_SUBSTITUTED = re.compile(r"\$\([^()]*\)|`[^`]*`")
_KEEP = "\ue000"  # stands for a substitution while a text is split
_KEPT = re.compile(_KEEP)
_QUOTED = re.compile(r"'[^']*'")
_ASSIGNMENT = re.compile(r"(?:\$env:)?[A-Za-z_]\w*=")
_POWERSHELL = re.compile(r"(?i)(\$env:\w+)\s*=\s*")
_ENDING = re.compile(r"(?i)\.(?:exe|cmd|bat|ps1|sh|py|js|mjs|cjs|ts|jar)(?=\s)")
_PATH = re.compile(r"[/~]|\.{1,2}[/\\]|[A-Za-z]:[/\\]|\\\\")
_SUFFIX = re.compile(r"(?i)\.(?:exe|cmd|bat|com)$")

VARIABLE = re.compile(
    r"\$\{\{[^{}]*\}\}|\$\{(?:[^{}]|\{[^{}]*\})*\}|\$env:[A-Za-z_]\w*|\$\([^()]*\)|\$[A-Za-z_]\w*|%[A-Za-z_]\w*%"
    r"|\{\{[^{}]*\}\}|\{(?:env|file|input|inputs|cmd|exec|secret|secrets|keychain|op|vault):[^{}]*\}"
    r"|\{[A-Za-z_][\w.-]*\}|<%[^%]*%>"
)


class Text(NamedTuple):
    """A shell text: its commands as words, and whether they are joined by `&&`, `;`, a pipe or `$(…)`."""

    commands: tuple[tuple[str, ...], ...]
    joined: bool


def base(program: str) -> str:
    """The name of a program without its folders and its Windows ending: `C:/x/npx.cmd` is `npx`."""
    name = re.split(r"[/\\]", program.rstrip("/\\"))[-1]
    return _SUFFIX.sub("", name).lower()


def split_command(text: str) -> list[str]:
    """The words of a `command` that holds its arguments too; a path with spaces stays whole."""
    if not re.search(r"\s", text.strip()):
        return [text.strip()] if text.strip() else []
    if _PATH.match(text):
        ended = _ENDING.search(text)
        if ended:
            return [text[: ended.end()], *words(text[ended.end() :])]
        if not re.search(r"\s-", text):
            return [text]
    return words(text)


def words(text: str) -> list[str]:
    """The words of a line. A backslash stands for itself where it looks like a Windows path."""
    text = text[:_LONGEST]
    try:
        lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
        lexer.whitespace_split, lexer.commenters = True, ""
        lexer.escape = "" if _WINDOWS.search(text) else "\\"
        return list(lexer)
    except ValueError:
        return text.split()


def shell_text(text: str) -> Text:
    """The commands of a text that a shell is given."""
    text = _REDIRECTED.sub(" ", _CONTINUED.sub(" ", text[:_LONGEST].strip()))
    text = _POWERSHELL.sub(r"\1=", text)
    tokens = _tokens(_SEPARATE.sub(" ; ", text))
    commands: list[list[str]] = [[]]
    for token in tokens:
        if token in OPERATORS:
            commands.append([])
        else:
            commands[-1].append(token)
    found = tuple(tuple(command) for command in commands if command)
    joined = len(found) > 1 or any(token in OPERATORS - {"&"} for token in tokens)
    return Text(found, joined or _SUBSTITUTION.search(_QUOTED.sub("", text)) is not None)


def assignments(command: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The `NAME=value` words before a command, and the command."""
    count = next((at for at, word in enumerate(command) if not _ASSIGNMENT.match(word)), len(command))
    return list(command[:count]), list(command[count:])


def _tokens(text: str) -> list[str]:
    """Words and operators; what is substituted (`$(…)`) is part of one word, whatever stands in it."""
    inner = _SUBSTITUTED.findall(text)
    names = iter(inner)
    return [_KEPT.sub(lambda _: next(names, ""), token) for token in _lexed(_SUBSTITUTED.sub(_KEEP, text))]


def _lexed(text: str) -> list[str]:
    try:
        lexer = shlex.shlex(text, posix=True, punctuation_chars=";&|")
        lexer.whitespace_split, lexer.commenters = True, ""
        lexer.escape = "" if _WINDOWS.search(text) else "\\"
        return list(lexer)
    except ValueError:
        return re.findall(r"&&|\|\||[;|&]|[^\s;|&]+", text)
