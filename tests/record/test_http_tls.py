"""Whom TLS trusts: the usual authorities, a file that is given, or, loudly, anybody."""

import datetime
import ipaddress
import ssl

import pytest

from flowgen.errors import UsageError
from flowgen.record import Route, Site, check_site
from tests.record.conftest import visited
from tests.record.servers.web import served

x509 = pytest.importorskip("cryptography.x509")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for 127.0.0.1 that nobody signed, and its key, as files."""
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    now = datetime.datetime.now(datetime.UTC)
    built = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("tls")
    pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    (folder / "key.pem").write_bytes(key.private_bytes(pem, form, serialization.NoEncryption()))
    (folder / "cert.pem").write_bytes(built.public_bytes(pem))
    return folder / "cert.pem", folder / "key.pem"


@pytest.fixture
def context(certificate):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(*certificate)
    return made


def test_a_server_that_nobody_vouches_for_is_not_spoken_with(context):
    with served("", context) as web:
        seen = visited(web.url)
    assert (seen.exit_code, web.asked) == (3, []) and "certificate" in seen.recording.verdict[0]
    assert "--cacert" in seen.recording.verdict[-1]


def test_a_certificate_that_is_given_is_trusted(context, certificate):
    with served("", context) as web:
        seen = visited(Site(web.url, route=Route(cacert=str(certificate[0]))))
    assert seen.exit_code == 0, seen.recording.verdict


def test_everybody_is_trusted_only_when_asked_for(context):
    with served("", context) as web:
        seen = visited(Site(web.url, route=Route(insecure=True)))
    assert seen.exit_code == 0, seen.recording.verdict


def test_a_stream_over_tls_is_cancelled_too(context, certificate):
    with served("slow", context) as web:
        seen = visited(Site(web.url, route=Route(cacert=str(certificate[0]))), timeout=0.3)
    assert seen.exit_code == 4 and len(seen.of("http", event="stream-closed", by="client")) == 1


def test_a_file_without_certificates_is_told_before_anything_is_sent(tmp_path):
    (tmp_path / "x.pem").write_text("no")
    for path in (tmp_path / "x.pem", tmp_path / "missing.pem"):
        with pytest.raises(UsageError, match="--cacert"):
            check_site(Site("https://host/mcp", route=Route(cacert=str(path))))


def test_a_server_may_be_asked_by_a_name_that_leads_elsewhere(context, certificate):
    """The certificate is for 127.0.0.1, so the name that is asked for must be that; only the port is another one."""
    with served("", context) as web:
        port = web.url.rpartition(":")[2].partition("/")[0]
        route = Route(cacert=str(certificate[0]), connect_to=(f"127.0.0.1:9:127.0.0.1:{port}",))
        seen = visited(Site(web.url.replace(f":{port}", ":9"), route=route))
    assert seen.exit_code == 0, seen.recording.verdict
    assert {message["http"]["url"].partition("/mcp")[0] for message in seen.of("request")} == {"https://127.0.0.1:9"}


@pytest.mark.parametrize("text", ["", "a:1:b", "a:0:b:1", "a:1:b:70000", "a b:1:c:2", "https://a:1:b:2"])
def test_where_to_connect_instead_is_told_whole(text):
    with pytest.raises(UsageError, match="--connect-to"):
        check_site(Site("https://host/mcp", route=Route(connect_to=(text,))))


def test_no_proxy_is_asked_for_what_leads_elsewhere(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with served("") as web:
        port = web.url.rpartition(":")[2].partition("/")[0]
        route = Route(connect_to=(f"mcp.tracker.example:80:127.0.0.1:{port}",))
        seen = visited(Site("http://mcp.tracker.example/mcp", route=route))
    assert seen.exit_code == 0, seen.recording.verdict
