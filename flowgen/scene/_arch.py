"""The architecture picture of a topology: who runs where, what crosses which trust boundary, who approves.

    Topology → rows (chain, order, fold) → measured → columns (x) and rows (y) → Scene

Rows hold what a host's file holds without a crossing line; a picture shows nothing that the document does not hold.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import _arch_styles as _styles_are_known  # noqa: F401
from ._arch_blocks import PlacedBlock, asked_block, below, beside, findings_block, protocol_block, undrawn_block
from ._arch_brief import brief, is_compact
from ._arch_chain import chain
from ._arch_change_block import changes_block
from ._arch_changes import changes_in
from ._arch_columns import MARGIN, Columns, columns
from ._arch_edges import approvals, calls, ports, wires
from ._arch_empty import emptiness
from ._arch_findings import Marks, marks_of
from ._arch_fold import folded
from ._arch_heading import facts, footing, heading, heading_of, host_notes
from ._arch_legend import Legend
from ._arch_model import Chain
from ._arch_nodes import Box
from ._arch_order import ordered
from ._arch_pages import cuts_of
from ._arch_places import Layout, NodePlace, in_column, of_frame
from ._arch_rows import TOP, Packer, Placed
from ._arch_sizes import Sizer
from ._arch_zones import frames, host_marks
from ._options import Options
from ._shapes import Rect, Scene, Shape
from ._words import Words, words

if TYPE_CHECKING:
    from flowgen.topology import Topology

_ASIDE = 24  # px between the machine and a block beside it
_OVER_ZONE = 16  # px that a block keeps from the first zone
_BEFORE_BLOCKS = 20
_LEAST = 340  # px of a picture that holds next to nothing


def architecture(topology: "Topology", options: Options) -> Scene:
    """The picture of a topology, in rows. What they have no place for is named in a block below."""
    how = words(options.lang)
    return _drawing(topology, options, folded(brief(_rows(topology), how), topology, options.full, how)).scene()


def layout(topology: "Topology", options: Options) -> Layout:
    """Where the nodes and frames of that picture stand, all of them. What rows have no place for has none."""
    return _drawing(topology, options, _rows(topology)).layout()


def _rows(topology: "Topology") -> Chain:
    return ordered(chain(topology))


def _drawing(topology: "Topology", options: Options, read: Chain) -> "_Drawing":
    how = words(options.lang)
    marks = marks_of(topology, read.hosts)
    sizer = Sizer(read, marks, how)
    person, hosts = sizer.person(), sizer.hosts()
    places = columns(hosts, person, how)
    placed = Packer(places, how, host_notes(topology, read, how), sizer.compact).pack(hosts)
    return _Drawing(topology, options, how, read, marks, places, placed, person)


def is_chain(topology: "Topology") -> bool:
    """Whether rows show all of a topology; a free-form description is laid out as a graph instead."""
    return chain(topology).whole


class _Drawing:
    """A picture whose parts have places."""

    def __init__(
        self, topology: "Topology", options: Options, how: Words, read: Chain, marks: Marks, places: Columns,
        placed: Placed, person: Box | None,
    ) -> None:  # fmt: skip
        self.topology = topology
        self.options = options
        self.how = how
        self.read = read
        self.marks = marks
        self.at = places
        self.placed = placed
        self.person = person
        self.frames = frames(placed, places, is_compact(read))
        self.wires = wires(placed, places)
        self.wide = max(places.canvas, places.person.right + MARGIN + _LEAST)

    def scene(self) -> Scene:
        body, kinds = self._body()
        blocks = self._blocks()
        bottom = max([self.placed.bottom, *(block.y + block.high for block in blocks)])
        key = Legend(kinds, self.wires, self.frames, self.how, self.wide - 2 * MARGIN, changes_in(self.topology))
        height = bottom + key.height
        told = facts(self.topology, self.read, len(self.frames), self.how, self.options)
        shapes = (
            Rect(0, 0, self.wide, height, "canvas"),
            *heading(self.topology, told, self.wide, self.options, self.how),
            *body,
            *(shape for block in blocks for shape in block.shapes()),
            *key.at(MARGIN, bottom),
            *footing(self.options, self.wide, height),
        )
        title = heading_of(self.topology, self.options, self.how)
        cuts = cuts_of(self.placed, self.wires, blocks, bottom)
        return Scene(self.wide, height, title, ", ".join(told), shapes, cuts=cuts)

    def _body(self) -> tuple[list[Shape], set[str]]:
        """Frames, then lines, then heads, labels and nodes; and the kinds of lines at trunks."""
        call_lines, call_ends, kinds = calls(self.placed, self.at)
        y, asked, ask_ends = approvals(self.placed, self.at, self.person)
        lines = [*asked, *call_lines, *(shape for wire in self.wires for shape in wire.line())]
        ends = [*ask_ends, *call_ends, *(shape for wire in self.wires for shape in wire.ends())]
        framed = [shape for frame in self.frames for shape in frame.shapes(self.how)]
        marks = host_marks(self.placed, self.at)
        return [*framed, *lines, *ends, *self._nodes(y), *emptiness(self.topology, self.placed, self.at, self.how),
                *marks], kinds  # fmt: skip

    def _nodes(self, person_y: float) -> Iterator[Shape]:
        yield from (place.shapes() for place in self._places(person_y))
        yield from ports(self.placed.far.main.nodes, self.at.far.left)

    def _places(self, person_y: float) -> Iterator[NodePlace]:
        at, placed = self.at, self.placed
        if self.person:
            high = self.person.height
            yield NodePlace(self.person, at.person.left, person_y - high / 2, at.person.wide, high)
        for host in placed.hosts:
            if host.host.model:
                high = host.host.model.height
                yield NodePlace(host.host.model, at.model.left, host.model - high / 2, at.model.wide, high)
            yield from in_column((row.client for row in host.rows if row.client), at.client.left, at.client.wide)
        yield from in_column(placed.local.main.nodes, at.local.left, at.local.wide)
        yield from in_column(placed.local.side.nodes, at.annex.left, at.annex.wide)
        yield from in_column(placed.far.main.nodes, at.far.left, at.far.wide)
        yield from in_column(placed.far.side.nodes, at.api.left, at.api.wide)

    def layout(self) -> Layout:
        """The places of nodes and frames."""
        y, _, _ = approvals(self.placed, self.at, self.person)
        zones = tuple(of_frame(frame, self.how) for frame in self.frames)
        return Layout(self.wide, self.placed.bottom, tuple(self._places(y)), zones)

    def _blocks(self) -> list[PlacedBlock]:
        titles = {node.id: node.title for node in self.topology.nodes}
        compared = changes_block(self.topology, self.how)
        found = [
            compared or findings_block(self.topology, self.marks, self.how),
            protocol_block(self.topology.revision, self.how, self.options.notes) if self._has_servers() else None,
        ]
        blocks = [block for block in found if block]
        aside = beside(blocks, self.at.machine.right + _ASIDE, self.at.right, TOP, self._free())
        rest = blocks[len(aside) :]
        further = asked_block(self.read.asked, self.how), undrawn_block(self.read.undrawn, titles, self.how)
        rest += [block for block in further if block]
        bottom = max([self.placed.bottom, *(block.y + block.high for block in aside)])
        return [*aside, *below(rest, MARGIN, self.wide - MARGIN, bottom + _BEFORE_BLOCKS)]

    def _has_servers(self) -> bool:
        return any(node.kind in ("server", "bridge", "gateway") for node in self.topology.nodes)

    def _free(self) -> float:
        """Down to where the field right of the machine is free."""
        far = self.placed.far
        tops = [run.top for track in far.tracks for run in track.runs]
        tops += [put.top for track in far.tracks for put in track.nodes]
        return min([*(top - _OVER_ZONE for top in tops), *self._labels()], default=self.placed.bottom)

    def _labels(self) -> Iterator[float]:
        """Where labels of the widest gap begin; they may stand higher than the nodes that they lead to."""
        for wire in self.wires:
            if wire.label == self.at.far_label and wire.x2 == self.at.far.left:
                yield wire.y - wire.way.height / 2 - _OVER_ZONE
