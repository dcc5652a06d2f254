"""The JSON box: lines of coloured tokens that show a message as it was written, and fold what is long.

A container stands on one line when it fits and holds little, else its members stand below each other; the small
ones at its start share lines. Long strings wrap or are cut, long arrays and objects and deep ones are counted
instead of shown, and what is left out is always said. `full` folds nothing. No line is ever wider than its columns,
whatever came. A token is (column, kind, text), its kind one of `_json_values`, `punct` or `plain`.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

from flowgen.trace import mask_shapes

from ._clean import pieces
from ._json_box import Box, Marks
from ._json_fill import JsonLine, fill
from ._json_values import grouped, read_json
from ._text import columns as columns_of
from ._words import Words
from ._words import words as words_of

HOT = frozenset(["method", "id", "protocolVersion", "capabilities", "isError", "code", "resultType"])
MARKED = ("/method", "/params/protocolVersion", "/result/protocolVersion", "/result/capabilities")

_MOST = 50_000  # lines of a text shown whole
_HANG = 4  # columns that continued lines stand further in


def json_lines(
    source: Any,
    *,
    columns: int = 80,
    limit: int | None = 48,
    full: bool = False,
    brief: bool = False,
    marked: Sequence[str] = MARKED,
    hot: Collection[str] = HOT,
    text: bool | None = None,
    flat: int = 1,
    words: Words | None = None,
) -> list[JsonLine]:
    """The lines of a JSON value or of JSON text, none wider than `columns` (at least 16), at most `limit` of them.

    `text` tells that `source` is JSON text as received (True) or a value (False); None: text that begins as an
    object or array does is JSON text. Text that is no JSON is shown as it is. `brief` tells the types of a schema
    in words. `marked` are JSON pointers of key fields, `*` for any name or number; the first two that occur are
    marked. `flat` containers inside each other may stand on one line. `words` are English unless given.
    """
    said = words or words_of()
    if isinstance(source, bytes):
        source = source.decode("utf-8", "replace")
    if text or (
        text is None and isinstance(source, str) and source.lstrip("\ufeff \r\n\t")[:1] in ("{", "[")
    ):
        try:
            source = read_json(source)
        except ValueError:
            return text_lines(source, columns=columns, limit=None if full else limit, words=said)
    box = Box(columns, full, brief, hot, said)
    whole = box.draw(source, _tree(tuple(marked)), flat)
    most = box.stop if full or limit is None else limit
    return _limited(box.lines, most, 0, said, "json.lines" if whole else "json.lines.least")


def text_lines(
    text: str, *, columns: int = 80, limit: int | None = 12, words: Words | None = None
) -> list[JsonLine]:
    """The lines of a text that is no JSON, as it came: wrapped at `columns`, at most `limit` of them."""
    most = _MOST if limit is None else limit
    text = text.removesuffix("\n").removesuffix("\r")
    lines: list[JsonLine] = []
    start, left = 0, 0
    while start <= len(text) and len(lines) <= most:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        shown = min(end, start + (most + 1) * columns)  # more than all lines together could hold
        lines.extend(_text_lines(text[start:shown].removesuffix("\r"), columns))
        left = (end - shown) // columns
        start = end + 1
    left += text.count("\n", start) + 1 if start <= len(text) else 0
    return _limited(lines, most, left, words or words_of(), "json.lines")


def _text_lines(line: str, columns: int) -> list[JsonLine]:
    parts = [
        ("hidden" if hidden else "plain", part, columns_of(part))
        for part, hidden in pieces(mask_shapes(line))
    ]
    return [JsonLine(tuple(row)) for row in fill(parts, 0, _HANG, columns)] or [JsonLine(())]


def _limited(lines: list[JsonLine], limit: int, left: int, words: Words, key: str) -> list[JsonLine]:
    """At most `limit` lines: the last one says how many are missing, `left` that were never made among them."""
    if len(lines) <= limit and not left:
        return lines
    shown = lines[: max(0, limit - 1)]
    note = words(key, n=grouped(len(lines) - len(shown) + left))
    return [*shown, JsonLine(((0, "mut", note),))]


@lru_cache(64)
def _tree(pointers: tuple[str, ...]) -> Marks:
    tree: Marks = {}
    for pointer in pointers:
        node = tree
        for name in pointer.split("/")[1:]:
            node = node.setdefault(name.replace("~1", "/").replace("~0", "~"), {})
        node[None] = True
    return tree
