"""The browser's leg: what is asked, and which redirects are believed."""

import base64
import hashlib

import pytest

from flowgen import protocol
from flowgen.protocol import Failure, Settings, Wallet
from tests.protocol.oauth_talk import (
    ISSUER,
    REDIRECT,
    URL,
    answer,
    authorized,
    comes_back,
    metadata,
    resource,
    token,
    world,
)


def redeemed(talk):
    return "code" in talk.form


def test_the_challenge_is_the_hash_of_the_verifier_and_each_flow_draws_anew():
    talk = authorized()
    verifier = talk.form["code_verifier"]
    digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    assert talk.sent["code_challenge"] == digest and 43 <= len(verifier) <= 128
    assert [draw.size for draw in talk.of(protocol.Draw)] == [32, 32] and talk.sent["state"] != verifier


def test_a_query_of_the_endpoint_is_kept():
    talk = authorized(world(metadata=metadata(authorization_endpoint=f"{ISSUER}/authorize?tenant=1")))
    assert talk.sent["tenant"] == "1" and talk.sent["response_type"] == "code"
    assert "tenant=•••" in talk.notes["opened-browser"]["url"]


# what is not believed


@pytest.mark.parametrize("state", [None, "", "other", "•"])
def test_another_state_is_not_redeemed(state):
    talk = authorized(browser=comes_back(state=state))
    assert "another state" in str(talk.error) and not redeemed(talk)


@pytest.mark.parametrize(
    "iss", ["https://evil.example", f"{ISSUER}/", "HTTPS://as.example", "https://as.example:443", ""]
)
@pytest.mark.parametrize("announced", [True, None])
@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_another_issuer_is_not_redeemed_whether_announced_or_not(iss, announced, revision):
    replies = world(metadata=metadata(authorization_response_iss_parameter_supported=announced))
    talk = authorized(replies, browser=comes_back(iss=iss), revision=revision)
    assert "was asked" in str(talk.error) and not redeemed(talk)


def test_an_issuer_that_was_announced_must_be_there():
    talk = authorized(browser=comes_back(iss=None))
    assert "does not say" in str(talk.error) and not redeemed(talk)


def test_an_issuer_that_was_not_announced_need_not_be_there():
    replies = world(metadata=metadata(authorization_response_iss_parameter_supported=None))
    assert redeemed(authorized(replies, browser=comes_back(iss=None)))


def test_the_error_of_another_issuer_is_not_told():
    talk = authorized(browser=comes_back(iss="https://evil.example", code=None, error="x", error_description="call me"))
    assert "call me" not in str(talk.error) and "evil.example" in str(talk.error)


@pytest.mark.parametrize("name", ["code", "state", "iss", "error"])
def test_what_stands_twice_is_not_believed(name):
    def browser(asked):
        return f"{REDIRECT}?code=the-code&state={asked['state']}&iss={ISSUER}&{name}=x&{name}=y"

    talk = authorized(browser=browser)
    assert f"{name} more than once" in str(talk.error) and not redeemed(talk)


@pytest.mark.parametrize(
    "back",
    [
        "https://evil.example/callback?code=x",
        "http://127.0.0.1:4711/other?code=x",
        "x",
        "http://[",
        f"{REDIRECT}#code=x",
        f"{REDIRECT}?" + "&".join("a=1" for _ in range(100)),
    ],
)
def test_another_address_is_not_believed(back):
    talk = authorized(browser=lambda asked: back)
    assert talk.error and not redeemed(talk)


@pytest.mark.parametrize("code", [None, ""])
def test_a_redirect_without_a_code_is_told(code):
    assert "without a code" in str(authorized(browser=comes_back(code=code)).error)


# refusals


def test_a_refusal_is_told_with_what_helps():
    talk = authorized(browser=comes_back(code=None, error="access_denied", error_description="no\x1b[31m\nway"))
    assert str(talk.error) == f"{ISSUER} gives no code: access_denied, no [31m way" and "agree" in talk.hint
    assert talk.notes["callback-received"]["error"] == "access_denied"


def test_a_person_who_does_not_come_back_is_told():
    talk = authorized(browser=lambda asked: Failure("nobody came back within 300 s"))
    assert "nobody came back within 300 s" in str(talk.error) and talk.error.exit_code == 3
    assert "callback-received" not in talk.notes


def test_a_flood_of_scopes_opens_no_browser():
    many = " ".join(f"scope-{number}" for number in range(5000))
    talk = authorized(world(resource=resource(scopes_supported=many.split(" "))))
    assert "too many scopes" in str(talk.error) and "--scope" in talk.hint and not talk.of(protocol.Browse)


@pytest.mark.parametrize("endpoint", [None, ""])
def test_without_an_authorization_endpoint_nobody_can_sign_in(endpoint):
    talk = authorized(world(metadata=metadata(authorization_endpoint=endpoint)))
    assert "names no authorization_endpoint" in str(talk.error)


# the listener


def test_a_redirect_address_of_the_user_is_used_as_it_is():
    settings = Settings(interactive=True, client_id="me", redirect_uri="http://localhost:8765/cb")
    talk = authorized(settings=settings)
    assert talk.sent["redirect_uri"] == "http://localhost:8765/cb"
    assert talk.of(protocol.Loopback) == [protocol.Loopback("http://localhost:8765/cb")]


def test_a_taken_redirect_address_of_the_user_is_told():
    wanted = "http://127.0.0.1:8765/cb"
    talk = authorized(settings=Settings(interactive=True, client_id="me", redirect_uri=wanted), taken=[wanted])
    assert "address in use" in str(talk.error) and "--redirect-uri" in talk.hint


def test_a_second_sign_in_listens_where_the_registration_says():
    wallet = Wallet()
    authorized(wallet=wallet)
    again = authorized(wallet=wallet, port="http://127.0.0.1:9/callback")
    assert again.of(protocol.Loopback) == [protocol.Loopback(REDIRECT)]
    assert again.sent["client_id"] == "dyn-1" and f"POST {ISSUER}/register" not in again.asked
    assert again.notes["chose-registration"] == {"way": "dynamic", "why": "given", "deprecated": True}


def test_a_second_sign_in_at_another_port_registers_that_port():
    wallet = Wallet()
    authorized(wallet=wallet)
    replies = world(register=answer({"client_id": "dyn-2"}, 201), token=token())
    again = authorized(replies, wallet=wallet, taken=[REDIRECT], port="http://127.0.0.1:9/callback")
    assert again.sent["client_id"] == "dyn-2" and again.sent["redirect_uri"] == "http://127.0.0.1:9/callback"


def test_the_notes_say_who_played_the_browser():
    talk = authorized(settings=Settings(interactive=True, browser="demo"))
    assert talk.notes["opened-browser"]["by"] == "demo" and talk.end.resource == URL
