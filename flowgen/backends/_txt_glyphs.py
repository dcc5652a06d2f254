"""The signs that a swim lane of text is drawn with, in Unicode and in ASCII, and the colours of a terminal.

Every sign of ours takes one column. Colours are the sixteen that every terminal has, so that its own palette
decides how they look on light and on dark.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Piece = tuple[str, str]  # style, text


@dataclass(frozen=True, slots=True)
class Arrow:
    """The line of an arrow, repeated as often as there is room, and its heads."""

    line: str
    right: str
    left: str


@dataclass(frozen=True, slots=True)
class Corners:
    """A frame: its four corners from the upper left to the lower right, its edges, what parts it."""

    corners: str
    across: str
    down: str
    parting: str = ""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """All signs. `life` is a lifeline, `wait` that of who was asked, `skip` beside a folded run, `gap` in a pause."""

    life: str
    wait: str
    skip: str
    gap: str
    cross: str
    mark: str
    local: str
    log: str
    end: str
    foot: str
    note: str
    loop: str
    quote: str
    arrows: Mapping[str, Arrow]
    card: Corners
    band: Corners
    over: str
    sides: str
    frame: Corners


_REQUEST, _RESPONSE = Arrow("─", "▶", "◀"), Arrow("─", "▷", "◁")
UNICODE = Glyphs(
    life="│", wait="┃", skip="┊", gap="≈", cross="┼", mark="●", local="◆", log="···", end="┷", foot="┬",
    note="↳", loop="↻", quote="┆",
    arrows={
        "req": _REQUEST, "res": _RESPONSE, "err": _RESPONSE, "ntf": Arrow("╌", ">", "<"),
        "warn": Arrow("┄", "×", "×"), "loc": Arrow("┈", "▶", "◀"),
    },
    card=Corners("╭╮╰╯", "─", "│"), band=Corners("┏┓┗┛", "━", "┃", "┫┣"), over="┿", sides="┝┥",
    frame=Corners("┌┐└┘", "╌", "╎", "├┤"),
)  # fmt: skip
_ASCII_RESPONSE = Arrow("-", ">", "<")
ASCII = Glyphs(
    life="|", wait="#", skip=":", gap="~", cross="+", mark="o", local="*", log="...", end="=", foot="+",
    note=">", loop="@", quote=":",
    arrows={
        "req": Arrow("=", ">", "<"), "res": _ASCII_RESPONSE, "err": _ASCII_RESPONSE, "ntf": Arrow("- ", ">", "<"),
        "warn": Arrow(". ", "x", "x"), "loc": Arrow(". ", ">", "<"),
    },
    card=Corners("++++", "-", "|"), band=Corners("++++", "=", "|", "||"), over="+", sides="||",
    frame=Corners("++++", "-", ":", "++"),
)  # fmt: skip

# Select Graphic Rendition (ECMA-48) of each style; what is not here is plain.
_COLOURS = {
    "title": "1", "bold": "1", "mut": "2", "life": "2", "chip": "2", "band": "1", "frame": "2",
    "req": "94", "res": "32", "ntf": "33", "err": "31", "warn": "33", "loc": "2",
    "req.bold": "1;94", "res.bold": "1;32", "ntf.bold": "1;33", "err.bold": "1;31", "warn.bold": "1;33",
    "loc.bold": "1",
    "key": "36", "hot": "1;36", "string": "32", "number": "33", "word": "35", "punct": "2", "faint": "2",
    "hidden": "7",
}  # fmt: skip

# Signs of ours and of good typography that ASCII has a way to write.
_SPELT = str.maketrans({
    "…": "...", "·": "-", "•": "*", "–": "-", "—": "-", "−": "-", "×": "x", "→": "->", "‘": "'", "’": "'",
    "“": '"', "”": '"',
})  # fmt: skip
_BEYOND = re.compile("[^\x00-\x7f]+")


def spelt(text: str) -> str:
    """The text in ASCII: what has no spelling there is its code point, as JSON writes it."""
    return text if text.isascii() else _BEYOND.sub(lambda found: json.dumps(found[0])[1:-1], text.translate(_SPELT))


def painted(pieces: Iterable[Piece], colour: bool) -> str:
    """Pieces as a line without spaces at its end; with colours only where they are asked for."""
    if not colour:
        return "".join(text for _, text in pieces).rstrip()
    return "".join(_coloured(style, text) for style, text in _joined(pieces))


def _coloured(style: str, text: str) -> str:
    code = _COLOURS.get(style)
    return f"\x1b[{code}m{text}\x1b[0m" if code and text.strip() else text


def _joined(pieces: Iterable[Piece]) -> list[Piece]:
    """Neighbours of one style together, nothing but blanks at the end left out."""
    found: list[Piece] = []
    for style, text in pieces:
        if found and found[-1][0] == style:
            found[-1] = style, found[-1][1] + text
        elif text:
            found.append((style, text))
    while found and not found[-1][1].strip():
        found.pop()
    return found
