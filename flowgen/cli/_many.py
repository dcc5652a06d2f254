"""Pictures of many inputs in a folder: who draws them, how far it is, what went wrong with which."""

import os
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._inputs import sources_of
from ._output import say

if TYPE_CHECKING:
    from flowgen.api import Asked, Rendered

_CLEAR = "\r\x1b[K"
_BAR = 24  # signs of the bar


class Progress:
    """Tells of each input that was drawn or not; a bar only where stderr is a terminal."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._done = 0
        self._live = sys.stderr.isatty()
        self._hints: dict[str, None] = {}
        self._bar("")

    def told(self, rendered: "Rendered") -> None:
        """One input is done."""
        self._done += 1
        lines = [f"{rendered.name}: {warning}" for warning in rendered.warnings]
        if rendered.problem is not None:
            lines.append(str(rendered.problem))
            self._hints |= {rendered.problem.hint: None} if rendered.problem.hint else {}
        if lines:
            self.clear()
        for line in lines:
            say(line)
        self._bar(rendered.name)

    def close(self, failed: int, folder: str) -> None:
        """At the end: how it went, and how to mend what went wrong, each way once."""
        self.clear()
        for hint in self._hints:
            say(hint, "hint")
        if failed or self._live:
            drawn = self._count - failed
            say(f"{drawn} of {self._count} drawn into {folder}" if failed else f"{drawn} drawn into {folder}")

    def _bar(self, name: str) -> None:
        if self._live:
            filled = _BAR * self._done // max(self._count, 1)
            line = f"[{'#' * filled}{'-' * (_BAR - filled)}] {self._done}/{self._count} {ascii(name)[1:-1]}"
            self._write(_CLEAR + line[: shutil.get_terminal_size().columns - 1])

    def clear(self) -> None:
        """Takes the bar away."""
        if self._live:
            self._write(_CLEAR)

    def _write(self, text: str) -> None:
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except OSError:  # nobody looks on any more
            self._live = False


def many(
    inputs: Sequence[str], folder: str, form: str, scale: float, jobs: int | None, scheduler: str | None,
    asked: "Asked", options: Any,
) -> int:  # fmt: skip
    """Draw each input into the folder. The exit code: 1 if any of them could not be drawn."""
    from flowgen import api

    given = sources_of(inputs)
    sizes = [_size(one) for one in inputs]
    progress = Progress(len(given))
    try:
        with api.workers(jobs, sizes, form, scheduler) as executor:
            rendered = api.render_many(
                given, folder, executor, file_format=form, scale=scale, asked=asked, each=progress.told, **options
            )
    except BaseException:
        progress.clear()
        raise
    failed = sum(each.problem is not None for each in rendered)
    progress.close(failed, folder)
    return 1 if failed else 0


def _size(name: str) -> int:
    try:
        return os.stat(name).st_size
    except OSError:  # told when it is read
        return 0
