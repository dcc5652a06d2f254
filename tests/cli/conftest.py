"""Commands as they are typed, run in this very process: a start of Python costs more than most of them do. What only
a process of its own has (closed streams, signals, a terminal, what it loads) is tested with one.
"""

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path

import pytest

from flowgen.cli._main import run

Done = subprocess.CompletedProcess[bytes]


class _Stream(io.TextIOWrapper):
    """A stream of a process without a terminal: what was written to it can be read when it is over."""

    def __init__(self, data: bytes, encoding: str) -> None:
        self.kept = io.BytesIO(data)
        super().__init__(self.kept, encoding, newline="\n")

    def all(self) -> bytes:
        self.flush()
        return self.kept.getvalue()


def typed(*words: object, cwd: Path, env: Mapping[str, str] | None = None, input: bytes = b"") -> Done:
    """`flowgen WORDS` in a folder: what a process that was run so would have come to. `env` are all its variables."""
    argv = ["flowgen", *map(str, words)]
    with pytest.MonkeyPatch.context() as patch, chdir(cwd):
        known = os.environ if env is None else env
        for name in os.environ.keys() - known.keys():
            patch.delenv(name)
        for name, value in known.items():
            patch.setenv(name, value)
        encoding = known.get("PYTHONIOENCODING", "utf-8")
        streams = {name: _Stream(data, encoding) for name, data in (("stdin", input), ("stdout", b""), ("stderr", b""))}
        for name, stream in streams.items():
            patch.setattr(sys, name, stream)
        patch.setattr(sys, "argv", argv)
        with pytest.raises(SystemExit) as ended:
            run()
        return Done(argv, ended.value.code, streams["stdout"].all(), streams["stderr"].all())
