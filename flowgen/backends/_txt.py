"""The swim lane as text: for terminals, issues, and whoever reads without pictures.

Two lanes have the JSON between them, three to six are narrow columns with the texts beside them. No line is wider
than the columns asked for, and nothing of a trace reaches a terminal that would act there: texts are cleaned first.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from flowgen.flow import Entry, Flow, Group, Remark
from flowgen.scene import Lane, Options, Telling, telling, wrap_columns

from ._txt_columns import LEAST, USUAL, columns_of
from ._txt_glyphs import ASCII, UNICODE, Piece, painted, spelt
from ._txt_ground import Ground, Written, cells
from ._txt_legend import legend
from ._txt_rows import band, over, pause, rows
from ._txt_stage import Line, Stage, ending, placed

_LINES = 12  # of a payload, unless all is asked for
_SECOND = 60  # columns of what stands under a lane's name
_NAME_LINES = 3
_LEAST_CARD = 12  # columns
_BETWEEN = "  ·  "


def txt(flow: Flow, options: Options, *, wide: int = USUAL, colour: bool = False, ascii_only: bool = False) -> str:
    """The flow as text of at most `wide` columns (60 at least), with ANSI colours or without."""
    stage = _stage(telling(flow, options), max(wide, LEAST), ascii_only)
    lines = chain(_title(stage), _header(stage), _body(stage), legend(stage))
    return "\n".join(painted(line, colour) for line in lines) + "\n"


def _stage(told: Telling, wide: int, ascii_only: bool) -> Stage:
    places, glyphs = columns_of(told, wide), ASCII if ascii_only else UNICODE
    plain = spelt if ascii_only else str
    return Stage(told, places, glyphs, Ground(places, glyphs), plain, _LINES, _closing(told.flow))


def _closing(flow: Flow) -> dict[int, list[int]]:
    """`seq` of every message shown -> the requests that wait for it."""
    rows = (row for step in flow.steps for row in step.open_rows)
    shown = [entry for row in rows for entry in ((row,) if isinstance(row, Entry) else row.entries)]
    closing: dict[int, list[int]] = {entry.message.seq: [] for entry in shown}
    for entry in shown:
        end = ending(entry)
        if entry.state and end in closing:
            closing[end].append(entry.message.seq)
    return closing


def _body(stage: Stage) -> Iterator[Line]:
    waits = stage.told.pauses()
    for step in stage.told.flow.steps:
        if step.number is not None:
            yield from band(stage, step)
        for row in step.rows:
            if not isinstance(row, Group | Remark):
                for seconds in waits(row):
                    yield from pause(stage, seconds)
            yield from rows(stage, row)
    if outcome := stage.told.outcome:
        lanes = list(stage.columns.life)
        yield from over(stage, lanes[0], lanes[-1], outcome)
        yield stage.blank()
    for line in stage.told.verdict:
        yield from ([("text", part)] for part in wrap_columns(stage.plain(line), stage.columns.wide))


# What stands over and under the rows


def _title(stage: Stage) -> Iterator[Line]:
    wide = stage.columns.wide
    texts = [("title", line) for line in wrap_columns(stage.plain(stage.told.heading), wide)]
    facts, between = [stage.plain(fact) for fact in stage.told.subtitle], stage.plain(_BETWEEN)
    texts += [("mut", line) for line in _joined(facts, between, wide)]
    for style, line in texts:
        yield [("", " " * ((wide - cells(line)) // 2)), (style, line)]
    yield []


def _joined(facts: Iterable[str], between: str, wide: int) -> Iterator[str]:
    """Facts beside each other, as many as fit on a line."""
    line = ""
    for fact in facts:
        longer = f"{line}{between}{fact}" if line else fact
        if line and cells(longer) > wide:
            yield line
            longer = fact
        line = longer
    yield from wrap_columns(line, wide)


def _header(stage: Stage) -> Iterator[Line]:
    yield from _cards(stage) if stage.columns.between else _names(stage)
    yield stage.blank()


def _cards(stage: Stage) -> Iterator[Line]:
    """The names of two lanes in frames that stand on their lifelines."""
    card, places = stage.glyphs.card, stage.columns
    left, right = places.life.values()
    room = min(_SECOND, (right - left) // 2 - 4)
    one, other = ([stage.plain(text) for text in (lane.name, lane.second)] for lane in stage.told.narrow)
    ends = places.edge + places.inset, places.wide - places.inset
    wide = max(min(room, max(map(cells, (*one, *other)))), _LEAST_CARD)
    edge = card.across * (wide + 2)
    yield _two(ends, card.corners[0] + edge + card.corners[1])
    for first, second in zip(one, other, strict=True):
        if first or second:
            yield _two(ends, *(f"{card.down} {_fitted(stage, text, wide)} {card.down}" for text in (first, second)))
    bottom, foot = card.corners[2] + edge + card.corners[3], left - ends[0]
    yield _two(ends, _replaced(bottom, foot, stage.glyphs.foot), _replaced(bottom, -foot - 1, stage.glyphs.foot))


def _two(ends: tuple[int, int], one: str, other: str | None = None) -> Line:
    """Two texts, one from the left end, the other to the right one."""
    last = other or one
    between = ends[1] - ends[0] - cells(one) - cells(last)
    return [("", " " * ends[0]), ("bold", one), ("", " " * between), ("bold", last)]


def _replaced(text: str, place: int, sign: str) -> str:
    place %= len(text)
    return text[:place] + sign + text[place + 1 :]


def _fitted(stage: Stage, text: str, wide: int) -> str:
    shown = stage.short(text, wide)
    return shown + " " * (wide - cells(shown))


def _names(stage: Stage) -> Iterator[Line]:
    """The names of narrow lanes over their lifelines, and beside them who it really is."""
    lives = list(stage.columns.life.values())
    pitch = lives[1] - lives[0]
    heads = [wrap_columns(stage.plain(lane.name), pitch - 1)[:_NAME_LINES] for lane in stage.told.narrow]
    real = [_real(stage, lane) for lane in stage.told.narrow if lane.second]
    for below in range(max(len(real), *map(len, heads)), 0, -1):
        names = ((life, head[-below]) for life, head in zip(lives, heads, strict=True) if below <= len(head))
        written = [(life - cells(name) // 2, "bold", name) for life, name in names]
        yield _over_nothing([*written, *placed(stage.columns.left, real[-below] if below <= len(real) else [])])
    foot = stage.glyphs.card.across * ((pitch - 2) // 2)
    yield _over_nothing([(life - len(foot), "life", foot + stage.glyphs.foot + foot) for life in lives])


def _real(stage: Stage, lane: Lane) -> list[Piece]:
    name = stage.short(lane.name, stage.columns.room)
    second = stage.short(lane.second, max(0, stage.columns.room - cells(name) - 2))
    return [("bold", name), *([("", "  "), ("mut", second)] if second else [])]


def _over_nothing(written: Iterable[Written]) -> Line:
    line: Line = []
    at = 0
    for column, style, text in sorted(written, key=lambda piece: piece[0]):
        line += [("", " " * (column - at)), (style, text)]
        at = column + cells(text)
    return line
