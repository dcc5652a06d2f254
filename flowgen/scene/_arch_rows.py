"""Rows packed: every node as high as clients, local servers, zones and upstream above it allow. Only y's are found.

Each column remembers how far down it is full. A row stands where all of its columns have room; a Client, a bridge or a
shared server spans the lines that leave or reach it, and a zone is as high as what stands in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._arch_columns import Column, Columns
from ._arch_nodes import Box
from ._arch_sizes import SizedHost, SizedLine, SizedRow
from ._arch_tracks import NOTE_LINE, Head, Pair, Put, Run, Spot
from ._arch_words import zone_lines, zone_note, zone_title
from ._text import width
from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import Zone

TOP = 92  # y of the first frame
_GAP, _COMPACT_GAP = 14, 8  # between nodes of a column
_PAD, _COMPACT_PAD = 23, 15  # px that a node of several lines reaches beyond the first and the last
_BASE_HEAD, _BARE_HEAD = 46, 32  # from a machine's frame to that of a host, with a note and without
_HOST_HEAD, _HOST_HEAD_WITH_NOTE = 30, 45  # from there to the first Client
_HEAD, _HEAD_WITH_NOTE = 26, 40  # from a zone's frame to its first node
_COMPACT_HEAD = 20  # the same where there are many rows; notes are told to who asks
_FRAME_END, _COMPACT_END = 12, 7  # from a zone's last node to its frame
_UNDER_MARKS = 8  # the same, more where marks would stand on the title
_ABOVE_CLIENTS = 6  # px that a sandbox may reach above the first Client
_BETWEEN = 24  # between frames of hosts, and of machines
_CLOSING = 12
_EMPTY, _EMPTY_BESIDE = 96, 62  # height inside of a host without servers: alone, and among others
_LINES = 42  # px between lines of a row at least: their labels stand above each other
_PERSON = 46  # the person stands by itself where there are no hosts
_PORT = 18  # px that the words at a port take of a shared server


@dataclass(slots=True)
class PlacedRow:
    """A row and the y of each of its lines."""

    row: SizedRow
    ys: list[float]
    client: Put | None = None
    local: Put | None = None

    @property
    def y(self) -> float:
        """Where the tool call comes in."""
        return self.ys[self.row.main]


@dataclass(slots=True)
class PlacedHost:
    """A host's frame from `top` to `bottom`, and the y of its model."""

    host: SizedHost
    top: float
    bottom: float
    note: str
    rows: list[PlacedRow]
    model: float = 0.0


@dataclass(frozen=True, slots=True)
class Placed:
    """Everything that has a place: hosts, machines, nodes and frames of the columns right of them, the lower end."""

    hosts: Sequence[PlacedHost]
    bases: Sequence[Run]
    local: Pair
    far: Pair
    bottom: float


class Packer:
    """Puts rows into columns. `notes` are the lines under the titles of hosts."""

    def __init__(self, places: Columns, how: Words, notes: Sequence[str], compact: bool) -> None:
        self.places = places
        self.how = how
        self.notes = notes
        self.gap = _COMPACT_GAP if compact else _GAP
        self.pad = _COMPACT_PAD if compact else _PAD
        self.clients = 0.0
        self.compact = compact
        closing = _COMPACT_END if compact else _FRAME_END
        self.local, self.far = Pair(TOP, self.gap, closing), Pair(TOP, self.gap, closing)
        self.told: set[str] = set()

    def pack(self, hosts: Sequence[SizedHost]) -> Placed:
        """All hosts at their places."""
        placed: list[PlacedHost] = []
        bases: list[Run] = []
        top = float(TOP)
        for at, host in enumerate(hosts):
            if at == 0 or hosts[at - 1].base is not host.base:
                top = self._open_base(host, bases, top)
            placed.append(self._host(host, top, self.notes[at]))
            top = placed[-1].bottom + _BETWEEN
            if at + 1 == len(hosts) or hosts[at + 1].base is not host.base:
                top = self._close_base(host, bases, placed[-1].bottom)
        self.far.close()
        tracks = (*self.local.tracks, *self.far.tracks)
        runs = [*bases, *(run for track in tracks for run in track.runs)]
        nodes = [put for track in tracks for put in track.nodes]
        ends = [
            *(run.bottom for run in runs),
            *(put.bottom for put in nodes),
            *(host.bottom for host in placed),
        ]
        alone = TOP + _PERSON if self.places.person.wide else TOP
        return Placed(placed, bases, self.local, self.far, max([alone, *ends]))

    def _open_base(self, host: SizedHost, bases: list[Run], top: float) -> float:
        """A machine's frame opened; gives where the first host's may begin."""
        if host.base is None:
            return top
        note, lines = zone_note(host.base, self.how), zone_lines(host.base, self.how)
        bases.append(Run(host.base, top, top, note, lines=lines))
        return top + (_BASE_HEAD if note or lines else _BARE_HEAD) + NOTE_LINE * len(lines)

    def _close_base(self, host: SizedHost, bases: list[Run], bottom: float) -> float:
        """A machine's frame closed; gives where the next one may begin."""
        self.local.close()
        end = max(bottom, self.local.bottom)
        if host.base is None:
            return end + _BETWEEN
        bases[-1].bottom = end + _CLOSING
        return end + _CLOSING + _BETWEEN

    # Hosts

    def _host(self, host: SizedHost, top: float, note: str) -> PlacedHost:
        head = (_HOST_HEAD_WITH_NOTE if note else _HOST_HEAD) if host.zone else 0
        first = top + head
        self.local.begin(first - (_ABOVE_CLIENTS if host.zone else 0))
        self.clients = first
        rows = [self._row(row) for row in host.rows]
        if (host.zone or host.model) and not any(row.client for row in rows):
            self.clients = max(self.clients, first + (_EMPTY if len(self.notes) == 1 else _EMPTY_BESIDE))
        bottom = self.clients + (_GAP - self.gap if rows else 0)
        placed = PlacedHost(host, top, bottom, note, rows)
        placed.model = _model_y(placed, first)
        return placed

    # Rows

    def _row(self, row: SizedRow) -> PlacedRow:
        placed = PlacedRow(row, [])
        for at, line in enumerate(row.lines):
            far = self._spot(line.far, line.zone, self.places.far, self.pad if line.shared else None)
            api = self._spot(line.api, line.api_zone, self.places.api)
            local = self._local_spot(row, line, at)
            annex = self._spot(line.annex, line.annex_zone, self.places.annex)
            y = max(self._least(placed, at, line), self.far.least(far, api), self.local.least(local, annex))
            placed.ys.append(y)
            self._put_local(placed, line, self.local.put(local, annex, y)[0], y)
            self._put_far(line, self.far.put(far, api, y)[0], y, row.port)
            self.told |= {track.open.note for track in (*self.local.tracks, *self.far.tracks) if track.open}
        self._put_client(placed)
        return placed

    def _local_spot(self, row: SizedRow, line: SizedLine, at: int) -> Spot | None:
        """The row's own server on its first line, or what stands below it."""
        if line.below:
            return self._spot(line.below, line.below_zone, self.places.local)
        return self._spot(row.local if at == 0 else None, row.sandbox, self.places.local)

    def _least(self, placed: PlacedRow, at: int, line: SizedLine) -> float:
        """The least y of a line for what stands left of it and above."""
        row = placed.row
        found = [placed.ys[-1] + _LINES if at else 0.0]
        if row.client and at == 0:
            found.append(self.clients + (self.pad if _spans(row) else row.client.height / 2))
        if row.client and not line.below and not (row.local and (at == 0 or line.leaves == "local")):
            found.append(self.local.passing)
        if line.goes_on and self.far.main.nodes:
            found.append(self._next_port(self.far.main.nodes[-1]))
        return max(found)

    def _next_port(self, shared: Put) -> float:
        """The least y of a further line to a shared server: its text stands between the ports."""
        text = shared.box.height - 2 * self.pad + 2 * _PORT
        return max(y for y, _ in shared.ports) + max(2 * self.pad + self.gap, text)

    def _put_local(self, placed: PlacedRow, line: SizedLine, put: Put | None, y: float) -> None:
        if put:
            placed.local = placed.local or put
        elif placed.local and line.leaves == "local":
            self.local.reach(y + self.pad)
        elif placed.row.client:
            self.local.passed(y)

    def _put_far(self, line: SizedLine, put: Put | None, y: float, port: str) -> None:
        if put:
            put.ports.append((y, port))
        elif line.goes_on or (line.leaves == "far" and line.api):
            self.far.reach(y + self.pad)
            if line.goes_on:
                self.far.main.nodes[-1].ports.append((y, port))

    def _put_client(self, placed: PlacedRow) -> None:
        row, box = placed.row, placed.row.client
        if box is None:
            return
        ys = [y for at, y in enumerate(placed.ys) if at == row.main or row.lines[at].leaves == "client"]
        half = self.pad if _spans(row) else box.height / 2
        top = ys[0] - half
        bottom = max(ys[-1] + half, top + box.height)
        placed.client = Put(box, top, bottom)
        self.clients = bottom + self.gap

    def _spot(
        self, box: Box | None, zone: "Zone | None", column: Column, up: float | None = None
    ) -> Spot | None:
        if box is None:
            return None
        return Spot(box, zone, box.height / 2 if up is None else up, self._head(zone, column, box))

    def _head(self, zone: "Zone | None", column: Column, box: Box) -> Head:
        """The head of a frame: its title, the note if no frame above told it, and room for marks under both."""
        if zone is None:
            return Head()
        note = "" if self.compact else zone_note(zone, self.how)
        note = "" if note in self.told else note
        reach = max(width(zone_title(zone, self.how), 12.5, 700), width(note, 10.5)) + 6
        marks = _UNDER_MARKS if box.marks and reach > column.wide - box.marks_width else 0
        head = _COMPACT_HEAD if self.compact else _HEAD_WITH_NOTE if note else _HEAD
        return Head(head + marks, note)


def _spans(row: SizedRow) -> bool:
    """Whether a Client has several lines."""
    return sum(line.leaves == "client" or at == row.main for at, line in enumerate(row.lines)) > 1


def _model_y(placed: PlacedHost, first: float) -> float:
    """The model stands at the row nearest to the middle of its host; where there is none, in the middle."""
    called = [row.y for row in placed.rows if row.row.call]
    if not called:
        return (first + placed.bottom - _GAP) / 2
    middle = (called[0] + called[-1]) / 2
    return min(called, key=lambda y: abs(y - middle))
