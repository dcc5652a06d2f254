"""The rows of an architecture picture as values: hosts, rows, lines and the nodes where they stop."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from flowgen.topology import DataFlow, Node, Zone

SERVERS = frozenset(["server", "bridge", "gateway"])

Leaves = Literal["client", "local", "far"]  # the node of a row that a line leaves from


class Stop(NamedTuple):
    """A node, and the data flow by which a row comes to it; `zone` is the frame around the node in its column.

    `again` names the host in which the same node stands already, where it has to be drawn once more.
    """

    node: "Node"
    flow: "DataFlow | None" = None
    zone: "Zone | None" = None
    again: str | None = None


class Line(NamedTuple):
    """One of a row's lines to the right. `far` stands in the column of zones, `api` right of it, `annex` beside the
    local server, `below` under it. A line that leaves from `far` goes on from the node of a line above.
    """

    leaves: Leaves
    far: Stop | None = None
    api: Stop | None = None
    annex: Stop | None = None
    below: Stop | None = None

    @property
    def login(self) -> Stop | None:
        """The authorization server that it leads to."""
        return next((stop for stop in (self.far, self.below) if stop and stop.node.kind == "auth"), None)


class Row(NamedTuple):
    """One Client and all that hangs on it. `main` is the line that the tool call stands on.

    `client` may be a built-in server, or missing. `stands_for` are the servers that were folded into this row, `asked`
    tells that an authorization server which is only likely was left out.
    """

    client: Stop | None = None
    local: Stop | None = None
    lines: tuple[Line, ...] = (Line("client"),)
    main: int = 0
    stands_for: tuple["Node", ...] = ()
    asked: bool = False

    @property
    def far(self) -> Stop | None:
        """The first node in the column of zones that is no authorization server."""
        return next((line.far for line in self.lines if line.far and line.far.node.kind != "auth"), None)

    @property
    def servers(self) -> "Iterator[Node]":
        """The servers, bridges and gateways of the row, those that were folded into it too."""
        yield from self.stands_for
        for stop in (self.client, self.local, *(line.far for line in self.lines)):
            if stop and stop.node.kind in SERVERS and not self.stands_for:
                yield stop.node

    @property
    def disabled(self) -> bool:
        """Whether nothing of it is started."""
        found = [*self.servers]
        return bool(found) and all(node.disabled for node in found)


class Host(NamedTuple):
    """A host's frame and what stands in it. `base` is the outermost zone around it, the machine."""

    zone: "Zone | None"
    base: "Zone | None"
    model: Stop | None
    rows: tuple[Row, ...]


class Chain(NamedTuple):
    """The whole document; `whole` tells that rows show all of it, zones inside of zones too. `asked` counts the rows
    without an authorization server that is only likely.
    """

    person: "Node | None"
    hosts: tuple[Host, ...]
    undrawn: "tuple[DataFlow, ...]"
    whole: bool
    asked: int = 0
