"""Rules of what may be kept, for how long and for whom, and of lists that come in pages."""

from collections.abc import Hashable, Iterator

from flowgen.trace import write_json

from ._hits import Hit, once, rule
from ._lists import KINDS
from ._message import Seen, obj, text
from ._session import Session

_KEPT = ("server/discover", *KINDS, "resources/read")
_PAGED = (*KINDS, "tasks/list")
_CHANGED = {"tools/list": "notifications/tools/list_changed", "prompts/list": "notifications/prompts/list_changed",
            "resources/list": "notifications/resources/list_changed",
            "resources/templates/list": "notifications/resources/list_changed",
            "resources/read": "notifications/resources/updated"}  # fmt: skip


@rule
def cache_hints_missing(session: Session) -> Iterator[Hit]:
    for seen in session.complete(*_KEPT):
        missing = [name for name in ("ttlMs", "cacheScope") if name not in obj(seen.result)]
        if missing:
            yield Hit(seen, f"the result of {seen.method} has no {missing[0]}")


@rule
def cache_ttl_negative(session: Session) -> Iterator[Hit]:
    for seen in session.results():
        ttl = obj(seen.result).get("ttlMs", 0)
        if isinstance(ttl, bool) or not isinstance(ttl, int | float) or ttl < 0 or ttl % 1:
            yield Hit(seen, f"ttlMs is {str(ttl)[:40]}")


@rule
def cache_scope_differs(session: Session) -> Iterator[Hit]:
    scopes: dict[str | None, object] = {}
    for seen in session.complete(*KINDS):
        scope, first = obj(seen.result).get("cacheScope"), seen.request and "cursor" not in seen.request.params
        if first or seen.method not in scopes:
            scopes[seen.method] = scope
        elif scope is not None and scope != scopes[seen.method]:
            yield Hit(seen, f"this page of {seen.method} is {scope}, those before are {scopes[seen.method]}")


@rule
def cache_unused_while_fresh(session: Session) -> Iterator[Hit]:
    fresh: dict[Hashable, float] = {}
    for seen in session.json_rpc:
        if seen.kind == "notification":
            stale = [key for key in fresh if isinstance(key, tuple) and _CHANGED.get(str(key[0])) == seen.method]
            for key in stale:
                del fresh[key]
        at = seen.message.at
        if at is None or seen.method not in _KEPT:
            continue
        if seen.kind == "request" and at < fresh.get(_same(seen), at):
            yield Hit(seen, f"{seen.method} was answered for {fresh[_same(seen)] - at:.0f} s more")
        elif seen.kind == "response" and seen.request and isinstance(ttl := obj(seen.result).get("ttlMs"), int):
            fresh[_same(seen.request)] = at + ttl / 1000


@rule
def cursor_unknown(session: Session) -> Iterator[Hit]:
    for seen in _lost(session):
        yield Hit(seen, f"{seen.method} with cursor {str(seen.params['cursor'])[:40]!r}, which the server never gave")


@rule
def cursor_empty_ignored(session: Session) -> Iterator[Hit]:
    followed = {seen.method: seen.at for seen in session.requests(*_PAGED) if seen.params.get("cursor") == ""}
    for seen in session.complete(*_PAGED):
        if obj(seen.result).get("nextCursor") == "" and followed.get(seen.method, -1) < seen.at:
            yield Hit(seen, f"{seen.method} has another page, whose cursor is empty", by="client")


@rule
def cursor_error_code(session: Session) -> Iterator[Hit]:
    def hits() -> Iterator[Hit]:
        for seen in _lost(session):
            answer = seen.answer
            if answer and answer.kind in ("response", "error") and answer.code != -32602:
                said = "a result" if answer.kind == "response" else f"error {answer.code}"
                yield Hit(answer, f"a cursor that the server never gave is answered with {said}")

    return once(hits())


def _lost(session: Session) -> Iterator[Seen]:
    """Requests for pages with a cursor that no answer before them gave."""
    given = set[tuple[str | None, str]]()
    for seen in session.json_rpc:
        if seen.method not in _PAGED:
            continue
        cursor = text((seen.params if seen.kind == "request" else obj(seen.result)).get(
            "cursor" if seen.kind == "request" else "nextCursor"
        ))  # fmt: skip
        if cursor is None:
            continue
        if seen.kind == "response":
            given.add((seen.method, cursor))
        elif seen.kind == "request" and (seen.method, cursor) not in given:
            yield seen


def _same(seen: Seen) -> Hashable:
    """What makes two requests the same: all but `_meta`."""
    params = {name: value for name, value in sorted(seen.params.items()) if name != "_meta"}
    return seen.method, write_json(params)
