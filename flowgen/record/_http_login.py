"""Signs in when a server wants it: plays the authorization script, and sends what was denied once more.

Every exchange with the authorization server is kept, with it as a participant of its own. Where requests run side
by side, one signs in and the others wait.
"""

import os
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from flowgen import protocol
from flowgen.errors import FlowgenError
from flowgen.trace import Mask
from flowgen.wire import write_json

from ._browse import Browser
from ._http import Broken, Exchanges
from ._http_channel import HttpChannel, asking_fields
from ._http_dress import Dress
from ._http_round import Round
from ._http_sockets import can_be_asked
from ._inbox import Event
from ._intake import Arrival
from ._live import Live
from ._pairs import Json
from ._session import Site
from ._speaker import Letter
from ._tokens import TokenStore, secrets_in

Tell = Callable[[Any], None]


@dataclass(slots=True)
class _Denied:
    """An exchange that was denied, and waits for a token."""

    answer: Round
    letter: Letter
    fetched: protocol.Fetched


class Login:
    """Takes over what was denied. One for a server; `plays` says which acts are its own."""

    def __init__(
        self, site: Site, live: Live, channel: HttpChannel, exchanges: Exchanges, dress: Dress, mask: Mask,
        revision: str | None,
    ) -> None:  # fmt: skip
        oauth = site.oauth
        self._site = site
        self._live = live
        self._channel = channel
        self._exchanges = exchanges
        self._dress = dress
        self._mask = mask
        self._settings = oauth.settings()
        self._key = oauth.key
        self._store = TokenStore(oauth.token_store)
        self._wallet = self._store.load()
        self._browser = Browser(oauth, live, self, mask)
        self._waiting: deque[_Denied] = deque()
        self._busy = False
        self._times: dict[Letter, int] = {}
        self._revision = revision
        self._wear()

    # what was denied

    def takes(self, answer: Round) -> bool:
        """Whether a denied exchange is taken over: its message is sent again, or told as failed."""
        letter = answer.letter
        if letter is None or answer.head is None:
            return False
        headers = tuple((name, value) for name, value in answer.head.headers)
        fetched = protocol.Fetched(answer.status, headers, answer.body, int(answer.message["seq"]))
        if not protocol.wants_login(fetched):
            return False
        self._waiting.append(_Denied(answer, letter, fetched))
        self._next()
        return True

    def settled(self, revision: str) -> None:
        """The revision is known."""
        self._revision = revision

    def close(self) -> None:
        """Nobody comes back any more."""
        self._browser.close()

    def _next(self) -> None:
        while self._waiting and not self._busy:
            denied = self._waiting[0]
            if self._carried(denied) != self._dress.token:  # somebody else signed in meanwhile
                self._again(self._waiting.popleft())
            else:
                self._busy = True
                self._live.driver.begin(self._script(denied), self._signed_in)

    def _carried(self, denied: _Denied) -> str | None:
        headers = denied.answer.exchange.headers
        return next((value for name, value in headers if name.lower() == "authorization"), None)

    def _script(self, denied: _Denied) -> protocol.Script[FlowgenError | None]:
        """The authorization script, with its way of saying that there is no way in."""
        first = denied.letter.first
        earlier = self._times.get(first, 0)
        self._times[first] = earlier + 1
        revision = self._revision or (None if denied.letter.revision is None else self._asked(denied.letter.revision))
        try:
            yield from protocol.admitted(
                self._settings, self._wallet, self._site.url, revision, denied.fetched, earlier
            )
        except FlowgenError as error:
            return error
        return None

    def _asked(self, revision: str) -> str | None:
        """The revision that was asked for; none while the era is being found out."""
        return None if self._live.session.plan.revision == "auto" else revision

    def _signed_in(self, error: FlowgenError | None) -> None:
        self._busy = False
        self._browser.close()
        denied = self._waiting.popleft()
        if error is None:
            self._keep()
            self._wear()
            self._again(denied)
        else:
            self._fail(denied, error)
        self._next()

    def _keep(self) -> None:
        try:
            self._store.save(self._wallet)
        except FlowgenError as problem:  # a full disk is no reason to lose what was recorded
            self._live.desk.warn(f"the tokens are not kept: {problem}")

    def _wear(self) -> None:
        self._dress.token = self._wallet.header_for(self._site.url)
        for secret in secrets_in(self._wallet):
            self._mask.remember(secret)

    def _again(self, denied: _Denied) -> None:
        asked = denied.letter.asked
        if asked is not None and asked.state != "open":  # nobody waits for it any more
            return
        self._channel.speaker.repeat(denied.letter)

    def _fail(self, denied: _Denied, error: FlowgenError) -> None:
        answer, asked, now = denied.answer, denied.letter.asked, self._live.now()
        if asked is None:
            self._live.intake.fresh.append(Arrival(now, answer.message, {}, letter=denied.letter.first))
            return
        failed = protocol.Failed(denied.fetched.seq, str(error), error.hint or "", answer.status, refused=True)
        self._channel.fail(answer, asked, failed, now)

    # acts of the script

    def play(self, ticket: int, act: Any) -> None:
        """Does one act; what comes of it is told under the ticket."""

        def tell(value: Any) -> None:
            self._live.inbox.put(Event(self._live.now(), "reply", (ticket, value)))

        match act:
            case protocol.Fetch():
                self.fetch(act, tell, "client")
            case protocol.Loopback(redirect_uri):
                tell(self._browser.listen(redirect_uri))
            case protocol.Browse():
                self._browser.browse(act, tell)
            case protocol.Draw(size):
                tell(os.urandom(size))
            case protocol.Sign(claims):
                tell(self._signed(claims))
            case protocol.AskClientId(issuer):
                self._live.desk.ask_line(ticket, f"The client id that you registered at {issuer} (empty: none): ")
            case _:
                raise TypeError(f"no such act: {act!r}")

    def fetch(self, act: protocol.Fetch, tell: Tell, sender: str) -> None:
        """One exchange outside of the MCP connection: no cookies, no header that does not stand in the act."""
        if not can_be_asked(act.url):
            tell(protocol.Failure("that is no address"))
            return
        content, part, kind = _body_of(act)
        headers = [*act.headers, *([("Content-Type", kind)] if kind else [])]
        number = self._live.recorder.exchange()
        exchange = self._exchanges.prepare(number, act.method, act.url, headers, content, cookies=False)
        peer = "server" if act.to == "server" else self._party(act.url)
        message = self._live.speaker.plain({"kind": "http", **part}, sender, peer, **asking_fields(exchange))
        asked = Round(exchange, "document", message)
        asked.between = (self._own(sender), self._own(peer))
        asked.limit = protocol.MAX_DOCUMENT + 1
        asked.ended = lambda broken, at: tell(_fetched(asked, broken))
        self._channel.start(asked)
        self._exchanges.later(self._live.session.limits.timeout, lambda: self._too_late(asked, tell))

    def _own(self, participant: str) -> str:
        sides = self._live.sides
        return {"client": sides.client, "server": sides.server}.get(participant, participant)

    def _too_late(self, asked: Round, tell: Tell) -> None:
        if not asked.over:
            self._channel.close(asked)
            tell(protocol.Failure("no answer in time"))

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        """Does something after so many seconds, in the thread that thinks."""
        self._exchanges.later(seconds, act)

    def _party(self, url: str) -> str:
        """The participant that an authorization server is: one for each host."""
        return self._live.recorder.party("auth", urlsplit(url).netloc.rpartition("@")[2])

    def _signed(self, claims: Json) -> str | protocol.Failure:
        if self._key is None:
            return protocol.Failure("no --client-key was given")
        try:
            return protocol.signed(claims, self._key, time.time(), os.urandom(16).hex())
        except (FlowgenError, ValueError) as problem:
            return protocol.Failure(str(problem))


def _body_of(act: protocol.Fetch) -> tuple[bytes | None, Json, str | None]:
    """The bytes to send, how they stand in the trace, and their media type."""
    if act.form is not None:
        text = urlencode(act.form)
        return text.encode(), {"text": text}, "application/x-www-form-urlencoded"
    if act.json is not None:
        return write_json(act.json), {"body": act.json}, "application/json"
    return None, {}, None


def _fetched(asked: Round, broken: Broken | None) -> protocol.Fetched | protocol.Failure:
    if asked.head is None or broken is not None:
        return protocol.Failure(broken.reason if broken else "no answer")
    headers = tuple((name, value) for name, value in asked.head.headers)
    return protocol.Fetched(asked.status, headers, asked.body, int(asked.message["seq"]))
