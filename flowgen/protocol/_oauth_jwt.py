"""Signs a client's assertions (RFC 7523; private_key_jwt). The time and the luck are given; the key never leaves.

PyJWT with cryptography does the signing, from the extra `oauth`: only clients with a key of their own need it.
"""

from typing import Any

from flowgen.errors import BackendMissing, ConfigError

from ._acts import Json

LASTS = 300  # seconds; long enough for a slow clock, too short to be of use later
_CURVES = {"secp256r1": "ES256", "secp384r1": "ES384", "secp521r1": "ES512"}


def signed(claims: Json, pem: str, now: float, jti: str) -> str:
    """The claims of a Sign as a JWT, with `iat`, `exp` and `jti`; `pem` is a private key, EC, RSA or Ed25519.

    Raises ConfigError for a key that cannot sign, BackendMissing where the library is not installed.
    """
    try:
        import jwt
    except ImportError:
        raise BackendMissing("PyJWT is not installed", "pip install 'mcp-flowgen[oauth]'") from None
    key, algorithm = _key(pem)
    when = int(now)
    return jwt.encode({**claims, "iat": when, "exp": when + LASTS, "jti": jti}, key, algorithm=algorithm)


def _key(pem: str) -> tuple[Any, str]:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(pem.encode(), None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise ConfigError("the client key is no private key in PEM without a passphrase", "--client-key FILE") from None
    return key, _algorithm(key)


def _algorithm(key: Any) -> str:
    """The algorithm that goes with a key (RFC 7518, 3.1; RFC 8037)."""
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

    match key:
        case rsa.RSAPrivateKey():
            return "RS256"
        case ed25519.Ed25519PrivateKey():
            return "EdDSA"
        case ec.EllipticCurvePrivateKey() if key.curve.name in _CURVES:
            return _CURVES[key.curve.name]
    raise ConfigError("the client key is of a kind that signs no JWT", "an EC key on P-256 or an RSA key will do")
