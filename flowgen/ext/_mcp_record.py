"""Recordings that an agent asks for: only of what was allowed by whoever started the server, kept while it runs.

What is allowed is a list of command lines and addresses, compared word by word, or the word `any`.
"""

import os
import secrets
from collections.abc import Sequence
from io import BytesIO
from typing import Any

from flowgen import api
from flowgen.errors import UsageError
from flowgen.record import is_address, split_command

ANY = "any"
KEPT = 16  # recordings at a time; the oldest goes first
RECORDINGS = "flowgen://recordings/"

Target = str | list[str]


class Allowed:
    """Which servers may be recorded."""

    def __init__(self, words: Sequence[str]) -> None:
        """`words` as they were typed: command lines quoted as for a shell, addresses, `any`. Raises UsageError."""
        self.any = ANY in words
        self.words = [word for word in words if word != ANY]
        self._targets = [_target(word) for word in self.words]

    def __bool__(self) -> bool:
        return self.any or bool(self.words)

    def checked(self, command: Sequence[str], url: str, demo: str) -> dict[str, Any]:
        """What to record, for `api.record`. Raises UsageError for what is not allowed, and for none or several."""
        given = [each for each in (command, url, demo) if each]
        if len(given) != 1:
            raise UsageError("give one of command, url and demo", "command is a list of words, such as ['python', …]")
        if demo:
            return {"demo": _bundled(demo)}
        target = url or list(command)
        if not (self.any or target in self._targets):
            told = f"allowed are: {', '.join(self.words) or 'the demos'}"
            raise UsageError("this server may not be recorded", f"{told}; flowgen mcp --allow-record names others")
        return {"server": target, **({"no_browser": True} if url else {})}


class Recordings:
    """Recordings of this run by their addresses, which nobody can guess."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def keep(self, trace: Any) -> str:
        """Keeps a trace, and gives its address."""
        file = BytesIO()
        api.save(trace, file)
        address = f"{RECORDINGS}{secrets.token_urlsafe(9)}"
        self._kept[address] = file.getvalue()
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return address

    def read(self, address: str) -> bytes:
        """The trace at an address. Raises UsageError."""
        if address not in self._kept:
            raise UsageError(f"{address}: no such recording", f"the last {KEPT} of this run are kept")
        return self._kept[address]


def _target(word: str) -> Target:
    """Split as the recorder splits a command, so that what is allowed is what is started."""
    return word if is_address(word) else split_command(word, windows=os.name == "nt", option="--allow-record")


def _bundled(demo: str) -> str:
    """A demo by its name: a scenario file would be read from anywhere."""
    known = [name for name, _ in api.demos()]
    if demo not in known:
        raise UsageError(f"no demo is called {demo!r}", f"known: {', '.join(known)}")
    return demo
