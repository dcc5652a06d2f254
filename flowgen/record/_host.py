"""Whose turn it is, where one plan is for several servers: what the host decides between its clients.

Every session comes to each step of the plan; the step begins when all are there whose session is not over, and is
then for one of them, or for all. So steps follow one another as written, whatever server each is for.
"""

import threading
from collections.abc import Callable, Mapping, Sequence

from flowgen import protocol

Tell = Callable[["protocol.Step | None"], None]


class Host:
    """Holds the sessions, by their servers' names, to one order.

    `listed` gives what each server lists so far, `merge` notes the one list of tools before it is first needed,
    `band` opens a band that all of them stand in, `warn` says why a step is for nobody.
    """

    def __init__(
        self,
        servers: Sequence[str],
        steps: "Sequence[protocol.Step]",
        listed: "Callable[[], Mapping[str, protocol.Lists]]",
        merge: Callable[[], None],
        band: Callable[[str], None],
        warn: Callable[[str], None],
    ) -> None:
        self._lock = threading.Lock()
        self._playing = list(servers)
        self._steps = steps
        self._listed = listed
        self._merge = merge
        self._band = band
        self._warn = warn
        self._before = tuple(servers)
        self._waiting: dict[str, tuple[int, Tell]] = {}

    def arrive(self, server: str, number: int, tell: Tell) -> None:
        """A session has come to this step; it is told what to do as soon as all are there."""
        with self._lock:
            self._waiting[server] = number, tell
            self._begin()

    def leave(self, server: str) -> None:
        """A session is over: nobody waits for it."""
        with self._lock:
            self._playing.remove(server)
            self._waiting.pop(server, None)
            self._begin()

    def _begin(self) -> None:
        if not self._playing or any(server not in self._waiting for server in self._playing):
            return
        waiting, self._waiting = self._waiting, {}
        number = min(number for number, _ in waiting.values())
        given = self._given(self._steps[number - 1])
        for server, (_, tell) in waiting.items():
            tell(given.get(server))

    def _given(self, step: "protocol.Step") -> "dict[str, protocol.Step]":
        """What each server's session does in this step."""
        if protocol.for_one(step):
            self._merge()
        found = self._found(step)
        if found.problem:
            self._warn(found.problem)
            return {}
        self._before = found.servers
        first, *others = [server for server in found.servers if server in self._playing] or [""]
        untitled = found.step._replace(title=None)
        if others and step.title is not None and step.action != "wait":
            self._band(step.title)
            return dict.fromkeys((first, *others), untitled)
        return {first: found.step, **dict.fromkeys(others, untitled)}

    def _found(self, step: "protocol.Step") -> "protocol.Routed":
        listed = self._listed()
        found = protocol.routed(step, listed, self._before)
        if not protocol.for_one(step):
            return found
        if found.problem:
            return found._replace(problem=f"{found.problem}: left out")
        gone = [server for server in found.servers if server not in self._playing]
        problem = f"`{step.name}` is of {gone[0]}, whose session is over: left out" if gone else ""
        return found._replace(problem=problem)
