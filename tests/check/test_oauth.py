"""Cases of the rules of authorization: what breaks them in other ways, and what only looks like it."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen import api
from flowgen.check import breaches
from tests.check.breaking_http import SESSION, VERSION, of_exchange, put
from tests.check.breaking_oauth import (
    AUTHORIZATION,
    AUTHORIZED,
    AUTHORIZED_AGAIN,
    REDEEMED,
    REDEEMED_AGAIN,
    REGISTERED,
    RESOURCE,
    SERVER,
    change,
    cut,
    half,
)
from tests.check.tape import Tape
from tests.traces import asks, trace_of

Change = Callable[[Tape], Any]
OURS = ("oauth-", "token-", "secret-")
CAPTURE = Path(__file__).parent.parent / "trace" / "oauth.jsonl"


def found(edit: Change, base: str = "oauth") -> set[tuple[str, str]]:
    tape = Tape(base)
    edit(tape)
    told = {(each.code, each.severity) for each in breaches(tape.trace()) if each.code.startswith(OURS)}
    return told - {("oauth-plain-http", "info")}  # the samples' servers are all on this machine


def no_state(tape: Tape) -> None:
    cut(half(tape, AUTHORIZED), "state")
    half(tape, AUTHORIZED)["fingerprints"] = {}


def a_state_that_does_not_come_back(tape: Tape) -> None:
    change(half(tape, AUTHORIZED, 1), lambda url: url.replace("&state=•••", ""))


def a_plain_challenge(tape: Tape) -> None:
    change(half(tape, AUTHORIZED), lambda url: url.replace("S256", "plain"))


def no_verifier(tape: Tape) -> None:
    cut(half(tape, REDEEMED), "code_verifier")


def an_announced_iss_that_is_missing(tape: Tape) -> None:
    half(tape, SERVER, 1)["body"]["authorization_response_iss_parameter_supported"] = True
    cut(half(tape, AUTHORIZED, 1), "iss")


def a_page_to_come_back_to_without_tls(tape: Tape) -> None:
    half(tape, REGISTERED)["body"]["redirect_uris"] = ["http://ide.example/callback"]


def a_scheme_of_ones_own_to_come_back_by(tape: Tape) -> None:
    half(tape, REGISTERED)["body"]["redirect_uris"] = ["my-ide:/callback"]


def a_header_that_leads_nowhere(tape: Tape) -> None:
    """Though the well-known place would have done: it was not asked."""
    half(tape, 1, 1)["http"]["headers"][0][1] = 'Bearer resource_metadata="http://127.0.0.1:39391/there"'
    change(half(tape, RESOURCE), lambda url: "http://127.0.0.1:39391/there")
    half(tape, RESOURCE, 1)["http"]["status"] = 404


def a_secret_in_the_address_of_the_recording(tape: Tape) -> None:
    tape.document["url"] = "http://127.0.0.1:39391/mcp?api_key=abcdefgh12345678"


FAULTS: list[tuple[Change, set[tuple[str, str]]]] = [
    (no_state, {("oauth-state", "warning")}),
    (a_state_that_does_not_come_back, {("oauth-state", "warning")}),
    (a_plain_challenge, {("oauth-pkce", "error")}),
    (no_verifier, {("oauth-pkce", "error")}),
    (an_announced_iss_that_is_missing, {("oauth-iss-mismatch", "error")}),
    (a_page_to_come_back_to_without_tls, {("oauth-plain-http", "error")}),
    (a_scheme_of_ones_own_to_come_back_by, {("oauth-plain-http", "warning")}),
    (a_header_that_leads_nowhere, {("oauth-metadata-unreachable", "error")}),
    (a_secret_in_the_address_of_the_recording, {("secret-visible", "warning")}),
]


@pytest.mark.parametrize(("edit", "told"), FAULTS, ids=[edit.__name__ for edit, _ in FAULTS])
def test_a_fault(edit: Change, told: set[tuple[str, str]]) -> None:
    assert found(edit) == told


def nothing(tape: Tape) -> None:
    """The session as it is."""


def a_browser_that_was_not_seen(tape: Tape) -> None:
    """Only that it was opened, and that somebody came back."""
    tape.drop(*of_exchange(tape, half(tape, AUTHORIZED)), *of_exchange(tape, half(tape, AUTHORIZED_AGAIN)))


def a_resource_that_lies_above(tape: Tape) -> None:
    for exchange in (AUTHORIZED, REDEEMED, AUTHORIZED_AGAIN, REDEEMED_AGAIN):
        change(half(tape, exchange), lambda text: text.replace("39391%2Fmcp", "39391"))


def a_resource_that_the_server_calls_itself(tape: Tape) -> None:
    own = "https://tracker.example"
    half(tape, RESOURCE, 1)["body"]["resource"] = f"{own}/mcp"
    for exchange in (AUTHORIZED, REDEEMED, AUTHORIZED_AGAIN, REDEEMED_AGAIN):
        change(half(tape, exchange), lambda text: text.replace("http%3A%2F%2F127.0.0.1%3A39391", own))


def an_issuer_with_a_slash_at_its_end(tape: Tape) -> None:
    half(tape, SERVER, 1)["body"]["issuer"] += "/"
    for exchange in (AUTHORIZED, AUTHORIZED_AGAIN):
        change(half(tape, exchange, 1), lambda url: url + "/")


def heads_without_tokens(tape: Tape) -> None:
    """As browsers write them to a file that is to be shown to others."""
    for message in tape.messages:
        if message.get("http"):
            put(message, "Authorization", None)


def a_token_that_was_refused(tape: Tape) -> None:
    """What is sent afterwards has none, until there is another one."""
    answer = half(tape, 8, 1)
    answer |= {"kind": "http", "http": {"status": 401, "headers": [["WWW-Authenticate", "Bearer"]]}}
    del answer["body"]
    tape.messages[:] = [each for each in tape.messages if each.get("exchange", 0) < 10]
    put(half(tape, 9), "Authorization", None)


def a_token_that_goes_on_to_its_own_resource(tape: Tape) -> None:
    """A gateway before the server hands the request on as it is."""
    call = tape.request("tools/call")
    onward = {**deepcopy(call), "kind": "http", "exchange": 98, "sender": "server", "receiver": "api"}
    del onward["body"]
    tape.document["participants"].append({"id": "api", "role": "api"})
    tape.after(call, onward)


def credentials_of_another_kind(tape: Tape) -> None:
    half(tape, 1, 1)["http"]["headers"][0][1] = "Basic realm=tracker"
    half(tape, RESOURCE, 1)["http"]["status"] = 404


def heads_that_the_source_did_not_have(tape: Tape) -> None:
    tape.document["missing"] = ["heads"]
    cut(half(tape, AUTHORIZED), "state")


QUIET = [
    nothing, a_browser_that_was_not_seen, a_resource_that_lies_above, a_resource_that_the_server_calls_itself,
    an_issuer_with_a_slash_at_its_end, heads_without_tokens, a_token_that_was_refused,
    a_token_that_goes_on_to_its_own_resource, credentials_of_another_kind, heads_that_the_source_did_not_have,
]  # fmt: skip


@pytest.mark.parametrize("edit", QUIET)
def test_no_fault(edit: Change) -> None:
    assert not found(edit)


def test_a_secret_that_can_be_read_is_named_by_its_place_once_and_never_repeated():
    tape = Tape("oauth")
    for message in (tape.request("tools/list"), tape.request("tools/call")):
        put(message, "Authorization", "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLW9mLWFkYQ")
        message["redacted"], message["fingerprints"] = [], {}
    told = [each for each in breaches(tape.trace()) if each.code == "secret-visible"]
    assert [each.seq for each in told] == [20] and AUTHORIZATION in told[0].message and "eyJ" not in str(told)


def two_servers(tape: Tape, token: str = "22222222") -> Tape:
    """The same session with another server beside it, which signs in at the same authorization server."""
    other = deepcopy(tape.messages)
    top = max(each.get("exchange", 0) for each in other)
    for message in other:
        for end in ("sender", "receiver"):
            message[end] = {"server": "server-2"}.get(message[end], message[end])
        if "exchange" in message:
            message["exchange"] += top
        if AUTHORIZATION in message.get("fingerprints", {}):
            message["fingerprints"][AUTHORIZATION] = token
        if "/body/access_token" in message.get("fingerprints", {}):
            message["fingerprints"]["/body/access_token"] = "22222222"
        _move(message)
    tape.document["participants"].append({"id": "server-2", "role": "server"})
    tape.messages += other
    return tape


def _move(message: dict[str, Any]) -> None:
    """To another port, wherever its address stands."""
    moved = json.loads(json.dumps(message).replace("39391", "39392"))
    message.clear()
    message.update(moved)


def test_several_servers_have_stories_of_their_own():
    tape = two_servers(Tape("oauth"))
    assert {each.code for each in breaches(tape.trace()) if each.code.startswith(OURS)} == {"oauth-plain-http"}


def test_a_token_of_one_server_that_is_sent_to_another_is_found():
    tape = two_servers(Tape("oauth"), token="c0245705")
    told = {(each.code, each.server) for each in breaches(tape.trace()) if each.severity == "error"}
    assert told == {("oauth-token-foreign", "client")}


def test_a_recording_of_the_official_client_breaks_none():
    told = [each for each in breaches(api.load(CAPTURE)) if each.code.startswith(OURS)]
    assert [(each.code, each.severity) for each in told] == [("oauth-plain-http", "info")]


def test_what_the_browser_is_sent_to_is_the_client_s_doing():
    tape = Tape("oauth")
    a_plain_challenge(tape)
    assert [each.server for each in breaches(tape.trace()) if each.severity == "error"] == ["client"]


URLS = st.sampled_from(
    ["", "http://[", "http://a.example:99999/mcp", "http://a.example/mcp", "https://a.example/.well-known/", "•••",
     "//x", "http://a.example/mcp?access_token=•••", "https://a.example/.well-known/openid-configuration/a",
     "https://a.example/authorize?response_type=code&state=&redirect_uri=http://[&resource=http://[",
     "http://a.example/cb?code=a&state=b&iss=", "https://a.example/.well-known/oauth-protected-resource", "\ud800"]
)  # fmt: skip
VALUES = st.sampled_from(
    ["Bearer", "Bearer •••", "Basic a", "=?base64?*?=", "text/event-stream", "2025-11-25", "•••", "\ud800",
     'Bearer error="insufficient_scope", scope="a b", resource_metadata="http://["', "a b"]
)  # fmt: skip
HEADERS = st.lists(
    st.tuples(st.sampled_from(["Authorization", "WWW-Authenticate", "Location", SESSION, "Mcp-Name", "Accept",
                               VERSION, "Last-Event-ID"]), VALUES | URLS),
    max_size=3,
)  # fmt: skip
MEMBERS = st.sampled_from(
    ["issuer", "resource", "authorization_servers", "token_endpoint", "authorization_endpoint", "redirect_uris",
     "scope", "client_id", "access_token", "grant_type", "event", "data", "url", "reason"]
)  # fmt: skip
ANYTHING = st.none() | st.booleans() | st.integers(-1, 1) | URLS | VALUES | st.just("authorization")
SEVERAL = st.lists(ANYTHING, max_size=2) | st.dictionaries(MEMBERS, ANYTHING, max_size=2)
BODIES = st.dictionaries(MEMBERS, ANYTHING | SEVERAL, max_size=4)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_exchange_is_too_strange_to_be_judged(data):
    messages = []
    for number in range(data.draw(st.integers(1, 5))):
        http = {"method": data.draw(st.sampled_from(["GET", "POST", None])), "url": data.draw(URLS)}
        sender = data.draw(st.sampled_from(["client", "server", "auth", "browser"]))
        ask = {"sender": sender, "receiver": data.draw(st.sampled_from(["client", "server", "auth"])), "kind": "http",
               "transport": "http", "exchange": number, "body": data.draw(BODIES),
               "http": {**http, "headers": data.draw(HEADERS)}}  # fmt: skip
        status = data.draw(st.sampled_from([200, 202, 302, 401, 403, 404]))
        answer = {**ask, "sender": ask["receiver"], "receiver": sender, "body": data.draw(BODIES),
                  "http": {"status": status, "headers": data.draw(HEADERS)}}  # fmt: skip
        note = {"sender": "client", "receiver": "browser", "kind": "note", "body": data.draw(BODIES)}
        revision, method = data.draw(st.sampled_from([("2025-11-25", "initialize"), ("2026-07-28", "tools/call")]))
        call = {**asks(method, number), "transport": "http", "exchange": number, "http": ask["http"],
                "revision": revision}  # fmt: skip
        messages += [data.draw(st.sampled_from([ask, call])), answer, note]
    breaches(trace_of(*messages))


def test_dynamic_registration_is_told_to_be_deprecated_in_the_stateless_era():
    assert ("deprecated-feature", 8) in {(each.code, each.seq) for each in breaches(Tape("oauth").trace())}


@pytest.mark.parametrize("shown", ["***", "[REDACTED]", "<your token>", "xxxx", "…"])
def test_what_another_tool_put_in_the_place_of_a_secret_is_none(shown):
    tape = Tape("oauth")
    put(tape.request("tools/list"), "Authorization", f"Bearer {shown}")
    tape.request("tools/list")["redacted"], tape.request("tools/list")["fingerprints"] = [], {}
    assert "secret-visible" not in {each.code for each in breaches(tape.trace())}
