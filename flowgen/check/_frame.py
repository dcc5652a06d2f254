"""Rules of the frame: JSON-RPC itself, ids, answers, batches and the codes of errors."""

from collections import defaultdict
from collections.abc import Hashable, Iterator

from flowgen.trace import write_json

from ._hits import Hit, rule
from ._message import LISTEN, PREFIX, Seen, obj, whole_number
from ._session import Session

_TURNED_AWAY = range(300, 600)
_SPECIFIED = {-32020, -32021, -32022}


@rule
def jsonrpc_version(session: Session) -> Iterator[Hit]:
    for seen in session.json_rpc:
        if seen.body.get("jsonrpc") != "2.0":
            yield Hit(seen, f'"jsonrpc" is {_shown(seen.body.get("jsonrpc"))}')


@rule
def request_id_invalid(session: Session) -> Iterator[Hit]:
    for seen in session.requests():
        if not isinstance(seen.id, str) and whole_number(seen.id) is None and not _is_whole(seen.id):
            yield Hit(seen, f"the id of {seen.method} is {_shown(seen.id)}")


@rule
def request_id_pending(session: Session) -> Iterator[Hit]:
    for seen, before in _same_id(session):
        if not _is_over(before, seen.at):
            yield Hit(seen, f"id {_shown(seen.id)} is still that of {before.method} ({_place(before)}), which waits")


@rule
def request_id_reused(session: Session) -> Iterator[Hit]:
    for seen, before in _same_id(session):
        if _is_over(before, seen.at) and before.era == seen.era and not _was_turned_away(before):
            yield Hit(seen, f"id {_shown(seen.id)} was that of {before.method} ({_place(before)})")


@rule
def response_unmatched(session: Session) -> Iterator[Hit]:
    for seen in _answers(session):
        if seen.request is None and not _may_be_nameless(seen) and not _answers_notification(seen, session):
            yield Hit(seen, f"no request of the other side with id {_shown(seen.id)}")


@rule
def response_id_type(session: Session) -> Iterator[Hit]:
    for seen in _answers(session):
        request = seen.request
        if request and request.whole and seen.id is not None and request.key != seen.key:
            yield Hit(seen, f"{request.method} has id {_shown(request.id)}, its answer {_shown(seen.id)}")


@rule
def response_duplicate(session: Session) -> Iterator[Hit]:
    for seen in _answers(session):
        first = seen.request.answer if seen.request else None
        if first and first is not seen and first.kind in ("response", "error"):
            yield Hit(seen, f"{seen.method} was answered before ({_place(first)})")


@rule
def response_missing(session: Session) -> Iterator[Hit]:
    for seen in session.requests():
        if seen.state == "unanswered" and seen.method != LISTEN:
            yield Hit(seen, f"no answer to {seen.method} came", by="client" if seen.side == "server" else "server")


@rule
def response_shape(session: Session) -> Iterator[Hit]:
    for seen in _answers(session):
        if "result" in seen.body and "error" in seen.body:
            yield Hit(seen, "both result and error")
        elif seen.kind == "error" and (fault := _fault(seen)):
            yield Hit(seen, fault)


@rule
def notification_has_id(session: Session) -> Iterator[Hit]:
    for seen in session.requests():
        if (seen.method or "").startswith("notifications/"):
            yield Hit(seen, f"{seen.method} has id {_shown(seen.id)}")


@rule
def notification_answered(session: Session) -> Iterator[Hit]:
    for seen in _answers(session):
        if _answers_notification(seen, session):
            yield Hit(seen, "an answer without an id, where every request had its own")


@rule
def batch_not_allowed(session: Session) -> Iterator[Hit]:
    for seen in _batches(session):
        if seen.revision == "2024-11-05":
            yield Hit(seen, "an array of messages, which this revision does not define", "warning")
        elif seen.revision != "2025-03-26":
            yield Hit(seen, "an array of messages")


@rule
def batch_initialize(session: Session) -> Iterator[Hit]:
    for seen in session.requests("initialize"):
        if seen.has("batch"):
            yield Hit(seen, "initialize inside an array of messages")


@rule
def error_code_reserved(session: Session) -> Iterator[Hit]:
    for seen in _errors(session):
        if seen.code is not None and -32099 <= seen.code <= -32020 and seen.code not in (*_SPECIFIED, -32042):
            yield Hit(seen, f"error {seen.code}")
        elif seen.code == -32021 and not isinstance(_data(seen).get("requiredCapabilities"), dict):
            yield Hit(seen, "error -32021 without data.requiredCapabilities")


@rule
def error_code_retired(session: Session) -> Iterator[Hit]:
    for seen in _errors(session):
        if seen.code in (-32002, -32042):
            yield Hit(seen, f"error {seen.code}")


@rule
def error_code_legacy_range(session: Session) -> Iterator[Hit]:
    for seen in _errors(session):
        if seen.code is not None and -32019 <= seen.code <= -32000 and seen.code != -32002:
            yield Hit(seen, f"error {seen.code}")


def _errors(session: Session) -> Iterator[Seen]:
    """Errors but those with which a server of the handshake era turns a probe away, as it likes."""
    return (seen for seen in session.errors() if session.speaks_stateless or seen.side == "client")


def _answers(session: Session) -> Iterator[Seen]:
    return (seen for seen in session.json_rpc if seen.kind in ("response", "error"))


def _same_id(session: Session) -> Iterator[tuple[Seen, Seen]]:
    """Requests with the last one before that had the same id, from the same sender in the same session.

    Over HTTP one name may stand for several clients; those of the stateless era are known by what they call themselves.
    """
    last: dict[Hashable, Seen] = {}
    for seen in session.requests():
        named = write_json(seen.meta.get(f"{PREFIX}clientInfo")) if seen.message.http else None
        key = (seen.message.sender, seen.part, named, seen.key)
        if seen.id is not None and key in last:
            yield seen, last[key]
        last[key] = seen


def _is_over(request: Seen, at: int) -> bool:
    """Whether nobody waited any more for the answer to a request when a message came."""
    end = request.answer or request.ended_by
    return end is not None and end.at < at


def _was_turned_away(request: Seen) -> bool:
    """By an HTTP status: sent once more under its id, it is still the same request."""
    return request.answer is not None and (request.answer.status or 200) in _TURNED_AWAY


def _may_be_nameless(seen: Seen) -> bool:
    """An error whose request could not be read has no id (JSON-RPC 2.0, section 5)."""
    return seen.kind == "error" and seen.id is None and (seen.code in (-32700, -32600) or (seen.status or 0) >= 400)


def _answers_notification(seen: Seen, session: Session) -> bool:
    """No id, nothing that waits, and a notification before it: only that can be meant."""
    return seen.has("response-to-notification") or (
        seen.request is None and seen.at in session.worked_out("nameless", _nameless)
    )


def _nameless(session: Session) -> frozenset[int]:
    """Where answers without an id came although every request before them had its own answer, but for listens."""
    found, waiting, told = set[int](), set[int](), defaultdict[str, int](int)
    for seen in session.messages:
        if seen.kind == "request" and seen.method != LISTEN:
            waiting.add(seen.at)
        elif seen.kind == "notification":
            told[seen.side] += 1
        if seen.request is not None:
            waiting.discard(seen.request.at)
        elif seen.kind in ("response", "error") and seen.id is None and not waiting and not _may_be_nameless(seen):
            found |= {seen.at} if told["client" if seen.side == "server" else "server"] else set()
    return frozenset(found)


def _batches(session: Session) -> Iterator[Seen]:
    """The first message of every array."""
    before: Seen | None = None
    for seen in session.messages:
        in_one = before is not None and before.has("batch") and before.side == seen.side
        if seen.has("batch") and not (in_one and before and (before.exchange, before.message.at) == (
            seen.exchange, seen.message.at
        )):  # fmt: skip
            yield seen
        before = seen


def _fault(seen: Seen) -> str | None:
    if not isinstance(seen.body.get("error"), dict):
        return f"error is {_shown(seen.body.get('error'))}, no object"
    if seen.code is None:
        return f"the error's code is {_shown(seen.error.get('code'))}"
    return None if isinstance(seen.error.get("message"), str) else "the error has no message"


def _data(seen: Seen) -> dict[str, object]:
    return obj(seen.error.get("data"))


def _is_whole(value: object) -> bool:
    return isinstance(value, float) and value.is_integer()


def _place(seen: Seen) -> str:
    return f"message {seen.number}" if seen.number else f"seq {seen.message.seq}"


def _shown(value: object) -> str:
    """A value as JSON, short."""
    told = write_json(value).decode("utf-8", "replace")
    return told if len(told) <= 40 else f"{told[:39]}…"


