"""What has to look like chance: session ids, client ids, secrets, codes and tokens.

None of it is: every run of the demo gives out the same, so that a recording can be made again. The key stands here
for everybody to read; nothing is protected but the demo's own made-up data, on loopback.
"""

import hashlib
import hmac
from base64 import urlsafe_b64encode

_KEY = b"flowgen.demo tokens"


def minted(*facts: str) -> str:
    """43 characters that only these facts give."""
    return plain(hmac.new(_KEY, "\n".join(facts).encode(), hashlib.sha256).digest())


def plain(data: bytes) -> str:
    """Bytes in base64url without padding."""
    return urlsafe_b64encode(data).decode("ascii").rstrip("=")
