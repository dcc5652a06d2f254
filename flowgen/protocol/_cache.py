"""Answers that the server lets us keep: used again while they are fresh (2026-07-28 server/utilities/caching).

Only a plan with `cache = true` keeps any. What is used, too old or void is a note, for nobody else can know.
"""

from typing import Any, NamedTuple

from ._acts import Answer, Failed, Json, Note, Now, Script, Silence
from ._client import Client
from ._plan import Step

_VOIDS = {
    "notifications/tools/list_changed": ("tools/list",),
    "notifications/prompts/list_changed": ("prompts/list",),
    "notifications/resources/list_changed": ("resources/list", "resources/templates/list"),
}
_UPDATED = "notifications/resources/updated"

Key = tuple[str, str | None]  # a method, and the URI or the cursor that it was asked with


class Kept(NamedTuple):
    """An answer that came at `at` seconds and stays fresh for `ttl_ms` milliseconds."""

    answer: Answer
    at: float
    ttl_ms: int


class Cache:
    """The answers of one session. What the server announces makes them void before their time."""

    def __init__(self) -> None:
        self._kept: dict[Key, Kept] = {}
        self._void: list[Note] = []

    def find(self, key: Key) -> Kept | None:
        """What was answered to this last, fresh or not."""
        return self._kept.get(key)

    def keep(self, key: Key, answer: Answer, at: float) -> None:
        """Keeps an answer, if it is one that says how long it stays fresh."""
        ttl = answer.result.get("ttlMs")
        self._kept.pop(key, None)
        if isinstance(ttl, int) and not isinstance(ttl, bool) and ttl > 0 and not answer.unkept:
            self._kept[key] = Kept(answer, at, ttl)

    def hear(self, method: str, params: Any, seq: int) -> None:
        """Drops what notification `seq` makes void."""
        uri = params.get("uri") if isinstance(params, dict) else None
        for key in list(self._kept):
            if key[0] in _VOIDS.get(method, ()) or (method == _UPDATED and key == ("resources/read", uri)):
                del self._kept[key]
                self._void.append(Note("cache-invalidated", {**_named(key), "about": seq}))

    def told(self) -> Script[None]:
        """The notes of what became void since this was last asked."""
        while self._void:
            yield self._void.pop(0)


def kept(
    client: Client, cache: Cache, method: str, params: Json, step: Step | None, name: str | None
) -> Script[Answer | Silence | Failed]:
    """The answer that is kept, while it is fresh; otherwise what the server says now."""
    key = (method, name)
    now: float = yield Now()
    found = cache.find(key)
    if found is not None:
        age = round((now - found.at) * 1000)
        event = "cache-hit" if age < found.ttl_ms else "cache-stale"
        yield Note(event, {**_named(key), "about": found.answer.seq, "age_ms": age, "ttl_ms": found.ttl_ms})
        if age < found.ttl_ms:
            return found.answer
    answer = yield from client.ask(method, params, step)
    if isinstance(answer, Answer):
        cache.keep(key, answer, (yield Now()))
    return answer


def _named(key: Key) -> Json:
    method, name = key
    return {"method": method, **({} if name is None else {"name": name})}
