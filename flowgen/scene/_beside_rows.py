"""The rows of two sessions beside each other: a tier is one height of the picture, with what stands there of both.

Between the two stands a sign: `=` the same, `≠` differs (what differs is told below the boxes), `−` only in the old
session, `+` only in the new one, `⇅` in both, in another order.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from flowgen.flow import MISSING
from flowgen.trace import mask_shapes, write_json

from ._beside_cells import Cell, Told
from ._clean import clean_line
from ._duo_rows import band_row, entry_row
from ._legend import SIGNS
from ._look import DuoLook
from ._rows import Placed, Row
from ._run_pill import run_pill
from ._shapes import Circle, Group, Rect, Shape, Text
from ._text import shorten_columns

if TYPE_CHECKING:
    from flowgen.flow import Difference, Match

Sign = Literal["same", "changed", "removed", "added", "moved"]
_LINES = 4  # of what differs, below a box
_LINE = 17
_TINT = 8  # px that a tint reaches beyond a row
_ABOVE = 6
_AFTER = 26  # what a row leaves free below its lowest thing; what differs stands there
_FOLDED = 20


@dataclass(frozen=True, slots=True)
class Tier:
    """One height of the picture. `placed` are the rows of both sessions at their places, `signs` stand between;
    `shapes` are tints, rows, what differs, and the signs.
    """

    y: float
    height: float
    signs: tuple[Sign, ...]
    placed: tuple[tuple[Placed, ...], tuple[Placed, ...]]
    shapes: tuple[Shape, ...]


def tiers(cells: Iterable[Cell], looks: tuple[DuoLook, DuoLook], y: float) -> Iterator[Tier]:
    """All of them from y on, each where the one above ends."""
    for cell in cells:
        tier = _folded(cell, looks, y) if cell.folded else _tier(cell, looks, y)
        yield tier
        y += tier.height


def _tier(cell: Cell, looks: tuple[DuoLook, DuoLook], y: float) -> Tier:
    told = (cell.old, cell.new)
    bands = [_band(each, look) for each, look in zip(told, looks, strict=True)]
    rows = [_row(each, look) for each, look in zip(told, looks, strict=True)]
    top = y + max((band.height for band in bands if band), default=0)
    below = max((row.height for row in rows if row), default=0)
    shown = _shown(cell.match)
    height = below + (_LINE * _count(shown) if shown else 0)
    placed = [_placed(band, row, top, side) for side, (band, row) in enumerate(zip(bands, rows, strict=True))]
    shapes = [
        *_tints(cell, looks, top, height),
        *(shape for side in (0, 1) for shape in _drawn(placed[side], told[side], side)),
        *(shape for side in (0, 1) for shape in _differences(shown, looks[side], side, top + below - _AFTER + 8)),
        *_between(cell, looks, top, rows),
    ]
    return Tier(y, top - y + height, _signs(cell), (placed[0], placed[1]), tuple(shapes))


def _folded(cell: Cell, looks: tuple[DuoLook, DuoLook], y: float) -> Tier:
    """Many that are the same on both sides."""
    pill = run_pill(looks[0].words("beside.folded", n=cell.folded), looks[0].columns.card - 48)
    placed = [(Placed(Row(_FOLDED + pill.height, lambda at: (), kind="pairs"), y),) for _ in looks]
    middles = [look.columns.box + look.columns.card / 2 for look in looks]
    shapes = [shape for x in middles for shape in pill.at(x, y + 2, centred=True)]
    sign = _sign_at(looks, y + 2 + pill.height / 2, "same")
    return Tier(y, _FOLDED + pill.height, ("same",), (placed[0], placed[1]), (*shapes, *sign))


def _band(told: Told | None, look: DuoLook) -> Row | None:
    return band_row(told.opens, look) if told and told.opens else None


def _row(told: Told | None, look: DuoLook) -> Row | None:
    if told is None:
        return None
    opens = told.opens.number if told.opens and told.entry.number is not None else None
    return entry_row(told.entry, look, opens)


def _placed(band: Row | None, row: Row | None, top: float, side: int) -> tuple[Placed, ...]:
    found = [Placed(band, top - band.height)] if band else []
    return (*found, *([Placed(row, top)] if row else []))


def _drawn(placed: Sequence[Placed], told: Told | None, side: int) -> Iterator[Shape]:
    """The rows of a session; only the new one has the anchors of its messages, for each stands once in a picture."""
    for each in placed:
        number = told.entry.number if told and each.row.entries else None
        anchor = f"m-{number}" if number is not None and side else None
        yield Group(tuple(each.row.draw(each.y)), anchor)


def _signs(cell: Cell) -> tuple[Sign, ...]:
    """What became of it where both sides have it; else of what stands on each side, the old one first."""
    if cell.match is not None:
        return ("changed" if cell.match.differences else "same",)
    alone = (_alone(cell.old, "removed"), _alone(cell.new, "added"))
    return tuple(dict.fromkeys(sign for sign in alone if sign))


def _alone(told: Told | None, sign: Sign) -> Sign | None:
    """What became of a message beside which nothing stands that means the same."""
    return None if told is None else "moved" if told.elsewhere else sign


def _shown(match: "Match | None") -> "tuple[Difference, ...]":
    return match.differences if match else ()


def _count(shown: "Sequence[Difference]") -> int:
    return min(len(shown), _LINES + 1)


def _tints(cell: Cell, looks: tuple[DuoLook, DuoLook], top: float, height: float) -> Iterator[Shape]:
    """A field behind what differs: both sides of a change, one side of what came or went."""
    changed = bool(_shown(cell.match))
    became = ("changed", "changed") if changed else (_alone(cell.old, "removed"), _alone(cell.new, "added"))
    sides = ((cell.old, became[0]), (cell.new, became[1]))
    for look, (told, kind) in zip(looks, sides, strict=True):
        if told and (changed or cell.match is None):
            box = look.columns
            yield Rect(box.box - _TINT, top - _ABOVE, box.card + 2 * _TINT, height - 8, f"beside.{kind}", 10)


def _between(
    cell: Cell, looks: tuple[DuoLook, DuoLook], top: float, rows: Sequence[Row | None]
) -> Iterator[Shape]:
    """The signs between the sessions; two stand beside each other."""
    y = top + max((row.mark or 0 for row in rows if row), default=0)
    signs = _signs(cell)
    for place, sign in enumerate(signs):
        yield from _sign_at(looks, y, sign, 0 if len(signs) == 1 else 24 * place - 12)


def _sign_at(looks: tuple[DuoLook, DuoLook], y: float, sign: Sign, away: float = 0) -> Iterator[Shape]:
    """A disc with a sign in the middle between the sessions."""
    x = looks[1].columns.lane("client") - 20 + away
    yield Circle(x, y, 10, f"beside.{sign}.disc")
    yield Text(x, y + 5, SIGNS[sign], f"beside.{sign}.sign")


def _differences(shown: "Sequence[Difference]", look: DuoLook, side: int, y: float) -> Iterator[Shape]:
    """What differs, place by place: below the old box what stood there, below the new one what stands there now."""
    columns = int((look.columns.card - 8) / 7.4)
    for number, each in enumerate(shown[:_LINES]):
        value = (each.was, each.now)[side]
        sign, kind = ("−", "removed") if side == 0 else ("+", "added")
        if value is not MISSING:
            text = shorten_columns(f"{sign} {clean_line(each.path, 200)}: {value_line(value)}", columns)
            yield Text(look.columns.box, y + 12 + _LINE * number, text, f"beside.{kind}.text")
    if len(shown) > _LINES:
        more = look.words("beside.more", n=len(shown) - _LINES)
        yield Text(look.columns.box, y + 12 + _LINE * _LINES, more, "beside.more")


def value_line(value: Any) -> str:
    """A value on one line, without what looks like a secret."""
    return clean_line(mask_shapes(write_json(value).decode("utf-8", "replace")), 300)


