"""Results that another recording of the same picture has already: said to be the same as there."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ._links import result_key
from ._model import Branch, Entry, Group, Row, Run, Step

_Seen = dict[tuple[str, str], int]  # method and result -> number of the first message with it


def told_once(steps: Iterable[Step]) -> Iterator[Step]:
    """The same steps, `same_as` filled across recordings as it is within one."""
    seen: _Seen = {}
    for step in steps:
        yield replace(step, rows=tuple(_row(row, seen) for row in step.rows))


def _row(row: Row, seen: _Seen) -> Row:
    match row:
        case Entry():
            return _entry(row, seen)
        case Run():
            return replace(row, entries=tuple(_entry(entry, seen) for entry in row.entries))
        case Group():
            return replace(row, branches=tuple(_branch(branch, seen) for branch in row.branches))
    return row


def _branch(branch: Branch, seen: _Seen) -> Branch:
    return replace(branch, rows=tuple(_row(row, seen) for row in branch.rows))


def _entry(entry: Entry, seen: _Seen) -> Entry:
    key = result_key(entry.message)
    if key is None or entry.number is None or entry.method is None or entry.same_as is not None:
        return entry
    first = seen.setdefault((entry.method, key), entry.number)
    return entry if first == entry.number else replace(entry, same_as=first)
