"""Who the client is: the order of the ways, and how it proves it at the token endpoint."""

import base64
import json

import pytest

from flowgen import protocol
from flowgen.errors import UsageError
from flowgen.protocol import Failure, Settings, Wallet
from tests.protocol.oauth_talk import (
    ISSUER,
    PERSON,
    REDIRECT,
    RESOURCE,
    URL,
    Talk,
    answer,
    authorized,
    consents,
    denied,
    metadata,
    resource,
    token,
    world,
)

DOCUMENT = "https://flowgen.example/client.json"
GIVEN = Settings(interactive=True, client_id="me", client_secret="s3cret")


def registration(talk):
    """What was said at the registration endpoint."""
    return next((act.json for act in talk.fetches if act.json is not None), None)


def basic(talk):
    header = dict(talk.fetches[-1].headers).get("Authorization", "")
    return base64.b64decode(header.removeprefix("Basic ")).decode() if header else None


# the order


def test_a_client_id_that_was_given_is_used_before_all_else():
    settings = Settings(interactive=True, client_id="me", client_metadata_url=DOCUMENT)
    talk = authorized(world(metadata=metadata(client_id_metadata_document_supported=True)), settings)
    assert talk.sent["client_id"] == "me" and registration(talk) is None
    assert talk.notes["chose-registration"] == {"way": "pre-registered", "why": "given"}


def test_a_metadata_document_is_used_where_the_server_reads_them():
    talk = authorized(
        world(metadata=metadata(client_id_metadata_document_supported=True)),
        Settings(interactive=True, client_metadata_url=DOCUMENT),
    )
    assert talk.sent["client_id"] == talk.form["client_id"] == DOCUMENT and registration(talk) is None
    assert talk.notes["chose-registration"] == {"way": "metadata-document", "why": "supported"}


def test_where_no_documents_are_read_the_client_registers():
    talk = authorized(settings=Settings(interactive=True, client_metadata_url=DOCUMENT))
    assert talk.sent["client_id"] == "dyn-1"


def test_a_dynamic_registration_says_that_this_is_a_native_application():
    talk = authorized(
        world(resource=resource(scopes_supported=["a", "b"])),
        challenge=denied(f'Bearer scope="a", resource_metadata="{RESOURCE}"'),
    )
    assert registration(talk) == {
        "client_name": "flowgen",
        "redirect_uris": [REDIRECT],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        "application_type": "native",
        "scope": "a b",
    }


@pytest.mark.parametrize(
    ("revision", "deprecated"), [("2026-07-28", True), ("2025-11-25", False), ("2025-03-26", False), (None, False)]
)
def test_a_dynamic_registration_is_marked_deprecated_where_it_is(revision, deprecated):
    note = authorized(revision=revision).notes["chose-registration"]
    assert note == {"way": "dynamic", "why": "only-way", **({"deprecated": True} if deprecated else {})}


def test_a_person_who_knows_a_client_id_is_asked_last():
    replies = world(metadata=metadata(registration_endpoint=None))
    talk = authorized(replies, client_id="typed")
    assert talk.sent["client_id"] == "typed" and talk.of(protocol.AskClientId) == [protocol.AskClientId(ISSUER)]
    assert talk.notes["chose-registration"] == {"way": "asked", "why": "only-way"}


@pytest.mark.parametrize("settings", [PERSON, Settings(interactive=True, client_metadata_url=DOCUMENT)])
def test_without_any_way_the_flags_are_told(settings):
    talk = authorized(world(metadata=metadata(registration_endpoint=None)), settings)
    assert "lets no client register itself" in str(talk.error)
    assert "--client-id" in talk.hint and "--client-metadata-url" in talk.hint


def test_an_id_that_was_typed_is_not_asked_for_twice():
    wallet, replies = Wallet(), world(metadata=metadata(registration_endpoint=None))
    authorized(replies, wallet=wallet, client_id="typed")
    assert not authorized(replies, wallet=wallet).of(protocol.AskClientId)


# bound to the issuer


def test_a_given_client_id_belongs_to_the_issuer_that_saw_it_first():
    wallet, other = Wallet(), "https://as2.example"
    authorized(wallet=wallet, settings=GIVEN)
    replies = {
        RESOURCE: resource(authorization_servers=[other]),
        f"{other}/.well-known/oauth-authorization-server": metadata(other),
    }
    talk = authorized(replies, GIVEN, wallet=wallet)
    assert f"belongs to {ISSUER}" in str(talk.error) and not talk.of(protocol.Browse)
    kept = authorized(replies, GIVEN, wallet=Wallet.load(wallet.dump()))
    assert f"belongs to {ISSUER}" in str(kept.error)


def test_a_metadata_document_goes_to_every_issuer():
    wallet, other = Wallet(), "https://as2.example"
    settings = Settings(interactive=True, client_metadata_url=DOCUMENT)
    reads = {"client_id_metadata_document_supported": True}
    authorized(world(metadata=metadata(**reads)), settings, wallet=wallet)
    replies = {
        RESOURCE: resource(authorization_servers=[other]),
        f"{other}/token": token(),
        f"{other}/.well-known/oauth-authorization-server": metadata(other, **reads),
    }
    talk = authorized(replies, settings, wallet=wallet, browser=lambda asked: {**consents(asked), "iss": other})
    assert talk.sent["client_id"] == DOCUMENT and talk.end.issuer == other


# registrations that fail


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (
            answer({"error": "invalid_redirect_uri", "error_description": "loopback?"}, 400),
            "invalid_redirect_uri, loopback?",
        ),
        (answer(None, 403), "no JSON"),
        (answer({}, 403), "answered 403"),
        (answer({"client_id": "x"}, 302), "answered 302"),
        (answer(b"<html>", 200), "HTML"),
        (answer({"client_id": 7}, 201), 'names no "client_id"'),
        (answer({"client_id": "a\nb"}, 201), 'names no "client_id"'),
        (answer([], 201), "no object"),
        (Failure("refused"), "refused"),
    ],
)
def test_a_registration_that_fails_is_told_in_one_sentence(reply, says):
    talk = authorized(world(register=reply))
    assert says in str(talk.error) and "--client-id" in talk.hint and not talk.of(protocol.Browse)


def test_a_client_that_is_unknown_at_the_token_endpoint_registers_anew_next_time():
    wallet = Wallet()
    talk = authorized(world(token=answer({"error": "invalid_client"}, 401)), wallet=wallet)
    assert "invalid_client" in str(talk.error) and wallet.registration_at(ISSUER) is None


# how it proves itself


def test_a_public_client_says_its_id_and_nothing_else():
    talk = authorized()
    assert talk.form["client_id"] == "dyn-1" and "client_secret" not in talk.form and basic(talk) is None


@pytest.mark.parametrize(
    ("told", "announced", "way"),
    [
        ("client_secret_basic", ["client_secret_post"], "basic"),
        ("client_secret_post", ["client_secret_basic"], "post"),
        ("none", ["client_secret_basic"], "none"),
        (None, ["client_secret_post"], "post"),
        (None, ["client_secret_post", "client_secret_basic"], "basic"),
        (None, ["none"], "none"),
        (None, None, "basic"),
        (None, ["tls_client_auth"], "basic"),
        ("tls_client_auth", ["client_secret_post"], "post"),
    ],
)
def test_the_way_is_the_one_of_the_registration_then_the_one_that_is_announced(told, announced, way):
    answered = {
        "client_id": "dyn-1",
        "client_secret": "s3cret",
        **({"token_endpoint_auth_method": told} if told else {}),
    }
    replies = world(register=answer(answered, 201), metadata=metadata(token_endpoint_auth_methods_supported=announced))
    talk = authorized(replies)
    assert (basic(talk) == "dyn-1:s3cret") is (way == "basic")
    assert (talk.form.get("client_secret") == "s3cret") is (way == "post")
    assert ("client_id" in talk.form) is (way != "basic")


@pytest.mark.parametrize(
    ("announced", "asked"),
    [
        (["client_secret_post"], "client_secret_post"),
        (["client_secret_basic", "none"], "none"),
        (None, None),
        (["x"], None),
    ],
)
def test_a_registration_asks_for_a_way_that_is_announced(announced, asked):
    replies = world(metadata=metadata(token_endpoint_auth_methods_supported=announced))
    assert registration(authorized(replies)).get("token_endpoint_auth_method") == asked


def test_the_user_may_say_which_way():
    settings = Settings(interactive=True, client_id="me", client_secret="s3cret", auth_method="client_secret_post")
    talk = authorized(settings=settings)
    assert talk.form["client_secret"] == "s3cret" and basic(talk) is None


def test_basic_encodes_what_would_break_it():
    talk = authorized(settings=Settings(interactive=True, client_id="a:b c", client_secret="s/=é"))
    assert basic(talk) == "a%3Ab+c:s%2F%3D%C3%A9"


def test_a_key_signs_for_a_person_s_code_too():
    settings = Settings(interactive=True, client_id="me", signs=True)
    talk = authorized(world(metadata=metadata(token_endpoint_auth_methods_supported=["private_key_jwt"])), settings)
    assert talk.form["client_assertion"] == "an-assertion" and talk.form["grant_type"] == "authorization_code"


def test_a_given_secret_is_used_for_a_refresh_of_a_kept_token():
    wallet = Wallet()
    authorized(world(token=token(refresh_token="the-refresh-token")), GIVEN, wallet=wallet)
    assert "s3cret" not in json.dumps(wallet.dump())
    kept = Wallet.load(wallet.dump())
    assert basic(Talk(protocol.refresh(GIVEN, kept, URL), world())) == "me:s3cret"
    stranger = Settings(interactive=True, client_id="other", client_secret="s3cret")
    assert "not registered" in str(Talk(protocol.refresh(stranger, Wallet.load(wallet.dump()), URL), world()).error)


# settings


@pytest.mark.parametrize(
    "wrong",
    [
        {"client_secret": "s3cret"},
        {"grant": "client_credentials"},
        {"grant": "client_credentials", "client_id": "me"},
        {"auth_method": "client_secret_basic", "client_id": "me"},
        {"scopes": ("a b",)},
        {"scopes": ("",)},
        {"client_metadata_url": "https://flowgen.example"},
        {"client_metadata_url": "http://flowgen.example/c"},
        {"client_metadata_url": "nonsense"},
        {"client_metadata_url": "https://u@flowgen.example/c"},
        {"redirect_uri": "https://flowgen.example/cb"},
        {"redirect_uri": "http://127.0.0.1/cb"},
        {"redirect_uri": "http://127.0.0.1:80x/cb"},
        {"redirect_uri": "http://0.0.0.0:8000/cb"},
        {"issuer": "http://as.example"},
        {"issuer": "as.example"},
        {"issuer": "https://"},
    ],
)
def test_what_cannot_be_followed_is_refused_before_anything_is_asked(wrong):
    with pytest.raises(UsageError) as refused:
        Settings(**wrong)
    assert refused.value.hint and "s3cret" not in str(refused.value)


def test_no_secret_stands_in_a_repr():
    wallet, registered = Wallet(), answer({"client_id": "dyn-1", "client_secret": "s3cret"}, 201)
    talk = authorized(world(register=registered), wallet=wallet)
    assert "s3cret" not in repr(GIVEN) + repr(wallet.registration_at(ISSUER)) and "the-token" not in repr(talk.end)


def test_a_document_on_loopback_will_do_for_a_demo():
    assert Settings(client_metadata_url="http://127.0.0.1:8000/client.json").client_metadata_url
