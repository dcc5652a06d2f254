"""The list of rules that are not kept, as a block below the lanes."""

from collections.abc import Sequence

from . import _arch_styles as _styles_are_known  # noqa: F401
from ._arch_blocks import Block, Item, PlacedBlock
from ._arch_nodes import Mark
from ._breaches import Breach, Level, counted, listed, sentence
from ._clean import clean_line
from ._words import Words

_SEVERITY = {"error": "high", "warning": "medium", "info": "low"}  # whose colours they have
_TIP = 600  # characters


def breach_block(breaches: Sequence[Breach], words: Words, left: float, right: float, y: float) -> PlacedBlock:
    """The block with its upper left corner at (left, y); it says so where all rules are kept."""
    shown, more = listed(breaches, words)
    items = [_item(breach, words) for breach in shown] + ([Item(more, dot=False)] if more else [])
    block = Block(counted(breaches, words), tuple(items) or (Item(words("breaches.looked"), dot=False),))
    return PlacedBlock(block, left, y, right - left, block.height(right - left))


def _item(breach: Breach, words: Words) -> Item:
    word = words(f"breaches.word.{breach.level}")
    link = f"m-{breach.message}" if breach.message is not None else None
    tip = clean_line(breach.rule, _TIP)
    return Item(sentence(breach), Mark(breach.number, _severity(breach.level)), word, tip=tip, link=link)


def _severity(level: Level) -> str:
    return _SEVERITY[level]
