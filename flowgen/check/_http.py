"""Rules of Streamable HTTP: what stands in the head of a request, and with which status it is answered."""

from collections.abc import Iterator

from flowgen.trace import MASK

from ._heads import About, asked, is_streamable, kept, wrong_heads
from ._hits import Hit, rule
from ._message import CAPABILITIES, JSON_RPC, VERSION, Seen
from ._session import Exchange, Session

_TYPES = ("application/json", "text/event-stream")
_TAKEN = range(200, 300)
_REFUSED = (-32020, -32021, -32022)


@rule
def http_accept(session: Session) -> Iterator[Hit]:
    for exchange in _posts(session):
        told = exchange.opener.header("accept")
        if MASK not in (told or "") and not all(each in (told or "").lower() for each in _TYPES):
            yield Hit(exchange.opener, f"Accept is {told[:60]!r}" if told is not None else "no Accept")


@rule
def http_version_header(session: Session) -> Iterator[Hit]:
    return _wrong(session, "version")


@rule
def http_method_header(session: Session) -> Iterator[Hit]:
    return _wrong(session, "method")


@rule
def http_name_header(session: Session) -> Iterator[Hit]:
    return _wrong(session, "name")


@rule
def http_param_header(session: Session) -> Iterator[Hit]:
    return _wrong(session, "param")


@rule
def http_header_encoding(session: Session) -> Iterator[Hit]:
    return _wrong(session, "encoding")


@rule
def http_header_mismatch_accepted(session: Session) -> Iterator[Hit]:
    for wrong in wrong_heads(session):
        taken = _taken(wrong.seen, session)
        if taken and wrong.about != "encoding":
            yield Hit(taken, f"{wrong.said}, and the request is taken")


@rule
def http_status_mismatch(session: Session) -> Iterator[Hit]:
    if not session.speaks_stateless:
        return
    for seen in session.errors():
        wanted, status = _status_for(seen), _status(seen, session)
        if wanted and seen.era == "stateless" and status not in (None, wanted):
            yield Hit(seen, f"error {seen.code} comes with status {status}, not {wanted}")


@rule
def http_notification_status(session: Session) -> Iterator[Hit]:
    for exchange in _posts(session):
        if not _needs_no_answer(exchange) or exchange.status not in _TAKEN:
            continue
        body = next((seen for seen in exchange.got if _has_body(seen)), None)
        if exchange.status != 202 or body:
            what = f"status {exchange.status}" if exchange.status != 202 else "a body"
            yield Hit(body or exchange.got[0], f"{exchange.opener.method or 'an answer'} is answered with {what}")


def _posts(session: Session) -> Iterator[Exchange]:
    """The exchanges in which the client sent JSON-RPC."""
    known = asked(session) if is_streamable(session) else []
    return (each for each in known if each.opener.kind in JSON_RPC)


def _wrong(session: Session, about: About) -> Iterator[Hit]:
    return (Hit(wrong.seen, wrong.said) for wrong in wrong_heads(session) if wrong.about == about)


def _taken(seen: Seen, session: Session) -> Seen | None:
    """What shows that a request was taken: an answer that does not refuse it."""
    exchange = session.exchanges.get(seen.exchange) if seen.exchange is not None else None
    if exchange is None or exchange.status not in _TAKEN or not exchange.got:
        return None
    answer = seen.answer if seen.answer in exchange.got else None
    shown = next((other for other in exchange.got if other.number), exchange.got[0])
    return None if answer and answer.code == -32020 else answer or shown


def _status_for(seen: Seen) -> int | None:
    """The status that an error of the stateless era has to come with."""
    if seen.code == -32601:
        return 404
    lacks = seen.request is not None and not {VERSION, CAPABILITIES} <= seen.request.meta.keys()
    return 400 if seen.code in _REFUSED or (seen.code == -32602 and lacks) else None


def _status(seen: Seen, session: Session) -> int | None:
    """The status that an error came with; None where others came before it, so that it could not be chosen any more."""
    exchange = session.exchanges.get(seen.exchange) if seen.exchange is not None else None
    first = next((other for other in exchange.got if other.kind in JSON_RPC), None) if exchange else None
    return exchange.status if exchange and first is seen else None


def _needs_no_answer(exchange: Exchange) -> bool:
    """Whether only notifications were sent, or answers of the handshake era's clients."""
    told = all(seen.kind == "notification" or (seen.era == "handshake" and seen.kind in ("response", "error"))
               for seen in exchange.sent if seen.kind in JSON_RPC)  # fmt: skip
    return told and kept(exchange.opener)


def _has_body(seen: Seen) -> bool:
    return seen.kind in (*JSON_RPC, "noise") or (seen.event is None and bool(seen.message.body or seen.message.text))
