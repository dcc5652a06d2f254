"""Several servers side by side in one recording, as a host holds them: one client for each, each in a thread.

What only the host knows is its note at the end: the tools of all servers in one list, with the server's name before
a tool's where two have the same.
"""

import os
import re
import threading
import time
from collections import Counter
from collections.abc import Mapping

from flowgen.trace import Mask

from ._inbox import Clock, Event, Inbox
from ._live import Live, Place
from ._outcome import Ended, verdict
from ._recorder import Recorder, Sides
from ._session import Json, Recording, Server, Session, Site, Watch, started
from ._studio import secrets_of

_WORST_FIRST = (130, 3, 4, 1, 0)


class RecordedTogether:
    """A recording of several servers, ready to be made; used as a Recorded is. `command` is what was called."""

    def __init__(
        self, servers: Mapping[str, Server | Site], session: Session, command: list[str], watch: Watch | None = None
    ) -> None:
        began = time.monotonic()
        self._now: Clock = lambda: time.monotonic() - began
        self._servers = dict(servers)
        self._session = session
        self._watch = watch or Watch()
        self._inboxes: dict[str, Inbox] = {name: Inbox() for name in servers}
        secrets = set().union(*(secrets_of(server, os.environ) for server in servers.values()))
        self._mask = Mask(secrets, session.redact_keys, session.redact)
        self._recorder = Recorder(self._mask, command, session.plan.title)
        self._ended: dict[str, Ended] = {}
        self._live: dict[str, Live] = {}
        self._mistakes: list[BaseException] = []

    @property
    def about(self) -> dict[str, str]:
        """What would be started or visited, by the servers' names, without secrets."""
        return {
            name: self._mask.url(server.url) if isinstance(server, Site) else " ".join(self._mask.argv([*server.argv]))
            for name, server in self._servers.items()
        }

    def interrupt(self) -> None:
        """Ends all sessions; a second time, also the time that the servers are given to leave."""
        for inbox in self._inboxes.values():
            inbox.put(Event(self._now(), "interrupt"))

    def run(self) -> Recording:
        """Records all sessions."""
        sides = _sides(self._servers)
        for own in sides.values():
            self._recorder.enter(own.client, "client")
            self._recorder.enter(own.server, "server")
        threads = [threading.Thread(target=self._guarded, args=(name, sides[name]), daemon=True) for name in sides]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for mistake in self._mistakes:
            raise mistake
        self._merge()
        worst = min(self._ended.values(), key=lambda ended: _WORST_FIRST.index(ended.exit_code))
        document = self._recorder.document(worst.outcome({}))
        return Recording(document, worst.exit_code, list(self._verdicts(document)))

    def _guarded(self, name: str, sides: Sides) -> None:
        try:
            self._play(name, sides)
        except BaseException as mistake:  # raised again where somebody hears it
            self._mistakes.append(mistake)

    def _play(self, name: str, sides: Sides) -> None:
        server, inbox = self._servers[name], self._inboxes[name]
        place = Place(self._recorder, self._watch, inbox, self._now, sides)
        if isinstance(server, Site):
            from ._http_line import HttpLine

            line = HttpLine(server, self._mask, inbox, self._now)
            try:
                self._live[name] = live = Live(line, self._session, place, server.transport)
                self._ended[name] = live.played(self._now())
            finally:
                line.close()
        else:
            self._play_process(name, server, place)

    def _play_process(self, name: str, server: Server, place: Place) -> None:
        from ._pipe_line import PipeLine

        at = self._now()
        transport, error = started(server, place.inbox, self._now)
        try:
            self._live[name] = live = Live(PipeLine(server, transport), self._session, place)
            self._ended[name] = live.played(at) if error is None else live.failed(self._mask.text(error))
        except BaseException:
            transport.stop(hard=True)
            raise

    def _merge(self) -> None:
        """The host's note: one list of all tools."""
        tools = [
            (server, tool["name"])
            for server, live in self._live.items()
            for tool in live.client.listed.get("tools", ())
            if isinstance(tool.get("name"), str)
        ]
        taken = Counter(tool for _, tool in tools)
        merged: list[Json] = [
            {"name": tool if taken[tool] == 1 else f"{_plain(server)}_{tool}", "server": server, "tool": tool}
            for server, tool in tools
        ]
        part = {"kind": "note", "body": {"event": "merged-tools", "data": {"tools": merged}}}
        self._watch.message(self._recorder.seen(part, self._now(), "host", "host"))

    def _verdicts(self, document: Json) -> list[str]:
        lines = []
        for name, ended in self._ended.items():
            own = self._live[name].sides
            messages = [each for each in document["messages"] if set(own) & {each["sender"], each["receiver"]}]
            source = self._servers[name]
            named = {"url": source.url} if isinstance(source, Site) else {"command": list(source.argv)}
            shown = {**named, "messages": messages, "outcome": ended.outcome(self._live[name].exit)}
            lines += [f"{name}: {self._mask.text(line)}" for line in verdict(ended, shown)]
        return lines


def _sides(servers: Mapping[str, Server | Site]) -> dict[str, Sides]:
    """Ids that hold the server's name, each one once."""
    sides: dict[str, Sides] = {}
    for number, name in enumerate(servers, 1):
        plain = _plain(name) or str(number)
        taken = {side.server for side in sides.values()}
        plain = f"{plain}-{number}" if f"server-{plain}" in taken else plain
        sides[name] = Sides(f"client-{plain}", f"server-{plain}")
    return sides


def _plain(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-")
