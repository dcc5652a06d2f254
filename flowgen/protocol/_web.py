"""What the authorization script may ask of whoever plays it: HTTP questions, a browser, luck, a signature. See `_acts`.

The script never opens a connection: tests play the whole of OAuth from canned replies.
"""

from typing import Any, Literal, NamedTuple

from ._acts import Json

Pairs = tuple[tuple[str, str], ...]


class Fetch(NamedTuple):
    """One HTTP request outside of the MCP connection; the script is sent a Fetched, or a Failure.

    `to` names whose server it is: the MCP server's own metadata, or the authorization server. `form` is sent as
    `application/x-www-form-urlencoded` in this order, `json` as JSON; neither for a GET. Whoever plays it follows no
    redirect, sends no cookie, no header of the user's and no token that does not stand here, never sends it twice,
    and may stop reading after `MAX_DOCUMENT` + 1 bytes.
    """

    method: Literal["GET", "POST"]
    url: str
    to: Literal["server", "auth"]
    headers: Pairs = ()
    form: Pairs | None = None
    json: Any = None


class Fetched(NamedTuple):
    """What came back. `seq` is the number of the answer's message, for the `about` of a note."""

    status: int
    headers: Pairs
    body: bytes
    seq: int


class Failure(NamedTuple):
    """Nothing came of it: what went wrong, in words that fit after a colon."""

    reason: str


class Loopback(NamedTuple):
    """Opens a listener on this machine for the browser's redirect; the script is sent its address, or a Failure.

    With `redirect_uri` exactly that address (its host is 127.0.0.1, [::1] or localhost), otherwise
    `http://127.0.0.1:PORT/callback` with a free port. Asked again while it is open, the same listener will do;
    it is closed after the Browse that uses it, or when the script ends, whichever comes first.
    """

    redirect_uri: str | None = None


class Browse(NamedTuple):
    """Sends a person's browser to `url` and waits for the redirect to `redirect_uri`, where a Loopback listens.

    The script is sent a Returned, or a Failure (nobody came back in time). `url` is http or https, and is shown
    to the person too. Whatever else arrives at the listener (another path, no query) is not the redirect.
    """

    url: str
    redirect_uri: str


class Returned(NamedTuple):
    """The address the browser came back to, query included, and how long it took."""

    url: str
    seconds: float


class Draw(NamedTuple):
    """So many unguessable bytes (PKCE, state); the script is sent them."""

    size: int


class Sign(NamedTuple):
    """A JWT of these claims, signed with the client's private key; the script is sent it, or a Failure.

    Whoever plays it adds `iat`, `exp` and `jti` (`protocol.signed` does).
    """

    claims: Json


class AskClientId(NamedTuple):
    """Asks the person for the client id that they registered with `issuer`; the script is sent it, or None."""

    issuer: str
