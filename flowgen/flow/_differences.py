"""Where two JSON values differ, place by place: a JSON Pointer (RFC 6901), what stood there and what stands there now.

What differs from run to run is no difference: ports of a server on this machine, and with `times` points in time.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import islice, zip_longest
from typing import Any

from flowgen.errors import UsageError

from ._alike import anywhere
from ._json import equal

MOST = 200  # of one value; what is wholly different needs no longer list
TIMES = "times"  # the word that has points in time ignored
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?")
_NAMES = ("name", "uri", "uriTemplate", "id")  # what tells the items of a list apart
_DEEPEST = 60  # members inside of members; below that values are compared whole


class Missing:
    """Stands where one side has nothing."""

    def __repr__(self) -> str:
        return "missing"


MISSING = Missing()


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two values differ; MISSING where one of them has nothing there."""

    path: str
    was: Any
    now: Any


@dataclass(frozen=True, slots=True)
class Ignored:
    """What is not to be told: places by pattern (`/result/content/*/text`), and points in time."""

    paths: Sequence[str] = ()
    times: bool = False

    def place(self, path: str) -> bool:
        """Whether a place, or one around it, is ignored."""
        return any(fnmatchcase(path, pattern) or fnmatchcase(path, f"{pattern}/*") for pattern in self.paths)

    def same(self, was: Any, now: Any) -> bool:
        """Whether two values that hold no others say the same."""
        if isinstance(was, str) and isinstance(now, str):
            return self._text(was) == self._text(now)
        return equal(was, now)

    def _text(self, text: str) -> str:
        bare = anywhere(text)
        return _TIME.sub("…", bare) if self.times else bare


NOTHING = Ignored()


def ignored(words: Sequence[str]) -> Ignored:
    """What the words of a user ask for: patterns of pointers, and `times`. Raises UsageError for what is neither."""
    for word in words:
        if word != TIMES and not word.startswith("/"):
            raise UsageError(f"--ignore {word[:80]!r}: expected a place or {TIMES}", "such as '/result/content/*/text'")
    return Ignored(tuple(word for word in words if word != TIMES), TIMES in words)


def differences(was: Any, now: Any, skip: Ignored, path: str = "") -> tuple[Difference, ...]:
    """All places where two values differ, at most MOST of them, in the order of the new one."""
    return tuple(islice(_walk(was, now, skip, path, 0), MOST))


def _walk(was: Any, now: Any, skip: Ignored, path: str, depth: int) -> Iterator[Difference]:
    if skip.place(path) or was is now:
        return
    match was, now:
        case dict(), dict() if depth < _DEEPEST:
            for name in [*now, *(name for name in was if name not in now)]:
                inner = f"{path}/{_escaped(name)}"
                yield from _walk(was.get(name, MISSING), now.get(name, MISSING), skip, inner, depth + 1)
        case list(), list() if depth < _DEEPEST:
            for name, one, other in _items(was, now):
                yield from _walk(one, other, skip, f"{path}/{_escaped(name)}", depth + 1)
        case _ if not skip.same(was, now):
            yield Difference(path, was, now)


def _items(was: list[Any], now: list[Any]) -> Iterator[tuple[str, Any, Any]]:
    """The items of two lists beside each other: by what names them, else by their places."""
    old, new = _named(was), _named(now)
    if old is None or new is None:
        pairs = zip_longest(was, now, fillvalue=MISSING)
        yield from ((str(place), one, other) for place, (one, other) in enumerate(pairs))
        return
    for name in [*new, *(name for name in old if name not in new)]:
        yield name, old.get(name, MISSING), new.get(name, MISSING)


def _named(items: list[Any]) -> dict[str, Any] | None:
    """The items by their names; None unless each has one of its own."""
    found = {name: item for item in items if (name := _name(item)) is not None}
    return found if len(found) == len(items) else None


def _name(item: Any) -> str | None:
    if not isinstance(item, dict):
        return None
    return next((item[key] for key in _NAMES if isinstance(item.get(key), str)), None)


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
