"""The swim lane of three participants and more: narrow lanes left, a column of messages right, time downwards."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from flowgen.flow import Flow

from ._bars import Bar, bar_shapes, bars_of, break_marks, cancel_marks, process_ends, stream_bars
from ._breach_list import below
from ._frame import MARGIN, kinds_of, marked, times_column
from ._groups import outlines
from ._heading import footer, frame, heading_of
from ._icons import HEIGHT, WIDTH, icon
from ._ledger_lanes import Lane
from ._ledger_rows import band_row, entry_row, outcome_row, pause_row, remark_row, word_over
from ._legend import legend
from ._links import Clear, Link, all_but_boxes, gaps_of, links_of
from ._look import LedgerLook
from ._placing import Form, layout, step_groups
from ._rows import Placed, Row
from ._seams import cuts_of
from ._shapes import Line, Path, Rect, Scene, Shape, Text, px
from ._spoken import story
from ._text import shorten, width

_HEADER_TOP, _HEADER = 126, 70
_FIRST = 18  # from the headers to the first row
_BAND_ABOVE = -56  # on a slide a band stands over the headers
_AFTER_LANES = 4
_BEFORE_LEGEND = 22
_SKIPPED = 40
_ICON = 0.76  # icons are smaller here
_LINK = 34  # how far the link to a retry goes out
_RETRY = 22  # height of its pill
_CLEAR = 3  # px between a link and what it makes room for
_LINK_STEP = 12  # a second link beside the first one
_LIFT = 4  # from the end of its last row up to a frame's lower line


def ledger(flow: Flow, how: LedgerLook) -> Scene:
    """The picture of a flow with a card for each message."""
    laid = layout(flow, _form(how), how)
    groups, placed, bottom = step_groups(laid, flow, how), laid.rows, laid.bottom

    def lane_of(participant: str) -> tuple[float, str, int]:
        return how.columns.life(participant), how.roles.get(participant, "server"), 1

    bars = bars_of(placed, bottom, how.waits, lane_of)
    left, right = how.columns.left, how.columns.box_end
    key = legend(kinds_of(placed, bars, how), [], marked(groups), how, left, right)
    block = below(how, left, right, bottom + _BEFORE_LEGEND)
    at = bottom + _BEFORE_LEGEND + (block.high + _BEFORE_LEGEND if block else 0)
    height = at + key.height + MARGIN
    shapes = (
        Rect(0, 0, how.columns.width, height, "canvas"),
        *frame(flow, how, how.columns.width),
        *_lanes(placed, bottom, how),
        *_column_head(how),
        *stream_bars(placed, bottom, lane_of),
        *bar_shapes(bars),
        *outlines(placed, how.columns.width),
        *times_column(placed, how, _HEADER_TOP + _HEADER),
        *groups,
        *_retries(placed, how),
        *_breaks(placed, bars, how),
        *cancel_marks(bars, bottom),
        *(block.shapes() if block else ()),
        *key.at(at),
        *footer(how, how.columns.width, height),
    )
    neck = _HEADER_TOP + _HEADER
    cuts = cuts_of(laid, how, partial(band_row, look=how), (_HEADER_TOP, neck), neck + _FIRST, _BAND_ABOVE)
    return Scene(how.columns.width, height, heading_of(flow, how), story(flow, flow.lanes, how), shapes, cuts=cuts)


def _form(how: LedgerLook) -> Form:
    return Form(
        band=partial(band_row, look=how),
        entry=lambda row, first_of: entry_row(row, how),
        remark=partial(remark_row, look=how),
        pause=partial(pause_row, look=how),
        outcome=partial(outcome_row, look=how),
        first=_HEADER_TOP + _HEADER + _FIRST,
        after_step=0,
        after_rows=_AFTER_LANES,
        lift=_LIFT,
        wide=how.columns.width,
    )


def _lanes(placed: Sequence[Placed], bottom: float, how: LedgerLook) -> Iterable[Shape]:
    for place, lane in enumerate(how.lanes):
        yield from _lane(lane, how.columns.lane(place), bottom, how)
    ends = process_ends(placed)
    for place, lane in enumerate(how.lanes):
        x = how.columns.lane(place) + how.columns.lane_width / 2
        yield from _lifeline(lane, x, placed, ends.get(lane.id, bottom))


def _lane(lane: Lane, x: float, bottom: float, how: LedgerLook) -> Iterable[Shape]:
    """A lane's tint and its header: icon, name, the real thing seen."""
    wide = how.columns.lane_width
    shown = shorten(lane.second, 10.5, wide - 16, where="middle")
    yield Rect(x, _HEADER_TOP, wide, bottom - _HEADER_TOP, f"lane.{lane.role}", 10)
    yield Rect(x, _HEADER_TOP, wide, _HEADER, f"lane.{lane.role}.header", 10)
    yield from icon(lane.icon, x + (wide - WIDTH * _ICON) / 2, _HEADER_TOP + 20 - HEIGHT * _ICON / 2, _ICON)
    name = shorten(lane.short or lane.name, 13.5, wide - 12, 700)
    yield Text(x + wide / 2, _HEADER_TOP + 47, name, "ledger.name", None if name == lane.name else lane.name)
    yield Text(x + wide / 2, _HEADER_TOP + 61, shown, "ledger.title", None if shown == lane.second else lane.second)


def _lifeline(lane: Lane, x: float, placed: Sequence[Placed], last: float) -> Iterable[Shape]:
    """Dashed over folded runs of its own, ended where its process ended."""
    y = float(_HEADER_TOP + _HEADER)
    for each in placed:
        if each.row.kind == "pairs" and each.y < last and lane.id in _between(each.row):
            yield Line(x, y, x, each.y, f"lane.{lane.role}.life")
            yield Line(x, each.y, x, each.y + _SKIPPED, f"lane.{lane.role}.life.skipped")
            y = each.y + _SKIPPED
    yield Line(x, y, x, last, f"lane.{lane.role}.life")


def _between(row: Row) -> set[str]:
    return {name for entry in row.entries for name in (entry.message.sender, entry.message.receiver)}


def _column_head(how: LedgerLook) -> Iterable[Shape]:
    """What stands over the message column."""
    x, y = how.columns.box, _HEADER_TOP + _HEADER - 8
    head = how.words("ledger.messages")
    yield Text(x, y, head, "legend.name")
    yield Text(x + width(head, 13, 700) + 14, y, how.words("ledger.order"), "legend.second")


def _retries(placed: Sequence[Placed], how: LedgerLook) -> Iterable[Shape]:
    """A dotted link from the answer that asked for more to the request that was sent again, all of them under marks."""
    found = links_of(placed, how.waits.links, all_but_boxes, _RETRY / 2)
    links = [link for link in found if link.end - link.start > 2 * _LINK]
    texts = list(_texts(placed, how)) if links else []
    for link in links:
        yield from _link(how.columns.life(link.entry.message.sender), link, texts)
    for link in links:
        if link.mark is not None:
            middle = how.columns.life(link.entry.message.sender) + _away(link)
            yield from _retry_pill(middle, link.mark, how.words("ledger.retry"))


def _texts(placed: Sequence[Placed], how: LedgerLook) -> Iterator[Clear]:
    """What stands over lanes and is to be read: words on arrows, notes over lanes."""
    for each in placed:
        row = each.row
        if row.over is not None:
            left, right, top, bottom = row.over
            yield Clear(each.y + top - _CLEAR, each.y + bottom + _CLEAR, left, right)
        elif row.kind == "message" and (word := word_over(row.entries, each.mark, how)):
            wide = width(word.text, 11.5, 700) + 2 * _CLEAR
            left = word.x - _CLEAR if word.style == "ledger.word" else word.x + _CLEAR - wide
            yield Clear(word.y - 11, word.y + 4, left, left + wide)


def _link(life: float, link: Link, texts: Sequence[Clear]) -> Iterable[Shape]:
    """A line down to a retry, from the answer or from where a link from the same answer turns off."""
    away, bottom = _away(link), link.end - 6
    top = link.start + 12 if link.before is None else link.before - 16
    lead = f"M8 0 L{away - 10} 0 A10 10 0 0 1 {away} 10" if link.before is None else f"M{away} 0"
    gaps = gaps_of(life + away, (top + 10, bottom - 10), texts)
    broken = "".join(f" L{away} {px(start - top)} M{away} {px(end - top)}" for start, end in gaps)
    high = bottom - top
    turn = f"L{away} {px(high - 10)} A10 10 0 0 1 {away - 10} {px(high)} L12 {px(high)}"
    yield Path(life, top, f"{lead}{broken} {turn}", "retry")
    yield Path(life + 12, bottom, "M5 -4 L0 0 L5 4", "retry.tip")


def _away(link: Link) -> int:
    """How far right of the lifeline a link goes down."""
    return _LINK + 8 + _LINK_STEP * link.place


def _retry_pill(middle: float, y: float, text: str) -> Iterable[Shape]:
    wide = width(text, 11, 700) + 34
    left = middle - wide / 2
    yield Rect(left, y - _RETRY / 2, wide, _RETRY, "loop", _RETRY / 2)
    yield Path(left + 15, y, "M3.4 -2.5 A4.2 4.2 0 1 0 4.2 0", "loop.icon")
    yield Text(left + 26, y + 4, text, "ledger.retry")


def _breaks(placed: Sequence[Placed], bars: Sequence[Bar], how: LedgerLook) -> Iterable[Shape]:
    lives = [(how.columns.lane(place) + how.columns.lane_width / 2, 1) for place in range(len(how.lanes))]
    return break_marks(placed, bars, lives)
