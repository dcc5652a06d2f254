"""Facts about several participants at once."""

import pytest

from flowgen.flow import Entry, Group, Remark, read, stacked

PROBE = {"name": "probe"}


def _rows(flow):
    return [row for step in flow.steps for row in step.rows]


def _remarks(flow):
    return [(row.over, row.text.en) for row in _rows(flow) if isinstance(row, Remark)]


def _places(flow):
    return [row.message.seq if isinstance(row, Entry) else type(row).__name__ for row in _rows(flow)]


def test_what_a_recording_lacks_stands_above_all(session):
    trace = session().greeted().call().trace(missing=["times", "directions", "odd one"])
    flow = read(trace)
    assert _places(flow)[0] == "Remark"
    assert _remarks(flow) == [(("client", "server"), "Not in this recording: the times, who sent what, odd one")]
    assert _rows(flow)[0].text.zh == "此记录未包含：时间、收发方向、odd one"
    assert _places(read(trace, steps="2"))[0] == "Remark"


def _fallen_back(session, **data):
    talk = session().ask("server/discover").fail(-32601)
    return talk.note("fell-back", **data).greeted().call()


def test_a_fallback_that_is_shown_tells_how_it_goes_on_in_place_of_its_note(session):
    talk = _fallen_back(session, about=2, to="handshake", why="handshake-answer", **{"from": "2026-07-28"})
    flow = talk.read(show=["probe"])
    assert _places(flow)[:5] == [1, 2, "Remark", 4, 5]
    text = "From here on: the handshake, revision 2025-06-18 (the server answers as one of the handshake era)"
    assert _remarks(flow) == [(("client", "server"), text)]


def test_a_fallback_that_nothing_follows_is_told_at_the_end_of_its_step(session):
    talk = session().call().add("note", body={"event": "fell-back"}, step={"title": "Again"})
    assert [[type(row).__name__ for row in step.rows] for step in talk.read().steps] == [
        ["Entry", "Entry"], ["Entry", "Remark"],
    ]  # fmt: skip


def test_a_handshake_tells_of_a_probe_before_it_that_is_not_drawn(session):
    talk = _fallen_back(session, about=2, to="handshake", why="handshake-answer", **{"from": "2026-07-28"})
    flow = talk.read()
    assert _places(flow)[:2] == ["Remark", 4]
    assert _remarks(flow) == [(("client", "server"), (
        "The client tried server/discover first (not drawn). From here on: the handshake, revision 2025-06-18"
        " (the server answers as one of the handshake era)"
    ))]  # fmt: skip
    assert _remarks(talk.read(only=["tools/*"])) == _remarks(talk.read(steps="2")) == []
    assert len(_remarks(talk.read(show=["note"]))) == 1
    silent = session().ask("server/discover").greeted().read()
    assert _remarks(silent)[0][1].endswith("(not drawn). From here on: the handshake, revision 2025-06-18")


def test_recordings_that_all_began_with_a_probe_say_it_once_each(session):
    talk = _fallen_back(session, about=2, to="handshake").trace()
    texts = [text for _, text in _remarks(stacked([talk, talk], ["a", "b"], notes="none"))]
    assert [text.partition(" ")[0] for text in texts] == ["Recording", "The", "Recording", "The"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"to": "stateless", "why": "version", "from": "handshake"},
         "From here on: no handshake (the server does not speak handshake)"),
        ({"to": "2025-03-26", "why": "version", "from": "2025-11-25"},
         "From here on: revision 2025-03-26 (the server does not speak 2025-11-25)"),
        ({"to": "handshake", "why": "silence"},
         "From here on: the handshake, revision 2025-06-18 (no answer to server/discover)"),
        ({"to": "handshake", "why": "odd"}, "From here on: the handshake, revision 2025-06-18"),
    ],
)  # fmt: skip
def test_a_fallback_says_to_what_and_why(session, data, text):
    assert _remarks(_fallen_back(session, **data).read(show=["probe"])) == [(("client", "server"), text)]


@pytest.mark.parametrize("data", [{}, {"to": 3, "why": [], "from": {}}, {"to": "x" * 999, "from": "{}{}"}])
def test_an_odd_fallback_does_no_harm(session, data):
    assert len(_remarks(_fallen_back(session, **data).read(show=["probe"]))) == 1


def test_merged_tools_are_told_once_over_host_and_servers(session):
    talk = session().listed().note(
        "merged-tools", "host", "host", tools=[{"name": "a", "server": "x"}, {"name": "b", "server": "y"}, 3]
    )
    flow = talk.read()
    assert _places(flow) == [1, 2, "Remark"]
    assert [type(row) for row in talk.call().read().steps[0].rows][-1] is Remark
    assert _remarks(flow) == [(("host", "server"), "The host offers 2 tools of 2 servers as one list")]


def test_a_stream_taken_up_again_is_told(session):
    talk = session(transport="http").ask("tools/call", 1, exchange=1)
    get = {"method": "GET", "url": "http://x/mcp", "headers": [["last-event-id", "5-1"]]}
    talk.add("http", exchange=2, http=get).reply({}, 1, exchange=2)
    flow = talk.read()
    assert _places(flow) == [1, "Remark", 2, 3]
    assert _remarks(flow)[0][1] == "The stream ended; the client asks for what came after event 5-1"
    assert _remarks(talk.read(hide=["http"])) == []


def test_a_second_handshake_begins_a_new_session(session):
    assert _remarks(session().greeted().call().greeted().read()) == [(("client", "server"), "A new session begins")]
    assert _remarks(session().ask("initialize", 1).fail().greeted().read()) == []


def test_a_remark_stands_before_the_frame_that_its_message_is_in(session):
    talk = session().ask("tools/list").reply({"tools": [], "nextCursor": "a"})
    talk.note("merged-tools", "host", "host", tools=[])
    talk.ask("tools/list", params={"cursor": "a"}).reply({"tools": []})
    flow = talk.read()
    assert [type(row) for row in _rows(flow)] == [Remark, Group]


def test_a_trace_without_messages_has_no_rows(session):
    assert read(session().trace(missing=["times"])).steps == ()
