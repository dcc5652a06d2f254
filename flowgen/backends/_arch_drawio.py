"""A topology as a document of draw.io that can be edited: frames are containers, lines are tied to their nodes.

Everything stands where the picture has it, in the colours of its theme. What the picture has no place for stands below,
each zone in a frame of its own.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from math import hypot
from typing import TYPE_CHECKING

from flowgen.scene import (
    Badge,
    Box,
    Crossing,
    Layout,
    NodePlace,
    Options,
    Route,
    Survey,
    Theme,
    ZonePlace,
    paint,
    survey,
)

from ._arch_frames import Frame, Frames
from ._mxgraph import Point, Style, document, edge, told, vertex

if TYPE_CHECKING:
    from flowgen.topology import Topology, Zone

_MADE = "Made by flowgen; make it anew with: flowgen render FILE -f drawio"
_MARGIN, _GAP = 32, 20  # px around the picture, and between what stands below it
_WIDE, _HIGH, _HEAD = 230, 60, 44  # px of a node without a place, and of the head of a frame around such
_MARK, _DOT = 18, 10  # px of a finding's disc
_TRUNK = 18  # px from a node to where its lines fork
_LINE = 15  # px of a line of a block
_LEAST = 420  # px of a block
_MONO = "font-family:monospace;font-size:11px"
_CENTRED = frozenset(["person", "model", "client"])
_BOTH = frozenset(["stdio", "socket", "ssh"])  # both ends speak whenever they like
_ROUND: Style = {"rounded": 1, "absoluteArcSize": 1}
_SHAPES: dict[str, Style] = {
    "person": {"absoluteArcSize": 0, "arcSize": 50}, "gateway": {"shape": "ext", "double": 1},
    "store": {"shape": "cylinder3", "size": 8, "boundedLbl": 1},
}  # fmt: skip


def drawio(topology: "Topology", options: Options, look: Theme, laid: Layout) -> str:
    """The document of a topology and its layout, ending in a newline."""
    return _Writer(survey(topology, options), look, laid).document()


class _Writer:
    def __init__(self, known: Survey, look: Theme, laid: Layout) -> None:
        self.told = known
        self.look = look
        self.laid = laid
        self.frames = Frames(laid.zones, known.topology.zones)
        ids = {node.id: at for at, node in reversed([*enumerate(known.nodes)])}
        self.places: dict[int, NodePlace] = {}
        for place in laid.nodes:
            self.places.setdefault(ids[place.box.node], place)
        self.zones = {zone.zone.id: frame for zone, frame in zip(laid.zones, self.frames.found, strict=True)}
        self.bottom = laid.high + _GAP
        self.wide = max(laid.wide, _LEAST + 2 * _MARGIN)

    def document(self) -> str:
        cells = [*self._heading(), *map(self._zone, self.laid.zones, self.frames.found)]
        cells += [cell for at, place in sorted(self.places.items()) for cell in self._node(at, place)]
        cells += [*self._rest(), *(self._edge(at, each) for at, each in enumerate(self.told.crossings))]
        cells += [*self._findings(), *self._legend()]
        ground = self._fill("canvas")
        return document(cells, self.told.heading[:80], _MADE, (self.wide, self.bottom), ground)

    def _fill(self, style: str) -> str:
        return paint(style, self.look).fill or "none"

    def _heading(self) -> Iterator[str]:
        style = {**_letters(self._fill("arch.heading"), 22), "strokeColor": "none", "fillColor": "none"}
        yield vertex("title", told(self.told.heading, bold=True), style, (_MARGIN, 24, self.wide - 2 * _MARGIN, 32))

    # Frames

    def _zone(self, place: ZonePlace, frame: Frame) -> str:
        label = told(place.title, bold=True)
        label += f"<br>{told(place.note, 'font-size:10.5px')}" if place.note else ""
        return self._container(frame, label, place.zone.kind)

    def _container(self, frame: Frame, label: str, kind: str) -> str:
        name = f"arch.zone.{kind}"
        style = {**_ROUND, "arcSize": 24, "container": 1, "collapsible": 0, "recursiveResize": 0, **self._outline(name),
                 **_letters(self._fill(f"{name}.title"), 12.5), "verticalAlign": "top", "spacingLeft": 10,
                 "spacingTop": 4}  # fmt: skip
        return vertex(frame.name, label, style, _within(frame, frame.parent), _name(frame.parent))

    def _outline(self, name: str) -> Style:
        look = paint(name, self.look)
        return {"fillColor": look.fill or "none", "strokeColor": look.stroke or "none", "strokeWidth": look.width,
                **_dashes(look.dash)}  # fmt: skip

    # Nodes

    def _node(self, at: int, place: NodePlace) -> Iterator[str]:
        """The node, and the numbers of its findings at its upper edge, which move with it."""
        box, parent = place.box, self._around(at)
        off = box.look == "off"
        outline = "arch.off" if off else f"arch.{box.kind}" + (".inferred" if box.look else "")
        style = {**_ROUND, "arcSize": 18, **self._outline(outline),
                 **_letters(self._fill("arch.title.off" if off else "arch.title"), 14),
                 **({"align": "center"} if box.kind in _CENTRED else {"spacingLeft": 12}),
                 **_SHAPES.get(box.kind, {})}  # fmt: skip
        yield vertex(f"n{at}", self._label(box), style, _within(place, parent), _name(parent))
        for number, mark in enumerate(reversed(box.marks)):
            look = {"shape": "ellipse", "fillColor": self._fill(f"arch.mark.{mark.severity}"),
                    "strokeColor": self._fill("canvas"), "fontColor": self._fill("canvas"), "fontSize": 10,
                    "fontStyle": 1}  # fmt: skip
            size = _MARK if mark.number else _DOT  # as in the picture: one that the list there has no room for is a dot
            where = (place.wide - 8 - 20 * number - size / 2, -size / 2, size, size)
            yield vertex(f"n{at}m{number}", str(mark.number or ""), look, where, f"n{at}")

    def _around(self, at: int) -> Frame | None:
        return self.frames.around(self.places[at], self.told.nodes[at].zone)

    def _label(self, box: Box) -> str:
        faint = f"{_MONO};color:{self._fill('arch.second')}"
        badges = [self._badge(badge) for badge in box.badges]
        first = [told(box.title, bold=True), *([] if box.below else badges)]
        lines = [] if box.compact else [told(line, faint) for line in box.lines]
        below = ["&nbsp; ".join(badges)] if box.below else []
        return "<br>".join(["&nbsp; ".join(first), *lines, *below])

    def _badge(self, badge: Badge) -> str:
        tone = f"arch.badge.{badge.tone}"
        colours = f"color:{self._fill(f'{tone}.text')};background-color:{self._fill(tone)}"
        return told(badge.text, f"font-size:10px;{colours}")

    def _rest(self) -> Iterator[str]:
        """Nodes and zones that the picture has no place for, a zone beside the other."""
        shown = {place.zone.id for place in self.laid.zones}
        lost = [at for at in range(len(self.told.nodes)) if at not in self.places and self._name_of(at) == f"n{at}"]
        zones = {zone.id: zone for zone in self.told.topology.zones}
        lost.sort(key=lambda at: self.told.nodes[at].zone or "")
        groups = {zone: [*nodes] for zone, nodes in groupby(lost, lambda at: self.told.nodes[at].zone or "")}
        groups |= {zone: [] for zone in zones if zone not in shown and zone not in groups}
        x, lowest = float(_MARGIN), self.bottom
        for number, (zone, nodes) in enumerate(groups.items()):
            if x + _WIDE + 2 * _GAP > self.wide:
                x, self.bottom = float(_MARGIN), lowest + _GAP
            high = _HEAD + (_HIGH + _GAP) * max(1, len(nodes))
            frame = Frame(f"r{number}", x, self.bottom, _WIDE + 2 * _GAP, high)
            yield from self._lost(zones.get(zone), nodes, frame)
            x, lowest = x + _WIDE + 3 * _GAP, max(lowest, self.bottom + high)
        self.bottom = lowest + (_GAP if groups else 0)

    def _lost(self, zone: "Zone | None", nodes: Sequence[int], frame: Frame) -> Iterator[str]:
        yield self._container(frame, told(self.told.zone(zone), bold=True), zone.kind if zone else "unknown")
        style = {"rounded": 1, "whiteSpace": "wrap", **self._outline("arch.server"), "align": "left",
                 "fontColor": self._fill("arch.title"), "spacingLeft": 12}  # fmt: skip
        for row, at in enumerate(nodes):
            lines = [told(self.told.title(at), bold=True), *(told(line, _MONO) for line in self.told.lines(at))]
            where = (_GAP, _HEAD + (_HIGH + _GAP) * row, _WIDE, _HIGH)
            yield vertex(f"n{at}", "<br>".join(lines), style, where, frame.name)

    # Lines

    def _edge(self, at: int, each: Crossing) -> str:
        kind, evidence = self.told.kind(each), each.flow.evidence
        line = paint(f"arch.line.{kind}", self.look)
        style: Style = {
            "rounded": 1, "strokeColor": line.stroke, "strokeWidth": line.width, **_dashes(line.dash),
            "startArrow": "block" if kind in _BOTH else "none", "endArrow": "none" if kind == "off" else "block",
            "startFill": 1, "endFill": 1, "fontColor": self._fill(f"arch.label.{kind}.text"), "fontSize": 11,
            "labelBackgroundColor": self._fill(f"arch.label.{kind}"),
        }  # fmt: skip
        if evidence is not None and evidence.kind == "inferred":
            style |= {"opacity": 55, "textOpacity": 100}
        way, middle, turns = self._way(at, each)
        label = "<br>".join(map(told, self.told.label(each)))
        ends = self._name_of(each.source), self._name_of(each.target)
        return edge(f"e{at}", label, style | way, ends, middle, turns)

    def _name_of(self, node: int) -> str:
        """What a line is tied to: a node, or the frame of a zone that a data flow names."""
        zone = self.zones.get(self.told.nodes[node].id) if node >= len(self.told.topology.nodes) else None
        return zone.name if zone else f"n{node}"

    def _way(self, at: int, each: Crossing) -> tuple[Style, float, Sequence[Point]]:
        """How a line goes: as it was laid out; straight where both nodes stand on a line, over a trunk where not; else
        as draw.io likes.
        """
        source, target = self.places.get(each.source), self.places.get(each.target)
        route = self.laid.routes.get(at)
        if route and source and target:
            return _along(route, source, target)
        if source is None or target is None or source.x + source.wide >= target.x:
            return {"edgeStyle": "orthogonalEdgeStyle"}, 0, ()
        left, right = source.x + source.wide, target.x
        y = _common(source, target)
        if y is not None:
            middle = self.frames.gap(source, target, (self._around(each.source), self._around(each.target)))
            ports = _ports((y - source.y) / source.high, (y - target.y) / target.high)
            return ports, 2 * (middle - left) / (right - left) - 1, ()
        start, end = source.y + source.high / 2, target.y + target.high / 2
        long = abs(end - start) + right - left
        trunk = left + min(_TRUNK, (right - left) / 2)
        return _ports(0.5, 0.5), 1 - (right - trunk) / long, ((trunk, start), (trunk, end))

    # Blocks

    def _findings(self) -> Iterator[str]:
        found, how = self.told.findings, self.told.how
        words = [told(f"{at} {how(f'arch.severity.{each.severity}')}", bold=True) for at, each in enumerate(found, 1)]
        lines = [f"{word} {told(self.told.sentence(each))}" for word, each in zip(words, found, strict=True)]
        if found:
            yield self._block("findings", [told(how("arch.table.findings"), bold=True), *lines])

    def _legend(self) -> Iterator[str]:
        rows = [(f"color:{paint(style, self.look).stroke}", name) for style, name in self.told.legend()]
        if rows:
            yield self._block("legend", ["&emsp; ".join(f"{told('■', colour)} {told(name)}" for colour, name in rows)])

    def _block(self, name: str, lines: Sequence[str]) -> str:
        """Lines below the picture."""
        style = {"rounded": 0, "whiteSpace": "wrap", **self._outline("arch.block"), "spacing": 8,
                 **_letters(self._fill("arch.block.text"), 11.5), "verticalAlign": "top"}  # fmt: skip
        high = _LINE * (len(lines) + 2)
        cell = vertex(name, "<br>".join(lines), style, (_MARGIN, self.bottom, self.wide - 2 * _MARGIN, high))
        self.bottom += high + _GAP
        return cell


def _within(place: Frame | NodePlace, parent: Frame | None) -> tuple[float, float, float, float]:
    x, y = (parent.x, parent.y) if parent else (0.0, 0.0)
    return place.x - x, place.y - y, place.wide, place.high


def _name(frame: Frame | None) -> str:
    return frame.name if frame else "1"


def _letters(colour: str, size: float) -> Style:
    return {"fontColor": colour, "fontSize": size, "align": "left"}


def _dashes(dash: str | None) -> Style:
    return {"dashed": 1, "dashPattern": dash} if dash else {}


def _ports(out: float, into: float) -> Style:
    """Where a line leaves the right edge of a node and comes to the left edge of another, as parts of their heights."""
    return {"edgeStyle": "none", "exitX": 1, "exitY": f"{out:.3f}", "entryX": 0, "entryY": f"{into:.3f}"}


def _along(route: Route, source: NodePlace, target: NodePlace) -> tuple[Style, float, Sequence[Point]]:
    """A line over the corners of a route, with the label where it has it."""
    (x1, y1), *turns, (x2, y2) = route.points
    out, into = (x1 - source.x) / source.wide, (x2 - target.x) / target.wide
    ports = _ports((y1 - source.y) / source.high, (y2 - target.y) / target.high)
    pieces = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(route.points)]
    before = 0.0
    for (one, other), long in zip(pairwise(route.points), pieces, strict=True):
        if _holds(one, other, route.label):
            before += hypot(route.label[0] - one[0], route.label[1] - one[1])
            break
        before += long
    whole = sum(pieces) or 1.0
    return {**ports, "exitX": round(out), "entryX": round(into)}, 2 * before / whole - 1, turns


def _holds(one: Point, other: Point, at: Point) -> bool:
    """Whether a straight piece passes a place."""
    (x1, x2), (y1, y2) = sorted((one[0], other[0])), sorted((one[1], other[1]))
    return x1 - 1 <= at[0] <= x2 + 1 and y1 - 1 <= at[1] <= y2 + 1


def _common(one: NodePlace, other: NodePlace) -> float | None:
    """A y at which both stand: the middle of the lower one, if it is none of the corners of the other."""
    small, large = sorted((one, other), key=lambda place: place.high)
    middle = small.y + small.high / 2
    return middle if large.y < middle < large.y + large.high else None
