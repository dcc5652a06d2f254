"""What a command line says to somebody who took it for a shell's, and what to try when nothing could be started.

Looks at the file system, starts nothing.
"""

import os
import re
import shlex
from collections.abc import Callable, Sequence

from ._words import printable

_OF_A_SHELL = re.compile(r"\|\|?|&&?|;|<<?|[0-9&]?>>?(?:&[0-9]|/\S*)?")
_ASSIGNED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=.*", re.DOTALL)
_INTERPRETERS = {".py": "python", ".js": "node", ".mjs": "node", ".cjs": "node", ".ts": "npx tsx", ".sh": "sh",
                 ".rb": "ruby"}  # fmt: skip
_NOT_FOUND = "check the program's name and that it is on the PATH"

Which = Callable[[str], str | None]


def shell_words(argv: Sequence[str]) -> str | None:
    """A warning where a command holds what only a shell understands, as a word of its own."""
    for place, word in enumerate(argv[1:], 1):
        if _OF_A_SHELL.fullmatch(word):
            return f"no shell runs this: {printable(' '.join(argv[place:]), 80)} go to the server as arguments"
    return None


def start_hint(argv: Sequence[str], cwd: str | None, which: Which) -> str:
    """What to try when the operating system did not start this."""
    given = [word for word in argv if _ASSIGNED.fullmatch(word)]
    if given and _ASSIGNED.fullmatch(argv[0]):
        leading = given[: next((place for place, word in enumerate(argv) if word not in given), len(given))]
        return f"no shell runs this; variables go in with {' '.join(f'--env {shlex.quote(word)}' for word in leading)}"
    path = os.path.join(cwd or "", argv[0])
    if argv[0] and os.path.isdir(path):
        return f"{printable(argv[0])} is a folder: name the program in it"
    if os.path.isfile(path):
        return _of_a_file(argv[0], path, which)
    if " " in argv[0].strip():
        return "this is one word: give --server 'COMMAND ARG…', or -- COMMAND ARG…"
    if argv[0] == "python" and which("python3"):
        return "here it is called python3"
    return _NOT_FOUND


def _of_a_file(name: str, path: str, which: Which) -> str:
    """The file is there, and yet it is not started."""
    shown = printable(shlex.quote(name))
    program = _INTERPRETERS.get(os.path.splitext(name)[1])
    if program == "python" and not which("python") and which("python3"):
        program = "python3"
    executable, bare = os.access(path, os.X_OK), os.sep not in name
    if program is not None:
        return f"such as `{program} {shown}`" + ("" if executable or bare else f", or chmod +x {shown}")
    if not executable:
        return f"the file may not be executed: chmod +x {shown}"
    if bare:
        return f"a program in this folder is named with it: {os.path.join('.', shown)}"
    return "its first line, such as #!/usr/bin/env python3, must name a program that is there"
