from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from publicsuffixlist import PublicSuffixList

from flowgen.topology._address import address, carried
from flowgen.topology._zones import _data, place_of, registrable


@pytest.mark.parametrize(
    ("host", "kind", "name"),
    [
        ("localhost", "machine", ""),
        ("LOCALHOST.", "machine", ""),
        ("127.8.9.1", "machine", ""),
        ("127.1", "machine", ""),
        ("2130706433", "machine", ""),
        ("0x7f.1", "machine", ""),
        ("[::1]", "machine", ""),
        ("0.0.0.0", "machine", ""),
        ("::ffff:127.0.0.1", "machine", ""),
        ("app.localhost", "machine", ""),
        ("host.docker.internal", "machine", ""),
        ("host.containers.internal", "machine", ""),
        ("10.0.4.7", "private-network", "10.0.4.7"),
        ("172.31.0.1", "private-network", "172.31.0.1"),
        ("192.168.1.4", "private-network", "192.168.1.4"),
        ("[fd00::1]", "private-network", "fd00::1"),
        ("nas.local", "private-network", "nas.local"),
        ("wiki.corp.internal", "private-network", "wiki.corp.internal"),
        ("grafana", "private-network", "grafana"),
        ("a.ns.svc.cluster.local", "private-network", "a.ns.svc.cluster.local"),
        ("mcp.tracker.example", "vendor", "tracker.example"),
        ("mcp.example.co.uk", "vendor", "example.co.uk"),
        ("localhost.tracker.example", "vendor", "tracker.example"),
        ("172.40.1.1", "vendor", "172.40.1.1"),
        ("203.0.113.9", "vendor", "203.0.113.9"),
        ("a.vercel.app", "vendor", "a.vercel.app"),
        ("a.b.workers.dev", "vendor", "a.b.workers.dev"),
        ("x.up.railway.app", "vendor", "x.up.railway.app"),
        ("x.railway.app", "vendor", "x.railway.app"),
        ("me.github.io", "vendor", "me.github.io"),
        ("q.ngrok-free.app", "vendor", "q.ngrok-free.app"),
        ("bücher.example", "vendor", "xn--bcher-kva.example"),
        (None, "unknown", ""),
        ("", "unknown", ""),
    ],
)
def test_a_host_lies_where_its_name_says(host, kind, name):
    place = place_of(host)
    assert (place.kind, place.name) == (kind, name)


@pytest.mark.parametrize(
    ("text", "shown", "place", "tls"),
    [
        ("https://localhost@evil.example/mcp", "evil.example/mcp", "evil.example", True),
        ("https:\\\\tracker.example\\mcp", "tracker.example/mcp", "tracker.example", True),
        (
            "https://v.example/s/39c2bd05d851efb144a4ae88cb9e0cdf/mcp",
            "v.example/s/••••/mcp",
            "v.example",
            True,
        ),
        ("https://u:p@v.example/mcp?token=a#b", "v.example/mcp?…", "v.example", True),
        ("http://[::1]:80/", "[::1]:80", "", False),
        ("v.example:8080/mcp", "v.example:8080/mcp", "v.example", None),
        ("https://${T}.v.example/mcp", "${T}.v.example/mcp", "v.example", True),
        ("https://${HOST:-secret.example}:${PORT}/mcp", "${HOST}:${PORT}/mcp", "", True),
        ("${input:url}/mcp", "${input:url}/mcp", "", None),
        ("unix:///run/x.sock#/mcp", "/run/x.sock", "", None),
        ("\\\\.\\pipe\\x", "\\\\.\\pipe\\x", "", None),
    ],
)
def test_an_address_points_where_browsers_go_and_is_shown_without_secrets(text, shown, place, tls):
    found = address(text, 1)
    assert (found.shown, found.place.name, found.tls) == (shown, place, tls)


@given(st.text(max_size=40) | st.text(max_size=30).map("https://{}".format))
def test_any_text_is_an_address_of_some_place(text):
    assert address(text, 1).place.kind in ("vendor", "machine", "private-network", "unknown")
    list(carried(text))


def test_a_registrable_domain_is_what_the_list_and_its_own_reader_say() -> None:
    text = (files("publicsuffixlist") / "public_suffix_list.dat").read_text("utf-8")
    registries, _, private = text.partition("===BEGIN PRIVATE DOMAINS===")
    shared = PublicSuffixList(private.splitlines(), accept_unknown=False)
    known = PublicSuffixList(registries.splitlines())
    rules = [line for line in text.splitlines() if line and not line.startswith("//")]
    for rule in [*rules[::23], *(rule for rule in rules if rule[0] in "!*"), "nowhere"]:
        name = f"b.a.{rule.lstrip('!').replace('*', 'w')}".encode("idna").decode()
        for each in (name, name[2:], name[4:]):
            own = each if shared.publicsuffix(each) else known.privatesuffix(each) or each
            assert registrable(each) == own or each.endswith(tuple(_data()["shared"]))


@pytest.mark.parametrize("text", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "https://[::1", "http://"])
def test_an_address_that_names_no_machine_is_unknown(text):
    assert address(text, 1).place.kind == "unknown"
