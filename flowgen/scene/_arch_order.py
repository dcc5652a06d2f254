"""The order of rows: local servers as in the file, then the remote ones zone by zone; what is disabled comes last.

Zones stay in one piece, and a server that two neighbouring hosts share is the last row of one and the first of the
other, so that it can be drawn once, over both.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from ._arch_model import Chain, Host, Line, Row, Stop

_Group = list[Row]


def ordered(chain: Chain) -> Chain:
    """The same rows in the order in which they are drawn."""
    shared = [None, *_shared(chain.hosts), None]
    hosts = [_host(host, shared[at], shared[at + 1]) for at, host in enumerate(chain.hosts)]
    return chain._replace(hosts=tuple(_told(hosts)))


def _shared(hosts: Sequence[Host]) -> list[str | None]:
    """For every host but the last the server that it shares with the next one and that is drawn over both."""
    found: list[str | None] = []
    for one, other in pairwise(hosts):
        here = {row.far.node.id for row in one.rows if row.far} if one.base is other.base else set()
        both = (row.far.node.id for row in other.rows if row.far and row.far.node.id in here)
        found.append(next((name for name in both if not found or name != found[-1]), None))
    return found


def _host(host: Host, above: str | None, below: str | None) -> Host:
    local = _sorted([row for row in host.rows if not _zones(row)], lambda row: _zone(row.local) or id(row))
    groups = _groups([row for row in host.rows if _zones(row)], lambda row: _zones(row)[0])
    first = [group for group in groups if _has(group, above)]
    last = [group for group in groups if _has(group, below) and group not in first]
    between = [row for group in groups if group not in first and group not in last for row in _inside(group)]
    upper = [row for group in first for row in _moved(_inside(group), above, -1)]
    lower = [
        _flipped(row) if _is(row, below) else row
        for group in last
        for row in _moved(_inside(group), below, 1)
    ]
    middle = [*between, *local] if upper else [*local, *between]
    return host._replace(rows=(*upper, *middle, *lower))


def _groups(rows: Iterable[Row], key: Callable[[Row], object]) -> list[_Group]:
    """Rows with the same key together, in the order of first appearance; groups that are wholly disabled last."""
    found: dict[object, _Group] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return sorted(found.values(), key=lambda group: all(row.disabled for row in group))


def _sorted(rows: list[Row], key: Callable[[Row], object]) -> list[Row]:
    return [row for group in _groups(rows, key) for row in sorted(group, key=lambda row: row.disabled)]


def _inside(group: _Group) -> list[Row]:
    """A zone's rows: those of one server beside each other, those that lead to another zone at the end."""
    rows = [
        row for same in _groups(group, lambda row: row.far.node.id if row.far else id(row)) for row in same
    ]
    return sorted(rows, key=lambda row: (len(set(_zones(row))) > 1, row.disabled))


def _zones(row: Row) -> list[str]:
    """The zones in which its lines end."""
    return [_zone(line.far) or "" for line in row.lines if line.far]


def _zone(stop: Stop | None) -> str | None:
    return stop.zone.id if stop and stop.zone else None


def _is(row: Row, server: str | None) -> bool:
    return server is not None and row.far is not None and row.far.node.id == server


def _has(group: _Group, server: str | None) -> bool:
    return any(_is(row, server) for row in group)


def _moved(rows: list[Row], server: str | None, end: int) -> list[Row]:
    """The rows of a server moved to one end, -1 the first and 1 the last."""
    return sorted(rows, key=lambda row: end * _is(row, server))


def _flipped(row: Row) -> Row:
    """The row with its authorization lines above the main one, so that its server may go on below."""
    login = [line for line in row.lines if line.far and line.far.node.kind == "auth"]
    others = [line for line in row.lines if line not in login]
    return row._replace(lines=(*login, *others), main=len(login))


def _told(hosts: Iterable[Host]) -> Iterable[Host]:
    """Every node that cannot be drawn over all of its rows says in which host it stands already."""
    known: dict[str, str] = {}
    last: dict[str, str] = {}

    def seen(stop: Stop | None, column: str, host: str) -> Stop | None:
        if stop is None:
            return None
        name = stop.node.id
        again = known.get(name) if last.get(column) != name and stop.node.kind != "auth" else None
        known.setdefault(name, host)
        last[column] = name
        return stop._replace(again=again) if again is not None else stop

    for host in hosts:
        title = host.zone.title if host.zone else ""
        rows = []
        for row in host.rows:
            local = seen(row.local, "local", title) if row.local else None
            lines = tuple(_line_told(line, title, seen) for line in row.lines)
            rows.append(row._replace(local=local, lines=lines))
            last["local"] = ""
        if not any(line.far for row in rows for line in row.lines):
            last.clear()  # no node is drawn over a whole host that has nothing to do with it
        yield host._replace(rows=tuple(rows))


def _line_told(line: Line, title: str, seen: Callable[[Stop | None, str, str], Stop | None]) -> Line:
    return line._replace(far=seen(line.far, "far", title), api=seen(line.api, "api", title))
