"""The columns of the architecture picture, left to right: each as wide as the widest of what stands in it.

person · approval · [machine · [host · model · trunk · tool calls · clients] · transport · local servers] · the gap
where boundaries are crossed · [zones · remote servers · own tokens · upstream]. Numbers are px from the left edge.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ._arch_both import wider
from ._arch_nodes import Box, marks_width
from ._arch_sizes import SizedHost, SizedLine, all_rows
from ._arch_ways import Way
from ._arch_words import zone_lines, zone_note, zone_title
from ._text import width
from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import Zone

MARGIN = 32
INSET = 16  # from a frame of the machine or a host to what stands in it
ZONE_INSET = 12  # the same for zones and sandboxes
_BEFORE, _AFTER = 18, 20  # beside a label's column: after what the line leaves, before what it comes to
_BESIDE_LABEL = 16  # of an approval
_TRUNK, _AFTER_TRUNK, _AFTER_FORK = 18, 16, 14
_TITLE_INSET = 28  # both sides of a frame's title
_WIDER = 1.04  # DejaVu itself is that much wider than the table
_WIDER = 1.04  # long lines have room in fonts that are a little wider
_EMPTY = 360  # least width behind the model of a host without servers


class Column(NamedTuple):
    """Where a column of nodes begins, and how wide it is."""

    left: float
    wide: float = 0.0

    @property
    def right(self) -> float:
        """Where it ends."""
        return self.left + self.wide


class Columns(NamedTuple):
    """All columns; labels know their middle. `right` is where the last frame ends."""

    person: Column
    fork: float
    approval: float
    machine: Column
    host: Column
    model: Column
    trunk: float
    call: float
    client: Column
    near: float
    local: Column
    beside: float
    annex: Column
    far_label: float
    zone: float
    far: Column
    own: float
    api: Column
    foreign: bool
    right: float

    @property
    def canvas(self) -> float:
        """Width of the picture."""
        return self.right + MARGIN

    @property
    def inner_right(self) -> float:
        """Where zones end that have no upstream column."""
        return self.far.right + ZONE_INSET


class _Measure:
    """Widths of what stands in a column."""

    def __init__(self, hosts: Sequence[SizedHost], how: Words) -> None:
        self.hosts = hosts
        self.how = how
        self.rows = [*all_rows(hosts)]
        self.lines = [line for row in self.rows for line in row.lines]

    def frames(self, zones: "Iterable[Zone | None]", size: float = 12.5) -> float:
        """The widest title or note of frames, with the room beside it."""
        different = {zone.id: zone for zone in zones if zone}.values()
        titles = [_WIDER * width(zone_title(zone, self.how), size, 700) for zone in different]
        told = (line for zone in different for line in (zone_note(zone, self.how), *zone_lines(zone, self.how)))
        notes = [width(line, 10.5) * _WIDER for line in told]
        return max([*titles, *notes]) + _TITLE_INSET if titles else 0.0

    def nodes(self, boxes: Iterable[Box | None], least: float = 0.0) -> float:
        return max((box.width for box in boxes if box), default=least)


def _labels(ways: Iterable[Way | None]) -> float:
    return max((way.width for way in ways if way), default=0.0)


def columns(hosts: Sequence[SizedHost], person: Box | None, how: Words) -> Columns:
    """The columns of a picture."""
    measure = _Measure(hosts, how)
    who = Column(MARGIN, person.width if person else 0.0)
    fork, approval, machine = _approval(who, hosts)
    framed = any(host.base for host in hosts)
    host_left = machine + (INSET if framed else 0)
    inset = INSET if any(host.zone for host in hosts) else 0
    model = Column(host_left + inset, measure.nodes(host.model for host in hosts))
    trunk, call, client = _clients(model, measure)
    host = Column(host_left, _host_right(model, client, inset, measure) - host_left)
    near, local, beside, annex, machine_right = _locals(host, measure)
    if framed:
        machine_right = max(machine_right, machine + measure.frames((host.base for host in hosts), 13))
    before = {
        "person": who, "fork": fork, "approval": approval, "machine": Column(machine, machine_right - machine),
        "host": host, "model": model, "trunk": trunk, "call": call, "client": client, "near": near, "local": local,
        "beside": beside, "annex": annex,
    }  # fmt: skip
    return _zones(measure, before)


def _approval(person: Column, hosts: Sequence[SizedHost]) -> tuple[float, float, float]:
    """The fork's trunk, the middle of the labels, and where the machine begins."""
    if not person.wide:
        return MARGIN, MARGIN, MARGIN
    label = _labels(host.approval for host in hosts)
    forked = sum(host.approval is not None for host in hosts) > 1
    left = person.right + (_BEFORE + _AFTER_FORK if forked else _BESIDE_LABEL)
    return person.right + _BEFORE, left + label / 2, left + label + _BESIDE_LABEL


def _clients(model: Column, measure: _Measure) -> tuple[float, float, Column]:
    label = _labels(row.call for row in measure.rows)
    trunk = model.right + _TRUNK
    left = model.left if not model.wide else trunk + _AFTER_TRUNK + (label + _AFTER if label else 0)
    return (
        trunk,
        trunk + _AFTER_TRUNK + label / 2,
        Column(left, measure.nodes(row.client for row in measure.rows)),
    )


def _host_right(model: Column, client: Column, inset: float, measure: _Measure) -> float:
    """A host without servers has room for the words that say so; every host for its title."""
    right = client.right if client.wide else model.right
    if any(host.zone and not host.rows for host in measure.hosts):
        right = max(right, model.right + wider(_EMPTY, measure.how))
    titles = measure.frames((host.zone for host in measure.hosts), 13)
    marks = max((marks_width(len(host.marks)) for host in measure.hosts), default=0.0)
    return max(right + inset, model.left - inset + titles + marks)


def _locals(host: Column, measure: _Measure) -> tuple[float, Column, float, Column, float]:
    """The middle of the labels, local servers, the labels and nodes beside them, and where the machine ends."""
    rows, lines = measure.rows, measure.lines
    framed = [*(row.sandbox for row in rows), *(line.below_zone for line in lines)]
    sandboxed = ZONE_INSET if any(framed) else 0
    wide = measure.nodes([*(row.local for row in rows), *(line.below for line in lines)])
    if not wide:
        return host.right, Column(host.right), host.right, Column(host.right), host.right + INSET
    label = _labels([*(row.near for row in rows), *(line.down for line in lines)])
    gap = _BEFORE + label + _AFTER if label else INSET
    inside = measure.frames(framed) - 2 * ZONE_INSET
    local = Column(host.right + gap + sandboxed, max(wide, inside))
    out = max([sandboxed, *(row.local.stack for row in rows if row.local)])
    beside, annex = _beside(local, out, lines, measure)
    right = (annex.right + (ZONE_INSET if _framed_annex(measure) else 0)) if annex.wide else local.right + out
    return host.right + _BEFORE + label / 2, local, beside, annex, right + INSET


def _framed_annex(measure: _Measure) -> bool:
    return any(line.annex_zone for line in measure.lines)


def _beside(local: Column, out: float, lines: Sequence[SizedLine], measure: _Measure) -> tuple[float, Column]:
    wide = measure.nodes(line.annex for line in lines)
    if not wide:
        return local.right, Column(local.right)
    label = _labels(line.near for line in lines)
    left = local.right + out + _BEFORE + label + _AFTER + (ZONE_INSET if _framed_annex(measure) else 0)
    inside = measure.frames(line.annex_zone for line in lines) - 2 * ZONE_INSET
    return local.right + out + _BEFORE + label / 2, Column(left, max(wide, inside))


def _zones(measure: _Measure, before: dict[str, Any]) -> Columns:
    lines, machine = measure.lines, before["machine"]
    wide = measure.nodes(line.far for line in lines)
    if not wide:
        nothing = Column(machine.right)
        return Columns(**before, far_label=machine.right, zone=machine.right, far=nothing, own=machine.right,
                       api=nothing, foreign=False, right=machine.right)  # fmt: skip
    label = _labels(line.way for line in lines)
    alone = not before["person"].wide and not any(map(_stands_left, measure.hosts))
    zone = float(MARGIN) if alone else machine.right + _BEFORE + label + _AFTER
    far = Column(zone + ZONE_INSET, wide)
    foreign = any(line.api and line.api_zone is not line.zone for line in lines)
    own, api = _upstream(far, foreign, measure)
    spread = api.right if api.wide and not foreign else far.right
    lack = max(0.0, measure.frames(line.zone for line in lines) - 2 * ZONE_INSET - (spread - far.left))
    far = Column(far.left, wide + lack)
    own, api = own + lack, Column(api.left + lack, api.wide)
    right = (api.right if api.wide else far.right) + ZONE_INSET
    return Columns(**before, far_label=machine.right + _BEFORE + label / 2, zone=zone, far=far, own=own, api=api,
                   foreign=foreign, right=max(right, machine.right))  # fmt: skip


def _stands_left(host: SizedHost) -> bool:
    """Whether anything of a host stands left of the zones."""
    return bool(host.zone or host.base or host.model or any(row.client or row.local for row in host.rows))


def _upstream(far: Column, foreign: bool, measure: _Measure) -> tuple[float, Column]:
    lines = measure.lines
    wide = measure.nodes(line.api for line in lines)
    if not wide:
        return far.right, Column(far.right)
    label = _labels(line.own for line in lines)
    out = ZONE_INSET if foreign else 0
    inside = (
        measure.frames(line.api_zone for line in lines if line.api_zone is not line.zone) - 2 * ZONE_INSET
    )
    left = far.right + out + _BEFORE + label + _AFTER + out
    return far.right + out + _BEFORE + label / 2, Column(left, max(wide, inside))
