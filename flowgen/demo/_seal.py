"""What the server hands out and wants back unchanged: the state of a call, and cursors.

The key is no secret, for everything the demo says is the same each time: the seal shows that a state was changed,
and keeps nobody who reads this file from making one.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

from ._messages import PARAMS, Refusal

VERSION = "v1"
TAG = 12  # bytes of the check


def sealed(facts: Any) -> str:
    """Facts as a `requestState`."""
    payload = _to_text(json.dumps(facts, separators=(",", ":")).encode("ascii"))
    return f"{VERSION}.{payload}.{_tag(payload)}"


def opened(state: Any) -> Any:
    """The facts again; refuses a state that is not exactly as it was given out."""
    version, payload, tag = [*str(state).split("."), "", ""][:3]
    if str(state) != f"{version}.{payload}.{tag}" or version != VERSION or tag != _tag(payload):
        raise Refusal(PARAMS, "Invalid request state", {"reason": "invalid_request_state"})
    return json.loads(_to_bytes(payload))


def digest(value: Any) -> str:
    """A short mark of a JSON value, whatever the order of its members."""
    import hashlib

    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return _to_text(hashlib.sha256(text.encode("ascii")).digest()[:TAG])


def cursor(kind: str, offset: int) -> str:
    """The cursor of the page that begins there."""
    return _to_text(f"{kind}:{offset}".encode("ascii"))


def offset(kind: str, cursor_: Any, offsets: range) -> int:
    """Where the page begins; refuses what was never given out as a cursor of this list."""
    for known in offsets:
        if cursor_ == cursor(kind, known):
            return known
    raise Refusal(PARAMS, "Invalid cursor")


def _tag(payload: str) -> str:
    import hashlib
    import hmac

    return _to_text(hmac.new(b"flowgen.demo", payload.encode("utf-8", "replace"), hashlib.sha256).digest()[:TAG])


def _to_text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode("ascii").rstrip("=")


def _to_bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
