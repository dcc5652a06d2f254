"""Where metadata is looked for, in which order, and which of it is believed."""

import pytest

from flowgen.protocol import Failure, Settings, Wallet
from tests.protocol.oauth_talk import (
    ISSUER,
    METADATA,
    RESOURCE,
    URL,
    answer,
    authorized,
    denied,
    metadata,
    resource,
    world,
)

ROOT = "https://mcp.example/.well-known/oauth-protected-resource"
OPENID = f"{ISSUER}/.well-known/openid-configuration"
HTML = answer(b"<!doctype html><title>App</title>", 200, [("Content-Type", "text/html")])


def got(talk):
    """The places that were read, up to the registration."""
    return [ask.removeprefix("GET ") for ask in talk.asked if ask.startswith("GET ")]


# the resource


def test_the_address_in_the_challenge_comes_first():
    place = "https://mcp.example/custom/metadata.json"
    talk = authorized({**world(), place: resource()}, challenge=denied(f'Bearer resource_metadata="{place}"'))
    assert got(talk)[0] == place and RESOURCE not in got(talk) and talk.end


@pytest.mark.parametrize("challenge", [None, "Bearer", 'Bearer realm="x"', 'Basic realm="x"', "", "?!"])
def test_without_an_address_the_places_beside_the_path_and_at_the_root_are_tried(challenge):
    replies = world()
    replies[ROOT] = replies.pop(RESOURCE)
    talk = authorized(replies, challenge=denied(challenge))
    assert got(talk)[:2] == [RESOURCE, ROOT] and talk.end


def test_the_root_is_not_asked_when_the_path_answered():
    assert got(authorized(challenge=denied(None))) == [RESOURCE, METADATA]


def test_a_server_at_the_root_has_one_place():
    replies = {**world(), ROOT: resource(resource="https://mcp.example")}
    talk = authorized(replies, challenge=denied(None), url="https://mcp.example/")
    assert got(talk)[0] == ROOT and talk.sent["resource"] == "https://mcp.example"


@pytest.mark.parametrize(
    "broken",
    [
        answer(None, 404),
        answer(None, 500),
        answer(resource(), 302),
        HTML,
        answer(b"{", 200),
        answer([1]),
        answer({}),
        answer(b'{"resource":' + b"[" * 5000),
        answer(b" " * 300_000),
        Failure("timed out"),
        answer({"resource": 7}),
    ],
)
def test_a_place_without_usable_metadata_does_not_end_the_search(broken):
    talk = authorized({**world(resource=broken), ROOT: resource()})
    assert got(talk)[:2] == [RESOURCE, ROOT] and talk.end


@pytest.mark.parametrize(
    "named",
    [
        "https://evil.example/mcp",
        "https://mcp.example/other",
        "https://mcp.example/mc",
        "http://mcp.example/mcp",
        "https://mcp.example:8443/mcp",
        "https://mcp.example/mcp/sub",
        "https://user@mcp.example/mcp",
        "mcp",
        "",
        "https://mcp.example/mcp?tenant=2",
        "https://mcp.example/mcp#x",
        "https://mcp.example/mcp/../evil",
    ],
)
def test_metadata_of_another_resource_is_not_used(named):
    talk = authorized({**world(resource=resource(resource=named)), ROOT: answer(None, 404)})
    assert talk.error and not [ask for ask in talk.asked if ISSUER in ask]


@pytest.mark.parametrize(
    "named",
    [
        "https://mcp.example/mcp",
        "https://mcp.example/mcp/",
        "https://mcp.example",
        "https://mcp.example/",
        "https://MCP.example:443/mcp",
    ],
)
def test_the_resource_is_the_server_or_one_of_its_parents(named):
    talk = authorized(world(resource=resource(resource=named)))
    assert talk.end and talk.sent["resource"] == named


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("http://mcp.example/.well-known/x", "is http"),
        ("file:///etc/passwd", "is no address"),
        ("gopher://mcp.example/x", "is gopher"),
        ("//evil.example/x", "relative"),
        ("/x", "is no address"),
        ("https://169.254.169.254/latest/meta-data", "private network"),
        ("https://127.0.0.1/x", "private network"),
        ("https://localhost/x", "private network"),
        ("http://[::1]:8080/x", "private network"),
        ("https://10.0.0.7/x", "private network"),
        ("https://intranet/x", "private network"),
        ("https://2130706433/x", "number for a host"),
        ("https://user:pass@mcp.example/x", "user name"),
        ("https://mcp.example/ x", "is no address"),
        ("https://mcp.example:99999/x", "is no address"),
        ("javascript:alert(1)", "is no address"),
    ],
)
def test_an_address_that_leads_elsewhere_is_not_asked(place, why):
    talk = authorized(challenge=denied(f'Bearer resource_metadata="{place}"'))
    assert not talk.fetches and why in str(talk.error) and talk.hint


# the authorization server


@pytest.mark.parametrize(
    ("issuer", "places"),
    [
        (ISSUER, [METADATA, OPENID]),
        (f"{ISSUER}/", [METADATA, OPENID]),
        (
            f"{ISSUER}/tenant1",
            [f"{METADATA}/tenant1", f"{OPENID}/tenant1", f"{ISSUER}/tenant1/.well-known/openid-configuration"],
        ),
    ],
)
def test_the_places_of_an_issuer_are_tried_in_order(issuer, places):
    for turn, place in enumerate(places):
        replies = {**world(resource=resource(authorization_servers=[issuer])), METADATA: answer(None, 404)}
        endpoints = {"token_endpoint": f"{ISSUER}/token", "registration_endpoint": f"{ISSUER}/register"}
        replies[place] = metadata(issuer=issuer, **endpoints)
        talk = authorized(replies, browser=lambda asked: {"code": "the-code", "state": asked["state"], "iss": issuer})
        assert got(talk)[1:] == places[: turn + 1] and talk.end
        assert talk.notes["chose-issuer"] == {"issuer": issuer, "why": "only-one", "place": place}


@pytest.mark.parametrize(
    "other", [f"{ISSUER}/", "https://AS.example", "https://as.example:443", "https://evil.example"]
)
def test_an_issuer_that_differs_in_one_sign_ends_it(other):
    talk = authorized(world(metadata=metadata(issuer=other)))
    assert f"of {other}, not of {ISSUER}" in str(talk.error) and got(talk)[-1] == METADATA


@pytest.mark.parametrize("broken", [HTML, answer(None, 404), answer(None, 302), answer({"issuer": ISSUER}), answer([])])
def test_without_metadata_every_place_is_told(broken):
    talk = authorized({**world(metadata=broken), OPENID: answer(None, 404)})
    assert METADATA in str(talk.error) and f"{OPENID} answered 404" in str(talk.error) and "\n" not in str(talk.error)


@pytest.mark.parametrize(
    "issuer",
    [
        "http://as.example",
        "ftp://as.example",
        "https://10.0.0.7",
        "https://localhost:9000",
        "as.example",
        "https://",
        "https://as.example?tenant=1",
        "https://as.example#x",
        "https://0x7f.1",
        "https://as.example\t",
    ],
)
def test_an_issuer_at_a_bad_address_is_not_asked(issuer):
    talk = authorized(world(resource=resource(authorization_servers=[issuer])))
    assert talk.error and got(talk) == [RESOURCE]


@pytest.mark.parametrize("name", ["authorization_endpoint", "token_endpoint", "registration_endpoint"])
@pytest.mark.parametrize("place", ["http://as.example/x", "javascript:alert(1)", "https://192.168.0.1/x", "/x"])
def test_an_endpoint_at_a_bad_address_ends_it(name, place):
    talk = authorized(world(metadata=metadata(**{name: place})))
    assert place in str(talk.error) and len(talk.fetches) == 2


def test_plain_http_is_allowed_by_the_flag_that_the_hint_names():
    issuer = "http://as.example"
    place = f"{issuer}/.well-known/oauth-authorization-server"
    replies = {RESOURCE: resource(authorization_servers=[issuer]), place: metadata(issuer)}
    assert "--insecure" in authorized(replies).hint
    allowed = authorized(replies, Settings(interactive=True, plain_http=True))
    assert f"POST {issuer}/register" in allowed.asked


def test_a_server_on_loopback_may_have_its_authorization_server_there_over_http():
    url, issuer = "http://127.0.0.1:8000/mcp", "http://localhost:9000"
    replies = {
        "http://127.0.0.1:8000/.well-known/oauth-protected-resource/mcp": resource(
            resource=url, authorization_servers=[issuer]
        ),
        f"{issuer}/.well-known/oauth-authorization-server": metadata(issuer),
        f"{issuer}/register": answer({"client_id": "dyn-1"}, 201),
        f"{issuer}/token": {"access_token": "the-token", "token_type": "bearer"},
    }
    talk = authorized(
        replies,
        challenge=denied(None),
        url=url,
        browser=lambda asked: {"code": "c", "state": asked["state"], "iss": issuer},
    )
    assert talk.end.access == "the-token"


# which of several


def test_of_several_issuers_the_first_is_taken_and_the_others_are_noted():
    others = ["https://b.example", "https://c.example"]
    talk = authorized(world(resource=resource(authorization_servers=[ISSUER, *others])))
    chosen = {"issuer": ISSUER, "others": others, "why": "first", "place": METADATA}
    assert talk.notes["chose-issuer"] == chosen


def test_the_user_may_choose_among_the_issuers():
    replies = world(resource=resource(authorization_servers=["https://b.example", ISSUER]))
    talk = authorized(replies, Settings(interactive=True, issuer=ISSUER))
    assert talk.notes["chose-issuer"]["why"] == "given" and talk.end.issuer == ISSUER


def test_an_issuer_that_the_server_does_not_trust_is_not_taken():
    talk = authorized(settings=Settings(interactive=True, issuer="https://b.example"))
    assert "does not trust https://b.example" in str(talk.error) and ISSUER in talk.hint


@pytest.mark.parametrize("named", [None, [], ISSUER, [7], [""]])
def test_metadata_that_names_no_issuer_needs_the_user_s(named):
    replies = world(resource=resource(authorization_servers=named))
    assert "names no authorization server" in str(authorized(replies).error)
    assert "--issuer" in authorized(replies).hint


def test_a_given_issuer_helps_where_the_server_describes_nothing():
    replies = world(resource=answer(None, 404))
    talk = authorized(replies, Settings(interactive=True, issuer=ISSUER))
    assert talk.end and talk.sent["resource"] == URL and talk.notes["chose-issuer"]["why"] == "given"


# S256


@pytest.mark.parametrize("methods", [None, [], ["plain"], "S256"])
@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28", None])
def test_without_s256_nobody_is_sent_to_sign_in(methods, revision):
    talk = authorized(world(metadata=metadata(code_challenge_methods_supported=methods)), revision=revision)
    assert "S256" in str(talk.error) and len(talk.fetches) == 2


def test_older_revisions_did_not_announce_s256():
    silent = world(metadata=metadata(code_challenge_methods_supported=None))
    plain = world(metadata=metadata(code_challenge_methods_supported=["plain"]))
    assert authorized(silent, revision="2025-06-18").end and authorized(plain, revision="2025-06-18").error


# 2025-03-26


OWN = "https://mcp.example"
OWN_METADATA = f"{OWN}/.well-known/oauth-authorization-server"


def test_a_server_of_2025_03_26_has_its_metadata_at_its_own_origin():
    old = metadata(OWN, authorization_endpoint=f"{OWN}/oauth/authorize", code_challenge_methods_supported=None)
    replies = {OWN_METADATA: old, f"{OWN}/register": {"client_id": "dyn-1"}, f"{OWN}/token": world()[f"{ISSUER}/token"]}
    talk = authorized(
        replies,
        challenge=denied(None),
        revision="2025-03-26",
        browser=lambda asked: {"code": "the-code", "state": asked["state"], "iss": OWN},
    )
    assert talk.end.access == "the-token" and "resource" not in talk.sent and "resource" not in talk.form
    assert talk.notes["chose-issuer"] == {"issuer": OWN, "why": "only-one", "place": OWN_METADATA}
    assert dict(talk.fetches[0].headers)["MCP-Protocol-Version"] == "2025-03-26"


def test_a_slash_behind_the_origin_is_the_same_issuer_when_nobody_wrote_it_down():
    replies = {OWN_METADATA: metadata(f"{OWN}/", registration_endpoint=f"{OWN}/register")}
    talk = authorized(replies, challenge=denied(None), revision="2025-03-26")
    assert talk.notes["chose-issuer"]["issuer"] == f"{OWN}/"


def test_without_any_metadata_2025_03_26_has_fixed_paths():
    client = answer({"client_id": "dyn-1", "client_secret": "s3cret"}, 201)
    replies = {f"{OWN}/register": client, f"{OWN}/token": world()[f"{ISSUER}/token"]}
    talk = authorized(
        replies,
        challenge=denied(None),
        revision="2025-03-26",
        browser=lambda asked: {"code": "the-code", "state": asked["state"]},
    )
    assert talk.end.access == "the-token" and talk.notes["chose-issuer"] == {"issuer": OWN, "why": "only-one"}
    assert talk.sent["code_challenge_method"] == "S256"
    assert [ask for ask in talk.asked if ask.startswith("POST")] == [f"POST {OWN}/register", f"POST {OWN}/token"]


def test_while_the_era_is_being_found_out_metadata_at_the_origin_will_do_but_no_guess_at_paths():
    challenge = denied('Basic realm="x"')
    talk = authorized({}, challenge=challenge, revision=None)
    assert got(talk)[-1] == f"{OWN}/.well-known/openid-configuration" and "asks for basic" in str(talk.error)
    assert not [ask for ask in talk.asked if ask.startswith("POST")]
    found = authorized({OWN_METADATA: metadata(OWN)}, challenge=challenge, revision=None)
    assert found.notes["chose-issuer"]["place"] == OWN_METADATA


def test_an_old_server_over_plain_http_beyond_loopback_gives_no_tokens():
    talk = authorized({}, challenge=denied(None), revision="2025-03-26", url="http://mcp.example/mcp")
    assert "would be http://mcp.example, which is http" in str(talk.error) and "--insecure" in talk.hint
    assert not [act for act in talk.fetches if act.to == "auth"]


@pytest.mark.parametrize("revision", ["2025-06-18", "2025-11-25", "2026-07-28"])
def test_newer_servers_have_to_describe_themselves(revision):
    talk = authorized({OWN_METADATA: metadata(OWN)}, challenge=denied(None), revision=revision)
    assert got(talk) == [RESOURCE, ROOT] and "--bearer" in talk.hint
    assert str(talk.error).endswith("names no server for it: of 2 addresses for metadata 2 answered 404")


def test_sentences_name_the_server_without_what_may_be_secret_in_its_address():
    url = "https://user:s3cret@mcp.example/mcp?key=s3cret"
    talk = authorized({}, challenge=denied(None), url=url)
    assert "https://mcp.example/mcp wants" in str(talk.error) and got(talk)[0] == RESOURCE


def test_what_was_found_is_remembered():
    wallet = Wallet()
    authorized(wallet=wallet)
    found, server = wallet.found_for(URL)
    assert (found.resource, server.issuer, server.place) == (URL, ISSUER, METADATA)
