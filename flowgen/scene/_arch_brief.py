"""Rows of many servers without what is only likely: an authorization server that nobody has seen costs no row.

The line to its server says so in a word, the Client in its tip, and one note below tells how many there are. The
document holds every one of them.
"""

from typing import TYPE_CHECKING

from ._arch_both import both_of
from ._arch_model import Chain, Line, Row
from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import DataFlow

_NO_TOKEN = frozenset(["no token in the file", "no token"])
COMPACT = 25  # rows from which nodes have one line


def is_compact(read: Chain) -> bool:
    """Whether there are so many rows that each takes little room."""
    return sum(len(host.rows) for host in read.hosts) >= COMPACT


def brief(read: Chain, how: Words) -> Chain:
    """The same rows, without inferred authorization servers if there are many; `asked` counts those."""
    if not is_compact(read):
        return read
    hosts = tuple(host._replace(rows=tuple(_row(row, how) for row in host.rows)) for host in read.hosts)
    return read._replace(hosts=hosts, asked=sum(row.asked for host in hosts for row in host.rows))


def _row(row: Row, how: Words) -> Row:
    lines = tuple(line for line in row.lines if not _is_likely(line))
    if len(lines) == len(row.lines) or not lines or row.lines[row.main] not in lines:
        return row
    told = lines if row.disabled else tuple(_told(line, row, how) for line in lines)
    return row._replace(lines=told, main=lines.index(row.lines[row.main]), asked=True)


def _is_likely(line: Line) -> bool:
    """Whether it leads to an authorization server that is inferred."""
    flow = line.login.flow if line.login else None
    return flow is not None and flow.evidence is not None and flow.evidence.kind == "inferred"


def _told(line: Line, row: Row, how: Words) -> Line:
    """The line to the row's server, with the word on it."""
    if line.far is None or line.far is not row.far or line.far.flow is None:
        return line
    return line._replace(far=line.far._replace(flow=_with_word(line.far.flow, how)))


def _with_word(flow: "DataFlow", how: Words) -> "DataFlow":
    """In the place of the token, where none is told."""
    if not set(flow.label[1:]) <= _NO_TOKEN:
        return flow
    return flow.model_copy(update={"label": [*flow.label[:1], both_of("arch.asked", how)]})
