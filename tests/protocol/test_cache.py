"""Answers that may be kept: used while they are fresh, asked for anew when they are too old or void."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen import protocol
from flowgen.protocol import Plan, Step, session
from flowgen.protocol._cache import Cache

LIST = {"resultType": "complete", "tools": [{"name": "a"}], "ttlMs": 1000, "cacheScope": "public"}
TEXT = {"contents": [], "ttlMs": 500, "cacheScope": "private"}
DISCOVERED = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {"listChanged": True}, "resources": {}}}


class Clock:
    """Tells a script the times that a test gives, one after the other; the last one for ever."""

    def __init__(self, *times):
        self.times = list(times)

    def __call__(self):
        return self.times.pop(0) if len(self.times) > 1 else self.times[0]


@pytest.fixture
def played(talk, client):
    """Plays a plan with a cache; `times` are what the clock says at each question."""

    def play(steps, times, server=None, before=(), cache=True):
        who, clock = client(), Clock(*times)
        answers = {"server/discover": DISCOVERED, "tools/list": LIST, "resources/read": TEXT, **(server or {})}
        script = session(who, Plan(tuple(steps), revision="2026-07-28", cache=cache))
        return talk(timed(script, clock, who, list(before)), answers)

    return play


def timed(script, clock, who, before):
    """The script with its questions for the time answered; a Pause hears the next of `before`."""
    value = None
    while True:
        try:
            act = script.send(value)
        except StopIteration as stop:
            return stop.value
        if isinstance(act, protocol.Now):
            value = clock()
            continue
        value = yield act
        if isinstance(act, protocol.Pause) and before:
            who.hear(*before.pop(0))


TWICE = [Step("list", ("tools",)), Step("list", ("tools",))]


def test_a_fresh_list_is_not_asked_for_again(played):
    talk = played(TWICE, [1.0, 1.0, 1.4])
    assert talk.said == ["server/discover", "tools/list"]
    assert talk.notes == [("cache-hit", {"method": "tools/list", "about": 4, "age_ms": 400, "ttl_ms": 1000})]


def test_a_list_that_is_too_old_is_asked_for_again(played):
    talk = played(TWICE, [1.0, 1.0, 2.0])
    assert talk.said == ["server/discover", "tools/list", "tools/list"]
    assert talk.notes == [("cache-stale", {"method": "tools/list", "about": 4, "age_ms": 1000, "ttl_ms": 1000})]


def test_a_list_that_has_changed_is_void_at_once_and_asked_for(played):
    changed = ({"method": "notifications/tools/list_changed"}, 9)
    talk = played([TWICE[0], Step("wait", 0.1)], [1.0], before=[changed])
    assert talk.said == ["server/discover", "tools/list", "tools/list"]
    assert [event for event, _ in talk.notes] == ["waited", "cache-invalidated"]
    assert talk.notes[1][1] == {"method": "tools/list", "about": 9}


def test_a_resource_is_kept_by_its_address_and_void_when_it_was_updated(played):
    updated = ({"method": "notifications/resources/updated", "params": {"uri": "note://b"}}, 12)
    steps = [Step("read", "note://a"), Step("read", "note://b"), Step("wait", 0.1)]
    steps += [Step("read", "note://a"), Step("read", "note://b")]
    talk = played(steps, [1.0], before=[updated])
    assert talk.said.count("resources/read") == 3
    events = [(event, data.get("name")) for event, data in talk.notes]
    assert events == [("waited", None), ("cache-invalidated", "note://b"), ("cache-hit", "note://a")]


@pytest.mark.parametrize("ttl", [0, -5, True, "1000", 1.5, None])
def test_what_does_not_say_how_long_it_stays_fresh_is_not_kept(played, ttl):
    talk = played(TWICE, [1.0], {"tools/list": {**LIST, "ttlMs": ttl}})
    assert talk.said.count("tools/list") == 2 and talk.notes == []


def test_nothing_is_kept_unless_the_plan_wants_it(played):
    talk = played(TWICE, [1.0], cache=False)
    assert talk.said.count("tools/list") == 2 and talk.notes == []


def test_pages_are_kept_by_their_cursors(played):
    pages = [{**LIST, "nextCursor": "p2"}, LIST]
    talk = played(TWICE, [1.0], {"tools/list": pages})
    assert talk.said.count("tools/list") == 2
    assert [data.get("name") for _, data in talk.notes] == [None, "p2"]


@given(st.text(), st.one_of(st.none(), st.dictionaries(st.text(), st.integers()), st.lists(st.integers())))
@settings(max_examples=40)
def test_a_cache_hears_whatever_a_server_says(method, params):
    cache = Cache()
    cache.keep(("tools/list", None), protocol.Answer(3, {"result": LIST}), 1.0)
    cache.hear(method, params, 4)
    assert list(cache.told()) == []
