"""How a session is opened: every branch of the probe, and of a fixed revision."""

import pytest

from flowgen import protocol
from flowgen.protocol._opening import opened
from tests.protocol.conftest import DISCOVERY, HANDSHAKE, IDENTITY, NOT_FOUND, SILENT


@pytest.fixture
def open_(talk):
    """Plays an opening; the client comes along."""

    def played(revision, server, offer=None):
        client = protocol.Client(IDENTITY)
        return talk(opened(client, revision, offer), server), client

    return played


def refused(supported, code=-32022):
    return {"code": code, "message": "no", "data": {"supported": supported, "requested": "x"}}


def test_a_discovery_settles_the_stateless_era_without_initialize(open_):
    talk, client = open_("auto", {"server/discover": DISCOVERY})
    assert talk.end is None and talk.said == ["server/discover"]
    assert talk.of(protocol.Settled) == [protocol.Settled("stateless", "2026-07-28")]
    assert client.declares("tools", "listChanged") and client.stateless


def test_the_probe_says_its_revision_who_asks_and_what_the_asker_can(open_):
    talk, _ = open_("auto", {"server/discover": DISCOVERY})
    probe = talk.of(protocol.Ask)[0]
    assert (probe.patience, probe.revision) == ("probe", "2026-07-28")
    assert probe.params == {
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "1.0"},
            "io.modelcontextprotocol/clientCapabilities": {
                "elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {},
            },
        }
    }  # fmt: skip


@pytest.mark.parametrize("code", [-32601, -32600, -32602, -32000, -32603, 0])
def test_any_other_error_falls_back_to_the_handshake_and_says_which_answer_caused_it(open_, code):
    talk, client = open_("auto", {"server/discover": {"code": code, "message": "?"}, "initialize": HANDSHAKE})
    assert talk.end is None and talk.said == ["server/discover", "initialize", "notifications/initialized"]
    caused = {"about": 2, "from": "stateless", "to": "handshake", "why": "handshake-answer"}
    assert talk.notes == [("fell-back", caused)]
    assert client.dialect.revision == "2025-11-25" and not client.stateless


def test_a_result_that_is_no_discovery_falls_back_too(open_):
    talk, _ = open_("auto", {"server/discover": {}, "initialize": HANDSHAKE})
    assert "initialize" in talk.said


def test_silence_falls_back_and_initialize_has_a_limit_of_its_own(open_):
    talk, _ = open_("auto", {"server/discover": SILENT, "initialize": HANDSHAKE})
    assert talk.notes == [("fell-back", {"from": "stateless", "to": "handshake", "why": "silence"})]
    assert talk.of(protocol.Ask)[1].patience == "step"


def test_without_any_sign_of_life_the_note_says_startup_timeout():
    script = opened(protocol.Client(IDENTITY), "auto")
    script.send(None)
    note = script.send(protocol.Silence(1, "startup"))
    assert note.data["why"] == "startup-timeout"


def test_the_handshake_takes_any_of_its_revisions_that_the_server_answers(open_):
    answered = {**HANDSHAKE, "protocolVersion": "2024-11-05"}
    talk, client = open_("auto", {"server/discover": NOT_FOUND, "initialize": answered})
    assert client.dialect.revision == "2024-11-05" and talk.of(protocol.Settled)[0].revision == "2024-11-05"


@pytest.mark.parametrize("answered", ["1.0", "2026-07-28", 7, None])
def test_an_unknown_revision_ends_the_session_and_nothing_more_is_sent(open_, answered):
    result = {**HANDSHAKE, "protocolVersion": answered}
    talk, _ = open_("auto", {"server/discover": NOT_FOUND, "initialize": result})
    assert talk.end.reason == "no-common-revision" and talk.said[-1] == "initialize"


def test_a_missing_revision_counts_as_the_one_that_was_offered(open_):
    _, client = open_("auto", {"server/discover": NOT_FOUND, "initialize": {"capabilities": {}}})
    assert client.dialect.revision == "2025-11-25"


@pytest.mark.parametrize("code", [-32020, -32021])
def test_an_error_of_the_stateless_era_keeps_the_client_in_it(open_, code):
    talk, client = open_("auto", {"server/discover": refused([], code)})
    assert talk.end is None and talk.said == ["server/discover"] and client.server is None


def test_after_unsupported_version_the_client_never_initializes(open_):
    talk, _ = open_("auto", {"server/discover": refused(["2027-01-01", "2025-11-25"])})
    assert talk.end.reason == "no-common-revision" and talk.said == ["server/discover"]
    assert "2027-01-01" in talk.end.why


def test_a_discovery_without_a_revision_of_ours_ends_the_session(open_):
    talk, _ = open_("auto", {"server/discover": {**DISCOVERY, "supportedVersions": ["2027-01-01"]}})
    assert talk.end.reason == "no-common-revision" and talk.said == ["server/discover"]


def test_a_discovery_that_names_only_handshake_revisions_is_followed_by_initialize(open_):
    discovery = {**DISCOVERY, "supportedVersions": ["2025-06-18"]}
    talk, _ = open_("auto", {"server/discover": discovery, "initialize": HANDSHAKE})
    assert talk.said[1] == "initialize" and talk.notes[0][1]["why"] == "version"


def test_initialize_refused_for_its_version_means_the_stateless_era_after_all(open_):
    server = {"server/discover": [SILENT, DISCOVERY], "initialize": refused(["2026-07-28"])}
    talk, client = open_("auto", server)
    assert talk.end is None and client.stateless
    assert talk.said == ["server/discover", "initialize", "server/discover"]
    assert talk.notes[1][1] == {"about": 4, "from": "handshake", "to": "stateless", "why": "version"}


def test_initialize_refused_with_other_handshake_revisions_is_tried_again_with_the_newest_common(open_):
    older = {**HANDSHAKE, "protocolVersion": "2025-03-26"}
    refusal = refused(["2024-11-05", "2025-03-26"], -32602)
    talk, client = open_("auto", {"server/discover": NOT_FOUND, "initialize": [refusal, older]})
    assert client.dialect.revision == "2025-03-26"
    assert talk.notes[-1][1]["to"] == "2025-03-26"


def test_any_other_refusal_of_initialize_means_there_is_no_connection(open_):
    talk, _ = open_("auto", {"server/discover": NOT_FOUND, "initialize": {"code": -32603, "message": "broken"}})
    assert talk.end.reason == "connect-failed" and "broken" in talk.end.why


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_a_fixed_handshake_revision_is_offered_without_a_probe(open_, revision):
    talk, _ = open_(revision, {"initialize": {**HANDSHAKE, "protocolVersion": revision}})
    ask = talk.of(protocol.Ask)[0]
    assert talk.said == ["initialize", "notifications/initialized"] and ask.patience == "opening"
    assert ask.params["protocolVersion"] == ask.revision == revision


def test_a_fixed_revision_takes_no_other(open_):
    talk, _ = open_("2025-06-18", {"initialize": HANDSHAKE})
    assert talk.end.reason == "no-common-revision" and talk.said == ["initialize"]
    assert talk.end.hint.startswith("--revision auto")


@pytest.mark.parametrize("answer", [NOT_FOUND, {}, refused(["2027-01-01"]), {**DISCOVERY, "supportedVersions": []}])
def test_a_client_fixed_to_the_stateless_era_never_initializes(open_, answer):
    talk, _ = open_("2026-07-28", {"server/discover": answer, "initialize": HANDSHAKE})
    assert talk.end.reason == "no-common-revision" and talk.said == ["server/discover"]


def test_a_client_fixed_to_the_stateless_era_goes_on_after_its_other_errors(open_):
    talk, client = open_("2026-07-28", {"server/discover": refused([], -32021)})
    assert talk.end is None and client.stateless


@pytest.mark.parametrize(("revision", "method"), [("2026-07-28", "server/discover"), ("2025-06-18", "initialize")])
def test_mere_silence_stays_a_time_out(open_, revision, method):
    talk, _ = open_(revision, {method: SILENT})
    assert talk.end.reason == "timed-out" and talk.said == [method]


def test_each_revision_declares_what_it_knows():
    declared = {revision: sorted(IDENTITY.declares(revision)) for revision in protocol.REVISIONS}
    assert declared["2025-03-26"] == ["roots", "sampling"]
    assert declared["2025-06-18"] == ["elicitation", "roots", "sampling"]
    assert IDENTITY.declares("2025-06-18")["elicitation"] == {}
    assert IDENTITY.declares("2025-11-25")["elicitation"] == {"form": {}, "url": {}}


def test_a_plan_may_declare_less(open_):
    identity = protocol.Identity("my-ide", "1.4.0", {"title": "My IDE"}, {"elicitation": {}})
    assert identity.declares("2024-11-05") == {"elicitation": {}}
    assert identity.info == {"name": "my-ide", "version": "1.4.0", "title": "My IDE"}


def test_a_revision_that_is_offered_and_refused_is_followed_by_one_that_both_know(open_):
    talk, client = open_("2026-07-28", {"server/discover": [refused(["2026-07-28"]), DISCOVERY]}, "1900-01-01")
    assert talk.end is None and client.stateless and talk.said == ["server/discover"] * 2
    assert [ask.revision for ask in talk.of(protocol.Ask)] == ["1900-01-01", "2026-07-28"]
    fell_back = {"about": 2, "from": "1900-01-01", "to": "2026-07-28", "why": "version"}
    assert talk.notes == [("fell-back", fell_back)]


def test_a_revision_that_is_offered_and_taken_or_not_answered_is_no_fallback(open_):
    taken = {**DISCOVERY, "supportedVersions": ["1900-01-01"]}
    talk, client = open_("auto", {"server/discover": taken}, "1900-01-01")
    assert talk.end is None and client.speaks("1900-01-01") and talk.notes == []
    assert open_("auto", {"server/discover": SILENT}, "1900-01-01")[0].end.reason == "timed-out"
    other, _ = open_("auto", {"server/discover": refused(["2020-01-01"])}, "1900-01-01")
    assert other.end.reason == "no-common-revision"


def test_in_the_handshake_era_the_server_answers_an_offer_with_its_own(open_):
    talk, client = open_("2025-11-25", {"initialize": HANDSHAKE}, "1900-01-01")
    assert talk.of(protocol.Ask)[0].params["protocolVersion"] == "1900-01-01"
    assert talk.end is None and client.speaks("2025-11-25")
