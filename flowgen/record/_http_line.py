"""The way to a server over HTTP: its parts put together."""

import base64
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from flowgen import protocol
from flowgen.trace import Mask
from flowgen.wire import MAX_MESSAGE

from ._http import Exchanges
from ._http_answers import Answers
from ._http_channel import HttpChannel
from ._http_dress import Dress
from ._http_ending import HttpEnding
from ._inbox import Clock, Event, Inbox
from ._live import Live
from ._session import Site
from ._speaker import Letter
from ._sse import Streams

if TYPE_CHECKING:
    from ._http_login import Login

MOMENT_SECONDS = 0.2  # that a played user takes before he opens a page
_WITHOUT_STREAM = ("2024-11-05",)  # the stream of a session came with 2025-03-26


class HttpLine:
    """A server with an address."""

    def __init__(self, site: Site, mask: Mask, inbox: Inbox, now: Clock) -> None:
        self._site = site = _with_credentials(site)
        self._mask = mask
        self._inbox = inbox
        self._now = now
        self._exchanges = Exchanges(inbox, now, site.route)
        self._login: Login | None = None
        self._revision: str | None = None

    def channel(self, live: Live) -> HttpChannel:
        """Where messages are posted."""
        answers = Answers(live.intake, live.session.max_message or MAX_MESSAGE)
        self._dress = Dress(self._site.headers, lambda tool: live.client.mirrored.get(tool, {}))
        self._channel = HttpChannel(
            self._exchanges, answers, self._dress, self._site.url, live.recorder, live.intake, live.pairs, live.now
        )
        answers.secret, answers.hide = self._session_in, live.recorder.text
        self._exchanges.idle = live.recorder.settle
        self._answers = answers
        return self._channel

    def closing(self, live: Live) -> HttpEnding:
        """How the session ends."""
        self._channel.speaker = live.speaker
        self._streams = Streams(self._channel, self._exchanges, self._answers, self._dress, live.speaker)
        self._channel.taken = self._taken
        self._channel.login = lambda answer: not self._dress.has_authorization and self._signing_in.takes(answer)
        self._live = live
        live.client.browser = self._site.oauth.browser
        self._startup = live.session.limits.startup
        live.driver.web = self
        return HttpEnding(
            live.driver, live.intake, live.speaker, self._channel, self._streams, self._exchanges, self._dress, live.now
        )

    def begin(self, live: Live, at: float) -> None:
        """The first request opens a connection; tokens of an earlier run go along with it."""
        if self._site.oauth.token_store is not None:
            assert self._signing_in

    def failed(self, live: Live, error: str) -> None:
        """There is always a way to try."""
        raise RuntimeError(error)

    def close(self) -> None:
        """Lets go of every connection."""
        if self._login is not None:
            self._login.close()
        self._exchanges.close()

    @property
    def _signing_in(self) -> "Login":
        """Whoever signs in, made when it is first needed."""
        if self._login is None:
            from ._http_login import Login

            self._login = Login(
                self._site, self._live, self._channel, self._exchanges, self._dress, self._mask, self._revision
            )
        return self._login

    # for the driver

    def plays(self, act: Any) -> bool:
        """Whether an act is HTTP's own: the stream of 2024-11-05, one of signing in, a page for a played browser."""
        if isinstance(act, protocol.OpenBrowser):
            return self._site.oauth.browser == "demo"
        return isinstance(act, protocol.OpenStream) or type(act).__module__ == protocol.Fetch.__module__

    def play(self, ticket: int, act: Any) -> None:
        """Does what only HTTP has acts for."""
        if isinstance(act, protocol.OpenStream):
            self._streams.open_endpoint(self._startup, lambda failed: self._told(ticket, failed))
        elif isinstance(act, protocol.OpenBrowser):
            self._visit(act.url)
            self._told(ticket, None)
        else:
            self._signing_in.play(ticket, act)

    def _visit(self, url: str) -> None:
        """A played user opens the server's own page a moment later; pages of others are left alone."""
        if urlsplit(url)[:2] == urlsplit(self._site.url)[:2]:
            login = self._signing_in
            for value in protocol.secrets_of(url):
                self._mask.learn(value)
            page = protocol.Fetch("GET", url, "server")
            login.later(MOMENT_SECONDS, lambda: login.fetch(page, lambda answer: None, "browser"))

    def settled(self, era: str, revision: str) -> None:
        """From here on our requests name the revision."""
        self._revision = revision
        if self._login is not None:
            self._login.settled(revision)
        self._dress.revision = revision if era == "handshake" else None
        if era != "handshake":
            self._dress.session = None

    def _session_in(self, address: str) -> None:
        """The parameters of an endpoint (2024-11-05) stand for a session, as `Mcp-Session-Id` does later."""
        for _, value in parse_qsl(address.partition("?")[2].partition("#")[0]):
            self._mask.learn(value)

    def _told(self, ticket: int, value: Any) -> None:
        self._inbox.put(Event(self._now(), "reply", (ticket, value)))

    def _taken(self, letter: Letter, go_on: Callable[[], None]) -> None:
        """After the handshake the server may speak first, if it has a stream for that."""
        shaken = letter.body.get("method") == "notifications/initialized" and not self._answers.replies_elsewhere
        if shaken and self._dress.revision not in _WITHOUT_STREAM:
            self._streams.greet(go_on)
        else:
            go_on()


def _with_credentials(site: Site) -> Site:
    """User info of the address as the header that it stands for (RFC 7617)."""
    parts = urlsplit(site.url)
    if parts.username is None:
        return site
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    given = ("Authorization", f"Basic {base64.b64encode(pair.encode()).decode()}")
    host = parts.netloc.rpartition("@")[2]
    has_one = any(name.lower() == "authorization" for name, _ in site.headers)
    headers = site.headers if has_one else (*site.headers, given)
    return site._replace(url=urlunsplit(parts._replace(netloc=host)), headers=headers)
