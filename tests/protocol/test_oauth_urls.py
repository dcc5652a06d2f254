"""Which addresses may be asked, how far inside they lead, and how they are shown."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.protocol._oauth_urls import (
    covers,
    fault_of,
    metadata_places,
    origin,
    query_of,
    resource_of,
    resource_places,
    secrets_of,
    shown,
    with_query,
)

PUBLIC = "https://mcp.example/mcp"


@pytest.mark.parametrize(
    ("url", "good"),
    [
        ("https://as.example", True),
        ("https://as.example:8443/x?y=1", True),
        ("https://8.8.8.8/", True),
        ("https://[2606:4700::1111]/", True),
        ("https://xn--bcher-kva.example/", True),
        ("https://bücher.example/", False),
        ("https://as.example:0/", False),
        ("https://as.example:x/", False),
        ("https://[::1/", False),
        ("https://", False),
        ("", False),
        ("https:///path", False),
        ("https://as.example/\x00", False),
        ("https://as.example/\r\nx", False),
        ("https://as.example/#", True),
    ],
)
def test_only_plain_https_addresses_are_asked(url, good):
    assert (fault_of(url, PUBLIC) is None) is good


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.9.9.9",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "x.localhost",
        "[::ffff:127.0.0.1]",
        "[::ffff:10.0.0.1]",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "[fe80::1]",
        "[fd00::1]",
        "100.64.0.1",
        "router",
        "printer.local",
        "db.internal",
        "2130706433",
        "127.1",
        "0x7f000001",
        "1.2.3.4.5",
    ],
)
def test_a_public_server_leads_into_no_private_network(host):
    assert fault_of(f"https://{host}/x", PUBLIC)


@pytest.mark.parametrize(
    ("near", "far", "good"),
    [
        ("http://127.0.0.1:8000/mcp", "http://localhost:9000", True),
        ("http://127.0.0.1:8000/mcp", "https://10.0.0.1", True),
        ("http://127.0.0.1:8000/mcp", "http://10.0.0.1", False),
        ("http://127.0.0.1:8000/mcp", "http://as.example", False),
        ("https://10.0.0.5/mcp", "https://10.0.0.6", True),
        ("https://10.0.0.5/mcp", "https://keycloak", True),
        ("https://10.0.0.5/mcp", "https://127.0.0.1", False),
    ],
)
def test_a_server_may_lead_no_further_inside_than_it_stands_itself(near, far, good):
    assert (fault_of(far, near) is None) is good


def test_plain_http_is_for_whoever_allows_it():
    assert fault_of("http://as.example", PUBLIC) and fault_of("http://as.example", PUBLIC, plain_http=True) is None


@given(st.text(max_size=60) | st.from_regex(r"https?://[\x00-\x7f]{0,40}", fullmatch=True))
@settings(max_examples=200, deadline=None)
def test_no_address_is_too_odd_to_be_judged(url):
    if fault_of(url, PUBLIC) is None:
        assert url.lower().startswith("https://") and origin(url) and metadata_places(url)
        covers(url, PUBLIC)
    shown(url)
    query_of(url)


def test_a_resource_is_covered_by_whole_segments_only():
    assert covers("https://h.example/a", "https://h.example/a/b") and not covers(
        "https://h.example/a", "https://h.example/ab"
    )
    assert covers("https://h.example/a?t=1", "https://h.example/a?t=1") and not covers(
        "https://h.example/a?t=1", "https://h.example/a"
    )


def test_places_and_names_hold_no_user_and_no_query():
    url = "https://u:p@H.example:443/a/b?key=1#x"
    assert resource_of(url) == "https://h.example/a/b" and origin("http://h.example:80/x") == "http://h.example"
    root = "https://h.example/.well-known/oauth-protected-resource"
    assert resource_places(url) == [f"{root}/a/b", root]
    assert (
        origin("http://[::1]:8080/x") == "http://[::1]:8080"
        and resource_of("https://h.example/") == "https://h.example"
    )


def test_a_query_is_added_whatever_stands_there():
    assert with_query("https://h/a", [("b", "c d&=")]) == "https://h/a?b=c%20d%26%3D"
    assert with_query("https://h/a?x=1", [("b", "c")]) == "https://h/a?x=1&b=c"


@pytest.mark.parametrize(
    ("url", "seen"),
    [
        ("https://h/a", "https://h/a"),
        ("https://h/a?", "https://h/a?"),
        ("https://h/a?token", "https://h/a?•••"),
        ("https://h/a?code=1&iss=2&state=3&x", "https://h/a?code=•••&iss=2&state=•••&•••"),
        ("https://h/a#token", "https://h/a"),
        ("https://h/a?code=1;state=2", "https://h/a?code=•••"),
        ("https://h/a?scope=a&scope=b", "https://h/a?scope=a&scope=b"),
    ],
)
def test_an_address_in_a_note_shows_only_what_is_known_to_be_harmless(url, seen):
    assert shown(url) == seen


def test_what_may_be_secret_in_a_redirect_is_neither_its_sender_nor_its_fault():
    url = "http://127.0.0.1:1/callback?code=a%2Bb&state=s&iss=https%3A%2F%2Fh&error=no&error_description=x&session_state=t#id=u"
    assert secrets_of(url) == ["a+b", "s", "t", "u"]
