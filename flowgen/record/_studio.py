"""Where a recording is made: the mask, the recorder and the clock that all its sessions share, and the document."""

import os
from collections.abc import Iterator, Mapping
from typing import Literal
from urllib.parse import parse_qsl, urlsplit

from flowgen.trace import Mask, env_secrets, secret_name

from ._inbox import Clock, Inbox
from ._live import Line, Live, Place
from ._outcome import verdict
from ._recorder import Recorder
from ._session import Recording, Server, Session, Site, Watch, nobody


class Studio:
    """Makes one recording."""

    def __init__(self, server: Server | Site, session: Session, watch: Watch, now: Clock) -> None:
        self._session = session
        self._watch = watch
        self._now = now
        self.mask = Mask(secrets_of(server, os.environ), session.redact_keys, session.redact)
        source = server.url if isinstance(server, Site) else list(server.argv)
        self._recorder = Recorder(self.mask, source, session.plan.title)
        if isinstance(server, Site) and watch.message is nobody:
            self._recorder.mask_later()

    def recorded(
        self, line: Line, inbox: Inbox, at: float, error: str | None, web: Literal["auto", "http", "sse"] | None = None
    ) -> Recording:
        """Plays a session over this line, or keeps why there is none."""
        live = Live(line, self._session, Place(self._recorder, self._watch, inbox, self._now), web)
        ended = live.failed(self.mask.text(error)) if error is not None else live.played(at)
        document = self._recorder.document(ended.outcome(live.exit))
        return Recording(document, ended.exit_code, [self.mask.text(line) for line in verdict(ended, document)])


def secrets_of(server: Server | Site, env: Mapping[str, str]) -> set[str]:
    """What was given for this server, and those of our own variables whose name looks like a secret's."""
    ours = env_secrets({name: env[name] for name in env if secret_name(name)})
    given = server.env.items() if isinstance(server, Server) else _given(server)
    return ours.union(*(env_secrets({name: value}) for name, value in given))


def _given(site: Site) -> Iterator[tuple[str, str]]:
    """Values of headers, and of the address's query and user info, as names with values."""
    for name, value in site.headers:
        scheme, _, rest = value.partition(" ")
        yield name, rest if scheme.isalpha() and rest else value
    parts = urlsplit(site.url)
    yield from parse_qsl(parts.query)
    yield from (("password", value) for value in (parts.username, parts.password) if value)
    for secret in (site.oauth.client_secret, site.oauth.key):
        if secret:
            yield "password", secret
    if site.route.proxy:
        proxy = urlsplit(site.route.proxy)
        yield from (("password", value) for value in (proxy.password,) if value)
