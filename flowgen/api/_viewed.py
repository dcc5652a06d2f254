"""A file as a page in a browser, once or as the file grows and changes."""

import json
import os
import time
from threading import Lock
from typing import TYPE_CHECKING

from flowgen.errors import FlowgenError, TraceError

from ._options import DrawingOptions, checked, fold_of
from ._views import Asked, is_architecture, picture

if TYPE_CHECKING:
    from ._architecture import Architecture
    from ._pictures import Drawing

_SHARE = 4  # of the time that reading takes: at most so often is a file that grows read again


class Viewed:
    """What is seen of a file: a path, or (name, bytes) of what cannot change. Raises UsageError for wrong options."""

    def __init__(self, source: str | tuple[str, bytes], asked: Asked, options: DrawingOptions) -> None:
        checked(options)
        self._source = source
        self._asked = asked
        self._options = options
        self._lock = Lock()
        self._made: tuple[str, Drawing | Architecture] | None = None
        self._not_before = 0.0

    def html(self) -> str:
        """The page by itself. Raises FlowgenError for what cannot be read or drawn."""
        return picture(*self._read(), self._asked, self._options).html()

    def watched(self) -> str:
        """The page that asks for newer states. Raises FlowgenError for what cannot be read or drawn."""
        with self._lock:
            state, drawn = self._newest()
            return drawn.html(state)

    def since(self, known: str) -> str:
        """As JSON the data of a newer state than `known`; `{}` where there is none, `{"problem"}` if it cannot be read.

        Of an architecture the state alone, for its page is made anew.
        """
        try:
            with self._lock:
                resting = self._made is not None and self._made[0] == known and time.monotonic() < self._not_before
                if resting or self._state() == known:
                    return "{}"
                state, drawn = self._newest()
                return _data_of(drawn, state) if state != known else "{}"
        except FlowgenError as problem:
            return json.dumps({"problem": str(problem)})

    def _newest(self) -> "tuple[str, Drawing | Architecture]":
        state = self._state()
        if self._made is None or self._made[0] != state:
            began = time.monotonic()
            self._made = state, self._growing()
            self._not_before = time.monotonic() + _SHARE * (time.monotonic() - began)
        return self._made

    def _growing(self) -> "Drawing | Architecture":
        """The picture; a recording without an end is not cut but goes on."""
        name, data = self._read()
        if is_architecture(name, data, self._asked.view):
            return picture(name, data, self._asked, self._options)
        from flowgen.trace import Outcome

        from ._pictures import drawing
        from ._traces import load

        asked, fold = self._asked, fold_of(self._options)
        trace = load(data, name, fold=fold, source_format=asked.source_format, server=asked.server)
        if trace.outcome.reason == "cut":
            trace = trace.model_copy(update={"outcome": Outcome(complete=True, reason="done")})
        return drawing(trace, **self._options)

    def _read(self) -> tuple[str, bytes]:
        if isinstance(self._source, tuple):
            return self._source
        return self._source, _bytes(self._source)

    def _state(self) -> str:
        """A name for the file as it is now."""
        if isinstance(self._source, tuple):
            return "-"
        try:
            found = os.stat(self._source)
        except OSError as problem:
            raise _unread(self._source, problem) from None
        return f"{found.st_mtime_ns}-{found.st_size}"


def _data_of(drawn: "Drawing | Architecture", state: str) -> str:
    from ._pictures import Drawing

    return drawn.page_data(state) if isinstance(drawn, Drawing) else json.dumps({"watch": state})


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as problem:
        raise _unread(path, problem) from None


def _unread(path: str, problem: OSError) -> TraceError:
    return TraceError(f"{path}: {problem.strerror or problem}", "give the path of a recording or of a config file")
