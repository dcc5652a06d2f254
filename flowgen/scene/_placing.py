"""From a flow to rows at their places, the same for both forms: they differ only in what a row looks like.

    Flow → measured rows, those that open and close a frame among them → rows at their places → shapes

A row is measured once and drawn once, so a picture takes time in proportion to its rows.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from flowgen.flow import Entry, Flow, Group, Remark, Run, Step
from flowgen.flow import Row as Told

from ._duo_columns import Side
from ._frame import entries_of, outcome_text, pauses
from ._groups import closing_row, opening_row, part_row
from ._look import Look
from ._rows import Placed, Row, row_group
from ._shapes import Group as Shapes
from ._shapes import Shape
from ._spoken import Speaker, step_label

_BETWEEN_CARDS = 16  # between two cards of one lane

Measured = tuple[Row, int]  # a row, and how many frames it stands in


class Form(NamedTuple):
    """What a form's rows look like, and its distances in px.

    `entry` is given the number of the step that a message opens, if it does. `first` is the y of the first row,
    `after_step` what follows a step, `after_rows` what follows all of them, `lift` how far above the end of its
    last row a frame ends, `wide` the width of the canvas.
    """

    band: Callable[[Step], Row]
    entry: Callable[[Entry | Run, int | None], Row]
    remark: Callable[[Remark], Row]
    pause: Callable[[float], Row]
    outcome: Callable[[str], Row]
    first: float
    after_step: float
    after_rows: float
    lift: float
    wide: float


class Layout(NamedTuple):
    """Rows at their places, those of a step together; the last part has no step. `bottom` is where lanes end."""

    parts: tuple[tuple[Step | None, tuple[Placed, ...]], ...]
    bottom: float

    @property
    def rows(self) -> list[Placed]:
        """All of them, from top to bottom."""
        return [each for _, rows in self.parts for each in rows]


def layout(flow: Flow, form: Form, how: Look) -> Layout:
    """Every row of a flow at its place."""
    place = _Placer(form.first, how.options.slides)
    parts: list[tuple[Step | None, tuple[Placed, ...]]] = []
    for step, rows in _measured(flow, form, how):
        parts.append((step, tuple([place(row, level) for row, level in rows])))
        place.y += form.after_step
    if text := outcome_text(flow, how):
        parts.append((None, (place(form.outcome(text), 0),)))
    return Layout(tuple(parts), place.bottom + form.after_rows)


def step_groups(laid: Layout, flow: Flow, how: Look) -> list[Shape]:
    """Every step as a group of shapes: a list of messages for who listens to the picture."""
    say = Speaker(flow, how)
    groups: list[Shape] = []
    for step, rows in laid.parts:
        shapes = [row_group(each.row, each.y, _said(each.row, say)) for each in rows]
        groups += shapes if step is None else [_list(step, shapes, how)]
    return groups


def _list(step: Step, shapes: list[Shapes], how: Look) -> Shape:
    anchor = f"step-{step.number}" if step.number is not None else None
    if not any(shape.label for shape in shapes):
        return Shapes(tuple(shapes), anchor)
    return Shapes(tuple(shapes), anchor, step_label(step, how), role="list")


def _said(row: Row, say: Speaker) -> str | None:
    """A row of messages in a sentence."""
    if not row.entries:
        return None
    if row.kind == "pairs":
        return say(Run("pairs", row.entries))
    several = len(row.entries) > 1 or row.entries[0].others
    return say(Run("repeat", row.entries) if several else row.entries[0])


class _Placer:
    """Sets rows below each other; cards that hang down in a lane keep their distance from the next one there.

    On slides nothing stands beside them: a page may begin with each row.
    """

    def __init__(self, y: float, slides: bool) -> None:
        self.y = y
        self.slides = slides
        self.free: dict[Side, float] = {"client": y, "server": y}

    def __call__(self, row: Row, level: int) -> Placed:
        across = row.across or self.slides
        below = self.free.values() if across else [self.free[side] for side, _ in row.beside]
        y = max([self.y, *below])
        self.y = y + row.height
        if across:
            self.free = dict.fromkeys(self.free, self.y)
        for side, high in row.beside:
            self.free[side] = y + high + _BETWEEN_CARDS
        return Placed(row, y, level)

    @property
    def bottom(self) -> float:
        """Below all rows and cards."""
        return max(self.y, *self.free.values())


def _measured(flow: Flow, form: Form, how: Look) -> Iterator[tuple[Step, list[Measured]]]:
    walk = _Walk(form, how)
    for step in flow.steps:
        band = [(form.band(step), 0)] if step.number is not None else []
        walk.opening = step.number
        yield step, [*band, *walk.rows(step.rows, 0)]


class _Walk:
    """Through all rows in order. `opening` is the number of the step whose first message is still to come."""

    def __init__(self, form: Form, how: Look) -> None:
        self.form = form
        self.how = how
        self.waits = pauses(how)
        self.opening: int | None = None

    def rows(self, told: tuple[Told, ...], level: int) -> Iterator[Measured]:
        for row in told:
            match row:
                case Group():
                    yield from self.group(row, level)
                case Remark():
                    yield self.form.remark(row), level
                case _:
                    yield from self.message(row, level)

    def group(self, group: Group, level: int) -> Iterator[Measured]:
        for number, branch in enumerate(group.branches):
            if number:
                yield part_row(group, branch, level, self.how, self.form.wide), level
            else:
                yield opening_row(group, level, self.how, self.form.wide), level
            yield from self.rows(branch.rows, level + 1)
        if group.branches:
            yield closing_row(level, self.form.lift), level

    def message(self, row: Entry | Run, level: int) -> Iterator[Measured]:
        yield from [(self.form.pause(seconds), level) for seconds in self.waits(row)]
        numbered = self.opening is not None and entries_of(row)[0].number is not None
        yield self.form.entry(row, self.opening if numbered else None), level
        self.opening = None if numbered else self.opening
