"""The swim lane of two participants: client left, server right, JSON between them, time downwards.

    Flow → measured rows → rows at their places → Scene

Nothing is drawn to be measured, and nothing drawn says where anything stands.
"""

from collections.abc import Callable, Iterable, Iterator

from flowgen.flow import Flow, Step
from flowgen.trace import Participant

from ._bars import bar_shapes, bars_of, cancel_marks, stream_bars
from ._clean import clean_line
from ._duo_columns import LANE, Side
from ._duo_rows import band_row, entry_row, outcome_row, pause_row
from ._frame import (
    MARGIN,
    description,
    entries_of,
    frame,
    kinds_of,
    marked,
    outcome_text,
    pauses,
    step_group,
    times_column,
)
from ._lanes import HEADER, HEADER_TOP, breaks, lane, lifeline, retries
from ._legend import legend
from ._look import DuoLook
from ._rows import Placed, Row, row_group
from ._shapes import Rect, Scene, Shape

_FIRST = 24  # from the headers to the first row
_AFTER_STEP = 8
_BETWEEN_CARDS = 16  # between two cards of one lane
_BEFORE_LEGEND = 24


def duo(flow: Flow, how: DuoLook) -> Scene:
    """The two-lane picture of a flow."""
    who = _two(flow)
    groups, placed, bottom = _placed(flow, how)
    lane_of = _lane_of(who, how)
    bars = bars_of(placed, bottom, ("unanswered", "open", "cancelled"), lane_of)
    heading = clean_line(how.options.title or flow.title or how.words("title.flow"), 300)
    left, right = how.columns.lane("client"), how.columns.lane("server") + LANE
    key = legend(kinds_of(placed, bars), [person.role for person in who], marked(groups), how, left, right)
    height = bottom + _BEFORE_LEGEND + key.height + MARGIN
    shapes = (
        Rect(0, 0, how.columns.width, height, "canvas"),
        *frame(heading, flow, how, how.columns.width),
        *_lanes(who, placed, bottom, how),
        *stream_bars(placed, bottom, lane_of),
        *bar_shapes(bars),
        *times_column(placed, how, HEADER_TOP + HEADER),
        *groups,
        *retries(placed, how),
        *breaks(placed, how),
        *cancel_marks(bars, bottom),
        *key.at(bottom + _BEFORE_LEGEND),
    )
    return Scene(how.columns.width, height, heading, description(flow, who, how), shapes)


LaneOf = Callable[[str], tuple[float, str]]


def _lane_of(who: tuple[Participant, Participant], how: DuoLook) -> LaneOf:
    """Participant -> its lifeline and the role of the lane it stands in."""
    roles = dict(zip(("client", "server"), [person.role for person in who], strict=True))

    def lane_of(participant: str) -> tuple[float, str]:
        side = how.side(participant)
        return how.columns.life(side), roles[side]

    return lane_of


def _two(flow: Flow) -> tuple[Participant, Participant]:
    """Who stands left and right; a side that nobody of the trace stands on is still drawn."""
    left = [who for who in flow.lanes if who.role == "client"]
    right = [who for who in flow.lanes if who.role in ("server", "gateway")]
    nobody_left, nobody_right = Participant(id="", role="client"), Participant(id="", role="server")
    return (left or [nobody_left])[0], (right or [nobody_right])[0]


def _measured(flow: Flow, how: DuoLook) -> Iterator[tuple[Step, list[Row]]]:
    waits = pauses(how)
    for step in flow.steps:
        rows = [band_row(step, how)] if step.number is not None else []
        opening = step.number
        for row in step.open_rows:
            rows += [pause_row(seconds, how) for seconds in waits(row)]
            numbered = opening is not None and entries_of(row)[0].number is not None
            rows.append(entry_row(row, how, opening if numbered else None))
            opening = None if numbered else opening
        yield step, rows


def _placed(flow: Flow, how: DuoLook) -> tuple[list[Shape], list[Placed], float]:
    """Every step as a group of shapes, every row with its place, and where the lanes end."""
    y = float(HEADER_TOP + HEADER + _FIRST)
    free: dict[Side, float] = {"client": y, "server": y}
    groups: list[Shape] = []
    placed: list[Placed] = []
    for step, rows in _measured(flow, how):
        shapes: list[Shape] = []
        for row in rows:
            y = max([y, *(free[side] for side, _ in row.beside)])
            free |= {side: y + high + _BETWEEN_CARDS for side, high in row.beside}
            placed.append(Placed(row, y))
            shapes.append(row_group(row, y))
            y += row.height
        y += _AFTER_STEP
        groups.append(step_group(step, shapes, how))
    if text := outcome_text(flow, how):
        row = outcome_row(text, how)
        groups.append(row_group(row, y))
        y += row.height
    return groups, placed, max(y, *free.values())


def _lanes(who: tuple[Participant, Participant], placed: list[Placed], bottom: float, how: DuoLook) -> Iterable[Shape]:
    sides: tuple[Side, Side] = ("client", "server")
    for person, side in zip(who, sides, strict=True):
        yield from lane(person, side, bottom, how)
    for person, side in zip(who, sides, strict=True):
        yield from lifeline(person.role, side, bottom, placed, how)
