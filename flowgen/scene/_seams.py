"""Where the rows of a picture may be parted by the end of a page: never after what belongs to the next row."""

from collections.abc import Callable, Sequence
from math import inf

from flowgen.flow import Step

from ._placing import Layout
from ._rows import Placed, Row
from ._shapes import Cuts, Part

_LEADS = frozenset(["band", "opens", "parts", "pause"])  # kinds of rows that the next row belongs to
_SLACK = 1  # px that a card may reach beside the next row


def cuts_of(laid: Layout, header: float, neck: float, first: float, again: Callable[[Step], Row]) -> Cuts:
    """The seams of all rows. Lane headers stand from `header` to `neck`, rows from `first` on.

    `again` gives the band of a step for a page that goes on with it.
    """
    parts: list[Part] = []
    free = -inf
    for step, rows in laid.parts:
        seams, free = _seams(rows, free)
        band = again(step) if step is not None and step.number is not None else None
        if rows:
            top = rows[0].y
            parts.append(Part(top, seams, tuple(band.draw(0)), band.height) if band else Part(top, seams))
    return Cuts(header, neck, first, laid.bottom, tuple(parts))


def _seams(rows: Sequence[Placed], free: float) -> tuple[tuple[float, ...], float]:
    """The tops of rows that a page may begin with. No card from above reaches below `free`."""
    seams: list[float] = []
    leads = False
    for each in rows:
        if not leads and each.row.kind != "closes" and free <= each.y + _SLACK:
            seams.append(each.y)
        free = max([free, *(each.y + high for _, high in each.row.beside)])
        leads = each.row.kind in _LEADS
    return tuple(seams), free
