"""Judges recordings: every rule of `rules.toml` has a function here or beside that says where it is not kept.

The exemptions that all rules have in common are made once: what a message's revision does not know is not asked of it,
and a recording without its start or end is not judged by what may stand there.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from flowgen.flow import Side
from flowgen.trace import Trace

from ._book import Level, Row, rows
from ._message import Seen
from ._session import Session, sessions

# what holds whoever sent a message
_SIDELESS = ("jsonrpc-version", "request-id-invalid", "response-shape", "batch-not-allowed", "batch-initialize")

# what shows without the content of messages
_BODILESS = ("request-id-pending", "response-missing", "method-not-in-revision", "wrong-direction",
             "server-sends-request", "client-sends-response")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hit:
    """A message at which a rule is not kept, and what about it; another level where the case has one.

    `by` is the side that does not keep it, where that is not who sent the message.
    """

    seen: Seen
    said: str
    level: Level | None = None
    by: Side | None = None


@dataclass(frozen=True, slots=True)
class Breach:
    """A finding about a message: `where` is its anchor, `number` that of pictures, `seq` that of the recording.

    `server` is the participant that does not keep the rule, `advice` the rule itself.
    """

    code: str
    severity: Level
    message: str
    server: str
    where: str
    advice: str
    source: str
    seq: int
    number: int | None = None
    host: str | None = None

    def __str__(self) -> str:
        """A line: where, how grave, which rule, who, what."""
        return f"{self.where}: {self.severity} {self.code} [{self.server}]: {self.message}"


Rule = Callable[[Session], Iterator[Hit]]
RULES: dict[str, Rule] = {}


def rule(function: Rule) -> Rule:
    """Makes a function the rule of its name."""
    RULES[function.__name__.replace("_", "-")] = function
    return function


def once(hits: Iterable[Hit]) -> Iterator[Hit]:
    """The first hit, which says how many there are: for what a side that does it once does every time."""
    found = list(hits)
    for hit in found[:1]:
        yield replace(hit, said=f"{hit.said} ({len(found) - 1} more)") if len(found) > 1 else hit


def breaches(trace: Trace, ignore: frozenset[str] = frozenset()) -> tuple[Breach, ...]:
    """Where a recording does not keep the rules, in its order; one finding a rule and message."""
    from . import _families  # noqa: F401  # the functions make themselves known; they need what stands here

    found: dict[tuple[str, int], tuple[int, Breach]] = {}
    for session in sessions(trace):
        for row in (row for row in rows().values() if row.slug in RULES and row.slug not in ignore):
            for hit in _hits(row, session):
                found.setdefault((row.slug, hit.seen.at), (hit.seen.at, _breach(row, hit, session)))
    return tuple(breach for _, breach in sorted(found.values(), key=lambda each: each[0]))


def _hits(row: Row, session: Session) -> Iterator[Hit]:
    if _can_tell(row, session):
        yield from (hit for hit in RULES[row.slug](session) if _holds(row, hit.seen, session))


def _can_tell(row: Row, session: Session) -> bool:
    """Whether what a rule needs is in the recording."""
    missing = session.trace.missing
    lacks = [not session.begins and "start" in row.needs, not session.ends and "end" in row.needs,
             "directions" in missing and row.slug not in _SIDELESS,
             "bodies" in missing and row.slug not in _BODILESS,
             "heads" in missing and row.on in ("http", "oauth")]  # fmt: skip
    return not any(lacks)


def _holds(row: Row, seen: Seen, session: Session) -> bool:
    """Whether a rule is one for a message of this revision and transport.

    What was said to others, an authorization server, goes by the session that it was for.
    """
    stdio = seen.message.transport == "stdio"
    aside = row.on == "oauth" or {seen.message.sender, seen.message.receiver} != session.pair
    revision = seen.revision or (session.revision_at(seen.at) if aside else None)
    dated = row.era == "all" or revision in row.revisions
    return dated and not (row.on == "http" and stdio) and not (row.on == "stdio" and not stdio)


def place(seen: Seen) -> str:
    """The anchor of a message, as pictures of the recording have it; those that they do not number go by `seq`."""
    return f"#m-{seen.number}" if seen.number else f"#seq-{seen.message.seq}"


def _who(row: Row, hit: Hit, session: Session) -> str:
    """Who does not keep a rule. What a browser does is what the client sent it to do."""
    seen = hit.seen
    guilty = hit.by or (row.who if row.who in ("client", "server") else seen.side)
    who = seen.message.sender if seen.side == guilty else seen.message.receiver
    return session.client if guilty == "client" and who not in session.pair else who


def _breach(row: Row, hit: Hit, session: Session) -> Breach:
    seen = hit.seen
    return Breach(
        code=row.slug, severity=hit.level or row.level, message=hit.said, server=_who(row, hit, session),
        where=place(seen), advice=row.rule, source=row.source, seq=seen.message.seq, number=seen.number,
    )  # fmt: skip
