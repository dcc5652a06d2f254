"""The rows of a text picture: each gives its lines, and tells the ground what has changed for the lines below."""

from collections.abc import Iterator, Sequence

from flowgen.flow import Branch, Entry, Group, Remark, Row, Run, Say, Step, duration
from flowgen.scene import JsonLine

from ._txt_glyphs import Piece
from ._txt_ground import Written, cells
from ._txt_stage import Line, Stage, placed

_NOISE_GAP = 3  # columns: noise reaches nobody as a message, its arrow ends before the lifeline
_LEAST_REMARK = 24  # columns
_BESIDE = 2  # columns from the outer lifelines that a remark reaches further


def band(stage: Stage, step: Step) -> Iterator[Line]:
    """The rule that opens a step, with its number in a box; it passes over lifelines."""
    sign, columns, digits = stage.glyphs.band, stage.columns, f" {step.number} "
    start = min(columns.life.values()) if columns.between else columns.edge
    end = max(columns.life.values()) if columns.between else columns.right
    rule = stage.across(start, columns.left, sign.across, stage.glyphs.over)
    sides = stage.glyphs.sides if columns.between else ""
    box = columns.left
    head = f"{sign.parting[0]}{digits}{sign.parting[1]}{sign.across * 2} "
    title = stage.short(stage.told.say(step.title), end - box - cells(head) - 2)
    rest = box + cells(head) + cells(title) + 1
    yield stage.line((box, "band", sign.corners[0] + sign.across * len(digits) + sign.corners[1]))
    yield stage.line(
        (start, "band", sides[:1] + rule[len(sides[:1]) :] + head),
        (box + cells(head), "title", title),
        (rest, "band", sign.across * (end - rest) + sides[1:]),
    )
    yield stage.line((box, "band", sign.corners[2] + sign.across * len(digits) + sign.corners[3]))


def rows(stage: Stage, row: Row) -> Iterator[Line]:
    """The lines of a row, an empty one at its end."""
    match row:
        case Group():
            yield from _group(stage, row)
        case Remark(over=(first, last), text=text):
            yield from over(stage, first, last, stage.told.say(text, 600))
        case Run(kind="pairs"):
            yield from _pairs(stage, row)
        case Run() | Entry():
            yield from _message(stage, row)
    yield stage.blank()


# Messages


def _message(stage: Stage, row: Run | Entry) -> Iterator[Line]:
    entry = row.entries[0] if isinstance(row, Run) else row
    passes = stage.told.passes(entry) and stage.lane(entry.message.sender) != stage.lane(entry.message.receiver)
    drawn = _arrow(stage, entry) if passes else _mark(stage, entry)
    head, clock = _head(stage, row, entry), _clock(stage, row)
    if not stage.columns.between:
        yield stage.line(*clock, *drawn, *placed(stage.columns.left, head[0]))
        yield from stage.texts(head[1:])
    elif passes:
        yield from stage.texts(head)
        yield stage.line(*clock, *drawn, *_margin(stage, row, entry))
    else:
        yield stage.line(*clock, *drawn, *placed(_beside(stage, entry, head[0]), head[0]))
        yield from stage.texts(head[1:])
    stage.after(row)
    yield from stage.texts(list(_below(stage, row, entry)))


def _head(stage: Stage, row: Run | Entry, entry: Entry) -> list[list[Piece]]:
    told, number = stage.told, stage.told.number(row)
    style = f"{'err' if told.failed(entry) else told.kind(entry)}.bold"
    before = [] if number is None or _in_margin(stage, number) else [(style, f"{stage.plain(number)} ")]
    before += [(style, f"{stage.plain(word)} ")] if (word := told.word(entry)) else []
    return stage.headline(before, told.title(row), "bold", " · ".join(told.chips(row)))


def _below(stage: Stage, row: Run | Entry, entry: Entry) -> Iterator[list[Piece]]:
    """Payload, explanations, and where a repeated list leads back to."""
    told, room = stage.told, stage.columns.room
    foreign = entry.message.kind in ("noise", "stderr")
    indent = [("mut", f"{stage.glyphs.quote} ")] if foreign else []
    for line in told.lines(row, room - 2 * foreign, stage.most):
        for pieces in _fitting(stage, line, room - 2 * foreign):
            yield [*indent, *pieces]
    for term, text in told.notes(entry):
        yield from _note(stage, term, text)
    if loop := told.loop(entry):
        yield from stage.wrapped(f"{stage.glyphs.loop} {loop}", "mut")


def _fitting(stage: Stage, line: JsonLine, room: int) -> Iterator[list[Piece]]:
    """A line of a payload; in ASCII it may have become longer than there is room."""
    pieces = [(kind, stage.plain(text)) for _, kind, text in line.tokens]
    indent = line.tokens[0][0] if line.tokens else 0
    if indent + sum(cells(text) for _, text in pieces) <= room:
        yield [("", " " * indent), *pieces]
        return
    whole = " " * indent + "".join(text for _, text in pieces)
    yield from ([("plain", whole[start : start + room])] for start in range(0, len(whole), room))


def _note(stage: Stage, term: str, text: str) -> Iterator[list[Piece]]:
    sign = f"{stage.glyphs.note} "
    lines = stage.wrapped(f"{term}: {text}", "mut", stage.columns.room - 2)
    for number, line in enumerate(lines):
        yield [("mut", "  " if number else sign), *line]


def _arrow(stage: Stage, entry: Entry) -> Iterator[Written]:
    """From the sender's lifeline to the receiver's, over the lifelines between."""
    kind = "loc" if entry.message.kind == "note" else stage.told.kind(entry)
    arrow = stage.glyphs.arrows[kind]
    start, end = stage.life(entry.message.sender), stage.life(entry.message.receiver)
    short = _NOISE_GAP if kind == "warn" else 0
    yield start, kind, stage.glyphs.mark
    if end > start:
        line = stage.across(start + 1, end - 1 - short, arrow.line, stage.glyphs.cross)
        yield start + 1, kind, line + arrow.right
    else:
        line = stage.across(end + 2 + short, start, arrow.line, stage.glyphs.cross)
        yield end + 1 + short, kind, arrow.left + line


def _mark(stage: Stage, entry: Entry) -> Iterator[Written]:
    """What befell one participant: a sign on its lifeline, dots beside it for what it wrote to its log."""
    told, message = stage.told, entry.message
    style = "err" if told.failed(entry) else told.kind(entry)
    if message.kind == "process":
        sign = stage.glyphs.end if told.ends(entry) else stage.glyphs.local
        yield stage.life(told.process(entry)), style, sign
    elif message.kind == "stderr":
        life = stage.life(message.sender)
        right = stage.columns.between and life > stage.columns.left
        yield life - len(stage.glyphs.log) if right else life + 1, style, stage.glyphs.log
    else:
        yield stage.life(message.sender), style, stage.glyphs.local


def _beside(stage: Stage, entry: Entry, head: Sequence[Piece]) -> int:
    """Where the label of a mark begins: beside the lifeline that the mark stands on."""
    message = entry.message
    who = stage.told.process(entry) if message.kind == "process" else message.sender
    if stage.life(who) < stage.columns.left:
        return stage.columns.left
    apart = 2 if message.kind == "stderr" else 0
    return max(stage.columns.left, stage.columns.right - apart - sum(cells(text) for _, text in head))


def _in_margin(stage: Stage, number: str) -> bool:
    first = min(stage.columns.life.values()) - stage.columns.edge - stage.columns.inset
    return stage.columns.between and len(number) + 1 < first


def _margin(stage: Stage, row: Run | Entry, entry: Entry) -> Iterator[Written]:
    """The number of a message outside of the lifeline that it starts from."""
    number = stage.told.number(row)
    if number is not None and _in_margin(stage, number):
        life = stage.life(entry.message.sender)
        shown = stage.plain(number)
        yield life + 2 if life > stage.columns.left else life - 1 - len(shown), "bold", shown


def _clock(stage: Stage, row: Run | Entry) -> Iterator[Written]:
    time = stage.told.clock(row) if stage.told.look.options.times == "clock" else None
    if time is not None:
        shown = stage.plain(time)[: stage.columns.edge - 1]
        yield stage.columns.edge - 1 - len(shown), "mut", shown


# What is not a message


def _pairs(stage: Stage, run: Run) -> Iterator[Line]:
    """A long run of equal exchanges in one line, the lifelines beside it dashed."""
    message = run.entries[0].message
    signs = {stage.life(who): stage.glyphs.skip for who in (message.sender, message.receiver)}
    skipped = [(column, "life", sign) for column, sign in signs.items()]
    for pieces in stage.wrapped(stage.told.title(run), "mut", most=2):
        start = stage.columns.left + _centred(stage, pieces) * stage.columns.between
        yield stage.line(*skipped, *placed(start, pieces))


def pause(stage: Stage, seconds: float) -> Iterator[Line]:
    """A break in all lifelines where nothing happened for a while."""
    text = stage.plain(stage.told.words("pause", time=duration(seconds)))
    broken = [(column, "mut", stage.glyphs.gap) for column in stage.columns.life.values()]
    start = stage.columns.left + _centred(stage, [("mut", text)]) * stage.columns.between
    yield stage.line(*broken, (start, "mut", text))
    yield stage.blank()


def over(stage: Stage, first: str, last: str, text: str) -> Iterator[Line]:
    """A frame over the lanes from one to another with a text in it."""
    start, end = _span(stage, first, last)
    card, room = stage.glyphs.card, end - start - 4
    yield stage.line((start, "warn", card.corners[0] + card.across * (room + 2) + card.corners[1]))
    for [(_, line)] in stage.wrapped(text, "", room):
        left = (room - cells(line)) // 2
        right = room - left - cells(line)
        yield stage.line((start, "warn", card.down), (start + 1, "bold", " " * (left + 1) + line + " " * (right + 1)),
                         (end - 1, "warn", card.down))
    yield stage.line((start, "warn", card.corners[2] + card.across * (room + 2) + card.corners[3]))


def _span(stage: Stage, first: str, last: str) -> tuple[int, int]:
    columns = stage.columns
    if columns.between:
        return columns.left, columns.right
    ends = sorted((stage.life(first), stage.life(last)))
    start = max(columns.edge + columns.inset, ends[0] - _BESIDE)
    return start, min(columns.right, max(start + _LEAST_REMARK, ends[1] + _BESIDE + 1))


def _centred(stage: Stage, pieces: Sequence[Piece]) -> int:
    return max(0, (stage.columns.room - sum(cells(text) for _, text in pieces)) // 2)


# Frames


def _group(stage: Stage, group: Group) -> Iterator[Line]:
    """A frame with the rows of each branch in it; branches are parted by a line."""
    corners, parting = stage.glyphs.frame.corners, stage.glyphs.frame.parting
    for number, branch in enumerate(group.branches):
        ends = corners[:2] if number == 0 else parting
        word = stage.plain(stage.told.words(f"group.{group.operator if number == 0 else _other(group)}"))
        yield _edge(stage, ends, word, branch.condition)
        stage.enter(1)
        yield from stage.texts(_condition(stage, branch))
        yield stage.blank()
        for row in branch.rows:
            yield from rows(stage, row)
        stage.enter(-1)
    yield _edge(stage, corners[2:], "", None)


def _edge(stage: Stage, ends: str, operator: str, condition: Say | None) -> Line:
    """A line of a frame with a word in it, over everything."""
    across, step = stage.glyphs.frame.across, 2 * min(stage.ground.depth, max(0, stage.columns.inset // 2 - 1))
    start, wide = stage.columns.edge + step, stage.columns.wide - stage.columns.edge - 2 * step
    said = stage.plain(stage.told.say(condition))
    head = f"{ends[0]}{across} {operator} {across}" if operator else ends[0] + across
    if said and cells(head) + cells(said) + 4 <= wide:
        head = f"{head} {said} "
    return stage.line((start, "frame", head + across * (wide - cells(head) - 1) + ends[1]))


def _condition(stage: Stage, branch: Branch) -> list[list[Piece]]:
    """A condition that found no room in the frame's line."""
    said = stage.plain(stage.told.say(branch.condition))
    long = cells(said) + 20 > stage.columns.wide - 2 * stage.columns.inset - stage.columns.edge
    return stage.wrapped(said, "bold") if said and long else []


def _other(group: Group) -> str:
    return "and" if group.operator == "par" else "else"
