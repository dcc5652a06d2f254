"""Rules of what comes on the streams of Streamable HTTP, and of what each era knows beside POST."""

from collections.abc import Hashable, Iterator

from flowgen.protocol import STATELESS
from flowgen.trace import write_json

from ._heads import SESSION_ID, asked, is_streamable, kept
from ._hits import Hit, once, rule
from ._message import JSON_RPC, Seen
from ._session import Exchange, Session

_RESUMES = "last-event-id"
_SAME = 0.05  # seconds in which one message that was sent twice comes


@rule
def http_get_or_delete(session: Session) -> Iterator[Hit]:
    for exchange in asked(session):
        http = exchange.opener.message.http
        if http and http.method in ("GET", "DELETE"):
            yield Hit(exchange.opener, f"{http.method} on the endpoint")


@rule
def http_session_id(session: Session) -> Iterator[Hit]:
    own = [exchange for exchange in asked(session) if exchange.opener.header("mcp-protocol-version") in STATELESS]
    sent = ((exchange.opener, name) for exchange in own for name in (SESSION_ID, _RESUMES))
    yield from once(Hit(seen, f"the client sends {name}") for seen, name in sent if seen.header(name) is not None)
    got = (seen for exchange in own for seen in exchange.got if kept(seen) and session.speaks_stateless)
    yield from once(Hit(seen, "the server gives a session id") for seen in got if seen.header(SESSION_ID) is not None)


@rule
def http_sse_event_id(session: Session) -> Iterator[Hit]:
    return once(Hit(seen, f"an event has the id {_event_id(seen)[:40]!r}") for seen in session.messages
                if seen.era == "stateless" and seen.side == "server" and _event_id(seen))  # fmt: skip


@rule
def http_stream_open(session: Session) -> Iterator[Hit]:
    for exchange in session.exchanges.values():
        answer = exchange.opener.answer if exchange.sent else None
        if answer and answer.exchange == exchange.number and answer.message.transport == "sse":
            more = (seen for seen in exchange.got if seen.at > answer.at and seen.kind in (*JSON_RPC, "noise"))
            yield from (Hit(seen, f"{seen.method or 'a message'} after the answer to {answer.method}") for seen in more)


@rule
def http_stream_foreign(session: Session) -> Iterator[Hit]:
    for seen in session.told():
        exchange = session.exchanges.get(seen.exchange) if seen.exchange is not None else None
        opener = exchange.opener if exchange and exchange.sent else None
        asked_by_us = opener is not None and opener.kind == "request" and opener.side != seen.side
        if opener and asked_by_us and seen.about and seen.about is not opener:
            yield Hit(seen, f"{seen.method} belongs to {seen.about.method}, its stream to {opener.method}")


@rule
def http_response_on_get(session: Session) -> Iterator[Hit]:
    for exchange in _gets(session):
        for seen in exchange.got:
            if seen.kind in ("response", "error") and seen.message.transport == "sse":
                yield Hit(seen, f"the answer to {seen.method or 'a request'} comes on a GET stream")


@rule
def http_message_twice(session: Session) -> Iterator[Hit]:
    waiting: dict[Hashable, Seen] = {}
    gets = {exchange.number for exchange in _gets(session)}
    for seen in session.json_rpc if is_streamable(session) else ():
        if seen.side != "server" or seen.kind not in ("request", "notification") or _is_replayed(seen, session):
            continue
        key = (seen.part, write_json(seen.body))
        before = waiting.get(key)
        if before and _is_the_same(before, seen, gets):
            yield Hit(seen, f"{seen.method} came on another stream before")
        waiting[key] = seen


@rule
def http_event_id_duplicate(session: Session) -> Iterator[Hit]:
    known: dict[Hashable, Seen] = {}
    for seen in session.messages if is_streamable(session) else ():
        if not _event_id(seen) or seen.side != "server" or _is_replayed(seen, session):
            continue
        before = known.setdefault((seen.part, _event_id(seen)), seen)
        if before is not seen and not (before.has("batch") and seen.has("batch")):
            yield Hit(seen, f"the id {_event_id(seen)[:40]!r} was that of another event")


def _gets(session: Session) -> Iterator[Exchange]:
    """The exchanges of the client's GETs that do not take up an earlier stream."""
    for exchange in asked(session) if is_streamable(session) else ():
        http = exchange.opener.message.http
        if http and http.method == "GET" and not exchange.opener.header(_RESUMES):
            yield exchange


def _is_replayed(seen: Seen, session: Session) -> bool:
    """Whether it comes on a stream that takes up an earlier one, where messages come once more."""
    exchange = session.exchanges.get(seen.exchange) if seen.exchange is not None else None
    return bool(exchange and exchange.sent and exchange.opener.header(_RESUMES))


def _is_the_same(before: Seen, seen: Seen, gets: set[int]) -> bool:
    """Whether two equal messages are one that was sent twice: told by an id or a token, else by time and stream.

    What says no more than that something changed may be said twice; it is one message if it comes at once on a GET
    stream and on that of a request.
    """
    if seen.exchange is None or before.exchange is None or before.exchange == seen.exchange:
        return False
    if seen.kind == "request":
        return before.answer is None or before.answer.at > seen.at
    if seen.method == "notifications/progress":
        return before.about is seen.about
    at, earlier = seen.message.at, before.message.at
    near = at is not None and earlier is not None and at - earlier < _SAME
    return near and (before.exchange in gets) != (seen.exchange in gets)


def _event_id(seen: Seen) -> str:
    return (seen.message.sse.id if seen.message.sse else None) or ""
