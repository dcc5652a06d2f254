"""Several servers side by side in one recording, as a host holds them: one client for each, each in a thread.

One that cannot be started, reached or spoken with does not keep the others from going on; the outcome tells which it
was. What only the host knows is its note: the tools of all servers in one list, with the server's name before a
tool's where two have the same. A plan is played in its order, each step by the servers that it is for.
"""

import os
import threading
import time
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from flowgen import protocol
from flowgen.trace import Mask

from ._host import Host
from ._inbox import Clock, Event, Inbox
from ._live import Live, Place
from ._outcome import Ended, verdict
from ._recorder import Recorder, Sides
from ._session import Json, Recording, Server, Session, Site, Watch, started
from ._studio import secrets_of
from ._words import printable

_WORST_FIRST = (130, 3, 4, 1, 0)  # the contract's table from the top; 2 started nothing


class Unready(NamedTuple):
    """A server that cannot be tried, such as one whose config names a variable that there is not."""

    why: str
    hint: str = ""


class RecordedTogether:
    """A recording of several servers, ready to be made; used as a Recorded is. `command` is what was called."""

    def __init__(
        self,
        servers: Mapping[str, Server | Site | Unready],
        session: Session,
        command: list[str],
        watch: Watch | None = None,
    ) -> None:
        began = time.monotonic()
        self._now: Clock = lambda: time.monotonic() - began
        self._servers = dict(servers)
        self._sides = _sides(self._servers)
        self._session = session._replace(plan=session.plan._replace(opening=None))
        self._watch = watch or Watch()
        self._inboxes: dict[str, Inbox] = {name: Inbox() for name in servers}
        ready = [server for server in servers.values() if not isinstance(server, Unready)]
        secrets = set[str]().union(*(secrets_of(server, os.environ) for server in ready))
        self._mask = Mask(secrets, session.redact_keys, session.redact)
        self._recorder = Recorder(self._mask, command, session.plan.title)
        if session.plan.opening is not None:
            self._recorder.band(session.plan.opening)
        self._ended: dict[str, Ended] = {}
        self._live: dict[str, Live] = {}
        self._merged: list[Json] | None = None
        self._mistakes: list[BaseException] = []
        self._turns = protocol.by_turns(session.plan.steps)
        self._host = Host(
            list(servers), session.plan.steps, self._listed, self._merge, self._recorder.band, self._watch.warn
        )

    @property
    def about(self) -> dict[str, str]:
        """What would be started or visited, by the servers' names, without secrets."""
        return {name: self._about(server) for name, server in self._servers.items()}

    def interrupt(self) -> None:
        """Ends all sessions; a second time, also the time that the servers are given to leave."""
        for inbox in self._inboxes.values():
            inbox.put(Event(self._now(), "interrupt"))

    def run(self) -> Recording:
        """Records all sessions."""
        for own in self._sides.values():
            self._recorder.enter(own.client, "client")
            self._recorder.enter(own.server, "server")
        threads = [threading.Thread(target=self._guarded, args=(name,), daemon=True) for name in self._servers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for mistake in self._mistakes:
            raise mistake
        self._merge()
        ended = [self._ended[name] for name in self._servers]
        worst = min(ended, key=lambda each: _WORST_FIRST.index(each.exit_code))
        document = self._recorder.document({**worst.outcome({}), **self._failures()})
        return Recording(document, worst.exit_code, list(self._verdicts(document)))

    # one session

    def _guarded(self, name: str) -> None:
        try:
            self._ended[name] = self._played(name, self._servers[name])
        except BaseException as mistake:  # raised again where somebody hears it
            self._mistakes.append(mistake)
        finally:
            self._host.leave(name)

    def _played(self, name: str, server: Server | Site | Unready) -> Ended:
        place = Place(self._recorder, self._watching(name), self._inboxes[name], self._now, self._sides[name])
        if isinstance(server, Unready):
            part = {"kind": "process", "body": {"event": "start-failed", "error": server.why}}
            self._watch.message(self._recorder.seen(part, self._now(), *self._sides[name]))
            return Ended(start_error=server.why, start_hint=server.hint)
        return self._visited(name, server, place) if isinstance(server, Site) else self._ran(name, server, place)

    def _watching(self, name: str) -> Watch:
        """The onlooker, told which server words are about."""
        warn, named = self._watch.warn, printable(name, 40)
        return self._watch._replace(warn=lambda text: warn(f"{named}: {text}"))

    def _visited(self, name: str, site: Site, place: Place) -> Ended:
        from ._http_line import HttpLine

        line = HttpLine(site, self._mask, place.inbox, self._now)
        try:
            live = self._joined(name, Live(line, self._session, place, site.transport))
            return live.played(self._now())
        finally:
            line.close()

    def _ran(self, name: str, server: Server, place: Place) -> Ended:
        from ._pipe_line import PipeLine

        at = self._now()
        transport, error = started(server, place.inbox, self._now)
        try:
            live = self._joined(name, Live(PipeLine(server, transport), self._session, place))
            return live.played(at) if error is None else live.failed(self._mask.text(error))
        except BaseException:
            transport.stop(hard=True)
            raise

    def _joined(self, name: str, live: Live) -> Live:
        """The session, with what it knows of the others."""
        live.client.hosted, live.client.turns = name, self._turns
        live.driver.turn_of = partial(self._arrived, name)
        self._live[name] = live
        return live

    def _arrived(self, name: str, number: int, ticket: int) -> None:
        inbox = self._inboxes[name]
        self._host.arrive(name, number, lambda step: inbox.put(Event(self._now(), "reply", (ticket, step))))

    # what only the host knows

    def _listed(self) -> "dict[str, protocol.Lists]":
        return {name: self._live[name].client.listed if name in self._live else {} for name in self._servers}

    def _merge(self) -> None:
        """The host's note: one list of all tools, when it is first needed and whenever it is another one."""
        tools: list[Json] = [
            {"name": offer.name, "server": offer.server, "tool": offer.own}
            for offer in protocol.merged("tools", self._listed())
        ]
        if tools != self._merged:
            self._merged = tools
            part = {"kind": "note", "body": {"event": "merged-tools", "data": {"tools": tools}}}
            self._watch.message(self._recorder.seen(part, self._now(), "host", "host"))

    # how it ended

    def _about(self, server: Server | Site | Unready) -> str:
        if isinstance(server, Unready):
            return f"cannot be tried: {self._mask.text(server.why)}"
        return self._mask.url(server.url) if isinstance(server, Site) else " ".join(self._mask.argv([*server.argv]))

    def _exit(self, name: str) -> Json:
        return self._live[name].exit if name in self._live else {}

    def _failures(self) -> Json:
        """Which servers' sessions did not run to their end, and why."""
        failed = [
            {"id": self._sides[name].server, "name": name, "reason": ended.reason, **self._exit(name)}
            for name, ended in ((name, self._ended[name]) for name in self._servers)
            if ended.exit_code
        ]
        return {"servers": failed} if failed else {}

    def _verdicts(self, document: Json) -> list[str]:
        lines = []
        for name, server in self._servers.items():
            ended, own = self._ended[name], set(self._sides[name])
            messages = [each for each in document["messages"] if own & {each["sender"], each["receiver"]}]
            shown = {**_source(name, server), "messages": messages, "outcome": ended.outcome(self._exit(name))}
            lines += [self._mask.text(_named(line, printable(name, 40))) for line in verdict(ended, shown)]
        return lines


def _source(name: str, server: Server | Site | Unready) -> Json:
    match server:
        case Site(url):
            return {"url": url}
        case Server(argv):
            return {"command": list(argv)}
    return {"command": [name]}


def _named(line: str, name: str) -> str:
    """A line of a verdict, telling whose it is."""
    for start in ("flowgen: ", "hint: "):
        if line.startswith(start):
            return f"{start}{name}: {line.removeprefix(start)}"
    return line


def _sides(servers: Mapping[str, object]) -> dict[str, Sides]:
    """Ids that hold the server's name, each one once."""
    sides: dict[str, Sides] = {}
    for number, name in enumerate(servers, 1):
        plain = protocol.plain(name) or str(number)
        taken = {side.server for side in sides.values()}
        plain = f"{plain}-{number}" if f"server-{plain}" in taken else plain
        sides[name] = Sides(f"client-{plain}", f"server-{plain}")
    return sides
