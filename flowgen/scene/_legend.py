"""The legend of a picture: a sample of what occurs in it, and of nothing else."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ._look import Look
from ._parts import arrow
from ._rows import break_mark
from ._shapes import Circle, Line, Path, Rect, Shape, Text
from ._text import width

HEIGHT = 56
_INSET = 24
_SAMPLE = 60  # px of an arrow sample
_GAP = 14  # from a sample to its name
_BETWEEN = 36  # between two entries
_LEAST = 22  # the same where room is short
_NARROWER = 16  # a step on the way to lines of one length
_LINE = 44  # from one line of entries to the next


class Item(NamedTuple):
    """A sample and its name; `second` is the other language."""

    sample: Callable[[float, float], Iterable[Shape]]
    wide: float
    name: str
    second: str | None

    @property
    def width(self) -> float:
        """Of sample and name together."""
        return self.wide + _GAP + max(width(self.name, 13, 700), width(self.second or "", 12))


class Legend(NamedTuple):
    """A measured legend: its entries in lines that fit the lanes' width."""

    head: str
    lines: tuple[tuple[Item, ...], ...]
    left: float
    wide: float

    @property
    def height(self) -> float:
        """Of the whole frame."""
        return _LINE * len(self.lines) + HEIGHT - _LINE

    def at(self, y: float) -> Iterator[Shape]:
        """The legend with its top at y."""
        yield Rect(self.left, y, self.wide, self.height, "legend", 12)
        yield Text(self.left + _INSET, y + 32.5, self.head, "legend.head")
        start = self.left + _INSET + _head_width(self.head)
        for number, line in enumerate(self.lines):
            x = start
            for item in line:
                yield from _entry(item, x, y + number * _LINE)
                x += item.width + _gap(line, self.left + self.wide - _INSET - start)


def legend(kinds: set[str], roles: list[str], marked: bool, look: Look, left: float, right: float) -> Legend:
    """The legend of what occurs. `kinds` are the colour roles of the arrows, and `wait` where a bar stands."""
    head = look.words("legend")
    room = right - left - 2 * _INSET - _head_width(head)
    items = list(_items(kinds, roles, marked, look))
    return Legend(head, tuple(_lines(items, room)), left, right - left)


def _head_width(head: str) -> float:
    return width(head, 13, 700) + 30


def _lines(items: list[Item], room: float) -> list[tuple[Item, ...]]:
    """No more lines than there need be, of about one length: one entry alone on the last line looks forgotten."""
    lines = list(_filled(items, room))
    while len(lines) > 1 and len(narrower := list(_filled(items, room := room - _NARROWER))) == len(lines):
        lines = narrower
    return lines


def _filled(items: list[Item], room: float) -> Iterator[tuple[Item, ...]]:
    """As many entries on a line as fit with a gap that still parts them."""
    line: list[Item] = []
    for item in items:
        if line and sum(each.width + _LEAST for each in line) + item.width > room:
            yield tuple(line)
            line = []
        line.append(item)
    yield tuple(line)


def _gap(items: tuple[Item, ...], room: float) -> float:
    if len(items) < 2:
        return _BETWEEN
    free = (room - sum(item.width for item in items)) / (len(items) - 1)
    return max(_LEAST, min(_BETWEEN, free))


def _entry(item: Item, x: float, y: float) -> Iterator[Shape]:
    yield from item.sample(x, y + HEIGHT / 2)
    name = x + item.wide + _GAP
    if item.second is None:
        yield Text(name, y + 32.5, item.name, "legend.name")
        return
    yield Text(name, y + 25, item.name, "legend.name")
    yield Text(name, y + 43, item.second, "legend.second")


_ARROWS = (
    ("req", "filled", ""),
    ("res", "hollow", ""),
    ("err", "hollow", ""),
    ("ntf", "open", "dashed"),
    ("warn", "cross", "dotted"),
)


def _items(kinds: set[str], roles: list[str], marked: bool, look: Look) -> Iterator[Item]:
    for kind, tip, line in _ARROWS:
        if kind in kinds:
            key = f"legend.{kind}"
            yield Item(_arrow_sample(kind, tip, line), _SAMPLE, look.words(key), look.words.second(key))
    for kind, tip, _ in _ARROWS:
        if f"http.{kind}" in kinds:
            yield _item(_arrow_sample(kind, tip, "thin"), _SAMPLE, "legend.http", look)
    if "stream" in kinds:
        yield _item(_stream_sample, 3, "legend.stream", look)
    if "user" in kinds:
        yield _item(_user_sample, _SAMPLE, "legend.user", look)
    if "wait" in kinds:
        yield _item(_wait_sample, 10, "legend.wait", look)
    for kind, sample, wide in _MARKS:
        if kind in kinds:
            yield _item(sample, wide, f"legend.{kind}", look)
    for role in roles:
        yield _item(_swatch(role), 20, f"legend.lane.{role}", look)
    if marked:
        yield _item(_key_sample, 44, "legend.key", look)


def _item(sample: Callable[[float, float], Iterable[Shape]], wide: float, key: str, look: Look) -> Item:
    return Item(sample, wide, look.words(key), look.words.second(key))


def _arrow_sample(kind: str, tip: str, line: str) -> Callable[[float, float], Iterable[Shape]]:
    def sample(x: float, y: float) -> Iterable[Shape]:
        reach = _SAMPLE + (21 if tip == "cross" else 3)
        yield Circle(x + 4, y, 4, f"bar.{kind}")
        yield from arrow(x + 4, x + reach, y, kind, tip, line)  # type: ignore[arg-type]

    return sample


def _swatch(role: str) -> Callable[[float, float], Iterable[Shape]]:
    def sample(x: float, y: float) -> Iterable[Shape]:
        yield Rect(x, y - 10, 20, 20, f"lane.{role}", 5)

    return sample


def _stream_sample(x: float, y: float) -> Iterable[Shape]:
    yield Rect(x, y - 9, 3, 18, "lane.server.stream", 1.5)


def _user_sample(x: float, y: float) -> Iterable[Shape]:
    yield Circle(x + 4, y, 4, "bar.loc")
    yield Line(x + 4, y, x + _SAMPLE - 11, y, "line.user")
    yield Path(x + _SAMPLE, y, "M0 0 L-14 -7 L-14 7 Z", "tip.loc")


def _wait_sample(x: float, y: float) -> Iterable[Shape]:
    yield Rect(x, y - 9, 10, 12, "lane.server.wait", 3)
    yield Line(x, y + 3, x, y + 9, "lane.server.wait.fading")
    yield Line(x + 10, y + 3, x + 10, y + 9, "lane.server.wait.fading")


def _retry_sample(x: float, y: float) -> Iterable[Shape]:
    yield Path(x, y - 10, "M0 0 L14 0 L14 20 L4 20", "retry")
    yield Path(x + 2, y + 10, "M4 -3 L0 0 L4 3", "retry.tip")
    yield Circle(x + 14, y, 6, "loop")
    yield Path(x + 14, y, "M2.4 -1.8 A3 3 0 1 0 3 0", "loop.icon")


def _run_sample(x: float, y: float) -> Iterable[Shape]:
    yield Rect(x, y - 9, 44, 18, "run", 9)
    yield from (Circle(x + 22 + away, y, 1.8, "bar.loc") for away in (-6, 0, 6))


def _series_sample(x: float, y: float) -> Iterable[Shape]:
    yield Line(x, y, x + 44, y, "series.track")
    yield Line(x, y, x + 30, y, "series.done")
    yield from (Line(x + along, y - 5, x + along, y + 5, "series.tick") for along in (0, 10, 20))
    yield Circle(x + 30, y, 4, "bar.ntf")


def _change_sample(x: float, y: float) -> Iterable[Shape]:
    for number, (sign, kind) in enumerate((("+", "added"), ("-", "removed"), ("~", "changed"))):
        yield Text(x + 14 * number, y + 4.5, sign, f"code.{kind}")


def _group_sample(x: float, y: float) -> Iterable[Shape]:
    yield Rect(x, y - 10, 40, 20, "group", 4)
    yield Path(x, y - 10, "M0 8 L0 4 A4 4 0 0 1 4 0 L14 0 L14 5 L11 8 Z", "group.tab")


def _pause_sample(x: float, y: float) -> Iterable[Shape]:
    yield Line(x + 9, y - 12, x + 9, y + 12, "lane.server.life")
    yield from break_mark(x + 9, y - 6)


def _sign_sample(sign: str, style: str) -> Callable[[float, float], Iterable[Shape]]:
    def sample(x: float, y: float) -> Iterable[Shape]:
        yield Circle(x + 10, y, 10, f"{style}.disc")
        yield Text(x + 10, y + 5, sign, f"{style}.sign")

    return sample


def _breach_sample(x: float, y: float) -> Iterable[Shape]:
    yield Rect(x, y - 10, 27, 20, "chip.error", 5)
    yield Text(x + 13.5, y + 4, "!1", "chip.error.text")


SIGNS = {"same": "=", "changed": "≠", "removed": "−", "added": "+", "moved": "⇅"}  # what became of a message

_MARKS: tuple[tuple[str, Callable[[float, float], Iterable[Shape]], float], ...] = (
    ("retry", _retry_sample, 20),
    ("run", _run_sample, 44),
    ("series", _series_sample, 44),
    ("change", _change_sample, 36),
    ("group", _group_sample, 40),
    ("pause", _pause_sample, 18),
    ("breach", _breach_sample, 27),
    *((f"beside.{became}", _sign_sample(sign, f"beside.{became}"), 20.0) for became, sign in SIGNS.items()),
)


def _key_sample(x: float, y: float) -> Iterable[Shape]:
    yield Rect(x, y - 9, 44, 18, "mark", 4)
    yield Text(x + 7, y + 4.5, '"id"', "legend.key")
