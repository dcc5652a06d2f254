"""What scripts make of a transport that brings no answer: the era over HTTP, the old transport, lost sessions."""

import pytest

from flowgen import protocol
from flowgen.protocol import Failed, OpenStream, Plan, Step
from flowgen.protocol._opening import opened
from tests.protocol.conftest import DISCOVERY, HANDSHAKE, IDENTITY, SILENT

OLD = "no HTTP+SSE (2024-11-05) here: answered with "
SHAKEN = ["initialize", "notifications/initialized"]


def failed(status=None, **more):
    return Failed(0, f"answered with {status}", "a hint", status, **more)


@pytest.fixture
def open_(talk):
    """Plays an opening over HTTP."""

    def played(server, revision="auto", web="auto"):
        return talk(opened(protocol.Client(IDENTITY, web=web), revision), server)

    return played


@pytest.mark.parametrize("status", [400, 404, 405, 406, 415, 500, 501])
def test_a_status_that_may_mean_that_it_was_not_understood_means_the_handshake(open_, status):
    talk = open_({"server/discover": failed(status), "initialize": HANDSHAKE})
    assert talk.end is None and talk.said == ["server/discover", *SHAKEN]
    assert talk.notes[0][1]["about"] == 1 and talk.notes[0][1]["why"] == "handshake-answer"


@pytest.mark.parametrize(
    "failure", [failed(401, refused=True), failed(403), failed(407), failed(429), failed(502), failed(503), failed(200),
                failed(307), failed(connected=False)],
)  # fmt: skip
def test_any_other_says_nothing_of_the_era_and_ends_the_session(open_, failure):
    talk = open_({"server/discover": failure})
    assert (talk.end.reason, talk.end.hint) == ("connect-failed", "a hint") and talk.said == ["server/discover"]


def test_a_client_fixed_to_a_revision_never_leaves_it(open_):
    talk = open_({"server/discover": failed(404)}, "2026-07-28")
    assert talk.end.reason == "connect-failed" and talk.said == ["server/discover"]


@pytest.mark.parametrize("status", [400, 404, 405])
def test_where_initialize_is_not_understood_either_the_old_transport_is_tried(open_, status):
    talk = open_({"server/discover": failed(404), "initialize": [failed(status), HANDSHAKE]})
    assert talk.end is None and talk.said == ["server/discover", "initialize", *SHAKEN]
    assert len(talk.of(OpenStream)) == 1


def test_where_there_is_no_old_transport_either_the_first_refusal_is_told(open_):
    server = {"server/discover": failed(404), "initialize": [failed(405)], "stream": failed(406)}
    talk = open_(server)
    assert talk.end.why == "answered with 405"


@pytest.mark.parametrize("web", ["http", None])
def test_the_old_transport_is_tried_only_where_it_may_be(open_, web):
    talk = open_({"server/discover": failed(404), "initialize": failed(404)}, web=web)
    assert talk.end.reason == "connect-failed" and talk.of(OpenStream) == []


def test_the_old_transport_has_no_probe(open_):
    talk = open_({"initialize": HANDSHAKE}, web="sse")
    assert talk.end is None and talk.said == SHAKEN and isinstance(talk.acts[0], OpenStream)


def test_silence_is_told_as_silence(open_):
    assert open_({"server/discover": SILENT, "initialize": SILENT}).end.reason == "timed-out"


# during the session


def session(talk, server, *steps, revision="2025-11-25"):
    client = protocol.Client(IDENTITY, web="http")
    return talk(protocol.session(client, Plan(steps, revision=revision)), server), client


def test_a_lost_session_is_opened_anew_and_the_request_made_again(talk):
    server = {"initialize": lambda params: HANDSHAKE, "ping": [failed(404, lost=True), {}]}
    played, client = session(talk, server, Step("ping", True))
    assert played.said == [*SHAKEN, "ping", *SHAKEN, "ping"] and client.failed == ""
    assert "new one is opened" in played.warnings[0]


def test_a_session_that_is_lost_again_is_a_failed_step(talk):
    server = {"initialize": lambda params: HANDSHAKE, "ping": failed(404, lost=True)}
    played, client = session(talk, server, Step("ping", True), Step("wait", 0.0))
    assert played.said.count("ping") == 2 and client.failed == "answered with 404"
    assert played.end == protocol.Ending()


def test_a_step_that_failed_does_not_keep_the_next_from_being_tried(talk):
    server = {"server/discover": DISCOVERY, "tools/list": failed(502), "tools/call": {}}
    steps = (Step("list", ("tools",)), Step("call", "x"))
    played, client = session(talk, server, *steps, revision="2026-07-28")
    assert played.said[-1] == "tools/call" and client.failed == "answered with 502"


def test_who_may_not_come_in_any_more_ends_the_session(talk):
    server = {"server/discover": DISCOVERY, "tools/list": failed(401, refused=True)}
    played, _ = session(talk, server, Step("list", ("tools",)), Step("call", "x"), revision="2026-07-28")
    assert (played.end.reason, played.said[-1]) == ("connect-failed", "tools/list")


# headers out of arguments

GOOD = {"name": "good", "inputSchema": {"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}}
BAD = {"name": "bad", "inputSchema": {"properties": {"a": {"type": "number", "x-mcp-header": "A"}}}}


def test_tools_with_wrong_marks_are_dropped_over_http_only(talk, client):
    for web, kept in (("http", ["good"]), (None, ["good", "bad"])):
        listing = client(web=web)
        from flowgen.protocol._steps import listed

        talk(listed(listing, "tools"), {"tools/list": {"tools": [GOOD, BAD]}})
        assert [tool["name"] for tool in listing.listed["tools"]] == kept
    assert listing.mirrored == {}


def test_a_mismatch_is_answered_by_one_list_and_one_retry(talk, client):
    from flowgen.protocol._steps import ACTIONS

    mismatch = {"code": -32020, "message": "no"}
    server = {"tools/list": {"tools": [GOOD]}, "tools/call": mismatch}
    played = talk(ACTIONS["call"](client(web="http"), Step("call", "good")), server)
    assert played.said == ["tools/call", "tools/list", "tools/call"]


@pytest.mark.parametrize(
    ("web", "revision", "server", "why", "way"),
    [
        ("sse", "auto", {"stream": failed(400)}, f"{OLD}400", "--transport http"),
        ("sse", "auto", {"stream": failed(405)}, f"{OLD}405", "--transport http"),
        ("sse", "auto", {"stream": failed(401)}, "answered with 401", "a hint"),
        ("sse", "auto", {"stream": failed(502)}, "answered with 502", "a hint"),
        ("http", "auto", {"server/discover": failed(405), "initialize": failed(405)},
         "no Streamable HTTP here: answered with 405", "--transport sse"),
        ("http", "2026-07-28", {"server/discover": failed(404)},
         "no Streamable HTTP here: answered with 404", "--transport sse"),
        ("http", "2025-11-25", {"initialize": failed(401)}, "answered with 401", "a hint"),
    ],
)  # fmt: skip
def test_the_wrong_transport_is_told_with_the_other_one(open_, web, revision, server, why, way):
    talk = open_(server, revision, web=web)
    assert (talk.end.reason, talk.end.why) == ("connect-failed", why) and way in talk.end.hint
