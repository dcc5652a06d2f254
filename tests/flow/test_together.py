"""Several recordings in one picture: by time, and one below the other."""

from dataclasses import fields

import pytest

from flowgen.errors import UsageError
from flowgen.flow import Entry, Remark, by_time, read, stacked
from flowgen.flow._renumbered import NUMBERS, SEQS, STEPS

QUIET = {"notes": "none"}


@pytest.fixture
def short(session):
    talk = session().greeted(offers={"logging": {}}).listed(result={"tools": []})
    return talk.call(result={"content": []}).trace(title="Short")


@pytest.fixture
def long(session):
    """Holds a link of every sort."""
    talk = session().greeted().listed().call(name="a").changed().listed().call(name="a")
    return talk.ask("tools/call", params={"name": "a", "arguments": {}}).trace(complete=False)


def entries(flow):
    return [row for step in flow.steps for row in step.open_rows]


def links(entry):
    """Everything that an entry points at."""
    return [getattr(entry, name) for name in (*SEQS, *NUMBERS, *STEPS)]


SHIFTS = [7] * len(SEQS) + [7] * len(NUMBERS) + [3] * len(STEPS)  # seven messages and three steps stand before


def test_every_link_of_an_entry_is_known_to_be_renumbered():
    plain = {"message", "method", "name", "state", "latency", "change", "others", "overlaps", "notes"}
    assert {field.name for field in fields(Entry)} == plain | {*SEQS, *NUMBERS, *STEPS}


def test_numbers_and_steps_count_on_and_links_stay_within_their_recording(short, long):
    flow, alone = stacked([short, long], ["short", "long"], **QUIET), read(long, **QUIET)
    mine = entries(flow)[len(entries(read(short, **QUIET))) :]
    assert [entry.number for entry in entries(flow)] == list(range(1, flow.facts.messages + 1))
    assert [step.number for step in flow.steps if step.number] == list(range(1, flow.facts.steps + 1))
    for entry, its in zip(mine, entries(alone), strict=True):
        assert links(entry) == [value and value + shift for value, shift in zip(links(its), SHIFTS, strict=True)]
        assert (entry.message.kind, entry.latency) == (its.message.kind, its.latency)
    assert [entry.change.since for entry in mine if entry.change] == [5 + 7]


def test_a_result_that_an_earlier_recording_has_is_said_to_be_the_same(short):
    flow = stacked([short, short], ["1", "2"], **QUIET)
    same = {entry.number: entry.same_as for entry in entries(flow) if entry.same_as}
    assert same == {9: 2, 12: 5, 14: 7}


def test_each_recording_stands_under_its_name(short, long):
    flow = stacked([short, long], ["a.json", "b.json"], **QUIET)
    told = [row for step in flow.steps for row in step.rows if isinstance(row, Remark)]
    assert [remark.text.en for remark in told] == ["Recording 1 of 2: a.json · Short", "Recording 2 of 2: b.json"]
    assert told[0].text.zh == "录制 1/2：a.json · Short"
    assert {remark.over for remark in told} == {(flow.lanes[0].id, flow.lanes[-1].id)}
    assert flow.title is None and [end.name for end in flow.outcome.servers] == ["b.json"]
    assert flow.facts.unanswered == 1


def test_notes_name_the_steps_of_the_whole_picture(session):
    again = session().greeted().listed().changed().listed().trace()
    flow = stacked([again, again], ["1", "2"], notes="full")
    terms = [note.term.en for entry in entries(flow) for note in entry.notes]
    assert [term for term in terms if "step" in term] == ["Loop back to step 2", "Loop back to step 5"]


@pytest.mark.parametrize("options", [{"steps": "4"}, {"only": ["tools/call"]}, {"steps": "4-", "only": ["tools/list"]}])
def test_what_is_chosen_keeps_its_numbers(short, long, options):
    whole = {entry.number: entry.method for entry in entries(stacked([short, long], ["1", "2"], **QUIET))}
    chosen = entries(stacked([short, long], ["1", "2"], **QUIET, **options))
    assert chosen and all(whole[entry.number] == entry.method for entry in chosen)
    assert len(chosen) < len(whole)


def test_a_recording_without_anything_that_is_asked_for_is_left_out(short, session):
    other = session().greeted().listed("prompts").trace()
    flow = stacked([short, other], ["short", "other"], only=["prompts/*"], **QUIET)
    assert [entry.number for entry in entries(flow)] == [11, 12]
    assert [row.text.en for row in flow.steps[0].rows] == ["Recording 2 of 2: other"]
    assert flow.facts.messages == 12


@pytest.mark.parametrize("options", [{"only": ["nothing/*"]}, {"steps": "9"}])
def test_what_none_of_them_has_is_told(short, options):
    with pytest.raises(UsageError):
        stacked([short, short], ["1", "2"], **options)


def test_a_recording_without_messages_is_named_all_the_same(short, session):
    empty = session().trace(complete=False)
    flow = stacked([empty, short], ["empty", "short"], **QUIET)
    assert [entry.number for entry in entries(flow)] == list(range(1, 8))
    assert [row.text.en for row in flow.steps[0].rows] == ["Recording 1 of 2: empty"]


def test_by_time_each_answer_finds_its_own_request_though_ids_are_the_same(session):
    near = session().ask("tools/call", 1, params={"name": "near"}).reply().trace(recorded_at="2026-11-30T12:00:00Z")
    far = session().ask("tools/call", 1, params={"name": "far"}).reply().trace(recorded_at="2026-11-30T12:00:00.050Z")
    flow = by_time([near, far], ["near", "far"], **QUIET)
    assert [(entry.name, entry.message.kind) for entry in entries(flow)] == [
        ("near", "request"), ("far", "request"), ("near", "response"), ("far", "response"),
    ]  # fmt: skip
    assert [entry.number for entry in entries(flow)] == [1, 2, 3, 4]


def test_by_time_who_is_the_same_shares_a_lane(session):
    who = [{"id": "client", "role": "client", "title": "c 1"}, {"id": "server", "role": "server", "title": "s 1"}]
    other = [who[0], who[1] | {"title": "s 2"}]
    talk = [session().call().trace(recorded_at="2026-11-30T12:00:00Z", participants=people) for people in (who, other)]
    assert [lane.id for lane in by_time([talk[0], talk[0]], ["1", "2"], **QUIET).lanes] == ["client", "server"]
    flow = by_time(talk, ["1", "2"], **QUIET)
    assert [lane.id for lane in flow.lanes] == ["client", "client-2", "server", "server-2"]
    assert flow.sides == {"client": "client", "client-2": "client", "server": "server", "server-2": "server"}


def test_by_time_each_session_has_a_probe_and_an_end_of_its_own(session):
    def spoken(start):
        talk = session().process("started").ask("server/discover").fail(-32601).greeted().call()
        return talk.process("stdin-closed").process("exited").trace(recorded_at=start)

    other = session().ask("server/discover").reply().call().process("signal-sent", signal="SIGTERM")
    traces = [spoken("2026-11-30T12:00:00Z"), spoken("2026-11-30T12:00:00.050Z")]
    flow = by_time([*traces, other.trace(recorded_at="2026-11-30T12:00:00.020Z")], ["1", "2", "3"], **QUIET)
    told = [entry.method or entry.message.kind for entry in entries(flow)]
    assert told.count("server/discover") == 2 and told.count("initialize") == 4  # the stateless one's, with its answer
    assert told.count("process") == 1  # the signal, that of the third alone
