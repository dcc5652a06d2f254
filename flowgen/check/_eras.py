"""Which revision and era each message belongs to, and which of several sessions one after the other.

As recorded, else as the message itself says, else as its request or the handshake before it does.
"""

from collections.abc import Sequence

from flowgen.protocol import HANDSHAKE, REVISIONS, STATELESS

from ._book import Era
from ._message import VERSION, Seen, obj, text

STATELESS_ERRORS = (-32020, -32021, -32022)  # that only a server of the stateless era gives
_HANDSHAKES = ("initialize", "notifications/initialized")


def date(messages: Sequence[Seen]) -> None:
    """Fills `revision`, `era` and `part` of the messages of two participants."""
    now = _Now(any(seen.event == "started" for seen in messages))
    for seen in messages:
        now.part += now.begins_anew(seen)
        seen.part = now.part
        _place(seen, now)
        now.take(seen)
    _fill(messages)


class _Now:
    """What holds when the next message comes."""

    def __init__(self, starts_are_known: bool) -> None:
        self.starts_are_known = starts_are_known
        self.part = 0
        self.revision: str | None = None
        self.era: Era | None = None
        self.opened = False

    def begins_anew(self, seen: Seen) -> bool:
        """A process was started once more, or a session was opened over HTTP without the id of the one before.

        A log that tells of no starts may hold several sessions: each initialize opens one.
        """
        opens = seen.method == "initialize" and seen.kind == "request"
        free = seen.header("mcp-session-id") is None if seen.message.http else not self.starts_are_known
        anew = self.opened and (seen.event == "started" or (opens and free))
        self.opened = self.opened and not anew
        return anew

    def take(self, seen: Seen) -> None:
        """What a message changes for those that follow."""
        self.opened = self.opened or (seen.kind == "request" and seen.method == "initialize")
        opens = seen.method == "initialize" and seen.kind == "response"
        asks = seen.kind == "request" and seen.side == "client" and not _is_refused_probe(seen)
        if seen.era and (opens or asks):
            self.era, self.revision = seen.era, seen.revision


def _is_refused_probe(seen: Seen) -> bool:
    """A request of the stateless era that nobody answered as in it: what follows need not be of that era."""
    answer = seen.answer
    spoken = answer is not None and (answer.kind == "response" or answer.code in STATELESS_ERRORS)
    return seen.era == "stateless" and not spoken


def _fill(messages: Sequence[Seen]) -> None:
    """What came before a session was opened, and names no revision, is judged by that of the session."""
    opened = {seen.part: seen for seen in reversed(messages) if seen.kind == "request" and seen.method == "initialize"}
    for seen in messages:
        opening = opened.get(seen.part)
        if seen.era is None and opening is not None:
            seen.era, seen.revision = "handshake", (opening.answer or opening).revision


def _place(seen: Seen, now: _Now) -> None:
    other = seen.request or seen.about
    said = seen.message.revision or _said(seen)
    if seen.method in _HANDSHAKES:
        seen.era = "handshake"
    elif text(seen.meta.get(VERSION)) or seen.method == "server/discover":
        seen.era = "stateless"
    elif other and other.era:
        seen.era = other.era
    else:
        seen.era = _era(said) or now.era
    said = said or (other.revision if other else None) or now.revision
    seen.revision = _fitting(said, seen.era)


def _said(seen: Seen) -> str | None:
    """The revision that a message itself names."""
    if seen.method == "initialize" and seen.kind == "response":
        return text(obj(seen.result).get("protocolVersion"))
    if seen.method == "initialize":
        return text(seen.params.get("protocolVersion"))
    return text(seen.meta.get(VERSION)) or (seen.header("mcp-protocol-version") if seen.kind != "response" else None)


def _era(revision: str | None) -> Era | None:
    if revision in HANDSHAKE:
        return "handshake"
    return "stateless" if revision in STATELESS else None


def _fitting(revision: str | None, era: Era | None) -> str | None:
    """A revision that there is: what claims to be of another is judged by the newest of its era."""
    known = {"handshake": HANDSHAKE, "stateless": STATELESS, None: REVISIONS}[era]
    return revision if revision in known else known[-1] if era and revision else None
