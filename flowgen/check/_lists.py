"""The lists that a server gave of its tools, prompts and resources, page by page."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from ._book import Era
from ._message import Json, Seen, obj, objects

KINDS = {"tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources",
         "resources/templates/list": "resourceTemplates"}  # fmt: skip
_NAMES = ("name", "uri", "uriTemplate")


@dataclass(slots=True)
class _Pages:
    """The entries of the pages of one list, and where each value of a naming member stands first."""

    entries: list[Json] = field(default_factory=list)
    first: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, entries: Iterable[Json]) -> int:
        """How many there are with those of another page."""
        for entry in entries:
            for key in _NAMES:
                if isinstance(name := entry.get(key), str):
                    self.first.setdefault((key, name), len(self.entries))
            self.entries.append(entry)
        return len(self.entries)


@dataclass(frozen=True, slots=True)
class Listing:
    """A list as far as it is known at `at`: its first `count` entries, and whether those are all.

    `seen` is the answer with its last page.
    """

    at: int
    seen: Seen
    pages: _Pages
    count: int
    complete: bool

    @property
    def entries(self) -> list[Json]:
        """What stands on the pages so far."""
        return self.pages.entries[: self.count]

    def named(self, name: object, key: str = "name") -> Json | None:
        """The entry with a name, or with another naming member (uri, uriTemplate) of that value."""
        place = self.pages.first.get((key, name)) if isinstance(name, str) else None
        return self.pages.entries[place] if place is not None and place < self.count else None


def listings(results: Iterable[Seen]) -> dict[tuple[str, Era | None, int], list[Listing]]:
    """The lists by kind, era and part (0 in the stateless era), each with one state more for every page."""
    found: dict[tuple[str, Era | None, int], list[Listing]] = {}
    for seen in results:
        if seen.request is None or seen.method not in KINDS:
            continue
        kind = KINDS[seen.method]
        told = found.setdefault((kind, seen.era, seen.part if seen.era == "handshake" else 0), [])
        told.append(_page(seen, objects(obj(seen.result).get(kind)), told[-1] if told else None))
    return found


def _page(seen: Seen, entries: Iterable[Json], before: Listing | None) -> Listing:
    """A page laid to those before it, if its cursor says that it follows them."""
    params, last = seen.request.params if seen.request else {}, obj(seen.result).get("nextCursor") is None
    follows = before is not None and obj(before.seen.result).get("nextCursor") == params.get("cursor")
    if before and follows and "cursor" in params and before.count == len(before.pages.entries):
        return Listing(seen.at, seen, before.pages, before.pages.add(entries), last)
    pages = _Pages()
    return Listing(seen.at, seen, pages, pages.add(entries), last and "cursor" not in params)
