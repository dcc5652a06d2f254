"""A list asked again, told as a difference: what came, what went, what became different since the time before.

All pages of a list are one list. Each page tells of its own members, the last one also of those that went. Where
one of the two lists was not seen whole and as it was sent, nothing is told.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._draft import Draft
from ._json import equal, key_of
from ._links import not_as_sent
from ._model import ListChange, Say

# method -> member of the result that holds the list, what tells its items apart
MEMBERS = {
    "tools/list": ("tools", "name"),
    "prompts/list": ("prompts", "name"),
    "resources/list": ("resources", "uri"),
    "resources/templates/list": ("resourceTemplates", "uriTemplate"),
}
_NOUNS = {
    "tools/list": ("tool", "工具"),
    "prompts/list": ("prompt", "提示"),
    "resources/list": ("resource", "资源"),
    "resources/templates/list": ("template", "模板"),
}

Items = dict[str, Any]


@dataclass(slots=True)
class _List:
    """A list as far as it was given: its first answer, its items, and what the next page would be asked with."""

    number: int
    items: Items = field(default_factory=dict)
    next: Any = None
    sound: bool = True


def find_changes(made: Sequence[Draft]) -> None:
    """Fills `change` on the answers of lists that were given before."""
    last: dict[Hashable, _List] = {}
    running: dict[Hashable, _List] = {}
    for draft in made:
        if draft.method not in MEMBERS or draft.result is None or draft.request is None:
            continue
        request = made[draft.request]
        if request.answer != draft.at or draft.number is None:
            continue
        key = request.message.sender, request.message.receiver, draft.method
        now = _continued(running.get(key), request) or _List(draft.number)
        page = _page(draft)
        _take_in(now, page, draft.result)
        if (before := last.get(key)) and now.sound and page is not None:
            draft.change = _comparable(before, now, page)
        running[key] = now
        if now.next is None:
            running.pop(key)
            last.pop(key, None)
            if now.sound:
                last[key] = now


def change_words(change: ListChange, method: str | None) -> Say:
    """`+1 tool, −2 tools, 3 changed`; `unchanged`."""
    en, zh = _NOUNS.get(method or "", ("entry", "条目"))
    counts = [("+", len(change.added)), ("−", len(change.removed))]
    said = [(f"{sign}{n} {_plural(en, n)}", f"{sign}{n} 个{zh}") for sign, n in counts if n]
    if change.changed:
        said.append((f"{len(change.changed)} changed", f"{len(change.changed)} 个有变化"))
    if not said:
        return Say("unchanged", "无变化")
    return Say(", ".join(one for one, _ in said), "，".join(other for _, other in said))


def plural_of(method: str, count: int) -> Say:
    """How many of what a list holds: `23 tools`."""
    en, zh = _NOUNS[method]
    return Say(f"{count:,} {_plural(en, count)}", f"{count:,} 个{zh}")


def _plural(noun: str, count: int) -> str:
    return noun if count == 1 else f"{noun}s"


def _continued(now: _List | None, request: Draft) -> _List | None:
    """The list whose next page was asked for."""
    cursor = request.params.get("cursor")
    return now if now and cursor is not None and key_of(cursor) == key_of(now.next) else None


def _take_in(now: _List, page: Items | None, result: Mapping[str, Any]) -> None:
    now.next = result.get("nextCursor")
    if page is None or not now.items.keys().isdisjoint(page):
        now.sound = False
    else:
        now.items |= page


def _page(answer: Draft) -> Items | None:
    """The items of one answer by their names; None unless each has one of its own and is as it was sent."""
    member, key = MEMBERS[answer.method or ""]
    found = (answer.result or {}).get(member)
    if not isinstance(found, list) or not_as_sent(answer.message) or _masked(answer):
        return None
    items = {item[key]: item for item in found if isinstance(item, dict) and isinstance(item.get(key), str)}
    return items if len(items) == len(found) else None


def _comparable(before: _List, now: _List, page: Items) -> ListChange | None:
    """None where items are nested too deep to compare, or hold a number of thousands of digits."""
    try:
        return _change(before, now, page)
    except (RecursionError, ValueError):
        return None


def _change(before: _List, now: _List, page: Items) -> ListChange:
    known = [name for name in page if name in before.items]
    changed = [name for name in known if not _same(page[name], before.items[name])]
    gone = [name for name in before.items if name not in now.items] if now.next is None else []
    return ListChange(
        since=before.number,
        added=tuple(name for name in page if name not in before.items),
        removed=tuple(gone),
        changed=tuple(changed),
        same=len(known) - len(changed),
    )


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON, found out the quick way where they are written alike."""
    return repr(one) == repr(other) or equal(one, other)


def _masked(answer: Draft) -> bool:
    return any(pointer.startswith("/body") for pointer in answer.message.redacted)
