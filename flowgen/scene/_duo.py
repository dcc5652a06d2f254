"""The swim lane of two participants: client left, server right, JSON between them, time downwards.

    Flow → measured rows → rows at their places → Scene

Nothing is drawn to be measured, and nothing drawn says where anything stands.
"""

from collections.abc import Iterable, Iterator, Sequence

from flowgen.flow import Entry, Flow, Run, Step
from flowgen.trace import Participant

from ._bars import Bar, bar_shapes, bars_of, cancel_marks
from ._clean import clean_line
from ._duo_columns import LANE, MARGIN, Side
from ._duo_rows import band_row, entry_row, pause_row
from ._headline import kind_of
from ._lanes import HEADER, HEADER_TOP, breaks, lane, lifeline, retries
from ._legend import legend
from ._look import PAUSE, DuoLook, Headers, Times, clock, duo_look
from ._rows import Placed, Row, row_group
from ._shapes import Group, Rect, Scene, Shape, Text, flat
from ._text import shorten
from ._words import Lang, words

_FIRST = 24  # from the headers to the first row
_AFTER_STEP = 8
_BETWEEN_CARDS = 16  # between two cards of one lane
_BEFORE_LEGEND = 24
_ARROW_KINDS = frozenset(["request", "response", "error", "notification", "noise", "http"])

Part = tuple[Step, tuple[Row, ...]]


def duo(
    flow: Flow,
    lang: Lang = "en",
    times: Times = "none",
    title: str | None = None,
    full: bool = False,
    headers: Headers = "mcp",
) -> Scene:
    """The two-lane picture of a flow."""
    how = duo_look(flow, words(lang), times, full, headers)
    who = _two(flow)
    groups, placed, bottom = _placed(_measured(flow, how), how)
    bars = _bars(who, placed, bottom, how)
    heading = clean_line(title or flow.title or how.words("title.flow"), 300)
    left, right = how.columns.lane("client"), how.columns.lane("server") + LANE
    key = legend(_kinds(placed, bars), [person.role for person in who], _marked(groups), how, left, right)
    height = bottom + _BEFORE_LEGEND + key.height + MARGIN
    shapes = (
        Rect(0, 0, how.columns.width, height, "canvas"),
        *_frame(heading, flow, how),
        *_lanes(who, placed, bottom, how),
        *bar_shapes(bars),
        *_times(placed, how),
        *groups,
        *retries(placed, how),
        *breaks(placed, how),
        *cancel_marks(bars, bottom),
        *key.at(bottom + _BEFORE_LEGEND),
    )
    return Scene(how.columns.width, height, heading, _desc(flow, who, how), shapes)


def _bars(who: tuple[Participant, Participant], placed: list[Placed], bottom: float, how: DuoLook) -> list[Bar]:
    roles = dict(zip(("client", "server"), [person.role for person in who], strict=True))

    def lane_of(participant: str) -> tuple[float, str]:
        side = how.side(participant)
        return how.columns.life(side), roles[side]

    return bars_of(placed, bottom, ("unanswered", "open", "cancelled"), lane_of)


def _two(flow: Flow) -> tuple[Participant, Participant]:
    """Who stands left and right; a side that nobody of the trace stands on is still drawn."""
    left = [who for who in flow.lanes if who.role == "client"]
    right = [who for who in flow.lanes if who.role in ("server", "gateway")]
    nobody_left, nobody_right = Participant(id="", role="client"), Participant(id="", role="server")
    return (left or [nobody_left])[0], (right or [nobody_right])[0]


def _measured(flow: Flow, how: DuoLook) -> list[Part]:
    parts: list[Part] = []
    last: float | None = None
    for step in flow.steps:
        rows: list[Row] = [band_row(step, how)] if step.number is not None else []
        opening = step.number
        for row in step.rows:
            rows += _pause(last, row, how)
            last = _until(row) if _until(row) is not None else last
            numbered = opening is not None and _entries(row)[0].number is not None
            rows.append(entry_row(row, how, opening if numbered else None))
            opening = None if numbered else opening
        parts.append((step, tuple(rows)))
    return parts


def _entries(row: Entry | Run) -> tuple[Entry, ...]:
    return (row,) if isinstance(row, Entry) else row.entries


def _until(row: Entry | Run) -> float | None:
    return _entries(row)[-1].message.at


def _pause(last: float | None, row: Entry | Run, how: DuoLook) -> list[Row]:
    now = _entries(row)[0].message.at
    if how.times == "none" or last is None or now is None or now - last < PAUSE:
        return []
    return [pause_row(now - last, how)]


def _placed(parts: Sequence[Part], how: DuoLook) -> tuple[list[Shape], list[Placed], float]:
    """Every step as a group of shapes, every row with its place, and where the lanes end."""
    y = float(HEADER_TOP + HEADER + _FIRST)
    free: dict[Side, float] = {"client": y, "server": y}
    groups: list[Shape] = []
    placed: list[Placed] = []
    for step, rows in parts:
        shapes: list[Shape] = []
        for row in rows:
            y = max([y, *(free[side] for side, _ in row.beside)])
            free |= {side: y + high + _BETWEEN_CARDS for side, high in row.beside}
            placed.append(Placed(row, y))
            shapes.append(row_group(row, y))
            y += row.height
        y += _AFTER_STEP
        groups.append(_step_group(step, shapes, how))
    return groups, placed, max(y, *free.values())


def _step_group(step: Step, shapes: Sequence[Shape], how: DuoLook) -> Group:
    if step.number is None:
        return Group(tuple(shapes))
    title = how.say(step.title) if step.title else ""
    label = clean_line(how.words("step", n=step.number, title=title), 200)
    return Group(tuple(shapes), anchor=f"step-{step.number}", label=label)


def _frame(heading: str, flow: Flow, how: DuoLook) -> Iterator[Shape]:
    middle = how.columns.width / 2
    shown = shorten(heading, 27, how.columns.width - 2 * MARGIN, 700)
    yield Text(middle, 70, shown, "title", None if shown == heading else heading)
    yield Text(middle, 98, "   ·   ".join(_subtitle(flow, how)), "subtitle")


def _subtitle(flow: Flow, how: DuoLook) -> Iterator[str]:
    """What kind of session this was: facts of the trace only."""
    facts = flow.facts
    yield "JSON-RPC 2.0"
    if facts.transports:
        yield " / ".join(how.words(f"transport.{name}") for name in facts.transports)
    if facts.revisions:
        shown = ", ".join(clean_line(revision, 24) for revision in facts.revisions[:3])
        yield how.words("subtitle.protocol", revision=shown)
    yield how.words("subtitle.messages", n=facts.messages)
    counts = [("subtitle.unanswered", facts.unanswered), ("subtitle.cancelled", facts.cancelled)]
    odd = [how.words(key, n=count) for key, count in counts if count]
    if odd:
        yield ", ".join(odd)


def _desc(flow: Flow, who: tuple[Participant, Participant], how: DuoLook) -> str:
    steps = sum(1 for step in flow.steps if step.number is not None)
    names = [how.words(f"lane.{each.role}") for each in who]
    text = how.words("desc", steps=steps, messages=flow.facts.messages, left=names[0], right=names[1])
    titles = [f"{step.number}. {how.say(step.title)}" for step in flow.steps if step.number and step.title]
    return clean_line(f"{text} {'; '.join(titles)}".strip(), 2000)


def _lanes(who: tuple[Participant, Participant], placed: list[Placed], bottom: float, how: DuoLook) -> Iterable[Shape]:
    sides: tuple[Side, Side] = ("client", "server")
    for person, side in zip(who, sides, strict=True):
        yield from lane(person, side, bottom, how)
    for person, side in zip(who, sides, strict=True):
        yield from lifeline(person.role, side, bottom, placed, how)


def _times(placed: Sequence[Placed], how: DuoLook) -> Iterator[Shape]:
    """The column of times at the left; folded rows have a range."""
    if how.times != "clock":
        return
    x = MARGIN + 50
    yield Text(x, HEADER_TOP + HEADER - 8, how.words("time"), "time")
    for each in placed:
        times = [entry.message.at for entry in each.row.entries if entry.message.at is not None]
        if times and each.row.mark is not None:
            yield Text(x, each.mark + 4, _clock(times), "time")


def _clock(times: Sequence[float]) -> str:
    first, last = times[0], times[-1]
    return clock(first) if len(times) == 1 or first == last else f"{first:.1f}–{last:.1f}"


def _kinds(placed: Sequence[Placed], bars: Sequence[Bar]) -> set[str]:
    """The colour roles of the arrows that occur, and `wait` where a bar does."""
    entries = [each.row.entries[0] for each in placed if each.row.kind == "message"]
    kinds = {str(kind_of(entry.message)) for entry in entries if entry.message.kind in _ARROW_KINDS}
    return kinds | ({"wait"} if bars else set())


def _marked(groups: Sequence[Shape]) -> bool:
    return any(isinstance(shape, Rect) and shape.style == "mark" for shape in flat(tuple(groups)))
