"""What all rows of a text picture need: the flow, the ground under them, and how texts are set on it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from flowgen.flow import Entry, Run
from flowgen.scene import Telling, shorten_columns, wrap_columns

from ._txt_columns import is_duo
from ._txt_glyphs import Glyphs, Piece
from ._txt_ground import Columns, Ground, Written, cells

Line = list[Piece]
_TITLE_LINES = 3


@dataclass(frozen=True, slots=True)
class Stage:
    """`plain` is what every text goes through, `most` are the lines of a payload.

    `closing` is `seq` of a message -> the requests whose wait for an answer it ends.
    """

    told: Telling
    columns: Columns
    glyphs: Glyphs
    ground: Ground
    plain: Callable[[str], str]
    most: int
    closing: Mapping[int, Sequence[int]]

    def life(self, participant: str) -> int:
        """The column of a participant's lifeline."""
        return self.columns.life[self.lane(participant)]

    def lane(self, participant: str) -> str:
        """The lane it stands in: a side, its own, or the one that several share."""
        if is_duo(self.told):
            return self.told.look.side(participant)
        return participant if participant in self.columns.life else list(self.columns.life)[-1]

    def line(self, *written: Written) -> Line:
        """A line with texts on it."""
        return list(self.ground.line(sorted(written, key=lambda piece: piece[0])))

    def after(self, row: Entry | Run) -> None:
        """Tells the ground of a row that was drawn: who is waited for now, whose process has ended."""
        for entry in (row,) if isinstance(row, Entry) else row.entries:
            self._after(entry)
        self.ground.changed()

    def _after(self, entry: Entry) -> None:
        message, ground = entry.message, self.ground
        end = ending(entry)
        if entry.state and self.told.passes(entry) and (end is None or end in self.closing):
            ground.waits[message.seq] = self.lane(message.receiver)
            ground.waited = True
        for seq in self.closing.get(message.seq, ()):
            ground.waits.pop(seq, None)
        if self.told.ends(entry):
            ground.ended.add(self.lane(self.told.process(entry)))

    def enter(self, step: int) -> None:
        """Tells the ground that a frame begins (1) or ends (-1)."""
        self.ground.depth += step
        self.ground.changed()

    def blank(self) -> Line:
        """A line of nothing but lanes."""
        return self.line()

    def texts(self, lines: Sequence[Sequence[Piece]]) -> Iterator[Line]:
        """Lines of pieces, each where texts begin."""
        for pieces in lines:
            yield self.line(*placed(self.columns.left, pieces))

    def across(self, start: int, end: int, pattern: str, over: str) -> str:
        """A line from one column to before another; another sign where it crosses a lifeline."""
        long = (pattern * (end - start))[: max(0, end - start)]
        crossed = {column for lane, column in self.columns.life.items() if lane not in self.ground.ended}
        return "".join(over if start + place in crossed else sign for place, sign in enumerate(long))

    def short(self, text: str, room: int) -> str:
        """A text in at most so many columns."""
        whole = self.plain(text)
        if self.plain is str or cells(whole) <= room:
            return shorten_columns(whole, room)
        return f"{whole[: max(0, room - 3)]}..."[: max(0, room)]

    def wrapped(self, text: str, style: str, room: int | None = None, most: int = 50) -> list[list[Piece]]:
        """A text in lines that fit, at most so many."""
        wide = room or self.columns.room
        lines = wrap_columns(self.plain(text), wide)
        if len(lines) > most:
            lines = [*lines[: most - 1], self.short(" ".join(lines[most - 1 :]), wide)]
        return [[(style, line)] for line in lines]

    def headline(self, before: Sequence[Piece], title: str, style: str, facts: str) -> list[list[Piece]]:
        """The label of a message: what stands before it, the title in up to three lines, facts at their right end."""
        start = _wide(before)
        if start > self.columns.room // 2:
            apart = self.wrapped("".join(text for _, text in before), before[0][0])
            return [*apart, *self.headline((), title, style, facts)]
        facts = self.short(facts, self.columns.room)
        lines = self.wrapped(title, style, self.columns.room - start, _TITLE_LINES)
        lines = [[*(before if not number else [("", " " * start)]), *line] for number, line in enumerate(lines)]
        free = self.columns.room - _wide(lines[-1]) - cells(facts)
        if facts and free < 2:
            lines, free = [*lines, []], self.columns.room - cells(facts)
        lines[-1] = [*lines[-1], ("", " " * free), ("chip", facts)] if facts else lines[-1]
        return lines


def ending(entry: Entry) -> int | None:
    """What ends the wait of a request: its answer, else a cancellation or the end of the stream."""
    return entry.answer if entry.state == "answered" else entry.ended_by


def _wide(pieces: Sequence[Piece]) -> int:
    return sum(cells(text) for _, text in pieces)


def placed(column: int, pieces: Sequence[Piece]) -> Iterator[Written]:
    """Pieces beside each other, the first one at a column."""
    for style, text in pieces:
        if text:
            yield column, style, text
            column += cells(text)
