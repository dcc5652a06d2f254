"""A recording of what a program said and heard itself, where no tool stood between: messages, times, nothing else."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple

from flowgen.version import __version__

if TYPE_CHECKING:
    from flowgen.trace import Trace

_SENDERS = {"client": "client->server", "server": "server->client"}
_UNTOLD = ["heads", "stderr"]  # what messages alone do not tell


class Spoken(NamedTuple):
    """A message as JSON: when in seconds since 1970, and who sent it."""

    at: float
    sender: Literal["client", "server"]
    text: str


def spoken(messages: Iterable[Spoken], title: str | None = None) -> "Trace":
    """The recording of messages in their order; secrets are masked, transport and heads are not made up. Raises
    TraceError where there is none.

    >>> said = flowgen.api.Spoken(0.0, "client", '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}')
    >>> [message.kind for message in flowgen.api.spoken([said]).messages]
    ['request']
    """
    from ._traces import load

    rows = (
        json.dumps({"ts": each.at, "direction": _SENDERS[each.sender], "transport": "stdio", "raw": each.text})
        for each in messages
    )
    trace = load("\n".join(rows).encode(), "messages", source_format="capture")
    plain = [message.model_copy(update={"transport": None}) for message in trace.messages]
    told = {"recorder": f"flowgen {__version__}", "missing": _UNTOLD, "messages": plain, "title": title}
    return trace.model_copy(update=told)
