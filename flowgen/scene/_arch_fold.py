"""Rows that are alike as one: a picture of hundreds of servers stays one that can be read.

Local servers fold by the program that starts them, remote ones by zone, and zones of one server each by kind. A
server with a grave finding keeps a row of its own, and so does one that changed or that a recording shows. Only the
picture folds; the document holds every server.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

from ._arch_model import Chain, Host, Line, Row, Stop
from ._clean import clean_line
from ._text import wrap_columns
from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import DataFlow, Node, Topology, Zone

MANY = 60  # servers that are drawn one by one
_LEAST = 3  # rows that are worth folding
_FEW = 12  # remote rows of one zone each that may stand by themselves
_NAMED, _COLUMNS = 5, 34  # names that a folded node shows, and how wide
_LONG = 24  # characters of a name


def folded(read: Chain, topology: "Topology", full: bool, how: Words) -> Chain:
    """The same rows, those alike folded if there are many and not all of them are asked for."""
    if full or sum(len(host.rows) for host in read.hosts) <= MANY:
        return read
    grave = {finding.server for finding in topology.findings if finding.severity == "high" and finding.server}
    grave |= {node.name or node.title for node in topology.nodes if node.change or node.seen not in (None, "never")}
    return read._replace(hosts=tuple(_host(host, grave, how) for host in read.hosts))


def _host(host: Host, grave: set[str], how: Words) -> Host:
    folder = _Folder(how)

    def may(row: Row) -> bool:
        return not row.stands_for and not any((node.name or node.title) in grave for node in row.servers)

    rows = folder.fold(host.rows, lambda row: _kind(row, by_zone=True) if may(row) else None)
    if sum(_is_far(row) for row in rows) > _FEW:
        rows = folder.fold(rows, lambda row: _kind(row, by_zone=False) if may(row) else None)
    return host._replace(rows=rows)


def _is_far(row: Row) -> bool:
    return row.far is not None


def _kind(row: Row, by_zone: bool) -> Hashable | None:
    """What rows must have in common to be folded; None for a row that stands alone."""
    if any(line.api or line.annex or line.below for line in row.lines):
        return None
    if (row.client and row.client.node.kind != "client") or (row.local is None and row.far is None):
        return None
    launcher = _launcher(row.local) if row.local else ""
    frame = row.local.zone.title if row.local and row.local.zone else ""
    return (
        row.disabled,
        row.local.node.kind if row.local else "",
        launcher,
        frame,
        len(row.lines),
        *_place(row, by_zone),
    )


def _place(row: Row, by_zone: bool) -> tuple[Hashable, ...]:
    if row.far is None:
        return ()
    zone, flow = row.far.zone, row.far.flow
    how = (flow.kind, flow.tls, *flow.label[1:]) if flow else ()  # the token, too
    return (zone.id if by_zone and zone else zone.kind if zone else "", row.far.again is None, *how)


def _launcher(stop: Stop) -> str:
    """The program that starts a server, the first word of its launch line; in a sandbox it is the sandbox."""
    if stop.zone or (stop.node.kind == "server" and stop.node.transport != "stdio"):
        return ""
    return stop.node.lines[0].split(" ")[0] if stop.node.lines else stop.node.title


class _Folder:
    """Makes one row of several, in the words of one language."""

    def __init__(self, how: Words) -> None:
        self.how = how

    def fold(self, rows: Iterable[Row], key: Callable[[Row], Hashable | None]) -> tuple[Row, ...]:
        """Rows of one key become one, where the first of them stood."""
        groups: dict[Hashable, list[Row]] = {}
        for at, row in enumerate(rows):
            found = key(row)
            groups.setdefault(("alone", at) if found is None else found, []).append(row)
        return tuple(
            row for group in groups.values() for row in (group if len(group) < _LEAST else [self.one(group)])
        )

    def one(self, rows: list[Row]) -> Row:
        """Their nodes counted, and the first of them named."""
        first, client = rows[0], rows[0].client
        if client and client.flow:
            client = client._replace(flow=client.flow.model_copy(update={"label": [self._count(len(rows))]}))
        local = self._stop([row.local for row in rows], named=first.far is None)
        far = self._stop([row.far for row in rows], named=True)
        lines = tuple(self._line(line, far if line.far is first.far else line.far) for line in first.lines)
        entries = {
            row.far.node.id if row.far else row.local.node.id if row.local else "": row for row in rows
        }
        return Row(client, local, lines, first.main, tuple(map(_entry, entries.values())))

    def _line(self, line: Line, far: Stop | None) -> Line:
        return line._replace(far=far) if line.far else line

    def _stop(self, stops: Iterable[Stop | None], named: bool) -> Stop | None:
        """The node that stands for several, in a frame for all of their zones."""
        found = [stop for stop in stops if stop]
        if not found:
            return None
        nodes = [stop.node for stop in found]
        launcher = _launcher(found[0])
        title = f"{launcher} × {len(nodes)}" if launcher else self._count(len(nodes))
        facts = [f"{badge} × {count}" for badge, count in _counted(nodes).items()]
        one = nodes[0].model_copy(
            update={"title": title, "lines": _names(nodes) if named else [], "badges": facts}
        )
        return found[0]._replace(node=one, flow=self._flow(found), zone=self._frame(found))

    def _flow(self, stops: Sequence[Stop]) -> "DataFlow | None":
        """The first one's, with the words that hold for all."""
        flow = stops[0].flow
        ways = {stop.flow.label[0] for stop in stops if stop.flow and stop.flow.label}
        if flow is None or len(ways) < 2:
            return flow
        way = self.how("arch.text.http-sse" if flow.kind == "sse" else "arch.text.post")
        return flow.model_copy(update={"label": [way, *flow.label[1:]]})

    def _frame(self, stops: Sequence[Stop]) -> "Zone | None":
        zones = {stop.zone.id: stop.zone for stop in stops if stop.zone}
        first = stops[0].zone
        if first is None or len(zones) < 2:
            return first
        title = first.title if first.kind == "sandbox" else self.how("arch.zones", n=len(zones))
        return first.model_copy(update={"title": title, "note": None})

    def _count(self, count: int) -> str:
        return self.how("arch.servers", n=count)


def _entry(row: Row) -> "Node":
    """The node that an entry of the file is known by: of a bridge the one behind it."""
    return [*row.servers][-1]


def _names(nodes: "list[Node]") -> list[str]:
    """The first names in lines, and how many there are beside them."""
    names = [clean_line(node.name or node.title, _LONG) for node in nodes]
    more = [f"+{len(names) - _NAMED}"] if len(names) > _NAMED else []
    return wrap_columns(", ".join([*names[:_NAMED], *more]), _COLUMNS)


def _counted(nodes: "list[Node]") -> dict[str, int]:
    found: dict[str, int] = {}
    for node in nodes:
        for badge in node.badges:
            if badge in (node.kind, "disabled"):
                continue  # the one node says that of itself
            found[badge] = found.get(badge, 0) + 1
    return found
