"""A topology as text, for terminals and issues: a tree of zones with what stands in them, and below each node what
goes out from it. Texts are cleaned first, no line is wider than the columns asked for.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from flowgen.scene import Area, Crossing, Options, Survey, survey, wrap_columns

from ._txt_columns import LEAST, USUAL
from ._txt_glyphs import spelt

if TYPE_CHECKING:
    from flowgen.topology import Topology

_INDENT = 3  # columns of a zone in another one
_STYLES = {"title": "1", "zone": "1;34", "faint": "2", "cross": "33"}  # SGR parameters
_ASCII = {"┌": "+", "│": "|", "└": "+", "●": "*", "→": "->", "⇢": "=>", "·": "-", "—": "-"}


def arch_txt(
    topology: "Topology", options: Options, *, wide: int = USUAL, colour: bool = False, ascii_only: bool = False
) -> str:
    """The topology as text of at most `wide` columns (60 at least), with ANSI colours or without."""
    written = _Writer(survey(topology, options), max(wide, LEAST), colour, ascii_only)
    return "\n".join(line.rstrip() for line in written.lines()) + "\n"


class _Writer:
    def __init__(self, told: Survey, wide: int, colour: bool, ascii_only: bool) -> None:
        self.told = told
        self.wide = wide
        self.colour = colour
        self.ascii_only = ascii_only
        self.out: dict[int, list[Crossing]] = defaultdict(list)
        for each in told.crossings:
            self.out[each.source].append(each)

    def lines(self) -> Iterator[str]:
        yield from self._wrapped("", "", self.told.heading, "title")
        yield ""
        yield from self._content(self.told.outside, "")
        yield from self._found()
        yield ""
        yield from self._wrapped("⇢ ", "  ", self.told.how("arch.table.crossing"), "cross")

    def _content(self, area: Area, edge: str) -> Iterator[str]:
        for node in area.nodes:
            yield from self._node(node, edge)
        for inner in area.inside:
            yield from self._area(inner, edge)

    def _area(self, area: Area, edge: str) -> Iterator[str]:
        assert area.zone is not None
        yield from self._wrapped(f"{edge}┌ ", f"{edge}│ ", self.told.zone(area.zone), "zone")
        if note := self.told.note(area.zone):
            yield from self._wrapped(f"{edge}│ ", f"{edge}│ ", note, "faint")
        yield from self._content(area, f"{edge}│{' ' * (_INDENT - 1)}")
        yield self._plain(f"{edge}└")

    def _node(self, node: int, edge: str) -> Iterator[str]:
        facts = self.told.lines(node)
        yield from self._wrapped(f"{edge}● ", f"{edge}  ", self.told.title(node), "title")
        for fact in facts:
            yield from self._wrapped(f"{edge}  ", f"{edge}  ", fact, "faint")
        for each in self.out[node]:
            yield from self._flow(each, edge)

    def _flow(self, each: Crossing, edge: str) -> Iterator[str]:
        crosses = self.told.crosses(each)
        label = self.told.how("arch.list").join(self.told.label(each))
        text = f"{self.told.title(each.target)}{': ' if label else ''}{label}"
        sign, style = ("⇢", "cross") if crosses else ("→", "")
        yield from self._wrapped(f"{edge}  {sign} ", f"{edge}    ", text, style)

    def _found(self) -> Iterator[str]:
        found = self.told.findings
        if not found:
            return
        yield ""
        yield from self._wrapped("", "", self.told.how("arch.table.findings"), "title")
        for each in found:
            word = self.told.how(f"arch.severity.{each.severity}")
            yield from self._wrapped(f"{word} ", " " * 4, self.told.sentence(each), "")

    def _wrapped(self, first: str, rest: str, text: str, style: str) -> Iterator[str]:
        """A text behind signs, in as many lines as it needs."""
        opening, following = self._plain(first), self._plain(rest)
        shown = spelt(text) if self.ascii_only else text
        parts = wrap_columns(shown, self.wide - max(len(opening), len(following)) - 4) or [""]
        for at, part in enumerate(parts):
            yield (opening if at == 0 else following) + self._painted(part, style)

    def _painted(self, text: str, style: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colour and style and text else text

    def _plain(self, signs: str) -> str:
        return "".join(_ASCII.get(sign, sign) for sign in signs) if self.ascii_only else signs
