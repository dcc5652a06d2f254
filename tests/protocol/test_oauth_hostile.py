"""Servers that mean no good: whatever they answer, it ends with a token of the issuer that was asked, or a sentence."""

from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flowgen import protocol
from flowgen.errors import ServerError
from flowgen.protocol import Failure, Settings
from tests.protocol.oauth_talk import (
    ISSUER,
    METADATA,
    RESOURCE,
    URL,
    Talk,
    answer,
    authorized,
    metadata,
    resource,
    token,
    world,
)

BOMB = answer(b"[" * 200_000)
HUGE = answer(b'{"resource": "' + b"x" * 400_000 + b'"}')
HTML = answer(b"\n<html><script>alert(1)</script>", 200)
ROUND = answer(None, 307, [("Location", METADATA)])
BINARY = answer(bytes(range(256)))


@pytest.mark.parametrize(
    "reply", [BOMB, HUGE, HTML, ROUND, BINARY, answer(b"\xef\xbb\xbf"), answer(b"null"), answer("x")]
)
@pytest.mark.parametrize("place", [RESOURCE, METADATA, f"{ISSUER}/register", f"{ISSUER}/token"])
def test_an_answer_of_no_use_ends_in_one_sentence(reply, place):
    talk = authorized({**world(), place: reply})
    assert isinstance(talk.error, ServerError) and talk.hint is not None
    assert str(talk.error).isprintable() and len(str(talk.error)) < 600 and "alert" not in str(talk.error)


def test_redirects_are_not_followed():
    everywhere = {url: answer(None, 302, [("Location", url)]) for url in world()}
    talk = authorized(everywhere)
    assert len(talk.fetches) == 2 and "answered 302" in str(talk.error)


def test_a_byte_order_mark_does_not_hide_a_document():
    import json

    talk = authorized(world(resource=answer(b"\xef\xbb\xbf" + json.dumps(resource()).encode())))
    assert talk.end


NAMES = [
    *metadata(),
    *resource(),
    *token(),
    "client_id",
    "client_secret",
    "error",
    "error_description",
    "scope",
    "refresh_token",
]
GOOD = [
    ISSUER,
    URL,
    "https://evil.example",
    "http://as.example",
    f"{ISSUER}/token",
    "http://127.0.0.1:9/x",
    "S256",
    "Bearer",
    "\ud800",
    "a\nb",
]
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.sampled_from(GOOD),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=6,
)
changes = st.dictionaries(st.sampled_from(NAMES), values, max_size=4)


def hurt(document, changed):
    import json

    return answer(json.dumps({**document, **changed}).encode("utf-8", "surrogatepass"))


@given(changes, changes, changes, changes, st.sampled_from(["2025-03-26", "2025-11-25", "2026-07-28", None]))
@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_document_ends_in_a_token_or_a_sentence(first, second, third, fourth, revision):
    replies = {
        RESOURCE: hurt(resource(), first),
        METADATA: hurt(metadata(), second),
        f"{ISSUER}/register": hurt({"client_id": "dyn-1"}, third),
        f"{ISSUER}/token": hurt(token(), fourth),
    }
    talk = authorized(replies, Settings(interactive=True, offline=True), revision=revision)
    assert isinstance(talk.error, ServerError) or talk.end.header.isascii()
    for act in talk.fetches:
        parts = urlsplit(act.url)
        assert parts.scheme == "https" and parts.hostname in ("mcp.example", "as.example", "evil.example")
    for act in talk.of(protocol.Browse):
        assert act.url.startswith("https://") and act.url.isascii()


@given(st.text(max_size=80), st.integers(200, 599))
@settings(max_examples=100, deadline=None)
def test_any_challenge_ends_in_a_token_or_a_sentence(value, status):
    script = protocol.admitted(
        Settings(interactive=True),
        protocol.Wallet(),
        URL,
        "2026-07-28",
        protocol.Fetched(status, (("WWW-Authenticate", f"Bearer {value}"),), b"", 1),
    )
    talk = Talk(script, world())
    assert talk.end is not None or talk.error is not None


@given(
    st.dictionaries(st.sampled_from(["code", "state", "iss", "error", "error_description", "x"]), st.text(max_size=12))
)
@settings(max_examples=100, deadline=None)
def test_no_redirect_that_was_made_up_is_redeemed(params):
    talk = authorized(browser=lambda asked: params)
    assert talk.error and "code" not in talk.form


@pytest.mark.parametrize("place", [RESOURCE, METADATA, f"{ISSUER}/register", f"{ISSUER}/token"])
def test_silence_is_told(place):
    root = "https://mcp.example/.well-known/oauth-protected-resource"
    talk = authorized({**world(), place: Failure("timed out after 30 s"), root: Failure("timed out after 30 s")})
    assert "timed out after 30 s" in str(talk.error)
