"""Changes told: as lines for people, as data, or as a table for a pull request. What is graver comes first and says so.

What stands in a file is hostile: as in a report of findings, signs that act are written as code points, and what looks
like a secret is masked.
"""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from flowgen.flow import MISSING
from flowgen.topology import Change as TopologyChange

from ._report import MARKDOWN, shown
from ._session_changes import SessionChange

_SIGNS = {"added": "+", "removed": "-", "changed": "~", "moved": "^"}
_FIELDS = ("change", "about", "name", "message", "was", "now", "host", "where", "severity", "graver")
_ABOUT = 10  # columns

Change = TopologyChange | SessionChange


def changes_text(changes: Sequence[Change], names: tuple[str, str]) -> str:
    """A line for each: `!` where it should be looked at first, a sign for what happened, its subject and whom."""
    return "".join(f"{line}\n" for line in (*map(_line, changes), _summary(changes, names)))


def changes_json(changes: Sequence[Change], names: tuple[str, str]) -> str:
    """A document (`flowgen.changes/1`)."""
    kind = "sessions" if any(isinstance(each, SessionChange) for each in changes) else "topologies"
    document = {"format": "flowgen.changes/1", "of": kind, "old": shown(names[0]), "new": shown(names[1]),
                "counts": _counts(changes), "changes": [_data(each) for each in changes]}  # fmt: skip
    text = json.dumps(document, indent=1, ensure_ascii=False)
    return "".join(map(_harmless, text)) + "\n"


def _harmless(sign: str) -> str:
    """Values stay what they are, and steer no terminal."""
    return sign if sign.isprintable() or sign == "\n" else json.dumps(sign)[1:-1]


def changes_markdown(changes: Sequence[Change], names: tuple[str, str]) -> str:
    """A table, a row for each."""
    head = ["|  | what | whom | change | where |", "|---|---|---|---|---|"]
    rows = [_row(each) for each in changes]
    return "\n".join([*((*head, *rows, "") if rows else ()), _safe(_summary(changes, names)), ""])


def _line(change: Change) -> str:
    flag = "!" if change.graver else " "
    who = f"{change.name} ({change.host})" if change.host else change.name
    who = f" {who}:" if who != change.about else ""
    place = f" ({change.where})" if change.where and change.change != "removed" else ""
    return shown(f"{flag} {_SIGNS[change.change]} {change.about:{_ABOUT}}{who} {change.message}{place}")


def _row(change: Change) -> str:
    flag = "**!** " if change.graver else ""
    who = f"{change.name} ({change.host})" if change.host else change.name
    place = change.where if change.change != "removed" else None
    cells = [_safe(text or "") for text in (change.about, who, change.message, place)]
    return f"| {' | '.join([f'{flag}{change.change}', *cells])} |"


def _safe(text: str) -> str:
    return shown(text).translate(MARKDOWN)


def _summary(changes: Sequence[Change], names: tuple[str, str]) -> str:
    """`4 differences (2 added, 1 removed, 1 changed), 2 to look at first: old.json → new.json`."""
    counts = ", ".join(f"{count} {done}" for done, count in _counts(changes).items() if count)
    first = sum(each.graver for each in changes)
    told = f"{len(changes) or 'no'} difference{'' if len(changes) == 1 else 's'}{f' ({counts})' if counts else ''}"
    return shown(f"{told}{f', {first} to look at first' if first else ''}: {names[0]} → {names[1]}")


def _counts(changes: Sequence[Change]) -> dict[str, int]:
    counts: Counter[str] = Counter(each.change for each in changes)
    return {done: counts[done] for done in _SIGNS if done != "moved" or counts[done]}


def _data(change: Change) -> dict[str, Any]:
    """The fields that are told; of messages also what differs, place by place, with the values themselves."""
    told = {name: _plain(value) for name in _FIELDS if (value := getattr(change, name)) is not None}
    places = [
        {"path": each.path} | {key: value for key in ("was", "now") if (value := getattr(each, key)) is not MISSING}
        for each in getattr(change, "places", ())
    ]
    return told | ({"places": places} if places else {})


def _plain(value: object) -> object:
    return shown(value) if isinstance(value, str) else value
