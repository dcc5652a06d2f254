"""Judges recordings: every rule of `rules.toml` has a function here or beside that says where it is not kept.

The exemptions that all rules have in common are made once: what a message's revision does not know is not asked of it,
and a recording without its start or end is not judged by what may stand there.
"""

from collections.abc import Iterator

from flowgen.trace import Trace

from . import _families as _families_are_known  # noqa: F401  # their functions make themselves known
from ._book import Row, rows
from ._breach import Breach
from ._hits import RULES, Hit
from ._message import Seen
from ._session import Session, sessions

# what holds whoever sent a message
_SIDELESS = ("jsonrpc-version", "request-id-invalid", "response-shape", "batch-not-allowed", "batch-initialize")

# what shows without the content of messages
_BODILESS = ("request-id-pending", "response-missing", "method-not-in-revision", "wrong-direction",
             "server-sends-request", "client-sends-response")  # fmt: skip


def breaches(trace: Trace, ignore: frozenset[str] = frozenset()) -> tuple[Breach, ...]:
    """Where a recording does not keep the rules, in its order; one finding a rule and message."""
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
