"""The conditions of the annotation language, compiled from data into functions of a Spot and a found value.

A condition on the note's own path asks about that one value; on another path it holds if one value there does.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ._around import Spot
from ._json import equal
from ._places import Found, place

Condition = Callable[[Spot, Found], bool]
Json = Mapping[str, Any]


def condition(data: Json | None, own: str) -> Condition | None:
    """The test that `data` describes, for a note on the place `own`. Raises KeyError for an unknown form."""
    if data is None:
        return None
    for name, make in _FORMS.items():
        if name in data:
            return make(data, own)
    raise KeyError(", ".join(data))


def as_list(value: Any) -> list[Any] | None:
    """One value or a list of them, as a list; None stays, for it means any."""
    return value if value is None or isinstance(value, list) else [value]


def _all(data: Json, own: str) -> Condition:
    tests = [_needed(part, own) for part in data["all"]]
    return lambda spot, found: all(test(spot, found) for test in tests)


def _not(data: Json, own: str) -> Condition:
    test = _needed(data["not"], own)
    return lambda spot, found: not test(spot, found)


def _needed(data: Json, own: str) -> Condition:
    test = condition(data, own)
    assert test is not None
    return test


def _exists(data: Json, own: str) -> Condition:
    find, wanted = place(data["path"]), data["exists"]
    return lambda spot, found: bool(find(spot)) is wanted


def _value_test(test: Callable[[Spot, Found, Any], bool], data: Json, own: str) -> Condition:
    """A test of the values at `path`; of one alone where it is the note's own."""
    if data["path"] == own:
        return lambda spot, found: test(spot, found, found.value)
    find = place(data["path"])
    return lambda spot, found: any(test(spot, found, other.value) for other in find(spot))


def _equals(data: Json, own: str) -> Condition:
    return _value_test(lambda spot, found, value: equal(value, data["equals"]), data, own)


def _in(data: Json, own: str) -> Condition:
    return _value_test(lambda spot, found, value: any(equal(value, one) for one in data["in"]), data, own)


def _same(data: Json, own: str) -> Condition:
    find = place(data["same"])
    return _value_test(
        lambda spot, found, value: any(equal(value, other.value) for other in find(spot)), data, own
    )


def _contains(data: Json, own: str) -> Condition:
    return _value_test(
        lambda spot, found, value: _holds(value, data["contains"].replace("{key}", found.key)), data, own
    )


def _holds(value: Any, text: str) -> bool:
    """Text in a text, item in a list, member of an object."""
    return bool(isinstance(value, str | list | dict) and text in value)


def _starts(data: Json, own: str) -> Condition:
    return _value_test(
        lambda spot, found, value: isinstance(value, str) and value.startswith(data["starts"]), data, own
    )


def _before(data: Json, own: str) -> Condition:
    return _elsewhere(data["before"], data.get("same", ()), lambda spot, found: slice(spot.since(found)))


def _after(data: Json, own: str) -> Condition:
    return _elsewhere(
        data["after"], data.get("same", ()), lambda spot, found: slice(_next(spot, found), None)
    )


def _next(spot: Spot, positions: Sequence[int]) -> int:
    start = spot.since(positions)
    return start + (start < len(positions) and positions[start] == spot.draft.at)


def _elsewhere(
    selector: Json, same: Sequence[Sequence[str]], part: Callable[[Spot, Sequence[int]], slice]
) -> Condition:
    """Whether a message of that part of the trace fits the selector, with equal values where pairs are given."""
    pairs = [(place(there), place(here)) for there, here in same]
    select = partial(_selected, selector=selector, key=repr(selector))

    def test(spot: Spot, found: Found) -> bool:
        fitting = select(spot)
        others = fitting[part(spot, fitting)]
        if not pairs:
            return bool(others)
        return any(_paired(Spot(spot.around.made[at], spot.around), spot, pairs) for at in reversed(others))

    return test


def _selected(spot: Spot, selector: Json, key: str) -> list[int]:
    """The positions of a trace that fit a selector; looked for once a trace."""
    known = spot.around.selected
    if key not in known:
        kinds, where = as_list(selector.get("kind")), condition(selector.get("where"), "")
        positions = spot.around.matching(as_list(selector.get("method")), selector.get("event"))
        spots = (Spot(spot.around.made[at], spot.around) for at in positions)
        known[key] = [
            other.draft.at
            for other in spots
            if (kinds is None or other.draft.kind in kinds) and (not where or where(other, _NOTHING))
        ]
    return known[key]


_NOTHING = Found("", None, "")


def _paired(there: Spot, here: Spot, pairs: Sequence[tuple[Any, Any]]) -> bool:
    return all(
        any(equal(one.value, other.value) for one in find_there(there) for other in find_here(here))
        for find_there, find_here in pairs
    )


def _last_of(data: Json, own: str) -> Condition:
    def test(spot: Spot, found: Found) -> bool:
        sent = spot.around.last_sent
        newest = max(
            (method for method in data["last_of"] if method in sent), key=sent.__getitem__, default=None
        )
        return bool(newest == data["is"])

    return test


def _count(data: Json, own: str) -> Condition:
    return lambda spot, found: spot.around.roles[data["count"]] > data["above"]


_FORMS: dict[str, Callable[[Json, str], Condition]] = {
    "all": _all,
    "not": _not,
    "exists": _exists,
    "equals": _equals,
    "in": _in,
    "contains": _contains,
    "starts": _starts,
    "before": _before,
    "after": _after,
    "last_of": _last_of,
    "count": _count,
    "same": _same,  # after before and after, which have a member of this name too
}
