"""What one session does differently from another: what they say of themselves, their lists, their messages, the order.

A tool that changed is judged: a caller of the older one may break on the newer one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from flowgen.flow import MISSING, Comparison, Difference, Entry, Match, label
from flowgen.trace import write_json

from ._tool_changes import judgements

Done = Literal["added", "removed", "changed", "moved"]

_LISTS = {"tools": "tool", "prompts": "prompt", "resources": "resource", "resourceTemplates": "resource"}
_SAID = ("revision", "client", "server", "instructions")
_TOLD = 3  # places that a line names
_VALUE = 60  # characters of a value in a line


@dataclass(frozen=True, slots=True)
class SessionChange:
    """One change, of what (`about`, `name`) and in a sentence; `graver` where callers of the old server may break.

    `where` is the anchor of the message in the picture of the newer recording, of one that went in that of the older
    one. `was` and `now` are texts; `places` holds the values.
    """

    change: Done
    about: str
    name: str
    message: str
    was: str | None = None
    now: str | None = None
    where: str | None = None
    graver: bool = False
    places: tuple[Difference, ...] = ()
    host: str | None = None
    severity: str | None = None


def session_changes(told: Comparison) -> tuple[SessionChange, ...]:
    """All changes: what breaks callers first, then what the sessions say of themselves, their lists, the messages."""
    found = [*_openings(told), *_lists(told), *filter(None, map(_message, told.matches))]
    return tuple(sorted(found, key=lambda each: not each.graver))


def _openings(told: Comparison) -> Iterator[SessionChange]:
    for each in told.opening:
        head, *rest = names_of(each.path)
        if head in _SAID:
            yield _value(each, head, head)
        elif head == "capabilities":
            yield _value(each, "capability", ".".join(rest))


def _value(each: Difference, about: str, name: str) -> SessionChange:
    was, now = (None if value is MISSING else _text(value) for value in (each.was, each.now))
    return SessionChange(_done(each), about, name, f"{was or 'none'} → {now or 'none'}", was, now, places=(each,))


def _lists(told: Comparison) -> Iterator[SessionChange]:
    """Of each list what came, went and became different, an item being told once."""
    seen: dict[tuple[str, str], list[Difference]] = {}
    for each in told.opening:
        head, *rest = names_of(each.path)
        if head in _LISTS and rest:
            seen.setdefault((head, rest[0]), []).append(each)
    for (head, name), found in seen.items():
        whole = next((each for each in found if len(names_of(each.path)) == 2), None)
        if whole is not None:
            done = _done(whole)
            yield SessionChange(done, _LISTS[head], name, done, graver=done == "removed", places=(whole,))
        else:
            yield _changed(told, head, name, found)


def _changed(told: Comparison, head: str, name: str, found: Sequence[Difference]) -> SessionChange:
    old, new = (said.get(head, {}).get(name, {}) for said in told.said)
    judged = judgements(old, new) if head == "tools" else []
    sentences = [each.sentence for each in judged] or _places(found, 2)
    graver = any(each.breaking for each in judged)
    return SessionChange("changed", _LISTS[head], name, "; ".join(sentences), graver=graver, places=tuple(found))


def _message(match: Match) -> SessionChange | None:
    name = " ".join(filter(None, (_said(match.entry), match.entry.name)))
    if match.old is None or match.new is None:
        which = "newer" if match.old is None else "older"
        done: Done = "added" if match.old is None else "removed"
        return SessionChange(done, "message", name, f"only in the {which} session", where=_anchor(match))
    if match.differences:
        told = "; ".join(_places(match.differences, 0))
        return SessionChange("changed", "message", name, told, where=_anchor(match), places=match.differences)
    if match.moved:
        return SessionChange("moved", "message", name, "in another order", where=_anchor(match))
    return None


def _said(entry: Entry) -> str:
    """What kind of message it is; of an answer not what it says, which differs among what is the same."""
    kind = entry.message.kind
    return f"{entry.method} {kind}" if entry.method and kind in ("error", "response") else label(entry).en


def _anchor(match: Match) -> str | None:
    number = match.entry.number
    return f"#m-{number}" if number is not None else None


def _done(each: Difference) -> Done:
    return "added" if each.was is MISSING else "removed" if each.now is MISSING else "changed"


def _places(found: Sequence[Difference], skip: int) -> list[str]:
    """Where, and from what to what; places below the first `skip` names."""
    more = [f"and {len(found) - _TOLD} more places"] if len(found) > _TOLD else []
    return [*(_place(each, skip) for each in found[:_TOLD]), *more]


def _place(each: Difference, skip: int) -> str:
    path = "/" + "/".join(names_of(each.path)[skip:])
    match _done(each):
        case "added":
            return f"{path} is {_text(each.now)}"
        case "removed":
            return f"{path} is gone"
        case _:
            return f"{path}: {_text(each.was)} → {_text(each.now)}"


def _text(value: Any) -> str:
    """A value on one line; a text without quotes is what it is in most lines."""
    text = value if isinstance(value, str) else write_json(value).decode("utf-8", "replace")
    return text if len(text) <= _VALUE else f"{text[: _VALUE - 1]}…"


def names_of(path: str) -> list[str]:
    """The names of a pointer (RFC 6901), one empty name for the whole."""
    return [name.replace("~1", "/").replace("~0", "~") for name in path.split("/")[1:]] or [""]
