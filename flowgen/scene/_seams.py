"""Where the rows of a picture may be parted by the end of a page: never after what belongs to the next row."""

from collections.abc import Callable, Sequence
from math import inf

from flowgen.flow import Step

from ._clean import clean_line
from ._look import Look
from ._placing import Layout
from ._rows import Placed, Row
from ._shapes import Cuts, Part

_LEADS = frozenset(["band", "opens", "parts", "pause"])  # kinds of rows that the next row belongs to
_SLACK = 1  # px that a card may reach beside the next row


def cuts_of(
    laid: Layout, look: Look, band: Callable[..., Row], headers: tuple[float, float], first: float, beside: float
) -> Cuts:
    """The seams of all rows. `band` gives that of a step, with what follows its title where it stands `again`.

    Lane headers stand between the two `headers`, rows from `first` on; `beside` as in `Cuts`.
    """
    parts: list[Part] = []
    free = -inf
    for step, rows in laid.parts:
        seams, free = _seams(rows, free)
        if rows and step is not None and step.number is not None:
            parts.append(_part(step, rows[0].y, seams, look, band))
        elif rows:
            parts.append(Part(rows[0].y, seams))
    return Cuts(*headers, first, laid.bottom, beside, tuple(parts))


def _part(step: Step, top: float, seams: tuple[float, ...], look: Look, band: Callable[..., Row]) -> Part:
    opened, again = band(step), band(step, again=look.words("page.again"))
    name = clean_line(look.say(step.title), 200) if step.title else ""
    shapes = tuple(opened.draw(0)), tuple(again.draw(0))
    return Part(top, seams, *shapes, again.height, name, f"step-{step.number}")


def _seams(rows: Sequence[Placed], free: float) -> tuple[tuple[float, ...], float]:
    """The tops of rows that a page may begin with. No card from above reaches below `free`."""
    seams: list[float] = []
    leads = False
    for each in rows:
        if not leads and each.row.kind != "closes" and free <= each.y + _SLACK:
            seams.append(each.y)
        free = max([free, *(each.y + high for _, high in each.row.beside)])
        leads = each.row.kind in _LEADS or (each.row.kind == "plain" and not each.row.entries)  # a remark
    return tuple(seams), free
