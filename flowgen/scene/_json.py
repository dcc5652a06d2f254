"""The JSON box: lines of coloured tokens that show a message as it was written, and fold what is long.

A container stands on one line when it fits and holds little, else its members stand below each other; the small
ones at its start share lines. Long strings wrap or are cut, long arrays and objects and deep ones are counted
instead of shown, and what is left out is always said. `full` folds nothing. No line is ever wider than its columns,
whatever came. A token is (column, kind, text), its kind one of `_json_values`, `punct` or `plain`.
"""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from ._clean import pieces
from ._json_fill import Token, fill
from ._json_values import Name, Part, grouped, name_parts, read_json, value_parts
from ._text import columns as columns_of
from ._words import Words
from ._words import words as words_of

HOT = frozenset(["method", "id", "protocolVersion", "capabilities", "isError", "code", "resultType"])
MARKED = ("/method", "/params/protocolVersion", "/result/protocolVersion", "/result/capabilities")

_MOST_MARKS = 2  # key fields of one box
_FLAT, _FLAT_TOP = 2, 1  # containers inside each other that one line may hold
_SHARED = 0.7  # of a line: one that is fuller takes no further member
_ITEMS, _ITEMS_SHOWN = 5, 3
_KEYS = 12
_DEEPEST, _DEEPEST_FULL = 6, 64
_STOP, _STOP_FULL = 2_000, 50_000  # lines at which even counting ends
_HANG = 4  # columns that continued lines stand further in
_NARROWEST = 12  # columns that are left to them
_CONTAINERS = frozenset([list, dict, tuple])

Marks = dict[str | None, Any]  # the marked places as a tree of names; None: this place is marked itself
_NO_MARKS: Marks = {}
_NAMELESS = Name((), 0, False)


class JsonLine(NamedTuple):
    """One line. `tokens` are (column, kind, text), `marks` (column, columns) of key fields to be underlaid."""

    tokens: tuple[Token, ...]
    marks: tuple[tuple[int, int], ...] = ()


def json_lines(
    source: Any,
    *,
    columns: int = 80,
    limit: int | None = 48,
    full: bool = False,
    marked: Sequence[str] = MARKED,
    hot: Collection[str] = HOT,
    text: bool | None = None,
    words: Words | None = None,
) -> list[JsonLine]:
    """The lines of a JSON value or of JSON text, none wider than `columns` (at least 16), at most `limit` of them.

    `text` tells that `source` is JSON text as received (True) or a value (False); None: text that begins as an
    object or array does is JSON text. Text that is no JSON is shown as it is. `marked` are JSON pointers of key
    fields, `*` for any name; the first two that occur are marked. `words` are English unless given.
    """
    said = words or words_of()
    if isinstance(source, bytes):
        source = source.decode("utf-8", "backslashreplace")
    if text or (text is None and isinstance(source, str) and source.lstrip("\ufeff \r\n\t")[:1] in ("{", "[")):
        try:
            source = read_json(source)
        except ValueError:
            return text_lines(source, columns=columns, limit=None if full else limit, words=said)
    box = _Box(columns, full, hot, said)
    whole = box.draw(source, _tree(marked))
    most = box.stop if full or limit is None else limit
    return _limited(box.lines, most, 0, said, "json.lines" if whole else "json.lines.least")


def text_lines(
    text: str, *, columns: int = 80, limit: int | None = 12, words: Words | None = None
) -> list[JsonLine]:
    """The lines of a text that is no JSON, as it came: wrapped at `columns`, at most `limit` of them."""
    most = _STOP_FULL if limit is None else limit
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
    parts = [("hidden" if hidden else "plain", part, columns_of(part)) for part, hidden in pieces(line)]
    return [JsonLine(tuple(row)) for row in fill(parts, 0, _HANG, columns)] or [JsonLine(())]


def _limited(lines: list[JsonLine], limit: int, left: int, words: Words, key: str) -> list[JsonLine]:
    """At most `limit` lines: the last one says how many are missing, `left` that were never made among them."""
    if len(lines) <= limit and not left:
        return lines
    shown = lines[: max(0, limit - 1)]
    note = words(key, n=grouped(len(lines) - len(shown) + left))
    return [*shown, JsonLine(((0, "mut", note),))]


def _tree(pointers: Sequence[str]) -> Marks:
    tree: Marks = {}
    for pointer in pointers:
        node = tree
        for name in pointer.split("/")[1:]:
            node = node.setdefault(name.replace("~1", "/").replace("~0", "~"), {})
        node[None] = True
    return tree


def _below(marks: Marks, name: str | None) -> Marks:
    return (marks.get(name) or marks.get("*") or _NO_MARKS) if marks else _NO_MARKS


class _Stopped(Exception):
    """More lines than anybody will look at."""


class _Row:
    """A line while it is made: `at` is the column it reaches to, `pending` the punctuation at its end."""

    __slots__ = ("at", "marks", "pending", "tokens")

    def __init__(self, at: int) -> None:
        self.tokens: list[Token] = []
        self.at = at
        self.pending = ""
        self.marks: list[tuple[int, int]] = []

    def say(self, punctuation: str) -> None:
        self.pending += punctuation
        self.at += len(punctuation)

    def put(self, parts: Sequence[Part]) -> None:
        at = self.at
        if self.pending:
            self.tokens.append((at - len(self.pending), "punct", self.pending))
            self.pending = ""
        for kind, text, wide in parts:
            self.tokens.append((at, kind, text))
            at += wide
        self.at = at


class _Box:
    """The lines of one box while they are made."""

    def __init__(self, columns: int, full: bool, hot: Collection[str], words: Words) -> None:
        self.columns = columns
        self.full = full
        self.hot = hot
        self.words = words
        self.cut = None if full else words
        self.shared = columns * _SHARED
        self.deepest = _DEEPEST_FULL if full else _DEEPEST
        self.stop = _STOP_FULL if full else _STOP
        self.lines: list[JsonLine] = []
        self.marked = 0

    def draw(self, value: Any, marks: Marks) -> bool:
        """Makes the lines of a value; False when they were too many to make them all."""
        try:
            row = _Row(0)
            if type(value) not in _CONTAINERS:
                self._flow(value_parts(value, False, self.cut).parts, 0)
            elif self._flat(row, value, _FLAT_TOP, marks):
                self._end(row)
            else:
                self._broken([], 0, value, "", 0, marks)
        except _Stopped:
            return False
        return True

    # On one line

    def _member(self, row: _Row, name: str | None, value: Any, depth: int, marks: Marks) -> bool:
        """Puts a member on a row; False when it has no room there, or more than `depth` containers in each other."""
        start = row.at
        below = _below(marks, name)
        secret = False
        if name is not None:
            shown = name_parts(name, name in self.hot, self.cut)
            row.put(shown.parts)
            row.say(": ")
            secret = shown.secret
        end = row.at - 2
        if type(value) in _CONTAINERS:
            if not self._flat(row, value, depth, below):
                return False
        elif self.full and type(value) is str and len(value) > self.columns:
            return False
        else:
            row.put(value_parts(value, secret, self.cut).parts)
            end = row.at
        if None in below and self.marked + len(row.marks) < _MOST_MARKS:
            row.marks.append((start, end - start))
        return row.at <= self.columns

    def _flat(self, row: _Row, value: Any, depth: int, marks: Marks) -> bool:
        """Puts a container with all that it holds on a row; False when it does not fit."""
        array = type(value) is list
        if not value:
            row.say("[]" if array else "{}")
            return row.at <= self.columns
        if not depth or row.at > self.columns or len(value) > self.columns:
            return False
        members, left = self._chosen(value)
        before = "[" if array else "{ "
        for name, item in members:
            row.say(before)
            before = ", "
            if not self._member(row, name, item, depth - 1, marks):
                return False
        if left:
            row.say(before)
            row.put(self._left_out(array, left))
        row.say("]" if array else " }")
        return row.at <= self.columns

    # Over several lines

    def _broken(self, name: Sequence[Part], mark: int, value: Any, tail: str, depth: int, marks: Marks) -> None:
        """A container over several lines: its name and bracket, its members, its closing bracket."""
        array, indent = type(value) is list, self._indent(depth)
        opening, closing = "[]" if array else "{}"
        if name:
            opening = f": {opening}"
        if depth > self.deepest:
            note = self.words("json.array" if array else "json.object", n=grouped(len(value)))
            parts = [*name, _punct(f"{opening} "), ("mut", note, columns_of(note)), _punct(f" {closing}{tail}")]
            self._flow(parts, indent, mark)
            return
        self._flow([*name, _punct(opening)], indent, mark)
        self._members(value, depth + 1, marks)
        self._flow([_punct(closing + tail)], indent)

    def _members(self, value: Any, depth: int, marks: Marks) -> None:
        members, left = self._chosen(value)
        last = len(members) - (0 if left else 1)
        row: _Row | None = None
        leading = True
        for number, (name, item) in enumerate(members):
            tail = "," if number < last else ""
            leading = leading and _is_small(item)
            if row and leading and row.at < self.shared and self._joined(row, name, item, tail, marks):
                continue
            if row:
                self._end(row)
            row = self._alone(name, item, tail, depth, marks)
            if row and not leading:
                self._end(row)
                row = None
        if row:
            self._end(row)
        if left:
            self._flow(self._left_out(type(value) is list, left), self._indent(depth))

    def _joined(self, row: _Row, name: str | None, item: Any, tail: str, marks: Marks) -> bool:
        """Puts a small member on a row that has others; without room for it the row stays as it was."""
        at, pending, tokens, marked = row.at, row.pending, len(row.tokens), len(row.marks)
        row.say(" ")
        if self._member(row, name, item, _FLAT_TOP, marks) and row.at + len(tail) <= self.columns:
            row.say(tail)
            return True
        row.at, row.pending = at, pending
        del row.tokens[tokens:], row.marks[marked:]
        return False

    def _alone(self, name: str | None, item: Any, tail: str, depth: int, marks: Marks) -> _Row | None:
        """A row that begins with this member; None when it took several lines, which are finished then."""
        row = _Row(self._indent(depth))
        if self._member(row, name, item, _FLAT, marks) and row.at + len(tail) <= self.columns:
            row.say(tail)
            return row
        below = _below(marks, name)
        shown = _NAMELESS if name is None else name_parts(name, name in self.hot, self.cut)
        if type(item) in _CONTAINERS:
            self._broken(shown.parts, shown.wide if None in below else 0, item, tail, depth, below)
        else:
            value = value_parts(item, shown.secret, self.cut)
            between = [] if name is None else [_punct(": ")]
            mark = shown.wide + 2 + value.wide if None in below else 0
            parts = [*shown.parts, *between, *value.parts, *([_punct(tail)] if tail else [])]
            self._flow(parts, self._indent(depth), mark)
        return None

    def _flow(self, parts: Sequence[Part], indent: int, mark: int = 0) -> None:
        """Parts on a line of their own, or on several; of the first one `mark` columns at most are marked."""
        for tokens in fill(parts, indent, min(indent + _HANG, self.columns - _NARROWEST), self.columns):
            row = _Row(0)
            row.tokens = tokens
            if mark and self.marked < _MOST_MARKS:
                column, _, text = tokens[-1]
                row.marks.append((indent, min(mark, column + columns_of(text) - indent)))
                mark = 0
            self._end(row)

    def _end(self, row: _Row) -> None:
        if row.pending:
            row.put(())
        self.marked += len(row.marks)
        self.lines.append(JsonLine(tuple(row.tokens), tuple(row.marks)))
        if len(self.lines) > self.stop:
            raise _Stopped

    # What is shown

    def _chosen(self, value: Any) -> tuple[Collection[tuple[str | None, Any]], int]:
        """The members that are shown, and how many are not."""
        if type(value) is list:
            most = len(value) if self.full or len(value) <= _ITEMS else _ITEMS_SHOWN
            return [(None, item) for item in value[:most]], len(value) - most
        members = value.items() if type(value) is dict else value
        if self.full or len(value) <= _KEYS:
            return members, 0
        return self._hottest(list(members)), len(value) - _KEYS

    def _hottest(self, members: list[tuple[str | None, Any]]) -> list[tuple[str | None, Any]]:
        """As many members of a large object as are shown: hot ones before others, in the order they came in."""
        ranked = sorted(range(len(members)), key=lambda number: members[number][0] not in self.hot)
        return [members[number] for number in sorted(ranked[:_KEYS])]

    def _left_out(self, array: bool, count: int) -> list[Part]:
        note = self.words("json.items" if array else "json.keys", n=grouped(count))
        return [("mut", note, columns_of(note))]

    def _indent(self, depth: int) -> int:
        return min(2 * depth, self.columns // 2)


def _is_small(value: Any) -> bool:
    """Whether a member may share a line: it holds no container that holds anything."""
    if type(value) not in _CONTAINERS or not value:
        return True
    return type(value) is list and not any(type(item) in _CONTAINERS for item in value[: _ITEMS + 1])


def _punct(text: str) -> Part:
    return "punct", text, len(text)
