"""Rows with everything in them measured: boxes of nodes and labels of data flows, still without a place."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ._arch_brief import is_compact
from ._arch_findings import Marks, Place, leaders
from ._arch_model import Chain, Host, Line, Row, Stop
from ._arch_nodes import Box, Mark, box_of
from ._arch_said import said
from ._arch_ways import Way, way_of
from ._arch_words import second_of, zone_name
from ._clean import clean_line
from ._text import shorten_columns
from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import DataFlow, Node, Zone

_SHARED = re.compile("one server, .+ hosts")
_SCOPE = 22  # columns of the project that a server is for
_TRANSPORTS = {"stdio": "stdio", "ssh": "stdio", "http": "http", "sse": "sse", "socket": "socket"}


class SizedLine(NamedTuple):
    """A line of a row. `goes_on` tells that its far node is that of the row above, `shared` that it goes on below.

    `own` leads to `api`, `near` to `annex`, `down` to `below`.
    """

    leaves: str
    way: Way | None = None
    far: Box | None = None
    zone: "Zone | None" = None
    goes_on: bool = False
    shared: bool = False
    own: Way | None = None
    api: Box | None = None
    api_zone: "Zone | None" = None
    api_goes_on: bool = False
    near: Way | None = None
    annex: Box | None = None
    annex_zone: "Zone | None" = None
    below: Box | None = None
    below_zone: "Zone | None" = None
    down: Way | None = None


class SizedRow(NamedTuple):
    """A row. `off` tells that nothing of it is started; `port` is written where its line meets a shared server."""

    client: Box | None
    call: Way | None
    local: Box | None
    near: Way | None
    sandbox: "Zone | None"
    lines: tuple[SizedLine, ...]
    main: int
    off: bool
    port: str


class SizedHost(NamedTuple):
    """A host and its rows; `marks` are those of findings that are about its file."""

    zone: "Zone | None"
    base: "Zone | None"
    model: Box | None
    approval: Way | None
    rows: tuple[SizedRow, ...]
    marks: tuple[Mark, ...]


class Sizer:
    """Measures the rows of a chain in one language."""

    def __init__(self, chain: Chain, marks: Marks, how: Words) -> None:
        self.chain = chain
        self.marks = marks
        self.how = how
        self.compact = is_compact(chain)
        self.led, _ = leaders(chain.hosts)
        self.speakers = self._speakers()
        self.last: dict[str, str] = {}
        self.count = 0

    def person(self) -> Box | None:
        """The person's box."""
        node = self.chain.person
        return (
            box_of(node, "person", self.how, lines=node.lines or [self.how("arch.text.approves-calls")])
            if node
            else None
        )

    def hosts(self) -> tuple[SizedHost, ...]:
        """All hosts, from top to bottom."""
        return tuple(self._host(at, host) for at, host in enumerate(self.chain.hosts))

    def _speakers(self) -> dict[tuple[int, int], set[int]]:
        """For rows whose far node goes on in further rows: the hosts that speak to it."""
        found: dict[tuple[int, int], set[int]] = {}
        for row, lead in self.led.items():
            found.setdefault(lead, {lead[0]}).add(row[0])
        return found

    def _host(self, at: int, host: Host) -> SizedHost:
        model = self._model(host.model.node) if host.model else None
        flow = host.model.flow if host.model else None
        approval = way_of(flow, self.how) if flow else None
        self.count = 0
        rows = tuple(self._row(at, row_at, row, host) for row_at, row in enumerate(host.rows))
        return SizedHost(host.zone, host.base, model, approval, rows, tuple(self.marks.frames.get(at, ())))

    def _model(self, node: "Node") -> Box:
        """As high as a Client at most, whose line it stands on."""
        return box_of(node, "model", self.how, lines=node.lines[:1])

    def _row(self, at: int, row_at: int, row: Row, host: Host) -> SizedRow:
        off = row.disabled

        def marks(place: Place) -> Sequence[Mark]:
            return self.marks.on(at, row_at, place)

        local = self._local(row, marks("local")) if row.local else None
        near = way_of(row.local.flow, self.how, local=True, off=off) if row.local and row.local.flow else None
        lines = tuple(self._line(line, row, (at, row_at), off) for line in row.lines)
        return SizedRow(
            self._client(row, marks("client")), self._call(row, off), local, near,
            row.local.zone if row.local else None, lines, row.main, off, self._port(at, row_at, host),
        )  # fmt: skip

    def _port(self, at: int, row_at: int, host: Host) -> str:
        lead = self.led.get((at, row_at), (at, row_at))
        if len(self.speakers.get(lead, ())) < 2 or host.zone is None:
            return ""
        return second_of(self.how("arch.from", host=zone_name(host.zone)), self.how)

    # Nodes

    def _client(self, row: Row, marks: Sequence[Mark]) -> Box | None:
        if row.client is None:
            return None
        node = row.client.node
        if node.kind != "client":
            told = node.lines or [self.how("arch.text.built-into-the-host")]
            return self._box(node, "server", lines=told, marks=marks)
        self.count += len(row.stands_for) or 1
        number = self.how("arch.client", n=self.count)
        title = self.how("arch.clients", n=len(row.stands_for)) if row.stands_for else number
        shown = _as_its_server(node, row)
        return self._box(
            shown, "client", title=_own_title(node) or title, lines=[*self._speaks(row)], marks=marks
        )

    def _speaks(self, row: Row) -> Iterator[str]:
        """The lines of a Client: its transport, what it has to do with OAuth, the project that it is for."""
        main = row.lines[row.main].far
        flow = row.local.flow if row.local else main.flow if main else None
        if flow and flow.kind in _TRANSPORTS:
            yield self.how(f"arch.transport.{_TRANSPORTS[flow.kind]}")
        logins = [line.login for line in row.lines if line.leaves == "client" and line.login]
        if logins:
            inferred = all(_inferred(stop.flow) for stop in logins)
            yield self.how("arch.oauth.asked" if inferred else "arch.oauth.client")
        elif row.asked:
            yield self.how("arch.oauth.asked")
        if row.client and row.client.node.scope:
            yield shorten_columns(clean_line(row.client.node.scope, 200), _SCOPE, "middle")

    def _local(self, row: Row, marks: Sequence[Mark]) -> Box:
        assert row.local is not None
        node, lines = row.local.node, [*row.local.node.lines]
        if node.kind == "gateway" and not any(line.far or line.annex for line in row.lines):
            seen = node.evidence is not None and node.evidence.kind == "trace"
            unknown = self.how(f"arch.text.its-servers-not-in-this-{'recording' if seen else 'file'}")
            lines += [] if lines and said(lines[-1], self.how) == unknown else [unknown]
        return self._box(
            node, node.kind, lines=[*lines, *self._again(row.local)], marks=marks, folded=bool(row.stands_for)
        )

    def _again(self, stop: Stop) -> list[str]:
        if stop.again is None:
            return []
        return [self.how("arch.again", host=clean_line(stop.again, 60))]

    def _box(
        self, node: "Node", kind: str, *, title: str | None = None, lines: Sequence[str] | None = None,
        marks: Sequence[Mark] = (), folded: bool = False,
    ) -> Box:  # fmt: skip
        compact = self.compact and not folded
        return box_of(node, kind, self.how, title=title, lines=lines, marks=marks, compact=compact)

    # Lines

    def _call(self, row: Row, off: bool) -> Way | None:
        flow = row.client.flow if row.client else None
        if flow is None:
            return None
        server = next(row.servers, None)
        name = (server.name or server.title) if server else ""
        return way_of(flow, self.how, off=off, usual=[name] if name else None)

    def _line(self, line: Line, row: Row, at: tuple[int, int], off: bool) -> SizedLine:
        known: dict[str, Any] = self._far(line.far, row, at, off) if line.far else {}
        if line.api:
            goes_on = self._goes_on("api", line.api)
            known |= {
                "api": None if goes_on else self._beyond(line.api), "api_zone": line.api.zone, "api_goes_on": goes_on,
                "own": way_of(line.api.flow, self.how, line.api.zone, off=off) if line.api.flow else None,
            }  # fmt: skip
        if line.annex:
            flow = line.annex.flow
            known |= {
                "annex": self._beyond(line.annex), "annex_zone": line.annex.zone,
                "near": way_of(flow, self.how, local=True, off=off) if flow else None,
            }  # fmt: skip
        if line.below:
            flow = line.below.flow
            known |= {
                "below": self._beyond(line.below), "below_zone": line.below.zone,
                "down": way_of(flow, self.how, local=True, off=off) if flow else None,
            }  # fmt: skip
        return SizedLine(line.leaves, **known)

    def _far(self, stop: Stop, row: Row, at: tuple[int, int], off: bool) -> dict[str, Any]:
        goes_on = self._goes_on("far", stop)
        way = way_of(stop.flow, self.how, stop.zone, off=off) if stop.flow else None
        own = row.far is stop
        marks = self.marks.on(*at, "far") if own else ()
        box = None if goes_on else self._far_box(stop, marks, at, row)
        return {
            "way": way,
            "far": box,
            "zone": stop.zone,
            "goes_on": goes_on,
            "shared": own and at in self.speakers,
        }

    def _goes_on(self, column: str, stop: Stop) -> bool:
        """Whether a node stands in its column already, right above."""
        same = self.last.get(column) == stop.node.id and stop.again is None
        self.last[column] = stop.node.id
        return same and stop.node.kind != "auth"

    def _far_box(self, stop: Stop, marks: Sequence[Mark], at: tuple[int, int], row: Row) -> Box:
        node = stop.node
        hosts = len(self.speakers.get(at, ())) if row.far is stop else 0
        shared = [self.how("arch.shared.two" if hosts == 2 else "arch.shared", n=hosts)] if hosts > 1 else []
        told = [
            line
            for line in node.lines
            if not ((shared or stop.again is not None) and _SHARED.fullmatch(line))
        ]
        kind = "remote" if node.kind == "server" else node.kind
        folded = bool(row.stands_for) and row.far is stop
        return self._box(node, kind, lines=[*told, *shared, *self._again(stop)], marks=marks, folded=folded)

    def _beyond(self, stop: Stop) -> Box:
        node = stop.node
        return self._box(
            node, "remote" if node.kind == "server" else node.kind, lines=[*node.lines, *self._again(stop)]
        )


def _as_its_server(node: "Node", row: Row) -> "Node":
    """A Client is drawn as its server is: not started where that is disabled."""
    return node.model_copy(update={"disabled": True}) if row.disabled and not node.disabled else node


def _own_title(node: "Node") -> str | None:
    """The title of a Client, where it says more than which one it is."""
    plain = node.title.strip()
    usual = {"", "client", (node.name or "").lower(), node.id.lower(), f"client {node.name}".lower()}
    return None if plain.lower() in usual or plain.lower().removeprefix("client ").isdigit() else plain


def _inferred(flow: "DataFlow | None") -> bool:
    return flow is not None and flow.evidence is not None and flow.evidence.kind == "inferred"


def all_rows(hosts: Iterable[SizedHost]) -> Iterator[SizedRow]:
    """The rows of all hosts, from top to bottom."""
    for host in hosts:
        yield from host.rows
