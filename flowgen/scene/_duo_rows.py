"""The rows of the two-lane picture. Each is measured first and drawn when its place is known.

A row's height reaches to the next row's top; offsets are px below the row's own top.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from flowgen.flow import Entry, Run, Step, duration

from ._bodies import body_lines, foreign_lines
from ._clean import clean_line
from ._duo_columns import BOX, NOTE, Side, other
from ._headline import Kind, chips_of, headline, kind_of, pill_kind, pill_text, problem_chips, title_of
from ._json_fill import JsonLine
from ._look import Look
from ._notes import Card, LocalCard, note_card
from ._parts import ADVANCE, Box, Chip, Tip, arrow, chip_row, loop_pill
from ._shapes import Circle, Group, Line, Path, Rect, Shape, Text
from ._text import shorten, width, wrap

COLUMNS = int((BOX - 32) / ADVANCE)  # 80 columns of JSON
_ARROW = 34  # from a row's top to its arrow
_BOX = 48  # to its box
_PLAIN_BOX = 28  # to the box of a row without an arrow
_AFTER = 26  # below the lowest thing of a row
_PILL_GAP = 10
_BAND = 48
_AFTER_BAND = 20
_PAUSE = 30
_RUN = 52

@dataclass(frozen=True, slots=True)
class Row:
    """A measured row. `mark` is the offset of its arrow or mark, `beside` how far its cards reach down in the lanes.

    A card may reach beside the rows that follow; the next card of the same lane then starts below it.
    """

    height: float
    draw: Callable[[float], Iterable[Shape]]
    entries: tuple[Entry, ...] = ()
    mark: float | None = None
    kind: Literal["band", "message", "plain", "pairs", "pause", "exit"] = "plain"
    beside: tuple[tuple[Side, float], ...] = ()


_TIPS: dict[str, Tip] = {"req": "filled", "res": "hollow", "err": "hollow", "ntf": "open", "warn": "cross"}
_LINES = {"ntf": "dashed", "warn": "dotted"}


def band_row(step: Step, look: Look) -> Row:
    """The bar that opens a step, with its big number."""

    def draw(y: float) -> Iterable[Shape]:
        x = look.columns.box
        second = look.also(step.title) if step.title else None
        second_width = width(clean_line(second, 60), 14) if second else 0
        whole = clean_line(look.say(step.title), 200) if step.title else ""
        title = shorten(whole, 18, BOX - 68 - 36 - second_width, 700)
        digits = str(step.number)
        yield Rect(x, y, BOX, _BAND, "band", 10)
        yield Circle(x + 30, y + 24, 24, "band.disc")
        if len(digits) < 3:
            yield Text(x + 30, y + 33, digits, "band.digit")
        else:
            yield Text(x + 30, y + 31, digits, "band.digits")
        yield Text(x + 68, y + 30, title, "band.title", None if title == whole else whole)
        if second:
            yield Text(x + BOX - 18, y + 30, clean_line(second, 60), "band.second")

    return Row(_BAND + _AFTER_BAND, draw, kind="band")


def entry_row(row: Entry | Run, look: Look, first_of: int | None = None) -> Row:
    """The row of one message or of a folded run. `first_of` is the number of the step that it opens."""
    if isinstance(row, Run) and row.kind == "pairs":
        return _pairs_row(row, look)
    entries = (row,) if isinstance(row, Entry) else row.entries
    title = title_of(row, look, first_of)
    match entries[0].message.kind:
        case "stderr":
            return _stderr_row(entries, title, look)
        case "process":
            return _process_row(entries[0], title, look)
        case "note":
            return _local_row(entries[0], title, look)
        case _ if look.side(entries[0].message.sender) == look.side(entries[0].message.receiver):
            return _local_row(entries[0], title, look)
        case _:
            return _message_row(entries, title, look)


def _message_row(entries: tuple[Entry, ...], title: str, look: Look) -> Row:
    """An arrow with its label, box, notes and pills."""
    entry = entries[0]
    kind = kind_of(entry.message)
    side = look.side(entry.message.sender)
    box = _box(entries, kind, side, look)
    cards = _note_cards(entry, look)
    bottom = _BOX + (box.height if box.lines else -_BOX + _ARROW)
    bottom += _PILL_GAP + 26 if entry.back_to is not None else 0

    def draw(y: float) -> Iterable[Shape]:
        for lane, card in cards:
            yield from card.at(look.columns.note(lane), y)
        yield from headline(y, pill_text(entry, look), pill_kind(entry), title, chips_of(entries, look), look)
        yield from _flight(entries, kind, side, y + _ARROW, look)
        if box.lines:
            yield from box.at(look.columns.box, y + _BOX)
        if entry.back_to is not None:
            yield _loop(entry, y + bottom - 26, look)

    beside = tuple((lane, card.height) for lane, card in cards)
    return Row(bottom + _AFTER, draw, entries, _ARROW, "message", beside)


def _note_cards(entry: Entry, look: Look) -> list[tuple[Side, Card]]:
    sides: tuple[Side, Side] = ("client", "server")
    cards = [(side, note_card(entry.notes, side, look)) for side in sides]
    return [(side, card) for side, card in cards if card]


def _box(entries: tuple[Entry, ...], kind: Kind, side: Side, look: Look) -> Box:
    message = entries[0].message
    lines: tuple[JsonLine, ...]
    if message.kind == "noise":
        lines = foreign_lines([entry.message for entry in entries], COLUMNS, look)
    else:
        lines = body_lines(entries[0], COLUMNS, look)
    style = "box.foreign" if message.kind == "noise" else "box"
    behind = 2 if len(entries) > 1 and message.kind != "noise" else 0
    return Box(lines, BOX, f"bar.{kind}", side == "server", style, behind)


def _loop(entry: Entry, y: float, look: Look) -> Group:
    what = (entry.method or "").partition("/")[0]
    text = look.words("loop", n=entry.back_to, what=clean_line(what, 40))
    return loop_pill(look.columns.box, y, text, f"step-{entry.back_to}")


def _flight(entries: tuple[Entry, ...], kind: Kind, side: Side, y: float, look: Look) -> Iterable[Shape]:
    """The arrow and the mark where it starts."""
    start, end = look.columns.life(side), look.columns.life(other(side))
    tip = _TIPS.get(kind, "filled")
    yield from arrow(start, end, y, kind, tip, _LINES.get(kind, ""))
    yield from _sender_mark(entries, kind, start, y, look)


def _sender_mark(
    entries: tuple[Entry, ...], kind: Kind, x: float, y: float, look: Look
) -> Iterable[Shape]:
    numbers = [entry.number for entry in entries if entry.number is not None]
    if not look.numbered or not numbers:
        yield Circle(x, y, 5, f"bar.{kind}")
        return
    text = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"
    if len(text) < 3:
        yield Circle(x, y, 10, f"bar.{kind}")
    else:
        wide = width(text, 11, 700) + 12
        yield Rect(x - wide / 2, y - 10, wide, 20, f"bar.{kind}", 10)
    yield Text(x, y + 4, text, "number")


def _stderr_row(entries: tuple[Entry, ...], title: str, look: Look) -> Row:
    lines = foreign_lines([entry.message for entry in entries], COLUMNS, look)
    side = look.side(entries[0].message.sender)
    box = Box(lines, BOX, "bar.loc", side == "server", "box.foreign")
    chips = problem_chips(entries) + [Chip(f"×{len(entries)}")] * (len(entries) > 1)

    def draw(y: float) -> Iterable[Shape]:
        yield from headline(y, look.words("pill.stderr"), "loc", title, chips, look)
        yield from _dots(look.columns.life(side), y + 10, -1 if side == "server" else 1)
        yield from box.at(look.columns.box, y + _PLAIN_BOX)

    return Row(_PLAIN_BOX + box.height + _AFTER, draw, entries, 10)


def _dots(life: float, y: float, way: int) -> Iterable[Shape]:
    for number in (1, 2, 3):
        yield Circle(life + way * 5.5 * number, y, 1.8, "bar.loc")


def _process_row(entry: Entry, title: str, look: Look) -> Row:
    """What became of the server's process: started, told to stop, ended."""
    message = entry.message
    body = message.body if isinstance(message.body, dict) else {}
    bad = "crashed" in message.codes
    word = _process_word(body, look)
    chips = problem_chips((entry,))
    ends = body.get("event") == "exited"

    def draw(y: float) -> Iterable[Shape]:
        yield from headline(y, word, "err" if bad else "loc", title, chips, look)
        x = look.columns.life("server")
        if ends:
            yield Rect(x - 12, y + 8, 24, 4, "bar.err" if bad else "bar.loc", 1.5)
        else:
            yield Circle(x, y + 10, 4, "bar.loc")

    return Row(20 + _AFTER, draw, (entry,), 10, "exit" if ends else "plain")


def _process_word(body: dict[str, object], look: Look) -> str:
    event, code, signal = body.get("event"), body.get("exit_code"), body.get("signal")
    if event in ("exited", "signal-sent") and isinstance(signal, str):
        return clean_line(signal, 16)
    if event == "exited":
        return f"{look.words('pill.exit')} {code}" if isinstance(code, int) else look.words("pill.exit")
    return look.words("pill.process")


def _local_row(entry: Entry, title: str, look: Look) -> Row:
    """What happened inside the client, or between it and those who have no lane yet."""
    side = look.side(entry.message.sender)
    card = LocalCard(look.words("pill.note"), tuple(wrap(title, 12, NOTE - 24)))

    def draw(y: float) -> Iterable[Shape]:
        yield from card.at(look.columns.note(side), y)

    return Row(card.height + 18, draw, (entry,), 18, beside=((side, card.height),))


def _pairs_row(run: Run, look: Look) -> Row:
    """A long run of equal exchanges in one line."""
    text = title_of(run, look)
    wide = width(text, 12, 700) + 32

    def draw(y: float) -> Iterable[Shape]:
        middle = look.columns.box + BOX / 2
        yield Rect(middle - wide / 2, y + 6, wide, 28, "run", 14)
        yield Text(middle, y + 24.5, text, "run.text")

    return Row(_RUN, draw, run.entries, 20, "pairs")


def pause_row(seconds: float, look: Look) -> Row:
    """A break in the picture where nothing happened for a while."""
    chip = Chip(look.words("pause", time=duration(seconds)))

    def draw(y: float) -> Iterable[Shape]:
        middle = look.columns.lane("client") + 126
        yield from chip_row(middle + chip.width / 2, y + 5, [chip])

    return Row(_PAUSE, draw, (), None, "pause")


def break_mark(x: float, y: float) -> Iterable[Shape]:
    """The slanted gap in a lifeline at a pause."""
    yield Path(x, y, "M-9 2.5 L9 -2.5 L9 4.5 L-9 9.5 Z", "break.gap")
    yield Line(x - 9, y + 2.5, x + 9, y - 2.5, "break")
    yield Line(x - 9, y + 9.5, x + 9, y + 4.5, "break")
