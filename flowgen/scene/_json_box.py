"""A JSON value laid out in lines: what stands on one line, what is broken over several, what is folded away."""

from collections.abc import Collection, Sequence
from typing import Any

from ._json_fill import JsonLine, Token, fill
from ._json_schema import SCHEMAS, summary
from ._json_values import Encoded, Name, Part, Typed, grouped, name_parts, value_parts
from ._text import columns as columns_of
from ._words import Words

Marks = dict[str | None, Any]  # the marked places as a tree of names; None: this place is marked itself

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
_BYTES = frozenset(["data", "blob"])  # members that hold bytes, where the object says so
_TELLING = frozenset(["mimeType", "blob"])
_NO_MARKS: Marks = {}
_NAMELESS = Name((), 0, False)


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


class Box:
    """The lines of one box while they are made."""

    def __init__(self, columns: int, full: bool, brief: bool, hot: Collection[str], words: Words) -> None:
        self.columns = columns
        self.full = full
        self.brief = brief
        self.hot = hot
        self.words = words
        self.cut = None if full else words
        self.shared = columns * _SHARED
        self.deepest = _DEEPEST_FULL if full else _DEEPEST
        self.stop = _STOP_FULL if full else _STOP
        self.lines: list[JsonLine] = []
        self.marked = 0

    def draw(self, value: Any, marks: Marks, flat: int = _FLAT_TOP) -> bool:
        """Makes the lines of a value; False when they were too many to make them all.

        It stands on one line if it fits and has at most `flat` containers inside each other.
        """
        try:
            row = _Row(0)
            if type(value) not in _CONTAINERS:
                self._flow(value_parts(value, False, self.cut).parts, 0)
            elif self._flat(row, value, flat, marks):
                self._end(row)
            else:
                self._broken([], 0, value, "", 0, marks)
        except _Stopped:
            return False
        return True

    # On one line

    def _member(self, row: _Row, name: str | int, value: Any, depth: int, marks: Marks) -> bool:
        """Puts a member on a row; False when it has no room there, or more than `depth` containers in each other."""
        start = at = row.at
        tokens, pending, secret = row.tokens, row.pending, False
        if type(name) is str:
            parts, wide, secret = name_parts(name, name in self.hot, self.cut)
            if pending:
                tokens.append((at - len(pending), "punct", pending))
            for kind, text, wide in parts:
                tokens.append((at, kind, text))
                at += wide
            pending = ": "
            at += 2
        end = at - 2
        below = _below(marks, name) if marks else marks
        if type(value) in _CONTAINERS:
            row.at, row.pending = at, pending
            if not self._flat(row, value, depth, below):
                return False
        elif self.full and type(value) is str and len(value) > self.columns:
            return False
        else:
            if pending:
                tokens.append((at - len(pending), "punct", pending))
            for kind, text, wide in value_parts(value, secret, self.cut)[0]:
                tokens.append((at, kind, text))
                at += wide
            row.pending = ""
            row.at = end = at
        if below and None in below and end > start and self.marked + len(row.marks) < _MOST_MARKS:
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

    def _broken(
        self, name: Sequence[Part], mark: int, value: Any, tail: str, depth: int, marks: Marks
    ) -> None:
        """A container over several lines: its name and bracket, its members, its closing bracket."""
        array, indent = type(value) is list, self._indent(depth)
        opening, closing = "[]" if array else "{}"
        if name:
            opening = f": {opening}"
        if depth > self.deepest:
            note = self.words("json.array" if array else "json.object", n=grouped(len(value)))
            parts = [
                *name,
                _punct(f"{opening} "),
                ("mut", note, columns_of(note)),
                _punct(f" {closing}{tail}"),
            ]
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

    def _joined(self, row: _Row, name: str | int, item: Any, tail: str, marks: Marks) -> bool:
        """Puts a small member on a row that has others; without room for it the row stays as it was."""
        at, pending, tokens, marked = row.at, row.pending, len(row.tokens), len(row.marks)
        row.say(" ")
        if self._member(row, name, item, _FLAT_TOP, marks) and row.at + len(tail) <= self.columns:
            row.say(tail)
            return True
        row.at, row.pending = at, pending
        del row.tokens[tokens:], row.marks[marked:]
        return False

    def _alone(self, name: str | int, item: Any, tail: str, depth: int, marks: Marks) -> _Row | None:
        """A row that begins with this member; None when it took several lines, which are finished then."""
        row = _Row(self._indent(depth))
        if self._member(row, name, item, _FLAT, marks) and row.at + len(tail) <= self.columns:
            row.say(tail)
            return row
        below = _below(marks, name)
        shown = name_parts(name, name in self.hot, self.cut) if isinstance(name, str) else _NAMELESS
        if type(item) in _CONTAINERS:
            self._broken(shown.parts, shown.wide if None in below else 0, item, tail, depth, below)
        else:
            value = value_parts(item, shown.secret, self.cut)
            between = [_punct(": ")] if shown.parts else []
            mark = shown.wide + 2 * len(between) + value.wide if None in below else 0
            parts = [*shown.parts, *between, *value.parts, *([_punct(tail)] if tail else [])]
            self._flow(parts, self._indent(depth), mark)
        return None

    def _flow(self, parts: Sequence[Part], indent: int, mark: int = 0) -> None:
        """Parts on a line of their own, or on several; of the first one `mark` columns at most are marked."""
        row = _Row(indent)
        row.put(parts)
        if row.at <= self.columns:
            self._finish(row, indent, mark)
            return
        hang = min(indent + _HANG, self.columns - _NARROWEST)
        for tokens in fill(parts, indent, hang, self.columns):
            row = _Row(tokens[-1][0] + columns_of(tokens[-1][2]))
            row.tokens = tokens
            self._finish(row, indent, mark)
            mark = 0

    def _finish(self, row: _Row, start: int, mark: int) -> None:
        if mark and self.marked < _MOST_MARKS:
            row.marks.append((start, min(mark, row.at - start)))
        self._end(row)

    def _end(self, row: _Row) -> None:
        if row.pending:
            row.put(())
        self.marked += len(row.marks)
        self.lines.append(JsonLine(tuple(row.tokens), tuple(row.marks)))
        if len(self.lines) > self.stop:
            raise _Stopped

    # What is shown

    def _chosen(self, value: Any) -> tuple[Collection[tuple[str | int, Any]], int]:
        """The members that are shown, and how many are not."""
        if type(value) is list:
            most = len(value) if self.full or len(value) <= _ITEMS else _ITEMS_SHOWN
            return list(enumerate(value[:most])), len(value) - most
        members = value.items() if type(value) is dict else value
        if not _TELLING.isdisjoint(value if type(value) is dict else [name for name, _ in value]):
            members = _told(members)
        if self.brief:
            members = [(name, summary(item) if name in SCHEMAS else item) for name, item in members]
        if self.full or len(value) <= _KEYS:
            return members, 0
        return self._hottest(list(members)), len(value) - _KEYS

    def _hottest(self, members: list[tuple[str | int, Any]]) -> list[tuple[str | int, Any]]:
        """As many members of a large object as are shown: hot ones before others, in the order they came in."""
        ranked = sorted(range(len(members)), key=lambda number: members[number][0] not in self.hot)
        return [members[number] for number in sorted(ranked[:_KEYS])]

    def _left_out(self, array: bool, count: int) -> list[Part]:
        note = self.words("json.items" if array else "json.keys", n=grouped(count))
        return [("mut", note, columns_of(note))]

    def _indent(self, depth: int) -> int:
        return min(2 * depth, self.columns // 2)


def _below(marks: Marks, name: str | int) -> Marks:
    """The marks inside a member, a name or a number of an array."""
    return (marks.get(str(name)) or marks.get("*") or _NO_MARKS) if marks else _NO_MARKS


def _told(members: Collection[tuple[str | int, Any]]) -> Collection[tuple[str | int, Any]]:
    """The members of an object that holds encoded bytes: they carry the kind it says they are."""
    known = dict(members)
    kind = known.get("mimeType", "" if "blob" in known else None)
    if not isinstance(kind, str):
        return members
    return [(name, Encoded(item, kind) if name in _BYTES and type(item) is str else item) for name, item in members]


def _is_small(value: Any) -> bool:
    """Whether a member may share a line: it holds no container that holds anything."""
    if type(value) not in _CONTAINERS or not value:
        return type(value) is not Typed
    return type(value) is list and not any(type(item) in _CONTAINERS for item in value[: _ITEMS + 1])


def _punct(text: str) -> Part:
    return "punct", text, len(text)
