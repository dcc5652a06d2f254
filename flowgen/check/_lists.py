"""The lists that a server gave of its tools, prompts and resources, page by page."""

from collections.abc import Iterable
from dataclasses import dataclass

from ._book import Era
from ._message import Json, Seen, obj, objects

KINDS = {"tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources",
         "resources/templates/list": "resourceTemplates"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Listing:
    """A list as far as it is known at `at`: what stands on the pages so far, and whether those are all.

    `seen` is the answer with its last page, `masked` tells of something on a page that was masked.
    """

    at: int
    seen: Seen
    entries: tuple[Json, ...]
    complete: bool

    def named(self, name: object, key: str = "name") -> Json | None:
        """The entry with a name, or with another member of that value."""
        return next((entry for entry in self.entries if entry.get(key) == name), None)


def listings(results: Iterable[Seen]) -> dict[tuple[str, Era | None, int], list[Listing]]:
    """The lists by kind, era and part (0 in the stateless era), each with one state more for every page."""
    found: dict[tuple[str, Era | None, int], list[Listing]] = {}
    for seen in results:
        if seen.request is None or seen.method not in KINDS:
            continue
        kind, result = KINDS[seen.method], obj(seen.result)
        told = found.setdefault((kind, seen.era, seen.part if seen.era == "handshake" else 0), [])
        told.append(_page(seen, tuple(objects(result.get(kind))), told[-1] if told else None))
    return found


def _page(seen: Seen, entries: tuple[Json, ...], before: Listing | None) -> Listing:
    """A page laid to those before it, if its cursor says that it follows them."""
    params, last = seen.request.params if seen.request else {}, obj(seen.result).get("nextCursor") is None
    if "cursor" not in params:
        return Listing(seen.at, seen, entries, last)
    if before and obj(before.seen.result).get("nextCursor") == params["cursor"]:
        return Listing(seen.at, seen, (*before.entries, *entries), last)
    return Listing(seen.at, seen, entries, complete=False)
