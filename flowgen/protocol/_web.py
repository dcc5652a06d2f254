"""What the authorization script may ask of whoever plays it: HTTP questions, a browser, the time. See `_acts`.

The script never opens a connection: tests play the whole of OAuth from canned replies.
"""

from typing import Any, Literal, NamedTuple

Pairs = tuple[tuple[str, str], ...]


class Fetch(NamedTuple):
    """One HTTP request outside of the MCP connection; the script is sent a Fetched, or a Failure.

    `to` names whose server it is: the MCP server's own metadata, or the authorization server. `form` is sent as
    `application/x-www-form-urlencoded` in this order, `json` as JSON; neither for a GET. Redirects are not followed.
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
    """No answer came: what went wrong in one sentence."""

    reason: str


class Browse(NamedTuple):
    """Sends a person's browser to `url` and waits for the redirect to `redirect_uri` on loopback.

    The script is sent a Returned, or a Failure (nobody there to sign in, time over).
    """

    url: str
    redirect_uri: str


class Returned(NamedTuple):
    """The address the browser came back to, query included, and how long it took."""

    url: str
    seconds: float


class Loopback(NamedTuple):
    """Opens a listener on 127.0.0.1 for the redirect; the script is sent its address (`http://127.0.0.1:PORT/callback`)."""
