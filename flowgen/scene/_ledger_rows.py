"""The rows of the picture with three to six lanes: an arrow between lanes, a card with its text on the right.

As in the two-lane picture a row is measured first and drawn when its place is known.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from flowgen.flow import Entry, Remark, Run, Step, duration

from ._arrow_words import arrow_word, note_pill
from ._bodies import body_box, foreign_box
from ._clean import clean_line
from ._headline import Kind, chips_of, headline, kind_of, loop_back, pill_kind, pill_text, title_of
from ._ledger_notes import NoteCard, note_cards
from ._look import LedgerLook
from ._parts import Box, Chip, chip_row
from ._rows import (
    Row,
    flight,
    note_over,
    number_mark,
    number_text,
    over_height,
    passes,
    process_ended,
    process_mark,
    process_word,
    stderr_dots,
)
from ._run_pill import run_pill
from ._series import SeriesBox, series_box
from ._shapes import Circle, Line, Path, Rect, Shape, Text
from ._text import shorten, width, wrap

_ARROW = 22  # from a row's top to its arrow
_BOX = _ARROW + 16
_AFTER = 16
_LEAST = _ARROW + 18  # a row without a box reaches to here
_BAND, _AFTER_BAND = 44, 18
_RUN, _PAUSE = 16, 30
_PILL = 28  # from the card's left edge to the kind pill: the number stands before it
_GAP = 6  # between the box and what stands under it
_LOOP_PILL = 26
_BESIDE_LINK = 48  # the link of a retry ends where its word would stand
_THIRD_LINK = 12
_WORD_END = "ledger.word.end"
_SELF_REACH = 44  # how far a self-message goes out, its leader's start


def band_row(step: Step, look: LedgerLook, again: str = "") -> Row:
    """The bar that opens a step; it passes over all lanes. `again` follows the title on a further page."""
    left, right = look.columns.left, look.columns.box_end

    def draw(y: float) -> Iterable[Shape]:
        second = clean_line(look.also(step.title) or "", 60) if step.title else ""
        whole = clean_line(look.say(step.title), 200) if step.title else ""
        title = shorten(whole, 17, right - left - 62 - 40 - width(second, 12.5) - width(again, 14), 700)
        digits = str(step.number)
        short = len(digits) < 3
        style = "ledger.digit" if short else "band.digits" if len(digits) == 3 else "band.digits.many"
        yield Rect(left, y, right - left, _BAND, "band", 10)
        yield Circle(left + 28, y + 22, 22, "band.disc")
        yield Text(left + 28, y + (30.5 if short else 28), digits, style)
        yield Text(left + 62, y + 28, title, "ledger.band", None if title == whole else whole)
        if again:
            yield Text(left + 70 + 1.04 * width(title, 17, 700), y + 28, again, "band.again")
        if second:
            yield Text(right - 18, y + 28, second, "ledger.second")

    return Row(_BAND + _AFTER_BAND, draw, kind="band")


def entry_row(row: Entry | Run, look: LedgerLook) -> Row:
    """The row of one message or of a folded run."""
    if isinstance(row, Run) and row.kind == "pairs":
        return _pairs_row(row, look)
    entries = (row,) if isinstance(row, Entry) else row.entries
    return _card_row(entries, title_of(row, look), look)


def _card_row(entries: tuple[Entry, ...], title: str, look: LedgerLook) -> Row:
    """What passes between lanes, or befalls one, and its card: head, box, notes, pills below each other."""
    entry = entries[0]
    kind, box = kind_of(entry.message), _box(entries, look)
    under = note_cards(entry.notes, look)
    bottom = _BOX + box.height if box.height else _LEAST
    height = bottom + sum(card.height + _GAP for card in under)
    height += _LOOP_PILL + _GAP if entry.back_to is not None else 0

    def draw(y: float) -> Iterable[Shape]:
        yield from _passage(entries, kind, y + _ARROW, look)
        yield from _head(entries, kind, title, y, look)
        if box.height:
            yield from box.at(look.columns.box, y + _BOX)
        yield from _under(entry, under, y + bottom + _GAP, look)

    form: Literal["message", "plain"] = "message" if passes(entry) else "plain"
    return Row(height + _AFTER, draw, entries, _ARROW, form, ends=_ends(entry, look))


def _box(entries: tuple[Entry, ...], look: LedgerLook) -> Box | SeriesBox:
    """The box of a card; notes and process events have none: their head says all of it."""
    message = entries[0].message
    bar = f"bar.{kind_of(message)}"
    if message.kind in ("noise", "stderr"):
        return foreign_box([entry.message for entry in entries], look.card, bar, False, look)
    if message.kind in ("note", "process"):
        return Box((), look.card, None)
    return series_box(entries, look.card, bar, False) or body_box(entries, look.card, bar, False, look)


def _under(entry: Entry, cards: Sequence[NoteCard], y: float, look: LedgerLook) -> Iterable[Shape]:
    """Notes and the loop pill under the box."""
    for card in cards:
        yield from card.at(look.columns.box, y)
        y += card.height + _GAP
    if entry.back_to is not None:
        yield loop_back(entry, look.columns.box, y, look)


def _head(entries: tuple[Entry, ...], kind: Kind, title: str, y: float, look: LedgerLook) -> Iterable[Shape]:
    """The card's head: its number once more, the kind pill, the title, the chips."""
    left, number = look.columns.box, number_text(entries)
    wide = max(20.0, width(number, 11, 700) + 12) if number else 10.0
    yield from number_mark(left + wide / 2, y + _ARROW, number, kind)
    start = left + max(_PILL, wide + 8)
    word, chips = _pill(entries[0], look), chips_of(entries, look)
    yield from headline(start, look.columns.box_end, y + _ARROW - 10, word, _kind(entries[0]), title, chips)


def _pill(entry: Entry, look: LedgerLook) -> str:
    if entry.message.kind == "process":
        return process_word(entry.message.body, look.words)
    if entry.message.kind == "note" and passes(entry):
        return look.words(note_pill(entry.message, look.roles))
    return pill_text(entry, look)


def _kind(entry: Entry) -> Kind:
    return "err" if entry.message.kind == "process" and "crashed" in entry.message.codes else pill_kind(entry)


def _ends(entry: Entry, look: LedgerLook) -> str | None:
    """The participant whose process ended with this message."""
    if entry.message.kind != "process" or not process_ended(entry):
        return None
    return look.of_process(entry.message)


def _passage(entries: tuple[Entry, ...], kind: Kind, y: float, look: LedgerLook) -> Iterable[Shape]:
    """What is drawn over the lanes, and the dotted leader from there to the card."""
    entry, columns = entries[0], look.columns
    sender, receiver = entry.message.sender, entry.message.receiver
    start = columns.life(sender)
    if entry.message.kind == "process":
        x = columns.life(look.of_process(entry.message))
        yield from process_mark(x, y, entry)
        yield _leader(x + 14, y, look)
    elif entry.message.kind == "stderr":
        yield from stderr_dots(start, y, 1)
        yield _leader(start + 28, y, look)
    elif columns.place(sender) == columns.place(receiver):
        yield from _self_message(start, y, look)
    else:
        yield from _arrow(entries, kind, y, look)


def _arrow(entries: tuple[Entry, ...], kind: Kind, y: float, look: LedgerLook) -> Iterable[Shape]:
    entry, columns = entries[0], look.columns
    start = columns.life(entry.message.sender) + look.waits.out_at_sender(entry)
    end = columns.life(entry.message.receiver) + look.waits.out_at_receiver(entry)
    if entry.message.kind == "note":
        way = 1 if end > start else -1
        yield Line(start, y, end - way * 14, y, "line.user")
        yield Path(end - way * 3, y, f"M0 0 L{-14 * way} -7 L{-14 * way} 7 Z", "tip.loc")
    else:
        yield from flight(start, end, y, kind, entry.message)
    number = number_text(entries)
    yield from number_mark(start, y, number, kind)
    if word := word_over(entries, y, look):
        yield word
    yield from _real_name(entry, start, end, y, look)
    yield _leader(max(start, end) + 14, y, look)


def word_over(entries: tuple[Entry, ...], y: float, look: LedgerLook) -> Text | None:
    """The word over an arrow at y: in the first gap after the sender, so that it never crosses a lifeline."""
    entry, life, number = entries[0], look.columns.life, number_text(entries)
    start, end = life(entry.message.sender), life(entry.message.receiver)
    start += look.waits.out_at_sender(entry) if end > start else 0  # to the left a bar stands behind the sender
    further = _beside_link(entry, look)
    room = look.columns.pitch - 30 - further - (start - life(entry.message.sender))
    text = _fitting(arrow_word(entry, look.words), room)
    away = further + (16 if number is None or len(number) < 3 else width(number, 11, 700) / 2 + 12)
    if not text or start == end:
        return None
    return Text(start + away, y - 8, text, "ledger.word") if end > start else Text(start - away, y - 8, text, _WORD_END)


def _fitting(word: str, room: float) -> str:
    """A word in its room: of a long method its last part says more than its first letters."""
    last = word.rpartition("/")[2] if " " not in word else ""
    return shorten(last if last and width(word, 11.5, 700) > room else word, 11.5, room, 700)


def _beside_link(entry: Entry, look: LedgerLook) -> float:
    """How much further out a word begins that stands over the end of a link: the third one reaches out to there."""
    if entry.retry_of is None:
        return 0
    return _BESIDE_LINK + (_THIRD_LINK if look.waits.links.get(entry.message.seq, 0) > 1 else 0)


def _real_name(entry: Entry, start: float, end: float, y: float, look: LedgerLook) -> Iterable[Shape]:
    """Under the arrow of somebody who shares a lane: who it really is."""
    ends = (entry.message.sender, entry.message.receiver)
    name = next((look.shared[who] for who in ends if who in look.shared), None)
    if name is not None:
        shown = shorten(name, 10.5, look.columns.pitch - 30)
        right = end > start
        yield Text(start + (16 if right else -16), y + 15, shown, "ledger.real" if right else "ledger.real.end")


def _self_message(life: float, y: float, look: LedgerLook) -> Iterable[Shape]:
    """A loop right of the lifeline: something happened inside one participant."""
    outline = "M9 -6 L27 -6 A8 8 0 0 1 35 2 L35 8 A8 8 0 0 1 27 16 L11 16"
    yield Circle(life, y - 6, 5, "bar.loc")
    yield Path(life, y, outline, "self")
    yield Path(life + 9, y + 16, "M8 -5 L0 0 L8 5", "self")
    yield _leader(life + _SELF_REACH, y, look)


def _leader(x: float, y: float, look: LedgerLook) -> Line:
    """The dotted line from what happened to its card."""
    return Line(min(x, look.columns.box - 9), y, look.columns.box - 8, y, "leader")


def _pairs_row(run: Run, look: LedgerLook) -> Row:
    """A long run of exchanges in one pill."""
    pill = run_pill(title_of(run, look), look.card - 8)

    def draw(y: float) -> Iterable[Shape]:
        message = run.entries[0].message
        start, end = look.columns.life(message.sender), look.columns.life(message.receiver)
        for offset, kind in ((-6, "req"), (0, "res"), (6, "req")):
            yield Line(min(start, end) + 14, y + 20 + offset, max(start, end) - 14, y + 20 + offset, f"run.{kind}")
        yield from pill.at(look.columns.box, y + 6)
        yield _leader(max(start, end) + 14, y + 20, look)

    return Row(_RUN + pill.height, draw, run.entries, 20, "pairs")


def pause_row(seconds: float, look: LedgerLook) -> Row:
    """A break in the picture where nothing happened for a while."""
    chip = Chip(look.words("pause", time=duration(seconds)))

    def draw(y: float) -> Iterable[Shape]:
        yield from chip_row(look.columns.box + chip.width, y + 5, [chip])
        yield _leader(look.columns.lanes_end + 4, y + 15, look)

    return Row(_PAUSE, draw, (), None, "pause")


def remark_row(remark: Remark, look: LedgerLook) -> Row:
    """A fact about several participants, over their lanes."""
    first, last = sorted(map(look.columns.place, remark.over))
    left, right = look.columns.lane(first) + 6, look.columns.lane(last) + look.columns.lane_width - 6
    return _over(left, right, look.lines(remark.text, right - left - 24), 0)


def outcome_row(text: str, look: LedgerLook) -> Row:
    """How a session ended that did not run to its end, over all lanes."""
    left, right = look.columns.left + 6, look.columns.lanes_end - 6
    return _over(left, right, wrap(text, 12, right - left - 24), 4)


def _over(left: float, right: float, lines: Sequence[str], down: float) -> Row:
    def draw(y: float) -> Iterable[Shape]:
        return note_over(left, right, y + down, lines)

    high = over_height(lines)
    return Row(high + 18 + down, draw, over=(left, right, down, down + high))
