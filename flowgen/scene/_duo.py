"""The swim lane of two participants: client left, server right, JSON between them, time downwards.

    Flow → measured rows → rows at their places → Scene

Nothing is drawn to be measured, and nothing drawn says where anything stands.
"""

from collections.abc import Iterable, Sequence
from functools import partial

from flowgen.flow import Flow
from flowgen.trace import Participant

from ._bars import LaneOf, bar_shapes, bars_of, cancel_marks, stream_bars
from ._breach_list import below
from ._duo_columns import Side
from ._duo_rows import band_row, entry_row, outcome_row, pause_row, remark_row
from ._frame import MARGIN, kinds_of, marked, times_column
from ._groups import outlines
from ._heading import footer, frame, heading_of
from ._lanes import HEADER, HEADER_TOP, breaks, lane, lifeline, retries
from ._legend import legend
from ._look import DuoLook
from ._placing import Form, layout, step_groups
from ._rows import Placed
from ._seams import cuts_of
from ._shapes import Rect, Scene, Shape
from ._spoken import story

_FIRST = 24  # from the headers to the first row
_AFTER_STEP = 8
_LIFT = 10  # from the end of its last row up to a frame's lower line
_BEFORE_LEGEND = 24
_BAND_BESIDE = 6  # on a slide a band stands between the headers


def duo(flow: Flow, how: DuoLook) -> Scene:
    """The two-lane picture of a flow."""
    who = two(flow)
    laid = layout(flow, _form(how), how)
    groups, placed, bottom = step_groups(laid, flow, how), laid.rows, laid.bottom
    life_of = lane_of(who, how)
    bars = bars_of(placed, bottom, how.waits, life_of)
    left, right = how.columns.lane("client"), how.columns.lane("server") + how.columns.lane_width
    key = legend(kinds_of(placed, bars, how), [person.role for person in who], marked(groups), how, left, right)
    block = below(how, left, right, bottom + _BEFORE_LEGEND)
    at = bottom + _BEFORE_LEGEND + (block.high + _BEFORE_LEGEND if block else 0)
    height = at + key.height + MARGIN
    shapes = (
        Rect(0, 0, how.columns.width, height, "canvas"),
        *frame(flow, how, how.columns.width),
        *lanes(who, placed, bottom, how),
        *stream_bars(placed, bottom, life_of),
        *bar_shapes(bars),
        *outlines(placed, how.columns.width),
        *times_column(placed, how, HEADER_TOP + HEADER),
        *groups,
        *retries(placed, how),
        *breaks(placed, bars, how),
        *cancel_marks(bars, bottom),
        *(block.shapes() if block else ()),
        *key.at(at),
        *footer(how, how.columns.width, height),
    )
    neck = HEADER_TOP + HEADER
    cuts = cuts_of(laid, how, partial(band_row, look=how), (HEADER_TOP, neck), neck + _FIRST, _BAND_BESIDE)
    return Scene(how.columns.width, height, heading_of(flow, how), story(flow, who, how), shapes, cuts=cuts)


def _form(how: DuoLook) -> Form:
    return Form(
        band=partial(band_row, look=how),
        entry=lambda row, first_of: entry_row(row, how, first_of),
        remark=partial(remark_row, look=how),
        pause=partial(pause_row, look=how),
        outcome=partial(outcome_row, look=how),
        first=HEADER_TOP + HEADER + _FIRST,
        after_step=_AFTER_STEP,
        after_rows=0,
        lift=_LIFT,
        wide=how.columns.width,
    )


def lane_of(who: tuple[Participant, Participant], how: DuoLook) -> LaneOf:
    """Participant -> its lifeline, the role of the lane it stands in, and which way leads out of the gutter."""
    roles = dict(zip(("client", "server"), [person.role for person in who], strict=True))

    def life_of(participant: str) -> tuple[float, str, int]:
        side = how.side(participant)
        return how.columns.life(side), roles[side], how.columns.out(side)

    return life_of


def two(flow: Flow) -> tuple[Participant, Participant]:
    """Who stands left and right; a side that nobody of the trace stands on is still drawn."""
    left = [who for who in flow.lanes if who.role == "client"]
    right = [who for who in flow.lanes if who.role in ("server", "gateway")]
    nobody_left, nobody_right = Participant(id="", role="client"), Participant(id="", role="server")
    return (left or [nobody_left])[0], (right or [nobody_right])[0]


def lanes(
    who: tuple[Participant, Participant], placed: Sequence[Placed], bottom: float, how: DuoLook
) -> Iterable[Shape]:
    """Both lanes and what runs through them down to `bottom`."""
    sides: tuple[Side, Side] = ("client", "server")
    for person, side in zip(who, sides, strict=True):
        yield from lane(person, side, bottom, how)
    for person, side in zip(who, sides, strict=True):
        yield from lifeline(person.role, side, bottom, placed, how)
