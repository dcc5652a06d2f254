"""What is handed over arrives whole and in order, however slow whoever writes it down is, and whoever is killed."""

import os
import sys
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a pipe has the room that it has")

fcntl = pytest.importorskip("fcntl")
from flowgen.record._tap_feed import CLIENT, Feed, Items, channel  # noqa: E402  # what it needs is not everywhere


@pytest.fixture
def ends(tmp_path):
    """Both ends of a channel, with little room in it."""
    reading, writing, spill = channel(str(tmp_path))
    fcntl.fcntl(writing, 1031, 4096)
    yield Feed(writing, spill), Items(reading, spill)
    for handle in (reading, writing, spill):
        with suppress(OSError):
            os.close(handle)


def all_of(items):
    found = []
    while not items.ended:
        found += list(items.read())
    return [item.data for item in found]


@settings(max_examples=30)
@given(st.lists(st.tuples(st.binary(max_size=3000), st.integers(0, 3)), max_size=30))
def test_everything_arrives_in_order_whenever_it_is_read(tmp_path_factory, steps):
    reading, writing, spill = channel(str(tmp_path_factory.getbasetemp()))
    fcntl.fcntl(writing, 1031, 4096)
    feed, items, arrived = Feed(writing, spill), Items(reading, spill), []
    for data, reads in steps:
        feed.put(CLIENT, 0.5, data)
        for _ in range(reads):
            if feed.behind:
                arrived += list(items.read())
                feed.catch_up()
    while feed.behind:
        arrived += list(items.read())
        feed.catch_up()
    feed.close()
    while not items.ended:
        arrived += list(items.read())
    os.close(reading)
    os.close(spill)
    assert [item.data for item in arrived] == [data for data, _ in steps]
    assert [item.number for item in arrived] == list(range(1, len(steps) + 1))


def test_what_a_killed_forwarder_could_not_hand_over_is_found(ends):
    feed, items = ends
    sent = [bytes([number]) * 1500 for number in range(40)]
    for data in sent:
        feed.put(CLIENT, 0.0, data)
    assert feed.behind
    feed.close()  # as the system does
    assert all_of(items) == sent


def test_nobody_waits_for_a_writer_that_is_gone(tmp_path):
    reading, writing, spill = channel(str(tmp_path))
    os.close(reading)
    feed = Feed(writing, spill)
    for _ in range(3):
        feed.put(CLIENT, 0.0, b"x")
    assert feed.lost
    os.close(writing)
    os.close(spill)


def test_without_a_place_to_fall_behind_the_rest_is_dropped_and_that_is_known(tmp_path):
    reading, writing, spill = channel(str(tmp_path))
    os.close(spill)
    fcntl.fcntl(writing, 1031, 4096)
    feed = Feed(writing, None)
    feed.put(CLIENT, 0.0, b"y" * 10000)
    assert feed.lost
    os.close(writing)
    os.close(reading)


def test_the_file_has_no_name(tmp_path):
    handles = channel(str(tmp_path))
    assert list(tmp_path.iterdir()) == []
    for handle in handles:
        os.close(handle)


def test_on_a_disk_with_little_room_what_waits_is_put_elsewhere(tmp_path, monkeypatch):
    tight, other = tmp_path / "tight", tmp_path / "other"
    tight.mkdir(), other.mkdir()
    monkeypatch.setenv("TMPDIR", str(other))
    free = {str(tight): 1 << 16, str(other): 1 << 30}
    monkeypatch.setattr(os, "statvfs", lambda path: os.statvfs_result((1, 1, 0, 0, free[path], 0, 0, 0, 0, 255)))
    opened = []
    really = os.open
    monkeypatch.setattr(os, "open", lambda path, *more: opened.append(path) or really(path, *more))
    for handle in channel(str(tight)):
        os.close(handle)
    assert [os.path.dirname(path) for path in opened] == [str(other)]
