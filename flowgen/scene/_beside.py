"""Two sessions beside each other: two swim lanes of two lanes each, what means the same standing at one height.

    Comparison → cells (what stands beside what) → measured → at their places → Scene

A sign between the two tells what became of a message: colours only help. Long stretches that are the same fold.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ._bars import bar_shapes, bars_of, cancel_marks, stream_bars
from ._beside_cells import cells
from ._beside_opening import opening_block
from ._beside_rows import Tier, tiers
from ._clean import clean_line
from ._duo import lane_of, lanes, two
from ._frame import MARGIN, kinds_of
from ._heading import footer, line, subtitle
from ._lanes import HEADER, HEADER_TOP, retries
from ._legend import legend
from ._look import beside_look
from ._options import Options
from ._shapes import Cuts, Part, Rect, Scene, Shape

if TYPE_CHECKING:
    from flowgen.flow import Comparison, Match

_FIRST = 24  # from the headers to the first row
_BEFORE_LEGEND = 24
_WIDER = 1.06  # letters of some fonts, so that the two lines never meet
_BETWEEN = "   ·   "


def beside(told: "Comparison", names: tuple[str, str], options: Options) -> Scene:
    """The picture of a comparison; `names` are what the two sessions are called."""
    return _Picture(told, names, options).scene()


class _Picture:
    """A picture whose rows have places."""

    def __init__(self, told: "Comparison", names: tuple[str, str], options: Options) -> None:
        self.told = told
        self.names = names
        left = beside_look(told.old, options, 0, _differing(told.matches, "old"))
        shift = left.columns.width - MARGIN
        self.looks = left, beside_look(told.new, options, shift, _differing(told.matches, "new"))
        self.wide = self.looks[1].columns.width
        self.how = left
        self.tiers: list[Tier] = []
        self.bottom: float = HEADER_TOP + HEADER + _FIRST
        for tier in tiers(cells(told, options.full), self.looks, self.bottom):
            self.tiers.append(tier)
            self.bottom += tier.height
        self.lives = [lane_of(two(flow), look) for flow, look in zip((told.old, told.new), self.looks, strict=True)]
        self.placed = [[each for tier in self.tiers for each in tier.placed[side]] for side in (0, 1)]
        self.bars = [
            bars_of(placed, self.bottom, look.waits, life_of)
            for placed, look, life_of in zip(self.placed, self.looks, self.lives, strict=True)
        ]

    def scene(self) -> Scene:
        """Everything, and how high it is."""
        key = legend(*self._kinds(), False, self.how, MARGIN, self.wide - MARGIN)
        block = opening_block(self.told.opening, self.how, MARGIN, self.wide - MARGIN)
        below = self.bottom + _BEFORE_LEGEND + (block.height + _BEFORE_LEGEND if block else 0)
        height = below + key.height + MARGIN
        shapes = (
            Rect(0, 0, self.wide, height, "canvas"),
            *self._heading(),
            *(shape for side in (0, 1) for shape in self._side(side)),
            *(shape for tier in self.tiers for shape in tier.shapes),
            *(block.at(self.bottom + _BEFORE_LEGEND) if block else ()),
            *key.at(below),
            *footer(self.how, self.wide, height),
        )
        neck = HEADER_TOP + HEADER
        seams = tuple(tier.y for tier in self.tiers)
        cuts = Cuts(HEADER_TOP, neck, neck + _FIRST, self.bottom, 0, (Part(neck + _FIRST, seams),))
        return Scene(self.wide, height, self._title(), self._spoken(), shapes, cuts=cuts)

    def _title(self) -> str:
        return clean_line(self.how.options.title or self.how.words("beside.title"), 300)

    def _heading(self) -> Iterator[Shape]:
        yield line(self._title(), self.wide / 2, 70, "title", 27, self.wide - 2 * MARGIN, 700)
        for name, look, flow in zip(self.names, self.looks, (self.told.old, self.told.new), strict=True):
            told = _BETWEEN.join([clean_line(name, 120), *subtitle(flow, look)[1:]])
            left, right = look.columns.lane("client"), look.columns.lane("server") + look.columns.lane_width
            yield line(told, (left + right) / 2, 104, "subtitle", 13.5, (right - left) / _WIDER)

    def _side(self, side: int) -> Iterator[Shape]:
        """Lanes, lifelines and bars of one session."""
        look, flow = self.looks[side], (self.told.old, self.told.new)[side]
        yield from lanes(two(flow), self.placed[side], self.bottom, look)
        yield from stream_bars(self.placed[side], self.bottom, self.lives[side])
        yield from bar_shapes(self.bars[side])
        yield from retries(self.placed[side], look)
        yield from cancel_marks(self.bars[side], self.bottom)

    def _kinds(self) -> tuple[set[str], list[str]]:
        """What a legend has to explain: arrows, signs and lanes that occur."""
        sides = zip(self.placed, self.bars, self.looks, strict=True)
        kinds = {kind for placed, bars, look in sides for kind in kinds_of(placed, bars, look)}
        return kinds | {f"beside.{sign}" for tier in self.tiers for sign in tier.signs}, ["client", "server"]

    def _spoken(self) -> str:
        counts = dict.fromkeys(("same", "changed", "removed", "added"), 0)
        for match in self.told.matches:
            counts[match.state] += 1
        return self.how.words("beside.desc", old=self.names[0], new=self.names[1], **counts)


def _differing(matches: "Sequence[Match]", side: str) -> Mapping[int, Sequence[str]]:
    """`seq` of a message of one session -> JSON pointers of what differs in it."""
    found = ((getattr(match, side), match.differences) for match in matches)
    return {entry.message.seq: [each.path for each in told] for entry, told in found if entry and told}
