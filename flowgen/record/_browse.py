"""The browser leg of a sign-in: a person's browser, or, for demos and tests, a browser that is played.

A played browser goes where it is sent and follows redirects until one leads back to us; it fills in nothing. Each of
its steps is kept, with the browser as a participant. What a person's browser does nobody sees: only that it was opened
and that it came back.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from flowgen import protocol
from flowgen.trace import Mask

from ._callback import Callback, open_browser
from ._http_round import joined
from ._inbox import Event
from ._live import Live
from ._session import OAuth

if TYPE_CHECKING:
    from ._http_login import Login

MAX_PAGES = 10  # redirects that a played browser follows
SIGN_IN_SECONDS = 300.0

Tell = Callable[[Any], None]


class Browser:
    """Sends a browser out and waits for it to come back."""

    def __init__(self, oauth: OAuth, live: Live, login: "Login", mask: Mask) -> None:
        self._oauth = oauth
        self._live = live
        self._login = login
        self._mask = mask
        self._callback: Callback | None = None
        self._arrived: Callable[[str], None] = lambda url: None

    def listen(self, redirect_uri: str | None) -> str | protocol.Failure:
        """Opens the address to come back to, or gives the one that is open."""
        if self._played:
            return redirect_uri or "http://127.0.0.1:3000/callback"
        if self._callback is not None and redirect_uri in (None, self._callback.redirect_uri):
            return self._callback.redirect_uri
        self.close()
        try:
            self._callback = Callback(self._tell_arrived, redirect_uri)
        except OSError as problem:
            return protocol.Failure(str(problem.strerror or problem))
        return self._callback.redirect_uri

    def browse(self, act: protocol.Browse, tell: Tell) -> None:
        """Goes to the page; tells a Returned or a Failure."""
        began = self._live.now()
        if self._played:
            self._visit(act.url, act.redirect_uri, tell, began, MAX_PAGES)
            return

        def back(url: str) -> None:
            self._arrived = lambda url: None
            for value in protocol.secrets_of(url):
                self._mask.learn(value)
            tell(protocol.Returned(url, round(self._live.now() - began, 1)))

        self._arrived = back
        self._live.desk.show(act.url)
        if self._oauth.opens:
            open_browser(act.url)
        self._login.later(SIGN_IN_SECONDS, lambda: self._too_late(back, tell))

    def close(self) -> None:
        """Nobody comes back any more."""
        self._arrived = lambda url: None
        if self._callback is not None:
            self._callback.close()
            self._callback = None

    @property
    def _played(self) -> bool:
        return self._oauth.browser == "demo"

    def _tell_arrived(self, url: str) -> None:
        """From the listener's thread to ours."""
        self._live.inbox.put(Event(self._live.now(), "due", lambda: self._arrived(url)))

    def _too_late(self, back: Callable[[str], None], tell: Tell) -> None:
        if self._arrived is back:
            self.close()
            tell(protocol.Failure(f"nobody came back within {SIGN_IN_SECONDS:.0f} s"))

    # the played browser

    def _visit(self, url: str, redirect_uri: str, tell: Tell, began: float, left: int) -> None:
        def seen(page: protocol.Fetched | protocol.Failure) -> None:
            if isinstance(page, protocol.Failure):
                tell(page)
                return
            place = next((value for name, value in page.headers if name.lower() == "location"), None)
            if place is None or not 300 <= page.status < 400 or left == 0:
                tell(protocol.Failure(f"the page answered {page.status}, and nobody is here to fill it in"))
                return
            target = joined(url, place)
            if target.partition("?")[0] == redirect_uri:
                tell(protocol.Returned(target, round(self._live.now() - began, 1)))
            else:
                self._visit(target, redirect_uri, tell, began, left - 1)

        self._login.fetch(protocol.Fetch("GET", url, "auth"), seen, "browser")
