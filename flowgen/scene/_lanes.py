"""The two lanes behind the rows: tinted columns, headers, lifelines, links from an answer to a retry."""

from collections.abc import Iterable, Sequence

from flowgen.trace import Participant

from ._bars import Bar, break_marks, process_ends
from ._clean import clean_line
from ._duo_columns import Side
from ._icons import icon
from ._links import Link, Stretch, links_of, what_reaches_into_lanes
from ._look import DuoLook
from ._rows import Placed
from ._shapes import Circle, Line, Path, Rect, Shape, Text, px
from ._text import shorten, width

HEADER_TOP = 126
HEADER = 60
_NAMES = (("lane.name", 17.0), ("lane.name.long", 15.0), ("lane.name.longest", 12))  # of a lane, with their sizes
_SECONDS = (("lane.second", 13.0), ("lane.second.long", 11.5))
_ROOMY = 240  # px of a lane whose icon stands away from its edge
_SKIPPED = 40  # how much of a lifeline a folded run takes
_SHORTEST_LINK = 40
_RETRY = 8  # radius of the mark on a link; there are 22 px from the notes to the lifeline


def lane(who: Participant, side: Side, bottom: float, look: DuoLook) -> Iterable[Shape]:
    """The tinted column of a participant with its header."""
    x, wide = look.columns.lane(side), look.columns.lane_width
    left = x + (66 if wide > _ROOMY else 46)
    room = x + wide - left - (10 if wide > _ROOMY else 4)
    named = look.words(f"lane.{who.role}")
    name = named if width(named, _NAMES[-1][1], 700) <= room else look.words.short(f"lane.{who.role}")
    second = " ".join(filter(None, [look.words.second(f"lane.{who.role}"), clean_line(who.title or "", 200)]))
    yield Rect(x, HEADER_TOP, wide, bottom - HEADER_TOP, f"lane.{who.role}", 12)
    yield Rect(x, HEADER_TOP, wide, HEADER, f"lane.{who.role}.header", 12)
    yield from icon(who.role, left - (44 if wide > _ROOMY else 38), HEADER_TOP + 17)
    style, size = next((each for each in _NAMES if width(name, each[1], 700) <= room), _NAMES[-1])
    yield Text(left, HEADER_TOP + (28 if second else 36), shorten(name, size, room, 700), style)
    if not second:
        return
    room /= 1.04  # DejaVu itself is that much wider than the table
    style, size = next((each for each in _SECONDS if width(second, each[1]) <= room), _SECONDS[0])
    shown = shorten(second, size, room, where="middle")
    yield Text(left, HEADER_TOP + 47, shown, style, None if shown == second else second)


def lifeline(role: str, side: Side, bottom: float, placed: Sequence[Placed], look: DuoLook) -> Iterable[Shape]:
    """The line of a participant: dashed over folded runs, ended where its process ended."""
    x, y = look.columns.life(side), float(HEADER_TOP + HEADER)
    last = max([end for who, end in process_ends(placed).items() if look.side(who) == side], default=bottom)
    for each in placed:
        if each.row.kind == "pairs" and each.y < last:
            yield Line(x, y, x, each.y, f"lane.{role}.life")
            yield Line(x, each.y, x, each.y + _SKIPPED, f"lane.{role}.life.skipped")
            y = each.y + _SKIPPED
    yield Line(x, y, x, last, f"lane.{role}.life")


def retries(placed: Sequence[Placed], look: DuoLook) -> Iterable[Shape]:
    """A dotted link from the answer that asked for more to the request that was sent again, left of the lifeline."""
    def taken(each: Placed) -> Stretch | None:
        return what_reaches_into_lanes(each) or _far_out(each, look)

    for link in links_of(placed, look.waits.links, taken, _RETRY):
        if link.end - link.start >= _SHORTEST_LINK:
            side = look.side(link.entry.message.sender)
            yield from _link(look.columns.life(side), look.columns.out(side), link)


def _far_out(each: Placed, look: DuoLook) -> Stretch | None:
    """An arrow that begins or ends at a bar beside the lifeline, where marks stand."""
    entries = each.row.entries[:1] if each.row.kind == "message" else ()
    out = any(look.waits.out_at_sender(entry) or look.waits.out_at_receiver(entry) for entry in entries)
    return (each.mark - 1, each.mark + 1) if out else None


def _link(life: float, out: int, link: Link) -> Iterable[Shape]:
    """Between the notes of the lane and the lifeline; a mark has room on the first of several only."""
    x, away = life + 7 * out, out * (7 + 7 * min(link.place, 1))
    top, lead = (link.start + 12, "M0 0 L") if link.before is None else (link.before - 8, "M")
    high = link.end - 8 - top
    yield Path(x, top, f"{lead}{away} 0 L{away} {px(high)} L{2 * out} {px(high)}", "retry")
    yield Path(x, link.end - 8, f"M{4 * out} -4 L0 0 L{4 * out} 4", "retry.tip")
    if link.mark is not None and not link.place:
        yield Circle(x + away, link.mark, _RETRY, "loop")
        yield Path(x + away, link.mark, "M3.4 -2.5 A4.2 4.2 0 1 0 4.2 0", "loop.icon")


def breaks(placed: Sequence[Placed], bars: Sequence[Bar], look: DuoLook) -> Iterable[Shape]:
    """A slanted gap in every lifeline at every pause."""
    sides: tuple[Side, Side] = ("client", "server")
    lives = [(look.columns.life(side), look.columns.out(side)) for side in sides]
    return break_marks(placed, bars, lives)
