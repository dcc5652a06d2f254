"""What the token endpoint may answer, and which of it is a token."""

import pytest

from flowgen.protocol import Failure, Wallet
from tests.protocol.oauth_talk import ISSUER, URL, answer, authorized, token, world


def test_a_token_remembers_what_was_asked_and_what_was_granted():
    talk = authorized(world(token=token(scope="b a", refresh_token="the-refresh-token")))
    kept = talk.end
    assert (kept.issuer, kept.resource, kept.granted, kept.refresh) == (ISSUER, URL, ("b", "a"), "the-refresh-token")
    assert kept.expires_in == 3600 and kept.header == "Bearer the-token" and not kept.renewed


@pytest.mark.parametrize("kind", ["Bearer", "bearer", "BEARER"])
def test_the_type_is_compared_without_regard_to_case(kind):
    assert authorized(world(token=token(token_type=kind))).end


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (
            answer({"error": "invalid_grant", "error_description": "code used"}, 400),
            "no token, invalid_grant, code used",
        ),
        (answer({"error": "bad_verification_code"}, 200), "bad_verification_code"),
        (answer({"error": "invalid_scope"}, 400), "invalid_scope"),
        (answer({}, 400), "answered 400"),
        (answer(None, 500), "answered 500"),
        (answer(token(), 302), "answered 302"),
        (answer(b"<!doctype html>", 200), "HTML"),
        (answer(b"access_token=the-token&token_type=bearer", 200), "no JSON"),
        (answer([token()]), "no object"),
        (answer(b" " * 300_000), "more than 256 kB"),
        (token(access_token=None), 'no "access_token"'),
        (token(access_token=""), 'no "access_token"'),
        (token(access_token=7), 'no "access_token"'),
        (token(access_token="x\r\nSet-Cookie: a=b"), 'no "access_token"'),
        (token(access_token="tökén"), 'no "access_token"'),
        (token(access_token="a b"), 'no "access_token"'),
        (token(token_type=None), "type nothing"),
        (token(token_type="DPoP"), "type DPoP"),
        (token(token_type="N_A"), "type N_A"),
        (Failure("connection reset"), "no answer from https://as.example/token (connection reset)"),
    ],
)
def test_what_is_no_token_is_told_in_one_sentence(reply, says):
    wallet = Wallet()
    talk = authorized(world(token=reply), wallet=wallet)
    assert says in str(talk.error) and "\n" not in str(talk.error) and talk.error.exit_code == 3
    assert wallet.header_for(URL) is None and len([ask for ask in talk.asked if ask.endswith("/token")]) == 1


@pytest.mark.parametrize("expires", ["3600", -1, True, None, 1.5, [], {}])
def test_an_odd_lifetime_is_no_lifetime(expires):
    assert authorized(world(token=token(expires_in=expires))).end.expires_in is None


@pytest.mark.parametrize(("scope", "granted"), [(None, ()), ("", ()), ("a  b a", ("a", "b")), (["a"], ()), ('a"', ())])
def test_odd_scopes_are_no_scopes(scope, granted):
    assert authorized(world(token=token(scope=scope))).end.granted == granted


def test_a_text_of_the_server_cannot_run_wild():
    reply = answer({"error": "x" * 500, "error_description": "\x1b]0;owned\x07\u202e" + "y" * 5000}, 400)
    said = str(authorized(world(token=reply)).error)
    assert said.isprintable() and len(said) < 400
