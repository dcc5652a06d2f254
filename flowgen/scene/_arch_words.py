"""The words of an architecture picture, cut to size: titles, lines, labels, badges, frames."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ._arch_both import both, both_of, wider
from ._arch_said import said
from ._clean import clean_line
from ._text import MONO, columns, has_cjk, shorten, shorten_columns, width
from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import Evidence, Zone

SECOND = 34  # characters of a line before it is cut in its middle
_TITLE_WIDE, _LABEL_WIDE, _BADGE_WIDE, _FRAME_WIDE, _NOTE_WIDE = (
    232.0,
    168.0,
    150.0,
    330.0,
    480.0,
)  # px of other texts
_GRANTS_WIDE = 272.0  # of what a sandbox lets in and out: it stands in the column of local servers
_MONO = MONO * 11
_NAMED = ("vendor", "idp", "private-network", "other-machine", "sandbox", "host")
_MACHINE = "trust boundary: same OS user, same home directory; stdio is not a sandbox"
_PREFIX = re.compile(
    r"(vendor|identity provider|private network|other machine|sandbox|host)\s*:\s*", re.IGNORECASE
)
_LONG = 400  # characters of a text that is looked at


def title_of(text: str, how: Words) -> str:
    """A node's title."""
    return shorten(clean_line(text, _LONG), 14, wider(_TITLE_WIDE, how, text), 700, "middle")


def second_of(text: str, how: Words) -> str:
    """A line under a node's title."""
    return shorten_columns(clean_line(said(text, how), _LONG), SECOND, "middle")


def label_of(lines: Iterable[str], how: Words) -> tuple[str, ...]:
    """A data flow's label, of two lines at most."""
    told = [shorten(clean_line(line, _LONG), 11, wider(_LABEL_WIDE, how, line), where="middle") for line in lines]
    return tuple(line for line in told if line)[:2]


def badge_of(text: str, how: Words) -> str:
    """The word of a badge."""
    word, times, count = text.partition(" × ")
    return shorten(clean_line(said(word, how) + times + count, _LONG), 10, _BADGE_WIDE, 700)


def zone_name(zone: "Zone") -> str:
    """What a zone is called without the word for its kind."""
    return _PREFIX.sub("", zone.title, count=1) if zone.kind in _NAMED else zone.title


def zone_title(zone: "Zone", how: Words) -> str:
    """The title of a frame: its kind in words, and its name."""
    whole = zone_told(zone, how)
    if zone.kind == "unknown":
        whole = f"? {whole.lstrip('? ')}"
    return shorten(clean_line(whole, _LONG), 12.5, wider(_FRAME_WIDE, how), 700, "middle")


def zone_told(zone: "Zone", how: Words) -> str:
    """A zone's kind in words, and its name, uncut."""
    if zone.kind not in _NAMED:
        return both(lambda tongue: said(zone.title, tongue), how)
    name = zone_name(zone)
    if zone.kind == "host" and name == "Host":  # no host is known to have such a file
        return both_of("arch.text.host", how)
    if how.lang != "en+zh":
        return how(f"arch.zone.{zone.kind}", name=said(name, how))
    second = how.second(f"arch.zone.{zone.kind}", name="") or ""
    return how(f"arch.zone.{zone.kind}", name=both(lambda tongue: said(name, tongue), how)) + f"  {second.rstrip('：')}"


def zone_note(zone: "Zone", how: Words) -> str:
    """The line under the title of a zone's frame: what the boundary means. A machine always says so."""
    usual = _MACHINE if zone.kind == "machine" else ""
    return note_of(zone.note or usual, how, _GRANTS_WIDE if zone.kind == "sandbox" else _NOTE_WIDE)


def zone_lines(zone: "Zone", how: Words) -> tuple[str, ...]:
    """What else stands under a frame's note, a line each."""
    return tuple(filter(None, (note_of(line, how) for line in zone.lines)))


def note_whole(text: str | None, how: Words) -> str:
    """A frame's note for who asks."""
    return clean_line(both(lambda tongue: said(text or "", tongue), how), _LONG)


def note_of(text: str | None, how: Words, wide: float = _NOTE_WIDE) -> str:
    """The line under a frame's title, of so many px at most."""
    return shorten(note_whole(text, how), 10.5, wider(wide, how))


def where(evidence: "Evidence | None", how: Words) -> str:
    """How something is known, for a reader who asks: `mcp.json:7`, or the message of a trace."""
    if evidence is None:
        return ""
    place = clean_line(evidence.where or "", _LONG)
    if evidence.kind == "trace" and place:
        source = clean_line(evidence.source or "", _LONG)
        return how("arch.seen.in", n=place, file=source) if source else how("arch.seen", n=place)
    return place if evidence.kind != "inferred" else how("arch.inferred")


def mono_width(text: str) -> float:
    """The width of a line of 11 px monospace; beside Chinese it may stand in another font."""
    counted = columns(text) * _MONO
    return max(counted, width(text, 11)) if has_cjk(text) else counted
