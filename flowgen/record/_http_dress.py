"""The headers of our requests: what the revision asks for, what the user gave, session and token. Sends nothing.

Source: 2026-07-28 and 2025-11-25 basic/transports (streamable HTTP).
"""

from collections.abc import Callable, Sequence
from typing import Any

from flowgen.protocol import STATELESS
from flowgen.wire import Headers, header_of, routing_headers

Pair = tuple[str, str]

_VERSION, _SESSION = "MCP-Protocol-Version", "Mcp-Session-Id"
_BOTH = ("Accept", "application/json, text/event-stream")
_STREAM = ("Accept", "text/event-stream")
_JSON = ("Content-Type", "application/json")
_WITHOUT_VERSION = ("2024-11-05", "2025-03-26")  # the header came with 2025-06-18

Names = dict[tuple[str, ...], str]


class Dress:
    """What every request to one server wears. `names` tells which arguments of a tool have headers of their own."""

    def __init__(self, given: Sequence[Pair], names: Callable[[str], Names]) -> None:
        self._given = list(given)
        self._names = names
        self.revision: str | None = None  # agreed in a handshake
        self.session: str | None = None
        self.token: str | None = None  # the value of Authorization

    @property
    def has_authorization(self) -> bool:
        """Whether the user gave a credential himself."""
        return header_of(self._given, "authorization") is not None

    def post(self, body: dict[str, Any], revision: str | None) -> list[Pair]:
        """The headers of a message's POST."""
        own = [_BOTH, _JSON]
        if revision in STATELESS:
            own += [(_VERSION, str(revision)), *routing_headers(body, self._names(_tool(body)))]
        elif body.get("method") != "initialize":
            own += self._of_session()
        return self._dressed(own)

    def stream(self, last_id: str | None = None) -> list[Pair]:
        """The headers of a GET for a stream, from the event after `last_id` on."""
        resumed = [("Last-Event-ID", last_id)] if last_id is not None else []
        return self._dressed([_STREAM, *self._of_session(), *resumed])

    def farewell(self) -> list[Pair]:
        """The headers of the DELETE that ends a session."""
        return self._dressed(self._of_session())

    def learn(self, answer: Headers) -> None:
        """A server that answers `initialize` may give the session an id."""
        self.session = header_of(answer, _SESSION)

    def _of_session(self) -> list[Pair]:
        session = [(_SESSION, self.session)] if self.session is not None else []
        known = self.revision is not None and self.revision not in _WITHOUT_VERSION
        return [*session, *([(_VERSION, str(self.revision))] if known else [])]

    def _dressed(self, own: list[Pair]) -> list[Pair]:
        """Ours, but for those that the user gives himself."""
        token = [("Authorization", self.token)] if self.token is not None else []
        given = {name.lower() for name, _ in self._given}
        return [pair for pair in [*own, *token] if pair[0].lower() not in given] + self._given


def wears_session(headers: Headers) -> bool:
    """Whether a request named a session."""
    return header_of(headers, _SESSION) is not None


def _tool(body: dict[str, Any]) -> str:
    params = body.get("params")
    return str(params.get("name")) if body.get("method") == "tools/call" and isinstance(params, dict) else ""
