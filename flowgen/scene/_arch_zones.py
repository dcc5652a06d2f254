"""Frames: who controls what stands in them. Title and note in the upper left corner, the colour says which kind."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ._arch_changes import outlined, sign_at, tab_at, tab_of
from ._arch_columns import ZONE_INSET, Columns
from ._arch_nodes import marks_side_by_side
from ._arch_rows import Placed, PlacedHost
from ._arch_tracks import NOTE_LINE, Run
from ._arch_words import note_whole, where, zone_title
from ._shapes import Group, Rect, Shape, Text
from ._text import shorten
from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import Zone

_RADIUS = 12
_TITLE_X = 14
_TITLE, _NOTE, _COMPACT_TITLE = 18, 32, 14
_BASE_TITLE, _BASE_NOTE = 21, 37


class Frame(NamedTuple):
    """A frame at its place."""

    zone: "Zone"
    left: float
    top: float
    right: float
    bottom: float
    note: str = ""
    base: bool = False
    empty: bool = False
    compact: bool = False
    lines: tuple[str, ...] = ()

    def shapes(self, how: Words) -> Iterator[Group]:
        """The frame with its title and its note."""
        kind = self.zone.kind
        style = "arch.zone.empty" if self.empty else f"arch.zone.{kind}"
        usual = _COMPACT_TITLE if self.compact else _TITLE
        title, note = (_BASE_TITLE, _BASE_NOTE) if self.base else (usual, _NOTE)
        room = self.right - self.left - 2 * _TITLE_X
        told = shorten(
            zone_title(self.zone, how), 13 if kind in ("machine", "host") else 12.5, room, 700, "middle"
        )
        x = self.left + _TITLE_X
        wide, high = self.right - self.left, self.bottom - self.top
        tab = tab_of(self.zone.change, how)
        inside: list[Shape] = [
            *outlined(self.left, self.top, wide, high, _RADIUS, self.zone.change),
            Rect(self.left, self.top, wide, high, style, _RADIUS),
            Text(x, self.top + title, told, f"arch.zone.{kind}.title"),
        ]
        for line in filter(None, (self.note, *self.lines)):
            inside.append(Text(x, self.top + note, shorten(line, 10.5, room), f"arch.zone.{kind}.note"))
            note += NOTE_LINE
        if self.compact:
            inside += sign_at(self.left, self.top, self.zone.change)
        else:
            inside += tab_at(self.right, self.bottom, tab, self.zone.change, from_right=True)
        told = ", ".join(filter(None, (tab, told)))
        yield Group(tuple(inside), label=told, tip=self._tip(how) or None)

    def _tip(self, how: Words) -> str:
        """The whole note, where less of it or nothing stands in the frame; and how the zone is known."""
        note = note_whole(self.zone.note, how)
        known = where(getattr(self.zone, "evidence", None), how)
        return "\n".join(filter(None, ["" if note == self.note else note, known]))


def frames(placed: Placed, at: Columns, compact: bool = False) -> list[Frame]:
    """All frames, outer ones first."""
    bases = [_base(run, at) for run in placed.bases]
    hosts = [_host(host, at) for host in placed.hosts if host.host.zone]
    inner = [
        *_runs(placed.local.main.runs, at.local.left, at.local.right, at.annex.right),
        *_runs(placed.local.side.runs, at.annex.left, at.annex.right, at.annex.right),
        *_runs(placed.far.main.runs, at.far.left, at.far.right, at.api.right, spread=not at.foreign),
        *_runs(placed.far.side.runs, at.api.left, at.api.right, at.api.right),
    ]
    small = [frame._replace(compact=compact) for frame in inner]
    return [*bases, *(host for host in hosts if host), *small]


def _base(run: Run, at: Columns) -> Frame:
    left, right = at.machine.left, at.machine.right
    return Frame(run.zone, left, run.top, right, run.bottom, run.note, base=True, lines=run.lines)


def _host(host: PlacedHost, at: Columns) -> Frame | None:
    zone = host.host.zone
    if zone is None:
        return None
    return Frame(zone, at.host.left, host.top, at.host.right, host.bottom, host.note, empty=not host.rows)


def _runs(
    runs: Sequence[Run], left: float, right: float, wide: float, spread: bool = False
) -> Iterator[Frame]:
    for run in runs:
        end = wide if run.wide or spread else right
        yield Frame(run.zone, left - ZONE_INSET, run.top, end + ZONE_INSET, run.bottom, run.note)


def host_marks(placed: Placed, at: Columns) -> Iterator[Shape]:
    """What is said of a file, in the frame of its host."""
    for host in placed.hosts:
        if host.host.zone:
            yield from marks_side_by_side(at.host.right, host.top, host.host.marks)
