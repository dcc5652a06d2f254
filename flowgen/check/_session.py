"""What two participants said to each other, seen once and from all the sides that rules ask for.

Everything is linear in the length of the recording. Messages whose content is not known take part in pairing, but are
never handed to a rule that looks into them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from flowgen.flow import Side, linked, sides
from flowgen.trace import Trace

from ._book import Era
from ._eras import STATELESS_ERRORS, date
from ._lists import Listing, listings
from ._message import CAPABILITIES, JSON_RPC, Json, Seen, obj, of_draft
from ._schemas import Schemas

_OPENINGS = ("initialize", "server/discover")


@dataclass(slots=True, eq=False)
class Exchange:
    """One HTTP exchange: what was sent in it, by whoever opened it, and what came back."""

    number: int
    sent: list[Seen] = field(default_factory=list)
    got: list[Seen] = field(default_factory=list)

    @property
    def status(self) -> int | None:
        """The status of the answer."""
        return next((seen.status for seen in self.got if seen.status is not None), None)

    @property
    def opener(self) -> Seen:
        """What was sent first."""
        return self.sent[0]


class Session:
    """The messages of two participants. `everything` are those of the whole recording, for rules that look further;
    `of_all` is what its sessions worked out from that for each other.
    """

    def __init__(
        self, trace: Trace, messages: Sequence[Seen], everything: Sequence[Seen], of_all: dict[str, Any] | None = None
    ) -> None:
        self.trace = trace
        self.messages = messages
        self.everything = everything
        self._worked_out: dict[str, Any] = {}
        self._of_all: dict[str, Any] = {} if of_all is None else of_all

    @cached_property
    def begins(self) -> bool:
        """Whether it is there from its start: told by who recorded it, or by how it begins."""
        first = next((seen for seen in self.messages if seen.kind == "request"), None)
        known = self.trace.command or self.trace.url or any(seen.event == "started" for seen in self.messages[:1])
        return self.trace.excerpt is None and bool(known or (first and first.method in _OPENINGS))

    @property
    def ends(self) -> bool:
        """Whether it is there to its end."""
        return self.trace.outcome.complete and self.trace.excerpt is None

    @cached_property
    def client(self) -> str:
        """The participant on the client's side."""
        first = self.messages[0]
        return first.message.sender if first.side == "client" else first.message.receiver

    @cached_property
    def pair(self) -> frozenset[str]:
        """Both participants."""
        return frozenset((self.messages[0].message.sender, self.messages[0].message.receiver))

    # by kind

    @cached_property
    def json_rpc(self) -> list[Seen]:
        """The messages whose content is known."""
        return [seen for seen in self.messages if seen.whole]

    def of(self, kind: str, *methods: str) -> Iterator[Seen]:
        """The messages of a kind whose content is known; with methods those of them, answers by their request's."""
        return (seen for seen in self._kinds.get(kind, ()) if not methods or seen.method in methods)

    def requests(self, *methods: str) -> Iterator[Seen]:
        """Requests of both sides."""
        return self.of("request", *methods)

    def results(self, *methods: str) -> Iterator[Seen]:
        """Results that are objects, of requests with these methods."""
        return (seen for seen in self.of("response", *methods) if seen.result is not None)

    def complete(self, *methods: str) -> Iterator[Seen]:
        """Results that are no interim ones: no question back, no task instead."""
        final = ("complete", None)
        return (seen for seen in self.results(*methods) if obj(seen.result).get("resultType") in final
                and not isinstance(obj(seen.result).get("task"), dict))  # fmt: skip

    def errors(self, *methods: str) -> Iterator[Seen]:
        """JSON-RPC errors."""
        return self.of("error", *methods)

    def told(self, *methods: str) -> Iterator[Seen]:
        """Notifications."""
        return self.of("notification", *methods)

    @cached_property
    def _kinds(self) -> dict[str, list[Seen]]:
        kinds: dict[str, list[Seen]] = {}
        for seen in self.json_rpc:
            kinds.setdefault(seen.kind, []).append(seen)
        return kinds

    @cached_property
    def parts(self) -> dict[int, list[Seen]]:
        """The messages of each of the sessions that took place one after the other."""
        found: dict[int, list[Seen]] = {}
        for seen in self.json_rpc:
            found.setdefault(seen.part, []).append(seen)
        return found

    # what was agreed upon

    @cached_property
    def speaks_stateless(self) -> bool:
        """Whether the server answered in the stateless era; that one of the other era refused a probe is no sign."""
        answers = (seen for seen in self.json_rpc if seen.era == "stateless" and seen.side == "server")
        return any(seen.kind == "response" or seen.code in STATELESS_ERRORS for seen in answers)

    def opening(self, seen: Seen) -> Seen | None:
        """The `initialize` of the part that a message belongs to."""
        return self.opened(seen.part)

    def opened(self, part: int) -> Seen | None:
        """The first `initialize` of a part."""
        return self._openings.get(part)

    def declared_by_server(self, seen: Seen) -> Json | None:
        """What the server last declared before a message, in its era; None where that was not seen."""
        told = self._declared.get((seen.era, seen.part if seen.era == "handshake" else 0), [])
        place = bisect_left(told, seen.at, key=lambda other: other.at)
        return obj(obj(told[place - 1].result).get("capabilities")) if place else None

    def declared_by_client(self, seen: Seen) -> Json | None:
        """What the client declared: with the request itself, or in the handshake; None where that was not seen."""
        if seen.era == "stateless":
            declared = seen.meta.get(CAPABILITIES)
        else:
            opening = self.opening(seen)
            declared = opening.params.get("capabilities") if opening else None
        return declared if isinstance(declared, dict) else None

    def listing(self, kind: str, seen: Seen) -> Listing | None:
        """The newest list of `tools`, `prompts` or `resources` before a message, as far as it was turned over."""
        told = self._listings.get((kind, seen.era, seen.part if seen.era == "handshake" else 0), [])
        place = bisect_left(told, seen.at, key=lambda listing: listing.at)
        return told[place - 1] if place else None

    def listings(self, kind: str) -> Iterator[Listing]:
        """The lists of a kind that were turned over to their end, in order."""
        pages = sorted((page for key, told in self._listings.items() if key[0] == kind for page in told),
                       key=lambda page: page.at)  # fmt: skip
        return (page for page in pages if page.complete)

    def worked_out(self, name: str, work_out: Callable[["Session"], Any]) -> Any:
        """What several rules look at, worked out once."""
        if name not in self._worked_out:
            self._worked_out[name] = work_out(self)
        return self._worked_out[name]

    def worked_out_of_all(self, name: str, work_out: Callable[[Sequence[Seen]], Any]) -> Any:
        """What rules of all sessions look at, worked out once from the whole recording."""
        if name not in self._of_all:
            self._of_all[name] = work_out(self.everything)
        return self._of_all[name]

    def revision_at(self, at: int) -> str | None:
        """The revision of the last message before a position that has one, else of the first."""
        place = bisect_right(self._dated, at, key=lambda seen: seen.at)
        return self._dated[max(place - 1, 0)].revision if self._dated else None

    @cached_property
    def _dated(self) -> list[Seen]:
        return [seen for seen in self.messages if seen.revision]

    @cached_property
    def _openings(self) -> dict[int, Seen]:
        first: dict[int, Seen] = {}
        for seen in self.requests("initialize"):
            first.setdefault(seen.part, seen)
        return first

    @cached_property
    def _declared(self) -> dict[tuple[Era | None, int], list[Seen]]:
        found: dict[tuple[Era | None, int], list[Seen]] = {}
        for seen in self.results(*_OPENINGS):
            handshake = seen.method == "initialize"
            found.setdefault(("handshake", seen.part) if handshake else ("stateless", 0), []).append(seen)
        return found

    @cached_property
    def _listings(self) -> dict[tuple[str, Era | None, int], list[Listing]]:
        return listings(self.complete())

    @cached_property
    def schemas(self) -> Schemas:
        """What is known of the JSON Schemas in its messages."""
        return Schemas()

    # HTTP

    @cached_property
    def exchanges(self) -> dict[int, Exchange]:
        """The HTTP exchanges of the two, by number."""
        return exchanges(self.messages)


def exchanges(messages: Sequence[Seen]) -> dict[int, Exchange]:
    """The HTTP exchanges among messages; whoever sends first in one has opened it."""
    found: dict[int, Exchange] = {}
    for seen in messages:
        if seen.exchange is None:
            continue
        exchange = found.setdefault(seen.exchange, Exchange(seen.exchange))
        asking = not exchange.sent or seen.message.sender == exchange.opener.message.sender
        (exchange.sent if asking else exchange.got).append(seen)
    return found


def sessions(trace: Trace) -> tuple[Session, ...]:
    """A session for each two participants that speak JSON-RPC with each other."""
    everything = _everything(trace)
    pairs: dict[frozenset[str], list[Seen]] = {}
    for seen in everything:
        pairs.setdefault(frozenset((seen.message.sender, seen.message.receiver)), []).append(seen)
    spoken = [pair for pair in pairs.values() if any(seen.kind in (*JSON_RPC, "noise") for seen in pair)]
    for pair in spoken:
        date(pair)
    of_all: dict[str, Any] = {}
    return tuple(Session(trace, pair, everything, of_all) for pair in spoken)


def _everything(trace: Trace) -> list[Seen]:
    drafts = linked(trace)
    stands: dict[str, Side] = sides(trace)
    made = [of_draft(draft, stands.get(draft.message.sender, "server")) for draft in drafts]
    for seen, draft in zip(made, drafts, strict=True):
        for name in ("request", "answer", "about", "ended_by", "stream_end", "retry_of"):
            place = getattr(draft, name)
            setattr(seen, name, None if place is None else made[place])
    return made
