"""A host without servers: the picture says so, and what it read instead."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from ._arch_both import both, both_of
from ._arch_columns import Columns
from ._arch_inputs import input_of, this
from ._arch_rows import Placed
from ._arch_words import zone_name
from ._clean import clean_line
from ._shapes import Shape, Text
from ._text import shorten
from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import Source, Topology, Zone

_AFTER_MODEL, _BEFORE_FRAME = 30, 14
_LINE = 18
_KEYS = 6  # keys of the file that are named


def emptiness(topology: "Topology", placed: Placed, at: Columns, how: Words) -> Iterator[Shape]:
    """The words in every host that has no rows; in the middle of the picture where there is no host either."""
    x = at.model.right + _AFTER_MODEL
    for number, host in enumerate(placed.hosts):
        if host.rows or host.host.zone is None:
            continue
        room = at.host.right - _BEFORE_FRAME - x
        lines = [*_lines(_source(topology, host.host.zone, number), how)]
        y = host.model - _LINE * len(lines) / 2 + 5
        yield Text(x, y, both(partial(_nothing, topology), how), "arch.empty.title")
        for line in lines:
            y += _LINE
            yield Text(x, y, shorten(line, 11.5, room), "arch.empty.text")
    if not placed.hosts:
        told = both(lambda tongue: tongue("arch.empty", what=this(topology, tongue)), how)
        yield Text(at.person.right + 16, placed.bottom + 14, told, "arch.empty.title")


def _nothing(topology: "Topology", how: Words) -> str:
    return how("arch.empty", what=how(f"arch.this.{input_of(topology)}"))


def _source(topology: "Topology", zone: "Zone", at: int) -> "Source | None":
    own = [source for source in topology.sources if source.zone == zone.id]
    named = [source for source in topology.sources if source.host == zone_name(zone)]
    return next(iter((*own, *named, *topology.sources[at : at + 1])), None)


def _lines(source: "Source | None", how: Words) -> Iterator[str]:
    """What was found in the file, and what would have been read."""
    if source and source.keys:
        more = ["…"] if len(source.keys) > _KEYS else []
        named = [clean_line(key, 30) for key in source.keys[:_KEYS]]
        yield both_of("arch.empty.keys", how, keys=how("arch.list").join([*named, *more]))
    if source and source.reads:
        yield both_of("arch.empty.reads", how, name=clean_line(source.reads, 60))
