"""What is remembered, and what a token store may hold."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.errors import ConfigError
from flowgen.protocol import Settings, Token, Wallet
from tests.protocol.oauth_talk import ISSUER, URL, answer, authorized, token, world


def stored(entry):
    return {"version": 1, "issuers": {ISSUER: entry}}


def full():
    wallet = Wallet()
    client = {"client_id": "dyn-1", "client_secret": "s3cret", "token_endpoint_auth_method": "client_secret_post"}
    replies = world(
        register=answer(client, 201),
        token=token(scope="a b", refresh_token="the-refresh-token"),
    )
    authorized(replies, wallet=wallet)
    return wallet


def test_a_dump_is_keyed_by_issuer_and_loads_again():
    dump = json.loads(json.dumps(full().dump()))
    assert list(dump["issuers"]) == [ISSUER] and list(dump["issuers"][ISSUER]["tokens"]) == [URL]
    again = Wallet.load(dump)
    assert again.dump() == dump and again.header_for(URL) == "Bearer the-token"
    assert again.token_for(URL) == full().token_for(URL)
    assert again.registration_at(ISSUER) == full().registration_at(ISSUER)


def test_secrets_that_were_given_by_option_do_not_go_into_a_store():
    wallet = Wallet()
    authorized(settings=Settings(interactive=True, client_id="me", client_secret="s3cret"), wallet=wallet)
    assert wallet.dump()["issuers"][ISSUER]["client"] == {"client_id": "me", "way": "pre-registered"}


def test_a_fragment_is_no_other_server():
    wallet = Wallet()
    wallet.keep(f"{URL}#x", Token("t", ISSUER))
    assert wallet.header_for(URL) == "Bearer t"
    wallet.drop(URL)
    assert wallet.header_for(f"{URL}#x") is None


@pytest.mark.parametrize(
    "broken",
    [
        None,
        [],
        "x",
        {},
        {"version": 2},
        {"version": 1, "issuers": []},
        {"version": 1, "issuers": {"http://[": {}}},
        stored([]),
        stored({"client": {}}),
        stored({"client": {"client_id": "x", "way": "y"}}),
        stored({"tokens": []}),
        stored({"tokens": {URL: {}}}),
        stored({"tokens": {URL: {"access_token": "a b"}}}),
        stored({"tokens": {URL: {"access_token": "a\r\nb"}}}),
    ],
)
def test_a_store_that_is_none_is_refused_with_its_place(broken):
    with pytest.raises(ConfigError, match="token store: ") as refused:
        Wallet.load(broken)
    assert refused.value.hint


NAMES = ["version", "issuers", "client", "tokens", "client_id", "way", "access_token", "asked", URL, ISSUER]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=12,
)


@given(json_values)
@settings(max_examples=150, deadline=None)
def test_any_json_is_a_store_or_is_refused(value):
    try:
        Wallet.load(stored(value)).dump()
    except ConfigError as refused:
        assert str(refused).startswith("token store: ")
