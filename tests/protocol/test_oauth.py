"""OAuth from the first 401 to the token, as whole conversations; and which way `admitted` takes."""

import pytest

from flowgen import protocol
from flowgen.protocol import Settings, Wallet
from tests.protocol.oauth_talk import (
    ISSUER,
    METADATA,
    NOBODY,
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

INSUFFICIENT = 'Bearer error="insufficient_scope", scope="mcp:write"'


def test_the_whole_flow_asks_each_server_once_and_in_order():
    talk = authorized()
    assert talk.asked == [f"GET {RESOURCE}", f"GET {METADATA}", f"POST {ISSUER}/register", f"POST {ISSUER}/token"]
    assert [act.to for act in talk.fetches] == ["server", "auth", "auth", "auth"]
    assert [note.event for note in talk.of(protocol.Note)] == [
        "chose-issuer",
        "chose-registration",
        "chose-scopes",
        "opened-browser",
        "callback-received",
    ]


def test_the_token_opens_the_server_it_was_asked_for_and_no_other():
    wallet = Wallet()
    assert wallet.header_for(URL) is None
    authorized(wallet=wallet)
    assert wallet.header_for(URL) == "Bearer the-token"
    for other in (
        "https://mcp.example/",
        "https://mcp.example/mcp/",
        "http://mcp.example/mcp",
        "https://evil.example/mcp",
    ):
        assert wallet.header_for(other) is None


def test_authorization_and_token_request_name_the_same_resource_redirect_and_challenge():
    talk = authorized()
    assert talk.sent["resource"] == talk.form["resource"] == URL
    assert talk.sent["redirect_uri"] == talk.form["redirect_uri"] == REDIRECT
    assert talk.sent["code_challenge_method"] == "S256" and talk.sent["response_type"] == "code"


def test_the_resource_is_sent_as_the_metadata_writes_it():
    talk = authorized(world(resource=resource(resource="https://mcp.example")))
    assert talk.sent["resource"] == talk.form["resource"] == "https://mcp.example"


def test_notes_tell_what_was_decided_and_no_secret():
    talk = authorized(challenge=denied(f'Bearer scope="mcp:basic", resource_metadata="{RESOURCE}"'))
    assert talk.notes["chose-issuer"] == {"issuer": ISSUER, "why": "only-one", "place": METADATA}
    assert talk.notes["chose-scopes"] == {"scopes": ["mcp:basic"], "why": "challenge"}
    opened = talk.notes["opened-browser"]
    assert (opened["reason"], opened["by"], opened["about"]) == ("authorization", "user", 2)
    assert "state=•••" in opened["url"] and "client_id=dyn-1" in opened["url"]
    back = talk.notes["callback-received"]
    assert back["url"].startswith(f"{REDIRECT}?code=•••&state=•••&iss=") and back["seconds"] == 1.5
    lanes = [(note.event, note.sender, note.receiver) for note in talk.of(protocol.Note)][-2:]
    assert lanes == [("opened-browser", "client", "browser"), ("callback-received", "browser", "client")]


# scopes


@pytest.mark.parametrize(
    ("challenged", "known", "given", "scopes", "why"),
    [
        ("a b", ["c"], (), ["a", "b"], "challenge"),
        ("", ["c", "d"], (), ["c", "d"], "metadata"),
        ("", None, (), [], "left-out"),
        ("a", ["c"], ("x",), ["x"], "given"),
    ],
)
def test_scopes_come_from_the_user_the_challenge_the_metadata_or_are_left_out(challenged, known, given, scopes, why):
    challenge = denied(f'Bearer scope="{challenged}", resource_metadata="{RESOURCE}"')
    replies = world(resource=resource(**({"scopes_supported": known} if known else {})))
    talk = authorized(replies, Settings(interactive=True, scopes=given), challenge)
    assert talk.notes["chose-scopes"] == {"scopes": scopes, "why": why}
    assert talk.sent.get("scope") == (" ".join(scopes) or None)


@pytest.mark.parametrize(
    ("known", "offline", "scope"),
    [
        (["offline_access"], True, "a offline_access"),
        (["offline_access"], False, "a"),
        (["a"], True, "a"),
        (None, True, "a"),
    ],
)
def test_offline_access_is_asked_for_only_where_it_is_known_and_wanted(known, offline, scope):
    replies = world(resource=resource(scopes_supported=["a"]), metadata=metadata(scopes_supported=known))
    assert authorized(replies, Settings(interactive=True, offline=offline)).sent["scope"] == scope


# nobody there


def test_without_a_person_it_ends_before_anything_is_registered_and_says_which_flag_helps():
    talk = authorized(settings=NOBODY)
    assert talk.error.exit_code == 3 and "nobody is here" in str(talk.error)
    assert "--bearer" in talk.hint and "--client-secret" in talk.hint
    assert f"POST {ISSUER}/register" not in talk.asked and not talk.of(protocol.Loopback)


def test_a_server_that_takes_only_dpop_tokens_is_told_from_others():
    talk = authorized(challenge=denied(f'DPoP resource_metadata="{RESOURCE}"'))
    assert "DPoP" in str(talk.error) and not talk.fetches


# client credentials


ALONE = Settings(client_id="me", client_secret="s3cret")
MACHINES = metadata(grant_types_supported=["client_credentials"], token_endpoint_auth_methods_supported=None)


def test_client_credentials_need_no_person_and_no_browser():
    talk = authorized(world(metadata=MACHINES, resource=resource(scopes_supported=["a"])), ALONE)
    assert talk.end.access == "the-token" and not talk.of(protocol.Browse)
    assert talk.form == {"grant_type": "client_credentials", "scope": "a", "resource": URL}
    assert dict(talk.fetches[-1].headers)["Authorization"].startswith("Basic ")
    assert talk.notes["chose-registration"] == {"way": "pre-registered", "why": "given"}


def test_client_credentials_with_a_key_send_a_signed_assertion_for_this_issuer():
    talk = authorized(world(metadata=MACHINES), Settings(client_id="me", signs=True))
    assert talk.of(protocol.Sign) == [protocol.Sign({"iss": "me", "sub": "me", "aud": ISSUER})]
    assert talk.form["client_assertion"] == "an-assertion" and talk.form["client_id"] == "me"
    assert talk.form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


def test_a_key_that_cannot_sign_is_told():
    settings = Settings(client_id="me", signs=True)
    talk = authorized(world(metadata=MACHINES), settings, signed=protocol.Failure("no such file"))
    assert "no such file" in str(talk.error) and "--client-key" in talk.hint


BOTH = ["authorization_code", "client_credentials"]


@pytest.mark.parametrize(
    ("grants", "settings", "alone"),
    [
        (BOTH, ALONE, True),
        (BOTH, Settings(client_id="me", client_secret="s3cret", interactive=True), False),
        (BOTH, Settings(client_id="me", client_secret="s3cret", interactive=True, grant="client_credentials"), True),
        (["client_credentials"], Settings(client_id="me", client_secret="s3cret", interactive=True), True),
        (None, Settings(client_id="me", client_secret="s3cret", grant="client_credentials"), True),
        (BOTH, Settings(client_id="me", interactive=True), False),
    ],
)
def test_who_proves_themselves_depends_on_what_is_given_and_offered(grants, settings, alone):
    talk = authorized(world(metadata=metadata(grant_types_supported=grants)), settings)
    assert (talk.form["grant_type"] == "client_credentials") is alone and talk.error is None


def test_a_server_for_machines_only_says_what_a_person_lacks():
    talk = authorized(world(metadata=MACHINES))
    assert "only for client_credentials" in str(talk.error) and "--client-secret" in talk.hint


# more scopes


def stepped(granted="mcp:basic", challenge=INSUFFICIENT, **changes):
    """A session with a token that meets a 403."""
    wallet = Wallet()
    basic = denied(f'Bearer scope="mcp:basic", resource_metadata="{RESOURCE}"')
    authorized(world(token=token(scope=granted)), challenge=basic, wallet=wallet)
    script = protocol.step_up(PERSON, wallet, URL, "2026-07-28", denied(challenge, 403))
    return Talk(script, world(**changes)), wallet


def test_a_step_up_asks_for_the_union_and_reads_no_metadata_again():
    talk, wallet = stepped(token=token(access_token="the-token-2", scope="mcp:basic mcp:write"))
    assert talk.sent["scope"] == "mcp:basic mcp:write" and talk.sent["client_id"] == "dyn-1"
    assert talk.asked == [f"POST {ISSUER}/token"]
    assert talk.notes["chose-scopes"] == {"scopes": ["mcp:basic", "mcp:write"], "why": "step-up"}
    assert wallet.header_for(URL) == "Bearer the-token-2"


def test_a_step_up_without_scopes_takes_those_of_the_metadata():
    wallet = Wallet()
    replies = world(resource=resource(scopes_supported=["a", "b"]), token=token(scope="a"))
    authorized(replies, Settings(interactive=True, scopes=("a",)), wallet=wallet)
    challenge = denied('Bearer error="insufficient_scope"', 403)
    talk = Talk(protocol.step_up(PERSON, wallet, URL, "2026-07-28", challenge), replies)
    assert talk.sent["scope"] == "a b"


@pytest.mark.parametrize("challenge", [INSUFFICIENT, 'Bearer error="insufficient_scope"'])
def test_scopes_that_the_token_has_already_are_not_asked_for_again(challenge):
    talk, _ = stepped(granted="mcp:basic mcp:write", challenge=challenge)
    assert not talk.acts and ("more scopes" in str(talk.error) or "which its token has" in str(talk.error))


def test_scopes_that_were_asked_for_and_not_granted_are_asked_for_again():
    wallet = Wallet()
    both = Settings(interactive=True, scopes=("mcp:basic", "mcp:write"))
    authorized(world(token=token(scope="mcp:basic")), both, wallet=wallet)
    talk = Talk(protocol.step_up(both, wallet, URL, "2026-07-28", denied(INSUFFICIENT, 403)), world())
    assert talk.sent["scope"] == "mcp:basic mcp:write"


# refresh


def with_refresh(**settings):
    wallet = Wallet()
    replies = world(token=token(refresh_token="the-refresh-token"))
    authorized(replies, Settings(interactive=True, **settings), wallet=wallet)
    return wallet


def test_a_refresh_goes_to_the_issuer_of_the_token_and_names_the_resource():
    wallet = with_refresh()
    renewed = token(access_token="the-token-2", refresh_token="the-refresh-token-2")
    talk = Talk(protocol.refresh(PERSON, wallet, URL), world(token=renewed))
    assert talk.asked == [f"POST {ISSUER}/token"]
    assert talk.form == {
        "grant_type": "refresh_token",
        "refresh_token": "the-refresh-token",
        "client_id": "dyn-1",
        "resource": URL,
    }
    assert wallet.header_for(URL) == "Bearer the-token-2"
    assert wallet.token_for(URL).refresh == "the-refresh-token-2"


def test_a_refresh_token_that_is_not_replaced_is_kept():
    wallet = with_refresh()
    Talk(protocol.refresh(PERSON, wallet, URL), world(token=token(access_token="the-token-2")))
    assert wallet.token_for(URL).refresh == "the-refresh-token" and wallet.token_for(URL).renewed


def test_a_refused_refresh_is_one_sentence_and_forgets_the_token():
    wallet = with_refresh()
    refused = answer({"error": "invalid_grant", "error_description": "expired"}, 400)
    talk = Talk(protocol.refresh(PERSON, wallet, URL), world(token=refused))
    assert "invalid_grant, expired" in str(talk.error) and wallet.header_for(URL) is None


def test_without_an_answer_the_refresh_token_is_kept():
    wallet = with_refresh()
    talk = Talk(protocol.refresh(PERSON, wallet, URL), world(token=protocol.Failure("timed out")))
    assert "timed out" in str(talk.error) and wallet.token_for(URL).refresh


def test_without_a_refresh_token_there_is_nothing_to_ask():
    talk = Talk(protocol.refresh(PERSON, Wallet(), URL), world())
    assert "no refresh token" in str(talk.error) and not talk.acts


def test_a_kept_token_is_refreshed_in_a_later_run():
    wallet = Wallet.load(with_refresh().dump())
    talk = Talk(protocol.refresh(PERSON, wallet, URL), world(token=token(access_token="the-token-2")))
    assert talk.asked == [f"GET {METADATA}", f"POST {ISSUER}/token"] and talk.form["client_id"] == "dyn-1"


# which way


def admitted(wallet, denied_=None, earlier=0, replies=None, settings=PERSON):
    first = denied() if denied_ is None else denied_
    script = protocol.admitted(settings, wallet, URL, "2026-07-28", first, earlier)
    return Talk(script, world() if replies is None else replies)


def test_the_first_401_leads_through_the_whole_flow():
    assert admitted(Wallet()).asked[0] == f"GET {RESOURCE}"


def test_a_401_with_a_refresh_token_refreshes_and_asks_nobody():
    talk = admitted(with_refresh(), replies=world(token=token(access_token="the-token-2")))
    assert talk.form["grant_type"] == "refresh_token" and not talk.of(protocol.Browse)


def test_a_refresh_that_fails_leads_through_the_whole_flow():
    refused = answer({"error": "invalid_grant"}, 400)
    talk = admitted(with_refresh(), replies=world(token=[refused, token(access_token="the-token-2")]))
    assert talk.form["grant_type"] == "authorization_code" and talk.end.access == "the-token-2"


def test_an_issuer_that_is_gone_does_not_keep_a_kept_token_from_being_replaced():
    wallet = Wallet.load(with_refresh().dump())
    other = "https://new.example"
    place = f"{other}/.well-known/oauth-authorization-server"
    replies = {
        RESOURCE: resource(authorization_servers=[other]),
        place: metadata(other),
        f"{other}/register": answer({"client_id": "dyn-2"}, 201),
        f"{other}/token": token(access_token="the-token-2"),
    }
    script = protocol.admitted(PERSON, wallet, URL, "2026-07-28", denied())
    talk = Talk(script, replies, lambda asked: {**consents(asked), "iss": other})
    assert talk.end.issuer == other and talk.sent["client_id"] == "dyn-2"


def test_a_refreshed_token_that_is_denied_too_leads_through_the_whole_flow():
    wallet = with_refresh()
    Talk(protocol.refresh(PERSON, wallet, URL), world(token=token(access_token="the-token-2")))
    assert admitted(wallet, earlier=1).form["grant_type"] == "authorization_code"


def test_a_new_token_that_is_denied_is_not_asked_for_again():
    wallet = Wallet()
    authorized(wallet=wallet)
    challenge = denied('Bearer error="invalid_token", error_description="wrong audience"')
    talk = admitted(wallet, challenge, earlier=1)
    assert not talk.acts and "invalid_token, wrong audience" in str(talk.error)


def test_a_token_that_worked_before_may_be_replaced():
    wallet = Wallet()
    authorized(wallet=wallet)
    assert admitted(wallet, earlier=0).end is not None


def test_insufficient_scope_leads_to_a_step_up():
    wallet = Wallet()
    authorized(wallet=wallet)
    assert admitted(wallet, denied(INSUFFICIENT, 403), earlier=1).notes["chose-scopes"]["why"] == "step-up"


def test_one_request_is_given_up_after_a_few_denials():
    wallet, tried = Wallet(), 0
    challenges = [denied(f'Bearer scope="s{turn}", error="insufficient_scope"', 403) for turn in range(9)]
    for earlier, challenge in enumerate([denied(), *challenges]):
        talk = admitted(wallet, challenge, earlier, world(token=token(access_token=f"the-token-{earlier}")))
        tried += len(talk.of(protocol.Browse))
        if talk.error:
            break
    assert tried == 3 and "still answers 403" in str(talk.error)


@pytest.mark.parametrize(
    ("status", "challenge", "wants"),
    [
        (401, None, True),
        (401, "Basic", True),
        (403, INSUFFICIENT, True),
        (403, None, False),
        (403, 'Bearer error="x"', False),
        (200, INSUFFICIENT, False),
        (404, None, False),
    ],
)
def test_which_answers_ask_for_a_token(status, challenge, wants):
    assert protocol.wants_login(denied(challenge, status)) is wants


# another authorization server


def test_credentials_of_one_issuer_never_reach_another():
    wallet = Wallet()
    authorized(wallet=wallet)
    other = "https://as2.example"
    replies = {
        RESOURCE: resource(authorization_servers=[other]),
        f"{other}/.well-known/oauth-authorization-server": metadata(other),
        f"{other}/register": answer({"client_id": "dyn-2"}, 201),
        f"{other}/token": token(access_token="the-token-2"),
    }
    script = protocol.admitted(PERSON, wallet, URL, "2026-07-28", denied())
    talk = Talk(script, replies, lambda asked: {**consents(asked), "iss": other})
    assert f"POST {other}/register" in talk.asked and "dyn-1" not in str(talk.acts)
    assert wallet.header_for(URL) == "Bearer the-token-2" and wallet.token_for(URL).issuer == other


@pytest.mark.parametrize("revision", ["2025-06-18", "2025-11-25", "2026-07-28", None])
def test_every_revision_that_knows_resources_goes_the_same_way(revision):
    assert authorized(revision=revision).end.access == "the-token"
