"""The blocks beside or below the picture: the findings in their order, and what the protocol says of such a picture."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ._arch_both import both, both_of
from ._arch_changes import sign_at
from ._arch_findings import LISTED, SEVERITIES, Marks
from ._arch_inputs import input_of, this
from ._arch_nodes import Mark
from ._arch_said import advice, said, sentence
from ._clean import clean_line
from ._options import Notes
from ._shapes import Circle, Group, Rect, Shape, Text
from ._text import wrap
from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import DataFlow, Finding, Topology

LEAST = 300  # px that a block needs beside the picture
_TITLE, _FIRST, _LINE, _ITEM, _END = (
    22,
    42,
    16,
    5,
    19,
)  # px: baselines, from line to line, from item to item, the end
_DISC_X, _WORD_X, _TEXT_X, _DOT_X, _PLAIN_X = 22, 37, 76, 18, 28
_CHANGE_X = 122  # behind the longest word for what a change is about
_LEVEL_X = 92  # behind the longest word for how grave the breach of a rule is
_RIGHT = 14
_SIZE = 11.5
_ROOM = 0.96  # of a line is filled: some fonts are wider
_LONG = 300
_UNDRAWN = 6  # data flows that are named
_TOLD = {"brief": 3, "full": 6}  # sentences about the protocol


class Item(NamedTuple):
    """A line of a block: a finding's mark with its severity, or plain text behind a dot."""

    text: str
    mark: Mark | None = None
    word: str = ""
    dot: bool = True
    tip: str = ""
    change: str | None = None
    link: str | None = None

    @property
    def inset(self) -> float:
        """Where its text begins."""
        if self.change:
            return _CHANGE_X
        if self.link:
            return _LEVEL_X
        return _TEXT_X if self.mark else _PLAIN_X if self.dot else _RIGHT


class Block(NamedTuple):
    """A title and items, not yet wrapped."""

    title: str
    items: tuple[Item, ...]

    def height(self, wide: float) -> float:
        """Its height at a width."""
        lines = sum(len(self._wrapped(item, wide)) for item in self.items)
        return _FIRST + _LINE * (lines - 1) + _ITEM * (len(self.items) - 1) + _END

    def _wrapped(self, item: Item, wide: float) -> list[str]:
        return wrap(item.text, _SIZE, (wide - item.inset - _RIGHT) * _ROOM)

    def at(self, x: float, y: float, wide: float, high: float) -> Iterator[Shape]:
        """The block with its upper left corner at (x, y)."""
        inside: list[Shape] = [
            Rect(x, y, wide, high, "arch.block", 10), Text(x + _RIGHT, y + _TITLE, self.title, "arch.block.title"),
        ]  # fmt: skip
        baseline = y + _FIRST
        for item in self.items:
            lines = self._wrapped(item, wide)
            inside += _item(item, lines, x, baseline)
            baseline += _LINE * len(lines) + _ITEM
        yield Group(tuple(inside), label=self.title)


def _item(item: Item, lines: Sequence[str], x: float, baseline: float) -> Iterator[Shape]:
    style = "arch.block.text" if item.mark or item.dot else "arch.block.more"
    told = [Text(x + item.inset, baseline + _LINE * at, line, style) for at, line in enumerate(lines)]
    if item.change:
        word = Text(x + _WORD_X, baseline - 0.4, item.word, f"arch.change.{item.change}.word")
        yield Group((*sign_at(x + _DISC_X, baseline - 4, item.change), word, *told), tip=item.tip or None)
        return
    if item.mark is None:
        yield from [Circle(x + _DOT_X, baseline - 4, 2, "arch.block.dot")] if item.dot else []
        yield from told
        return
    style, middle = f"arch.mark.{item.mark.severity}", baseline - 4
    disc = Circle(x + _DISC_X, middle, 8.5, f"{style}.disc")
    number = Text(x + _DISC_X, middle + 3.8, str(item.mark.number), "arch.mark.number")
    word = Text(x + _WORD_X, baseline - 0.4, item.word, f"{style}.word")
    yield Group((disc, number, word, *told), link=item.link or f"finding-{item.mark.number}", tip=item.tip or None)


def findings_block(topology: "Topology", marks: Marks, how: Words) -> Block | None:
    """The findings, the gravest first; that there are none, where a file was looked at."""
    if not marks.findings:
        looked = Item(both_of("arch.findings.looked", how), dot=False)
        title = both(lambda tongue: tongue("arch.findings.none", what=this(topology, tongue)), how)
        return Block(title, (looked,)) if input_of(topology) == "file" and _has_servers(topology) else None
    many = len({source.host for source in topology.sources if source.host}) > 1
    titles = {node.id: node.title for node in topology.nodes}
    told_of = [(each, each.server or titles.get(each.node or "", "")) for each in marks.findings[:LISTED]]
    items = [_of_finding(at, finding, server, many, how) for at, (finding, server) in enumerate(told_of, 1)]
    more = len(marks.findings) - LISTED
    file = clean_line(topology.sources[0].path if topology.sources else "FILE", 60)
    rest = [Item(both_of("arch.findings.more", how, n=more, file=file), dot=False)] if more > 0 else []
    return Block(both(partial(_counted, marks.findings), how), (*items, *rest))


def _counted(findings: "Sequence[Finding]", how: Words) -> str:
    counts = [(name, sum(each.severity == name for each in findings)) for name in SEVERITIES]
    told = how("arch.list").join(how(f"arch.count.{name}", n=count) for name, count in counts if count)
    return how("arch.findings", counts=told)


def _has_servers(topology: "Topology") -> bool:
    return any(node.kind in ("server", "bridge", "gateway") for node in topology.nodes)


def _of_finding(number: int, finding: "Finding", about: str, many: bool, how: Words) -> Item:
    host = how("arch.finding.host", host=clean_line(finding.host, 40)) if many and finding.host else ""
    text = both(partial(sentence_of, finding), how)
    server = clean_line(about, 40)
    named = text.lower().startswith((f"{server.lower()}:", f"{server.lower()}："))
    whole = text if named or not server else how("arch.finding.of", server=f"{server}{host}", text=text)
    parts = (finding.where, advice(finding, how), said(finding.source or "", how))
    tip = "\n".join(filter(None, (clean_line(part or "", _LONG) for part in parts)))
    word = how(f"arch.severity.{finding.severity}")
    return Item(whole, Mark(number, finding.severity), word, tip=tip)


def sentence_of(finding: "Finding", how: Words) -> str:
    """What was found: as the document says it, in Chinese by its code."""
    return clean_line(sentence(finding, how) or finding.message or finding.code, _LONG)


def protocol_block(revision: str | None, how: Words, notes: Notes = "brief") -> Block | None:
    """What the revision means for such a picture: as much as there are to be notes."""
    if not revision or notes == "none":
        return None
    era = "stateless" if revision >= "2026" else "handshake"
    items = tuple(Item(both_of(f"arch.protocol.{era}.{number}", how)) for number in range(1, _TOLD[notes] + 1))
    return Block(both_of("arch.protocol", how, revision=clean_line(revision, 24)), items)


def asked_block(count: int, how: Words) -> Block | None:
    """What the word on lines means whose servers may ask for authorization, and that these have no rows for that."""
    if not count:
        return None
    return Block(both_of("arch.asked.title", how, n=count), (Item(both_of("arch.asked.note", how), dot=False),))


def undrawn_block(undrawn: "Sequence[DataFlow]", titles: dict[str, str], how: Words) -> Block | None:
    """Data flows that rows have no place for, in words: nothing of a document is lost."""
    if not undrawn:
        return None
    items = [Item(_flow(flow, titles, how)) for flow in undrawn[:_UNDRAWN]]
    more = len(undrawn) - _UNDRAWN
    rest = [Item(both_of("arch.undrawn.more", how, n=more), dot=False)] if more > 0 else []
    return Block(both_of("arch.undrawn", how), (*items, *rest))


def _flow(flow: "DataFlow", titles: dict[str, str], how: Words) -> str:
    source, target = (clean_line(titles.get(name, name), 60) for name in (flow.source, flow.target))
    told = clean_line(", ".join(said(line, how) for line in flow.label), 80)
    return f"{source} → {target}: {flow.kind}" + (f" ({told})" if told else "")


# Places


class PlacedBlock(NamedTuple):
    """A block at its place."""

    block: Block
    x: float
    y: float
    wide: float
    high: float

    def shapes(self) -> Iterator[Shape]:
        """What is drawn of it."""
        return self.block.at(self.x, self.y, self.wide, self.high)


def beside(blocks: Sequence[Block], x: float, right: float, top: float, bottom: float) -> list[PlacedBlock]:
    """As many of the blocks, in their order, as have room in the free field at the upper right."""
    placed: list[PlacedBlock] = []
    wide = right - x
    for block in blocks if wide >= LEAST else ():
        high = block.height(wide)
        if top + high > bottom:
            break
        placed.append(PlacedBlock(block, x, top, wide, high))
        top += high + 16
    return placed


def below(blocks: Sequence[Block], x: float, right: float, top: float) -> list[PlacedBlock]:
    """Blocks side by side, as high as the highest; below each other where there is no room for that."""
    if not blocks:
        return []
    wide = (right - x - 16 * (len(blocks) - 1)) / len(blocks)
    if wide >= LEAST:
        high = max(block.height(wide) for block in blocks)
        return [PlacedBlock(block, x + at * (wide + 16), top, wide, high) for at, block in enumerate(blocks)]
    placed: list[PlacedBlock] = []
    for block in blocks:
        placed.append(PlacedBlock(block, x, top, right - x, block.height(right - x)))
        top += placed[-1].high + 16
    return placed
