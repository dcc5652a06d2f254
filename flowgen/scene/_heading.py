"""What stands above and below the lanes: the title, the facts of the session under it, a logo, a footer."""

import re
from collections.abc import Iterable, Iterator

from flowgen.flow import Flow, picture_title

from ._clean import clean_line
from ._frame import MARGIN, entries_of
from ._images import Thumbnail, thumbnail
from ._look import Look
from ._shapes import Shape, Text
from ._text import shorten, width

LOGO_WIDE, LOGO_HIGH = 200, 56  # px at most
_LOGO_MIDDLE = 80  # y, between the lines of the title and the subtitle
_BESIDE_LOGO = 24
_FOOTER = 15  # from the lower edge up to the footer's baseline
_BETWEEN = "   ·   "
_NAMED = 3  # revisions and servers that a subtitle names
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def heading_of(flow: Flow, how: Look) -> str:
    """The title, on one line."""
    own = how.say(picture_title(flow.title)) if flow.title else how.words("title.flow")
    return clean_line(how.options.title or own, 300)


def subtitle(flow: Flow, how: Look) -> list[str]:
    """What kind of session this was, in parts: facts of the trace, or what was asked for instead of them."""
    own = how.options.subtitle
    told = _facts(flow, how) if own is None else [clean_line(own, 300)]
    day = _DAY.match(how.options.date or "")
    return [part for part in (*told, day[0] if day else "") if part]


def _facts(flow: Flow, how: Look) -> Iterator[str]:
    facts = flow.facts
    yield "JSON-RPC 2.0"
    yield " / ".join(how.words(f"transport.{name}") for name in facts.transports)
    if facts.revisions:
        yield how.words("subtitle.protocol", revision=_list(facts.revisions, 24))
    yield _list([who.title for who in flow.lanes if who.role == "server" and who.title], 48)
    yield how.words("subtitle.messages", n=facts.messages, shown=shown_of(flow))
    counts = [("subtitle.unanswered", facts.unanswered), ("subtitle.cancelled", facts.cancelled)]
    yield ", ".join(how.words(key, n=count) for key, count in counts if count)


def _list(names: Iterable[str], limit: int) -> str:
    """The first of the names, each of at most `limit` characters."""
    different = list(dict.fromkeys(names))
    return ", ".join([*(clean_line(name, limit) for name in different[:_NAMED]), *["…"][: len(different) - _NAMED]])


def shown_of(flow: Flow) -> str | None:
    """How many of the messages the picture shows, folded ones too; None where it is all of them."""
    rows = (row for step in flow.steps for row in step.open_rows)
    count = sum(entry.count for row in rows for entry in entries_of(row) if entry.number is not None)
    return f"{count:,}" if count != flow.facts.messages else None


def frame(flow: Flow, how: Look, wide: float) -> Iterator[Shape]:
    """Title and subtitle, centred on a canvas `wide` px wide, and the logo left of them.

    Where they would meet the logo they are centred beside it.
    """
    logo, heading, told = _logo(how), heading_of(flow, how), _BETWEEN.join(subtitle(flow, how))
    left, right = float(MARGIN), wide - MARGIN
    if logo:
        yield logo.at(MARGIN, _LOGO_MIDDLE - logo.height / 2, "")
        left += logo.width + _BESIDE_LOGO
        right -= logo.width + _BESIDE_LOGO if max(width(heading, 27, 700), width(told, 13.5)) <= wide - 2 * left else 0
    yield line(heading, (left + right) / 2, 70, "title", 27, right - left, 700)
    yield line(told, (left + right) / 2, 98, "subtitle", 13.5, right - left)


def footer(how: Look, wide: float, height: float) -> Iterator[Shape]:
    """The footer, at the right below everything else."""
    if how.options.footer:
        text = clean_line(how.options.footer, 300)
        yield line(text, wide - MARGIN, height - _FOOTER, "footer", 12, wide - 2 * MARGIN)


def _logo(how: Look) -> Thumbnail | None:
    return thumbnail(how.options.logo, LOGO_WIDE, LOGO_HIGH) if how.options.logo else None


def line(text: str, x: float, y: float, style: str, size: float, room: float, weight: int = 400) -> Text:
    """A text that has so much room; the whole of it stands behind what is shown."""
    shown = shorten(text, size, room, weight)
    return Text(x, y, shown, style, None if shown == text else text)
