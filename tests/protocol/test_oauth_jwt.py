"""Assertions of a client with a key of its own: the library of the test reads them again."""

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat

from flowgen.errors import BackendMissing, ConfigError
from flowgen.protocol import signed

CLAIMS = {"iss": "me", "sub": "me", "aud": "https://as.example"}


def pem(key, encryption=None):
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption or NoEncryption()).decode()


@pytest.mark.parametrize(
    ("key", "algorithm"),
    [
        (ec.generate_private_key(ec.SECP256R1()), "ES256"),
        (ec.generate_private_key(ec.SECP384R1()), "ES384"),
        (rsa.generate_private_key(65537, 2048), "RS256"),
        (ed25519.Ed25519PrivateKey.generate(), "EdDSA"),
    ],
    ids=["p256", "p384", "rsa", "ed25519"],
)
def test_the_key_decides_the_algorithm_and_the_claims_last_five_minutes(key, algorithm):
    token = signed(CLAIMS, pem(key), 1_800_000_000.9, "once")
    past = {"verify_exp": False, "verify_iat": False}
    read = jwt.decode(token, key.public_key(), [algorithm], audience="https://as.example", options=past)
    assert read == {**CLAIMS, "iat": 1_800_000_000, "exp": 1_800_000_300, "jti": "once"}
    assert jwt.get_unverified_header(token)["alg"] == algorithm


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no key",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
        pem(ec.generate_private_key(ec.SECP256R1()), BestAvailableEncryption(b"x")),
        pem(ec.generate_private_key(ec.SECP256K1())),
        pem(dsa.generate_private_key(1024)),
    ],
    ids=["empty", "text", "broken", "passphrase", "curve", "dsa"],
)
def test_a_key_that_cannot_sign_is_told_and_not_shown(text):
    with pytest.raises(ConfigError, match="client key") as refused:
        signed(CLAIMS, text, 0.0, "once")
    assert "BEGIN" not in str(refused.value) and refused.value.hint


def test_a_missing_library_names_the_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "jwt", None)
    with pytest.raises(BackendMissing) as missing:
        signed(CLAIMS, "", 0.0, "once")
    assert "[oauth]" in missing.value.hint
