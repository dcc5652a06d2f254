"""A list asked again, shown as what became of it: a line a name, its sign telling what happened, and a count.

`+` came, `-` went, `~` is different now, `=` counts those that stayed as they were. The signs say it all; colours
only help.
"""

from collections.abc import Iterator
from typing import Any

from flowgen.flow import ListChange
from flowgen.trace import mask_shapes

from ._clean import pieces
from ._json_fill import JsonLine, fill
from ._json_values import Aside, Part, grouped
from ._text import columns
from ._words import Words

_HANG = 2  # columns that a continued name stands further in
_LONGEST = 400  # characters of a name


def change_lines(change: ListChange, since: str, wide: int, words: Words) -> Iterator[JsonLine]:
    """The lines of a difference, none wider than `wide` columns; `since` says what it is compared with."""
    for sign, kind, names in (
        ("+", "added", change.added), ("-", "removed", change.removed), ("~", "changed", change.changed),
    ):  # fmt: skip
        for name in names:
            yield from _flowed([(kind, f"{sign} ", 2), *_parts(name, kind)], wide)
    kept = words("change.same", n=grouped(change.same), since=since)
    yield from _flowed([("mut", kept, columns(kept))], wide)


def without_list(body: Any, words: Words) -> Any:
    """The same answer with a remark where its list stands."""
    result: Any = body.get("result") if isinstance(body, dict) else None
    for member, value in result.items() if isinstance(result, dict) else ():
        if isinstance(value, list):
            aside = Aside(words("change.list", n=grouped(len(value))))
            return {**body, "result": {**result, member: [aside]}}
    return body


def _parts(name: str, kind: str) -> Iterator[Part]:
    for part, hidden in pieces(mask_shapes(name[:_LONGEST]).replace("\n", " ")):
        yield "hidden" if hidden else kind, part, columns(part)


def _flowed(parts: list[Part], wide: int) -> Iterator[JsonLine]:
    return (JsonLine(tuple(row)) for row in fill(parts, 0, _HANG, wide))
