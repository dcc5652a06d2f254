"""Where the lanes and the texts of a text picture stand, for two lanes and for three to six."""

from collections.abc import Iterable

from flowgen.flow import Flow, Group, Row
from flowgen.scene import Telling

from ._txt_ground import Columns

LEAST = 60  # columns of a line
USUAL = 100
_TIME = 10  # columns of the times
_DEEPEST = 3  # frames inside each other that have edges of their own
_NUMBER = 5  # columns that numbers may take beside a lifeline
_PITCH, _NARROW, _WIDE = 8, 6, 14  # from lifeline to lifeline: what names need, the least, the most
_ROOM = 20  # columns that a text needs
_LANES = 0.45  # of a line that all lanes take
_ROOMY = 80  # columns from which on names have the room they need


def columns_of(told: Telling, wide: int) -> Columns:
    """The columns of a line of `wide` columns; where texts have no room, frames have no edges of their own."""
    edge, made = _TIME if told.look.options.times == "clock" else 0, _duo if is_duo(told) else _ledger
    places = made(told, wide, edge, 2 * min(_deepest(told.flow), _DEEPEST))
    return places if places.room >= _ROOM else made(told, wide, edge, 0)


def is_duo(told: Telling) -> bool:
    """Whether texts stand between two lanes."""
    return len(told.narrow) == 2 and told.look.options.form != "ledger"


def _duo(told: Telling, wide: int, edge: int, inset: int) -> Columns:
    numbers = (len(told.number(row) or "") for step in told.flow.steps for row in step.open_rows)
    number = max((long for long in numbers if long <= _NUMBER), default=0)
    left, right = edge + inset + number + 2, wide - 3 - inset - number
    return Columns(wide, {"client": left, "server": right}, left + 3, right - 2, True, edge, inset)


def _ledger(told: Telling, wide: int, edge: int, inset: int) -> Columns:
    count = len(told.narrow)
    least = _PITCH if wide >= _ROOMY else _NARROW
    pitch = max(least, min(_WIDE, int((wide - edge) * _LANES / count)))
    pitch = min(pitch, (wide - edge - 1 - _ROOM) // count) if not inset else pitch
    life = {lane.id: edge + inset + pitch * place + pitch // 2 for place, lane in enumerate(told.narrow)}
    return Columns(wide, life, edge + inset + pitch * count + 1, wide - inset, False, edge, inset)


def _deepest(flow: Flow) -> int:
    return max((_depth(step.rows) for step in flow.steps), default=0)


def _depth(rows: Iterable[Row]) -> int:
    inside = (branch.rows for row in rows if isinstance(row, Group) for branch in row.branches)
    return max((1 + _depth(rows) for rows in inside), default=0)
