"""Parts of different kinds flowed into lines of monospace columns, continued lines further in."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ._json_values import Part
from ._text import JOINTS, break_pieces, clusters, columns, has_cjk, is_narrow

Token = tuple[int, str, str]


class JsonLine(NamedTuple):
    """One line. `tokens` are (column, kind, text), `marks` (column, columns) of key fields to be underlaid."""

    tokens: tuple[Token, ...]
    marks: tuple[tuple[int, int], ...] = ()


_CRAMPED = 12  # columns; in less nothing begins that has more room on the next line
_GLUED = frozenset(['"', "…", ",", ": "])  # what must not begin a line
_WHOLE = frozenset(["hidden", "punct"])  # kinds that are never torn


def fill(parts: Sequence[Part], indent: int, hang: int, limit: int) -> Iterator[list[Token]]:
    """Lines of tokens (column, kind, text): the first from column `indent`, others from `hang`, none over `limit`.

    Lines break after spaces and escaped newlines, between Chinese signs, and in a word that is longer than a line
    after a joint such as `/`, else between clusters.
    """
    row: list[Token] = []
    at = indent
    for number, (kind, text, _) in enumerate(parts):
        glued = _glued_width(parts, number + 1)
        wide, start = None if is_narrow(text) else has_cjk(text), 0
        while not _fits(text, start, limit - at - glued, wide):
            end = start if kind in _WHOLE else _break(text, start, limit - at, limit - hang, wide)
            if end == start and not row:
                end = _forced(text, start, limit - at, wide)
            if end > start:
                row.append((at, kind, text[start:end]))
            yield row
            row, at, start = [], hang, end
        if start < len(text):
            row.append((at, kind, text[start:]))
            at += columns(text[start:])
    if row:
        yield row


def _glued_width(parts: Sequence[Part], number: int) -> int:
    """The columns of what must stand on the same line as the part before."""
    wide = 0
    while number < len(parts) and parts[number][1] in _GLUED:
        wide += parts[number][2]
        number += 1
    return wide


# `wide`, below: None where every sign takes one column, else whether the text has Chinese in it.


def _fits(text: str, start: int, room: int, wide: bool | None) -> bool:
    if wide is None:
        return len(text) - start <= room
    return len(text) - start <= 8 * room + 64 and columns(text[start:], wide) <= room


def _break(text: str, start: int, room: int, following: int, wide: bool | None) -> int:
    """Where the line that begins at `start` ends, at most `room` columns on.

    `start` itself when the next line, which has `following` columns, is the better place.
    """
    if room < _CRAMPED and room < following:
        return start
    if wide is not None:
        return _break_wide(text, start, room, following, wide)
    stop = min(start + room, len(text) - 1)  # one sign at least stays together with what is glued to it
    space = max(text.rfind(" ", start, stop) + 1, text.rfind("\\n", start, stop) + 2)
    if space <= start + 1:
        space = start
    gap = text.find(" ", space)
    word = (len(text) if gap < 0 else gap) - space
    if word <= following and (space > start or room < following):
        return space
    joint = max(text.rfind(sign, space, stop) for sign in JOINTS) + 1
    return joint if joint > start + 1 else space if space > start else stop


def _break_wide(text: str, start: int, room: int, following: int, cjk: bool) -> int:
    used, end = 0, start
    for piece in break_pieces(text[start : start + 2 * room + 40]):
        wide = columns(piece, cjk)
        if used + wide > room:
            whole = wide <= following and (end > start or room < following)
            return end if whole else _cluster_end(text, end, room - used, cjk)
        used, end = used + wide, end + len(piece)
    return end


def _cluster_end(text: str, start: int, room: int, cjk: bool) -> int:
    used, end = 0, start
    for cluster in clusters(text[start : start + 2 * room + 40]):
        used += columns(cluster, cjk)
        if used > room:
            break
        end += len(cluster)
    return end


def _forced(text: str, start: int, room: int, wide: bool | None) -> int:
    """An end that leaves no line empty, whatever the text."""
    return max(start + 1, min(start + room, len(text)) if wide is None else _cluster_end(text, start, room, wide))
