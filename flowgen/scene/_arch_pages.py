"""Where an architecture picture may be cut into pages: between rows, never through a node, a label or a title.

Frames and trunks run through and are continued; every page repeats the title.
"""

from collections.abc import Iterable, Iterator, Sequence

from ._arch_blocks import PlacedBlock
from ._arch_edges import Wire
from ._arch_nodes import MARK
from ._arch_rows import TOP, Placed
from ._arch_tracks import NOTE_LINE, Put
from ._shapes import Cuts, Part

_FIRST = TOP - 12  # y: above all frames, so that they are open at both ends of a page
_LEAST = 0.5  # px between two things that a page may begin between

_Span = tuple[float, float]


def cuts_of(placed: Placed, wires: Sequence[Wire], blocks: Sequence[PlacedBlock], bottom: float) -> Cuts:
    """The cuts of a picture whose frames end at `bottom`."""
    taken = [*_nodes(placed), *_titles(placed), *_labels(placed, wires)]
    taken += [(block.y, block.y + block.high) for block in blocks]
    return cuts_between(taken, bottom)


def cuts_between(taken: Iterable[_Span], bottom: float) -> Cuts:
    """The cuts in every gap between what is taken."""
    seams = (_FIRST, *_gaps(taken))
    part = Part(_FIRST, tuple(seam for seam in seams if seam < bottom))
    return Cuts(_FIRST, _FIRST, _FIRST, bottom, 0, (part,))


def _gaps(taken: Iterable[_Span]) -> Iterator[float]:
    """The middle of every gap between what is taken."""
    end = None
    for top, bottom in sorted(taken):
        if end is not None and top - end >= _LEAST:
            yield (top + end) / 2
        end = bottom if end is None else max(end, bottom)


def _nodes(placed: Placed) -> Iterator[_Span]:
    for track in (*placed.local.tracks, *placed.far.tracks):
        yield from map(_reach, track.nodes)
    for host in placed.hosts:
        yield from (_reach(row.client) for row in host.rows if row.client)
        if host.host.model:
            yield host.model - 23, host.model + 23


def _reach(put: Put) -> _Span:
    """A node with the marks on its upper edge."""
    return put.top - (MARK if put.box.marks else 0), put.bottom + put.box.stack


def _titles(placed: Placed) -> Iterator[_Span]:
    """From the upper edge of every frame to what stands in it first, and its lower edge."""
    tracks = (*placed.local.tracks, *placed.far.tracks)
    runs = [*placed.bases, *(run for track in tracks for run in track.runs)]
    frames = [(run.top, run.bottom, len(run.lines)) for run in runs]
    for top, bottom, lines in [*frames, *((host.top, host.bottom, 0) for host in placed.hosts)]:
        yield top, top + 40 + NOTE_LINE * lines
        yield bottom - 4, bottom


def _labels(placed: Placed, wires: Sequence[Wire]) -> Iterator[_Span]:
    yield from ((wire.y - wire.way.height / 2, wire.y + wire.way.height / 2) for wire in wires)
    calls = [(row.y, row.row.call) for host in placed.hosts for row in host.rows]
    asked = [(host.model, host.host.approval) for host in placed.hosts]
    yield from ((y - way.height / 2, y + way.height / 2) for y, way in (*calls, *asked) if way)
