"""Rules of the handshake era's opening: initialize, its answer, notifications/initialized."""

from collections.abc import Iterator

from flowgen.protocol import HANDSHAKE

from ._hits import Hit, rule
from ._message import Seen, obj, text
from ._session import Session

_SAID = "notifications/initialized"


@rule
def initialize_not_first(session: Session) -> Iterator[Hit]:
    for part, requests in _parts(session).items():
        opening = next((seen for seen in requests if seen.method == "initialize"), None)
        before = [seen for seen in requests if opening is None or seen.at < opening.at]
        if before and (opening or part == 0):
            yield Hit(opening or before[0], f"{before[0].method} comes before initialize")


@rule
def request_before_initialize_result(session: Session) -> Iterator[Hit]:
    for opening in _openings(session):
        end = opening.answer.at if opening.answer else opening.at
        for seen in _of_client(session, opening):
            if opening.at < seen.at < end and seen.method not in ("ping", "initialize"):
                yield Hit(seen, f"{seen.method} before initialize was answered")


@rule
def initialized_missing(session: Session) -> Iterator[Hit]:
    for opening in _openings(session):
        said = _initialized(session, opening)
        for seen in _of_client(session, opening):
            late = _welcome(opening) is not None and seen.at > _end(opening) and (said is None or seen.at < said.at)
            if late and seen.method not in ("ping", "initialize"):
                yield Hit(seen, f"{seen.method} without notifications/initialized before it")
                break


@rule
def initialized_too_early(session: Session) -> Iterator[Hit]:
    for opening in _openings(session):
        said = _initialized(session, opening)
        if said and opening.answer and said.at < opening.answer.at:
            yield Hit(said, "notifications/initialized comes before the answer to initialize")


@rule
def server_request_before_initialized(session: Session) -> Iterator[Hit]:
    for opening in _openings(session):
        said = _initialized(session, opening)
        for seen in session.parts[opening.part]:
            early = seen.kind == "request" and said is not None and seen.at < said.at
            if early and seen.side == "server" and seen.method != "ping":
                yield Hit(seen, f"{seen.method} before notifications/initialized")


@rule
def initialize_twice(session: Session) -> Iterator[Hit]:
    first: dict[int, Seen] = {}
    for seen in session.requests("initialize"):
        before = first.setdefault(seen.part, seen)
        if before is not seen and _welcome(before) is not None:
            yield Hit(seen, "the session was opened before")


@rule
def version_answer_unknown(session: Session) -> Iterator[Hit]:
    for seen in session.results("initialize"):
        revision = text(obj(seen.result).get("protocolVersion"))
        if revision is not None and revision not in HANDSHAKE:
            yield Hit(seen, f"the server answers with {revision[:40]!r}")


@rule
def version_mismatch_continued(session: Session) -> Iterator[Hit]:
    for opening in _openings(session):
        revision = text((_welcome(opening) or {}).get("protocolVersion"))
        after = (seen for seen in _of_client(session, opening) if seen.at > _end(opening))
        if revision is not None and revision not in HANDSHAKE and (seen := next(after, None)):
            yield Hit(seen, f"{seen.method} goes on in {revision[:40]!r}")


def _parts(session: Session) -> dict[int, list[Seen]]:
    """The client's requests by session, but pings and what belongs to the stateless era."""
    return {part: [seen for seen in messages if seen.kind == "request" and seen.side == "client"
                   and seen.era != "stateless" and seen.method != "ping"]
            for part, messages in session.parts.items()}  # fmt: skip


def _openings(session: Session) -> Iterator[Seen]:
    parts = dict.fromkeys(seen.part for seen in session.requests("initialize"))
    return (opening for part in parts if (opening := session.opened(part)))


def _of_client(session: Session, opening: Seen) -> Iterator[Seen]:
    """The client's requests in the session that was opened so."""
    return (seen for seen in session.parts[opening.part] if seen.kind == "request" and seen.side == "client"
            and seen.era == "handshake")  # fmt: skip


def _initialized(session: Session, opening: Seen) -> Seen | None:
    return next((seen for seen in session.parts[opening.part] if seen.method == _SAID), None)


def _welcome(opening: Seen) -> dict[str, object] | None:
    """The result of initialize."""
    answer = opening.answer
    return answer.result if answer and answer.kind == "response" else None


def _end(opening: Seen) -> int:
    return opening.answer.at if opening.answer else opening.at
