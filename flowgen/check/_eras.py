"""Which revision and era each message belongs to, and which of several sessions of the same two.

As recorded, else as the message itself says, else as its request or the handshake before it does. Sessions over HTTP
are told apart by their ids, for they may run side by side; others come one after the other.
"""

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from flowgen.protocol import HANDSHAKE, REVISIONS, STATELESS

from ._book import Era
from ._message import VERSION, Seen, obj, text

STATELESS_ERRORS = (-32020, -32021, -32022)  # that only a server of the stateless era gives
_SESSION = "mcp-session-id"
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def date(messages: Sequence[Seen]) -> None:
    """Fills `revision`, `era` and `part` of the messages of two participants."""
    parts = _Parts(any(seen.event == "started" for seen in messages))
    spoken: dict[int, _Spoken] = {}
    for seen in messages:
        seen.part = parts.of(seen)
        now = spoken.setdefault(seen.part, _Spoken())
        _place(seen, now)
        now.take(seen)
    _fill(messages)


def session_key(seen: Seen) -> Hashable:
    """What stands for the session id that came with a message; ids are masked, and known by their fingerprints."""
    return seen.message.fingerprints.get(f"/http/headers/{_SESSION}") or seen.header(_SESSION)


class _Parts:
    """Counts the sessions, and remembers what belongs to which."""

    def __init__(self, starts_are_known: bool) -> None:
        self.starts_are_known = starts_are_known
        self.count = 0
        self.opened = False
        self.exchanges: dict[int, int] = {}
        self.sessions: dict[Hashable, int] = {}

    def of(self, seen: Seen) -> int:
        """The session of a message: that of its request or exchange, of its session id, else the newest."""
        if self._begins_anew(seen):
            self.count, self.opened = self.count + 1, False
        self.opened = self.opened or (seen.kind == "request" and seen.method == "initialize")
        tied = seen.request or seen.about
        part = tied.part if tied else self.exchanges.get(seen.exchange if seen.exchange is not None else -1)
        if part is None:
            part = self.sessions.get(session_key(seen), self.count)
        if seen.exchange is not None:
            self.exchanges.setdefault(seen.exchange, part)
        if session_key(seen) is not None:
            self.sessions.setdefault(session_key(seen), part)
        return part

    def _begins_anew(self, seen: Seen) -> bool:
        """A process was started once more, or a session was opened over HTTP without the id of another one.

        A log that tells of no starts may hold several sessions: each initialize opens one.
        """
        opens = seen.method == "initialize" and seen.kind == "request"
        free = seen.header(_SESSION) is None if seen.message.http else not self.starts_are_known
        return self.opened and (seen.event == "started" or (opens and free))


@dataclass(slots=True)
class _Spoken:
    """What is spoken in a session by now."""

    revision: str | None = None
    era: Era | None = None

    def take(self, seen: Seen) -> None:
        """What a message changes for those that follow."""
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


def _place(seen: Seen, now: _Spoken) -> None:
    other = seen.request or seen.about
    said = seen.message.revision or _said(seen)
    if seen.method == "initialize":
        seen.era = "handshake"
    elif text(seen.meta.get(VERSION)) or seen.method == "server/discover":
        seen.era = "stateless"
    elif other and other.era:
        seen.era = other.era
    else:
        seen.era = _era(said) or now.era
    said = said or (other.revision if other else None) or now.revision
    seen.revision = _fitting(said, seen)


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


def _fitting(revision: str | None, seen: Seen) -> str | None:
    """A revision that is known. What claims another is judged by the newest of its era, unless that one may be to come:
    nobody can tell then.
    """
    known = {"handshake": HANDSHAKE, "stateless": STATELESS, None: REVISIONS}[seen.era]
    if revision in known or revision is None or seen.era is None:
        return revision if revision in known else None
    to_come = _DATE.fullmatch(revision) and revision > REVISIONS[-1]
    refused = seen.answer is not None and seen.answer.code == -32022
    return None if to_come and not refused else known[-1]
