"""Scripts played without any process: a table of canned answers stands for the server."""

from collections.abc import Callable
from typing import Any

import pytest

from flowgen import protocol

SILENT = object()  # the server says nothing


class Talk:
    """What a script did: every act in order, and how it ended."""

    def __init__(self, script: Any, server: dict[str, Any], people: list[protocol.Reply]) -> None:
        self.acts: list[Any] = []
        self._server = server
        self._people = list(people)
        self._seq = 0
        self.end = self._play(script)

    def _play(self, script: Any) -> Any:
        value = None
        while True:
            try:
                act = script.send(value)
            except StopIteration as stop:
                return stop.value
            self.acts.append(act)
            value = self._told(act)

    def _told(self, act: Any) -> Any:
        match act:
            case protocol.Ask():
                return self._answer(act)
            case protocol.Open():
                self._seq += 1
                return protocol.Opened(self._seq, self._seq)
            case protocol.Note() | protocol.Tell():
                self._seq += 1
                return self._seq
            case protocol.AskPerson() | protocol.RunModel():
                return self._people.pop(0)
            case protocol.OpenStream():
                return self._server.get("stream")
        return None

    def _answer(self, ask: protocol.Ask) -> Any:
        self._seq += 1
        asked = self._seq
        given = self._server.get(ask.method, {})
        if isinstance(given, list):
            given = given.pop(0)
        if isinstance(given, Callable):
            given = given(ask.params)
        if given is SILENT:
            return protocol.Silence(asked, "timeout")
        if isinstance(given, protocol.Failed):
            return given._replace(seq=asked)
        self._seq += 1
        kind = "error" if isinstance(given, dict) and "code" in given else "result"
        return protocol.Answer(self._seq, {"jsonrpc": "2.0", "id": asked, kind: given})

    def of(self, kind: type) -> list[Any]:
        return [act for act in self.acts if isinstance(act, kind)]

    @property
    def said(self) -> list[str]:
        """The methods that went to the server."""
        return [act.method for act in self.acts if isinstance(act, protocol.Ask | protocol.Open | protocol.Tell)]

    @property
    def notes(self) -> list[tuple[str, dict[str, Any]]]:
        return [(note.event, note.data) for note in self.of(protocol.Note)]

    @property
    def warnings(self) -> list[str]:
        return [warning.text for warning in self.of(protocol.Warn)]


IDENTITY = protocol.Identity("tester", "1.0")
DISCOVERY = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {"listChanged": True}}}
HANDSHAKE = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "prompts": {}}}
NOT_FOUND = {"code": -32601, "message": "Method not found"}


@pytest.fixture
def talk() -> Callable[..., Talk]:
    """Plays a script against `server`: method → result, error, list of those, function of params, or SILENT."""

    def play(script: Any, server: dict[str, Any] | None = None, people: Any = ()) -> Talk:
        return Talk(script, server or {}, people)

    return play


@pytest.fixture
def client() -> Callable[..., protocol.Client]:
    """A client whose era is settled: stateless by default."""

    def made(revision: str = "2026-07-28", capabilities: Any = None, **options: Any) -> protocol.Client:
        from flowgen.protocol._dialects import Handshake, Stateless

        identity = options.pop("identity", IDENTITY)
        new = protocol.Client(identity, **options)
        new.dialect = Stateless(revision, identity) if revision == "2026-07-28" else Handshake(revision)
        new.server = {"tools": {}, "resources": {}, "prompts": {}} if capabilities is None else capabilities
        return new

    return made
