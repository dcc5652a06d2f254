"""The desk at which people and models are asked. Asking never waits: the reply comes back through the inbox."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

from flowgen import protocol

from ._inbox import Clock, Event, Inbox
from ._words import Cancelled, printable

_CLEAR = "\r\x1b[K"  # a terminal's line that may hold what changes there
_TERMINAL = threading.Lock()  # one question at a time, whichever server asks
MODEL_SECONDS = 120.0  # a command that stands for a model may think so long


class Desk:
    """Asks at the terminal: questions on stderr, answers from stdin. Runs the commands that stand for models."""

    def __init__(
        self, inbox: Inbox, now: Clock, warn: Callable[[str], None], show: Callable[[str], None] = lambda url: None
    ) -> None:
        self._inbox = inbox
        self._now = now
        self._models: list[subprocess.Popen[bytes]] = []
        self.warn = warn
        self.show = show  # an address to sign in at

    def ask(self, ticket: int, question: protocol.AskPerson | protocol.RunModel) -> None:
        """Asks; `(ticket, Reply)` is told to the inbox."""
        threading.Thread(target=self._answer, args=(ticket, question), daemon=True).start()

    def ask_line(self, ticket: int, words: str) -> None:
        """Asks for one line; `(ticket, text)` is told to the inbox, None for an empty one or where nobody is."""
        threading.Thread(target=self._answer_line, args=(ticket, words), daemon=True).start()

    def open(self, url: str) -> None:
        """Opens a page in the person's browser; nothing but http and https, whatever the server says."""
        if url.lower().startswith(("http://", "https://")):
            import webbrowser

            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()

    def close(self) -> None:
        """Ends what was started for models."""
        for process in self._models:
            if process.poll() is None:
                process.kill()

    def _answer(self, ticket: int, question: protocol.AskPerson | protocol.RunModel) -> None:
        from ._forms import fill

        began = self._now()
        try:
            if isinstance(question, protocol.RunModel):
                action, value = self._consult(question)
            else:
                _say(_CLEAR if sys.stderr.isatty() else "")
                with _TERMINAL:
                    action, value = fill(question, _say, _read_line)
        except (Cancelled, OSError) as error:
            action, value = "cancel", str(error)
        reply = protocol.Reply(action, value, round(self._now() - began, 1))
        self._inbox.put(Event(self._now(), "reply", (ticket, reply)))

    def _answer_line(self, ticket: int, words: str) -> None:
        try:
            with _TERMINAL:
                _say(words)
                text = _read_line().strip() or None
        except (Cancelled, OSError):
            text = None
        self._inbox.put(Event(self._now(), "reply", (ticket, text)))

    def _consult(self, question: protocol.RunModel) -> tuple[Any, str]:
        pipe = subprocess.PIPE
        with subprocess.Popen(question.argv, stdin=pipe, stdout=pipe, stderr=pipe) as process:
            self._models.append(process)
            try:
                output, errors = process.communicate(json.dumps(question.question).encode(), MODEL_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                return "cancel", f"no answer in {MODEL_SECONDS:.0f} s"
        if process.returncode != 0:
            last = errors.decode(errors="replace").strip().splitlines()[-1:]
            return "cancel", printable(f"exit code {process.returncode} {' '.join(last)}")
        return "accept", output.decode(errors="replace")


def _say(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _read_line() -> str:
    """One line of stdin. Read from the descriptor itself: a thread left waiting in `sys.stdin` would hang our exit."""
    line = b""
    while not line.endswith(b"\n"):
        piece = os.read(0, 1)
        if not piece:
            raise Cancelled("nobody answers at the terminal")
        line += piece
    return line.decode(errors="replace").rstrip("\r\n")
