"""Who of several recordings is the same one."""

from flowgen.trace import identities
from tests.traces import answers, asks, trace_of

CLIENT = {"id": "client", "role": "client", "title": "editor 1"}


def recording(server, client="editor 1", **header):
    people = [CLIENT | {"title": client}, {"id": "server", "role": "server", "title": server}]
    return trace_of(asks("ping"), answers(), participants=people, **header)


def ids(*traces, **more):
    return [dict(own) for own in identities(traces, **more).ids]


def test_the_same_role_and_title_is_the_same_participant():
    assert ids(recording("a 1"), recording("a 1")) == [{"client": "client", "server": "server"}] * 2


def test_another_server_has_another_client_whatever_its_name_is():
    assert ids(recording("a 1"), recording("b 1")) == [
        {"client": "client", "server": "server"}, {"client": "client-2", "server": "server-2"},
    ]  # fmt: skip


def test_the_same_server_with_two_clients_has_one_lane():
    assert ids(recording("a 1"), recording("a 1", "shell 2"))[1] == {"client": "client-2", "server": "server"}


def test_who_gave_no_name_is_known_by_how_it_was_started():
    one = recording("a 1", command=["server", "--good"])
    same = recording(None, command=["server", "--good"])
    other = recording(None, command=["server", "--bad"])
    assert ids(one, same, other) == [
        {"client": "client", "server": "server"}, {"client": "client", "server": "server"},
        {"client": "client-2", "server": "server-2"},
    ]  # fmt: skip


def test_loosely_the_role_is_enough_and_all_titles_are_told():
    who = identities([recording("a 1"), recording("a 2")], loosely=True)
    assert [dict(own) for own in who.ids] == [{"client": "client", "server": "server"}] * 2
    assert [each.title for each in who.participants] == ["a 1 / a 2", "editor 1"]


def test_two_of_one_recording_are_never_the_same():
    people = [CLIENT, {"id": "a", "role": "server", "title": "s 1"}, {"id": "b", "role": "server", "title": "s 1"}]
    first = trace_of(asks("ping") | {"receiver": "a"}, asks("ping") | {"receiver": "b"}, participants=people)
    assert ids(first, recording("s 1"))[0] == {"client": "client", "a": "a", "b": "b"}
    assert ids(recording("s 1"), first)[1] == {"client": "client", "a": "server", "b": "b"}


def test_strangers_stay_strangers():
    talk = asks("ping") | {"receiver": "nobody"}
    first, second = ids(trace_of(talk, participants=[CLIENT]), trace_of(talk, participants=[CLIENT]))
    assert (first["nobody"], second["nobody"]) == ("nobody", "nobody-2")
