"""Which revision, era and session each message belongs to, whoever recorded it."""

from flowgen.check import breaches
from flowgen.check._session import sessions
from tests.traces import answers, asks, refuses, tells, trace_of

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
OPENING = [asks("initialize", 2, protocolVersion="2025-06-18"), answers(2, protocolVersion="2025-06-18")]


def placed(*messages, **header):
    (session,) = sessions(trace_of(*messages, **header))
    return [(seen.era, seen.revision, seen.part) for seen in session.messages]


def test_a_handshake_holds_for_what_follows():
    told = placed(*OPENING, tells("notifications/initialized", "client"), asks("tools/list", 3), answers(3))
    assert set(told) == {("handshake", "2025-06-18", 0)}


def test_a_refused_probe_says_nothing_of_the_server():
    told = placed(asks("server/discover", 1, _meta=META), tells("notifications/message"), refuses(1), *OPENING)
    assert [era for era, _, _ in told] == ["stateless", "handshake", "stateless", "handshake", "handshake"]


def test_in_the_stateless_era_each_message_says_its_revision_and_answers_follow():
    told = placed(asks("tools/list", 1, _meta=META), answers(1), tells("notifications/tools/list_changed"))
    assert set(told) == {("stateless", "2026-07-28", 0)}


def test_a_revision_that_there_is_not_is_judged_by_the_newest_of_its_era():
    claimed = {"io.modelcontextprotocol/protocolVersion": "1900-01-01"}
    assert placed(asks("tools/list", 1, _meta=claimed))[0][:2] == ("stateless", "2026-07-28")
    assert placed(asks("initialize", 1, protocolVersion="1.0"))[0][:2] == ("handshake", "2025-11-25")


def test_a_process_that_was_started_again_is_a_session_of_its_own():
    start = {"sender": "client", "receiver": "server", "kind": "process", "body": {"event": "started"}}
    told = placed(start, *OPENING, start, *OPENING)
    assert [part for _, _, part in told] == [0, 0, 0, 1, 1, 1]
    assert "initialize-twice" not in {each.code for each in breaches(trace_of(start, *OPENING, start, *OPENING))}


def test_nothing_is_known_of_a_log_that_tells_of_no_revision():
    assert placed(asks("tools/list"), answers()) == [(None, None, 0)] * 2


def over_http(message, exchange, session=None, **half):
    headers = [["Mcp-Session-Id", session]] if session else []
    return {**message, "transport": "http", "exchange": exchange, "http": {"headers": headers, **half}}


def test_sessions_over_http_may_run_side_by_side():
    talk = []
    for number, session in enumerate("ab"):
        ask, answer = asks("initialize", 0, protocolVersion="2025-11-25"), answers(0, protocolVersion="2025-11-25")
        talk += [over_http(ask, number, method="POST"), over_http(answer, number, session, status=200)]
    for number, session in enumerate("ab", 2):
        talk += [over_http(asks("tools/list", 1), number, session, method="POST"),
                 over_http(answers(1, tools=[]), number, status=200)]  # fmt: skip
    assert [part for _, _, part in placed(*talk)] == [0, 0, 1, 1, 0, 0, 1, 1]
    assert "request-id-reused" not in {each.code for each in breaches(trace_of(*talk))}


def test_a_revision_that_may_be_to_come_is_not_judged():
    later = {"io.modelcontextprotocol/protocolVersion": "2031-01-01"}
    assert placed(asks("ping", 1, _meta=later), answers(1))[0][:2] == ("stateless", None)
    refused = placed(asks("ping", 1, _meta=later), refuses(1, -32022))
    assert refused[0][:2] == ("stateless", "2026-07-28")
