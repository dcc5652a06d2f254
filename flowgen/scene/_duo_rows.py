"""The rows of the two-lane picture. Each is measured first and drawn when its place is known."""

from collections.abc import Iterable, Sequence

from flowgen.flow import Entry, Remark, Run, Step, duration

from ._bodies import body_box, foreign_box
from ._breaches import breach_chips
from ._clean import clean_line
from ._duo_columns import Side, other
from ._headline import (
    Kind,
    chips_of,
    headline,
    kind_of,
    loop_back,
    pill_kind,
    pill_text,
    problem_chips,
    title_of,
)
from ._look import DuoLook
from ._notes import Card, LocalCard, note_card
from ._parts import Box, Chip, chip_row
from ._rows import (
    Row,
    flight,
    note_over,
    number_mark,
    number_text,
    over_height,
    process_ended,
    process_mark,
    process_word,
    stderr_dots,
)
from ._run_pill import run_pill
from ._series import SeriesBox, series_box
from ._shapes import Circle, Rect, Shape, Text
from ._text import shorten, width, wrap

_ARROW = 34  # from a row's top to its arrow
_BOX = 48  # to its box
_PLAIN_BOX = 28  # to the box of a row without an arrow
_AFTER = 26  # below the lowest thing of a row
_PILL_GAP = 10
_BAND = 48
_AFTER_BAND = 20
_PAUSE = 30
_RUN = 24  # beside its pill


def band_row(step: Step, look: DuoLook, again: str = "") -> Row:
    """The bar that opens a step, with its big number. `again` follows the title where it stands on a further page."""

    def draw(y: float) -> Iterable[Shape]:
        x = look.columns.box
        second = look.also(step.title) if step.title else None
        second_width = width(clean_line(second, 60), 14) if second else 0
        whole = clean_line(look.say(step.title), 200) if step.title else ""
        title = shorten(whole, 18, look.columns.card - 68 - 36 - second_width - width(again, 14), 700)
        digits = str(step.number)
        yield Rect(x, y, look.columns.card, _BAND, "band", 10)
        yield Circle(x + 30, y + 24, 24, "band.disc")
        if len(digits) < 3:
            yield Text(x + 30, y + 33, digits, "band.digit")
        else:
            yield Text(x + 30, y + 31, digits, "band.digits" if len(digits) == 3 else "band.digits.many")
        yield Text(x + 68, y + 30, title, "band.title", None if title == whole else whole)
        if again:
            # × 1.04: DejaVu itself is that much wider than the table says
            yield Text(x + 68 + 1.04 * width(title, 18, 700) + 8, y + 30, again, "band.again")
        if second:
            yield Text(look.columns.box_end - 18, y + 30, clean_line(second, 60), "band.second")

    return Row(_BAND + _AFTER_BAND, draw, kind="band")


def entry_row(row: Entry | Run, look: DuoLook, first_of: int | None = None) -> Row:
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


def _message_row(entries: tuple[Entry, ...], title: str, look: DuoLook) -> Row:
    """An arrow with its label, box, notes and pills."""
    entry = entries[0]
    kind = kind_of(entry.message)
    side = look.side(entry.message.sender)
    box = _box(entries, kind, side, look)
    cards = _note_cards(entry, look)
    bottom = _BOX + (box.height or -_BOX + _ARROW)
    bottom += _PILL_GAP + 26 if entry.back_to is not None else 0

    def draw(y: float) -> Iterable[Shape]:
        for lane, card in cards:
            yield from card.at(look.columns.note(lane), y)
        yield from _headline(y, pill_text(entry, look), pill_kind(entry), title, chips_of(entries, look), look)
        yield from _flight(entries, kind, side, y + _ARROW, look)
        if box.height:
            yield from box.at(look.columns.box, y + _BOX)
        if entry.back_to is not None:
            yield loop_back(entry, look.columns.box, y + bottom - 26, look)

    beside = tuple((lane, card.height) for lane, card in cards)
    return Row(bottom + _AFTER, draw, entries, _ARROW, "message", beside)


def _note_cards(entry: Entry, look: DuoLook) -> list[tuple[Side, Card]]:
    sides: tuple[Side, Side] = ("client", "server")
    cards = [(side, note_card(entry.notes, side, look, look.columns.note_width)) for side in sides]
    return [(side, card) for side, card in cards if card]


def _headline(
    y: float, word: str, kind: Kind, title: str, chips: list[Chip], look: DuoLook
) -> Iterable[Shape]:
    return headline(look.columns.box, look.columns.box_end, y, word, kind, title, chips)


def _box(entries: tuple[Entry, ...], kind: Kind, side: Side, look: DuoLook) -> Box | SeriesBox:
    messages = [entry.message for entry in entries]
    if messages[0].kind in ("noise", "stderr"):
        return foreign_box(messages, look.columns.card, f"bar.{kind}", side == "server", look)
    series = series_box(entries, look.columns.card, f"bar.{kind}", side == "server")
    return series or body_box(entries, look.columns.card, f"bar.{kind}", side == "server", look)


def _flight(entries: tuple[Entry, ...], kind: Kind, side: Side, y: float, look: DuoLook) -> Iterable[Shape]:
    """The arrow and the mark where it starts."""
    columns, far = look.columns, other(side)
    start = columns.life(side) + columns.out(side) * look.waits.out_at_sender(entries[0])
    end = columns.life(far) + columns.out(far) * look.waits.out_at_receiver(entries[0])
    yield from flight(start, end, y, kind, entries[0].message)
    yield from number_mark(start, y, number_text(entries) if look.numbered else None, kind)


def _stderr_row(entries: tuple[Entry, ...], title: str, look: DuoLook) -> Row:
    side = look.side(entries[0].message.sender)
    box = _box(entries, "loc", side, look)
    count = sum(entry.count for entry in entries)
    chips = [*problem_chips(entries), *breach_chips(entries, look.breaches), *[Chip(f"×{count:,}")] * (count > 1)]

    def draw(y: float) -> Iterable[Shape]:
        yield from _headline(y, look.words("pill.stderr"), "loc", title, chips, look)
        yield from stderr_dots(look.columns.life(side), y + 10, -1 if side == "server" else 1)
        yield from box.at(look.columns.box, y + _PLAIN_BOX)

    return Row(_PLAIN_BOX + box.height + _AFTER, draw, entries, 10)


def _process_row(entry: Entry, title: str, look: DuoLook) -> Row:
    """What became of the server's process: started, told to stop, ended."""
    kind: Kind = "err" if "crashed" in entry.message.codes else "loc"
    word = process_word(entry.message.body, look.words)
    chips = [*problem_chips((entry,)), *breach_chips((entry,), look.breaches)]

    def draw(y: float) -> Iterable[Shape]:
        yield from _headline(y, word, kind, title, chips, look)
        yield from process_mark(look.columns.life("server"), y + 10, entry)

    message = entry.message
    who = look.of_process(message)
    return Row(20 + _AFTER, draw, (entry,), 10, ends=who if process_ended(entry) else None)


def _local_row(entry: Entry, title: str, look: DuoLook) -> Row:
    """What happened inside the client, or between it and those who have no lane yet."""
    side = look.side(entry.message.sender)
    wide = look.columns.note_width
    told = " ".join([title, *(chip.text for chip in breach_chips((entry,), look.breaches))])
    card = LocalCard(look.words("pill.note"), tuple(wrap(told, 12, wide - 24)), wide)

    def draw(y: float) -> Iterable[Shape]:
        yield from card.at(look.columns.note(side), y)

    return Row(card.height + 18, draw, (entry,), 18, beside=((side, card.height),))


def _pairs_row(run: Run, look: DuoLook) -> Row:
    """A long run of exchanges in one pill."""
    pill = run_pill(title_of(run, look), look.columns.card - 48)

    def draw(y: float) -> Iterable[Shape]:
        return pill.at(look.columns.box + look.columns.card / 2, y + 6, centred=True)

    return Row(_RUN + pill.height, draw, run.entries, 20, "pairs")


def pause_row(seconds: float, look: DuoLook) -> Row:
    """A break in the picture where nothing happened for a while."""
    chip = Chip(look.words("pause", time=duration(seconds)))

    def draw(y: float) -> Iterable[Shape]:
        middle = look.columns.lane("client") + look.columns.lane_width / 2
        yield from chip_row(middle + chip.width / 2, y + 5, [chip])

    return Row(_PAUSE, draw, (), None, "pause", (("client", _PAUSE),))


def remark_row(remark: Remark, look: DuoLook) -> Row:
    """A fact about both sides, over the gutter."""
    return _over(look.lines(remark.text, look.columns.card - 32), look)


def outcome_row(text: str, look: DuoLook) -> Row:
    """How a session ended that did not run to its end, over the gutter."""
    return _over(wrap(text, 12, look.columns.card - 32), look)


def _over(lines: Sequence[str], look: DuoLook) -> Row:
    def draw(y: float) -> Iterable[Shape]:
        return note_over(look.columns.box, look.columns.box_end, y, lines)

    return Row(over_height(lines) + 18, draw)
