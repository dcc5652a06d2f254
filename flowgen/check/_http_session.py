"""Rules of sessions over Streamable HTTP, which only the handshake era has."""

import re
from collections.abc import Hashable, Iterator

from flowgen.trace import MASK

from ._heads import SESSION_ID, asked, is_streamable, secret
from ._hits import Hit, rule
from ._message import Seen, obj, text
from ._session import Exchange, Session

_STRANGE = re.compile(r"[^\x21-\x7e]")
_VERSION = "mcp-protocol-version"


@rule
def http_session_missing(session: Session) -> Iterator[Hit]:
    given = _given(session)
    for exchange in _asked(session):
        seen = exchange.opener
        first = given.get(seen.part)
        if first and seen.at > first.at and seen.method != "initialize" and seen.header(SESSION_ID) is None:
            yield Hit(seen, f"{_what(seen)} without the session id")


@rule
def http_session_syntax(session: Session) -> Iterator[Hit]:
    for seen in _given(session).values():
        told = (seen.header(SESSION_ID) or "").replace(MASK, "")
        strange = "".join(sorted(set(_STRANGE.findall(told))))
        if strange:
            yield Hit(seen, f"the session id holds {strange[:20]!r}, which is no visible ASCII")


@rule
def http_session_expired(session: Session) -> Iterator[Hit]:
    lost: dict[Hashable, int] = {}
    for exchange in _asked(session):
        seen = exchange.opener
        key = _session_id(seen)
        if key in lost and seen.at > lost[key] and not _is_delete(seen):
            yield Hit(seen, f"{_what(seen)} goes on with a session that the server did not know any more")
        if key is not None and exchange.status == 404:
            lost.setdefault(key, exchange.got[0].at)


@rule
def http_session_not_deleted(session: Session) -> Iterator[Hit]:
    given, last, over = _given(session), dict[int, Exchange](), set[int]()
    for exchange in _asked(session):
        last[exchange.opener.part] = exchange
        if _is_delete(exchange.opener) or exchange.status == 404:
            over.add(exchange.opener.part)
    for part, exchange in last.items():
        if part in given and part not in over:
            yield Hit(exchange.opener, "the last that is sent in the session, and no DELETE")


@rule
def http_version_header_legacy(session: Session) -> Iterator[Hit]:
    agreed = {part: answer for part, answer in _answers(session).items() if _agreed(answer)}
    for exchange in _asked(session):
        seen = exchange.opener
        answer, told = agreed.get(seen.part), seen.header(_VERSION)
        if answer is None or seen.at < answer.at or seen.method == "initialize":
            continue
        if told is None:
            yield Hit(seen, f"{_what(seen)} without MCP-Protocol-Version")
        elif told != _agreed(answer):
            yield Hit(seen, f"MCP-Protocol-Version is {told[:40]!r}, agreed upon was {_agreed(answer)}", "warning")


def _asked(session: Session) -> Iterator[Exchange]:
    known = asked(session) if is_streamable(session) else []
    return (exchange for exchange in known if exchange.opener.era == "handshake")


def _answers(session: Session) -> dict[int, Seen]:
    """The first result of initialize in each session."""
    found: dict[int, Seen] = {}
    for seen in session.results("initialize"):
        found.setdefault(seen.part, seen)
    return found


def _given(session: Session) -> dict[int, Seen]:
    """Where the server gave each session its id: the head of the answer to initialize."""
    found: dict[int, Seen] = session.worked_out("session ids", _find_given)
    return found


def _find_given(session: Session) -> dict[int, Seen]:
    found: dict[int, Seen] = {}
    for part, answer in _answers(session).items():
        exchange = session.exchanges.get(answer.exchange) if answer.exchange is not None else None
        if exchange and exchange.got and exchange.got[0].header(SESSION_ID) is not None:
            found[part] = exchange.got[0]
    return found


def _agreed(answer: Seen) -> str | None:
    return text(obj(answer.result).get("protocolVersion"))


def _session_id(seen: Seen) -> Hashable:
    return secret(seen, f"/http/headers/{SESSION_ID}", seen.header(SESSION_ID))


def _is_delete(seen: Seen) -> bool:
    return seen.message.http is not None and seen.message.http.method == "DELETE"


def _what(seen: Seen) -> str:
    """What was asked, for a sentence."""
    return seen.method or (seen.message.http.method if seen.message.http else None) or "an answer"
