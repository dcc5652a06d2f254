"""A file's value with the line of every member. Members and items are plain values; their lines stand beside them."""

from collections.abc import Iterator
from typing import Any, NamedTuple


class Table(dict[str, Any]):
    """An object; `lines` holds the line (from 1) on which each of its keys stands, `twice` the keys that stand there
    more than once.
    """

    __slots__ = ("lines", "twice")

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}
        self.twice: tuple[str, ...] = ()

    def put(self, key: str, value: Any, line: int) -> None:
        """Of a key that stands twice the last one counts, at its own place."""
        if key in self:
            self.twice += (key,)
            del self[key]
        self[key] = value
        self.lines[key] = line


class Row(list[Any]):
    """A list; `lines` holds the line (from 1) of each of its items."""

    __slots__ = ("lines",)

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[int] = []

    def put(self, value: Any, line: int) -> None:
        """One more item."""
        self.append(value)
        self.lines.append(line)


class Document(NamedTuple):
    """What a file says: its name as it was given, its value, and how many lines it has."""

    name: str
    value: Any
    lines: int


class Word(NamedTuple):
    """A text of the file, such as a word of a command line, and the line on which it stands."""

    text: str
    line: int


def texts(value: Any, line: int, limit: int = 20_000) -> Iterator[tuple[str, Word]]:
    """Every text in a value with the key that it stands under, level by level, at most `limit` of them."""
    level: list[tuple[str, Any, int]] = [("", value, line)]
    while level and limit > 0:
        deeper: list[tuple[str, Any, int]] = []
        for key, each, at in level:
            if isinstance(each, str):
                yield key, Word(each, at)
                limit -= 1
            elif isinstance(each, dict | list):
                deeper.extend(_children(key, each, at))
        level = deeper[:limit]


def _children(key: str, value: Any, line: int) -> Iterator[tuple[str, Any, int]]:
    if isinstance(value, dict):
        lines = getattr(value, "lines", {})
        return ((name, child, lines.get(name, line)) for name, child in value.items())
    rows = getattr(value, "lines", None)
    return ((key, child, rows[at] if rows else line) for at, child in enumerate(value))
