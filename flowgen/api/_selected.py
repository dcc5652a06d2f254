"""One server's part of a recording that holds several, taken while it is read."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from flowgen.errors import UsageError

if TYPE_CHECKING:
    from flowgen.foreign import Reading as ForeignReading
    from flowgen.trace import Message, Participant, Reading, Trace

_SERVERS = ("server", "gateway")


class Selected:
    """A reading without the messages of other servers; `server` is a name as people call it: without its version."""

    def __init__(self, reading: "Reading | ForeignReading", server: str, name: str) -> None:
        self._reading = reading
        self._wanted = server.casefold()
        self._server = server
        self._name = name

    def batches(self) -> "Iterator[list[Message]]":
        """Its messages, so many at a time. Raises UsageError at the end where there is no such server."""
        for batch in self._reading.batches():
            ids = self._ids()
            yield [message for message in batch if {message.sender, message.receiver} & ids]
        if not self._ids():
            names = ", ".join(dict.fromkeys(names_of(who)[0] for who in self._servers()))
            raise UsageError(f"{self._name}: no server is called {self._server!r}", f"there are: {names}")

    def finished(self, messages: "list[Message]") -> "Trace":
        """The recording with these of its messages, and who speaks in them."""
        trace = self._reading.finished(messages)
        ids = self._ids().union(*({message.sender, message.receiver} for message in messages))
        people = [who for who in trace.participants if who.id in ids]
        return trace.model_copy(update={"participants": people})

    def _servers(self) -> "list[Participant]":
        return [who for who in self._reading.participants if who.role in _SERVERS]

    def _ids(self) -> set[str]:
        """The server's, and those of the clients that speak with it alone, which recorders call alike."""
        own = [who.id for who in self._servers() if self._wanted in names_of(who)]
        ends = [id_.removeprefix("server") for id_ in own if id_.startswith("server-")]
        clients = [who.id for who in self._reading.participants if who.role == "client"]
        of_it = {id_ for id_ in clients for end in ends if f"{id_}-".startswith(f"client{end}-")}
        return {*own, *of_it}


def names_of(who: "Participant") -> tuple[str, ...]:
    """What a server may be called by: the name that a log gave it, its own with and without its version, its id."""
    title = (who.title or "").casefold()
    names = (who.id.removeprefix("server-"), title.rpartition(" ")[0], title, who.id)
    return tuple(dict.fromkeys(name.casefold() for name in names if name))
