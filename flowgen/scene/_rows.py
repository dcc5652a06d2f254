"""What the rows of both lane pictures share: a measured row, its place, its arrow and marks.

A row's height reaches to the next row's top; offsets are px below the row's own top.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from flowgen.flow import Entry
from flowgen.trace import Message

from ._clean import clean_line
from ._duo_columns import Side
from ._headline import Kind
from ._parts import Tip, arrow
from ._shapes import Circle, Group, Line, Path, Rect, Shape, Text
from ._text import width
from ._words import Words

TIP_OF: Mapping[str, Tip] = {"req": "filled", "res": "hollow", "err": "hollow", "ntf": "open", "warn": "cross"}
LINE_OF: Mapping[str, str] = {"ntf": "dashed", "warn": "dotted"}
_DOT = 5.5  # from one dot of a line of stderr to the next


class Row(NamedTuple):
    """A measured row. `mark` is the offset of its arrow or mark, `ends` the participant whose process ended here.

    `beside` is how far its cards reach down in the lanes: a card may stand beside the rows that follow, the next
    card of the same lane then starts below it. A row `across` all lanes has no card beside it. `lift` is how far
    above its top a frame ends that it closes. `over` is a note over lanes: its left and right, its top and bottom as
    offsets.
    """

    height: float
    draw: Callable[[float], Iterable[Shape]]
    entries: tuple[Entry, ...] = ()
    mark: float | None = None
    kind: Literal["band", "message", "plain", "pairs", "pause", "opens", "parts", "closes"] = "plain"
    beside: tuple[tuple[Side, float], ...] = ()
    ends: str | None = None
    across: bool = False
    lift: float = 0
    over: tuple[float, float, float, float] | None = None


class Placed(NamedTuple):
    """A row at its place, inside of `level` frames."""

    row: Row
    y: float
    level: int = 0

    @property
    def mark(self) -> float:
        """The y of its arrow or mark."""
        return self.y + (self.row.mark or 0)


def marks_of(placed: Sequence[Placed]) -> dict[int, float]:
    """`seq` of a message -> the y of its arrow."""
    return {entry.message.seq: each.mark for each in placed for entry in each.row.entries}


def row_group(row: Row, y: float, said: str | None = None) -> Group:
    """The shapes of a row, with the anchor of its first message, and what is said of it where it cannot be seen."""
    numbers = [entry.number for entry in row.entries if entry.number is not None]
    anchor = f"m-{numbers[0]}" if numbers else None
    return Group(tuple(row.draw(y)), anchor, said, role="listitem" if said else None)


def flight(start: float, end: float, y: float, kind: Kind, message: Message) -> Iterable[Shape]:
    """The arrow of a message of a kind; thin where HTTP carries no JSON-RPC."""
    line = "thin" if message.kind == "http" else LINE_OF.get(kind, "")
    return arrow(start, end, y, kind, TIP_OF.get(kind, "filled"), line)


def number_text(entries: Sequence[Entry]) -> str | None:
    """`7`, or `5–11` of a folded card; None where nothing is numbered."""
    numbers = [entry.number for entry in entries if entry.number is not None]
    if not numbers:
        return None
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"


def number_mark(x: float, y: float, text: str | None, kind: Kind) -> Iterable[Shape]:
    """A number in a disc, a longer one in a pill, around (x, y); a plain dot without one."""
    if text is None:
        yield Circle(x, y, 5, f"bar.{kind}")
    elif len(text) < 3:
        yield Circle(x, y, 10, f"bar.{kind}")
    else:
        wide = width(text, 11, 700) + 12
        yield Rect(x - wide / 2, y - 10, wide, 20, f"bar.{kind}", 10)
    if text is not None:
        yield Text(x, y + 4, text, "number")


def stderr_dots(life: float, y: float, way: int) -> Iterable[Shape]:
    """Three dots from a lifeline: something was said, and to nobody in particular."""
    for number in (1, 2, 3):
        yield Circle(life + way * _DOT * number, y, 1.8, "bar.loc")


def passes(entry: Entry) -> bool:
    """Whether a message goes from one participant to another."""
    message = entry.message
    return message.kind not in ("stderr", "process") and message.sender != message.receiver


def process_word(body: Any, words: Words) -> str:
    """The pill of a process event: `EXIT 1`, `SIGTERM`, else that it is one."""
    told = body if isinstance(body, Mapping) else {}
    event, code, signal = told.get("event"), told.get("exit_code"), told.get("signal")
    if event in ("exited", "signal-sent") and isinstance(signal, str):
        return clean_line(signal, 16)
    if event == "exited":
        return clean_line(f"{words('pill.exit')} {code}", 16) if isinstance(code, int) else words("pill.exit")
    return words("pill.process")


def process_mark(x: float, y: float, entry: Entry) -> Iterable[Shape]:
    """A bar across the lifeline where a process ended, a dot where something else befell it."""
    if not process_ended(entry):
        yield Circle(x, y, 4, "bar.loc")
        return
    yield Rect(x - 12, y - 2, 24, 4, "bar.err" if "crashed" in entry.message.codes else "bar.loc", 1.5)


def process_ended(entry: Entry) -> bool:
    """Whether a process event is its end."""
    body = entry.message.body
    return isinstance(body, Mapping) and body.get("event") == "exited"


def note_over(left: float, right: float, y: float, lines: Sequence[str]) -> Iterable[Shape]:
    """A note over lanes: a fact about the session as a whole."""
    yield Rect(left, y, right - left, over_height(lines), "over", 8)
    for number, line in enumerate(lines):
        yield Text((left + right) / 2, y + 19 + 16 * number, line, "over.text")


def over_height(lines: Sequence[str]) -> float:
    """Height of a note over lanes."""
    return 16 * len(lines) + 14


def break_mark(x: float, y: float, left: float = 9, right: float = 9) -> Iterable[Shape]:
    """The slanted gap in a lifeline at a pause, `left` and `right` px wide to its sides; it rises 5 in 18."""
    low, high = round(2.5 * left / 9, 2), round(-2.5 * right / 9, 2)
    gap = f"M{-left:g} {low:g} L{right:g} {high:g} L{right:g} {high + 7:g} L{-left:g} {low + 7:g} Z"
    yield Path(x, y, gap, "break.gap")
    for down in (0, 7):
        yield Line(x - left, y + low + down, x + right, y + high + down, "break")
