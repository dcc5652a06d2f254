"""What a note may ask about beside its own message: heads, eras, the tools listed and the capabilities in effect.

`Around` knows the whole trace and walks along it: tools and capabilities are those seen before the message that
the walk stands at. A `Spot` is one message seen from there.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from flowgen.trace import Http, Trace

from ._draft import Draft
from ._lanes import revision

Era = Literal["handshake", "stateless"]

_FORMS: dict[str, Era] = {
    "initialize": "handshake",
    "notifications/initialized": "handshake",
    "server/discover": "stateless",
    "subscriptions/listen": "stateless",
}
LAST_HANDSHAKE = "2025-11-25"  # MCP Versioning: later revisions have no initialize


class Around:
    """A trace with its drafts, indexed for the conditions of notes."""

    def __init__(self, trace: Trace, made: Sequence[Draft], step_of: Sequence[int | None]) -> None:
        self.made = made
        self.step_of = step_of
        self.roles = Counter(who.role for who in trace.participants)
        self.revisions = _revisions(made)
        self.heads = _heads(made)
        self.methods, self.events = _indexed(made)
        self.first_asked: dict[str, int] = {}
        self.last_sent: dict[str, int] = {}
        self.selected: dict[str, list[int]] = {}
        self._tools: dict[str, dict[str, Any]] = {}
        self._declared: dict[tuple[str, Era], Any] = {}

    def era(self, at: int) -> Era | None:
        """The era of a message; a handshake request counts by its own form, not by the version it asks for."""
        form = _FORMS.get(self.made[at].method or "")
        if form:
            return form
        name = self.revisions[at]
        if name is None or not name[:4].isdigit():
            return None
        return "handshake" if name <= LAST_HANDSHAKE else "stateless"

    def pass_by(self, draft: Draft) -> None:
        """Takes in a message that the walk leaves behind."""
        if draft.kind in ("request", "notification") and draft.method:
            self.last_sent[draft.method] = draft.at
            if draft.kind == "request":
                self.first_asked.setdefault(draft.method, draft.at)
        result = draft.result
        if result and draft.request is not None:
            self._learn(draft, result)

    def tool(self, server: str, name: str | None) -> Any:
        """The entry of a tool in the newest list of a server; the pages of a list are one list."""
        return self._tools.get(server, {}).get(name) if name is not None else None

    def declared(self, server: str, at: int) -> Any:
        """The capabilities that a server declared in the era of a message."""
        era = self.era(at)
        return self._declared.get((server, era)) if era else None

    def matching(self, methods: Sequence[str] | None, event: str | None) -> Sequence[int]:
        """Positions in order of the messages with one of the methods, or of the notes with a code."""
        if event is not None:
            return self.events.get(event, ())
        if methods is None:
            return range(len(self.made))
        return sorted(at for method in methods for at in self.methods.get(method, ()))

    def _learn(self, draft: Draft, result: dict[str, Any]) -> None:
        server = draft.message.sender
        if draft.method == "tools/list":
            page = "cursor" in self.made[draft.request or 0].params
            self._tools[server] = (self._tools.get(server, {}) if page else {}) | dict(
                _named(result.get("tools"))
            )
        elif draft.method == "initialize":
            self._declared[server, "handshake"] = result.get("capabilities")
        elif draft.method == "server/discover":
            self._declared[server, "stateless"] = result.get("capabilities")


@dataclass(frozen=True, slots=True)
class Spot:
    """One message, with what lies around it."""

    draft: Draft
    around: Around

    @property
    def headers(self) -> Sequence[tuple[str, str]]:
        """Its HTTP headers; an event of a stream has those of the stream's answer."""
        http = self._head
        return http.headers if http else ()

    def header(self, name: str) -> Iterator[str]:
        """The values of one header, its name in lower case."""
        return (value for key, value in self.headers if key.casefold() == name)

    @property
    def status(self) -> int | None:
        """The HTTP status; there is one on answers only."""
        return self._head.status if self._head else None

    @property
    def request(self) -> "Spot | None":
        """The message that this one answers."""
        at = self.draft.request
        return Spot(self.around.made[at], self.around) if at is not None else None

    @property
    def tool(self) -> Any:
        """The entry of the called tool in the list that its server gave last."""
        message = self.draft.message
        server = message.receiver if self.draft.kind == "request" else message.sender
        return self.around.tool(server, self.draft.name) if self.draft.method == "tools/call" else None

    @property
    def declared(self) -> Any:
        """The capabilities of the server that sends or receives it."""
        message, around = self.draft.message, self.around
        sent = around.declared(message.sender, self.draft.at)
        return sent if sent is not None else around.declared(message.receiver, self.draft.at)

    @property
    def _head(self) -> Http | None:
        message = self.draft.message
        if message.http is not None and (message.http.headers or message.transport != "sse"):
            return message.http
        return self.around.heads.get(message.exchange) if message.transport == "sse" else None

    def since(self, positions: Sequence[int]) -> int:
        """How many of the positions stand before it."""
        return bisect_left(positions, self.draft.at)


def _revisions(made: Sequence[Draft]) -> list[str | None]:
    """The revision of each message; without one that of the last message before it, else of the first after it."""
    own = [revision(draft) for draft in made]
    now = next((name for name in own if name), None)
    filled = []
    for name in own:
        now = name or now
        filled.append(now)
    return filled


def _heads(made: Sequence[Draft]) -> dict[int | None, Http]:
    heads: dict[int | None, Http] = {}
    for draft in made:
        message = draft.message
        if message.http and message.http.status is not None and message.exchange is not None:
            heads.setdefault(message.exchange, message.http)
    return heads


def _indexed(made: Sequence[Draft]) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    methods: defaultdict[str, list[int]] = defaultdict(list)
    events: defaultdict[str, list[int]] = defaultdict(list)
    for draft in made:
        if draft.method:
            methods[draft.method].append(draft.at)
        if draft.kind == "note" and draft.event:
            events[draft.event].append(draft.at)
    return methods, events


def _named(tools: Any) -> Iterator[tuple[str, Any]]:
    for tool in tools if isinstance(tools, list) else ():
        if isinstance(tool, dict) and isinstance(tool.get("name"), str):
            yield tool["name"], tool
