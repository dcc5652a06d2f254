"""The picture of a topology that is no chain of a host: any zones, any data flows, laid out as a graph.

    Topology → measured → places (by a function that is given) → ports, routes, tracks → Scene

Only the places come from outside; nodes, frames, cards and legend are those of the picture in rows.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import _arch_styles as _styles_are_known  # noqa: F401
from ._arch_blocks import PlacedBlock, below, findings_block, protocol_block, undrawn_block
from ._arch_change_block import changes_block
from ._arch_changes import changes_in
from ._arch_columns import MARGIN
from ._arch_edges import Wire
from ._arch_heading import facts, footing, heading, heading_of
from ._arch_legend import Legend
from ._arch_model import Chain, Host
from ._arch_nodes import MARK, mark_at
from ._arch_pages import cuts_between
from ._arch_places import Layout, NodePlace, Route, of_frame
from ._arch_rows import TOP
from ._arch_words import zone_lines, zone_note
from ._arch_zones import Frame
from ._free_columns import Area, Floor, meet
from ._free_graph import Placing, Positions
from ._free_lines import Run
from ._free_sizes import Measured, Part, head_size, measured
from ._free_wires import Wiring, reach
from ._options import Options
from ._shapes import Circle, Cuts, Rect, Scene, Shape, Text
from ._styles import STYLES
from ._text import width
from ._words import Words, words

if TYPE_CHECKING:
    from flowgen.topology import Topology

_TITLE_X, _TITLE_Y = 14, 5  # px from a frame's corner to its title
_AFTER_TITLE = 8  # px that lines keep from it
_BEFORE_BLOCKS = 20
_BLOCKS = 1400  # px to which blocks reach
_LEAST = 640  # px of a picture that holds next to nothing
_WORDS = "arch.zone."  # styles of titles and notes begin with it
_RING = 5  # radius of what a line ends at that stays inside of its zone
_SERVERS = frozenset(["server", "bridge", "gateway"])


def free(topology: "Topology", options: Options, place: Placing) -> Scene:
    """The picture of a topology as a graph; `place` gives its parts their places, and may raise what it likes."""
    return _drawing(topology, options, place).scene()


def free_layout(topology: "Topology", options: Options, place: Placing) -> Layout:
    """Where the nodes and frames of that picture stand."""
    return _drawing(topology, options, place).layout()


def _drawing(topology: "Topology", options: Options, place: Placing) -> "_Drawing":
    how = words(options.lang)
    parts = measured(topology, how)
    positions = place(parts.graph(how)) if parts.parts or parts.zones else Positions((), ())
    wiring = Wiring(parts, _floor(parts, positions, how))
    runs = wiring.runs()
    all_ = reach((*wiring.floor.parts, *wiring.floor.frames), runs)
    x, y = MARGIN - all_.left, TOP - all_.top
    moved = [run.moved(x, y) for run in runs]
    return _Drawing(topology, options, how, parts, wiring.floor.moved(x, y), moved, all_.moved(x, y))


def _floor(parts: Measured, positions: Positions, how: Words) -> Floor:
    """Everything where the layout put it, in whole px."""
    areas = tuple(_area(part, x, y) for part, (x, y) in zip(parts.parts, positions.vertices, strict=True))
    frames = tuple(Area(*map(round, edges)) for edges in positions.clusters)
    heads = (head_size(zone, how) for zone in parts.zones)
    titles = (_title(frame, *head) for frame, head in zip(frames, heads, strict=True))
    return Floor(areas, frames, tuple(titles))


def _area(part: Part, x: float, y: float) -> Area:
    left, top = round(x - part.wide / 2), round(y - part.high / 2)
    stack = part.box.stack if part.box else 0
    return Area(left, top, left + part.wide + stack, top + part.high + stack)


def _title(frame: Area, wide: float, high: float) -> Area:
    left, top = frame.left + _TITLE_X, frame.top + _TITLE_Y
    return Area(left, top, left + wide + _AFTER_TITLE, top + high)


def _ground(text: Text) -> Area:
    """What a line of words takes."""
    size = STYLES[text.style].size
    wide = width(text.text, size, STYLES[text.style].weight)
    return Area(text.x - 3, text.y - 0.8 * size, text.x + wide + 3, text.y + 0.25 * size)


def _plate(text: Text, kind: str) -> Rect:
    left, top, right, bottom = _ground(text)
    return Rect(left, top, right - left, bottom - top, f"arch.zone.{kind}.plate", 3)


class _Drawing:
    """A picture whose parts have places."""

    def __init__(
        self, topology: "Topology", options: Options, how: Words, parts: Measured, floor: Floor, runs: list[Run],
        all_: Area,
    ) -> None:  # fmt: skip
        self.topology, self.options, self.how = topology, options, how
        self.parts, self.floor, self.runs = parts, floor, runs
        self.bottom = all_.bottom
        self.wide = max(all_.right + MARGIN, 2 * MARGIN + _LEAST)
        self.frames = [self._frame(at) for at in self._outer_first()]

    def scene(self) -> Scene:
        blocks = self._blocks()
        bottom = max([self.bottom, *(block.y + block.high for block in blocks)])
        wires = [Wire(run.way, 0, 0, 0, 0) for run in self.runs]
        key = Legend([], wires, self.frames, self.how, self.wide - 2 * MARGIN, changes_in(self.topology))
        height = bottom + key.height
        told = facts(self.topology, self._hosts(), len(self.frames), self.how, self.options)
        shapes = (
            Rect(0, 0, self.wide, height, "canvas"),
            *heading(self.topology, told, self.wide, self.options, self.how),
            *self._body(),
            *(shape for block in blocks for shape in block.shapes()),
            *key.at(MARGIN, bottom),
            *footing(self.options, self.wide, height),
        )
        title = heading_of(self.topology, self.options, self.how)
        return Scene(self.wide, height, title, ", ".join(told), shapes, cuts=self._cuts(blocks, bottom))

    def layout(self) -> Layout:
        """The places of nodes and frames."""
        zones = tuple(of_frame(frame, self.how) for frame in self.frames)
        return Layout(self.wide, self.bottom, tuple(self._places()), zones, dict(self._routes()))

    def _routes(self) -> Iterator[tuple[int, Route]]:
        """The ways of data flows by their places in the document."""
        undrawn = {id(flow) for flow in self.parts.undrawn}
        drawn = (at for at, flow in enumerate(self.topology.flows) if id(flow) not in undrawn)
        for at, run in zip(drawn, self.runs, strict=True):
            middle = (run.card.left + run.card.right) / 2, run.card.middle
            yield at, Route((*run.first, *run.last), middle)

    def _places(self) -> Iterator[NodePlace]:
        for part, area in zip(self.parts.parts, self.floor.parts, strict=True):
            if part.box:
                yield NodePlace(part.box, area.left, area.top, part.wide, part.high)

    def _body(self) -> Iterator[Shape]:
        """Frames, then lines, then heads, cards and nodes."""
        under, over = self._frame_shapes()
        yield from under
        for run in self.runs:
            yield from run.lines()
        yield from over
        for run in self.runs:
            yield from run.ends()
        yield from (place.shapes() for place in self._places())
        yield from self._rings()
        for at, marks in self.parts.zone_marks.items():
            edges = self.floor.frames[at]
            for place, mark in enumerate(reversed(marks)):
                yield from mark_at(edges.right - 8 - 20 * place, edges.top - 1, mark)

    def _frame_shapes(self) -> tuple[list[Shape], list[Shape]]:
        """Frames with their words; and the words that a line had to pass, on a ground that it goes under."""
        ways = [way for run in self.runs for way in run.boxes()]
        under: list[Shape] = []
        over: list[Shape] = []
        for frame in self.frames:
            for group in frame.shapes(self.how):
                words_ = [each for each in group.shapes if isinstance(each, Text) and each.style.startswith(_WORDS)]
                if any(meet(_ground(text), way) for text in words_ for way in ways):
                    over += [shape for text in words_ for shape in (_plate(text, frame.zone.kind), text)]
                    group = group._replace(shapes=tuple(shape for shape in group.shapes if shape not in words_))
                under.append(group)
        return under, over

    def _rings(self) -> Iterator[Shape]:
        """What lines end at that come from inside of the zone that they go to."""
        anchors = [area for part, area in zip(self.parts.parts, self.floor.parts, strict=True) if part.anchor]
        sides = {(x, area.middle): area for area in anchors for x in (area.left, area.right)}
        for run in self.runs:
            for end in (run.first[0], run.last[-1]):
                if end in sides:
                    x = (sides[end].left + sides[end].right) / 2
                    yield Circle(x, end[1], _RING, f"arch.tip.{run.way.kind}")

    # Frames

    def _outer_first(self) -> list[int]:
        return sorted(range(len(self.parts.zones)), key=lambda at: len(self.parts.around(at)))

    def _frame(self, at: int) -> Frame:
        zone = self.parts.zones[at]
        note, lines = zone_note(zone, self.how), zone_lines(zone, self.how)
        return Frame(zone, *self.floor.frames[at], note=note, base=zone.kind == "machine", lines=lines)

    def _hosts(self) -> Chain:
        """The hosts as the heading asks for them."""
        zones = (zone for zone in self.parts.zones if zone.kind == "host")
        return Chain(None, tuple(Host(zone, None, None, ()) for zone in zones), (), False)

    # Blocks

    def _blocks(self) -> list[PlacedBlock]:
        titles = {node.id: node.title for node in self.topology.nodes}
        servers = any(node.kind in _SERVERS for node in self.topology.nodes)
        found = [
            changes_block(self.topology, self.how) or findings_block(self.topology, self.parts.marks, self.how),
            protocol_block(self.topology.revision, self.how, self.options.notes) if servers else None,
            undrawn_block(self.parts.undrawn, titles, self.how),
        ]
        blocks = [block for block in found if block]
        return below(blocks, MARGIN, min(self.wide - MARGIN, _BLOCKS), self.bottom + _BEFORE_BLOCKS)

    def _cuts(self, blocks: list[PlacedBlock], bottom: float) -> Cuts:
        both = zip(self.parts.parts, self.floor.parts, strict=True)
        taken = [(area.top - (MARK if part.box and part.box.marks else 0), area.bottom) for part, area in both]
        taken += [(area.top - _TITLE_Y, area.bottom) for area in self.floor.titles]
        taken += [(frame.bottom - 4, frame.bottom) for frame in self.floor.frames]
        taken += [(block.y, block.y + block.high) for block in blocks]
        return cuts_between(taken, bottom)
