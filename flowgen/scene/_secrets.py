"""The second net for secrets: what a recording should have masked is never drawn either.

The first net is the recorder's; this one knows only a name and a text, and would rather mask once too often.
"""

import re
from functools import lru_cache

MASK = "•••"

# Names without hyphens and underscores, in lower case.
_NAMES = frozenset(
    "token authorization proxyauthorization cookie setcookie mcpsessionid dpop assertion subjecttoken "
    "registrationaccesstoken requeststate bearer".split()
)
_ENDINGS = (
    "password", "passwd", "passphrase", "secret", "apikey", "privatekey", "secretkey", "accesskey",
    "accesstoken", "refreshtoken", "idtoken", "authtoken", "apitoken", "bearertoken", "sessiontoken",
    "codeverifier", "clientassertion",
)  # fmt: skip

_SCHEME = re.compile(r"(?:(?:bearer|basic|digest|dpop|token)\s+|v\d{1,3}\.)", re.I)
_TOKEN = re.compile(
    r"\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"
    r"|\b(?:sk|pk|rk)[-_][\w-]{16,}"
    r"|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}"
    r"|\bxox[abeprs]-[\w-]{10,}|\bnpm_\w{30,}|\bhf_\w{30,}|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|(?<=[Bb]earer )[\w.~+/-]{16,}=*"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
)
_SHORTEST = 14  # of what _TOKEN can find


@lru_cache(1024)
def hides(name: str) -> bool:
    """Whether the value of a field with this name is a secret."""
    plain = name.replace("-", "").replace("_", "").lower()
    return plain in _NAMES or plain.endswith(_ENDINGS)


def mask(value: str) -> str:
    """A secret value as it may be shown: its scheme or version, then `•••`."""
    if not value or MASK in value:
        return value
    scheme = _SCHEME.match(value)
    return (scheme[0] if scheme else "") + MASK


def mask_tokens(text: str) -> str:
    """The text with everything in it that looks like a key or a token masked."""
    return _TOKEN.sub(MASK, text) if len(text) >= _SHORTEST else text
